"""Explain every test graph of MAO and MUTAG and write docs/explanations.md: ``python -m tools.explanations``.

Each graph is explained by the network of the fold in which it is a test graph (the paper's network with its default
settings, repeat 0). The measurements are kept in docs/explanations.jsonl, one line per graph. Folds that are already
there are skipped, so an interrupted run can be continued. ``--page`` only writes the page.
"""

from __future__ import annotations

import argparse
import datetime
import itertools
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
from mivspool.learning.explain import MOST_WORK, POINTS, RANDOM_ORDERS, STEPS, classifications
from mivspool.learning.models import Model
from mivspool.learning.runs import RunConfig
from mivspool.learning.statistics import interval, wilson
from mivspool.learning.training import train

DOCS = Path(__file__).resolve().parents[1] / "docs"
PAGE, FIGURES = DOCS / "explanations.md", DOCS / "explanations.jsonl"
DATASETS = ("MAO", "MUTAG")
FOLDS = 10
TITLES = {"leaving_out": "leaving out a vertex", "gradients": "integrated gradients"}
Line = dict[str, Any]


def explain_fold(name: str, fold: int) -> list[Line]:
    """The measurements for the test graphs of one fold."""
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
    """The machine that the measurements were made on, in words."""
    today = datetime.datetime.now(datetime.UTC).date()
    return (
        f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}, "
        f"PyTorch {torch.__version__}, mivspool {mivspool.__version__}, {today.isoformat()}"
    )


def known() -> list[Line]:
    """The measurements so far."""
    if not FIGURES.exists():
        return []
    return [json.loads(line) for line in FIGURES.read_text(encoding="utf-8").splitlines()]


def measure(datasets: Sequence[str], folds: int, say: Callable[[str], None] = print) -> None:
    """Explain the missing folds; each fold is written as a whole."""
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
    """docs/explanations.md, generated from the measurements."""
    sets = [name for name in DATASETS if any(line["dataset"] == name for line in lines)]
    rows = [_row(name, method, lines) for name in sets for method in TITLES]
    of_sets = "\n".join(f"- {_about(name, lines)}" for name in sets)
    machines = "; ".join(dict.fromkeys(line["machine"] for line in lines))
    return f"""# Why this class: are the explanations faithful?

*Classify* shows how much each vertex contributes to a prediction, by leaving it out and by integrated gradients
([decisions](decisions.md)). This page reports how far each method can be trusted, over all test graphs of
{" and ".join(sets)}. Each graph is explained by the network of the fold in which it is a test graph: that network was
trained on other graphs.

| data set | method | graphs | gain over random orders (percentage points) | graphs with a gain above 0 |
| --- | --- | --- | --- | --- |
{chr(10).join(rows)}

- **Gain**: vertices are removed one after another, the most important first, and what remains is classified again, at
  up to {POINTS} points from none removed to all but one. The mean probability of the predicted class over these points
  is subtracted from the same mean for {RANDOM_ORDERS} random orders. A gain above 0 means that the explanation's order
  lowers the probability sooner. In brackets: the 95 % confidence interval of the mean over the graphs.
- **Graphs with a gain above 0**: those whose own 95 % interval over the random orders lies above 0. In brackets:
  Wilson's 95 % interval of that share. For any other graph, *Classify* says so below the explanation.
- A graph without most of its vertices is unlike any graph that the network was trained on. These figures describe the
  network, not the chemistry.

Integrated gradients follow the log-odds of the predicted class along the straight path from the graph with all features
zero to the graph itself, at {STEPS} points of a Gauss–Legendre rule, with survivors, clusters and reduced graphs held
fixed. The completeness gap is the part of the difference between the two ends that the sum over the vertices misses.

{of_sets}

To explain one prediction, a graph of n vertices, or a part of it, is classified at most 2 n + {classifications(0)}
times. If this number times the graph's vertices and edges exceeds {MOST_WORK:,}, as for a chain of {_chain():,}
vertices, the graph is not explained: choose a smaller graph, or leave out clusters instead of vertices.

Generated by `python -m tools.explanations` from [explanations.jsonl](explanations.jsonl): the paper's network with its
default settings, {FOLDS} folds, repeat 0. Machine: {machines}.
"""


def _chain() -> int:
    """The vertices of the shortest chain that is too long to be explained."""
    return next(n for n in itertools.count(1) if classifications(n) * (2 * n - 1) > MOST_WORK)


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
        f"**{name}**: {correct} of {len(own)} test graphs are classified correctly. The mean rank correlation\n"
        f"  (Spearman) between the two methods is {mean:.2f} (95 % interval {low:.2f} to {high:.2f}). The median\n"
        f"  completeness gap is {100 * np.median(gaps):.2f} % of the difference between the two ends; for 95 % of\n"
        f"  the graphs, it is at most {100 * np.quantile(gaps, 0.95):.1f} %."
    )


def main() -> None:
    """Measure what is missing, then write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--page", action="store_true", help="only write the page")
    arguments = parser.parse_args()
    if not arguments.page:
        torch.set_num_threads(1)
        measure(DATASETS, FOLDS)
    PAGE.write_text(page(known()), encoding="utf-8")


if __name__ == "__main__":
    main()
