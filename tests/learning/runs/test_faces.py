"""What was asked for before settings had one declaration is asked for in the same words today."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

import pytest
from pydantic import TypeAdapter, ValidationError

from app.train import form
from mivspool.cli import parser_for
from mivspool.cli.run_settings import configuration
from mivspool.learning.runs import RunConfig
from mivspool.service.jobs_schemas import JobRequest, TrainRequest

CONFIGURATION = (
    "--blocks 4 --hidden 8 --lr 0.01 --weight-decay 0 --batch-size 64 --features degree --no-use-weights "
    "--use-diagonal --max-epochs 7 --patience 3 --device cpu --threads 2"
)
RUN = "--method mivspool-comp --score uniform --fold 3 --repeat 2 --num-folds 5 --seed 9 --checkpoint f --save m --json"
CHANGED = {
    "blocks": 4, "hidden": 8, "lr": 0.01, "weight_decay": 0.0, "batch_size": 64, "features": "degree",
    "use_weights": False, "use_diagonal": True, "max_epochs": 7, "patience": 3,
}  # fmt: skip
# of each number, what a backend takes at the ends of its range, and what it refuses
RANGES: dict[str, tuple[list[Any], list[Any]]] = {
    "blocks": ([1, 10], [0, 11, 2.5, "x"]),
    "hidden": ([1, 1024], [0, 1025]),
    "dropout": ([0, 0.99], [-0.1, 1]),
    "lr": ([1e-9, 9.9], [0, 10, "nan"]),
    "weight_decay": ([0, 9.9], [-1e-9, 10]),
    "batch_size": ([1, 100_000], [0, 100_001]),
    "max_epochs": ([1, 100_000], [0, 100_001]),
    "patience": ([1, 100_000], [0, 100_001]),
    "features": (["auto", "labels", "attributes", "degree"], ["all"]),
    "fold": ([0, 9, None], [-1, 10]),
    "repeat": ([0, 10_000], [-1, 10_001]),
    "seed": ([0, 2**31 - 1, None], [-1, 2**31]),
}
REQUEST: TypeAdapter[Any] = TypeAdapter(JobRequest)


def test_the_options_of_train_are_those_there_were() -> None:
    args = parser_for("train").parse_args(["MAO", *CONFIGURATION.split(), *RUN.split()])
    wanted = CHANGED | {
        "method": "mivspool-comp",
        "score": "uniform",
        "fold": 3,
        "repeat": 2,
        "folds": 5,
        "seed": 9,
    }
    assert configuration(args) == RunConfig("MAO", device="cpu", threads=2, **wanted)


def test_without_options_a_run_is_the_papers() -> None:
    args = parser_for("train").parse_args(["MAO", "--device", "cpu"])
    assert configuration(args) == RunConfig("MAO", threads=1)


def test_the_options_of_the_other_commands_are_those_there_were() -> None:
    own = "--methods none,gpool --repeats 1-2 --folds 0-3 --num-folds 5 --workers 2 --executor ray --grid --results r"
    parser_for("evaluate").parse_args(["MAO", *own.split(), "--no-resume", "--json", *CONFIGURATION.split()])
    release = "--as a --repeats 2 --measure 1 --features degree --score uniform --max-epochs 3 --threads 1 --overwrite"
    parser_for("models").parse_args(["release", "MAO", *release.split()])


@pytest.mark.parametrize("name", RANGES)
def test_a_backend_takes_and_refuses_what_it_did(name: str) -> None:
    taken, refused = RANGES[name]
    for value in taken:
        asked = REQUEST.validate_python({"kind": "train", "dataset": "MAO", name: value})
        assert asked.run() == RunConfig("MAO", **{name: value})
    for value in refused:
        with pytest.raises(ValidationError, match=name):
            REQUEST.validate_python({"kind": "train", "dataset": "MAO", name: value})


def test_a_link_is_read_as_it_was() -> None:
    class State:
        config = urlencode(
            {name: int(v) if isinstance(v, bool) else v for name, v in CHANGED.items()} | {"fold": 3}
        )
        method, score, dataset = "mivspool", "multiview", "MAO"

    asked = form.request(State())
    assert TrainRequest(kind="train", **asked).run() == RunConfig("MAO", fold=3, **CHANGED)


def test_one_configuration_has_one_identifier_however_its_numbers_are_written() -> None:
    assert RunConfig("MAO", weight_decay=0).config_id == RunConfig("MAO", weight_decay=0.0).config_id
    assert RunConfig("MAO", hidden=16.0).config_id == RunConfig("MAO", hidden=16).config_id
