"""Change and see, in a real browser: scores, vertices and edges by pointer, touch and keyboard; what a link keeps."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from app import pooled, sources
from tests.app.browser import choose, upload_box
from tests.app.test_step_page import sentence, state_of, wait_for_state

pytestmark = pytest.mark.browser

FULL = '.mivspool[data-layout="full"]'
TRACE = "[c.trace.ids, [...c.trace.settled], [...c.trace.survivor], [...c.trace.cluster], c.step]"
GRAPH = "[c.trace.ids, [...c.trace.edges], [...c.trace.score]]"


def said(page: Any) -> str:
    """What the changes did."""
    text: str = page.locator(f"{FULL} .edit .change").inner_text()
    return text


def rested(page: Any) -> None:
    """Until the page shows what was changed last."""
    page.wait_for_function(
        """() => [...document.querySelectorAll('*')].some((e) => {
          const box = e.shadowRoot && e.shadowRoot.querySelector('.mivspool[data-layout="full"]');
          if (!box) return false;
          const { edit } = box.store.state;
          return edit.history && edit.sent === edit.history.graph && !edit.pinned && edit.answered === edit.number;
        })"""
    )


def button(page: Any, name: str) -> Any:
    return page.locator(FULL).get_by_role("button", name=name)


def first_bar(page: Any) -> str:
    """The vertex of the first row of scores."""
    name: str = page.locator(f'{FULL} [role="option"] .name').first.inner_text()
    return name


def link_of(page: Any) -> str:
    link: str = page.evaluate("location.search")
    return link


def at(page: Any, *vertices: int) -> tuple[float, ...]:
    """Where vertices are on the page, x and y of each, once it shows what was changed: that may move the canvas."""
    rested(page)
    places: list[float] = state_of(
        page,
        f"""(({{ left, top }}) => {list(vertices)}.flatMap((v) => [left + c.view.sx(v), top + c.view.sy(v)]))(
          c.view.stage.getBoundingClientRect())""",
    )
    return tuple(places)


def test_a_bar_is_dragged_and_the_trace_follows(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&mode=edit&step=1&vertex=33")
    before = state_of(page, GRAPH)
    rail = page.locator(f'{FULL} [role="option"]', has_text=re.compile("^33")).locator(".rail")
    box = rail.bounding_box()
    y = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 0.95 * box["width"], y)
    page.mouse.down()
    page.mouse.move(box["x"] + 0.5 * box["width"], y, steps=4)
    page.locator(f"{FULL} .edit .change", has_text="T rises from 2 to 3").wait_for()
    assert first_bar(page) == "33"  # the row stays under the pointer
    page.mouse.up()
    score = state_of(page, "c.trace.score[33]")
    assert 8 <= score <= 11
    assert "instead of 24 and 33" in said(page)
    assert sentence(page).startswith("Iteration 1 of 3")  # the cursor stays
    assert first_bar(page) == "0"
    rested(page)
    page.get_by_text("karate (edited)").first.wait_for()
    page.get_by_text("The checks and the sizes follow iteration 3").wait_for()
    page.keyboard.press("Control+z")
    assert state_of(page, GRAPH) == before
    assert said(page) == ""
    rested(page)
    page.wait_for_url(re.compile(r"graph=karate&score=degree"))


def test_the_handle_beside_a_vertex_is_dragged_and_has_keys(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&mode=edit&vertex=33")
    handle = page.locator(f"{FULL} .handle")
    box = handle.bounding_box()
    page.mouse.move(box["x"] + 10, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] + 10, box["y"] + 70, steps=3)
    page.mouse.up()
    assert 5 <= state_of(page, "c.trace.score[33]") <= 12
    handle.focus()
    before = state_of(page, "c.trace.score[33]")
    page.keyboard.press("ArrowUp")
    assert state_of(page, "c.trace.score[33]") == before + 1
    assert handle.get_attribute("aria-valuenow") == str(int(before + 1))


def test_everything_by_keyboard(app: Any) -> None:
    page = app.open("?mode=edit&vertex=2&step=1")  # MAO:3, a learned score
    first = state_of(page, TRACE)
    page.locator(f"{FULL} .stage").focus()
    before = state_of(page, "c.edit.history.graph.score[2]")
    page.keyboard.press("+")
    assert state_of(page, "c.trace.score[2]") > before
    page.keyboard.press("a")
    assert state_of(page, "[c.trace.n, c.trace.ids[c.vertex], c.trace.edges.length]") == [15, "14", 30]
    page.keyboard.press("c")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("Enter")
    assert state_of(page, "c.trace.edges.length") == 32
    other = state_of(page, "c.vertex")
    page.keyboard.press("c")
    for _ in range(40):
        if state_of(page, "c.trace.ids[c.vertex]") == "14":
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")  # connected already: cut
    assert state_of(page, "c.trace.edges.length") == 30
    page.keyboard.press("Alt+ArrowRight")
    page.keyboard.press("Delete")
    assert state_of(page, "[c.trace.n, c.vertex]") == [14, -1]
    assert other != 14
    page.locator(f'{FULL} [role="listbox"]').focus()
    page.keyboard.press("ArrowDown")
    best = state_of(page, "c.trace.score[c.vertex]")
    page.keyboard.press("ArrowLeft")
    assert state_of(page, "c.trace.score[c.vertex]") < best
    for _ in range(20):
        page.keyboard.press("Control+z")
    assert state_of(page, TRACE) == first
    assert button(page, "Undo").is_disabled()
    for _ in range(20):
        page.keyboard.press("Control+Shift+z")
    assert state_of(page, "c.trace.score[2]") > before
    assert button(page, "Redo").is_disabled()


def test_vertices_and_edges_by_pointer(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&mode=edit")
    stage = page.locator(f"{FULL} .stage").bounding_box()
    page.mouse.dblclick(stage["x"] + 40, stage["y"] + 60)
    assert state_of(page, "[c.trace.n, c.trace.ids[c.vertex]]") == [35, "34"]
    page.keyboard.down("Shift")  # an edge drawn from vertex to vertex
    page.mouse.move(*at(page, 34))
    page.mouse.down()
    page.mouse.move(*at(page, 16), steps=3)
    page.mouse.up()
    page.keyboard.up("Shift")
    assert state_of(page, "[...c.trace.neighbours(34)]") == [16]
    button(page, "Connect").click()  # an edge by two clicks, from the vertex that is selected
    page.mouse.click(*at(page, 5))
    assert state_of(page, "[...c.trace.neighbours(5)]").count(16) == 0  # it was there: cut
    x0, y0, x1, y1 = at(page, 34, 16)
    page.mouse.click((x0 + x1) / 2, (y0 + y1) / 2)
    page.locator(FULL).get_by_text("Edge 16 – 34").wait_for()
    button(page, "Cut edge").click()
    assert state_of(page, "c.trace.neighbours(34).length") == 0
    x, y = at(page, 34)
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 30, y + 30, steps=3)
    page.mouse.up()
    assert at(page, 34) == pytest.approx((x + 30, y + 30), abs=1.5)
    page.mouse.click(*at(page, 34))
    if state_of(page, "c.vertex") != 34:
        page.mouse.click(*at(page, 34))
    label, score = page.locator(f"{FULL} .edit input").all()[::-1]
    score.fill("0")
    page.locator(FULL).get_by_text("A score must be a number above 0.").wait_for()
    score.press_sequentially(",5")  # a decimal comma, as many people type
    assert state_of(page, "c.trace.score[34]") == 0.5
    score.fill("40")
    label.fill("<img src=x onerror=alert(1)>")
    assert state_of(page, "[c.trace.score[34], c.trace.order[0]]") == [40, 34]
    assert page.locator("img[src=x]").count() == 0
    rested(page)
    again = app.open(link_of(page))
    assert state_of(again, GRAPH) == state_of(page, GRAPH)
    assert state_of(again, TRACE) == state_of(page, TRACE)
    assert state_of(again, "c.trace.labels[34]") == "<img src=x onerror=alert(1)>"
    assert again.locator("img[src=x]").count() == 0
    assert said(again) == said(page)  # the link knows the original
    button(again, "Reset").click()
    assert state_of(again, "c.trace.n") == 34
    rested(again)
    again.wait_for_url(re.compile(r"graph=karate&score=degree"))


def test_a_sentence_about_a_wrong_score_stays_while_an_earlier_change_is_answered(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&mode=edit&vertex=33")
    wrong = page.locator(f"{FULL} .edit .wrong")
    score = page.locator(f"{FULL} .edit input.score")
    state_of(page, "c.store.dispatch({ type: 'put', vertex: 33, x: 0, y: 0 })")
    score.fill("0")
    rested(page)
    page.locator("p.about", has_text="karate (edited)").wait_for()
    assert wrong.inner_text() == "A score must be a number above 0."
    assert score.get_attribute("aria-invalid") == "true"
    score.fill("5")
    assert wrong.inner_text() == ""


def test_what_python_says_of_a_change_stays_until_the_next(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&mode=edit&vertex=33")
    wrong = page.locator(f"{FULL} .edit .wrong")
    state_of(page, "c.store.dispatch({ type: 'put', vertex: 33, x: 0, y: 0 })")
    rested(page)
    page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll('*')].map((e) => e.shadowRoot);
          const root = roots.find((one) => one?.querySelector('.mivspool[data-edit]'));
          const part = [root, ...root.querySelectorAll('*')].find((one) => one.mivspool);
          const { state } = part.mivspool.store;
          const answer = { token: state.edit.token, n: state.edit.number, error: 'The disk is full.' };
          part.mivspool.edit.adopt({ trace: { id: state.id }, edit: answer, options: state.options }, state.key);
        }"""
    )
    assert wrong.inner_text() == "The disk is full."
    page.keyboard.press("ArrowRight")
    assert wrong.inner_text() == "The disk is full."
    state_of(page, "c.store.dispatch({ type: 'put', vertex: 33, x: 1, y: 0 })")
    rested(page)
    assert wrong.inner_text() == ""


