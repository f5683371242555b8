"""Write docs/performance.md, its plot and every figure, made of docs/performance/: ``python -m tools.performance``.

Of docs/performance.md the part between two marks is made here, tables and sentences; what is said around it is written
by hand. docs/performance/README.md has every row of every benchmark.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks import BENCHMARKS
from benchmarks.large import OURS, slope
from tools.figures import (
    DOCS,
    FOLDER,
    Document,
    Row,
    about,
    digits,
    documents,
    figure,
    provisional,
    size,
    table,
    time,
    times,
)

PAGE = DOCS / "performance.md"
PLOT, EVERY = FOLDER / "ratios.svg", FOLDER / "README.md"
START = "<!-- from here made by `python -m tools.performance` -->"
END = "<!-- to here -->"
Documents = Mapping[str, Document]


@dataclass(frozen=True)
class Measure:
    """What is asked of a row."""

    value: Callable[[Row], float]
    unit: Callable[[float], str]
    at_least: bool = False
    said: Callable[[Row], str] = lambda row: ""


def _compared(row: Row) -> str:
    equal = "" if row["equal"] is None else "; equal" if row["equal"] else "; **not equal**"
    return f" ({time(row['ours_ms'])} against {time(row['peer_ms'])}{equal})"


RATIO = Measure(lambda row: row["ratio"], times, True, _compared)
TIME = Measure(lambda row: row["ours_ms"], time)
EXPONENT = Measure(lambda row: row["exponent"], digits)
INPUT = Measure(lambda row: row["times_input"], lambda value: f"{digits(value)} × the input")
SHARE = Measure(lambda row: 100 * row["ours_ms"] / row["peer_ms"], lambda value: f"{digits(value)} %")
FLOOR = Measure(
    lambda row: row["ours_ms"] / row["floor_ms"],
    lambda value: f"{digits(value)} × the floor",
    said=lambda row: f" ({time(row['ours_ms'])} and {time(row['floor_ms'])})",
)
LIMIT = Measure(lambda row: row["ours_ms"] / row["peer_ms"], lambda value: f"{digits(value)} × the limit")


@dataclass(frozen=True)
class Asked:
    """What is asked of the rows of a benchmark, by all threads (``every``) or by one."""

    what: str
    benchmark: str
    row: str  # a pattern: how ``what`` begins in the rows
    limit: float
    measure: Measure = RATIO
    peer: str | None = None
    every: bool = False

    def rows(self, made: Document) -> list[Row]:
        """The rows that it is asked of, by any number of threads."""
        return [
            one
            for one in made["rows"]
            if re.match(self.row, one["what"]) and self.peer in (None, one["peer"])
        ]

    def judged(self, made: Document) -> list[Row]:
        """Those by the number of threads that it is asked of."""
        return [one for one in self.rows(made) if (one.get("threads", 1) > 1) == self.every]

    def reached(self, row: Row) -> bool:
        """Whether a row is as asked; never where it computes something else than its peer."""
        value = self.measure.value(row)
        enough = value >= self.limit if self.measure.at_least else value <= self.limit
        return enough and row["equal"] is not False


PYAMG, PARALLEL, NETWORKX = "pyamg serial, permuted", "pyamg parallel", "networkx (its own order)"
KMIS, SAG = "torch-geometric-pool KMIS", "PyG SAGPooling"
TOPK = "PyG TopKPooling + DataLoader"
ASKED = (
    Asked(
        "selection from `edge_index` in any order, 10⁶ vertices, against pyamg",
        "selection",
        "selection from edge_index, .* any order",
        3.5,
        peer=PYAMG,
    ),
    Asked(
        "selection from `edge_index` sorted by row, 10⁶ vertices, against pyamg",
        "selection",
        "selection from edge_index, .* sorted by row",
        3.5,
        peer=PYAMG,
    ),
    Asked(
        "selection from CSR, 10⁶ vertices, against pyamg",
        "selection",
        r"selection from CSR, \S+ vertices",
        5,
        peer=PYAMG,
    ),
    Asked(
        "selection from CSR, 10⁵ vertices, against networkx",
        "selection",
        "selection from CSR",
        1000,
        peer=NETWORKX,
    ),
    Asked(
        "selection from CSR, 10⁵ vertices, against pyamg's parallel algorithm",
        "selection",
        "selection from CSR",
        5,
        peer=PARALLEL,
    ),
    Asked(
        "selection from CSR, 10⁵ vertices, all threads, against pyamg's parallel algorithm",
        "threads",
        "selection from CSR",
        3,
        peer=PARALLEL,
        every=True,
    ),
    Asked(
        "selection from `edge_index` by all threads, against one",
        "threads",
        "selection from edge_index, sorted by row",
        1.6,
        peer="one thread",
        every=True,
    ),
    Asked(
        "exponent of selection's growth from 10⁴ to 10⁷ edges, on every kind of graph and scores",
        "growth",
        "selection",
        1.1,
        EXPONENT,
    ),
    *(
        Asked(
            f"exponent of growth up to the largest graph: {what}",
            "large",
            f"growth: {re.escape(what)}",
            1.1,
            EXPONENT,
        )
        for what in OURS.values()
    ),
    Asked(
        "pooling with the projection score, 10⁵ vertices, 64 channels, against KMIS",
        "pooling",
        "MIVSPool, projection score: layer forward",
        6,
        peer=KMIS,
    ),
    Asked(
        "pooling with the multiview score, 10⁵ vertices, 64 channels, against KMIS",
        "pooling",
        "MIVSPool, multiview score: layer forward",
        6,
        peer=KMIS,
    ),
    *(
        Asked(
            f"pooling 128 graphs forward and backward, {score} score, against SAGPooling",
            "pooling",
            f"MIVSPool, {score} score: layer forward and backward",
            1,
            peer=SAG,
        )
        for score in ("attention", "multiview")
    ),
    Asked("peak memory of pooling 10⁶ vertices, 64 channels", "pooling", "peak memory", 3, INPUT),
    *(
        one
        for name in ("PROTEINS", "NCI1")
        for one in (
            Asked(
                f"an epoch on {name}, against PyG's TopKPooling network",
                "epoch",
                f"epoch, {name},",
                3,
                peer=TOPK,
            ),
            Asked(
                f"an epoch on {name} by all threads, against PyG's TopKPooling network",
                "epoch",
                f"epoch, {name},",
                3.5,
                peer=TOPK,
                every=True,
            ),
            Asked(
                f"an epoch on {name} by all threads, beside its dense products alone",
                "epoch",
                f"epoch, {name},",
                2.2,
                FLOOR,
                TOPK,
                True,
            ),
        )
    ),
    Asked("20 runs on ENZYMES by all cores, against one worker", "evaluation", ".* runs on ENZYMES", 1.9),
    Asked("recording an epoch of the watched graphs, MAO", "recording", "recording an epoch, MAO", 1, TIME),
    Asked(
        "recording an epoch of the watched graphs, PROTEINS, of an epoch",
        "recording",
        "recording an epoch, PROTEINS",
        5,
        SHARE,
    ),
    Asked(
        "the first epoch of a training on MAO after Start, in the database",
        "recording",
        "first epoch after Start",
        2000,
        TIME,
    ),
    Asked(
        "the first drawing of a training on MAO after Start, on the screen",
        "first_drawing",
        "the first drawing",
        2000,
        TIME,
    ),
    Asked("classifying a graph of 40 vertices", "classify", "client.classify, in process", 10, TIME),
    Asked("classifying 200,000 vertices", "classify", "class, in process", 4000, TIME),
    Asked(
        "the layer's first call where nothing has been compiled",
        "startup",
        "the layer's first forward pass, with nothing compiled",
        2000,
        TIME,
    ),
    Asked("`mivspool --help`", "startup", "mivspool --help", 500, TIME),
    Asked("reading 6.6 MB of DOT", "dot", "reading", 2000, TIME),
    Asked("the first page of a warm server", "app_canvas", "the first page", 2000, TIME),
    Asked("opening D&D's largest graph (5,748 vertices)", "app_canvas", "opening DD:20", 2500, TIME),
    Asked("selection of 10⁷ edges on a GPU", "device", "selection on the GPU", 5, LIMIT),
)


def section(found: Documents) -> str:
    """What the documents say, in Markdown."""
    parts = [
        "## What to expect for your graph's size",
        *expected(found),
        "## What was asked and what was reached",
        "× is the peer's time by ours. Where all threads are named, their figure is judged, otherwise that by one.",
        table(
            ("what", "asked", "measured", "", "benchmark"),
            [(*_judged(one, found.get(one.benchmark)), one.benchmark) for one in ASKED],
        ),
        "![Ratios to the peers, and what was asked](performance/ratios.svg)",
        "## Where the figures come from",
        "[All of them](performance/README.md) have their rows in one table per benchmark.",
        "\n".join(f"- {name}: {_source(name, found.get(name))}" for name in BENCHMARKS),
    ]
    return "\n\n".join(parts)


def expected(found: Documents) -> list[str]:
    """What a user should expect, of the documents that are there."""
    parts = []
    if large := found.get("large"):
        names = {name: what for name, what in OURS.items() if name != "csr"}
        rows = [
            [
                f"{one['vertices']:,}",
                f"{one['edges']:,}",
                *(time(one.get(f"{name}_ms")) for name in names),
                size(one.get("layer_mib")),
            ]
            for one in large["sizes"]
        ]
        slopes = {what: slope(large["sizes"], name) for name, what in names.items()}
        said = ", ".join(f"{10**value:.0f} ({what})" for what, value in slopes.items() if value is not None)
        parts += [
            "One call by one thread, on a random graph of mean degree 20 ([large.md](large.md) has the plot):",
            table(("vertices", "edges", *names.values(), "memory of the layer"), rows, right=True),
            f"Ten times as many edges take about this many times as long: {said}. Several threads share the work from "
            "524,288 vertices and entries on; below, one is used.",
        ]
    sentences = [
        said
        for said in (
            _sentence(
                found,
                "classify",
                "client.classify, in process",
                "The class of a graph of 40 vertices takes {}",
            ),
            _sentence(
                found, "classify", "class, in process", "The class of one of 200,000 vertices takes {}"
            ),
            _sentence(
                found,
                "startup",
                "the layer's first forward pass, with nothing",
                "The layer's very first call takes {}",
            ),
            _sentence(
                found,
                "startup",
                "the layer's first forward pass, the next",
                "The first call of a later process takes {}",
            ),
            *(
                _sentence(found, "epoch", f"epoch, {name},", f"An epoch on {title} takes {{}}")
                for name, title in (
                    ("PROTEINS", "PROTEINS (1,113 graphs)"),
                    ("NCI1", "NCI1 (4,110)"),
                    ("DD", "D&D (1,178 large ones)"),
                )
            ),
        )
        if said
    ]
    return [*parts, "\n".join(f"- {said}." for said in sentences)] if sentences else parts


def _sentence(found: Documents, name: str, start: str, text: str) -> str:
    """The sentence with the time of the first row that begins so; nothing where there is none."""
    rows = [row for row in found.get(name, {"rows": []})["rows"] if row["what"].startswith(start)]
    return f"{text.format(time(rows[0]['ours_ms']))} ({name})" if rows else ""


def _judged(asked: Asked, made: Document | None) -> tuple[str, str, str, str]:
    unit, judged = asked.measure.unit, asked.judged(made) if made else []
    limit = unit(asked.limit)
    limit = re.sub(r"\.?0+(?= |$)", "", limit) if "." in limit else limit
    limit = f"{'≥' if asked.measure.at_least else '≤'} {limit}"
    measured = "; ".join(_measured(asked, made)) if made else ""
    if not judged or made is None:
        return (asked.what, limit, measured or "–", f"**not measured** ({_why(asked, made)})")
    word = "reached" if all(map(asked.reached, judged)) else "**not reached**"
    return (asked.what, limit, measured, f"{word}, provisionally" if provisional(made) else word)


def _measured(asked: Asked, made: Document) -> list[str]:
    """What was measured by one thread and by all; the lowest and the highest of several rows."""
    by: dict[int | None, list[Row]] = {}
    for row in asked.rows(made):
        by.setdefault(row.get("threads"), []).append(row)
    said = []
    for number, rows in by.items():
        first, last = (pick(rows, key=asked.measure.value) for pick in (min, max))
        ends = [first] if len(rows) == 1 else [first, last]
        text = " to ".join(
            f"{asked.measure.unit(asked.measure.value(row))}{asked.measure.said(row)}" for row in ends
        )
        said.append(text if number is None else f"{_threads(number)}: {text}")
    return said


def _why(asked: Asked, made: Document | None) -> str:
    if made is None:
        return f"`mivspool bench {asked.benchmark}`"
    if asked.rows(made):
        return "by all threads"
    if made["missing"]:
        return "; ".join(made["missing"])
    raise ValueError(f"{asked.benchmark}.json has no row for: {asked.what}")


def _source(name: str, made: Document | None) -> str:
    return (
        f"not measured yet, `mivspool bench {name} --write docs/performance`."
        if made is None
        else about(made)
    )


def every_figure(found: Documents) -> str:
    """docs/performance/README.md."""
    parts = ["# Every figure", "Made by `python -m tools.performance` of the documents beside this page."]
    for name, what in BENCHMARKS.items():
        made = found.get(name)
        parts += [f"## {name}: {what}", _source(name, made)]
        if made is not None:
            parts += [_rows(made["rows"])] if made["rows"] else []
            parts += [f"Not measured: {one}." for one in made["missing"]]
    return "\n\n".join(parts) + "\n"


def _rows(rows: list[Row]) -> str:
    """A line for each thing and peer, with columns for each number of threads."""
    lines: dict[tuple[str, str | None], dict[int | None, Row]] = {}
    for row in rows:
        lines.setdefault((row["what"], row["peer"]), {})[row.get("threads")] = row
    numbers = list(dict.fromkeys(row.get("threads") for row in rows))
    mixed = len([number for number in numbers if number is not None]) > 1
    numbers = [number for number in numbers if number is not None] if mixed else [None]
    columns: dict[str, Callable[[Row], str]] = {
        "ours": lambda row: time(row["ours_ms"]),
        "peer's": lambda row: time(row["peer_ms"]),
        "×": lambda row: times(row["ratio"]),
    }
    if not any(row["peer"] for row in rows):
        del columns["peer's"], columns["×"]
    body = []
    for (what, peer), by in lines.items():
        cells = [what, peer or ""]
        for number in numbers:
            row = by.get(number, by.get(None)) if mixed else next(iter(by.values()))
            cells += ["–" if row is None else column(row) for column in columns.values()]
        every = list(by.values())
        equal = {row["equal"] for row in every if row["equal"] is not None}
        cells += ["" if not equal else "yes" if equal == {True} else "**no**"]
        body.append([*cells, "; ".join(dict.fromkeys(filter(None, (row.get("note") for row in every))))])
    names = [
        name if number is None else f"{name}, {_threads(number)}" for number in numbers for name in columns
    ]
    return _without_empty(["what", "peer", *names, "equal", ""], body)


def _without_empty(head: list[str], body: list[list[str]]) -> str:
    kept = [place for place in range(len(head)) if any(line[place] for line in body)]
    return table([head[place] for place in kept], [[line[place] for place in kept] for line in body])


def _threads(number: int) -> str:
    return "one thread" if number == 1 else f"{number} threads"


def page(found: Documents, text: str) -> str:
    """The page with its generated part replaced."""
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    return f"{before}{START}\n\n{section(found)}\n\n{END}{after}"


def draw(found: Documents, path: Path) -> None:
    """The ratios of the table, each by the threads that it is asked of, beside what was asked."""
    from matplotlib.ticker import StrMethodFormatter

    ratios = [one for one in ASKED if one.measure is RATIO and one.benchmark in found]
    drawn = [(one, judged) for one in ratios if (judged := one.judged(found[one.benchmark]))]
    with figure("ratios", 0.8 + 0.25 * len(drawn)) as (whole, axes):
        for place, (one, judged) in enumerate(drawn):
            marker, colour = ("s", "C1") if one.every else ("o", "C0")
            axes.plot([row["ratio"] for row in judged], [place] * len(judged), marker, color=colour)
            axes.plot([one.limit], [place], "|", color="black", markersize=14)
        for label, marker, colour in (
            ("one thread", "o", "C0"),
            ("all threads", "s", "C1"),
            ("asked", "|", "black"),
        ):
            axes.plot([], [], marker, color=colour, label=label)
        axes.set_yticks(range(len(drawn)), [one.what.replace("`", "") for one, _ in drawn], fontsize=7)
        axes.set(xscale="log", xlabel="the peer's time by ours")
        axes.xaxis.set_major_formatter(StrMethodFormatter("{x:,g}"))
        axes.invert_yaxis()
        axes.grid(alpha=0.3)
        axes.legend(fontsize=7)
        whole.savefig(path, metadata={"Date": None})


def main() -> None:
    """Write pages and plot."""
    found = documents()
    PAGE.write_text(page(found, PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    EVERY.write_text(every_figure(found), encoding="utf-8")
    draw(found, PLOT)
    print(PAGE)


if __name__ == "__main__":
    main()
