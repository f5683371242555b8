"""Back and Forward in a real browser: one press takes back one thing that a person did, on whichever page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.browser import choose, settled
from tests.app.test_step_page import state_of

pytestmark = pytest.mark.browser


def test_back_takes_back_one_thing_that_was_done_and_forward_does_it_again(app: Any) -> None:
    """The link that is opened is spelled by hand, with what is so anyway: it makes no entry of its own."""
    page = app.open(
        "?graph=MAO:3&seed=0", own=True
    )  # a tab keeps fifty entries at most: this one has its own
    entries = page.evaluate("history.length")

    def at(path: str, step: int | None = None) -> None:
        page.wait_for_function(
            "(path) => location.pathname + location.search === path", arg=path, polling=100
        )
        if step is not None:
            page.wait_for_function(
                """(step) => [...document.querySelectorAll('*')].some((e) =>
                    e.shadowRoot?.querySelector('.mivspool[data-layout="full"]')?.store?.state.step === step)""",
                arg=step,
                polling=100,
            )

    done = [("/?step=1&vertex=0", 1), ("/?step=2&vertex=0", 2), ("/?score=degree&vertex=0", 0)]
    page.keyboard.press("ArrowRight")
    at(*done[0])
    page.keyboard.press("ArrowRight")
    at(*done[1])
    choose(page, "degree", "Score")
    at(*done[2])
    page.get_by_role("link", name="Compare", exact=True).click()
    page.locator(".mp-measures").first.wait_for()
    at("/compare?vertex=0")
    assert page.evaluate("history.length") == entries + 4
    for path, step in reversed(done):
        page.go_back(wait_until="commit")
        at(path, step)
    assert "untrained" in page.locator(".scored").inner_text(), "the score that was shown before"
    page.go_back(wait_until="commit")
    at("/?graph=MAO%3A3", 0)  # "/" is what a person sees first, with the weights of a model
    for path, step in done:
        page.go_forward(wait_until="commit")
        at(path, step)
    assert state_of(page, "c.trace.data.learned") is False
    assert page.evaluate("history.length") == entries + 4


def test_a_link_moves_the_canvas_once_and_never_takes_a_step_back(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&step=1")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => location.search.includes('step=2')", polling=100)
    settled(page)  # the canvas was drawn anew by the run that heard of the step
    assert state_of(page, "c.commanded") == 1
    assert state_of(page, "c.step") == 2
