"""Predict: the reader chooses who will survive, sees what was right and why, and gets another graph."""

from __future__ import annotations

import re
from typing import Any

import pytest

from tests.app.browser import settled, wait_for_graph
from tests.app.test_step_page import state_of

pytestmark = pytest.mark.browser


def click(page: Any, vertex: int) -> None:
    box = page.locator('.mivspool[data-layout="full"] .stage').bounding_box()
    x, y = state_of(page, f"[c.view.sx({vertex}), c.view.sy({vertex})]")
    page.mouse.click(box["x"] + x, box["y"] + y)


def test_a_guess_is_judged_and_explained_and_another_graph_is_offered(app: Any) -> None:
    page = app.open("?graph=preset:tie&mode=predict")
    asked = page.locator(".predict")
    assert asked.locator(".question").inner_text().startswith("Which candidates survive in iteration 1?")
    assert page.locator(".controls").is_hidden()
    assert page.get_by_text("S assigns").count() == 0
    page.keyboard.press("End")  # would give the answer away
    assert state_of(page, "c.step") == 0
    click(page, 2)  # the tie goes to 1
    assert asked.get_by_text("Chosen:").inner_text() == "Chosen: 2"
    asked.get_by_role("button", name="Check").click()
    assert asked.locator(".question").inner_text() == "0 of 2 correct."
    reasons = asked.locator("li").all_inner_texts()
    assert reasons[0].startswith("1 was missed. In iteration 1 it becomes a survivor: it ties with 2 at 0.80")
    assert reasons[1].startswith(
        "2 was chosen wrongly. In iteration 1 its neighbour 1 (0.80) becomes a survivor"
    )
    asked.get_by_role("button", name="Next iteration").click()
    page.locator(".stage").first.focus()
    click(page, 3)
    page.keyboard.press("ArrowRight")
    assert asked.locator(".question").inner_text() == "All correct: 1 of 1."
    assert "1 of 3 correct in this session" in asked.inner_text()
    page.wait_for_url(re.compile("step=2"))
    assert "Difficulty 4 of 4: 4 vertices, 2 iterations" in asked.inner_text()  # a tie
    assert asked.get_by_role("button", name="Harder").count() == 0
    page.reload()
    wait_for_graph(page)
    assert "1 of 3 correct in this session" in asked.inner_text()


ACCENTED = """(() => {
  const { view, vertex: v } = c;
  const r = view.radiusOf(v, view.stateOf(v)) + 4;
  const half = Math.floor(0.5 * Math.min(11, Math.max(6, 0.5 * view.radius)));
  const [x, y] = [view.sx(v) + 0.8 * r - half, view.sy(v) - 0.8 * r - half].map((at) => Math.round(at * view.dpr));
  const { data } = view.overLayer.getImageData(x, y, 2 * half * view.dpr, 2 * half * view.dpr);
  const accent = view.theme.accent.match(/[0-9a-f]{2}/gi).map((part) => parseInt(part, 16));
  let found = 0;
  for (let i = 0; i < data.length; i += 4) found += accent.every((part, k) => Math.abs(part - data[i + k]) < 8);
  return found;
})()"""


def test_the_sign_of_a_verdict_is_over_the_ring_of_the_selected_vertex(app: Any) -> None:
    page = app.open("?graph=preset:tie&mode=predict&vertex=1")
    page.get_by_role("button", name="Check").click()
    settled(page)
    assert state_of(page, "c.vertex") == 1
    assert state_of(page, ACCENTED) == 0


def test_another_graph_is_as_hard_or_harder_and_the_same_for_everyone(app: Any) -> None:
    found = []
    for _ in range(2):  # two students with the lecturer's link
        page = app.open("?graph=preset:star-centre&mode=predict&draw=4")
        asked = page.locator(".predict")
        click(page, 0)
        page.keyboard.press("ArrowRight")
        asked.get_by_role("button", name="Another graph of difficulty 1").click()
        page.wait_for_url(re.compile("draw=5"))
        page.wait_for_function("() => !location.search.includes('star-centre')")
        found.append(page.url)
        asked.get_by_text("Which candidates survive in iteration 1?").wait_for()
        asked.get_by_text("Difficulty 1 of 4:").wait_for()
    assert found[0] == found[1]
    page = app.open("?graph=preset:star-centre&mode=predict")
    click(page, 0)
    page.keyboard.press("ArrowRight")
    page.locator(".predict").get_by_role("button", name="Harder").click()
    page.locator(".predict").get_by_text("Difficulty 2 of 4:").wait_for()


def test_the_keyboard_alone_is_enough(app: Any) -> None:
    page = app.open("?graph=preset:star-centre&mode=predict", width=390, height=844, scheme="dark")
    page.locator(".stage").first.focus()
    page.keyboard.press("Escape")
    page.keyboard.press("ArrowDown")  # the best
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowRight")
    assert page.locator(".predict .question").inner_text() == "All correct: 1 of 1."
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
