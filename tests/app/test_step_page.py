"""The Step page in a real browser: what a person sees and does."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from app.sources import uploads
from app.ui import common
from tests.app.browser import POLLING, settled, upload_box

pytestmark = pytest.mark.browser

TRIANGLE_AND_TAIL = (
    b'{"nodes": [{"id": "<img src=x onerror=alert(1)>"}, {"id": "b"}, {"id": "c"}, {"id": "d"}],\
 "links": [{"source": "<img src=x onerror=alert(1)>", "target": "b"}, {"source": "b", "target": "c"},\
 {"source": "c", "target": "<img src=x onerror=alert(1)>"}, {"source": "c", "target": "d"}]}'
)


def sentence(page: Any) -> str:
    text: str = page.locator(".mivspool .sentence").first.inner_text()
    return text


def says(page: Any, start: str) -> None:
    page.wait_for_function(
        """(start) => [...document.querySelectorAll('*')].some((e) => e.shadowRoot
            && (e.shadowRoot.querySelector('.sentence')?.textContent ?? '').startsWith(start))""",
        arg=start,
        polling=POLLING,
    )


STATE = """() => {
  const hosts = [...document.querySelectorAll('*')].filter((e) => e.shadowRoot);
  const box = hosts.map((e) => e.shadowRoot.querySelector('.mivspool[data-layout="full"]')).find(Boolean);
  if (!box || !box.store || !box.store.state.trace) return null;
  return { ...box.store.state, store: box.store, view: box.querySelector('.stage:not(.before)').view };
}"""


def state_of(page: Any, expression: str) -> Any:
    """Something of the canvas of the page: of ``c``, its state with its ``store`` and ``view``.

    Once there is one and the page's script has ended: before, the canvas may still show what was there.
    """
    page.wait_for_function(
        f"() => ({STATE})() && document.querySelector('.stApp').dataset.testScriptState === 'notRunning'",
        polling=POLLING,
    )
    return page.evaluate(f"() => {{ const c = ({STATE})(); return {expression}; }}")


def wait_for_state(page: Any, condition: str) -> None:
    """Until that is so of the canvas of the page."""
    page.wait_for_function(f"() => {{ const c = ({STATE})(); return c && ({condition}); }}", polling=POLLING)


def test_it_opens_alive_with_a_pooled_molecule(app: Any) -> None:
    page = app.open()
    assert sentence(page).startswith("Iteration 0 of")
    assert state_of(page, "c.trace.n") == 14
    assert page.get_by_text("MAO:3").first.is_visible()
    assert page.locator(".badges, .S, .cluster").count() == 0, "nothing is told before it has happened"
    page.get_by_role("radio", name="Level 0 · 14 vertices").wait_for()
    page.get_by_role("radio", name="1", exact=True).wait_for()
    page.get_by_role("button", name="Go to the result").click()
    page.get_by_text("S assigns 14 vertices").wait_for()
    assert state_of(page, "c.step === c.trace.last") is True
    assert page.locator(".badges .yes").all_inner_texts() == ["independent", "maximal"]
    assert page.locator(".badges li", has_text="independent").inner_text().endswith("adjacent (Eq. 8)")
    assert (
        page.locator(".scored").inner_text().endswith("trained weights of model mao-mivspool, block 1 of 3.")
    )
    assert page.locator(".mivspool .why").first.inner_text().startswith("Why")
    page.locator('.mivspool[data-layout="still"] canvas').first.wait_for()


PLACES = """() => ['mode', 'options'].map((name) => document.querySelector(
  `.st-key-bar > [class*="${name}"]`)).concat(document.querySelector('.st-key-canvas')).map((part) => {
    const { x, y } = part.getBoundingClientRect();
    return [x, y];
  })"""


def test_what_comes_late_finds_its_place_kept(app: Any) -> None:
    """The menu of models comes when the backend has started, which says so in the menu's place meanwhile."""
    page = app.open("?graph=karate&score=degree&mode=edit&step=9")
    page.locator(".st-key-model [data-testid=stSelectbox]").wait_for()
    page.get_by_text("S assigns").wait_for()
    there = page.evaluate(PLACES)
    page.evaluate("document.querySelector('.st-key-model').replaceChildren()")
    assert page.evaluate(PLACES) == there
    words = common.STARTING
    page.evaluate("(words) => document.querySelector('.st-key-model').append(words)", words)
    assert page.evaluate(PLACES) == there


