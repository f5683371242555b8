"""The record of a job in the database: read on from any epoch, thinned out, and written again after a resume."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mivspool.learning import record as records
from mivspool.learning.record import Record, Watch
from mivspool.learning.training import train
from mivspool.service import recorded
from mivspool.service.backend import Backend
from mivspool.service.jobs_schemas import TrainRequest
from mivspool.service.states import DONE
from mivspool.service.store import Claim, Job, Store
from tests.service.backends import connected, until
from tests.service.conftest import Make


def entry(epoch: int) -> dict[str, Any]:
    score = [epoch / 7, 0.25]
    level = {"score": score, **({"head": [0, 0]} if epoch % 5 == 0 else {})}
    return {"epoch": epoch, "graphs": [{"loss": 0.5, "probabilities": [0.5], "levels": [level]}]}


def begun(store: Store) -> tuple[Claim, Job]:
    job = store.submit("train", {}, title="a training")
    claim = store.claim("this test")
    assert claim is not None
    return claim, job


def states(entries: list[dict[str, Any]]) -> dict[int, Any]:
    whole = Record([{"name": "g"}], ["0"], entries)
    return {epoch: json.loads(json.dumps(state)) for epoch, state in whole.states()}


def test_a_record_is_read_on_from_any_epoch(make_settings: Make) -> None:
    store = Store(make_settings(workers=0))
    claim, job = begun(store)
    assert recorded.load(store, job, -1)["graphs"] == []
    record = Record([{"name": "g"}], ["0"])
    told: list[dict[str, Any]] = []
    for epoch in range(201):
        record.add(entry(epoch), best=3)
        if epoch % 9 == 0:
            recorded.save(store, claim, record)
            told += recorded.load(store, job, told[-1]["epoch"] if told else -1)["entries"]
    recorded.save(store, claim, record)
    whole = recorded.load(store, job, -1)
    assert whole["entries"] == record.entries
    assert (whole["last"], whole["every"], whole["classes"]) == (200, 1, ["0"])
    assert told == [one for one in record.entries if one["epoch"] <= 198]
    for after in (0, 62, 63, 64, 127, 199):
        assert recorded.load(store, job, after)["entries"] == record.entries[after + 1 :]
    assert recorded.load(store, job, 200)["last"] == 200
    store.close()


def test_a_record_that_is_thinned_out_leaves_nothing_behind(make_settings: Make, monkeypatch: Any) -> None:
    monkeypatch.setattr(records, "MOST_VALUES", 400)
    store = Store(make_settings(workers=0))
    claim, job = begun(store)
    record, plain = Record([{"name": "g"}], ["0"]), []
    for epoch in range(500):
        plain.append(entry(epoch))
        if epoch % record.every and epoch != 151:
            continue
        record.add(entry(epoch), best=151 if epoch >= 151 else 0)
        recorded.save(store, claim, record)
    found = recorded.load(store, job, -1)
    assert found["every"] == record.every > 1
    assert found["entries"] == record.entries
    assert 151 in record.epochs
    whole = states(plain)
    assert states(found["entries"]) == {epoch: whole[epoch] for epoch in record.epochs}
    store.close()


def test_after_a_resume_later_epochs_are_replaced(make_settings: Make) -> None:
    store = Store(make_settings(workers=0))
    claim, job = begun(store)
    record = Record([{"name": "g"}], ["0"])
    for epoch in range(130):
        record.add(entry(epoch), best=0)
    recorded.save(store, claim, record)
    again = Record.from_dict({**record.to_dict(), "entries": record.entries[:70]})
    again.add(entry(70), best=0)
    recorded.save(store, claim, again)
    assert recorded.load(store, job, -1)["entries"] == again.entries
    store.close()


@pytest.mark.slow
def test_a_training_whose_process_is_killed_leaves_the_record_of_one_that_is_not(make_settings: Make) -> None:
    """The record had gone on since the checkpoint: what came after it comes again, and nothing is lost or doubled."""
    held: list[Backend] = []
    asked: dict[str, Any] = {"dataset": "MAO", "blocks": 2, "hidden": 16, "max_epochs": 800, "patience": 800}
    settings = make_settings(workers=1, checkpoint_seconds=0.5)
    with connected("in-process", settings, on_backend=held.append) as client:
        job = client.submit("train", **asked).id

        def entries() -> list[dict[str, Any]]:
            found: list[dict[str, Any]] = client.record(job)["entries"]
            return found

        until(lambda: held[0].store.names(job, "checkpoint:"))
        kept = len(entries())
        until(lambda: len(entries()) > kept)
        seen = entries()
        runner: Any = held[0].runner
        [worker] = runner._children
        worker.process.kill()
        until(lambda: client.job(job).state == DONE)
        assert client.job(job).attempt == 2
        found = entries()
    undisturbed = train(TrainRequest(kind="train", **asked).run(), watch=Watch()).record
    assert undisturbed is not None
    assert undisturbed.epochs == list(range(801))
    assert found == undisturbed.entries
    assert 1 < len(seen) < 801
    assert seen == found[: len(seen)]