def test_the_old_trace_beside_the_new_one(app: Any) -> None:
    page = app.open("?graph=preset:equal-hexagon&mode=edit&step=1&vertex=4")
    assert state_of(page, "[...c.trace.survivor]") == [1, 0, 1, 0, 1, 0]
    page.locator(f"{FULL} .stage").focus()
    for vertex in (1, 3, 5):
        state_of(page, f"c.store.dispatch({{type: 'select', vertex: {vertex}}})")
        page.keyboard.press("+")
    assert said(page).startswith("1, 3 and 5 now survive instead of 0, 2 and 4")
    button(page, "Side by side").click()
    page.locator(f"{FULL} .stage.before canvas").first.wait_for()
    assert state_of(page, "[...c.edit.reference.survivor]") == [1, 0, 1, 0, 1, 0]
    assert state_of(page, "c.view.differing") == [1, 3, 5, 0, 2, 4]
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    assert state_of(page, "c.trace.kinds[c.step]") == "assign"
    old = "({ view }) => view.trace.kinds[view.step]"
    assert page.locator(f"{FULL} .stage.before").evaluate(old) == "assign"
    button(page, "Side by side").click()
    assert page.locator(f"{FULL} .stage.before").count() == 0


def test_the_changed_graph_can_be_classified_and_comes_back(app: Any) -> None:
    page = app.open("?mode=edit&vertex=3")
    page.locator(f"{FULL} .stage").focus()
    page.keyboard.press("Delete")
    rested(page)
    made = state_of(page, GRAPH)
    page.get_by_role("link", name="Classify").click()
    page.get_by_text("MAO:3 (edited)").first.wait_for()
    page.get_by_text("13 vertices").first.wait_for()
    page.get_by_text("Predicted by").wait_for()
    page.get_by_role("link", name="Step").click()
    page.locator(f"{FULL} .edit .change").wait_for()
    assert state_of(page, GRAPH) == made
    page.locator(f"{FULL} .stage").focus()
    page.keyboard.press("Control+z")  # it can still be undone
    assert state_of(page, "c.trace.n") == 14


