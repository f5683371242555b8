"""A trace of 10,000 vertices plays, and the page answers all the while."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.test_step_page import state_of

pytestmark = pytest.mark.browser


@pytest.mark.slow
def test_keys_are_answered_while_it_plays(app: Any) -> None:
    page = app.open("?graph=random:10000:15000:7&score=uniform")
    assert state_of(page, "c.trace.n") == 10_000
    page.keyboard.press(" ")
    assert state_of(page, "c.playing") is True
    # between any two frames of the playing the page finds time for others: tasks run, keys are heard
    seen = page.evaluate(
        """async () => {
          const hosts = [...document.querySelectorAll('*')].filter((e) => e.shadowRoot);
          const { store } = hosts.map((e) => e.shadowRoot.querySelector('[data-layout="full"]')).find(Boolean);
          store.dispatch({ type: "speed", speed: 8 }); // of reading: this is not kept
          let turns = 0;
          const steps = new Set();
          while (store.state.playing) {
            await new Promise((done) => setTimeout(done, 0));
            turns += 1;
            steps.add(store.state.step);
          }
          return { turns, steps: steps.size, last: store.state.step === store.state.trace.last };
        }"""
    )
    assert seen["last"]
    assert seen["turns"] > 2 * seen["steps"] > 4
    page.keyboard.press("Home")
    page.keyboard.press(" ")
    page.keyboard.press("ArrowRight")  # any step by hand pauses
    assert state_of(page, "c.playing") is False
    assert state_of(page, "c.step") >= 1
