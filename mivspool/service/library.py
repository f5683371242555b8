"""The models of a backend: released ones, those made on this machine, and those kept from jobs with their owners.

A kept model is a row of the database: without the row it is not listed, not loaded and not used. Its files are
unpacked under ``home/kept`` when they are needed, and removed when the row has gone. The shelf knows a kept model by
a key of its own (``NAME@…``), so that a name that is given again never means the earlier model.
"""

from __future__ import annotations

import hashlib
import io
import json
import logging
import shutil
import tempfile
import threading
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from mivspool.errors import AccessError, JobError, MIVSPoolError, ModelError
from mivspool.service.database import Database
from mivspool.service.objects import Objects
from mivspool.service.problems import Refusal
from mivspool.service.quotas import check_bytes
from mivspool.service.schemas import AssessmentDocument, ModelCard, ModelDocument
from mivspool.service.scrub import scrub, scrub_all
from mivspool.service.shelf import Shelf
from mivspool.service.tables import models as table
from mivspool.service.tables import now
from mivspool.settings import Settings, private_folder

if TYPE_CHECKING:
    from mivspool.learning.models import Model, ModelInfo

log = logging.getLogger(__name__)

_KEPT = (table.c.name, table.c.owner, table.c.shared, table.c.job, table.c.created)
WARMING = "mivspool-warm"  # the thread that loads every model
_KEY = ".key"  # in an unpacked folder: which row it was unpacked from


@dataclass(frozen=True)
class _Kept:
    """A row of the table of kept models, without its files."""

    name: str
    owner: str
    shared: bool
    job: str | None
    created: float

    @property
    def key(self) -> str:
        """What the shelf calls it: a model that is kept later under the same name has another key."""
        identity = hashlib.sha256(f"{self.name} {self.job} {self.created!r}".encode()).hexdigest()
        return f"{self.name}@{identity[:16]}"


