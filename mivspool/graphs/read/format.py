"""What a file format is, and the registry of those that are read: ``formats/`` has one file for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from mivspool.messages import fill
from mivspool.registry import Registry

# a page without Python says it too (canvas/js/read)
WORDS = {"read_as": "Read as {title}."}


@dataclass(frozen=True)
class Format:
    """A format that is read; a module of ``formats/`` holds one as ``FORMAT``.

    ``name``: what ``read_as`` and links call it; ``title`` and ``about`` are for people: what it is called, who writes
    it. ``extensions``: endings of file names, each with its dot. ``read``: from the text (or the bytes, where
    ``binary``) and a Context to the graphs, each a Graph or the ReadError that says why it is none. ``sniff``: whether
    the beginning of a text is surely in this format (None: only the file's name can tell); texts are shown to the
    formats in the order of ``place``. ``unsure``: ``sniff`` may be wrong, so that a name decides before it.
    ``several``: a file may hold more than one graph. ``knows``: for a dialect of JSON, whether a parsed document is in
    it; ``read`` then takes the document, the Context and the graph's name, and gives one Graph. ``kept`` and ``lost``:
    what of such a file the graph has, and has not, for ``docs/formats.md``.
    """

    name: str
    title: str
    about: str
    extensions: tuple[str, ...]
    read: Callable[..., Any]
    sniff: Callable[[str], bool] | None = None
    place: int = 100
    binary: bool = False
    several: bool = False
    unsure: bool = False
    knows: Callable[[Any], bool] | None = None
    kept: str = ""
    lost: str = ""

    @property
    def read_as(self) -> str:
        """How a file in this format was read, as a sentence."""
        return fill(WORDS["read_as"], title=self.title)


FORMATS: Registry[Format] = Registry("mivspool.graphs.read.formats", "FORMAT", "mivspool.formats")
"""Every format that is read, by name. Another package adds one by an entry point of the group ``mivspool.formats``."""
