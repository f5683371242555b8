"""What a page has set stays, however late its browser hears of it.

A browser sends the values of all widgets with each request. Where it has not heard yet that the page has set one,
Streamlit takes the older value for a choice: the page's callback runs, and what was set is taken back.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.app.browser import slow
from tests.hosted import page_runs

pytestmark = pytest.mark.browser

# "set" sets the menu; ``chosen`` is what the person chose, as far as the page knows
SCRIPT = """
import streamlit as st

from app.server.streamlit_internals import told

component = st.components.v2.component(
    "teller",
    html="<p>ready</p>",
    js="export default ({ setTriggerValue }) => { window.tell = (word) => setTriggerValue('word', word); }",
)
st.session_state.setdefault("kept", "a")
st.session_state.setdefault("chosen", "")


def choose():
    st.session_state.kept = st.session_state.menu
    st.session_state.chosen += st.session_state.menu


def hear():
    if told("teller", "word") == "set":
        st.session_state.kept = "b"


@st.fragment(run_every=0.3)
def polls():
    st.text("polled")


def first():
    st.session_state.menu = st.session_state.kept
    st.radio("menu", ["a", "b", "c"], key="menu", on_change=choose)
    component(key="teller", on_word_change=hear)
    if "polls" in st.query_params:
        polls()


def second():
    pass


st.navigation([st.Page(first, default=True), st.Page(second)]).run()
st.text(f"kept {st.session_state.kept}, chosen {st.session_state.chosen or 'nothing'}")
"""
LATE = 600  # milliseconds until the browser hears what the server says


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with page_runs(SCRIPT, tmp_path_factory.mktemp("pages"), slow(0, LATE)) as found:
        yield found


def opened(page: Any, link: str = "/") -> None:
    page.goto(link)
    page.get_by_text("ready").wait_for()
    page.wait_for_function("() => Boolean(window.tell)")
    page.evaluate("tell('nothing')")
    page.wait_for_timeout(3 * LATE)
    page.evaluate("tell('set')")
    page.wait_for_timeout(LATE / 3)  # the page has set the menu, and the browser has not heard


def rests(page: Any, text: str) -> None:
    page.get_by_text(text).wait_for()
    page.wait_for_timeout(3 * LATE)
    page.get_by_text(text).wait_for()


def test_whatever_else_is_told(page: Any) -> None:
    opened(page)
    page.evaluate("tell('other')")
    rests(page, "kept b, chosen nothing")
    page.get_by_role("radio", name="b").and_(page.locator(":checked")).wait_for(state="attached")


def test_whichever_link_is_followed(page: Any) -> None:
    opened(page)
    page.get_by_role("link", name="second").click()
    rests(page, "kept b, chosen nothing")


def test_whatever_asks_by_itself(page: Any) -> None:
    opened(page, "/?polls")
    page.wait_for_timeout(2 * LATE)
    page.evaluate("tell('other')")  # a part that polls does not show what is kept
    rests(page, "kept b, chosen nothing")


def test_and_a_choice_is_a_choice_also_of_what_the_browser_sent_last(page: Any) -> None:
    opened(page)
    rests(page, "kept b, chosen nothing")
    page.get_by_text("a", exact=True).click()
    rests(page, "kept a, chosen a")
    page.get_by_text("c", exact=True).click()
    page.evaluate("tell('other')")
    rests(page, "kept c, chosen ac")
    page.get_by_text("b", exact=True).click()
    page.wait_for_timeout(LATE / 3)
    page.get_by_role("link", name="second").click()
    rests(page, "kept b, chosen acb")


def test_a_choice_stays_though_the_page_had_set_another_just_before(page: Any) -> None:
    opened(page)
    page.get_by_text("c", exact=True).click()
    rests(page, "kept c, chosen c")
    page.get_by_role("radio", name="c").and_(page.locator(":checked")).wait_for(state="attached")
    page.evaluate("tell('other')")
    rests(page, "kept c, chosen c")