def changed_at_once(page: Any) -> Any:
    """Delete the vertex that is selected, and do not wait: the graph as it is then."""
    page.wait_for_function("() => !document.querySelector('[data-testid=\"stStatusWidget\"]')")
    before = state_of(page, GRAPH)
    page.locator(f"{FULL} .stage").focus()
    page.keyboard.press("Delete")
    made = state_of(page, GRAPH)
    assert made != before
    return made


def test_a_change_is_told_before_another_page_opens(app: Any) -> None:
    page = app.open("?mode=edit&vertex=3")
    made = changed_at_once(page)
    page.get_by_role("link", name="Classify").click()
    page.get_by_text("MAO:3 (edited)").first.wait_for()
    page.get_by_text("13 vertices").first.wait_for()
    page.get_by_role("link", name="Step").click()
    page.locator(f"{FULL} .edit .change").wait_for()
    rested(page)
    assert state_of(page, GRAPH) == made


@pytest.mark.parametrize("changes", [1, 3])
def test_a_reload_in_the_midst_of_a_change_keeps_it(app: Any, changes: int) -> None:
    page = app.open("?mode=edit&vertex=3")
    for _ in range(changes):
        made = changed_at_once(page)
        state_of(page, "c.store.dispatch({type: 'select', vertex: 3})")
    page.reload()
    page.locator(f"{FULL} .edit .change", has_text=".").wait_for()
    assert state_of(page, GRAPH) == made
    rested(page)
    page.get_by_text("MAO:3 (edited)").first.wait_for()
    page.reload()
    page.locator(f"{FULL} .edit .change", has_text=".").wait_for()
    assert state_of(page, GRAPH) == made
    button(page, "Reset").click()  # it knows the original
    assert state_of(page, "c.trace.n") == 14
    page.reload()
    page.get_by_text("MAO:3 · 14 vertices").wait_for()
    assert state_of(page, "c.trace.n") == 14


