"""Learn: the words light vertices and are lit by them, the chapter is in the link, and Step opens on the same state."""

from __future__ import annotations

import re
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import sources
from app.compare import page as comparing
from app.learn.page import Scene
from app.state import PROPERTIES, State
from mivspool.content.compare import reductions
from mivspool.lecture.chapters import CHAPTERS
from tests.app.browser import POLLING, choose, settled
from tests.app.test_step_page import state_of


def test_every_chapter_has_a_graph() -> None:
    for chapter in CHAPTERS:
        assert Scene.of(chapter).source


def _learn() -> None:
    from app.learn.page import page

    page()


def opened(chapter: str) -> AppTest:
    app = AppTest.from_function(_learn, default_timeout=120)
    app.query_params["chapter"] = chapter
    app.run()
    assert not app.exception
    return app


def test_an_exercise_is_checked_with_the_reason() -> None:
    app = opened("mivs")
    assert [box.label for box in app.expander] == ["2 · Two sets", "3 · The clique"]

    def said() -> list[str]:
        return [str(one.value) for one in app.get("html") if "verdict" in str(one.value)]

    assert said() == []
    app.text_input(key="exercise-2:0").input("2")
    app.text_input(key="exercise-2:1").input("1, 2, <b>")
    app.button(key="FormSubmitter:exercise-2-Check").click().run()
    right, unread = said()
    assert "verdict yes" in right
    assert "Correct: 2 is correct." in right
    assert "verdict yes" not in unread
    assert "<b>" not in unread
    app.text_input(key="exercise-2:1").input("1, 2, 3")
    app.button(key="FormSubmitter:exercise-2-Check").click().run()
    assert "verdict no" in said()[1]
    assert "Not yet: 4 has no neighbour in the set and could be added" in said()[1]


def test_an_answer_can_be_chosen() -> None:
    app = opened("reduce")
    app.radio(key="exercise-12:0").set_value("D₁SD₂")
    app.button(key="FormSubmitter:exercise-12-Check").click().run()
    assert any("verdict yes" in str(one.value) for one in app.get("html"))


def test_the_last_chapter_leads_on_by_links_that_mean_what_they_name() -> None:
    assert [chapter.name for chapter in CHAPTERS if chapter.onward] == ["network"]
    pages = {prop.name: prop.pages for prop in PROPERTIES}
    for one in CHAPTERS[-1].onward:
        state = State(one.page, {"mode": "edit", "level": 2, "score": "degree", "graph": "karate"})
        state.follow(dict(one.link))
        for name, text in one.link:
            assert one.page in pages[name]
            prop = next(prop for prop in PROPERTIES if prop.name == name)
            assert prop.spell(getattr(state, name)) == text
        # nothing is left of what was seen before
        assert {**dict(one.link), "graph": state.graph} == {"graph": state.graph, **state.link()}
        assert sources.load(state.graph).num_nodes > 0
        if one.page == "compare":
            assert comparing._chosen(state, reductions.names(True)) == state.methods.split(",")


@pytest.mark.browser
def test_words_and_vertices_light_each_other_and_step_opens_on_the_same_state(app: Any) -> None:
    page = app.open("learn?chapter=mivs")
    centre, survivors = (
        page.locator("[data-light='vertex:0']"),
        page.locator("[data-light='survivors']").first,
    )
    centre.hover()
    assert state_of(page, "c.view.marks") == [0]
    centre.click()
    assert state_of(page, "c.vertex") == 0
    page.keyboard.press("End")
    survivors.focus()
    survivors.hover()
    assert state_of(page, "c.view.marks") == [1, 2, 3, 4, 5, 6, 7, 8]
    box = page.locator(".mivspool .stage").bounding_box()
    x, y = state_of(page, "[c.view.sx(1), c.view.sy(1)]")
    page.mouse.move(box["x"] + x, box["y"] + y)
    assert state_of(page, "c.hovered") == 1
    assert page.locator("span[data-light].lit").all_inner_texts() == ["survivors"]
    settled(page)
    page.get_by_role("button", name="Open in Step").click()
    page.wait_for_url(re.compile(r"\?graph=preset(:|%3A)star-leaf.*step="))
    page.get_by_role("button", name="Share").wait_for()  # Step has taken the place of Learn
    assert state_of(page, "c.trace.n") == 9
    assert state_of(page, "c.step === c.trace.last") is True


@pytest.mark.browser
def test_chapters_follow_each_other_and_show_what_stands_below(app: Any) -> None:
    page = app.open("learn?chapter=scores", width=390, height=844)
    page.get_by_role("button", name="Next: The assignment: no vertex is dropped").click()
    page.wait_for_url(re.compile("chapter=assignment"))
    page.get_by_text("S assigns 14 vertices").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.browser
