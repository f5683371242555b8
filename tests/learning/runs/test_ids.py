"""The identifiers of published configurations: what was published stays found, whatever settings come later."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from mivspool.learning.runs import ResultLine, RunConfig, setting

ROOT = Path(__file__).resolve().parents[3]
SETTINGS = {field.name for field in fields(RunConfig)}
# of a run, not of its configuration
OWN = {"dataset", "repeat", "fold", "seed", "device", "threads"}


def documents(folder: str, pattern: str) -> Iterator[tuple[Path, dict[str, Any]]]:
    for path in sorted((ROOT / folder).glob(pattern)):
        for text in path.read_text(encoding="utf-8").splitlines():
            yield path, json.loads(text)


def config_of(data: dict[str, Any]) -> RunConfig:
    """A configuration from what a document says of it; the rest is at its default."""
    return RunConfig.from_dict(
        {name: value for name, value in data.items() if name in SETTINGS - OWN} | {"dataset": ""}
    )


def test_every_published_run_keeps_its_identifier() -> None:
    lines = list(documents("results", "*.jsonl"))
    assert len(lines) >= 880
    for path, line in lines:
        assert config_of(line).config_id == line["config_id"], path.name
        assert line["curve"] == f"curves/{line['dataset']}/{line['config_id']}.jsonl"


def test_every_published_curve_is_named_for_a_published_configuration() -> None:
    known = {(line["dataset"], config_of(line).config_id) for _, line in documents("results", "*.jsonl")}
    curves = sorted((ROOT / "results" / "curves").glob("*/*.jsonl"))
    assert len(curves) >= 44
    assert {(path.parent.name, path.stem) for path in curves} == known


def test_every_model_card_names_the_configuration_it_describes() -> None:
    cards = sorted((ROOT / "models").glob("*/config.json"))
    assert len(cards) >= 8
    for path in cards:
        card = json.loads(path.read_text(encoding="utf-8"))
        config = config_of(card["architecture"] | card["run"])
        assert config.config_id == card["run"]["config_id"], path.parent.name


def test_a_new_setting_changes_the_identifier_of_those_alone_that_use_it() -> None:
    @dataclass(frozen=True)
    class Later(RunConfig):
        colour: str = setting("blue", "Colour", "For this test.")

    for _, line in documents("results", "*.jsonl"):
        known = {name: value for name, value in line.items() if name in SETTINGS}
        assert Later.from_dict(known).config_id == line["config_id"]
        assert ResultLine.from_dict(line).config.config_id == line["config_id"]
    assert Later("MAO", colour="red").config_id != RunConfig("MAO").config_id