def test_changes_follow_each_other_into_present_back_and_another_page(app: Any) -> None:
    page = app.open("?mode=edit&vertex=3")
    changed_at_once(page)
    rested(page)
    state_of(page, "c.store.dispatch({type: 'select', vertex: 3})")
    made = changed_at_once(page)
    page.get_by_role("button", name="Present").click()
    page.locator(".mivspool[data-present]").wait_for()
    assert state_of(page, GRAPH) == made
    page.keyboard.press("Escape")
    page.locator(f"{FULL} .edit .change").wait_for()
    assert state_of(page, GRAPH) == made
    for _ in range(3):  # the last ones before the first is answered
        state_of(page, "c.store.dispatch({type: 'select', vertex: 3})")
        made = changed_at_once(page)
        page.wait_for_timeout(320)
    page.get_by_role("link", name="Compare").click()
    page.wait_for_url(re.compile("/compare"))
    page.locator(".mp-measures").wait_for(timeout=120_000)  # every method is measured
    page.get_by_role("link", name="Step").click()
    page.locator(f"{FULL} .edit .change").wait_for()
    assert state_of(page, GRAPH) == made
    rested(page)
    assert f"{len(made[0])} vertices" in page.locator("p.about").inner_text()


def test_a_new_graph_is_drawn_by_touch_on_a_phone(app: Any) -> None:
    context = app.context.browser.new_context(has_touch=True, viewport={"width": 390, "height": 844})
    app.context = context
    page = app.open("?graph=karate", width=390, height=844)
    upload_box(page)
    page.get_by_role("button", name="Draw a new graph").click()
    page.locator(FULL).get_by_text("Double-click (or tap twice)").wait_for()
    assert state_of(page, "[c.trace.n, c.edit.on]") == [1, True]
    stage = page.locator(f"{FULL} .stage")
    stage.scroll_into_view_if_needed()
    for x, y in ((60, 80), (280, 120)):
        before = state_of(page, "c.trace.n")
        while state_of(page, "c.trace.n") == before:  # twice within the time of a double tap
            stage.tap(position={"x": x, "y": y})
    assert state_of(page, "c.trace.ids") == ["1", "2", "3"]
    button(page, "Connect").tap()
    stage.scroll_into_view_if_needed()
    left, top = at(page, 0)
    box = stage.bounding_box()
    stage.tap(position={"x": left - box["x"], "y": top - box["y"]})
    assert state_of(page, "[...c.trace.edges]") == [0, 2]
    assert said(page) == ""  # there was nothing to compare with
    button(page, "Set as reference").tap()
    button(page, "Delete").tap()
    assert said(page).startswith("3 now survives instead of 1")
    button(page, "Undo").tap()
    rested(page)
    page.get_by_text("drawing · 3 vertices, 1 edge").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    context.close()


