"""What a component tells just before a link is followed is heard, and its callback runs to its end.

Where a run takes long, Streamlit makes one request of both, and has forgotten the component when it calls its callback.
Where it does not, the link's request would end the run of the first before its callbacks, or in the middle of one.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from tests.hosted import page_runs

pytestmark = pytest.mark.browser

# a run of "first" in which "busy" was told takes as long as told, and looks at no request meanwhile; a callback that
# hears "slowly" takes a while; where "again" was told it asks for another run, after as long
SCRIPT = """
import time
from functools import partial

import streamlit as st

from app.server.streamlit_internals import told

component = st.components.v2.component(
    "teller",
    html="<p>ready</p>",
    js="export default ({ setTriggerValue }) => { window.tell = setTriggerValue; }",
)


def hear(name):
    word = told("teller", name)
    time.sleep(0.5 if word == "slowly" else 0)
    st.session_state[name] = word


@st.fragment
def teller():
    component(key="teller", **{f"on_{name}_change": partial(hear, name) for name in ("word", "busy", "again")})
    time.sleep(st.session_state.pop("busy", 0))
    if again := st.session_state.pop("again", 0):
        time.sleep(again)
        st.rerun()


def first():
    teller()


def second():
    st.write("heard", st.session_state.get("word"))


st.navigation([st.Page(first, default=True), st.Page(second)]).run()
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with page_runs(SCRIPT, tmp_path_factory.mktemp("pages")) as found:
        yield found


def opened(page: Any) -> Any:
    page.goto("/")
    page.get_by_text("ready").wait_for()
    page.wait_for_function("() => Boolean(window.tell)")
    return page.get_by_role("link", name="second")


def test_while_a_run_takes_long(page: Any) -> None:
    link = opened(page)
    page.evaluate("tell('busy', 1.5)")
    page.wait_for_timeout(300)
    page.evaluate("tell('word', 'bird')")
    page.wait_for_timeout(100)
    link.click()
    page.get_by_text("heard bird").wait_for()


def test_while_the_callback_takes_long(page: Any) -> None:
    link = opened(page)
    page.evaluate("tell('word', 'slowly')")
    page.wait_for_timeout(200)
    link.click()
    page.get_by_text("heard slowly").wait_for()


def test_a_link_is_followed_though_the_page_asks_for_another_run_of_its_own(page: Any) -> None:
    link = opened(page)
    page.evaluate("tell('again', 1)")
    page.wait_for_timeout(300)
    link.click()
    page.get_by_text("heard").wait_for()


def test_a_link_is_followed_though_a_part_of_the_page_that_was_left_tells_something_after_it(
    page: Any,
) -> None:
    link = opened(page)
    page.evaluate("tell('busy', 1.5)")
    page.wait_for_timeout(300)
    link.click()
    page.evaluate("tell('word', 'late')")
    page.get_by_text("heard late").wait_for()


def test_at_the_same_moment(page: Any) -> None:
    for turn in range(20):
        link = opened(page)
        link.evaluate(
            "(link, turn) => { tell('word', turn); setTimeout(() => link.click(), 0); }", f"bird {turn}"
        )
        page.get_by_text(f"heard bird {turn}").wait_for()
