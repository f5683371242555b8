"""What is downloaded: one page that steps by itself, under 2 MB for 500 vertices, and figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from mivspool.canvas import standalone
from mivspool.canvas.payload import trace_data
from mivspool.graphs.graph import Graph
from mivspool.levels import step

HOSTILE = "</script><img src=x onerror=alert(1)>"


def page_of(n: int, name: str = "a graph") -> str:
    made = nx.gnm_random_graph(n, 3 * n, seed=1)
    edges = np.array(sorted((min(e), max(e)) for e in made.edges), dtype=np.int64).T
    graph = Graph(name=name, nodes=(HOSTILE, *(f"v{i}" for i in range(1, n))), edges=edges)
    (level,) = step(graph, "uniform", levels=1)
    random = np.random.default_rng(0)
    return standalone(trace_data(level, random.random((n, 2))), name)


def test_five_hundred_vertices_are_less_than_two_megabytes() -> None:
    page = page_of(500, HOSTILE)
    assert len(page.encode()) < 2_000_000
    assert page.count("</script>") == 2
    assert "<img" not in page


@pytest.mark.browser
def test_it_steps_without_the_app_and_asks_for_nothing(browser: Any, tmp_path: Path) -> None:
    file = tmp_path / "taken.html"
    file.write_text(page_of(500), encoding="utf-8")
    page = browser.new_page()
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    sentence = page.locator(".sentence")
    assert sentence.inner_text().startswith("Iteration 0")
    page.keyboard.press("ArrowRight")
    assert sentence.inner_text().startswith("Iteration 1")
    page.keyboard.press("End")
    assert sentence.inner_text().startswith("Reduced graph")
    page.close()
    assert asked == [file.as_uri()]
    assert errors == []


@pytest.mark.browser
def test_step_hands_out_a_page_and_a_figure(app: Any) -> None:
    page = app.open("?graph=preset:bridge")
    page.get_by_role("button", name="Download", exact=True).click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download web page", exact=True).click()
    assert download.value.suggested_filename == "Two-cliques-and-a-bridge-level-0.html"
    page.get_by_role("radio", name="SVG").click()
    page.get_by_text("to scale and edit").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download SVG", exact=True).click()
    assert download.value.suggested_filename.endswith(".svg")
    assert "<svg" in Path(download.value.path()).read_text(encoding="utf-8")
    page.get_by_role("radio", name="current step").click()
    page.get_by_text("The graph at the current step").wait_for()
    page.wait_for_timeout(1500)  # the button of the figure before looks the same
    with page.expect_download() as download:
        page.get_by_role("button", name="Download SVG", exact=True).click()
    assert download.value.suggested_filename.endswith("level-0-step-0.svg")
    page.get_by_role("radio", name="MP4").click()
    page.get_by_text("A video").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download MP4", exact=True).click()
    assert Path(download.value.path()).read_bytes()[4:8] == b"ftyp"
