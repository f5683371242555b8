"""What is mended of any graph that comes from outside, and the sentences that say so."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mivspool.graphs.text import shown


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
    more = f" and {len(listed) - 5:,} more" if len(listed) > 5 else ""
    return f"left out {', '.join(map(shown, listed[:5]))}{more}: a graph has no place for it"
