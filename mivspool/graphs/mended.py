"""What is mended of any graph that comes from outside, and the sentences that say so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mivspool.graphs.text import shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "left_out": "left out {names}{more}: a graph has no place for it",
    "more": " and {n:,} more",
}


def different(ids: Sequence[str]) -> tuple[tuple[str, ...], int]:
    """The ids, made different where two are the same, and how many were renamed; in linear time."""
    taken = set(ids)
    if len(taken) == len(ids):
        return tuple(ids), 0
    seen: set[str] = set()
    following: dict[str, int] = {}
    names, renamed = [], 0
    for name in ids:
        if name in seen:
            renamed += 1
            k = following.get(name, 2)
            while f"{name} ({k})" in taken:
                k += 1
            following[name] = k + 1
            name = f"{name} ({k})"
            taken.add(name)
        seen.add(name)
        names.append(name)
    return tuple(names), renamed


def left_out(names: Iterable[str]) -> str:
    """The sentence on what a graph has no place for."""
    listed = list(names)
    more = fill(WORDS["more"], n=len(listed) - 5) if len(listed) > 5 else ""
    return fill(WORDS["left_out"], names=", ".join(map(shown, listed[:5])), more=more)
