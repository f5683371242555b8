"""The parts of an iteration in a real browser: by link, keys, select and Back; the reading speed is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.app.browser import settled
from tests.app.conftest import Watched
from tests.app.test_step_page import says, sentence, state_of

pytestmark = pytest.mark.browser


def test_an_iteration_is_seen_in_three_parts(visitor: Callable[[], Any], address: str) -> None:
    app = Watched(visitor(), address)  # the speed that is kept must not meet other tests
    page = app.open("?graph=karate&score=degree&step=1&part=1", height=720)
    assert sentence(page).startswith("Iteration 1 of 2, part 1 of 3: each candidate points to its best")
    assert state_of(page, "[c.trace.counts(c.step, c.part), c.view.arrows.length]") == [[34, 0, 0], 32]
    settled(page)
    before = state_of(page, "c.view.h")
    page.keyboard.press("ArrowRight")
    says(page, "Iteration 1 of 2, part 2 of 3: two candidates point to none and survive")
    page.wait_for_url("**part=2**")
    page.keyboard.press("ArrowRight")
    says(page, "Iteration 1 of 2, part 3 of 3: the new survivors eliminate")
    page.wait_for_url("**part=3**")
    settled(page)
    page.go_back(wait_until="commit")
    says(page, "Iteration 1 of 2, part 2 of 3")
    settled(page)
    page.get_by_label("Step by").select_option("iterations")
    says(page, "Iteration 1 of 2: two vertices survive")
    page.wait_for_url(lambda url: "part" not in url)
    page.keyboard.press("b")
    says(page, "Iteration 1 of 2, part 3 of 3")
    assert state_of(page, "c.view.h") == before, "the graph keeps its size"
    page.get_by_label("Reading speed").select_option("4×")
    page.wait_for_url("**part=3**")
    page.reload()
    says(page, "Iteration 1 of 2, part 3 of 3")
    assert state_of(page, "c.speed") == 4
    assert app.outside == app.errors == []
