"""One setting of a run: its type, default, range, label and help, declared once as a field of a dataclass."""

from __future__ import annotations

import dataclasses
import json
import math
import re
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Real
from typing import Any, Union, get_args, get_origin, get_type_hints

from mivspool.errors import InputError

COMMAND_LINE, API, FORM = "command line", "API", "form"
FACES = (COMMAND_LINE, API, FORM)

_KINDS = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "text",
    dict: "an object",
    list: "a list",
}
_KEY = "setting"


@dataclass(frozen=True)
class Setting:
    """One setting. ``kind``: bool, int, float, str, list or dict; ``optional``: None is a value too.

    ``label`` names it on a form, ``help`` is one sentence. ``choices``: the only values there are. ``offered``: the
    values a form offers where it has no room for all. ``grid``: what the paper searches. ``at_least``, ``above``,
    ``below``: what can be; ``at_most``: what a visitor of a backend may ask for. ``faces``: where it can be set.

    ``of_run``: it tells runs of one configuration apart. ``first``: it was there when the first identifiers were made,
    so it is part of each; a later one is part of those alone where it differs from its default.
    """

    name: str
    kind: type[Any]
    optional: bool
    default: Any
    label: str
    help: str
    choices: tuple[Any, ...] = ()
    offered: tuple[Any, ...] = ()
    grid: tuple[Any, ...] = ()
    at_least: float | None = None
    above: float | None = None
    below: float | None = None
    at_most: float | None = None
    example: Any = None
    option: str | None = None
    faces: tuple[str, ...] = FACES
    of_run: bool = False
    first: bool = False

    @property
    def required(self) -> bool:
        """Whether there is no default."""
        return self.default is dataclasses.MISSING

    def convert(self, value: Any, *, visitor: bool = False) -> Any:
        """The value as its kind (a whole 3.0 is 3). Raises InputError for what it cannot be.

        ``visitor``: ``at_most`` counts too.
        """
        if value is None and self.optional:
            return None
        made = _as(self.kind, value)
        if made is None:
            raise InputError(f"{self.name} must be {_KINDS[self.kind]}, it is {value!r}")
        if self.choices and made not in self.choices:
            raise InputError(
                f"there is no {self.name} {value!r}; there are: {', '.join(map(str, self.choices))}"
            )
        if not self._within(made, visitor):
            raise InputError(f"{self.name} must be {self.range(visitor=visitor)}, it is {value!r}")
        return made

    def parse(self, text: str) -> Any:
        """The value that a text spells (:meth:`spell`), or that a person types, with a decimal comma too.

        Raises InputError for what it cannot be.
        """
        if not text and self.optional:
            return None
        if self.kind is bool:
            return text == "1"
        try:
            value = json.loads(text) if self.kind in (list, dict) else self.kind(_pointed(self.kind, text))
        except ValueError as error:
            raise InputError(f"{self.name} must be {_KINDS[self.kind]}, it is {text!r}") from error
        return self.convert(value, visitor=True)

    def spell(self, value: Any) -> str:
        """A value as a link holds it."""
        if value is None:
            return ""
        if self.kind is bool:
            return str(int(value))
        return json.dumps(value) if self.kind in (list, dict) else str(value)

    def show(self, value: Any) -> str:
        """A value as a person reads it."""
        if value is None:
            return "none"
        if self.kind is bool:
            return "yes" if value else "no"
        if self.kind is float:
            return f"{value:g}"
        return value if self.kind is str else json.dumps(value)

    def range(self, *, visitor: bool = False) -> str:
        """The range in words; empty where there is none."""
        parts = [
            f"{words} {bound:g}"
            for words, bound in (
                ("at least", self.at_least),
                ("above", self.above),
                ("below", self.below),
                ("at most", self.at_most if visitor else None),
            )
            if bound is not None
        ]
        return " and ".join(parts)

    def _within(self, value: Any, visitor: bool) -> bool:
        if self.kind not in (int, float):
            return True
        return (
            math.isfinite(value)
            and (self.at_least is None or value >= self.at_least)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
            and (not visitor or self.at_most is None or value <= self.at_most)
        )


def setting(default: Any, label: str, help: str, **about: Any) -> Any:
    """Declare a field as a setting; ``about``: the attributes of :class:`Setting` that are not the usual ones."""
    metadata = {_KEY: {"label": label, "help": help, **about}}
    if isinstance(default, dict | list):
        return dataclasses.field(default_factory=lambda: type(default)(default), metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


def settings_of(kind: type[Any]) -> dict[str, Setting]:
    """The settings that a dataclass declares, by name, in its order."""
    return _read(kind)  # type: ignore[arg-type]  # mypy takes no class for hashable here


@lru_cache
def _read(kind: type[Any]) -> dict[str, Setting]:
    hints = get_type_hints(kind)
    return {f.name: _setting(f, hints[f.name]) for f in dataclasses.fields(kind) if _KEY in f.metadata}


def _setting(field: dataclasses.Field[Any], hint: Any) -> Setting:
    optional = False
    if get_origin(hint) in (Union, types.UnionType):
        (hint,) = (part for part in get_args(hint) if part is not type(None))
        optional = True
    origin = get_origin(hint) or hint
    if issubclass(origin, Mapping):
        origin = dict
    elif issubclass(origin, Sequence) and origin is not str:
        origin = list
    made = field.default_factory
    default = field.default if made is dataclasses.MISSING else made()
    return Setting(name=field.name, kind=origin, optional=optional, default=default, **field.metadata[_KEY])


def _as(kind: type[Any], value: Any) -> Any:
    """The value as a kind, or None."""
    if kind is bool or kind is str:
        return value if isinstance(value, kind) else None
    if kind is dict:
        return dict(value) if isinstance(value, Mapping) else None
    if kind is list:
        return list(value) if isinstance(value, Sequence) and not isinstance(value, str) else None
    if isinstance(value, bool) or not isinstance(value, Real):
        return None
    return kind(value) if kind is float or float(value).is_integer() else None


def _pointed(kind: type[Any], text: str) -> str:
    """A number with a point where a person typed a decimal comma."""
    return re.sub(r"^(\s*[-+]?\d*),(\d+)", r"\1.\2", text) if kind is float else text