def test_keys_step_and_any_step_pauses_the_playback(app: Any) -> None:
    page = app.open("?graph=karate&score=degree")
    page.keyboard.press("ArrowRight")
    assert sentence(page).startswith("Iteration 1 of 2: two vertices survive")
    page.keyboard.press("End")
    assert sentence(page).startswith("Reduced graph")
    page.keyboard.press("ArrowLeft")
    assert sentence(page).startswith("Assignment (Eq. 11)")
    page.keyboard.press("Home")
    assert sentence(page).startswith("Iteration 0 of 2")
    page.keyboard.press(" ")
    says(page, "Iteration 1")
    assert state_of(page, "c.playing") is True
    page.keyboard.press("ArrowRight")
    assert state_of(page, "c.playing") is False
    assert sentence(page).startswith("Iteration 2 of 2")


def test_buttons_slider_and_columns_step(app: Any) -> None:
    page = app.open("?graph=karate&score=degree")
    page.get_by_role("button", name="Next step (→)").click()
    assert sentence(page).startswith("Iteration 1")
    page.get_by_role("button", name="Last step (End)").click()
    assert sentence(page).startswith("Reduced graph")
    page.get_by_role("button", name="Step back (←)").click()
    assert sentence(page).startswith("Assignment")
    page.get_by_role("button", name="First step (Home)").click()
    assert sentence(page).startswith("Iteration 0")
    page.get_by_role("slider", name="Iteration").fill("2")
    assert sentence(page).startswith("Iteration 2")
    page.get_by_role("button", name=re.compile("^iteration 1: ")).click()
    assert sentence(page).startswith("Iteration 1")


def test_a_reload_shows_the_same(app: Any) -> None:
    page = app.open("?graph=karate&score=uniform&seed=5")
    page.keyboard.press("End")
    page.locator('.mivspool [role="option"]').nth(2).click()
    before = sentence(page), state_of(page, "c.trace.ids[c.vertex]")
    page.wait_for_url(re.compile(rf"step=\d+&vertex={before[1]}$"))
    page.get_by_role("heading", name="The cluster of", exact=False).wait_for()
    link = page.url.partition("/?")[2]
    again = app.open(f"?{link}")
    assert (sentence(again), state_of(again, "c.trace.ids[c.vertex]")) == before
    assert "graph=karate" in again.url
    assert "seed=5" in again.url


