"""Releasing: what the card says is what the runs say, runs are kept, and none is done twice."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

from mivspool.cli import main
from mivspool.errors import ModelError
from mivspool.graphs import InputSchema, load_dataset
from mivspool.learning.cards import input_needed, model_card
from mivspool.learning.hub import read_config
from mivspool.learning.layers import NETWORKS, describe
from mivspool.learning.models import RECORD, list_models, load_model, save_model
from mivspool.learning.network import Classifier
from mivspool.learning.recommended import RECOMMENDED, REPEATS
from mivspool.learning.record import Record
from mivspool.learning.release import accuracy, beside, record, refresh, release
from mivspool.learning.results import Results
from mivspool.learning.runs import NetworkConfig, ResultLine, RunConfig, architectures
from mivspool.service.jobs_schemas import ModelRecord
from tests.learning.test_recommended_table import ahead, every


@pytest.fixture(scope="module")
def config() -> RunConfig:
    return RunConfig("MAO", hidden=8, blocks=2, max_epochs=2, folds=3, threads=1)


def test_a_release_keeps_its_runs_and_its_card_tells_them(config: RunConfig, tmp_path: Path) -> None:
    results = Results(tmp_path / "results")
    seen = []
    folder = release(
        config, tmp_path / "tiny", range(2), results, on_run=seen.append, command="mivspool again"
    )
    lines = results.lines()
    assert len(lines) == len(seen) == 6
    assert {(line.repeat, line.fold) for line in lines} == {(r, f) for r in (0, 1) for f in (0, 1, 2)}
    model = load_model(folder)
    evaluation = model.config["evaluation"]
    means = [100 * np.mean([line.test_accuracy for line in lines if line.repeat == r]) for r in (0, 1)]
    assert evaluation["accuracy"]["mean"] == pytest.approx(np.mean(means), abs=1e-3)
    assert evaluation["accuracy"]["std"] == pytest.approx(np.std(means, ddof=1), abs=1e-3)
    for text in (
        f"{evaluation['accuracy']['mean']:.1f} ± {evaluation['accuracy']['std']:.1f}",
        f"{evaluation['calibration']['brier']:.3f}",
        f"{100 * evaluation['renumbering']['predicted']:.1f} %",
        "numbered at random 5 times",
        "must not be used for",
        "mivspool again",
    ):
        assert text in model.card

    assert np.sum(evaluation["confusion"]) == 2 * 68
    assert model.assessment.majority == pytest.approx(38 / 68)
    assert "the most frequent class gives 55.9 %." in model.card

    # what training did to a graph of each class lies beside it, and ends where the model is
    kept = json.loads((folder / RECORD).read_text())
    ModelRecord.model_validate(kept)
    told = Record.from_dict(kept).at(kept["best"])
    graphs = [load_dataset("MAO")[graph["index"]] for graph in kept["graphs"]]
    assert {graph.label for graph in graphs} == set(model.classes)
    for said, answer in zip(told, model.classify(graphs), strict=True):
        assert said["probabilities"] == pytest.approx(answer.probabilities, abs=1e-6)
    assert kept["apart"] == 0
    assert [len(values) for values in kept["curves"].values()] == [model.config["run"]["epochs"]] * 4
    before = (folder / RECORD).read_bytes()
    assert record(folder).read_bytes() == before

    # again: the runs are there, so only the networks of the first repeat are trained, to be measured
    seen.clear()
    release(
        config, tmp_path / "tiny", range(2), results, measured_folds=1, on_run=seen.append, overwrite=True
    )
    assert len(seen) == 1
    assert results.lines() == lines
    again = load_model(folder).config["evaluation"]
    assert again["accuracy"] == evaluation["accuracy"]
    assert again["renumbering"]["graphs"] == sum(map(sum, lines[0].confusion))

    # a card follows the runs that are added, the weights stay
    before = (folder / "model.safetensors").read_bytes()
    told = json.loads((folder / "config.json").read_text())
    refresh(folder, [line for line in lines if line.repeat == 0])
    after = json.loads((folder / "config.json").read_text())
    assert told.keys() == after.keys()
    assert [name for name in told if told[name] != after[name]] == ["evaluation"]
    assert after["layers"] == [layer.to_dict() for layer in load_model(folder).classifier.layers]
    assert load_model(folder).config["evaluation"]["accuracy"]["mean"] == pytest.approx(means[0], abs=1e-3)
    assert f"**{means[0]:.1f} %**" in load_model(folder).card
    assert (folder / "model.safetensors").read_bytes() == before
    with pytest.raises(ModelError, match="no runs"):
        refresh(folder, [])

    # a training that ends in other weights than the model's says so
    weights = load_file(folder / "model.safetensors")
    save_file({key: value + 0.01 for key, value in weights.items()}, folder / "model.safetensors")
    assert json.loads(record(folder).read_text())["apart"] == pytest.approx(0.01, rel=1e-3)

    with pytest.raises(ModelError, match="already"):
        release(config, tmp_path / "tiny", range(2), results)


def test_a_card_without_an_evaluation_says_so(model_config: dict[str, object]) -> None:
    card = model_card("mine", model_config)
    assert "not cross-validated" in card
    assert "## Calibration" not in card
    one_split = {**model_config, "run": {"dataset": "MAO", "test_accuracy": 0.75}}
    assert "75.0 % of the test graphs of the one split" in model_card("mine", one_split)


def of_both(dataset: str) -> list[ResultLine]:
    """Lines of the recommended network, all of its plan, and of the paper's on repeats 0 to 2: 20 points less."""
    own = [line for line in every(ahead) if line.dataset == dataset and line.method == "mivspool"]
    paper = [
        replace(
            line, config=replace(RunConfig(dataset), repeat=line.repeat, fold=line.fold),
            config_id=RunConfig("").config_id, test_accuracy=line.test_accuracy - 0.2,
        )
        for line in own
        if line.repeat < 3
    ]  # fmt: skip
    return own + paper


