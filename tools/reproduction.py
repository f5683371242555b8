"""Write what was found into docs/reproduction.md and docs/recommended.md, made of the runs in results/:
``python -m tools.reproduction``.

The part of each between two marks is made here, tables and sentences; what is said around it is written by hand.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from mivspool.learning import paper, recommended_table
from mivspool.learning.results import Results
from mivspool.learning.runs import ResultLine
from mivspool.learning.statistics import Comparison, summarise
from mivspool.learning.tables import COMPARED, FOLDS, Method, Row, Runs, pairs
from mivspool.places import place

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE = DOCS / "reproduction.md"
RECOMMENDED = DOCS / "recommended.md"
START = "<!-- from here made by `python -m tools.reproduction` -->"
END = "<!-- to here -->"
TITLES = {
    "mivspool": "MIVSPool", "mivspool-comp": "MIVSPool_comp", "gpool": "gPool", "sagpool": "SagPool",
    "mvpool-sl": "MVPool-SL", "none": "no pooling", "structure-blind": "structure-blind",
}  # fmt: skip
DATASETS = {"DD": "D&D", "PROTEINS": "PROTEINS", "NCI1": "NCI1", "ENZYMES": "ENZYMES"}
WORDS = ("none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def section(lines: Sequence[ResultLine]) -> str:
    """What the runs say, in Markdown."""
    reference = [line for line in lines if line.is_reference]
    parts = [_dataset(name, reference) for name in DATASETS]
    return "\n\n".join([*parts, "### Of all four", _wrapped(f"{_iterations(reference)} {_degrees(lines)}")])


def recommended(lines: Iterable[ResultLine]) -> str:
    """What the runs say of the recommended network and its aims, in Markdown."""
    table = recommended_table.recommended_table(lines)
    cells = {(row.dataset, row.method): row for row in table.rows if not row.seen}
    rows = [
        [TITLES[name], *(_cell(cells[dataset, name]) for dataset in DATASETS)]
        for name in dict.fromkeys(row.method for row in table.rows)
    ]
    head = ["network", *(f"{title}, %" for title in DATASETS.values())]
    aims = [
        _item(f"**{text}**" if i == 0 else text, "" if i == 0 else "  ")
        for aim in table.aims
        for i, text in enumerate(recommended_table.told(aim))
    ]
    listed = [_pipe(row) for row in [head, ["---", *("---:" for _ in DATASETS)], *rows]]
    about = " ".join(["The best of each data set is bold.", *table.about])
    return "\n\n".join(["\n".join(listed), _wrapped(about), "\n".join(aims)])


def _cell(row: Row) -> str:
    if not recommended_table.complete(row):
        return f"{row.there} of {row.due} folds"
    figure = recommended_table.figure(row).removesuffix(" %")
    return f"**{figure}**" if row.rank == 1 else figure


def _item(text: str, indent: str) -> str:
    """An item of a list; no line begins with a sign."""
    whole = text.replace(" %", "\N{NO-BREAK SPACE}%").replace(
        "p = ", "p\N{NO-BREAK SPACE}=\N{NO-BREAK SPACE}"
    )
    return _wrapped(whole, f"{indent}- ", f"{indent}  ")


def page(made: str, text: str) -> str:
    """The page with its generated part replaced."""
    before, _, rest = text.partition(START)
    after = rest.partition(END)[2]
    return f"{before}{START}\n\n{made}\n\n{END}{after}"


def published() -> list[ResultLine]:
    """The runs of results/, of the paper's data sets."""
    return [line for name in DATASETS for line in Results(place("results")).lines(name)]


def _dataset(name: str, lines: Sequence[ResultLine]) -> str:
    own = [line for line in lines if line.dataset == name]
    runs = Runs(own)
    repeats = len({line.repeat for line in own})
    head = f"### {DATASETS[name]} ({WORDS[repeats]} repeat{'s' if repeats > 1 else ''} of ten folds)"
    said = " ".join([_against_paper(runs, name), _epochs(own), _hardest(own)])
    return "\n\n".join([head, _table(runs, name), _pairs(runs, name), _wrapped(said)])


