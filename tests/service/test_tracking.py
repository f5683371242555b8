"""Runs of jobs in TensorBoard and in MLflow, read back with their own tools."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mivspool.errors import InputError
from mivspool.service.store import Claim, Job, Store
from mivspool.service.work import perform
from mivspool.settings import Settings
from tests.service.conftest import Make

REQUEST = {"kind": "train", "dataset": "MAO", "blocks": 1, "hidden": 4, "max_epochs": 3}


@pytest.fixture
def store(make_settings: Make) -> Iterator[Store]:
    made = Store(make_settings(workers=0))
    yield made
    made.close()


def run(store: Store, tracking: str) -> Job:
    store.settings = store.settings.model_copy(update={"tracking": tracking})
    store.submit("train", dict(REQUEST), title="tracked")
    claim = store.claim("tester")
    assert isinstance(claim, Claim)
    perform(store, claim, lambda: False)
    job = store.get(claim.job)
    assert job is not None
    return job


def test_tensorboard(store: Store, home: Path) -> None:
    reading = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator", reason="tensorboard is an extra"
    )
    job = run(store, "tensorboard")
    files = reading.EventAccumulator(str(home / "tensorboard" / job.id / "train"))
    files.Reload()
    curve = [event.data["val_loss"] for event in store.events(job.id) if event.kind == "epoch"]
    assert [point.value for point in files.Scalars("val/loss")] == pytest.approx(curve)
    assert [point.step for point in files.Scalars("val/loss")] == [1, 2, 3]


def test_mlflow(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    mlflow = pytest.importorskip("mlflow", reason="mlflow is not installed")
    monkeypatch.setenv("MLFLOW_TRACKING_URI", f"sqlite:///{tmp_path / 'mlflow.sqlite'}")
    job = run(store, "mlflow")
    client = mlflow.MlflowClient()
    experiment = client.get_experiment_by_name("mivspool")
    (found,) = client.search_runs([experiment.experiment_id], f"tags.`mivspool.job` = '{job.id}'")
    assert found.info.status == "FINISHED"
    assert found.data.params["hidden"] == "4"
    assert len(client.get_metric_history(found.info.run_id, "val_loss")) == 3


def test_a_tool_that_is_not_known(store: Store) -> None:
    with pytest.raises(InputError, match="tensorboard, mlflow"):
        run(store, "abacus")


def test_nothing_is_tracked_unless_asked(store: Store, home: Path) -> None:
    assert Settings().tracking == ""
    job = run(store, "")
    assert not (home / "tensorboard" / job.id).exists()
