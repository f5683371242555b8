"""What the dialects of JSON share: ids, ends, and what a graph has no place for."""

from __future__ import annotations

import json
from collections.abc import Hashable, Mapping
from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.text import boolean, number
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "no_id": "{name}: {what} lacks an id, source or target",
    "objects": "{name}: {what} must be a list of objects",
    "vertex": "vertex {n:,} of the list",
    "edge": "edge {n:,} of the list",
    "relation": "relationship {n:,} of the list",
}

_ENDS = (("source", "target"), ("from", "to"), ("u", "v"), ("src", "dst"), ("start", "end"))


def key_of(value: Any) -> tuple[Hashable, str] | None:
    """What tells a JSON id from others, and how it reads; 1 and "1" are two ids, 1 and 1.0 are one."""
    if isinstance(value, bool):
        return ("number", float(value)), "true" if value else "false"
    if isinstance(value, int):
        return ("number", value), str(value)
    if isinstance(value, float):
        if value.is_integer() and abs(value) < 2**53:
            return ("number", int(value)), str(int(value))
        return ("number", value), repr(value)
    if isinstance(value, str):
        return value, value
    if isinstance(value, list):
        text = json.dumps(value, ensure_ascii=False)
        return ("list", text), text
    return None


def text_key(value: Any, what: str, context: Context) -> tuple[str, None, str]:
    """An id where 1 and "1" are the same; for ``Builder.node`` and ``mention``. Raises ReadError where it is none."""
    found = key_of(value)
    if found is None:
        raise ReadError(fill(WORDS["no_id"], name=context.name, what=what))
    return found[1], None, found[1]


def nth(what: str, n: int) -> str:
    """Which "vertex", "edge" or "relation" of a list a sentence is about."""
    return fill(WORDS[what], n=n)


def ends_of(edge: Mapping[str, Any]) -> tuple[str, str] | None:
    """The keys that name an edge's ends, or None where it has none."""
    return next(((a, b) for a, b in _ENDS if a in edge and b in edge), None)


def objects(value: Any, what: str, context: Context) -> list[dict[str, Any]]:
    """A list of objects. Raises ReadError for anything else."""
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise ReadError(fill(WORDS["objects"], name=context.name, what=repr(what)))
    return value


def truth(value: Any) -> bool:
    """Whether a flag is set, also where it is written as text."""
    return bool(boolean(value)) if isinstance(value, str) else bool(value)


def place(builder: Builder, i: int, x: Any, y: Any) -> bool:
    """Put a vertex where two numbers say; False where they are none."""
    across, down = number(x), number(y)
    if across is None or down is None:
        return False
    builder.position[i] = (across, down)
    return True


def leave_out(builder: Builder, document: Mapping[str, Any], known: set[str]) -> None:
    """Say which members of an object the graph has no place for."""
    for key, value in document.items():
        if key not in known and value not in (None, [], {}, ""):
            builder.leave_out(str(key))
