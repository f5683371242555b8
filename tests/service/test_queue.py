"""Turns: whoever submits one job waits for one of each of the others, however many those have submitted."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings, strategies

from mivspool.service.states import DONE
from mivspool.service.store import Store
from tests.service.conftest import Make


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, make_settings: Make) -> Iterator[Store]:
    made = Store(make_settings(request.param, max_waiting_jobs=10**6, max_waiting_jobs_per_address=10**6))
    yield made
    made.close()


@pytest.fixture
def empty(store: Store) -> Store:
    _clear(store)
    return store


def _clear(store: Store) -> None:
    with store.database.write() as db:
        db.exec_driver_sql("DELETE FROM jobs")


def submit(store: Store, owner: str, address: str | None = None) -> str:
    return store.submit("train", {}, title="a test", owner=owner, address=address).id


def serve(store: Store) -> str:
    """One job from its turn to its end."""
    claim = store.claim("tester")
    assert claim is not None
    store.finish(claim, DONE)
    return claim.job


def owners(store: Store, count: int) -> list[str]:
    """Whose jobs come next."""
    found = []
    for _ in range(count):
        job = store.get(serve(store))
        assert job is not None
        found.append(job.owner)
    return found


def test_one_who_submits_many_waits_for_the_others(empty: Store) -> None:
    for _ in range(20):
        submit(empty, "greedy")
    assert owners(empty, 2) == ["greedy"] * 2
    for name in "abc":
        submit(empty, name)
    assert owners(empty, 5) == ["greedy", "a", "b", "c", "greedy"]
    submit(empty, "a")
    assert set(owners(empty, 2)) == {"a", "greedy"}


def test_made_up_names_have_one_turn_together(empty: Store) -> None:
    for i in range(20):
        submit(empty, f"made-up-{i}", "192.0.2.66")
    submit(empty, "ann", "192.0.2.1")
    submit(empty, "bob", "192.0.2.2")
    assert owners(empty, 4)[1:3] == ["ann", "bob"]


def test_a_class_behind_one_address_shares_its_turns(empty: Store) -> None:
    for _ in range(10):
        submit(empty, "greedy", "192.0.2.1")
    for name in ("ann", "bob"):
        submit(empty, name, "192.0.2.1")
    submit(empty, "other", "192.0.2.2")
    assert owners(empty, 5) == ["greedy", "other", "ann", "bob", "greedy"]


def test_who_comes_back_one_by_one_does_not_pass_who_waits(empty: Store) -> None:
    for _ in range(6):
        submit(empty, "patient")
    owners(empty, 3)
    served = []
    for _ in range(3):
        submit(empty, "again")
        served += owners(empty, 2)
    assert served.count("patient") == served.count("again") == 3


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
@settings(max_examples=15)
@given(
    steps=strategies.lists(
        strategies.none() | strategies.tuples(strategies.sampled_from("abc"), strategies.sampled_from("xyz")),
        max_size=25,
    )
)
def test_the_first_place_is_claimed_next(store: Store, steps: list[tuple[str, str] | None]) -> None:
    _clear(store)
    for step in steps:
        before = store.places()
        assert sorted(before.values()) == list(range(1, len(before) + 1))
        if step is not None:
            submit(store, *step)
        elif before:
            assert before[serve(store)] == 1


@pytest.mark.parametrize("store", ["sqlite"], indirect=True)
def test_a_job_that_is_given_back_keeps_its_turn(empty: Store) -> None:
    first, second = submit(empty, "ann"), submit(empty, "ann")
    claim = empty.claim("tester")
    assert claim is not None
    assert claim.job == first
    empty.give_back(claim, "killed")
    assert empty.places() == {first: 1, second: 2}
