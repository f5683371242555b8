"""A worker ends with the process that started it, whatever the worker is at."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from mivspool.service.store import Store
from mivspool.settings import Settings
from tests.service.backends import until

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
