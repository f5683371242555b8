"""The Administration page: nothing without the administrator's token, which the backend checks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from app import backend
from app.admin import page as admin_page
from app.admin import words
from app.navigation import PAGES
from mivspool.errors import AccessError, UnavailableError
from mivspool.messages import fill
from mivspool.service.administration import Administration

TOKEN = "the-administrator-of-the-tests"


def _page() -> None:
    from app.admin.page import page

    page()


@pytest.fixture
def job(own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MIVSPOOL_ADMIN_TOKEN", TOKEN)
    own_backend()
    return backend._client().submit("train", dataset="MAO").id


def enter(page: AppTest, token: str) -> AppTest:
    page.text_input[0].input(token)
    page.button[0].click()
    return page.run()


def test_it_shows_nothing_to_whoever_has_not_the_token(job: str) -> None:
    page = AppTest.from_function(_page, default_timeout=60).run()
    assert not page.dataframe
    for wrong in ("wrong", " ", "schlüssel"):
        enter(page, wrong)
        assert not page.exception
        assert "administrator's token" in page.error[0].value
        assert not page.dataframe
    enter(page, TOKEN)
    assert not page.exception
    assert not page.error
    jobs, visitors = page.dataframe
    assert list(jobs.value[words.COLUMN_JOB]) == [job]
    assert list(visitors.value[words.COLUMN_VISITOR]) == ["everyone"]
    page.button[0].click().run()
    assert not page.dataframe


def opened(page: AppTest) -> AppTest:
    enter(page, TOKEN)
    assert not page.exception
    return page


def select(page: AppTest, table: int, *rows: int) -> AppTest:
    """Select these rows of a table, as a click on each does."""
    key = page.dataframe[table].proto.id.split("-", 2)[2]
    page.session_state[key] = {"selection": {"rows": list(rows), "columns": [], "cells": []}}
    return page.run()


def press(page: AppTest, label: str) -> AppTest:
    (button,) = (one for one in page.button if one.label == label)
    return button.click().run()


def listed(page: AppTest) -> list[str]:
    return list(page.dataframe[0].value[words.COLUMN_JOB])


@pytest.mark.parametrize("label", [words.CANCEL, words.DELETE])
def test_what_is_pressed_is_done_to_what_was_selected_wherever_it_stands_by_then(
    job: str, label: str
) -> None:
    page = opened(AppTest.from_function(_page, default_timeout=60).run())
    select(page, 0, 0)
    later = backend._client().submit("train", dataset="MAO").id  # above it
    press(page, fill(label, n=1))
    assert not page.exception
    left = {one.id: one.state for one in backend._client().jobs()}
    assert left[later] == "queued"
    assert left.get(job) == (None if label == words.DELETE else "interrupted")


def test_a_visitor_stays_selected_wherever_the_list_has_it(
    own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIVSPOOL_ADMIN_TOKEN", TOKEN)
    monkeypatch.setenv("MIVSPOOL_SEPARATE_VISITORS", "true")
    own_backend()
    ann, bob = (backend._client().for_visitor(name * 16) for name in "ab")
    ann.upload(b"a,b\nb,c\n", "a.csv")
    page = opened(AppTest.from_function(_page, default_timeout=60).run())
    select(page, 0, 0)
    bob.upload(b"a,b\nb,c\nc,d\n", "b.csv")  # who keeps most is first
    press(page, words.FORGET_SURE)
    assert (ann.kept().uploads, bob.kept().uploads) == (0, 1)


def test_states_are_asked_of_the_backend(job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The newest jobs of a state need not be among the newest of all."""
    monkeypatch.setattr(admin_page, "_MOST", 1)
    page = opened(AppTest.from_function(_page, default_timeout=60).run())
    newer = backend._client().submit("train", dataset="MAO").id
    backend._client().cancel(newer)
    assert listed(page.run()) == [newer]
    page.get("button_group")[0].set_value(["queued"]).run()
    assert listed(page) == [job]


def test_only_who_is_refused_is_logged_out(job: str, monkeypatch: pytest.MonkeyPatch) -> None:
    page = opened(AppTest.from_function(_page, default_timeout=60).run())

    def away(*_: object) -> None:
        raise UnavailableError("the job database does not answer")

    with monkeypatch.context() as patch:
        patch.setattr(Administration, "visitors", away)
        page.run()
        assert "does not answer" in page.error[0].value
        assert not page.dataframe
        assert [one.label for one in page.button] == [words.LEAVE]
    assert listed(page.run()) == [job]

    def refused(*_: object) -> None:
        raise AccessError("this needs the administrator's token")

    with monkeypatch.context() as patch:
        patch.setattr(Administration, "visitors", refused)
        page.run()
        assert not page.dataframe
    assert not page.run().dataframe


def test_without_a_token_in_the_settings_nobody_enters(own_backend: Callable[[], None]) -> None:
    own_backend()
    page = enter(AppTest.from_function(_page, default_timeout=60).run(), "anything")
    assert "Nobody administers this backend" in page.error[0].value
    assert not page.dataframe


def test_the_menu_does_not_list_it() -> None:
    assert [entry.name for entry in PAGES if entry.hidden] == ["admin"]
