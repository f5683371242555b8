"""What the chapter on learning says is what the record of its model shows."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import pytest

from mivspool.learning.hub import read_config
from mivspool.learning.models import RECORD, ModelInfo, list_models, record_of
from mivspool.learning.record import Record
from mivspool.lecture import training
from mivspool.lecture.chapters import CHAPTERS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def record() -> Record:
    document = record_of(training.MODEL)
    assert document is not None
    return Record.from_dict(document)


def test_untrained_scores_lie_where_the_chapter_says(record: Record) -> None:
    scores = [value for graph in record.at(0) for level in graph["levels"] for value in level["score"]]
    assert 0.71 <= min(scores) < max(scores) <= 0.74
    assert "between 0.71 and 0.74" in training.CHAPTER.text[0]


def test_survivors_change_in_jumps_and_probabilities_at_every_epoch(record: Record) -> None:
    heads: list[list[int]] = []
    shares: list[list[float]] = []
    for _, state in record.states():
        heads.append([head for graph in state for level in graph["levels"] for head in level["head"]])
        shares.append([share for graph in state for share in graph["probabilities"]])
    changes = [one != other for one, other in pairwise(heads)]
    assert 0 < sum(changes) < len(changes)
    assert all(one != other for one, other in pairwise(shares))


@pytest.mark.parametrize("model", [one for one in list_models() if one.released], ids=lambda one: one.name)
def test_every_released_model_has_a_small_record_of_a_training_by_its_settings(model: ModelInfo) -> None:
    assert model.recorded
    assert (model.folder / RECORD).stat().st_size < 500_000
    document = record_of(model.name)
    assert document is not None
    told = Record.from_dict(document)
    assert [graph["label"] for graph in told.graphs] == list(model.classes)
    epochs = len(document["curves"]["val_loss"])
    assert {0, document["best"], epochs} <= set(told.epochs)
    run = read_config(model.folder)["run"]
    if not document["apart"]:
        assert (document["best"], epochs) == (run["best_epoch"], run["epochs"])


@pytest.mark.parametrize("model", [one for one in list_models() if one.released], ids=lambda one: one.name)
def test_the_decisions_say_how_far_each_record_is_from_its_model(model: ModelInfo) -> None:
    document = record_of(model.name)
    assert document is not None
    apart, best = document["apart"], document["best"]
    own = read_config(model.folder)["run"]["best_epoch"]
    told = " ".join((ROOT / "docs" / "decisions.md").read_text(encoding="utf-8").split())
    told = told[told.index("All shipped records") : told.index("The page gets the whole record")]
    if apart < 0.01:
        assert ("D&D ended in the model's weights" if apart == 0 else "MUTAG differs by 4·10⁻⁶") in told
    else:
        assert f"{model.dataset} by {apart:.2f}" in told
    if best != own:
        assert f"{best} instead of {own}" in told


def test_the_chapter_is_one_of_its_own() -> None:
    assert training.CHAPTER.name not in {chapter.name for chapter in CHAPTERS}
    assert training.CHAPTER.title not in {chapter.title for chapter in CHAPTERS}
