"""Explain every test graph of MAO and MUTAG, and write docs/explanations.md: ``python -m tools.explanations``.

Each graph is explained by the network of the fold that tests it (the paper's network, one configuration, repeat 0),
which has learned from other graphs. What is measured stands in docs/explanations.jsonl, a line per graph; folds that
are there already are not done again, so that the command goes on where it was stopped. ``--page`` writes the page
alone.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch

import mivspool
from mivspool.graphs import load_dataset
from mivspool.learning.explain import POINTS, RANDOM_ORDERS, STEPS
from mivspool.learning.models import Model
from mivspool.learning.runs import RunConfig
from mivspool.learning.statistics import interval, wilson
from mivspool.learning.training import train

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, FIGURES = DOCS / "explanations.md", DOCS / "explanations.jsonl"
DATASETS = ("MAO", "MUTAG")
FOLDS = 10
TITLES = {"leaving_out": "leaving a vertex out", "gradients": "integrated gradients"}
Line = dict[str, Any]


def explain_fold(name: str, fold: int) -> list[Line]:
    """What is measured of the test graphs of a fold."""
    dataset = load_dataset(name)
    result = train(replace(RunConfig(name), fold=fold), dataset=dataset)
    model = Model(name, result.network, result.schema, result.classes, {}, "")
    lines = []
    for i in result.split.test.tolist():
        graph = dataset[i]
        found = model.explain(graph)
        lines.append(
            {
                "dataset": name,
                "fold": fold,
                "graph": i,
                "vertices": graph.num_nodes,
                "correct": found.predicted == graph.label,
                "probability": round(found.probability, 6),
                "whole": round((found.log_odds or 0.0) - (found.baseline or 0.0), 6),
                "gap": round(found.gap or 0.0, 6),
                "agreement": None if found.agreement is None else round(found.agreement, 6),
                "faithful": {
                    method: {key: round(value, 6) for key, value in asdict(one).items()}
                    for method, one in found.faithful.items()
                },
            }
        )
    return lines


def machine() -> str:
    """Where the figures are from, in words."""
    today = datetime.datetime.now(datetime.UTC).date()
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}, "
        f"PyTorch {torch.__version__}, mivspool {mivspool.__version__}, {today.isoformat()}"
    )


def known() -> list[Line]:
    """What has been measured so far."""
    if not FIGURES.exists():
        return []
    return [json.loads(line) for line in FIGURES.read_text(encoding="utf-8").splitlines()]


def measure(datasets: Sequence[str], folds: int, say: Callable[[str], None] = print) -> None:
    """Explain the folds that are missing; a fold is written at once, so that none is there in part."""
    done = {(line["dataset"], line["fold"]) for line in known()}
    for name in datasets:
        for fold in range(folds):
            if (name, fold) in done:
                continue
            lines = explain_fold(name, fold)
            where = machine()
            with FIGURES.open("a", encoding="utf-8") as file:
                file.write("".join(json.dumps({**line, "machine": where}) + "\n" for line in lines))
            say(f"{name}, fold {fold}: {len(lines)} graphs")


def page(lines: Sequence[Line]) -> str:
    """docs/explanations.md, made of the lines."""
    sets = [name for name in DATASETS if any(line["dataset"] == name for line in lines)]
    rows = [_row(name, method, lines) for name in sets for method in TITLES]
    of_sets = "\n".join(f"- {_about(name, lines)}" for name in sets)
    machines = "; ".join(dict.fromkeys(line["machine"] for line in lines))
    return f"""# Why this class: are the explanations faithful?

*Classify* shows what each vertex brings to an answer, by leaving it out and by integrated gradients
([decisions](decisions.md)). This page says how far both can be trusted, over all test graphs of
{" and ".join(sets)}: each graph is explained by the network of the fold that tests it, which has learned from other
graphs.

| data set | method | graphs | area gained on random orders, percentage points | graphs where it is above 0 |
| --- | --- | --- | --- | --- |
{chr(10).join(rows)}

- **Area gained**: vertices are removed one after another, the most important first, at up to {POINTS} points from none
  to all but one, and the rest is classified anew. The mean probability of the predicted class along the way is compared
  with that of {RANDOM_ORDERS} random orders. Above 0: the vertices that the explanation names bring the probability
  down sooner. In brackets, the 95 % interval of the mean over the graphs.
- **Graphs where it is above 0**: those whose own 95 % interval over the random orders lies above 0; in brackets,
  Wilson's 95 % interval of that share. Where it is not, the page says so beside the explanation.
- A graph without most of its vertices is unlike any that the network has learned from: the curves say what the network
  does, not what chemistry does.

{of_sets}

Integrated gradients follow the log-odds of the predicted class from a graph without features to the graph, at {STEPS}
points of a Gauss-Legendre rule, with survivors, clusters and reduced graphs held; the completeness gap is what the sum
over the vertices misses of the difference between both ends.

Made by `python -m tools.explanations` from [explanations.jsonl](explanations.jsonl): the paper's network, {FOLDS} folds
of repeat 0, one configuration. Machine: {machines}.
"""


def _row(name: str, method: str, lines: Sequence[Line]) -> str:
    own = [
        line["faithful"][method] for line in lines if line["dataset"] == name and method in line["faithful"]
    ]
    mean, low, high = interval([100 * one["gain"] for one in own])
    above = sum(one["low"] > 0 for one in own)
    share = tuple(100 * bound for bound in wilson(above, len(own)))
    return (
        f"| {name} | {TITLES[method]} | {len(own)} | {mean:+.1f} ({low:+.1f} to {high:+.1f}) | "
        f"{100 * above / len(own):.0f} % ({share[0]:.0f} to {share[1]:.0f} %) |"
    )


def _about(name: str, lines: Sequence[Line]) -> str:
    own = [line for line in lines if line["dataset"] == name]
    rho = [line["agreement"] for line in own if line["agreement"] is not None]
    mean, low, high = interval(rho)
    gaps = [abs(line["gap"]) / max(abs(line["whole"]), 1e-9) for line in own]
    correct = sum(line["correct"] for line in own)
    return (
        f"**{name}**: {correct} of {len(own)} test graphs are classified correctly. Both methods rank the vertices\n"
        f"  with a mean correlation of {mean:.2f} ({low:.2f} to {high:.2f}; Spearman). The completeness gap is\n"
        f"  {100 * np.median(gaps):.2f} % of what the features bring in the median, at most "
        f"{100 * np.quantile(gaps, 0.95):.1f} % in 95 of 100 graphs."
    )


def main() -> None:
    """Measure what is missing, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", action="store_true", help="write the page alone")
    arguments = parser.parse_args()
    if not arguments.page:
        torch.set_num_threads(1)
        measure(DATASETS, FOLDS)
    PAGE.write_text(page(known()), encoding="utf-8")


if __name__ == "__main__":
    main()