def test_the_cards_of_released_models_are_those_of_their_configuration() -> None:
    for info in list_models(kept=False):
        if info.released:
            assert load_model(info.name).card == model_card(info.name, read_config(info.folder))


def test_a_card_names_the_classes_and_the_interval() -> None:
    card = load_model("mao-mivspool").card
    assert "`0` (MAO inhibitor), `1` (not an MAO inhibitor)" in card
    assert "38 of the 68 molecules" in card
    assert "On 68 different graphs, the 95 % interval is 68.7 to 87.5 %." in card


@pytest.mark.parametrize(("classes", "known"), [(["0", "1"], True), (["yes", "no"], False)])
def test_card_list_and_model_say_the_same_of_the_classes(
    own_home: Path, network: Classifier, schema: InputSchema, classes: list[str], known: bool
) -> None:
    """What they stand for is the data set's to say that the input schema names, whatever the run was called."""
    save_model("mine", network, schema, classes, {"dataset": "an upload"})
    model, (info,) = load_model("mine"), [one for one in list_models() if one.name == "mine"]
    assert bool(model.class_names) == known
    assert info.class_names == model.class_names == model.info["class_names"]
    assert info.class_source == model.info["class_source"]
    assert bool(info.class_source) == known
    assert (info.class_source in model.card and "(MAO inhibitor)" in model.card) == known


