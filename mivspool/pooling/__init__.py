"""Every pooling method by name. A method is one file with a ``Pooling`` and one line in ``METHODS``."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field
from typing import Any

from mivspool.errors import InputError
from mivspool.pooling.base import Kind, Pooled, Pooling, Selection
from mivspool.pooling.mivspool import MIVSPool, PyGPooling
from mivspool.pooling.scores import SCORES, Score


@dataclass(frozen=True)
class Method:
    """One line of the registry: where the method is, what a reader should know of it.

    ``options``: keyword arguments that make this method of its layer. ``takes_score``: the layer takes a
    ``score``. ``takes``: which of "seed" and "level" the layer takes.
    """

    name: str
    title: str
    module: str
    layer: str
    kind: Kind
    paper: str
    options: dict[str, Any] = field(default_factory=dict)
    takes_score: bool = False
    takes: tuple[str, ...] = ()

    @property
    def page(self) -> str:
        """The page that says what is exact and what differs, from the repository's root."""
        return f"docs/methods/{self.module.rpartition('.')[2]}.md"

    def make(self, in_channels: int, **options: Any) -> Pooling:
        """The layer for features of ``in_channels`` channels."""
        made: Pooling = getattr(importlib.import_module(self.module), self.layer)(
            in_channels, **{**self.options, **options}
        )
        return made


_HERE = "mivspool.pooling"
METHODS: dict[str, Method] = {
    method.name: method
    for method in (
        Method("mivspool", "MIVSPool", f"{_HERE}.mivspool", "MIVSPool", "hard", "Stanovic et al. 2022",
               takes_score=True, takes=("seed", "level")),
        Method("mivspool-comp", "MIVSPool_comp", f"{_HERE}.mivspool", "MIVSPool", "hard",
               "Stanovic et al. 2022", {"complement": True}, takes_score=True, takes=("seed", "level")),
        Method("gpool", "gPool", f"{_HERE}.gpool", "GPool", "selective", "Gao & Ji 2019"),
        Method("sagpool", "SagPool", f"{_HERE}.sagpool", "SagPool", "selective", "Lee et al. 2019"),
        Method("mvpool", "MVPool", f"{_HERE}.mvpool", "MVPool", "selective", "Zhang et al. 2021"),
        Method("mvpool-sl", "MVPool-SL", f"{_HERE}.mvpool", "MVPoolSL", "selective", "Zhang et al. 2021"),
        Method("diffpool", "DiffPool", f"{_HERE}.diffpool", "DiffPool", "complete", "Ying et al. 2018",
               takes=("level",)),
        Method("ndp", "NDP (Kron reduction)", f"{_HERE}.ndp", "NDP", "selective", "Bianchi et al. 2020",
               takes=("seed", "level")),
        Method("mewispool", "MEWISPool", f"{_HERE}.mewispool", "MEWISPool", "selective",
               "Nouranizadeh et al. 2021"),
        Method("kmis-1", "k-MIS (k = 1)", f"{_HERE}.kmis", "KMIS", "hard", "Bacciu et al. 2023", {"k": 1},
               takes=("seed", "level")),
        Method("kmis-2", "k-MIS (k = 2)", f"{_HERE}.kmis", "KMIS", "hard", "Bacciu et al. 2023", {"k": 2},
               takes=("seed", "level")),
        Method("none", "no pooling", f"{_HERE}.none", "NoPooling", "hard", "—"),
    )
}  # fmt: skip


def method(name: str) -> Method:
    """The method of that name, or an InputError that lists them."""
    if name not in METHODS:
        raise InputError(f"there is no pooling method {name!r}; there are: {', '.join(METHODS)}")
    return METHODS[name]


__all__ = [
    "METHODS",
    "SCORES",
    "MIVSPool",
    "Method",
    "Pooled",
    "Pooling",
    "PyGPooling",
    "Score",
    "Selection",
    "method",
]
