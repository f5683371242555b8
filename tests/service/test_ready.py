"""A process that waits for a job does it as any other would, and none is left behind."""

from __future__ import annotations

import psutil

from mivspool.service import runner as runners
from mivspool.service.runner import LocalRunner
from mivspool.service.store import Store
from mivspool.service.uploads import Uploads
from tests.service.backends import until
from tests.service.conftest import Make

SMALL = {"kind": "train", "dataset": "MAO", "blocks": 1, "hidden": 8, "max_epochs": 2}


def test_a_job_is_done_by_the_process_that_was_ready(make_settings: Make) -> None:
    store = Store(make_settings())
    runner = LocalRunner(store, Uploads(store.database, store.settings))
    runner.prepare()
    runner.prepare()
    assert runner._spare is not None
    ready = runner._spare.process.pid
    job = store.submit("train", SMALL, title="a training")
    claim = store.claim("this test")
    assert claim is not None
    runner.begin(claim)
    assert [child.process.pid for child in runner._children] == [ready]
    until(lambda: (runner.poll(), (found := store.get(job.id)) and found.state == "done")[1])
    until(lambda: (runner.poll(), runner._spare)[1])  # for the next one
    spare = psutil.Process(runner._spare.process.pid)
    runner.end_all()
    assert not spare.is_running()
    store.close()


def test_a_process_that_nobody_needs_ends(make_settings: Make) -> None:
    store = Store(make_settings())
    runner = LocalRunner(store, Uploads(store.database, store.settings))
    runner.prepare()
    assert runner._spare is not None
    spare = psutil.Process(runner._spare.process.pid)
    assert runner._asked is not None
    runner._asked -= runners.READY_SECONDS + 1
    runner.poll()
    assert runner._spare is None
    assert not spare.is_running()
    runner.end_all()
    store.close()


def test_one_that_ends_by_itself_is_not_replaced_until_somebody_asks(make_settings: Make) -> None:
    store = Store(make_settings())
    runner = LocalRunner(store, Uploads(store.database, store.settings))
    runner.prepare()
    assert runner._spare is not None
    runner._spare.process.kill()
    until(lambda: (runner.poll(), runner._spare is None)[1])
    runner.poll()
    assert runner._spare is None
    runner.prepare()
    assert runner._spare is not None
    runner.end_all()
    store.close()


def test_none_is_ready_where_no_jobs_run(make_settings: Make) -> None:
    store = Store(make_settings(workers=0))
    runner = LocalRunner(store, Uploads(store.database, store.settings))
    runner.prepare()
    assert runner._spare is None
    runner.end_all()
    store.close()