def test_formulas_hold_the_numbers_of_the_selected_vertex_and_light_with_it(app: Any) -> None:
    page = app.open("learn?chapter=mivs")
    eq8, eq9 = page.locator("[data-own=eq8]"), page.locator("[data-own=eq9]")
    assert eq8.inner_text() == "7 survives; its neighbour 0 does not."
    assert eq9.inner_text() == "0 does not survive; its surviving neighbours are 7, 5, 3, 1, 2, 4 and 2 more."
    eq8.get_by_role("button", name="0").hover()
    assert state_of(page, "c.hovered") == 0
    eq9.get_by_role("button", name="5").click()
    assert eq8.inner_text() == "5 survives; its neighbour 0 does not."
    page = app.open("learn?chapter=reduce")
    head = state_of(page, "c.trace.cluster[c.vertex]")
    total = state_of(page, f"[{head}, ...c.trace.members({head})].reduce((s, u) => s + c.trace.score[u], 0)")
    assert f"/ {total:.2f} =" in page.locator("[data-own=eq12]").inner_text()


@pytest.mark.browser
def test_symbols_of_a_formula_and_vertices_light_each_other(app: Any) -> None:
    page = app.open("learn?chapter=meer")
    assert page.locator("math").count() == 2
    neighbours = page.locator("math [data-light=neighbours]").first
    neighbours.hover()
    vertex = state_of(page, "c.vertex")
    beside = state_of(page, f"Array.from(c.trace.neighbours({vertex}))")
    assert state_of(page, "c.view.marks") == beside
    page.locator("math [data-light=open]").first.focus()  # who is still a candidate
    page.keyboard.press("Home")
    assert sorted(state_of(page, "c.view.marks")) == sorted(beside)
    page.locator(".lesson").first.hover()
    box = page.locator(".mivspool .stage").bounding_box()
    x, y = state_of(page, f"[c.view.sx({vertex}), c.view.sy({vertex})]")
    page.mouse.move(box["x"] + x, box["y"] + y)
    assert set(page.locator("math .lit").evaluate_all("all => all.map((one) => one.dataset.light)")) >= {
        "selected"
    }


@pytest.mark.browser
def test_the_last_chapter_draws_the_network_with_a_graph_and_opens_a_block(app: Any) -> None:
    page = app.open("learn?chapter=network", graph=False)
    page.locator('.mivspool[data-layout="full"] .stage canvas').first.wait_for(timeout=60_000)
    page.get_by_role("button", name="Open in Compare").wait_for()
    page.get_by_role("button", name="Predict the survivors of a molecule").click()
    page.wait_for_url("**mode=predict**", timeout=30_000)
    page.get_by_text("Which candidates survive in iteration 1?").first.wait_for()
    page.go_back()
    block = page.locator(".figure .wide [data-block='1']")
    block.first.click(timeout=60_000)
    page.wait_for_url("**/classify?**block=1**", timeout=30_000)


TOP = "(name) => document.querySelector(`.st-key-${name}`).getBoundingClientRect().top"


def on_a_phone_the_figure_comes_first(page: Any) -> None:
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_function(f"() => ({TOP})('figure') < ({TOP})('lesson')", polling=POLLING)


@pytest.mark.browser
def test_the_figure_stays_beside_the_text_and_on_a_phone_comes_first(app: Any) -> None:
    page = app.open("learn?chapter=meer", height=700)
    page.locator(".st-key-lesson button").last.scroll_into_view_if_needed()
    assert page.evaluate(TOP, "lesson") < 0
    graph = page.locator(".st-key-figure .stage").first.bounding_box()
    assert graph["y"] >= 0
    assert graph["y"] + graph["height"] <= 700
    on_a_phone_the_figure_comes_first(page)


@pytest.mark.browser
def test_what_learning_changes_is_played_from_a_released_models_record(app: Any) -> None:
    page = app.open("classify?graph=MAO:3&model=mao-mivspool", graph=False)
    page.get_by_text("Model card: accuracy and limits of use").click()
    page.get_by_role("button", name="What learning changed").click()
    page.wait_for_url(re.compile(r"learn\?.*chapter=learning"))
    page.get_by_text("Epoch 0: with untrained weights").wait_for(timeout=60_000)
    page.get_by_role("button", name="Best epoch").click()
    page.get_by_text("lowest validation loss").first.wait_for()
    page.get_by_text("It is not the training that made mao-mivspool").wait_for()
    choose(page, "PROTEINS · proteins-mivspool", "Model whose training is shown")
    page.get_by_role("button", name="PROTEINS:288").wait_for()
    page.get_by_text("It ended in the weights of proteins-mivspool").wait_for()
    page.wait_for_url(re.compile("model=proteins-mivspool"))
    on_a_phone_the_figure_comes_first(page)
    page.get_by_role("button", name="Train a network yourself").click()
    page.wait_for_url("**/train**")
