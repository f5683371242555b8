"""A worker ends with the process that started it, whatever the worker is at, and waits for a disk that is full."""

from __future__ import annotations

import errno
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from mivspool.errors import StorageError
from mivspool.learning import checkpoint, models
from mivspool.service.patience import Patience
from mivspool.service.store import Store
from mivspool.service.work import perform
from mivspool.settings import Settings
from tests.service.backends import until
from tests.service.conftest import Make

# what starts a worker, and is killed
PARENT = """
import sys, time
from mivspool.service.runner import LocalRunner
from mivspool.service.store import Claim, Store
from mivspool.settings import Settings
runner = LocalRunner(Store(Settings(database_url=sys.argv[1])), None)
runner.settings = Settings()
runner.begin(Claim("0", 1))
print(runner._children[0].process.pid, flush=True)
time.sleep(600)
"""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_a_worker_that_waits_for_its_database_ends_with_its_parent(tmp_path: Path) -> None:
    pytest.importorskip("psycopg", reason="psycopg is an extra: pip install 'mivspool[postgres]'")
    with socket.create_server(("127.0.0.1", 0)) as silent:
        here = f"sqlite:///{tmp_path / 'jobs.sqlite'}"
        Store(Settings(home=tmp_path, database_url=here)).close()
        away = f"postgresql://someone@127.0.0.1:{silent.getsockname()[1]}/jobs?connect_timeout=3600"
        environment = {**os.environ, "MIVSPOOL_HOME": str(tmp_path), "MIVSPOOL_DATABASE_URL": away}
        command = [sys.executable, "-c", PARENT, here]
        with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as parent:
            assert parent.stdout is not None
            worker = psutil.Process(int(parent.stdout.readline()))
            waiting, _ = silent.accept()  # the worker has come as far as its database
            parent.send_signal(signal.SIGKILL)
            try:
                until(lambda: not worker.is_running() or worker.status() == psutil.STATUS_ZOMBIE)
            finally:
                waiting.close()


@pytest.mark.parametrize("frees", [True, False], ids=["emptied", "stays-full"])
def test_a_disk_that_is_full_is_waited_for(
    make_settings: Make, monkeypatch: pytest.MonkeyPatch, frees: bool
) -> None:
    """Checkpoints and the model are written where there is no space at first."""
    monkeypatch.setattr("mivspool.service.patience.AGAIN_SECONDS", 0.0)
    store = Store(make_settings(workers=0, checkpoint_seconds=0), Patience(60.0 if frees else 0.0))
    store.submit(
        "train", {"kind": "train", "dataset": "MAO", "blocks": 1, "hidden": 4, "max_epochs": 3}, title=""
    )
    claim = store.claim("tester")
    assert claim is not None
    refused = []

    def at_first_full(write: Callable[..., Any]) -> Callable[..., Any]:
        def tried(path: Path, *arguments: Any) -> Any:
            found = write(path, *arguments)
            if path.name not in refused or not frees:
                refused.append(path.name)
                raise OSError(errno.ENOSPC, "No space left on device")
            return found

        return tried

    for place, name in ((checkpoint, "save"), (models, "save_model")):
        monkeypatch.setattr(place, name, at_first_full(getattr(place, name)))
    if frees:
        perform(store, claim, lambda: False)
        assert refused == ["run.safetensors", "model"]
        assert store.load(claim.job, "model") is not None
    else:
        with pytest.raises(StorageError, match="no space left"):
            perform(store, claim, lambda: False)
    store.close()
