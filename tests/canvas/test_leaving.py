"""What a person did on a canvas is told before a link is followed, and nothing is told afterwards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

import mivspool
from mivspool.canvas import notebook, script, style
from mivspool.canvas.payload import trace_data
from tests.app.browser import chromium

pytestmark = pytest.mark.browser

# a page with a canvas and links; EVENTS: what Python is told, and what the page itself would hear of. Streamlit sends
# what it is told as soon as the browser has nothing else to do, and what a click asks for at once.
_PAGE = """<!doctype html><style>{style}</style><body><main></main>
<a id="page" href="other.html">Another page</a> <a id="own" href="#here">This page</a>
<a id="tab" href="other.html" target="_blank">Another tab</a> <button id="button">A widget</button>
<script>
"use strict";
window.EVENTS = [];
(() => {{
  {script}
  const say = (name) => (value) => EVENTS.push([name, value]);
  const send = (name, value) => setTimeout(() => say(name)(value), 0);
  const component = {{ parentElement: document.querySelector("main"), data: {data} }};
  window.LEAVE = mount({{ ...component, setStateValue: send, setTriggerValue: send }}, SETTINGS);
  const {{ store }} = component.parentElement.querySelector(".mivspool");
  window.act = (type, more) => store.dispatch({{ type, ...more }});
  document.addEventListener("click", (event) => {{
    event.preventDefault();
    if (event.target.id) say("followed")(event.target.id);
  }});
}})();
</script></body>"""


@pytest.fixture(scope="module")
def pages() -> Iterator[Any]:
    """Opens a page with one canvas."""
    level = mivspool.step(mivspool.open_source("karate"), "degree")[0]
    options = {"layout": "full", "height": 300, "labels": "id", "scores": True, "keys": True, "mode": "edit"}
    data = {
        "trace": trace_data(level, notebook._places(level)),
        "options": options,
        "start": {"step": 0, "vertex": -1, "n": 1},
    }
    text = _PAGE.format(style=style(), script=script(), data=json.dumps(data).replace("</", "<\\/"))
    with chromium() as browser:
        context = browser.new_context()
        context.route("**", lambda route: route.fulfill(body=text, content_type="text/html"))
        yield context


@pytest.fixture
def page(pages: Any) -> Iterator[Any]:
    found = pages.new_page()
    found.goto("http://canvas.test/page.html")
    found.set_default_timeout(10_000)
    yield found
    found.close()


def names(page: Any) -> list[str]:
    found: list[str] = page.evaluate("EVENTS.map(([name]) => name)")
    return found


CHOOSE = "act('select', { vertex: 3 })"
CHANGE = f"{CHOOSE}; act('remove')"
ASK = [
    "act('request', { value: { level: 0 } })",
    "act('request', { value: { another: 'harder' } })",
]
LATER = 700  # ms: longer than a cursor or a change rests


@pytest.mark.parametrize("by", ["pointer", "key"])
@pytest.mark.parametrize(("act", "said"), [(CHOOSE, "cursor"), (CHANGE, "edited")])
def test_what_was_done_is_told_before_a_link_is_followed(page: Any, act: str, said: str, by: str) -> None:
    page.locator("#page").focus()
    page.evaluate(act)
    if by == "key":
        page.locator("#page").press("Enter")
    else:
        page.locator("#page").click()
    page.wait_for_function("EVENTS.some(([name]) => name === 'followed')")
    assert names(page) == [said, "followed"]


@pytest.mark.parametrize(("act", "said"), [(CHOOSE, "cursor"), (CHANGE, "edited")])
def test_a_busy_browser_sends_what_was_done_before_it_follows_a_link(page: Any, act: str, said: str) -> None:
    """It hears of a click before it sends what was told when the button went down."""
    page.evaluate(act)
    page.locator("#page").evaluate(
        """(link) => {
          link.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true, composed: true }));
          for (const end = performance.now() + 200; performance.now() < end; );
          link.click();
        }"""
    )
    page.wait_for_function("EVENTS.some(([name]) => name === 'followed')")
    page.wait_for_timeout(100)
    assert names(page) == [said, "followed"]


@pytest.mark.parametrize("act", [CHOOSE, CHANGE, *ASK])
def test_nothing_is_told_after_a_link_was_followed(page: Any, act: str) -> None:
    page.locator("#page").click()
    page.evaluate(act)
    page.locator("#button").click()
    page.wait_for_timeout(LATER)
    assert names(page) == ["followed", "followed"]


@pytest.mark.parametrize("link", ["own", "tab"])
@pytest.mark.parametrize(("act", "said"), [(CHOOSE, "cursor"), (CHANGE, "edited")])
def test_a_link_that_leads_nowhere_else_changes_nothing(page: Any, act: str, said: str, link: str) -> None:
    page.locator(f"#{link}").click()
    page.evaluate(act)
    page.wait_for_function(f"EVENTS.some(([name]) => name === '{said}')")


def test_a_page_that_comes_back_is_heard_again(page: Any) -> None:
    page.locator("#page").click()
    page.evaluate("window.dispatchEvent(new Event('pageshow'))")
    page.evaluate(CHOOSE)
    page.wait_for_function("EVENTS.some(([name]) => name === 'cursor')")


def test_a_page_that_is_another_one_by_history_is_told_nothing(page: Any) -> None:
    page.evaluate("history.pushState(null, '', 'other.html')")
    page.evaluate(CHOOSE)
    page.wait_for_timeout(LATER)
    assert names(page) == []
