"""The paper's claims one by one, each with what the runs in ``results/`` say of it: data, and sentences made of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from mivspool.learning import paper
from mivspool.learning.statistics import Comparison, holm, paired, tested
from mivspool.learning.tables import FOLDS, Row, Runs
from mivspool.messages import number

Verdict = Literal["holds", "noise", "fails"]
NAMES = {"mivspool": "MIVSPool", "mivspool-comp": "MIVSPool_comp"}


@dataclass(frozen=True)
class Evidence:
    """What the runs say of a claim on one data set."""

    dataset: str
    verdict: Verdict
    sentence: str


@dataclass(frozen=True)
class Claim:
    """One claim of the paper. ``said``: where and how the paper says it; ``remark``: what a reader should know."""

    name: str
    title: str
    said: str
    evidence: list[Evidence]
    remark: str = ""

    @property
    def verdict(self) -> Verdict | Literal["mixed", "open"]:
        """One word over all data sets; ``open`` without runs."""
        found = {one.verdict for one in self.evidence}
        if not found:
            return "open"
        return found.pop() if len(found) == 1 else "mixed"


def claims(runs: Runs, table_3: Sequence[Row], table_4: Sequence[Row]) -> list[Claim]:
    """Every claim, with the evidence there is. ``table_3``, ``table_4``: the rows of those tables."""
    return [
        Claim(
            "score",
            "The choice of the score has a minor influence",
            "Section 4, on Table 2.",
            list(_score_matters_little(runs)),
            _spread_of_the_paper(),
        ),
        Claim(
            "structure",
            "Scores that ignore the structure perform poorly on ENZYMES",
            "Section 4: the Top-k (projection) and SagPool (attention) scores.",
            list(_ignore_structure(runs)),
            "The attention score is a graph convolution, so it does use the neighbours.",
        ),
        Claim(
            "complement",
            "The complement helps",
            "Table 4: MIVSPool_comp is more accurate than MIVSPool on D&D, PROTEINS and NCI1.",
            list(_complement(runs)),
        ),
        Claim(
            "best",
            "MIVSPool_comp and MIVSPool are best and second on D&D, PROTEINS and ENZYMES",
            "Section 4, on Table 4.",
            list(_first_or_second(table_4)),
            "Means by rank; significant differences are listed under Table 4.",
        ),
        Claim(
            "iterations",
            "Fewer than 5 iterations, whatever the size",
            "Section 4, on Table 3; the paper counts T + 1, and gives the mean over graphs.",
            list(_few_iterations(table_3)),
        ),
        Claim(
            "pooling",
            "Not in the paper: does pooling help?",
            "Compared with a network without pooling and one that ignores the structure, on the same folds.",
            list(_pays(runs)),
            "The structure-blind network sums over the vertices, so it knows their number; the others use "
            "means and maxima.",
        ),
    ]


def _points(value: float) -> str:
    return f"{number(value, '+.1f')} percentage points"


def _score_matters_little(runs: Runs) -> Iterator[Evidence]:
    for dataset in paper.DATASETS:
        cells = {score: runs.cell(dataset, "mivspool", score)[0] for score in paper.SCORES}
        means = {score: cell.mean for score, cell in cells.items() if cell is not None}
        ordered = sorted(means, key=lambda score: -means[score])
        found = holm({
            (first, second): _between(runs, dataset, ("mivspool", first), ("mivspool", second))
            for first, second in combinations(ordered, 2)
        })  # fmt: skip
        if not found:
            continue
        (first, second), widest = max(found.items(), key=lambda one: abs(one[1].difference))
        clear = [one for one in found.values() if one.distinct]
        text = f"the widest gap is {first} over {second}, {_points(widest.difference)} ({tested(widest)})"
        if clear:
            yield Evidence(
                dataset, "fails", f"{len(clear)} of {len(found)} pairs differ significantly; {text}."
            )
        else:
            yield Evidence(dataset, "holds", f"no two scores differ significantly; {text}.")


def _spread_of_the_paper() -> str:
    spread = {
        name: max(f.mean for f in row.values()) - min(f.mean for f in row.values())
        for name, row in paper.TABLE_2.items()
    }
    widest = max(spread, key=lambda name: spread[name])
    return f"The paper's own Table 2 has a spread of {spread[widest]:.1f} percentage points between scores on {widest}."


def _ignore_structure(runs: Runs) -> Iterator[Evidence]:
    yield from _directed(
        {
            ("ENZYMES", f"multiview compared with {score}"): _between(
                runs, "ENZYMES", ("mivspool", "multiview"), ("mivspool", score)
            )
            for score in ("projection", "attention")
        }
    )


def _complement(runs: Runs) -> Iterator[Evidence]:
    yield from _directed(
        {
            (dataset, "MIVSPool_comp compared with MIVSPool"): _between(
                runs, dataset, ("mivspool-comp", "multiview"), ("mivspool", "multiview")
            )
            for dataset in paper.DATASETS
        }
    )


def _pays(runs: Runs) -> Iterator[Evidence]:
    yield from _directed(
        {
            (dataset, f"MIVSPool compared with {name}"): _between(
                runs, dataset, ("mivspool", "multiview"), (other, None)
            )
            for dataset in paper.DATASETS
            for other, name in (("none", "no pooling"), ("structure-blind", "the structure-blind network"))
        }
    )


def _directed(compared: Mapping[tuple[str, str], Comparison | None]) -> Iterator[Evidence]:
    """The evidence of a claim's comparisons, by data set and what they compare; it expects them to be positive."""
    for (dataset, what), c in holm(compared).items():
        if not c.distinct:
            text = f"{what}: {_points(c.difference)}, no significant difference ({tested(c)})."
            yield Evidence(dataset, "noise", text)
        else:
            verdict: Verdict = "holds" if c.difference > 0 else "fails"
            yield Evidence(dataset, verdict, f"{what}: {_points(c.difference)} ({tested(c)}).")


def _first_or_second(rows: Sequence[Row]) -> Iterator[Evidence]:
    for dataset in ("DD", "PROTEINS", "ENZYMES"):
        own = {row.method: row for row in rows if row.dataset == dataset and row.rank is not None}
        ours = [own[name] for name in ("mivspool", "mivspool-comp") if name in own]
        if not ours or len(own) < len(paper.METHODS):
            continue
        placed = ", ".join(
            f"{NAMES[row.method or '']} is {_place(row.rank or 0)} with {row.measured:.1f} %" for row in ours
        )
        holds = all((row.rank or 9) <= 2 for row in ours)
        yield Evidence(dataset, "holds" if holds else "fails", f"{placed}, of {len(own)} methods.")


def _place(rank: int) -> str:
    return {1: "best", 2: "second", 3: "third"}.get(rank, f"{rank}th")


def _few_iterations(rows: Sequence[Row]) -> Iterator[Evidence]:
    for dataset in paper.DATASETS:
        own = [row for row in rows if row.dataset == dataset and row.measured is not None]
        if own:
            most = max(own, key=lambda row: row.measured or 0.0)
            text = f"at most {most.measured:.2f} ({most.score} score, pooling {(most.level or 0) + 1})."
            yield Evidence(dataset, "holds" if (most.measured or 0.0) < 5 else "fails", text)


def _between(
    runs: Runs, dataset: str, first: tuple[str, str | None], second: tuple[str, str | None]
) -> Comparison | None:
    return paired(runs.accuracies(dataset, *first), runs.accuracies(dataset, *second), FOLDS)
