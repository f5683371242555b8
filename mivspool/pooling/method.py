"""What a pooling method is, and the registry of them: ``methods/`` has one file for each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from mivspool.errors import InputError
from mivspool.pooling.base import Kind, Pooling
from mivspool.registry import Registry


@dataclass(frozen=True)
class Method:
    """A pooling method; a module of ``methods/`` holds one as ``METHOD``.

    ``name``: what the command line, the API and links call it; ``title``, ``about`` (a sentence) and ``formula``
    (LaTeX) are for people, ``paper`` is its source. ``layer``: its class; ``options``: keyword arguments that make this
    method of it. ``takes_score``: the layer takes a ``score``; ``takes_reduction``: a ``reduction``; ``takes``: which
    of "seed" and "level". ``given``: makes the layer that pools by scores that stand in the first of so many features
    (None: the method computes its own). ``page``: the page in ``docs/methods`` that says what is exact and what differs
    (default: the method's name).
    """

    name: str
    title: str
    about: str
    formula: str
    paper: str
    layer: type[Pooling]
    place: int = 100
    options: dict[str, Any] = field(default_factory=dict)
    takes_score: bool = False
    takes_reduction: bool = False
    takes: tuple[str, ...] = ()
    given: Callable[[int], Pooling] | None = None
    page: str = ""

    @property
    def kind(self) -> Kind:
        """Hard, selective or complete."""
        return self.layer.kind

    @property
    def docs(self) -> str:
        """Its page, from the repository's root."""
        return f"docs/methods/{self.page or self.name}.md"

    def make(self, in_channels: int, **options: Any) -> Pooling:
        """The layer for features of ``in_channels`` channels."""
        layer: Any = self.layer
        made: Pooling = layer(in_channels, **{**self.options, **options})
        return made


METHODS: Registry[Method] = Registry("mivspool.pooling.methods", "METHOD", "mivspool.methods")
"""Every pooling method by name; another package adds one by an entry point of the group ``mivspool.methods``."""


def method(name: str) -> Method:
    """The method of that name, or an InputError that lists them."""
    if name not in METHODS:
        raise InputError(f"there is no pooling method {name!r}; there are: {', '.join(METHODS)}")
    return METHODS[name]