def test_a_card_says_what_the_other_network_has(model_config: dict[str, Any]) -> None:
    lines = of_both("ENZYMES")
    theirs, ours = RunConfig("").config_id, RECOMMENDED.config_id
    evaluation = accuracy(lines, ours, 10, REPEATS["ENZYMES"]) | beside(lines, ours, 10, REPEATS["ENZYMES"])
    # its test folds of repeat 0 were seen: they are in neither figure
    assert evaluation["accuracy"]["repeats"] == 3
    assert evaluation["beside"]["comparison"]["pairs"] == 20
    run = {"dataset": "ENZYMES", "config_id": ours, "lr": 3e-4, "weight_decay": 1e-4, "batch_size": 64}
    card = model_card("mine", model_config | {"evaluation": evaluation, "run": run})
    assert "the paper's network has **65.0 ± 0.0 %** (10 folds, 3 repeats)" in card
    assert "On the 20 folds that both have, this one differs by +20.0 percentage points" in card
    assert "chosen by validation loss among twelve" in card
    other = accuracy(lines, theirs, 10) | beside(lines, theirs, 10)
    card = model_card("mine", model_config | {"evaluation": other, "run": run | {"config_id": theirs}})
    assert "the recommended network has **85.0 ± 0.0 %** (10 folds, 3 repeats)" in card
    assert "this one differs by −20.0 percentage points" in card
    assert "fixed beforehand (no grid)" in card


def test_networks_without_common_folds_are_not_compared(model_config: dict[str, Any]) -> None:
    lines = [line for line in of_both("NCI1") if line.config_id == RECOMMENDED.config_id or line.repeat == 0]
    found = beside(lines, RECOMMENDED.config_id, 10, REPEATS["NCI1"])
    assert found["beside"]["comparison"] is None
    evaluation = accuracy(lines, RECOMMENDED.config_id, 10, REPEATS["NCI1"]) | found
    card = model_card("mine", model_config | {"evaluation": evaluation})
    assert "The two have no folds in common." in card
    assert beside(lines, "another", 10) == beside(lines[:1], RECOMMENDED.config_id, 10) == {}


@pytest.mark.parametrize("method", architectures())
@pytest.mark.parametrize("around", NETWORKS)
def test_a_card_says_of_the_network_what_its_description_says(
    model_config: dict[str, Any], around: str, method: str
) -> None:
    changed = {"network": around, "method": method}
    config = model_config | {"architecture": model_config["architecture"] | changed}
    architecture = NetworkConfig.from_dict(config["architecture"])
    card = model_card("mine", config)
    paper = architecture.is_paper and architecture.pools
    assert ("blocks of GCN, ReLU and pooling" in card) == paper
    assert ("Maximal Independent Vertex Set" in card) == method.startswith("mivspool")
    listed = [line.split("`")[0].strip("- ") for line in card.splitlines() if line.startswith("  - ")]
    assert listed == ([] if paper else [layer.kind for layer in describe(architecture)])


@pytest.fixture
def model_config(folder: Path) -> dict[str, Any]:
    return load_model(folder).config


def test_what_a_model_needs_is_said_in_a_few_words(model_config: dict[str, object], folder: Path) -> None:
    assert input_needed(load_model(folder).schema) == "chemical elements as vertex labels (C, N, O)"


def test_the_command_shows_lists_and_refuses(
    folder: Path, own_home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "show", str(folder)]) == 0
    assert capsys.readouterr().out == load_model(folder).card
    assert main(["models", "--json"]) == 0
    assert capsys.readouterr().out.startswith("[")
    for wrong in (
        ["show"], ["show", "nobody"], ["release", "nowhere"], ["release", "MAO", "--repeats", "0"],
        ["release", "MAO", "--recommended", "--lr", "0.1"], ["release", "MAO", "--recommended", "--repeats", "2"],
    ):  # fmt: skip
        assert main(["models", *wrong]) == 2
        captured = capsys.readouterr()
        assert captured.out == ""
        assert captured.err.count("\n") == 1


def test_the_tables_command_prints_one_document(own_home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables", "2", "--csv"]) == 0
    assert capsys.readouterr().out.startswith("dataset,level,method")
    assert main(["tables", "4", "--json"]) == 0
    assert capsys.readouterr().out.startswith('{"table": 4')
    assert main(["tables", "5"]) == 2
    assert "no table '5'" in capsys.readouterr().err
