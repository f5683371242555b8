"""A graph that is changed stays under the pointer, whatever the page around it or a busy machine does meanwhile."""

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

# a canvas between what stands above it and what stands below; answer(): Python's answer to the last change
_PAGE = """<!doctype html><style>{style} #above {{ height: 100px }} #below {{ height: 2000px }}</style><body>
<div id="above"><button id="other">A widget</button></div><main></main><div id="below"></div>
<script>
"use strict";
(() => {{
  {script}
  const told = [];
  const component = {{ parentElement: document.querySelector("main"), setStateValue: () => {{}} }};
  const setTriggerValue = (name, value) => told.push(value);
  const data = {data};
  const show = (given) => mount({{ ...component, setTriggerValue, data: {{ ...data, ...given }} }}, SETTINGS);
  show({{}});
  window.TOLD = told;
  window.answer = () => {{
    const {{ token, n }} = told.at(-1);
    show({{ trace: {{ ...data.trace, id: `answer ${{n}}` }}, edit: {{ token, n }} }});
  }};
  const stage = component.parentElement.querySelector(".stage");
  const {{ store }} = component.parentElement.querySelector(".mivspool");
  Object.defineProperty(window, "CANVAS", {{ get: () => ({{ ...store.state, stage, view: stage.view }}) }});
}})();
</script></body>"""


@pytest.fixture(scope="module")
def context() -> Iterator[Any]:
    """Pages with one canvas, on which the karate club is changed."""
    level = mivspool.step(mivspool.open_source("karate"), "degree")[0]
    options = {"layout": "full", "height": 300, "labels": "id", "scores": True, "keys": True, "mode": "edit"}
    data = {
        "trace": trace_data(level, notebook._places(level)),
        "options": options,
        "start": {"step": 0, "vertex": -1, "n": 1},
    }
    text = _PAGE.format(style=style(), script=script(), data=json.dumps(data).replace("</", "<\\/"))
    with chromium() as browser:
        made = browser.new_context(viewport={"width": 1280, "height": 800})
        made.route("**", lambda route: route.fulfill(body=text, content_type="text/html"))
        yield made


@pytest.fixture
def page(context: Any) -> Iterator[Any]:
    opened = context.new_page()
    opened.goto("http://canvas.test/")
    opened.wait_for_function("() => CANVAS.view && CANVAS.view.drawn")
    yield opened
    opened.close()


def top(page: Any) -> float:
    """Where the graph begins in the window, when what was changed has been drawn."""
    return float(
        page.evaluate(
            """async () => {
              for (let i = 0; i < 4; i++) await new Promise(requestAnimationFrame);
              return CANVAS.stage.getBoundingClientRect().top;
            }"""
        )
    )


def grows(page: Any, height: int) -> None:
    """What stands above the canvas takes so many pixels from now on."""
    page.evaluate(f"document.querySelector('#above').style.height = '{height}px'")


def at(page: Any, vertex: int) -> tuple[float, float]:
    x, y = page.evaluate(
        f"(() => {{ const {{ left, top }} = CANVAS.stage.getBoundingClientRect(); const {{ view }} = CANVAS;"
        f" return [left + view.sx({vertex}), top + view.sy({vertex})]; }})()"
    )
    return x, y


@pytest.mark.parametrize("press", ["pointer", "key"])
def test_what_is_changed_stays_where_it_is_when_the_page_above_it_changes(page: Any, press: str) -> None:
    if press == "pointer":
        page.mouse.click(*at(page, 5))
    else:
        page.locator(".stage").focus()
        page.keyboard.press("a")
    before = top(page)
    for height in (153, 90, 400, 100):
        grows(page, height)
        assert top(page) == pytest.approx(before, abs=1)
    page.evaluate(
        "document.querySelector('#above').prepend(Object.assign(document.createElement('p'), {textContent: 'x'}))"
    )
    assert top(page) == pytest.approx(before, abs=1)
    page.mouse.wheel(0, 60)  # a page that is scrolled scrolls
    page.wait_for_function("before => CANVAS.stage.getBoundingClientRect().top === before - 60", arg=before)
    grows(page, 180)
    assert top(page) == pytest.approx(before - 60, abs=1)


def test_what_is_changed_stays_where_it_is_in_a_page_that_is_scrolled(page: Any) -> None:
    """The browser would hold what comes first in the window: something of what is exchanged above the canvas."""
    grows(page, 400)
    page.evaluate("document.querySelector('#above').innerHTML = '<p>one</p>'.repeat(12)")
    page.mouse.wheel(0, 100)
    page.wait_for_function("() => document.scrollingElement.scrollTop === 100")
    page.mouse.click(*at(page, 5))
    before = top(page)
    page.evaluate("document.querySelector('p').style.height = '69px'")
    assert top(page) == pytest.approx(before, abs=1)
    grows(page, 387)
    assert top(page) == pytest.approx(before, abs=1)


def test_a_press_elsewhere_lets_it_go(page: Any) -> None:
    page.mouse.click(*at(page, 5))
    page.locator("#other").click()
    before = top(page)
    grows(page, 153)
    assert top(page) == pytest.approx(before + 53, abs=1)


def test_an_edge_that_is_drawn_while_the_page_changes_ends_where_it_was_aimed(page: Any) -> None:
    page.mouse.dblclick(*at(page, 16))
    page.locator(".stage").focus()
    page.keyboard.press("a")
    page.wait_for_function("() => TOLD.length === 1")
    start, end = at(page, 34), at(page, 25)
    page.keyboard.down("Shift")
    page.mouse.move(*start)
    page.mouse.down()
    grows(page, 153)
    page.evaluate("answer()")
    page.mouse.move(*end, steps=3)
    page.mouse.up()
    page.keyboard.up("Shift")
    assert page.evaluate("[...CANVAS.trace.neighbours(34)]") == [25]


@pytest.mark.parametrize("answered", [False, True])
def test_a_vertex_that_is_dragged_goes_where_it_is_put(page: Any, answered: bool) -> None:
    page.mouse.click(*at(page, 5))
    page.keyboard.press("+")
    page.wait_for_function("() => TOLD.length === 1")
    x, y = at(page, 5)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 10, y + 10)
    if answered:
        page.evaluate("answer()")
    page.mouse.move(x + 40, y + 20)
    page.mouse.up()
    assert at(page, 5) == pytest.approx((x + 40, y + 20), abs=1.5)


@pytest.mark.parametrize(("apart", "added"), [(0.2, 1), (0.6, 0)])
def test_two_taps_count_by_when_they_were_made(page: Any, apart: float, added: int) -> None:
    """Not by when a busy page comes to hear of them."""
    left, up = page.evaluate(
        "(() => { const b = CANVAS.stage.getBoundingClientRect(); return [b.left, b.top]; })()"
    )
    session = page.context.new_cdp_session(page)
    start = page.evaluate("Date.now()") / 1000
    for click, when in enumerate((start, start + apart)):
        for kind, later in (("mousePressed", 0), ("mouseReleased", 0.02)):
            place = {"x": left + 12, "y": up + 12, "button": "left", "clickCount": 1}
            session.send("Input.dispatchMouseEvent", {"type": kind, "timestamp": when + later, **place})
        if not click:
            busy = 600 if added else 0
            page.evaluate(
                f"(() => {{ const end = performance.now() + {busy}; while (performance.now() < end); }})()"
            )
    assert page.evaluate("CANVAS.trace.n") == 34 + added
