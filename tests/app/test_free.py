"""Free layout: the network follows the step and keeps its places, and the canvas takes them over; all of it offline."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from app import pooled
from app.pooled import view
from app.pooled.view import Layout
from app.state import PROPERTIES, State
from app.step import free
from mivspool.colours import COLOURS
from tests.app.browser import POLLING, settled

FIND = """
const hosts = () => [...document.querySelectorAll('*')].filter((e) => e.shadowRoot);
const free = () => hosts().map((e) => e.shadowRoot.querySelector('.free')).find(Boolean)?.free;
const canvas = () => hosts().map((e) => e.shadowRoot.querySelector('.mivspool[data-layout="full"]')).find(Boolean);
const fills = () => free().nodes.get().map((node) => node.color.background);
const view = () => canvas().querySelector('.stage:not(.before)').view;
"""


def ask(page: Any, code: str, argument: Any = None) -> Any:
    return page.evaluate(f"(argument) => {{ {FIND} return {code}; }}", argument)


def until(page: Any, code: str, argument: Any = None) -> None:
    page.wait_for_function(
        f"(argument) => {{ {FIND} return {code}; }}", arg=argument, polling=POLLING, timeout=90_000
    )


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("n", [30, 500])
def test_it_follows_the_step_and_the_canvas_takes_its_places(app: Any, n: int) -> None:
    page = app.open(f"?graph=random:{n}:{n + n // 2}:1&score=uniform&free=level", height=1400)
    until(page, "free()?.network && free().nodes.length === argument", n)
    assert set(ask(page, "fills()")) == {COLOURS["candidate"].fill}
    ask(page, "(free().network.mark = 1)")
    # forces pull by themselves
    start = ask(page, "free().places()")
    until(page, "free().places().some((x, i) => Math.abs(x - argument[i]) > 5)", start)
    assert ask(page, "free().forces.querySelectorAll('input[type=range]').length") > 5
    # it follows the step, and its vertices stay where they are
    page.get_by_role("button", name="Last step").click()
    until(page, "!fills().includes(argument)", COLOURS["candidate"].fill)
    ask(page, "free().network.setOptions({ physics: false })")
    arrows = ask(page, "free().edges.get().filter((edge) => edge.arrows === 'to').length")
    survivors = ask(page, "fills().filter((fill) => fill === argument).length", COLOURS["survivor"].fill)
    assert arrows == n - survivors
    before = ask(page, "free().places()")
    page.get_by_role("button", name="First step").click()
    until(page, "fills().every((fill) => fill === argument)", COLOURS["candidate"].fill)
    assert ask(page, "free().places()") == before
    # a vertex is pulled
    ask(page, "free().network.moveNode(free().nodes.getIds()[0], 1234, -567)")
    page.get_by_role("button", name="Use this layout").click()
    until(page, "Math.abs(view().trace.data.x[0] - 12.34) < 0.01")
    assert ask(page, "view().trace.data.y[0]") == pytest.approx(-5.67, abs=0.01)
    np.testing.assert_allclose(
        ask(page, "view().trace.data.x.map((x) => 100 * x)"), ask(page, "free().places()")[::2], atol=1
    )
    assert ask(page, "free().network.mark") == 1, "it is the same network"
    page.get_by_role("button", name="Original layout").click()
    until(page, "Math.abs(view().trace.data.x[0] - 12.34) > 0.01")


@pytest.mark.browser
def test_the_reduced_graph_too_and_as_a_page_to_take_along(app: Any, tmp_path: Path) -> None:
    page = app.open("?graph=karate&score=degree&free=reduced&step=9", height=1400, scheme="dark")
    until(page, "free()?.network")
    assert ask(page, "free().nodes.length") < 34
    assert set(ask(page, "free().nodes.get().map((node) => node.color.border)")) == {
        COLOURS["survivor"].dark_border
    }
    page.get_by_role("button", name="Download", exact=True).click()
    page.get_by_role("radio", name="free layout").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download free layout", exact=True).click()
    assert download.value.suggested_filename.endswith("-level-0-free-layout.html")
    told: list[str] = []
    other = app.context.new_page()
    other.on("request", lambda request: told.append(request.url))
    other.on("pageerror", lambda error: told.append(str(error)))
    download.value.save_as(tmp_path / "a.html")
    other.goto((tmp_path / "a.html").as_uri())
    other.locator("#mynetwork canvas").wait_for()
    assert other.evaluate("nodes.length") == ask(page, "free().nodes.length")
    other.close()
    assert told == [(tmp_path / "a.html").as_uri()]
    settled(page)


def test_places_are_those_of_the_level_they_were_taken_over_on() -> None:
    at = np.zeros((3, 2))
    layout = Layout({
        0: (np.array([5, 1]), np.array([[5.0, 5.0], [1.0, 1.0]])),
        1: (np.array([5]), np.array([[7.0, 7.0]])),
    })  # fmt: skip
    assert layout.moved(at, np.array([1, 2, 5]), 0).tolist() == [[1, 1], [0, 0], [5, 5]]
    assert layout.moved(at, np.array([1, 2, 5]), 3).tolist() == [[1, 1], [0, 0], [7, 7]]
    assert not at.any()
    assert layout.name != Layout({0: layout.levels[0]}).name


def dressed(**chosen: Any) -> tuple[Any, list[tuple[str, str]]]:
    pooling = pooled.pool("karate", "degree", 0, False, False)
    state = State("step", {prop.name: prop.default for prop in PROPERTIES})
    state.graph, state.free, state.step = "karate", free.LEVEL, 9
    for name, value in chosen.items():
        setattr(state, name, value)
    seen = view.viewport(pooling, 0, "")
    made = free.network_of(state, pooling, seen, reduced=True)
    return made, free.dress(made, state, pooling, seen)


def test_what_is_laid_out_freely_is_coloured_and_sized_as_chosen() -> None:
    graph = pooled.pool("karate", "degree", 0, False, False).graph
    assert free.colours_of(graph) == ["club", "cluster"]
    assert free.sizes_of(graph) == ["score", "degree"]
    made, meaning = dressed(colour="club", size="degree")
    assert [text for text, _ in meaning] == ["Mr. Hi", "Officer"]
    clubs = dict(zip(graph.nodes, graph.node_attributes["club"], strict=True))
    colours = dict(meaning)
    assert all(node["color"]["background"] == colours[clubs[node["id"]]] for node in made.nodes)
    largest = max(made.nodes, key=lambda node: node["size"])
    assert graph.degree[graph.index[largest["id"]]] == graph.degree.max()
    assert dressed()[1] == []
    assert {node["color"]["background"] for node in dressed()[0].nodes} <= {c.fill for c in COLOURS.values()}


def test_a_cluster_has_one_colour_in_the_level_and_in_the_reduced_graph_once_it_is_made() -> None:
    made, meaning = dressed(colour="cluster")
    small, same = dressed(colour="cluster", free=free.REDUCED)
    assert meaning == same
    level = pooled.pool("karate", "degree", 0, False, False).levels[0]
    of = {node["id"]: node["color"]["background"] for node in small.nodes}
    assert {node["id"]: node["color"]["background"] for node in made.nodes} == {
        vertex: of[level.reduced_nodes[c]]
        for vertex, c in zip(level.nodes, level.cluster.tolist(), strict=True)
    }
    assert dressed(colour="cluster", step=0)[1] == [], "not before the assignment"


def test_the_reduced_graph_is_not_handed_out_before_the_iterations_have_made_it() -> None:
    pooling = pooled.pool("karate", "degree", 0, False, False)
    state = State("step", {prop.name: prop.default for prop in PROPERTIES})
    state.graph, state.free, state.step = "karate", free.REDUCED, 0
    seen = view.viewport(pooling, 0, "")
    assert len(free.network_of(state, pooling, seen, reduced=False).nodes) == 34
    assert len(free.network_of(state, pooling, seen, reduced=True).nodes) < 34