class Library:
    """``database`` gives the database of kept models; without visitors to tell apart it is asked only when needed."""

    def __init__(self, settings: Settings, database: Callable[[], Database], separate: bool) -> None:
        self.settings, self._database, self.separate = settings, database, separate
        self.shelf = Shelf(self._load, self._stamp)
        self._closing = threading.Event()
        self._warming: threading.Thread | None = None
        self._unpacking = threading.Lock()

    def close(self) -> None:
        """Stop the shelf, and loading models ahead of it."""
        self._closing.set()
        if self._warming is not None:
            self._warming.join()  # a thread that computes while Python ends takes the process down with it
        self.shelf.close()

    def start_warm(self) -> None:
        """``warm`` beside the requests."""
        if self._warming is None:
            self._warming = threading.Thread(target=self.warm, name=WARMING, daemon=True)
            self._warming.start()

    def warm(self) -> None:
        """Load every model, so that the first request does not wait; one that cannot be loaded says so in the log."""
        try:
            self._kept()  # removes what was deleted while this backend did not run
            for info in self._own().values():
                if self._closing.is_set():
                    return
                if info.problem is None:
                    self.shelf.model(info.name)
        except (MIVSPoolError, OSError) as error:
            log.warning("not all models could be loaded: %s", error)

    def all(self, owner: str) -> list[ModelDocument]:
        """The models this visitor may use; those that cannot be loaded are left out (the log says why)."""
        from mivspool.learning.models import describe

        own = self._own()
        kept = {name: row for name, row in self._kept().items() if name not in own and self._may(row, owner)}
        described = [(describe(self._unpacked(row)), row) for row in kept.values()]
        found = [(info, None) for info in own.values()] + described
        return [_document(info, row) for info, row in found if info.problem is None]

    def card(self, name: str, owner: str) -> ModelCard:
        """A model's card. Raises Refusal (404)."""
        key = self.check(name, owner)
        known = {document.name: document for document in self.all(owner)}
        if name not in known:
            raise self._unknown(name, owner)
        model = self._model(key)
        return ModelCard(
            **known[name].model_dump(), card=scrub(model.card), config=scrub_all(model.config),
            layers=model.info["layers"],
        )  # fmt: skip

    def record(self, name: str, owner: str) -> str:
        """The record of a released model's training as JSON. Raises Refusal (404)."""
        from mivspool.learning.models import record_of

        found = record_of(name) if self.check(name, owner) == name else None
        if found is None:
            raise Refusal(404, ModelError(f"there is no training record of {name}"))
        return json.dumps(found, separators=(",", ":"), allow_nan=False)

    def check(self, name: str, owner: str) -> str:
        """What the shelf calls a model; a Refusal (404) of one that is not there or not this visitor's to use."""
        from mivspool.learning.models import check_name

        try:
            check_name(name)  # a path or an address of a hub is nothing that may come over the network
        except ModelError:
            raise self._unknown(name, owner) from None
        if name in self._own():
            return name
        row = self._kept().get(name)
        if row is None or not self._may(row, owner):
            raise self._unknown(name, owner)
        return row.key

    def ready(self, name: str) -> bool:
        """Whether it is a model of this machine, loaded and unchanged: then nothing is left to ask or wait for."""
        return "@" not in name and self.shelf.fresh(name)

    def prepare(self, name: str, owner: str) -> str:
        """Check that this visitor may use a model, and load it; what the shelf calls it.

        Raises Refusal (404), ModelError.
        """
        key = self.check(name, owner)
        self.shelf.model(key)
        return key

    def keep(self, job: str, content: bytes, name: str, owner: str, shared: bool) -> ModelDocument:
        """Keep what a job learned under a name, for this visitor or for all.

        It is loaded and described before its row is written: an error says that nothing was kept.

        Raises ModelError, and LimitError or StorageError where too much is kept.
        """
        from mivspool.learning.models import check_name, describe, load_model, save_model

        check_name(name)
        if name in self._own():
            raise self._taken(name)
        with tempfile.TemporaryDirectory() as folder:
            _extract(content, Path(folder) / "job")
            made = load_model(Path(folder) / "job")
            kept = Path(folder) / name
            config = made.config
            save_model(
                kept, made.classifier, made.schema, made.classes, config["run"], config.get("evaluation")
            )
            info = describe(kept)
            if info.problem is not None:
                raise ModelError(info.problem)
            packed = pack(kept)
        with self._database().read() as db:
            check_bytes(db, self.settings, owner, len(packed))  # before it is put anywhere
        row = {"name": name, "owner": owner, "shared": shared, "job": job}
        row |= {"created": now(), "size": len(packed), **self._objects().columns(packed)}
        try:
            with self._database().write() as db:
                check_bytes(db, self.settings, owner, len(packed))
                stored = db.execute(insert(table).values(**row).returning(*_KEPT)).one()
        except IntegrityError as error:
            raise self._taken(name) from error
        there = _Kept(**stored._mapping)
        try:
            self._unpacked(there)  # who sits at this machine finds it by its name
        except (MIVSPoolError, OSError) as error:
            log.warning("the model %s is kept, and could not be unpacked: %s", name, error)
        return _document(info, there)

    def delete(self, name: str, owner: str) -> None:
        """Delete a kept model of one's own. Raises Refusal."""
        if self.check(name, owner) == name:
            raise Refusal(
                403,
                ModelError(f"{name} was not kept from a job here, so it cannot be deleted over the network"),
            )
        mine = (table.c.name == name, table.c.owner == owner)
        with self._database().write() as db:
            if not db.execute(delete(table).where(*mine)).rowcount:
                raise Refusal(403, AccessError("this model belongs to another visitor"))
        self._kept()

    def forget(self, owner: str) -> None:
        """Delete all kept models of a visitor."""
        with self._database().write() as db:
            db.execute(delete(table).where(table.c.owner == owner))
        self._kept()

    # -- parts -------------------------------------------------------------------------------------------

    def _own(self) -> dict[str, ModelInfo]:
        """Released models and those made on this machine.

        What a job left among them is not this machine's: versions before 0.2 unpacked kept models there.
        """
        from mivspool.learning.models import list_models

        return {info.name: info for info in list_models(kept=False) if info.job is None}

    def _kept(self) -> dict[str, _Kept]:
        """The rows of kept models by name; the files and loaded models of all others go."""
        from mivspool.learning.models import kept_shelf

        shelf = kept_shelf()
        unpacked = (
            list(shelf.iterdir()) if shelf.is_dir() else []
        )  # before the rows: a row comes before its folder
        with self._database().read() as db:
            rows = [_Kept(**row._mapping) for row in db.execute(select(*_KEPT).order_by(table.c.name))]
        kept = {row.name: row for row in rows}
        self.shelf.forget({key for key in self.shelf.names() if "@" in key} - {row.key for row in rows})
        for path in unpacked:
            if path.name not in kept and not path.name.startswith("."):
                shutil.rmtree(path, ignore_errors=True)
        return kept

    def _objects(self) -> Objects:
        return Objects(self._database(), self.settings)

    def _may(self, kept: _Kept, owner: str) -> bool:
        return kept.owner == owner or kept.shared or not self.separate

    @staticmethod
    def _taken(name: str) -> Refusal:
        return Refusal(409, ModelError(f"there is a model {name!r} already: choose another name"))

    def _unknown(self, name: str, owner: str) -> Refusal:
        names = ", ".join(document.name for document in self.all(owner)) or "none"
        return Refusal(404, ModelError(f"there is no model {name[:80]!r}; there are: {names}"))

    def _unpacked(self, row: _Kept) -> Path:
        """The folder of a kept model, unpacked from its row. Raises ModelError when the row has gone."""
        from mivspool.learning.models import kept_shelf

        target = kept_shelf() / row.name
        with self._unpacking:
            if (target / _KEY).is_file() and (target / _KEY).read_text() == row.key:
                return target
            same = (table.c.name == row.name, table.c.created == row.created)
            with self._database().read() as db:
                found = db.execute(select(table.c.content, table.c.object).where(*same)).one_or_none()
            if found is None:
                raise ModelError(f"the model {row.name} has just been deleted")
            content = self._objects().read(found._mapping)
            private_folder(target.parent)
            with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{row.name}-") as folder:
                made = Path(folder) / row.name
                _extract(content, made)
                (made / _KEY).write_text(row.key)
                shutil.rmtree(target, ignore_errors=True)
                made.rename(target)
        return target

    def _stamp(self, key: str) -> Any:
        """What changes with a model's files: those of a kept one never do, its key does."""
        from mivspool.learning.models import model_folder

        folder = None if "@" in key else model_folder(key)
        if folder is None:
            return key
        return tuple(
            (folder / file).stat().st_mtime_ns
            for file in ("config.json", "model.safetensors")
            if (folder / file).exists()
        )

    def _load(self, key: str) -> Model:
        from mivspool.learning.models import load_model
        from mivspool.learning.training import pick_device

        name, mark, _ = key.partition("@")
        if mark:
            row = self._kept().get(name)
            if row is None or row.key != key:
                raise ModelError(f"the model {name} has just been deleted")
            model = load_model(self._unpacked(row))
        else:
            model = load_model(name)
        model.classifier.to(pick_device(self.settings.device))
        _warm(model)
        return model

    def _model(self, key: str) -> Model:
        from mivspool.learning.models import Model

        model = self.shelf.model(key)
        assert isinstance(model, Model)
        return model


