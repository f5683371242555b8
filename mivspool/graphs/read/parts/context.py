"""What every reader is given: the limits, the clock, and the file's name."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.messages import fill
from mivspool.settings import Limits

# a page without Python says it too (canvas/js/read)
WORDS = {
    "vertices": "{name} has more than {n:,} vertices: make it smaller",
    "edges": "{name} has more than {n:,} edges: make it smaller",
}

_LONGEST_NAME = 200
Found = Iterable[Graph | ReadError]


@dataclass
class Context:
    """One file being read, as ``as_`` where a person chose a reading; counts what its graphs cost together.

    The clock is that of the processor: a busy machine does not refuse a file.
    """

    name: str
    limits: Limits
    encoding: str | None = None
    repairs: list[str] = field(default_factory=list)
    started: float = field(default_factory=time.thread_time)
    vertices: int = 0
    edges: int = 0
    as_: str | None = None

    def __post_init__(self) -> None:
        if len(self.name) > _LONGEST_NAME:  # as in a zip, where a name may have 65,535 characters
            self.name = f"…{self.name[-_LONGEST_NAME:]}"

    @property
    def stem(self) -> str:
        """The file's name without folder and extension."""
        return PurePosixPath(self.name).stem or self.name or "graph"

    def check_time(self) -> None:
        """Raise LimitError where the reader has taken too long. Every loop over input calls this now and then."""
        if time.thread_time() - self.started > self.limits.seconds:
            raise LimitError(
                f"{self.name} took more than {self.limits.seconds:g} seconds to read: make it smaller or split it"
            )

    def count(self, vertices: int, edges: int) -> None:
        """Add a graph's size. Raises LimitError where the file's graphs have too much together."""
        self.vertices += vertices
        self.edges += edges
        self.check_size()

    def check_size(self, vertices: int = 0, edges: int = 0) -> None:
        """Raise LimitError where this much more would be too much."""
        if self.vertices + vertices > self.limits.vertices:
            raise LimitError(fill(WORDS["vertices"], name=self.name, n=self.limits.vertices))
        if self.edges + edges > self.limits.edges:
            raise LimitError(fill(WORDS["edges"], name=self.name, n=self.limits.edges))
        self.check_time()
