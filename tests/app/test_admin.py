"""The Administration page: nothing without the administrator's token, which the backend checks."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from app import backend
from app.admin import words
from app.navigation import PAGES

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


def test_without_a_token_in_the_settings_nobody_enters(own_backend: Callable[[], None]) -> None:
    own_backend()
    page = enter(AppTest.from_function(_page, default_timeout=60).run(), "anything")
    assert "Nobody administers this backend" in page.error[0].value
    assert not page.dataframe


def test_the_menu_does_not_list_it() -> None:
    assert [entry.name for entry in PAGES if entry.hidden] == ["admin"]
