"""Two backends, and two apps in front of them: one database and one object store are all that they share."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from sqlalchemy import select

from mivspool.errors import DatasetError, JobError, LimitError, ModelError
from mivspool.service import tables
from mivspool.service.client import Client
from mivspool.service.database import Database
from mivspool.settings import Settings
from tests import web
from tests.service.backends import served, until
from tests.service.conftest import Make

pytestmark = pytest.mark.slow

TOKEN = "a-token-of-the-tests"
VISITOR = "ann-0123456789abcdef"
EDGES = b"a,b\nb,c\n"
SMALL = {"dataset": "MAO", "blocks": 2, "hidden": 8}


@contextmanager
def process(environment: dict[str, str], *command: str) -> Iterator[str]:
    """A process of ``mivspool`` and its address."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("MIVSPOOL_")}
    own = {**inherited, "PYTHONUNBUFFERED": "1", "OMP_NUM_THREADS": "1", **environment}
    with subprocess.Popen(
        [sys.executable, "-m", "mivspool", *command, "--port", "0"],
        env=own, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as started:  # fmt: skip
        assert started.stdout is not None
        try:
            line = started.stdout.readline()
            yield next(word for word in line.split() if word.startswith("http"))
        finally:
            started.terminate()


@dataclass
class Two:
    """Two backends. Only the second runs jobs."""

    first: Client
    second: Client
    addresses: tuple[str, str]
    settings: Settings
    folder: Path


@pytest.fixture(scope="module")
def two(make_settings: Make, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    folder = tmp_path_factory.mktemp("replicas")
    given = make_settings(
        "postgresql",
        store_url=f"file://{folder / 'objects'}",
        token=TOKEN,
        separate_visitors=True,
        max_waiting_jobs=3,
        visitor_bytes=10**6,
    )
    shared = ("database_url", "store_url", "token", "separate_visitors", "max_waiting_jobs", "visitor_bytes")
    own = {f"MIVSPOOL_{name.upper()}": str(getattr(given, name)) for name in (*shared, "device")}
    with ExitStack() as stack:
        # the first in this process, which has what the other one must load
        first = stack.enter_context(served(given, run_jobs=False, public=True))
        second = stack.enter_context(process(own | {"MIVSPOOL_HOME": str(folder / "second")}, "serve"))
        until(lambda: web.get(f"{second}/readyz").status_code == 200)
        clients = [
            stack.enter_context(Client(Settings(backend_url=address, token=TOKEN), visitor=VISITOR))
            for address in (first, second)
        ]
        yield Two(clients[0], clients[1], (first, second), given, folder)


def test_what_one_takes_the_other_has(two: Two) -> None:
    name = two.first.upload(EDGES, "a.csv").name
    assert two.second.graph(name).num_nodes == 3
    assert two.first.graph(name).num_nodes == 3
    two.second.delete_dataset(name)
    for one in (two.first, two.second):
        with pytest.raises(DatasetError, match="not here"):
            one.graph(name)


def test_a_job_given_to_one_runs_on_the_other_and_its_model_is_on_both(two: Two) -> None:
    job = two.first.submit("train", **SMALL, max_epochs=2).id
    assert [event.kind for event in two.first.watch(job)][-1] == "done"
    kept = two.first.keep_model(job, "of-both").name
    answers = [one.classify("MAO:3", kept)[0].probabilities for one in (two.first, two.second)]
    assert answers[0] == answers[1]
    two.second.delete_model(kept)
    for one in (two.first, two.second):
        assert kept not in {model.name for model in one.models()}
        with pytest.raises(ModelError, match="there is no model"):
            one.classify("MAO:3", kept)
    database = Database(two.settings)
    with database.read() as db:
        rows = db.execute(
            select(tables.files.c.content, tables.files.c.object).where(tables.files.c.name == "model")
        )
        assert [(bytes(row.content), row.object is None) for row in rows] == [(b"", False)]
    database.close()
    assert any(path.is_file() for path in (two.folder / "objects").rglob("*"))
    two.first.delete_job(job)


def test_limits_are_those_of_both_together_and_a_cancel_at_one_ends_what_the_other_runs(two: Two) -> None:
    jobs = [
        one.submit("train", **SMALL, max_epochs=10**5, patience=10**5).id
        for one in (two.first, two.second, two.first)
    ]
    for one in (two.first, two.second):
        with pytest.raises(JobError, match="not finished yet"):
            one.submit("train", **SMALL)
    until(lambda: two.first.job(jobs[0]).progress.epoch)
    for job, place in zip(jobs, (None, 1, 2), strict=True):
        assert two.first.job(job).place == two.second.job(job).place == place
    two.first.cancel(jobs[1])
    two.first.cancel(jobs[0])
    until(lambda: two.first.job(jobs[0]).state == "cancelled")
    long = b"x" * 100
    half = b"".join(b"%s%d,%s%d\n" % (long, i, long, i + 1) for i in range(3000))
    two.first.upload(half, "half.csv")
    with pytest.raises(LimitError, match="delete some first"):
        two.second.upload(half, "other.csv")
    two.first.forget()
    assert (two.second.kept().jobs, two.second.kept().upload_bytes) == (0, 0)


def test_two_apps_take_the_same_visitors(two: Two) -> None:
    """The token that a browser entered at one opens the other; each asks a backend of its own."""
    with ExitStack() as stack:
        apps = []
        for name, backend in zip(("app-1", "app-2"), two.addresses, strict=True):
            own = {
                "MIVSPOOL_HOME": str(two.folder / name),
                "MIVSPOOL_BACKEND_URL": backend,
                "MIVSPOOL_TOKEN": TOKEN,
                "MIVSPOOL_APP_TOKEN": "the-token-of-both-apps",
            }
            apps.append(stack.enter_context(process(own, "app", "--no-browser")))
        for app in apps:
            until(lambda at=app: _answers(at))
        with httpx.Client() as browser:
            assert browser.get(apps[0]).status_code == 401
            entered = browser.post(apps[0], data={"token": "the-token-of-both-apps"})
            assert entered.status_code == 303
            (cookie,) = browser.cookies.jar
            for app in apps:
                host = urlsplit(app).netloc
                answer = browser.get(app, headers={"Host": host, "Cookie": f"{cookie.name}={cookie.value}"})
                assert answer.status_code == 200
                assert "<title>" in answer.text


def _answers(app: str) -> bool:
    try:
        return bool(web.get(f"{app}/_stcore/health").status_code == 200)
    except httpx.TransportError:
        return False
