"""When a job is expected to begin: the queue played through with the durations of jobs like those in it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import update

from mivspool.service.backend import Backend
from mivspool.service.expected import Durations, Expectation, expected_starts
from mivspool.service.states import DONE
from mivspool.service.store import TIMED, Timed, Times
from mivspool.service.tables import jobs, now
from tests.service.backends import connected
from tests.service.conftest import Make


def job(name: str, seconds: float = 0.0, runs: int = 1, **request: str) -> Timed:
    known: dict[str, str | None] = dict.fromkeys(TIMED)
    return Timed(name, known | {"dataset": "MAO", "method": "mivspool"} | request, runs, seconds)


def test_a_job_lasts_as_long_as_those_that_are_most_like_it() -> None:
    known = Durations(
        [
            job("a", 10.0, max_epochs="50"),
            job("b", 30.0, max_epochs="500"),
            job("c", 100.0, dataset="PROTEINS"),
            job("d", 400.0, runs=4, dataset="PROTEINS", method="gpool"),
        ]
    )
    assert known.of(job("x", max_epochs="50")) == 10
    assert known.of(job("x", max_epochs="100")) == 20, "the median of those with this method on this data set"
    assert known.of(job("x", method="gpool")) == 20, "of those on this data set"
    assert known.of(job("x", dataset="NCI1")) == 65, "of all"
    assert known.of(job("x", max_epochs="50", runs=3)) == 30, "each run takes its time"


def test_a_queue_is_played_through_by_hand() -> None:
    done = [job("done", 100.0)]
    waiting = [job("a"), job("b", runs=2), job("c"), job("d")]
    times = Times(waiting, [job("r", 30.0), job("s", 80.0)], done)
    # r is done in 70 s, s in 20: a begins at 20 and ends at 120, b from 70 to 270, c at 120, d at 220
    assert expected_starts(times, ["a", "b", "c", "d"], 2) == {"a": 20, "b": 70, "c": 120, "d": 220}


def test_what_has_taken_longer_than_usual_ends_at_any_moment() -> None:
    times = Times([job("a")], [job("r", 500.0)], [job("done", 100.0)])
    assert expected_starts(times, ["a"], 1) == {"a": 0}


def test_nothing_is_said_where_nothing_is_known() -> None:
    assert expected_starts(Times([job("a")], [], []), ["a"], 1) == {}
    assert expected_starts(Times([job("a")], [], [job("done", 10.0)]), ["a"], 0) == {}, (
        "nothing runs jobs here"
    )


SECONDS = st.floats(0.1, 1e4)


@given(
    st.lists(SECONDS, min_size=1, max_size=9),
    st.lists(SECONDS, max_size=4),
    st.lists(st.integers(1, 5), max_size=12),
    st.integers(1, 4),
)
def test_later_in_the_queue_is_never_earlier(
    done: Sequence[float], running: Sequence[float], runs: Sequence[int], at_once: int
) -> None:
    waiting = [job(f"w{i}", runs=number) for i, number in enumerate(runs)]
    order = [one.id for one in waiting]
    times = Times(
        waiting,
        [job(f"r{i}", seconds) for i, seconds in enumerate(running)],
        [job(f"d{i}", seconds) for i, seconds in enumerate(done)],
    )
    found = expected_starts(times, order, at_once)
    assert list(found) == order
    starts = list(found.values())
    assert starts == sorted(starts)
    assert all(start >= 0 for start in starts)
    more = expected_starts(times, order, max(at_once, len(running)) + 1)
    assert all(more[name] <= found[name] for name in order), "another worker makes nobody wait longer"


def test_many_who_ask_cost_one_look() -> None:
    looks: list[int] = []

    def times() -> Times:
        looks.append(1)
        return Times([job("a")], [], [job("done", 10.0)])

    asked = Expectation(times, 1)
    assert {asked.ask(["a"])["a"] for _ in range(100)} == {0.0}
    assert len(looks) == 1


@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_a_job_that_waits_says_when_it_is_expected_to_begin(make_settings: Make, database: str) -> None:
    found: list[Backend] = []
    with connected("http", make_settings(database), on_backend=found.append, run_jobs=False) as client:
        store = found[0].store
        found[0]._expectation = Expectation(store.times, 1)  # as where a job runs at once
        done, first, second = (client.submit("train", dataset="MAO") for _ in range(3))
        assert done.place == 1
        assert done.expected_start is None, "no job was done yet"
        held = store.claim("tester", done.id)
        assert held is not None
        with store.database.write() as db:
            db.execute(update(jobs).where(jobs.c.id == done.id).values(begun=now() - 1000.0))
        store.finish(held, DONE, result={"runs": 1})
        third = client.submit("train", dataset="MAO", max_epochs=7)
        starts = [client.job(one.id).expected_start for one in (first, second, third)]
        assert starts == pytest.approx([0, 1000, 2000], abs=200)
        assert client.job(done.id).expected_start is None
        client.cancel(second.id)
        assert client.job(second.id).expected_start is None