def _table(runs: Runs, name: str) -> str:
    rows = []
    for method, score in COMPARED:
        cell = runs.cell(name, method, score)[0]
        if cell is None:
            continue
        values = runs.accuracies(name, method, score)
        means = [
            summarise({place: value for place, value in values.items() if place[0] == repeat}, FOLDS)
            for repeat in sorted({repeat for repeat, _ in values})
        ]
        folds = [[v for (r, _), v in values.items() if r == repeat] for repeat in {r for r, _ in values}]
        spread = float(np.mean([np.std(one, ddof=1) for one in folds]))
        printed = _printed(name, method, score)
        rows.append((cell.mean, (
            _title(method, score),
            f"{cell.mean:.1f}" + ("" if cell.std is None else f" ± {cell.std:.1f}"),
            ", ".join(f"{one.mean:.1f}" for one in means if one is not None),
            f"{spread:.1f}",
            "" if printed is None else f"{printed.mean:.1f}",
            "" if printed is None else _signed(cell.mean - printed.mean),
        )))  # fmt: skip
    head = ("method", "accuracy (%)", "by repeat", "± over folds", "paper", "difference")
    ordered = [row for _, row in sorted(rows, key=lambda one: -one[0])]
    return "\n".join(_pipe(row) for row in (head, ("---",) * len(head), *ordered))


def _printed(name: str, method: str, score: str | None) -> paper.Figure | None:
    if method == "mivspool":
        return paper.TABLE_2[name][score or ""]
    return paper.TABLE_4[name].get(method)


def _pairs(runs: Runs, name: str) -> str:
    """Every pair with p < 0.05, and what the correction leaves of it."""
    compared = pairs(runs, name)
    alone = sorted(((key, one) for key, one in compared.items() if one.p < 0.05), key=lambda pair: pair[1].p)
    total = f"Of the {len(compared)} pairs of these"
    if not alone:
        return f"{total}, none differs with p < 0.05, even before the correction for their number."
    left = sum(one.distinct for _, one in alone)
    verb = "differs" if len(alone) == 1 else "differ"
    head = ("more accurate", "less accurate", "points", "95 % interval", "p alone", "p (Holm)")
    rows = [_pair(*key, one) for key, one in alone]
    said = f"{total}, {_count(len(alone))} {verb} with p < 0.05 taken alone, {_count(left)} after Holm's correction:"
    return f"{said}\n\n" + "\n".join(map(_pipe, (head, ("---",) * len(head), *rows)))


def _pair(first: Method, second: Method, c: Comparison) -> tuple[str, ...]:
    if c.difference < 0:
        first, second, c = second, first, c.turned()
    mark = "**" if c.distinct else ""
    interval = f"{_signed(c.low)} to {_signed(c.high)}"
    tests = (f"{c.p:.2g}", f"{mark}{c.corrected:.2g}{mark}")
    return (_title(*first), _title(*second), f"{c.difference:.1f}", interval, *tests)


def _against_paper(runs: Runs, name: str) -> str:
    differences = {}
    for method, score in COMPARED:
        cell, printed = runs.cell(name, method, score)[0], _printed(name, method, score)
        if cell is not None and printed is not None:
            differences[_title(method, score)] = cell.mean - printed.mean
    above = sum(round(value, 1) > 0 for value in differences.values())
    most, least = (pick(differences, key=lambda title: differences[title]) for pick in (max, min))
    return (
        f"Of the {len(differences)} methods that the paper has, {_count(above)} {'has' if above == 1 else 'have'} more "
        f"than its figure here; the differences go from {_signed(differences[least])} ({least}) to "
        f"{_signed(differences[most])} points ({most})."
    )


def _epochs(lines: Sequence[ResultLine]) -> str:
    def said(own: Sequence[ResultLine]) -> str:
        best = [line.best_epoch for line in own]
        return f"{min(best)} to {max(best)} (median {np.median(best):.0f})"

    kinds = _by_kind(lines)
    seconds = [line.seconds for line in lines]
    return (
        f"The epoch of the lowest validation loss is {said(kinds['pooling'])} with pooling, {said(kinds['none'])} "
        f"without, and {said(kinds['structure-blind'])} in the structure-blind network. A run took {min(seconds):.1f} "
        f"to {max(seconds):.0f} s (median {np.median(seconds):.0f}), on one core that others used too."
    )


