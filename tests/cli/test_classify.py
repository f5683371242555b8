"""A graph of a data set that has a model is classified without naming one."""

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
