"""What a first visitor sees without scrolling: what is chosen in one row, the sentence, the whole graph and Play."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.browser import settled
from tests.test_house import ROOT

SCREENS = [(1440, 900), (1280, 720), (390, 844)]


@pytest.mark.browser
@pytest.mark.parametrize(
    "link",
    ["", "?graph=preset:tie", "?graph=karate&score=degree&mode=edit", "?graph=preset:bridge&mode=edit"],
)
def test_the_graph_the_sentence_and_play_are_on_the_first_screen(app: Any, link: str) -> None:
    page = app.open(link)
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        for part in (".mivspool .sentence", ".mivspool .stage", ".mivspool .transport .primary"):
            box = page.locator(part).first.bounding_box()
            assert box["x"] >= 0
            assert box["x"] + box["width"] <= width, part
            assert box["y"] + box["height"] <= height, (part, width)
        ends = page.evaluate(
            """() => [...document.querySelectorAll('.st-key-bar > *')].map((e) => e.getBoundingClientRect())
              .filter((box) => box.height > 0).map((box) => box.bottom)"""
        )
        assert max(ends) - min(ends) < 20, "one row of controls"
    if width < 1000:
        assert page.evaluate("document.documentElement.scrollWidth") <= width, (
            "the page itself does not scroll sideways"
        )


@pytest.mark.browser
@pytest.mark.parametrize("link", ["?graph=MAO:3&model=mao-mivspool", "?graph=preset:tie", "?graph=karate"])
def test_whoever_is_asked_to_predict_sees_the_question_the_graph_and_check(app: Any, link: str) -> None:
    page = app.open(f"{link}&mode=predict")
    check = page.get_by_role("button", name="Check")
    for width, height in SCREENS:
        page.set_viewport_size({"width": width, "height": height})
        settled(page)
        for part in (page.locator(".predict .question"), page.locator(".mivspool .stage").first, check):
            box = part.bounding_box()
            assert box["y"] >= 0
            assert box["y"] + box["height"] <= height, (part, width)


@pytest.fixture
def opened(own_backend: Callable[[], None]) -> AppTest:
    own_backend()
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120).run()
    assert not app.exception
    return app


def scored(app: AppTest) -> str:
    return next(str(part.value) for part in app.get("html") if "class='scored'" in str(part.value))


def test_it_opens_as_a_trained_network_pools_and_another_graph_never_has_untrained_scores(
    opened: AppTest,
) -> None:
    assert "trained weights of model mao-mivspool" in scored(opened)
    assert not opened.warning
    opened.selectbox(key="picker:step").set_value("karate").run()
    assert not opened.exception
    assert not opened.warning
    assert opened.session_state["state"]["graph"] == "karate"
    assert "untrained" not in scored(opened)
    assert opened.query_params["score"] == "uniform"


def test_a_graph_of_ones_own_never_has_untrained_scores_either(opened: AppTest) -> None:
    opened.text_area(key="picker:step:text").input("a b\nb c\nc d").run()
    opened.button(key="picker:step:open").click().run()
    assert not opened.exception
    assert opened.session_state["state"]["graph"].startswith("z.")
    assert opened.session_state["state"]["score"] == "uniform"
    assert not opened.warning


def test_a_model_that_does_not_take_the_graph_leaves_no_untrained_scores(opened: AppTest) -> None:
    """A press that was on its way while the graph arrived brings the menus as they were: with the model of before."""
    opened.text_area(key="picker:step:text").input("a b\nb c\nc d").run()
    opened.button(key="picker:step:open").click().run()
    opened.selectbox(key="widget:step:model").set_value("mao-mivspool")
    opened.selectbox(key="widget:step:score").set_value("multiview").run()
    assert not opened.exception
    assert opened.session_state["state"]["score"] == "uniform"
    assert opened.warning[0].value


def test_a_link_to_untrained_scores_shows_them(opened: AppTest) -> None:
    """The address without a query means the first view alone: a reload or a shared link shows what was shown."""
    opened.selectbox(key="widget:step:model").set_value("").run()
    assert "untrained" in scored(opened)
    link = {name: str(text) for name, text in opened.query_params.items()}
    assert link
    again = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120)
    for name, text in link.items():
        again.query_params[name] = text
    again.run()
    assert not again.exception
    assert scored(again) == scored(opened)


def test_without_the_model_it_opens_with_scores_drawn_at_random(
    own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.step.page.FIRST_MODEL", "nowhere")
    own_backend()
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120).run()
    assert not app.exception
    assert not app.warning
    assert app.session_state["state"]["score"] == "uniform"
    assert "untrained" not in scored(app)