def _hardest(lines: Sequence[ResultLine]) -> str:
    """The fold on which the networks with pooling are least accurate, and what the others have there."""
    folds: dict[tuple[int, int], list[ResultLine]] = {}
    for line in _by_kind(lines)["pooling"]:
        folds.setdefault((line.repeat, line.fold), []).append(line)
    means = {
        place: float(np.mean([100 * line.test_accuracy for line in own])) for place, own in folds.items()
    }
    hard = min(means, key=lambda place: means[place])
    there = {
        kind: [line for line in own if (line.repeat, line.fold) == hard]
        for kind, own in _by_kind(lines).items()
    }
    pooled = [100 * line.test_accuracy for line in there["pooling"]]
    epochs = [line.best_epoch for line in there["pooling"]]
    others = " and ".join(
        f"{100 * line.test_accuracy:.1f} % {title} (epoch {line.best_epoch})"
        for kind, title in (
            ("none", "without pooling"),
            ("structure-blind", "in the structure-blind network"),
        )
        for line in there[kind]
    )
    low, high = min(means.values()), max(means.values())
    return (
        f"On average, the networks with pooling have {low:.1f} to {high:.1f} % on a fold. The hardest is fold "
        f"{hard[1]} of repeat {hard[0]}: {min(pooled):.1f} to {max(pooled):.1f} % with pooling (best epochs "
        f"{min(epochs)} to {max(epochs)}), {others}."
    )


def _by_kind(lines: Sequence[ResultLine]) -> dict[str, list[ResultLine]]:
    return {
        "pooling": [line for line in lines if line.method not in ("none", "structure-blind")],
        "none": [line for line in lines if line.method == "none"],
        "structure-blind": [line for line in lines if line.method == "structure-blind"],
    }


def _iterations(lines: Sequence[ResultLine]) -> str:
    """Table 3 with learned scores."""
    said = []
    for name in DATASETS:
        found = {}
        for score in paper.SCORES[1:]:
            wanted = (name, "mivspool", score)
            own = [line for line in lines if (line.dataset, line.method, line.score) == wanted]
            counts = [line.iterations[0] for line in own if line.iterations]
            if counts:
                found[score] = float(np.mean(counts))
        said.append(
            f"{DATASETS[name]} " + ", ".join(f"{value:.1f} ({score})" for score, value in found.items())
        )
    return (
        "The first pooling with learned scores takes, counted as the paper counts (T + 1), on average over test graphs "
        f"and runs: {'; '.join(said)}. With uniform scores the paper's Table 3 holds here too (`mivspool tables 3`)."
    )


def _degrees(lines: Iterable[ResultLine]) -> str:
    """What MIVSPool makes of the degrees alone, where that was run."""
    said = []
    for name, title in DATASETS.items():
        own = {
            (line.repeat, line.fold): 100 * line.test_accuracy
            for line in lines
            if line.dataset == name
            and line.config.changed() == {"features": "degree"}
            and line.method == "mivspool"
        }
        cell = summarise(own, FOLDS)
        if cell is not None:
            said.append(f"{cell.mean:.1f} % on {title} ({cell.runs} folds)")
    return f"From the degrees alone, without labels, MIVSPool has {' and '.join(said)}."


def _title(method: str, score: str | None) -> str:
    return f"MIVSPool ({score})" if method == "mivspool" else TITLES[method]


def _count(number: int) -> str:
    return WORDS[number] if number < len(WORDS) else str(number)


def _signed(value: float) -> str:
    return f"{value:+.1f}".replace("-", "−") if round(value, 1) else "0.0"


def _wrapped(text: str, first: str = "", rest: str = "") -> str:
    return textwrap.fill(
        text,
        119,
        initial_indent=first,
        subsequent_indent=rest,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _pipe(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    for path, made in ((PAGE, section(published())), (RECOMMENDED, recommended(published()))):
        path.write_text(page(made, path.read_text(encoding="utf-8")), encoding="utf-8")
        print(path)
