"""What a format is that graphs are written in, and the registry of them: ``formats/`` has one file for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from mivspool.graphs.graph import Graph
from mivspool.registry import Registry


@dataclass(frozen=True)
class Writer:
    """A format that graphs are written in; a module of ``formats/`` holds one as ``WRITER``.

    ``name``: what ``write_graph`` and links call it; ``title`` is for people. ``extension``: how the file's name ends,
    with its dot. ``media_type``: what a browser is told it is. ``write``: from a Graph to the file's text.
    """

    name: str
    title: str
    extension: str
    media_type: str
    write: Callable[[Graph], str]
    place: int = 100


WRITERS: Registry[Writer] = Registry("mivspool.graphs.write.formats", "WRITER", "mivspool.writers")
"""Every format that is written, by name; another package adds one by an entry point of ``mivspool.writers``."""
