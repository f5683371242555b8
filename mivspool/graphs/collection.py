"""What a collection of graphs is, and the registry of them: ``collections/`` has one file for each.

A data set, the classic graphs, the teaching examples and the random graphs are collections with one face: a SOURCE
names a graph of one of them, and each knows the titles and sentences of its graphs.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mivspool.errors import InputError
from mivspool.graphs import dataset_files
from mivspool.registry import Registry

if TYPE_CHECKING:
    from mivspool.graphs.dataset import Dataset
    from mivspool.graphs.graph import Graph

_NUMBER = re.compile(r"-?\d+")


class Collection(ABC):
    """Graphs that belong together, numbered from 0; a module of ``collections/`` holds one as ``COLLECTION``.

    ``name``: what links call it; ``title`` and ``about`` (a sentence without its full stop) are for people. ``named``:
    whether its graphs have names of their own, which search and menus list. ``one``: what one of its graphs is called.
    """

    name: str
    title: str
    about: str
    place: int
    named: bool = False
    one: str = "graph"

    @abstractmethod
    def __len__(self) -> int:
        """How many graphs there are to step through."""

    @abstractmethod
    def index(self, source: str) -> int | None:
        """The number of the graph that a SOURCE names; None where it names none of this collection.

        Raises InputError, with what to write instead, where it begins like a name of this collection and is none.
        """

    @abstractmethod
    def source(self, index: int, like: str = "") -> str:
        """The SOURCE of a graph; ``like`` is the SOURCE of another graph of the collection, where that matters."""

    @abstractmethod
    def load(self, source: str) -> Graph:
        """The graph of a SOURCE that ``index`` knows. Raises DatasetError or InputError with a sentence."""

    def title_of(self, source: str) -> str:
        """What people call the graph."""
        return source

    def about_of(self, source: str) -> str:
        """A sentence about the graph; empty where there is none."""
        return ""

    def first(self) -> str:
        """The SOURCE of the graph that stands for the collection."""
        return self.source(0)


@dataclass(frozen=True, eq=False)
class DataSet(Collection):
    """A data set by name, with its published figures: what is known of it before it is loaded.

    ``graphs`` and ``classes`` are their numbers; ``label_names`` gives vertex labels their published meaning (None:
    there is none, and nothing is guessed); ``class_names`` does the same for its classes, by their labels, and
    ``class_source`` says in a sentence who says so. ``molecules``: whether its graphs are molecules; ``bond_orders``:
    of their edge labels, where these are published (1.5: aromatic). ``aliases``: what it is called too. ``bundled``
    makes a set that comes with the packages; the others are TU data sets, which are fetched.
    ``checksum``: of what is read of it (``dataset_files.checksum``); None: whatever is fetched is taken.
    """

    name: str
    title: str
    about: str
    graphs: int
    classes: int
    place: int
    label_names: Mapping[int, str] | None = None
    molecules: bool = False
    aliases: tuple[str, ...] = ()
    bundled: Callable[[], Dataset] | None = None
    checksum: str | None = None
    class_names: Mapping[str, str] = field(default_factory=dict)
    class_source: str = ""
    bond_orders: Mapping[int, float] = field(default_factory=dict)

    @property
    def origin(self) -> str:
        """Where its graphs come from: "greycdata", which is installed with the project, or "TU"."""
        return "TU" if self.bundled is None else "greycdata"

    def is_called(self, name: str) -> bool:
        """Whether this is one of its names, in any case."""
        return name.upper() in {self.name, *self.aliases}

    def __len__(self) -> int:
        return self.graphs

    def index(self, source: str) -> int | None:
        """NAME:INDEX (or NAME#INDEX); the index may be out of range, which loading says."""
        if self.is_called(source):
            last = self.graphs - 1
            raise InputError(f"{source} is a data set: name one of its graphs, {source}:0 to {source}:{last}")
        at = max(source.rfind(":"), source.rfind("#"))
        if at < 0 or not self.is_called(source[:at]):
            return None
        number = source[at + 1 :]
        if not number.isascii() or not _NUMBER.fullmatch(number):
            raise InputError(f"{source!r} needs a number after the colon, as in {source[:at]}:0")
        if len(number) > 18:
            raise InputError(f"{number[:20]!r} is not the index of a graph")
        return int(number)

    def source(self, index: int, like: str = "") -> str:
        """NAME:INDEX."""
        return f"{self.name}:{index}"

    def load(self, source: str) -> Graph:
        """The graph, of the data set as it is kept."""
        index = self.index(source)
        assert index is not None
        return dataset_files.load(self)[index]


COLLECTIONS: Registry[Collection] = Registry(
    "mivspool.graphs.collections", "COLLECTION", "mivspool.collections"
)
"""Every collection by name; another package adds one by an entry point of the group ``mivspool.collections``."""


def origin_of(graph: Graph) -> Collection | None:
    """The collection that a graph is of; None for any other graph, whatever it is called."""
    return COLLECTIONS.get(graph.collection) if graph.collection else None


def collection_of(source: str) -> Collection | None:
    """The collection whose graph a SOURCE names, or None.

    Raises InputError where the SOURCE begins like a name of a collection and is none.
    """
    for collection in COLLECTIONS.values():
        if collection.index(source) is not None:
            return collection
    return None
