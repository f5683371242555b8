"""``show()``: what a notebook displays holds its trace, steps, and asks for nothing outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import mivspool
from mivspool import meer
from mivspool.canvas import notebook
from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from tests.app.browser import chromium

PATH = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])


def test_a_level_and_a_trace_show_themselves() -> None:
    graph = mivspool.open_source("karate")
    for level in mivspool.step(graph, "degree", levels=3):
        html = level.show()._repr_html_()
        assert '<iframe class="mivspool-shown" sandbox="allow-scripts" title="karate"' in html
    shown = meer.trace(PATH, torch.tensor([0.1, 0.9, 0.2])).show(title="a path", theme="dark", height=300)
    assert "data-theme=&quot;dark&quot;" in shown._repr_html_()
    assert "a path" in repr(shown)
    assert shown.height > 300


def test_levels_stand_where_the_graph_stands_and_keep_their_labels() -> None:
    graph = mivspool.open_source("MAO:3")
    first, second, *_ = mivspool.step(graph, levels=2)
    assert second.origin is not None
    assert np.array_equal(notebook._places(second), notebook._places(first)[second.origin.numpy()])
    assert notebook._labels(second) == [
        graph.node_attributes["label"][graph.index[node]] for node in second.nodes
    ]


def test_a_batch_is_shown_as_one_picture() -> None:
    index = torch.tensor([[0, 1, 2, 3, 3, 4], [1, 0, 3, 2, 4, 3]])
    score = torch.tensor([0.1, 0.2, 0.3, 0.4, 0.5])
    course = meer.trace(index, score, torch.tensor([0, 0, 1, 1, 1]), 2)
    assert '"T":2' in course.show().page


def test_nothing_and_a_single_vertex_can_be_shown() -> None:
    assert meer.trace(torch.zeros(2, 0, dtype=torch.int64), torch.zeros(0)).show().page
    assert meer.trace(torch.zeros(2, 0, dtype=torch.int64), torch.ones(1)).show().page


def test_names_cannot_leave_the_frame() -> None:
    hostile = '"></iframe><script>alert(1)</script>'
    graph = Graph(name=hostile, nodes=(hostile, "b"), edges=np.array([[0], [1]]))
    html = mivspool.step(graph, "uniform")[0].show()._repr_html_()
    assert html.count("<") == 6  # our own: what holds the frame, its style, and the frame


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"theme": "red"}, "no theme 'red'"),
        ({"positions": [[0.0, 0.0]]}, "3 pairs of numbers"),
        ({"labels": ["a"]}, "1 labels for 3 vertices"),
    ],
)
def test_what_does_not_fit_gets_a_sentence(options: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        meer.trace(PATH, torch.tensor([0.1, 0.9, 0.2])).show(**options)


def test_a_page_that_cannot_be_written_gets_a_sentence(tmp_path: Path) -> None:
    shown = meer.trace(PATH, torch.tensor([0.1, 0.9, 0.2])).show()
    shown.save(tmp_path / "a.html")
    assert (tmp_path / "a.html").read_text(encoding="utf-8") == shown.page
    with pytest.raises(InputError, match="cannot be written"):
        shown.save(tmp_path / "no" / "a.html")


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.browser
def test_it_steps_in_the_page_that_nbconvert_makes(tmp_path: Path) -> None:
    import nbformat  # a second, which every process that collects the tests would wait for
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    code = (
        'import mivspool\nmivspool.step(mivspool.open_source("preset:tie"), (0.3, 0.8, 0.8, 0.4))[0].show()'
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    NotebookClient(book, timeout=120, kernel_name="python3").execute()
    body, _ = HTMLExporter(template_name="basic").from_notebook_node(book)
    file = tmp_path / "book.html"
    file.write_text(body, encoding="utf-8")
    asked: list[str] = []
    errors: list[str] = []
    with chromium() as browser:
        page = browser.new_page()
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
        page.goto(file.as_uri())
        frame = page.frame_locator("iframe")
        sentence = frame.locator(".sentence")
        assert sentence.inner_text().startswith("Iteration 0")
        frame.locator(".stage").focus()
        page.keyboard.press("ArrowRight")
        assert sentence.inner_text().startswith("Iteration 1")
        page.screenshot(path=str(tmp_path / "book.png"))
    assert [url for url in asked if not url.startswith(("about:srcdoc", file.as_uri()))] == []
    assert errors == []


@pytest.mark.browser
def test_the_frame_follows_the_notebooks_theme(tmp_path: Path) -> None:
    shown = mivspool.step(mivspool.open_source("karate"), "degree")[0].show()
    file = tmp_path / "book.html"
    page_of = '<!doctype html><meta charset="utf-8"><body data-jp-theme-light="{}">{}</body>'
    file.write_text(page_of.format("false", shown._repr_html_()), encoding="utf-8")
    with chromium() as browser:
        # without Playwright's own scheme, which would hide what the frame is told
        page = browser.new_context(color_scheme="null", viewport={"width": 1000, "height": 900}).new_page()
        page.goto(file.as_uri())
        frame = page.frame_locator("iframe")
        box = frame.locator(".mivspool")
        box.wait_for()
        assert box.get_attribute("data-theme") == "dark"
        page.evaluate("document.body.dataset.jpThemeLight = 'true'")
        frame.locator(".mivspool[data-theme=light]").wait_for()
        page.evaluate("document.body.className = 'vscode-dark'; delete document.body.dataset.jpThemeLight")
        frame.locator(".mivspool[data-theme=dark]").wait_for()


@pytest.mark.browser
@pytest.mark.parametrize("source", ["karate", "florentine", "preset:tie"])
def test_beside_an_explanation_of_any_length_the_graph_and_its_controls_stay_in_sight(
    source: str, tmp_path: Path
) -> None:
    shown = mivspool.step(mivspool.open_source(source), "uniform")[0].show()
    file = tmp_path / "book.html"
    file.write_text(f'<!doctype html><meta charset="utf-8"><body>{shown._repr_html_()}', encoding="utf-8")
    with chromium() as browser:
        page = browser.new_page()
        page.goto(file.as_uri())
        frame = page.frame_locator("iframe")
        for width in (1300, 1000, 820):
            page.set_viewport_size({"width": width, "height": 900})
            for key in ("Home", "ArrowRight", "End"):
                frame.locator(".stage").press(key)
                assert frame.locator("html").evaluate("one => one.scrollHeight <= innerHeight"), (width, key)
                last = frame.locator(".why > :last-child")
                last.evaluate("one => one.scrollIntoView({ block: 'end' })")
                assert last.evaluate(_IN_SIGHT), (width, key)
                for part in (".stage", ".controls"):
                    assert frame.locator(part).evaluate(_IN_SIGHT), (width, key, part)


# to its last line: what is higher than its place has been scrolled to its end
_IN_SIGHT = """one => {
  const { bottom } = one.getBoundingClientRect();
  let place = one.parentElement;
  while (place && !/auto|scroll/.test(getComputedStyle(place).overflowY)) place = place.parentElement;
  const end = place ? place.getBoundingClientRect().bottom : innerHeight;
  return bottom <= end + 1 && end <= innerHeight + 1;
}"""
