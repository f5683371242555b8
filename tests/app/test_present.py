"""Present fills the window and is left again; a lecturer hides any control by the link."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.step import words
from app.ui import common
from tests.app.browser import settled
from tests.app.test_step_page import sentence, state_of

# where each control that can be hidden is found
SEEN = {
    "menu": '[data-testid="stTopNavLink"]',
    "graph": '[class*="st-key-picker-step"]',
    "score": ".st-key-widget-step-score",
    "model": ".st-key-widget-step-model",
    "mode": ".st-key-widget-step-mode",
    "edit": '.st-key-widget-step-mode [role="radio"]:has-text("Edit")',
    "present": ".st-key-present",
    "options": ".st-key-options",
    "share": ".st-key-share",
    "take": ".st-key-take",
    "about": ".about",
    "levels": ".st-key-widget-step-level",
    "sentence": ".sentence",
    "play": ".transport",
    "counts": ".counts",
    "timeline": ".track",
    "bars": ".bars",
    "code": ".to-code",
    "why": ".why",
    "formula": ".formula",
    "zoom": ".zoom",
    "table": ".mivspool .table",
    "free": ".st-key-free",
    "left-out": ".st-key-left-out",
    "badges": ".badges",
    "assignment": ".st-key-assignment",
    "cluster": ".cluster",
    "reduced": ".st-key-reduced",
}


def covers(page: Any) -> bool:
    box = page.locator('.mivspool[data-layout="full"]').bounding_box()
    size = page.viewport_size
    return (box["x"], box["y"], box["width"], box["height"]) == (0, 0, size["width"], size["height"])


def laser_at(page: Any) -> list[float]:
    found: list[float] = page.locator(".laser").evaluate(
        """(laser) => {
          const [box, stage] = [laser, laser.parentNode].map((e) => e.getBoundingClientRect());
          return [box.x + box.width / 2 - stage.x - 2, box.y + box.height / 2 - stage.y - 2];
        }"""
    )
    return found


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_present_fills_the_window_and_escape_leaves(app: Any, width: int, scheme: str) -> None:
    page = app.open("?graph=karate&score=degree", width=width, height=900, scheme=scheme)
    page.get_by_role("button", name="Present").click()
    page.wait_for_url(re.compile("present=1"))
    page.locator(".mivspool[data-present]").wait_for()
    assert covers(page)
    page.locator(".st-key-reduced").wait_for(state="detached")  # the page's other canvases are gone
    settled(page)
    assert page.locator('[data-testid="stHeader"]').is_hidden()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.keyboard.press("PageDown")  # a presenter's remote
    assert sentence(page).startswith("Iteration 1 of 2")
    page.keyboard.press("PageUp")
    assert sentence(page).startswith("Iteration 0 of 2")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Present").wait_for()
    page.wait_for_url(re.compile(r"^(?!.*present=1)"))
    assert not covers(page)
    assert sentence(page).startswith("Iteration 1 of 2")
    page.keyboard.press("p")
    page.locator(".mivspool[data-present]").wait_for()
    page.get_by_role("button", name="Exit").click()
    page.get_by_role("button", name="Present").wait_for()


@pytest.mark.browser
@pytest.mark.parametrize(("keys", "on"), [("p Escape", False), ("p p p", True), ("p Escape p Escape", False)])
def test_keys_that_are_faster_than_the_page_count(app: Any, keys: str, on: bool) -> None:
    page = app.open("?graph=karate&score=degree&step=9")
    page.locator(".badges").wait_for()
    for key in keys.split():
        page.keyboard.press(key)
    for _ in range(60):  # a busy machine answers the keys one by one, and rests in between
        page.wait_for_timeout(1500)
        settled(page)
        if covers(page) is on and ("present=1" in page.url) is on:
            break
    page.wait_for_timeout(1500)
    settled(page)
    assert covers(page) is on
    assert ("present=1" in page.url) is on


@pytest.mark.browser
def test_the_laser_follows_the_vertex_that_is_explained_and_levels_go_on(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&vertex=5&present=1")
    settled(page)
    assert laser_at(page) == pytest.approx(state_of(page, "[c.view.sx(5), c.view.sy(5)]"), abs=1)
    page.keyboard.press("End")
    settled(page)
    head = state_of(page, "c.trace.cluster[5]")
    assert head != 5
    assert laser_at(page) == pytest.approx(state_of(page, f"[c.view.sx({head}), c.view.sy({head})]"), abs=1)
    page.get_by_role("button", name="Pool again").click()
    page.wait_for_url(re.compile("level=1"))
    page.get_by_role("button", name="Previous level").wait_for()
    assert state_of(page, "c.trace.n") == 4


@pytest.mark.browser
def test_every_control_of_step_can_be_hidden_by_the_link(app: Any) -> None:
    assert {name for group in common.CONTROLS.values() for name in group} == set(SEEN)
    page = app.open("?graph=MAO:3&model=mao-mivspool&step=9")
    page.locator(SEEN["left-out"]).wait_for()
    for selector in SEEN.values():
        page.locator(
            selector
        ).first.wait_for()  # the browser loads the script of each kind of control by itself
    page = app.open(f"?graph=MAO:3&model=mao-mivspool&step=9&hide={','.join(SEEN)}")
    settled(page)
    for name, selector in SEEN.items():
        assert not page.locator(selector).first.is_visible(), name
    assert page.locator('.mivspool[data-layout="full"] .stage').is_visible()


@pytest.mark.browser
def test_share_has_the_code_that_shows_the_view_in_another_page(app: Any) -> None:
    page = app.open("?graph=karate&score=degree")
    page.get_by_role("button", name="Share").click()
    code = page.locator("code", has_text="<iframe").inner_text()
    assert f'src="{page.url.replace("&", "&amp;")}"' in code
    page.get_by_text(words.EMBED_NONE).wait_for()


@pytest.mark.browser
def test_share_makes_the_link_that_hides(app: Any) -> None:
    page = app.open("?graph=karate&score=degree")
    page.get_by_role("button", name="Share").click()
    page.get_by_role("button", name="Hide controls").click()
    dialog = page.get_by_role("dialog")
    for title in ("score", "timeline"):
        dialog.get_by_text(title, exact=True).click()
    dialog.get_by_text(common.HIDE_PRESENT).click()
    page.wait_for_function("() => document.body.innerText.includes('present=1&hide=score,timeline')")
    link = dialog.locator("code").inner_text()
    assert link.endswith("?graph=karate&score=degree&present=1&hide=score,timeline")
    shown = app.open("?" + link.partition("?")[2])
    assert covers(shown)
    shown.locator(".track").wait_for(state="hidden")