def _warm(model: Model) -> None:
    """Classify three vertices in a row, so that the first visitor does not wait for what happens once."""
    import numpy as np

    from mivspool.graphs.graph import Graph

    schema = model.schema
    attributes: dict[str, tuple[Any, ...]] = {name: (mean,) * 3 for name, mean, _ in schema.attributes}
    if schema.node_labels is not None:
        attributes["label"] = (schema.node_labels[0],) * 3
    path = Graph("warm-up", ("0", "1", "2"), np.array([[0, 1], [1, 2]]), node_attributes=attributes)
    for result in model.classify([path]):
        result.to_json()


def pack(folder: Path) -> bytes:
    """A model's folder as a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
    return buffer.getvalue()


def _extract(content: bytes, folder: Path) -> None:
    """What ``pack`` made, and only plain files beside each other."""
    folder.mkdir(parents=True)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                (folder / Path(name).name).write_bytes(archive.read(name))
    except zipfile.BadZipFile as error:
        raise JobError("what the job has learned is damaged: train it again") from error


def _document(info: ModelInfo, kept: _Kept | None) -> ModelDocument:
    return ModelDocument(
        name=info.name,
        dataset=scrub(info.dataset) or None,
        method=info.method or None,
        score=info.score,
        network=info.network,
        classes=list(info.classes),
        class_names=dict(info.class_names),
        class_source=info.class_source,
        assessment=None if info.assessment is None else AssessmentDocument(**info.assessment.to_dict()),
        needs=info.needs,
        accuracy=info.accuracy,
        accuracy_std=info.accuracy_std,
        released=info.released,
        job=None if kept is None else kept.job,
        recorded=info.recorded,
        version=info.version,
    )