def test_bars_graph_and_why_point_at_the_same_vertex(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&vertex=33&step=9")
    assert "33" in page.locator(".mivspool .why h3").inner_text()
    box = page.locator('.mivspool[data-layout="full"] .stage').bounding_box()
    x, y = state_of(page, "[c.view.sx(0), c.view.sy(0)]")
    page.mouse.click(box["x"] + x, box["y"] + y)
    assert state_of(page, "c.vertex") == 0
    assert page.locator('.mivspool [role="option"][aria-selected="true"]').inner_text().split() == ["0", "16"]
    page.locator('.mivspool [role="listbox"]').focus()
    page.keyboard.press("ArrowDown")
    assert state_of(page, "c.trace.rank[c.vertex]") == 2
    page.locator(".stage").first.focus()
    page.keyboard.press("ArrowUp")
    assert state_of(page, "c.vertex") == 0
    page.locator(".cluster", has_text="The cluster of 0").wait_for()


def test_a_click_in_the_reduced_graph_selects_the_survivor(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&vertex=33&step=9")
    page.get_by_text("S assigns").wait_for()
    stage = page.locator('.mivspool[data-layout="still"] .stage')
    stage.scroll_into_view_if_needed()
    settled(page)
    x, y = page.evaluate(
        """() => {
          const roots = [...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean);
          const { view } = roots.map((root) => root.querySelector('[data-layout="still"] .stage')).find(Boolean);
          return [view.sx(0), view.sy(0)];
        }"""
    )
    box = stage.bounding_box()
    page.mouse.click(box["x"] + x, box["y"] + y)
    page.wait_for_url(re.compile("vertex=0"))
    page.locator(".cluster", has_text="The cluster of 0").wait_for()
    assert state_of(page, "c.vertex") == 0


def test_a_row_of_the_assignment_lights_its_vertex_and_selects_it(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&vertex=33&step=9")
    row = page.locator(".S .row", has=page.get_by_text("16", exact=True))
    row.hover()
    assert state_of(page, "[...c.view.marks]") == [16]
    row.click()
    assert state_of(page, "c.vertex") == 16
    page.locator(".S .row.selected", has_text="16").wait_for()


def test_positions_and_zoom_stay_while_stepping(app: Any) -> None:
    page = app.open("?graph=karate&score=degree")
    page.locator(".stage").first.focus()
    page.keyboard.press("+")
    page.keyboard.press("Shift+ArrowLeft")
    where = "[c.view.scale, c.view.tx, c.view.ty, ...c.view.x]"
    before = state_of(page, where)
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    assert sentence(page).startswith("Assignment")
    page.wait_for_url(re.compile("step=3"))
    assert state_of(page, where) == before


def test_pool_again_goes_down_the_levels(app: Any) -> None:
    page = app.open("?graph=karate&score=degree")
    page.keyboard.press("End")
    page.get_by_role("button", name="Pool again").click()
    page.wait_for_url(re.compile("level=1"))
    page.get_by_text("The assignment matrix S follows the iterations").wait_for()
    assert state_of(page, "c.trace.n") == 4
    for part in (".mivspool .sentence", ".mivspool .stage", ".mivspool .transport .primary"):
        box = page.locator(part).first.bounding_box()
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 900, "the view moves to the new level"
    page.keyboard.press("End")
    page.get_by_text("S assigns 4 vertices").wait_for()
    page.get_by_role("radio", name="Level 0 · 34 vertices").click()
    page.get_by_role("button", name="Go to the result").click()
    page.get_by_text("S assigns 34 vertices").wait_for()
    assert state_of(page, "c.trace.n") == 34


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_both_themes(app: Any, scheme: str) -> None:
    page = app.open("?graph=karate", scheme=scheme)
    assert page.locator('.mivspool[data-layout="full"]').get_attribute("data-theme") == scheme
    border = state_of(page, "c.view.theme.states[1].border")
    assert border == {"light": "#005c00", "dark": "#7dff7d"}[scheme]


def test_at_phone_width_the_blocks_stand_in_order(app: Any) -> None:
    page = app.open("?graph=karate&step=9", width=390, height=844)
    page.get_by_text("S assigns").wait_for()
    order = (
        ".sentence",
        ".stage",
        ".controls",
        ".why",
        ".bars",
        ".badges",
        ".st-key-reduced",
        ".st-key-assignment",
    )
    blocks = [page.locator(selector).first for selector in order]
    tops = [block.bounding_box()["y"] for block in blocks]
    assert tops == sorted(tops)
    assert all(block.bounding_box()["width"] <= 390 for block in blocks)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


CROSSED = """c.view.worded.filter((box) => {
  const { edges } = c.trace.kinds[c.step] === "pool" ? c.trace.data.reduced : c.trace;
  for (let e = 0; e < edges.length; e += 2) {
    const [u, v] = [edges[e], edges[e + 1]];
    for (let t = 0; t <= 1; t += 0.002) {
      const x = c.view.sx(u) + t * (c.view.sx(v) - c.view.sx(u));
      const y = c.view.sy(u) + t * (c.view.sy(v) - c.view.sy(u));
      if (x > box[0] && x < box[2] && y > box[1] && y < box[3]) return true;
    }
  }
  return false;
}).length"""


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_no_edge_crosses_the_words_of_a_molecule(app: Any, width: int, scheme: str) -> None:
    page = app.open(width=width, scheme=scheme)
    for _ in range(5):
        settled(page)
        assert state_of(page, "c.view.worded.length") == 14
        assert state_of(page, CROSSED) == 0
        page.keyboard.press("ArrowRight")
        if state_of(page, "c.trace.kinds[c.step]") == "pool":
            break
    page = app.open("?graph=karate&score=degree&step=9", width=width, scheme=scheme)
    settled(page)
    assert state_of(page, "c.trace.kinds[c.step]") == "pool"
    assert state_of(page, "c.view.worded.length") == 4
    assert state_of(page, CROSSED) == 0, "the reduced graph has lines of its own"


COVERED = """c.view.worded.flatMap((a, i) => [
  ...c.view.worded.slice(i + 1).filter((b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]),
  ...c.trace.ids.filter((_, v) => {
    const r = 0.6 * c.view.radius;
    const [x, y] = [c.view.sx(v), c.view.sy(v)];
    return x + r > a[0] && x - r < a[2] && y + r > a[1] && y - r < a[3];
  }),
]).length"""


@pytest.mark.parametrize("width", [1440, 390])
@pytest.mark.parametrize("present", ["", "&present=1"])
def test_no_words_cover_other_words_or_a_vertex(app: Any, width: int, present: str) -> None:
    """Also those of the selected vertex, in the middle of a crowded graph."""
    page = app.open(f"?graph=karate&score=degree{present}", width=width)
    for vertex in (33, 0, 2, 8):
        state_of(page, f"c.store.dispatch({{ type: 'select', vertex: {vertex} }})")
        settled(page)
        assert state_of(page, "c.vertex") == vertex
        assert state_of(page, COVERED) == 0, vertex


def test_ids_are_text_and_a_small_upload_lives_in_the_link(app: Any) -> None:
    source = uploads.keep(TRIANGLE_AND_TAIL, "hostile.json")
    assert uploads.in_link(source)
    page = app.open(f"?graph={source}&score=degree&vertex=d&step=1")
    assert state_of(page, "c.trace.ids").count("<img src=x onerror=alert(1)>") == 1
    assert page.locator("img[src=x]").count() == 0
    assert page.locator(".mivspool .why").first.inner_text().startswith("Why was vertex d eliminated?")


def test_pasted_text_opens_and_a_mistake_gets_a_sentence(app: Any) -> None:
    page = app.open()
    upload_box(page)
    page.locator('input[type="file"]').set_input_files(
        {"name": "broken.graphml", "mimeType": "text/xml", "buffer": b"<graphml><graph><node"}
    )
    page.locator('[data-testid="stAlert"]').wait_for()
    assert len(page.locator('[data-testid="stAlert"]').inner_text()) > 20
    assert state_of(page, "c.trace.n") == 14
    page.get_by_label("or paste edges, SMILES").fill("a b\nb c\nc d")
    page.locator(
        '[class*="st-key-picker-step-open"] button'
    ).click()  # one click, with the field just left for it
    page.wait_for_url(re.compile(r"graph=z\."))
    page.wait_for_function("() => document.body.innerText.includes('4 vertices, 3 edges')")


def test_a_larger_upload_is_kept_by_the_backend_for_other_sessions(app: Any) -> None:
    random = np.random.default_rng(3)
    edges = random.integers(0, 900, (2500, 2))
    text = "\n".join(f"{u},{v}" for u, v in edges.tolist()) + "\n"
    page = app.open()
    upload_box(page)
    page.locator('input[type="file"]').set_input_files(
        {"name": "large.csv", "mimeType": "text/csv", "buffer": text.encode()}
    )
    page.wait_for_url(re.compile("graph=upload-"))
    page.get_by_label("or paste edges, SMILES").wait_for(
        state="hidden"
    )  # the box closes when its file was taken
    title = page.get_by_text(re.compile(r"large · \d+ vertices"))
    n = int(re.findall(r"\d+", title.inner_text())[0])
    wait_for_state(page, f"c.trace.n === {n}")  # the canvas comes after its title
    again = app.open(f"?{page.url.partition('/?')[2]}")
    assert state_of(again, "c.trace.n") == n > 800


def test_where_the_scores_come_from_stands_there_and_is_right(app: Any) -> None:
    page = app.open("?graph=MAO:3&score=degree&model=mao-mivspool")  # as Classify leaves it
    page.get_by_text(
        "Scores: multiview with the trained weights of model mao-mivspool, block 1 of 3."
    ).wait_for()
    assert "score=degree" not in page.url
    for link, words in (
        ("?graph=karate&score=degree", "Scores: the degree (number of neighbours)."),
        ("?graph=karate&score=uniform&seed=7", "Scores: random numbers, drawn with seed 7."),
        (
            "?graph=karate&score=attention&seed=7",
            "Scores: attention, untrained (random weights, seed 7).",
        ),
        ("?graph=preset:tie", "Scores: user-defined."),
    ):
        app.open(link).get_by_text(words).wait_for()


def test_a_step_beyond_the_last_is_the_last_in_the_link_too(app: Any) -> None:
    page = app.open("?graph=karate&score=degree&step=99&vertex=abc")
    assert sentence(page).startswith("Reduced graph")
    page.wait_for_url(re.compile("step=4(&|$)"))


def test_a_link_to_nothing_gets_a_sentence_and_a_graph(app: Any) -> None:
    page = app.open("?graph=NOPE:3&score=magic")
    assert page.locator('[data-testid="stAlert"]').count() >= 1
    assert sentence(page).startswith("Iteration 0")


def test_a_lecturer_hides_controls_by_the_link(app: Any) -> None:
    page = app.open("?hide=score,options")
    assert page.get_by_role("combobox", name="Score").count() == 0
    assert page.get_by_role("button", name="Options").count() == 0
    assert page.get_by_role("combobox", name="Graph").count() == 1


def test_another_page_and_back_goes_on_where_it_was(app: Any) -> None:
    page = app.open("?graph=karate&score=degree")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.wait_for_url(re.compile("step=2"))
    page.get_by_role("link", name="Results").click()
    page.locator('.mivspool[data-layout="full"]').wait_for(state="detached")
    page.get_by_role("link", name="Step").click()
    says(page, "Iteration 2 of 2")
    page.wait_for_url(re.compile("step=2"))


def test_a_link_may_name_the_first_page(app: Any) -> None:
    page = app.open("step?graph=karate&score=degree&step=1")
    assert sentence(page).startswith("Iteration 1 of 2")
    assert page.get_by_text("Page not found").count() == 0
    assert page.locator('[aria-current="page"]').inner_text() == "Step"
    assert state_of(page, "c.trace.n") == 34  # the link is kept


def test_share_that_is_opened_right_after_a_step_has_the_link_of_that_step(app: Any) -> None:
    page = app.open("?graph=karate&score=uniform")
    page.get_by_role("button", name="Next step").click()
    page.get_by_role("button", name="Share", exact=True).click()
    page.get_by_text(re.compile(r"http://127\.0\.0\.1:\d+/\?.*step=1")).first.wait_for(timeout=20_000)


# formulas that a reader cannot see all of: part of one lies beyond the box that cuts it off, or beyond the window
CUT_OFF = """() => {
  const roots = [document, ...[...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean)];
  const cut = (part) => {
    const { right, width } = part.getBoundingClientRect();
    if (!width) return false;
    for (let e = part; e; e = e.parentElement || (e.getRootNode().host ?? null)) {
      const style = getComputedStyle(e);
      if (style.overflowX === "hidden" || style.overflowX === "clip") {
        if (right > e.getBoundingClientRect().right + 1) return true;
      } else if (style.overflowX !== "visible") return false; // it can be scrolled to
    }
    return right > innerWidth + 1;
  };
  const parts = roots.flatMap((root) => [...root.querySelectorAll(".formula, .formula *, math, math *")]);
  return [parts.length, parts.filter(cut).map((part) => part.outerHTML.slice(0, 120))];
}"""


@pytest.mark.parametrize("width", [1440, 1280, 1024, 390])
@pytest.mark.parametrize("link", ["?graph=karate&score=degree&step=1&vertex=33", "learn?chapter=meer"])
def test_no_formula_is_cut_off(app: Any, link: str, width: int) -> None:
    page = app.open(link, width=width)
    settled(page)
    found, cut = page.evaluate(CUT_OFF)
    assert found > 5
    assert cut == []
