"""The search for the recommended network is the one that was written down, and chooses as the rule says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mivspool.cli import parser_for
from mivspool.cli.run_settings import configuration
from mivspool.learning import paper, recommended
from mivspool.learning.recommended import CANDIDATES, DATASETS, FOLDS, REPEAT, chosen, standing
from mivspool.learning.results import Results
from mivspool.learning.runs import ResultLine, RunConfig

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "recommended.md").read_text(encoding="utf-8")
SHARED = "--network multilevel --batch-size 64 --patience 30"


def line(name: str, dataset: str, fold: int, loss: float, **changes) -> ResultLine:
    config = replace(CANDIDATES[name], dataset=dataset, repeat=REPEAT, fold=fold, **changes)
    about = {"epochs": 1, "best_epoch": 1, "val_accuracy": 0.5, "test_accuracy": 1 - loss, "confusion": [[1]],
             "iterations": None, "curve": None, "seconds": 1.0, "version": "0", "commit": None, "date": ""}  # fmt: skip
    return ResultLine(config, config.config_id, False, val_loss=loss, **about)


def lines(loss) -> list[ResultLine]:
    return [
        line(name, dataset, fold, loss(name, dataset, fold))
        for dataset in DATASETS
        for name in CANDIDATES
        for fold in FOLDS[dataset]
    ]


def test_the_page_lists_the_candidates_with_their_options():
    rows = [
        row.split(" | ") for row in PAGE.splitlines() if row.startswith("| ") and len(row.split(" | ")) == 3
    ]
    rows = [row for row in rows if row[0].removeprefix("| ") in CANDIDATES]
    assert [row[0].removeprefix("| ") for row in rows] == list(CANDIDATES)
    for name, _, options in rows:
        given = ["MAO", "--device", "cpu", *SHARED.split(), *options.strip(" `|").split()]
        asked = configuration(parser_for("train").parse_args(given))
        assert asked == replace(CANDIDATES[name.removeprefix("| ")], dataset="MAO"), name


def test_there_are_at_most_twelve_different_candidates_that_are_mivspool():
    assert len({config.config_id for config in CANDIDATES.values()}) == len(CANDIDATES) <= 12
    assert {(config.method, config.score) for config in CANDIDATES.values()} == {("mivspool", "multiview")}


def test_the_search_is_on_the_repeat_that_no_table_uses():
    tasks = [task for part in recommended.search() for task in part]
    assert {task.config.repeat for task in tasks} == {REPEAT}
    assert len(tasks) == len(CANDIDATES) * sum(map(len, FOLDS.values()))
    later = [task for part in recommended.evaluation(CANDIDATES["A"]) for task in part]
    assert REPEAT not in {task.config.repeat for task in later}
    wanted = {"none", "structure-blind", *paper.METHODS}
    for dataset in DATASETS:
        assert {task.config.method for task in later if task.config.dataset == dataset} == wanted


def test_the_lowest_geometric_mean_of_the_ratios_is_chosen():
    best = {"ENZYMES": "A", "PROTEINS": "B", "NCI1": "B", "DD": "B"}
    # A is worse than B by a tenth on three data sets, B worse than A by a half on one
    found = lines(lambda name, dataset, _: 1.0 if best[dataset] == name else 1.5 if name == "B" else 1.1)
    assert next(iter(standing(found))) == "A"
    assert standing(found)["A"] == pytest.approx(1.1**0.75)
    assert standing(found)["B"] == pytest.approx(1.5**0.25)
    assert chosen(found) == "A"


def test_nothing_is_chosen_before_every_run_is_there():
    found = lines(lambda name, dataset, fold: 1.0 + fold)
    assert chosen(found) == "A"
    assert chosen(found[:-1]) is None
    assert list(standing(found[:-1])) == list(CANDIDATES)[:-1]


def test_other_runs_choose_nothing():
    found = lines(lambda name, *_: 1.0 if name == "C" else 1.2)
    others = [
        replace(
            line("L", "ENZYMES", 0, 0.01),
            config=replace(CANDIDATES["L"], dataset="ENZYMES", fold=0, repeat=0),
        ),
        line("A", "ENZYMES", 7, 0.01),
        replace(line("A", "DD", 0, 0.01), config_id=RunConfig("").config_id),
    ]
    assert standing(found + others) == standing(found)


def test_the_page_says_what_the_search_found():
    found = Results(Path(recommended.__file__).parents[2] / "results" / "search").lines()
    loss, ratio = recommended.losses(found), standing(found)
    rows = [
        row.strip("| ").split(" | ") for row in PAGE.splitlines() if row.count(" | ") == len(DATASETS) + 1
    ]
    written = {row[0]: row[1:] for row in rows if row[0] in CANDIDATES}
    assert list(written) == list(ratio)
    for name, cells in written.items():
        assert cells == [
            f"{value:.4f}" for value in (*(loss[dataset][name] for dataset in DATASETS), ratio[name])
        ]
    assert f"**{chosen(found)} is chosen.**" in PAGE
    assert len(found) == sum(len(folds) for folds in FOLDS.values()) * len(CANDIDATES) == 144
    *_, sixth = list(ratio.values())[:6]
    assert sixth / min(ratio.values()) < 1.04
