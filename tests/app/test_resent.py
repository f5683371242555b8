"""What is shown again is shown, however late the browser hears of the runs before.

Streamlit does not send a large message again that the browser says it has. But the browser drops a message that a few
runs did without, and where an answer takes its time it asks for the next run before it hears of the one that makes it
drop the message: then it was told of a message it no longer had, and stopped with "Connection error".
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from mivspool.settings import STREAMLIT
from tests.app.browser import slow
from tests.hosted import page_runs

pytestmark = pytest.mark.browser

SCRIPT = """
import streamlit as st

from app.server import streamlit_internals

component = st.components.v2.component(
    "asker",
    html="<p>ready</p>",
    js="export default ({ setTriggerValue }) => { window.show = (name) => setTriggerValue('name', name); }",
)
name = component(key="asker", on_name_change=lambda: None).name
st.text(f"{name} " * (10_000 if name == "large" else 1))
"""
LATER = 200  # milliseconds until the browser hears what the server says
AGE = int(STREAMLIT["global.maxCachedMessageAge"])


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    with page_runs(SCRIPT, tmp_path_factory.mktemp("pages"), slow(0, LATER)) as found:
        yield found


def opened(page: Any) -> None:
    page.goto("/")
    page.wait_for_function("() => Boolean(window.show)")


def shown(page: Any, name: str) -> None:
    page.evaluate(f"show('{name}')")
    page.get_by_test_id("stText").filter(has_text=name).wait_for()


# the browser hears late of the run by which one of these makes it drop the message
@pytest.mark.parametrize("others", [AGE - 2, AGE - 1, AGE])
def test_what_some_runs_did_without_is_shown_again_over_a_slow_network(page: Any, others: int) -> None:
    opened(page)
    shown(page, "large")
    for turn in range(others):
        shown(page, f"small {turn}")
    page.evaluate("show('another')")
    page.wait_for_timeout(LATER / 4)
    shown(page, "large")
    assert not page.get_by_text("Connection error").count()


def test_what_was_shown_just_before_is_not_sent_again(page: Any) -> None:
    got: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda frame: got.append(len(frame))))
    opened(page)
    for name in ("large", "small"):
        shown(page, name)
    assert sum(got) > 50_000
    got.clear()
    shown(page, "large")
    assert 0 < sum(got) < 10_000
