"""Back and Forward in a real browser: one press takes back one thing that a person did, on whichever page."""

from __future__ import annotations

from typing import Any

import pytest

from tests.app.browser import choose, settled
from tests.app.test_step_page import state_of, wait_for_state

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


# the page reloads; ``act`` is done before that begins, ``further`` when it is answered
WHILE_IT_RELOADS = """([act, further]) => {
  const { store } = [...document.querySelectorAll('*')]
    .map((e) => e.shadowRoot?.querySelector('.mivspool[data-layout="full"]')).find(Boolean);
  const begin = () => {
    for (const [type, what] of act) store.dispatch({ type, ...what });
    const before = location.search;
    const wait = setInterval(() => {
      const { answered, number } = store.state.edit;
      if (location.search === before || answered !== number) return;
      clearInterval(wait);
      for (const [type, what] of further) store.dispatch({ type, ...what });
      console.log("done");
    }, 20);
  };
  setTimeout(() => { location.reload(); setTimeout(begin, 100); }, 0);
}"""
REMOVED = [["select", {"vertex": 3}], ["remove", {}]]


@pytest.mark.parametrize(
    ("link", "act", "further", "there"),
    [
        ("?graph=karate&score=degree", [["move", {"by": 1}]], [], "c.step === 1"),
        ("?graph=karate&score=degree&mode=edit", REMOVED, [], "c.trace.n === 33"),
        ("?graph=karate&score=degree&mode=edit", REMOVED, REMOVED, "c.trace.n === 32"),
    ],
    ids=["step", "edit", "edit that is not answered"],
)
def test_what_is_done_while_a_reload_is_on_its_way_is_there_after_it(
    app: Any, link: str, act: list[Any], further: list[Any], there: str
) -> None:
    """A server may take a while to answer, and the page goes on until it does. A reload asks for the earlier link."""
    page = app.open(link, own=True)
    settled(page)
    held: list[Any] = []
    page.route("**/?graph=*", lambda route: held.append(route))
    with page.expect_console_message(lambda message: message.text == "done"):
        page.evaluate(WHILE_IT_RELOADS, [act, further])
    with page.expect_event("domcontentloaded"):
        held[0].continue_()
    page.unroute("**/?graph=*")
    wait_for_state(page, there)
    settled(page)
    wait_for_state(page, there)
    page.reload()  # and it stays
    wait_for_state(page, there)
