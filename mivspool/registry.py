"""Registries: the things of one kind by name, each found in a file of its own.

A thing (a pooling method, a score, a file format, …) is one module of a package, and the module's variable says what
it is. ``Registry`` finds all of them; nothing lists them by hand. Another distribution adds a thing by an entry point:
its group is the registry's, its value names the module (``my_package.my_format``).
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cached_property
from importlib.metadata import entry_points
from typing import Generic, Protocol, TypeVar


class Named(Protocol):
    """What a registry holds: ``name`` is what people and links call it, ``place`` its place in menus and tables."""

    @property
    def name(self) -> str:
        """The thing's name: lower case, unique in its registry."""

    @property
    def place(self) -> int:
        """Where it stands in menus and tables: lower comes first; equal places go by name."""


T = TypeVar("T", bound=Named)


class Registry(Mapping[str, T], Generic[T]):
    """The things of one kind by name, in the order of their ``place``; found when first asked for.

    Args:
        package: the package whose modules are the things, one each.
        variable: the variable of a module that says what the thing is.
        group: the group of entry points by which other distributions add to it.
    """

    def __init__(self, package: str, variable: str, group: str) -> None:
        self.package, self.variable, self.group = package, variable, group

    @cached_property
    def _things(self) -> dict[str, T]:
        package = importlib.import_module(self.package)
        modules = [f"{self.package}.{module.name}" for module in pkgutil.iter_modules(package.__path__)]
        modules += sorted(point.value for point in entry_points(group=self.group))
        things: dict[str, T] = {}
        for module in modules:
            thing: T = getattr(importlib.import_module(module), self.variable)
            if thing.name in things:
                raise ImportError(f"{module} adds {thing.name!r} to {self.group}, which has it already")
            things[thing.name] = thing
        return dict(sorted(things.items(), key=lambda item: (item[1].place, item[0])))

    def forget(self) -> None:
        """Look again when next asked: a package may have been installed since."""
        self.__dict__.pop("_things", None)

    def __getitem__(self, name: str) -> T:
        return self._things[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._things)

    def __len__(self) -> int:
        return len(self._things)
