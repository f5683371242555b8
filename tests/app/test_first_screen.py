"""What a first visitor sees without scrolling: what is chosen in one row, the sentence, the whole graph and Play."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.browser import settled

pytestmark = pytest.mark.browser

SCREENS = [(1440, 900), (1280, 720), (390, 844)]


@pytest.mark.parametrize("link", ["", "?graph=preset:tie", "?graph=karate&score=degree&mode=edit"])
def test_the_graph_the_sentence_and_play_are_on_the_first_screen(app: Any, link: str) -> None:
    page = app.open(link)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        for part in (".mivspool .sentence", ".mivspool .stage", ".mivspool .transport .primary"):
            box = page.locator(part).first.bounding_box()
            print(link, width, part, box)
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width, part
            assert box["y"] + box["height"] <= height, (part, width)
        ends = page.evaluate(
            """() => [...document.querySelectorAll('.st-key-bar > *')].map((e) => e.getBoundingClientRect())
              .filter((box) => box.height > 0).map((box) => box.bottom)"""
        )
        assert max(ends) - min(ends) < 20, "one row of controls"
    if width < 1000:
        assert page.evaluate("document.documentElement.scrollWidth") <= width, "the page itself does not scroll sideways"
