"""Jobs on a Ray cluster of two nodes on one machine: the same contract, and a node that dies."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from mivspool.cli import main
from mivspool.errors import BackendError
from mivspool.service.client import Client
from mivspool.service.ray_runner import connect
from mivspool.settings import Settings
from mivspool.settings import settings as settings_in_use
from tests.service import postgres
from tests.service.backends import connected, until
from tests.service.conftest import Make

pytest.importorskip("ray", reason="Ray is an extra: pip install 'mivspool[ray]'")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # Ray's own
]

SMALL = {"dataset": "MAO", "blocks": 2, "hidden": 8}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with one CPU each; the first one also drives."""
    import ray
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        memory = 100 * 1024**2
        made = Cluster(
            initialize_head=True,
            head_node_args={"num_cpus": 1, "object_store_memory": memory, "include_dashboard": False},
        )
        made.add_node(num_cpus=1, object_store_memory=memory)
        patch.setenv("RAY_ADDRESS", made.address)
        yield made
        ray.shutdown()
        made.shutdown()


@pytest.fixture(scope="module")
def client(cluster: Any, make_settings: Make) -> Iterator[Client]:
    # the runner knows no database, only the store, which test_store.py and test_contract.py hold on each
    database = "sqlite" if postgres.find_binaries() is None else "postgresql"
    settings = make_settings(database, executor="ray", workers=2)
    with connected("in-process", settings) as made:
        yield made


def test_an_evaluation_uses_the_cluster(client: Client) -> None:
    assert client.health().executor == "ray"
    job = client.submit("evaluate", **SMALL, folds=[0, 1, 2], max_epochs=3)
    events = list(client.watch(job.id))
    done = client.job(job.id)
    assert done.state == "done", (done.error, client.log(job.id))
    assert {run["fold"] for run in client.runs(job.id)} == {0, 1, 2}
    assert [event.kind for event in events].count("run") == 3
    assert [event.n for event in events] == list(range(1, len(events) + 1))
    assert "run r0-f1" in client.log(job.id)


def test_a_training_leaves_a_model(client: Client) -> None:
    job = client.submit("train", **SMALL, max_epochs=2)
    list(client.watch(job.id))
    name = f"ray-{job.id}"
    assert client.keep_model(job.id, name).job == job.id
    assert client.classify("MAO:1", name)[0].predicted is not None
    client.delete_model(name)


def test_cancel_within_two_seconds(client: Client) -> None:
    job = client.submit("evaluate", **SMALL, max_epochs=100_000, patience=100_000)
    until(lambda: client.job(job.id).progress.epoch)
    client.cancel(job.id)
    until(lambda: client.job(job.id).state == "cancelled", seconds=20)
    client.delete_job(job.id)


def test_the_command_uses_the_cluster(
    cluster: Any, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--folds", "0,1", "--max-epochs", "2", "--blocks", "2", "--hidden", "8"]
    command = ["evaluate", "MAO", *options, "--results", str(tmp_path), "--executor", "ray", "--json"]
    command.append("--allow-dirty")
    for new in (2, 0):
        assert main(command) == 0
        out = capsys.readouterr().out
        assert out.startswith('{"dataset"'), out
        assert json.loads(out)["new_runs"] == new


def test_it_is_served_on_the_cluster(
    cluster: Any, home: Path, make_settings: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ray import serve

    from mivspool.service import ray_serve

    settings_in_use.cache_clear()
    with pytest.raises(BackendError, match="MIVSPOOL_TOKEN"):
        ray_serve.app({})
    monkeypatch.setenv("MIVSPOOL_TOKEN", "a-token-of-the-tests")
    monkeypatch.setenv("MIVSPOOL_DATABASE_URL", str(make_settings().database_url))
    settings_in_use.cache_clear()
    connect()
    try:
        serve.start(http_options={"port": 8639})
        serve.run(ray_serve.app({"most": "1"}), name="mivspool", route_prefix="/")
        remote = Settings(backend_url="http://127.0.0.1:8639", token="a-token-of-the-tests")
        with Client(remote) as client:
            assert client.health().separate_visitors
            assert client.classify("MAO:3", "tiny", levels=False)[0].predicted is not None
        with (
            Client(remote.model_copy(update={"token": "other"})) as client,
            pytest.raises(BackendError, match="token"),
        ):
            client.health()
    finally:
        serve.shutdown()
        monkeypatch.undo()
        settings_in_use.cache_clear()


def test_a_node_that_dies_loses_no_run(client: Client, cluster: Any) -> None:
    extra = cluster.add_node(num_cpus=1, object_store_memory=100 * 1024**2)
    job = client.submit("evaluate", **SMALL, folds=list(range(6)), max_epochs=60, patience=60)
    until(lambda: client.job(job.id).progress.runs_done >= 1 or client.job(job.id).progress.epoch)
    cluster.remove_node(extra, allow_graceful=False)
    until(lambda: client.job(job.id).state not in {"queued", "running"}, seconds=240)
    done = client.job(job.id)
    assert done.state == "done", (done.error, client.log(job.id))
    assert sorted(run["fold"] for run in client.runs(job.id)) == list(range(6))
    assert done.progress.runs_done == 6
    assert os.environ["RAY_ADDRESS"] == cluster.address
