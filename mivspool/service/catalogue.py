"""The graphs that can be named over HTTP: data sets, classics and uploads; never a file of the server."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock

from mivspool.errors import DatasetError, InputError, MIVSPoolError, ReadError
from mivspool.graphs.collection import COLLECTIONS, Collection, DataSet
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.datasets import DATASETS, find_dataset, is_cached, load_dataset
from mivspool.graphs.graph import Graph
from mivspool.messages import count
from mivspool.service.problems import Refusal
from mivspool.service.schemas import DatasetDocument, Member, Members
from mivspool.service.scrub import scrub
from mivspool.service.uploads import PREFIX, Read, Upload, Uploads

_CACHED_UPLOADS = 8
_CACHED_VERTICES = 500_000  # of all graphs in one upload; a larger one is read again each time


class Catalogue:
    """``uploads`` gives the store of uploads; it is asked for only when an upload is named."""

    def __init__(self, uploads: Callable[[], Uploads]) -> None:
        self._uploads = uploads
        self._read: OrderedDict[tuple[str, str | None], Read] = OrderedDict()
        self._lock = Lock()

    def all(self, owner: str) -> list[DatasetDocument]:
        """Everything that can be named, uploads last."""
        found = [
            DatasetDocument(
                name=s.name, title=s.title, about=s.about, origin="data set", graphs=s.graphs, classes=s.classes,
                class_names=dict(s.class_names), class_source=s.class_source, ready=is_cached(s.name), trainable=True,
            )
            for s in DATASETS.values()
        ]  # fmt: skip
        found += [
            DatasetDocument(
                name=source, title=c.title_of(source), about=c.about_of(source), origin=c.one, graphs=1
            )
            for c in COLLECTIONS.values()
            if c.named
            for source in map(c.source, range(len(c)))
        ]
        return found + [self.document(upload) for upload in self._uploads().all(owner)]

    def document(self, upload: Upload) -> DatasetDocument:
        """What is told of an upload."""
        classes = upload.summary.get("classes")
        failures = len(upload.summary.get("failures", ()))
        about = f"{upload.summary.get('format') or 'file'}, {upload.size:,} bytes"
        return DatasetDocument(
            name=upload.id,
            title=upload.name,
            about=about + (f", {count(failures, 'graph')} that could not be read" if failures else ""),
            origin="upload",
            graphs=upload.summary.get("graphs"),
            classes=classes,
            trainable=classes is not None and classes > 1,
            shared=upload.shared,
            expires=self._uploads().expires(upload),
        )

    def graph(self, name: str, index: int, owner: str, as_: str | None = None) -> Graph:
        """Graph ``index`` of a data set, classic or upload, of an upload in the reading ``as_``.

        Raises Refusal (404), DatasetError, ReadError.
        """
        one = self._one(name)
        if one is not None:
            if index:
                raise Refusal(404, InputError(f"{name} is one graph: its index is 0, not {index}"))
            return one.load(name)
        if name.startswith(PREFIX):
            return self._uploaded(name, index, owner, as_)
        dataset = self._dataset(name)
        try:
            return dataset[index]
        except InputError as error:
            raise Refusal(404, error) from error

    def reference(self, reference: str, owner: str) -> Graph:
        """The graph that DATASET:INDEX (or UPLOAD:INDEX, or a classic's name) means."""
        name, mark, index = reference.rpartition(":")
        if not mark or self._one(reference) is not None:
            return self.graph(reference, 0, owner)
        if not (index.isascii() and index.isdigit() and len(index) < 16):
            raise InputError(f"{reference[:80]!r} needs a number after the colon, as in {name[:60]}:0")
        return self.graph(name, int(index), owner)

    def members(self, name: str, owner: str, offset: int, limit: int, as_: str | None = None) -> Members:
        """Some graphs of a data set, classic or upload, without their vertices."""
        if name.startswith(PREFIX):
            found = self.graphs(name, owner, as_)
            return Members(
                total=len(found),
                graphs=[_member(i, *found[i]) for i in range(len(found))[offset : offset + limit]],
            )
        one = self._one(name)
        if one is not None:
            return Members(total=1, graphs=[_member(0, name, one.load(name))][offset : offset + limit])
        dataset = self._dataset(name)
        return Members(
            total=len(dataset),
            graphs=[
                _member(i, f"{dataset.name}:{i}", dataset[i])
                for i in range(len(dataset))[offset : offset + limit]
            ],
        )

    def graphs(self, name: str, owner: str, as_: str | None = None) -> Read:
        """All graphs of an upload with what they are called, or why one could not be read."""
        upload = self.find(name, owner)
        with self._lock:
            known = self._read.get((upload.id, as_))
            if known is not None:
                self._read.move_to_end((upload.id, as_))
                return known
        found = self._uploads().read(upload.id, upload.name, as_)
        if sum(item.num_nodes for _, item in found if isinstance(item, Graph)) <= _CACHED_VERTICES:
            with self._lock:
                self._read[upload.id, as_] = found
                while len(self._read) > _CACHED_UPLOADS:
                    self._read.popitem(last=False)
        return found

    @staticmethod
    def _one(name: str) -> Collection | None:
        """The collection of a graph that has a name of its own; None for a data set or an upload."""
        others = (one for one in COLLECTIONS.values() if not isinstance(one, DataSet))
        return next((one for one in others if one.index(name) is not None), None)

    @staticmethod
    def _dataset(name: str) -> Dataset:
        source = find_dataset(name)
        if source is None:
            raise Refusal(
                404, DatasetError(f"there is no data set {name[:60]!r}: there are {', '.join(DATASETS)}")
            )
        return load_dataset(source.name)

    def _uploaded(self, name: str, index: int, owner: str, as_: str | None) -> Graph:
        found = self.graphs(name, owner, as_)
        if not 0 <= index < len(found):
            raise Refusal(
                404,
                InputError(f"{name} has {count(len(found), 'graph')}, numbered from 0: there is no {index}"),
            )
        item = found[index][1]
        if isinstance(item, MIVSPoolError):
            raise item
        return item

    def find(self, name: str, owner: str) -> Upload:
        """The upload, if the visitor may see it. Raises Refusal (404)."""
        try:
            return self._uploads().find(name, owner)
        except DatasetError as error:
            raise Refusal(404, error) from error


def _member(index: int, name: str, item: Graph | ReadError) -> Member:
    if isinstance(item, MIVSPoolError):
        return Member(index=index, name=name, error=scrub(item.message))
    return Member(
        index=index,
        name=item.name or name,
        label=item.label,
        num_nodes=item.num_nodes,
        num_edges=item.num_edges,
    )
