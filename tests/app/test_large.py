"""A graph too large to draw: the page shows a sample and says why, and pools, measures and exports the whole."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from mivspool.graphs.read import read_graph
from mivspool.levels import step
from tests.app.browser import settled, upload_box, wait_for_graph
from tests.app.test_step_page import says, sentence, state_of

pytestmark = pytest.mark.browser

MOST_SENT = 1_200_000  # bytes to the browser for all of a page; its canvases bring their script (250 kB) each


def edges(path: Path, n: int, m: int) -> Path:
    """A connected graph of n vertices (a random tree with m − n more edges) as an edge list."""
    random = np.random.default_rng(2)
    tree = (random.random(n - 1) * np.arange(1, n)).astype(np.int64)
    more = random.integers(0, n, (2, m - n + 1))
    pairs = np.concatenate([np.stack([tree, np.arange(1, n)]), more], axis=1)
    path.write_text("".join(f"v{u} v{v}\n" for u, v in pairs.T.tolist()))
    return path


def give(page: Any, path: Path, told: str = "more than a page can draw") -> list[int]:
    """Upload a file, until the page shows it and has told that it is large; what the page was sent since."""
    sent: list[int] = []
    page.on("websocket", lambda socket: socket.on("framereceived", lambda data: sent.append(len(data))))
    page.reload()
    upload_box(page)
    sent.clear()
    page.locator('input[type="file"]').last.set_input_files(path)
    page.get_by_text(told).first.wait_for(timeout=120_000)
    page.keyboard.press("Escape")
    settled(page)  # until then it shows the graph before beside what it tells of this one
    return sent


@pytest.mark.slow
def test_two_hundred_thousand_vertices_are_stepped_through_as_a_sample(app: Any, tmp_path: Path) -> None:
    n = 200_000
    path = edges(tmp_path / "large.edgelist", n, 600_000)
    graph = read_graph(path)
    level = step(graph, "degree")[0]
    page = app.open("?score=degree", own=True)
    sent = give(page, path)
    page.get_by_role("button", name="Go to the result").click()
    page.get_by_text(f"S assigns {n} vertices to {len(level.reduced_nodes)} clusters").wait_for(
        timeout=60_000
    )
    assert page.get_by_text("200,000 vertices and").first.is_visible()
    assert f"{level.metrics['mean_degree_after']:.2f}" in page.locator(".badges").inner_text()
    assert sum(sent) < MOST_SENT

    shown = state_of(page, "c.trace.data")
    assert 100 < len(shown["ids"]) < 500
    for i, name in enumerate(shown["ids"]):  # each as it is in the whole graph
        v = graph.index[name]
        assert shown["score"][i] == float(level.score[v])
        assert shown["settled"][i] == int(level.trace.settled_at[v])
        assert shown["survivor"][i] == int(level.trace.survivor[v])
        assert shown["ids"][shown["cluster"][i]] == graph.nodes[int(level.trace.cluster[v])]
    assert shown["T"] == level.num_iterations
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    assert sentence(page).startswith(f"Iteration 1 of {level.num_iterations}, in this sample: ")
    page.keyboard.press("End")
    says(page, "Reduced graph")

    page.get_by_role("tab", name="Table").click()
    with page.expect_download(timeout=60_000) as download:
        page.get_by_role("button", name="Download S").click()
    with Path(download.value.path()).open() as file:
        assert sum(1 for _ in file) == n + 1

    page.get_by_label("Show the sample around").fill("v777")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("around=v777"))
    wait_for_graph(page)
    page.wait_for_function("() => document.body.innerText.includes('The cluster of')")
    assert "v777" in state_of(page, "c.trace.ids")
    page.get_by_label("Show the sample around").fill("nobody")
    page.keyboard.press("Enter")
    page.get_by_text("has no vertex nobody").wait_for()
    assert "v777" in state_of(page, "c.trace.ids")


def test_classify_takes_it_with_the_same_sample_on_every_block(app: Any, tmp_path: Path) -> None:
    path = edges(tmp_path / "large.edgelist", 15_000, 50_000)
    page = app.open("classify", graph=False, own=True)
    page.locator("h4", has_text="Predicted by").wait_for()
    sent = give(page, path, "the graph has 15,000 vertices")
    page.get_by_role("button", name="Classify anyway").click()  # it is larger than any training graph
    page.locator("h4", has_text="Predicted by").wait_for()
    page.get_by_text("the graph has 15,000 vertices").first.wait_for()
    wait_for_graph(page)
    assert 100 < state_of(page, "c.trace.n") < 500
    page.get_by_text("What each cluster of this block contributes").wait_for()
    assert sum(sent) < MOST_SENT
