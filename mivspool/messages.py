"""Sentences with values in them: one template language for every page, and counted things in words.

The canvas and the static site fill the same templates in the browser (``canvas/js/model/text.js``); only formats are
Python's alone.
"""

from __future__ import annotations

import re
from typing import Any

_PLAIN = r"\{\w+(?::[^{}]*)?\}"
_BRANCH = rf"((?:[^{{}}|]|{_PLAIN})*)"
_HOLE = re.compile(rf"\{{(\w+)\?{_BRANCH}\|{_BRANCH}\}}|\{{(\w+)(?::([^{{}}]*))?\}}")
_PLURALS = {"vertex": "vertices", "class": "classes"}


def fill(template: str, /, **values: Any) -> str:
    """A template with its values: ``{name}``, ``{name:,}`` with a format, and ``{number?one|many}`` by a number.

    >>> fill("{n:,} {n?vertex is|vertices are} left out", n=1200)
    '1,200 vertices are left out'
    """

    def hole(found: re.Match[str]) -> str:
        counted, one, many, name, how = found.groups()
        if counted is not None:
            return fill(one if str(values[counted]) == "1" else many, **values)
        return number(values[name], how) if how else format(values[name])

    return _HOLE.sub(hole, template)


def number(value: float, how: str) -> str:
    """A number as ``format`` has it, with a minus sign that is one.

    >>> number(-3.25, "+.1f")
    '−3.2'
    """
    return format(value, how).replace("-", "−")


def count(n: int, thing: str) -> str:
    """Count things in words.

    >>> count(1, "edge"), count(1200, "vertex")
    ('1 edge', '1,200 vertices')
    """
    return f"{n:,} {thing if n == 1 else _PLURALS.get(thing, thing + 's')}"


def sentence(message: str) -> str:
    """An error's message as a sentence on a page."""
    named = "." in message.partition(" ")[0]  # a file's name stays as it is
    text = message if named else message[:1].upper() + message[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."
