"""Write docs/large.md and its plot, made of docs/performance/large.json: ``python -m tools.large``."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.large import DEGREE, OURS, PEERS, Size, points, slope
from tools.figures import DOCS, Document, about, documents, figure, size, table, time

PAGE = DOCS / "large.md"
NAMES = {**OURS, **PEERS}
SAME = {True: "yes", False: "**no**", None: "–"}
ABOUT = f"""Random graphs of mean degree {DEGREE} with uniform scores; one thread. Pooling by given scores is selection,
assignment, SᵀX by Eq. 12 and SᵀAS (`MIVSPool(64, FirstFeature())`); the multiview score looks eleven times at every
neighbour besides. pyamg walks in index order, so its matrix is permuted to the order of the scores first; both then
select the same vertices. networkx draws an order of its own."""
MEMORY = """What the process holds at most, without the interpreter and its libraries; the input is features and
`edge_index`, whose indices have 64 bits. Inside they have 32, and no copy of 64 is made
(`tests/pooling/test_layer.py`)."""


def page(made: Document, plot: str) -> str:
    """The page; ``plot``: the name of the plot beside it."""
    sizes = made["sizes"]
    parts = ["# Up to 10⁸ edges", f"Made by `python -m tools.large` from {about(made)}", ABOUT]
    parts += [f"![Milliseconds by edges]({plot})", _times(sizes)]
    if any("input_mib" in one for one in sizes):
        parts += [MEMORY, _memory(sizes)]
    parts += [f"Not measured: {one}." for one in made["missing"]]
    return "\n\n".join(parts) + "\n"


def _times(sizes: list[Size]) -> str:
    rows = [
        [
            f"{one['vertices']:,}",
            f"{one['edges']:,}",
            *(time(one.get(f"{name}_ms")) for name in NAMES),
            SAME[one["equal"]],
        ]
        for one in sizes
    ]
    slopes = [slope(sizes, name) for name in NAMES]
    rows.append(["", "exponent", *("–" if one is None else f"{one:.2f}" for one in slopes), ""])
    return table(["vertices", "edges", *NAMES.values(), "the same as pyamg"], rows, right=True)


def _memory(sizes: list[Size]) -> str:
    held = {"selection_mib": "selection", "given_mib": OURS["given"], "layer_mib": OURS["layer"]}
    rows = [
        [
            f"{one['edges']:,}",
            size(one["input_mib"]),
            *(f"{size(one.get(name))}{_by_input(one, name)}" for name in held),
        ]
        for one in sizes
        if "input_mib" in one
    ]
    return table(["edges", "input", *held.values()], rows, right=True)


def _by_input(one: Size, name: str) -> str:
    return f" ({one[name] / one['input_mib']:.1f} ×)" if name in one else ""


def draw(sizes: list[Size], path: Path) -> None:
    """The plot, as SVG."""
    with figure("large") as (drawn, axes):
        for name, label in NAMES.items():
            found = points(sizes, name)
            if found:
                axes.loglog(*zip(*found, strict=True), "o--" if name in PEERS else "o-", label=label)
        axes.set(xlabel="edges", ylabel="milliseconds")
        axes.grid(alpha=0.3)
        axes.legend()
        drawn.savefig(path, metadata={"Date": None})


def main() -> None:
    """Write both."""
    made: dict[str, Any] = documents()["large"]
    plot = PAGE.with_suffix(".svg")
    PAGE.write_text(page(made, plot.name), encoding="utf-8")
    draw(made["sizes"], plot)
    print(PAGE)


if __name__ == "__main__":
    main()