@pytest.mark.parametrize("reload", [False, True])
def test_a_change_that_follows_a_new_reference_at_once_takes_nothing_from_it(app: Any, reload: bool) -> None:
    page = app.open("?graph=karate&score=degree&mode=edit")
    page.locator(f"{FULL} .edit .quiet").wait_for()
    # the first is told and not answered, so that the new reference waits and the change after it comes too
    state_of(
        page,
        """((act) => {
          act('select', { vertex: 3 }); act('remove'); dispatchEvent(new Event('blur'));
          act('select', { vertex: 5 }); act('remove'); act('pin');
          act('select', { vertex: 6 }); act('remove');
          return true;
        })((type, more) => c.store.dispatch({ type, ...more }))""",
    )
    if reload:
        page.reload()
        page.locator(f"{FULL} .edit .change").wait_for(state="attached")
    rested(page)
    page.get_by_text("31 vertices").first.wait_for()
    button(page, "Reset" if reload else "Undo").click()
    rested(page)
    page.locator("p.about", has_text="32 vertices").wait_for()
    assert state_of(page, "c.trace.n") == 32
    assert said(page) == ""  # it is the reference


def test_scores_of_any_graph_become_given_by_hand(app: Any) -> None:
    page = app.open("?graph=karate&score=uniform&seed=4")
    before = state_of(page, "[...c.trace.rank]")
    choose(page, "user-defined", label="Score")
    page.wait_for_url(re.compile("score=given.*mode=edit"))
    page.get_by_text("karate (edited)").first.wait_for()
    wait_for_state(page, "c.edit.on")
    assert state_of(page, "[...c.trace.rank]") == before


def test_a_reduced_graph_and_hidden_controls(app: Any) -> None:
    page = app.open("?graph=karate&mode=edit&step=9")
    page.get_by_role("button", name="Pool again").click()
    page.wait_for_url(re.compile("level=1"))
    page.locator(f"{FULL} .edit").wait_for(state="hidden")
    page.get_by_role("radio", name="Edit").click()
    page.locator(f"{FULL} .edit").wait_for()
    assert state_of(page, "c.trace.n") == 34
    hidden = app.open("?graph=karate&hide=edit")
    hidden.get_by_role(
        "radio", name="Predict"
    ).wait_for()  # the control comes after the canvas on a busy machine
    assert hidden.get_by_role("radio", name="Edit").count() == 0


def test_the_complement_and_a_larger_graph(app: Any) -> None:
    random = np.random.default_rng(2)
    edges = "\n".join(f"{u},{v}" for u, v in random.integers(0, 700, (1800, 2)).tolist())
    page = app.open("?graph=karate&score=degree&complement=1&mode=edit&vertex=33")
    page.locator(f"{FULL} .stage").focus()
    page.keyboard.press("-")
    assert state_of(page, "c.trace.survivor.reduce((a, b) => a + b, 0)") == 17
    rested(page)
    upload_box(page)
    page.locator('input[type="file"]').set_input_files(
        {"name": "large.csv", "mimeType": "text/csv", "buffer": edges.encode()}
    )
    page.locator(f'{FULL} .stage[aria-label*="of 695 vertices"]').focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Delete")
    rested(page)
    page.wait_for_url(re.compile("graph=upload-.*origin="))
    again = app.open(link_of(page))
    assert state_of(again, GRAPH) == state_of(page, GRAPH)


def test_a_graph_with_scores_of_its_own_offers_them() -> None:
    assert pooled.scores_offered(sources.brings_scores("karate"))[-1] == "given"
    assert pooled.scores_offered(sources.brings_scores("preset:rising-path"))[0] == "given"
