"""What ``mivspool bench NAME --write docs/performance`` keeps, and how its figures are written on the pages."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

DOCS = Path(__file__).resolve().parents[1] / "docs"
FOLDER = DOCS / "performance"
# cores that other processes may use, on average, while the machine still counts as idle
IDLE = 0.2

Document = dict[str, Any]
Row = dict[str, Any]


def documents(folder: Path = FOLDER) -> dict[str, Document]:
    """The documents that are kept, by the names of their benchmarks."""
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.json"))}


def provisional(made: Document) -> bool:
    """Whether other programs used the machine too, so that the figures are to be taken again."""
    return "--cpu-time" in made["command"] or made["others"] is None or made["others"] > IDLE


def about(made: Document) -> str:
    """Where the figures of a document come from: a sentence."""
    machine = made["machine"]
    code = "" if made["commit"] is None else f", commit {made['commit'].rstrip('+')}"
    changed = " with changes" if (made["commit"] or "").endswith("+") else ""
    took = "" if made["took_s"] is None else f"; the benchmark took {time(1000 * made['took_s'])}"
    others = "" if made["others"] is None else f", other programs used {made['others']:.1f} of them"
    versions = ", ".join(f"{name} {machine[name.lower()]}" for name in ("Python", "torch", "numba"))
    return (
        f"`{made['command']}`, {machine['date']}{code}{changed}: {machine['processor']}, {machine['cores']} cores"
        f"{others}; {machine['clock']}, {versions}{took}."
    )


def time(ms: float | None) -> str:
    """Milliseconds or seconds, three digits."""
    if ms is None:
        return "–"
    return f"{digits(ms)} ms" if ms < 999.5 else f"{digits(ms / 1000)} s"


def times(ratio: float | None) -> str:
    """A ratio."""
    return "–" if ratio is None else f"{digits(ratio)} ×"


def size(mib: float | None) -> str:
    """MiB or GiB."""
    return "–" if mib is None else f"{mib:,.0f} MiB" if mib < 1024 else f"{mib / 1024:.1f} GiB"


def digits(value: float) -> str:
    """Three digits, never as a power of ten."""
    return f"{value:,.0f}" if value >= 99.95 else f"{value:#.3g}".rstrip(".")


def table(head: Iterable[str], rows: Iterable[Iterable[str]], right: bool = False) -> str:
    """A table in Markdown; ``right``: its columns are set to the right."""
    names = list(head)
    lines = [names, ["---:" if right else "---"] * len(names), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


@contextmanager
def figure(name: str, height: float = 4.2) -> Iterator[tuple[Any, Any]]:
    """A figure and its axes, whose SVG has the same bytes wherever it is drawn."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": name, "svg.fonttype": "none"}):
        drawn = Figure(figsize=(7, height), layout="constrained")
        yield drawn, drawn.subplots()
