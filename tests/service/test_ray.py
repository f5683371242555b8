"""Jobs on a Ray cluster of two nodes on one machine: the same contract, and a node that dies.

Nearly all of its time is processes that start: each of Ray's takes one to three seconds, a worker that imports torch
five. So there are two nodes and no more, each test takes the workers that are there, and the last one ends a node. Ray
also lowers its workers' priority, which a busy machine turns into minutes.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from mivspool.cli import main
from mivspool.errors import BackendError
from mivspool.service.client import Client
from mivspool.service.ray_cluster import connected as on_cluster
from mivspool.settings import Settings
from tests.configured import configured
from tests.service import postgres
from tests.service.backends import connected, until
from tests.service.conftest import Make

pytestmark = [
    pytest.mark.slow,
    # not imported here: that takes seconds in every process that collects tests
    pytest.mark.skipif(find_spec("ray") is None, reason="Ray is an extra: pip install 'mivspool[ray]'"),
    pytest.mark.timeout(600),
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),  # Ray's own
]

SMALL = {"dataset": "MAO", "blocks": 2, "hidden": 8}
TOKEN = "a-token-of-the-tests"
PASSWORD = "a-password-of-the-tests"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Two nodes with one CPU each."""
    import ray
    from ray.cluster_utils import Cluster

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("RAY_USAGE_STATS_ENABLED", "0")
        # on a busy machine its workers would hardly ever run, and Serve would end a proxy that is still starting
        patch.setenv("RAY_worker_niceness", "0")
        for kind in ("READY", "HEALTH"):
            patch.setenv(f"RAY_SERVE_PROXY_{kind}_CHECK_TIMEOUT_S", "300")
        each = {"num_cpus": 1, "object_store_memory": 100 * 1024**2, "include_log_monitor": False}
        head = {**each, "include_dashboard": False, "no_monitor": True}
        made = Cluster(initialize_head=True, head_node_args=head)
        made.add_node(**each)
        patch.setenv("RAY_ADDRESS", made.address)
        yield made
        ray.shutdown()
        made.shutdown()


@pytest.fixture(scope="module")
def client(cluster: Any, make_settings: Make) -> Iterator[Client]:
    # the runner knows no database, only the store, which test_store.py and test_contract.py hold on each
    database = "sqlite" if postgres.find_binaries() is None else "postgresql"
    settings = make_settings(database, executor="ray", workers=2)
    assert settings.database_url is not None
    url = settings.database_url.replace("mivspool@", f"mivspool:{PASSWORD}@")
    with connected("in-process", settings.model_copy(update={"database_url": url, "token": TOKEN})) as made:
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


@pytest.fixture(scope="module")
def driver(cluster: Any) -> Iterator[None]:
    """One connection of this process for all that need one, or each would have workers of its own."""
    with on_cluster():
        yield


@pytest.mark.usefixtures("driver")
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


@pytest.mark.usefixtures("driver")
def test_it_is_served_on_the_cluster(cluster: Any, home: Path, make_settings: Make) -> None:
    from ray import serve

    from mivspool.service import ray_serve

    with pytest.raises(BackendError, match="MIVSPOOL_TOKEN"):
        ray_serve.app({})
    with configured(token=TOKEN, database_url=make_settings().database_url):
        try:
            serve.start(http_options={"port": 8639})
            serve.run(ray_serve.app({"most": "1"}), name="mivspool", route_prefix="/")
            remote = Settings(backend_url="http://127.0.0.1:8639", token=TOKEN)
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


def test_a_node_that_dies_loses_no_run(client: Client, cluster: Any) -> None:
    (other,) = cluster.worker_nodes
    job = client.submit("evaluate", **SMALL, folds=list(range(4)), max_epochs=60, patience=60)

    def under_way() -> set[str]:
        return {event.data["key"] for event in client.events(job.id).events if event.kind == "epoch"}

    until(lambda: len(under_way()) >= 2)  # one on each node, or more when one has ended
    cluster.remove_node(other, allow_graceful=False)
    until(lambda: client.job(job.id).state not in {"queued", "running"}, seconds=240)
    done = client.job(job.id)
    assert done.state == "done", (done.error, client.log(job.id))
    assert sorted(run["fold"] for run in client.runs(job.id)) == list(range(4))
    assert done.progress.runs_done == 4
    assert os.environ["RAY_ADDRESS"] == cluster.address


@pytest.mark.usefixtures("driver")
def test_its_logs_hold_no_secret(client: Client, cluster: Any) -> None:
    """After all tests above: neither the token nor the database's password."""
    import ray

    said = "what a task of this cluster says"
    ray.get(ray.remote(num_cpus=0)(lambda: print(said)).remote())
    logs = Path(cluster.head_node.get_session_dir_path()) / "logs"

    def contents() -> dict[str, bytes]:
        return {path.name: path.read_bytes() for path in logs.rglob("*") if path.is_file()}

    until(
        lambda: any(said.encode() in content for content in contents().values())
    )  # the logs of this cluster's tasks
    for name, content in contents().items():
        assert TOKEN.encode() not in content, name
        assert PASSWORD.encode() not in content, name
