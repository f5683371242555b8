"""What each method did to a graph: one table of measures with the best marked, and sentences for the panels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Any

from mivspool.content.compare import words
from mivspool.messages import fill
from mivspool.pooling.parts.measure import EXPLAINED, Measures

SHOWN = (
    "num_nodes", "num_edges", "ratio", "mean_degree", "density", "components", "information_kept",
    "assignment_entropy", "mean_stretch", "pairs_lost", "independent", "maximal", "iterations", "order_sensitivity",
    "seconds", "memory",
)  # fmt: skip
_COUNTS = {"num_nodes", "num_edges", "components", "iterations"}
_SHARES = {"information_kept", "pairs_lost", "order_sensitivity"}
_COMPLETE = 0.9  # density from which a graph of more than a few vertices is called almost complete


def html(columns: Sequence[tuple[str, Measures]]) -> str:
    """One row per measure with its explanation, one column per method, and the value before pooling.

    The measures in which the methods differ come first, those that are equal for all of them after these.
    """
    flat = [measures.to_json() for _, measures in columns]
    heads = "".join(f"<th scope=col>{escape(title)}</th>" for title, _ in columns)
    differing, equal = parted(flat)
    body = [_row(name, flat) for name in differing]
    if equal and differing:
        body.append(f"<tr class=mp-part><th colspan={2 + len(columns)}>{escape(words.EQUAL)}</th></tr>")
    body += [_row(name, flat) for name in equal]
    return (
        f"<div class=mp-scroll tabindex=0><table class='mp-table mp-measures'><thead><tr>"
        f"<th scope=col>{escape(words.MEASURE)}</th><th scope=col>{escape(words.BEFORE)}</th>{heads}</tr></thead>"
        f"<tbody>{''.join(body)}</tbody></table></div>"
    )


def parted(flat: Sequence[dict[str, Any]]) -> tuple[list[str], list[str]]:
    """The measures in which methods differ as they are shown, and those in which they do not; of one method, all."""
    differing: list[str] = []
    equal: list[str] = []
    for name in SHOWN:
        alike = len(flat) > 1 and len({show(name, one[name]) for one in flat}) == 1
        (equal if alike else differing).append(name)
    return differing, equal


def _row(name: str, flat: Sequence[dict[str, Any]]) -> str:
    best = _best(name, flat)
    about = EXPLAINED[name]
    cells = "".join(
        f"<td class='{'mp-best' if k in best else ''}'>{escape(show(name, one[name]))}"
        f"{words.BEST_MARK if k in best else ''}</td>"
        for k, one in enumerate(flat)
    )
    before = show(name, flat[0].get(f"{name}_before")) if f"{name}_before" in flat[0] else ""
    return (
        f"<tr><th scope=row>{escape(about.title)}<small>{escape(about.text)}</small></th>"
        f"<td>{escape(before)}</td>{cells}</tr>"
    )


def show(name: str, value: Any) -> str:
    """A value with the digits it deserves; what has no meaning is a dash."""
    if value is None or (isinstance(value, float) and math.isnan(value)) or (name == "memory" and value == 0):
        return "–"
    if isinstance(value, bool):
        return words.YES if value else words.NO
    if name in _COUNTS:
        return f"{value:,}"
    if name in _SHARES:
        return f"{100 * value:.0f} %" if value in (0, 1) else f"{100 * value:.1f} %"
    if name == "seconds":
        return f"{1000 * value:.1f} ms" if value < 1 else f"{value:.1f} s"
    if name == "memory":
        return f"{value / 1000:,.1f} kB" if value < 1e6 else f"{value / 1e6:,.1f} MB"
    return f"{value:.3f}" if value < 1 else f"{value:.2f}"


def _best(name: str, flat: Sequence[dict[str, Any]]) -> set[int]:
    """The columns with the best value; none where there is no better and worse, or all are alike."""
    values = [one[name] for one in flat]
    if name == "components":
        goal: list[float | None] = [-abs(one[name] - one["components_before"]) for one in flat]
    elif not EXPLAINED[name].better:
        return set()
    else:
        sign = 1 if EXPLAINED[name].better == "higher" else -1
        goal = [None if show(name, value) == "–" else sign * float(value) for value in values]
    known = [value for value in goal if value is not None]
    if len(known) < 2 or max(known) == min(known):
        return set()
    shown = {show(name, values[k]) for k, value in enumerate(goal) if value == max(known)}
    alike = {k for k, value in enumerate(values) if show(name, value) in shown}
    return alike if len(alike) < len(known) else set()


def notes(measures: Measures) -> list[str]:
    """What a pooling step did, in a few words; only what is so on this graph."""
    before, after = measures.before, measures.after
    said = [
        fill(
            words.NOTE_SIZE,
            vertices=f"{before.num_nodes:,} → {after.num_nodes:,}",
            kept=after.num_nodes,
            links=f"{before.num_edges:,} → {after.num_edges:,}",
            edges=after.num_edges,
        )
    ]
    if measures.information_kept == 1:
        said.append(words.NOTE_KEEPS)
    else:
        said.append(fill(words.NOTE_DROPS, share=100 * (1 - measures.information_kept)))
    if after.components != before.components:
        said.append(fill(words.NOTE_COMPONENTS, before=before.components, after=after.components))
    if after.density > _COMPLETE and after.num_nodes > 3 and before.density < _COMPLETE:
        said.append(
            words.NOTE_COMPLETE if after.density == 1 else fill(words.NOTE_DENSE, density=after.density)
        )
    if measures.maximal is False:
        said.append(words.NOTE_NOT_MAXIMAL)
    return said
