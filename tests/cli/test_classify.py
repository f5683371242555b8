"""A graph of a data set that has a model is classified without naming one; what lies outside its domain is refused."""

from __future__ import annotations

import json

import pytest

from mivspool.cli import main


def test_the_model_of_the_graphs_own_data_set_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["classify", "MAO:3", "--json"]) == 0
    shown = capsys.readouterr()
    assert main(["classify", "MAO:3", "--model", "mao-mivspool", "--json"]) == 0
    assert json.loads(shown.out) == json.loads(capsys.readouterr().out)
    assert "mao-mivspool" in shown.err


@pytest.mark.parametrize("sources", [["karate"], ["MAO:3", "karate"]])
def test_where_there_is_no_such_model_one_is_asked_for(
    sources: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["classify", *sources]) == 2
    assert "--model" in capsys.readouterr().err


def test_a_graph_outside_the_domain_is_refused_unless_it_is_asked_for(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["classify", "karate", "--model", "dd-structure"]) == 1
    refused = capsys.readouterr().out
    assert refused.startswith("karate: outside the domain of dd-structure")
    assert "another kind" in refused
    assert "enzyme" not in refused.replace("enzyme or not", "")
    assert main(["classify", "karate", "--model", "dd-structure", "--anyway"]) == 0
    shown = capsys.readouterr().out
    assert "enzyme (class" in shown
    assert "another kind" in shown
    assert main(["classify", "karate", "--model", "dd-structure", "--json", "--anyway"]) == 0
    capsys.readouterr()
    assert main(["classify", "karate", "--model", "dd-structure", "--json"]) == 1
    assert "another kind" in json.loads(capsys.readouterr().out)[0]["outside"][0]


def test_probabilities_are_calibrated_with_the_networks_own_beside_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["classify", "MAO:3", "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert main(["classify", "MAO:3"]) == 0
    line = capsys.readouterr().out
    predicted = document["predicted"]
    assert f"{document['class_names'][predicted]} (class {predicted})" in line
    calibrated, own = document["calibrated"][predicted], document["probabilities"][predicted]
    assert f"{predicted} {calibrated:.2f}" in line
    assert f"(not calibrated: {own:.2f}" in line


def test_models_are_listed_with_what_their_accuracy_rests_on(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models"]) == 0
    shown = capsys.readouterr().out
    assert "79.7 % on 68 test graphs, 95 % interval 68.7 to 87.5 %; " in shown
    assert "always predicting MAO inhibitor (class 0): 55.9 %" in shown
