"""Nothing moves under the pointer: what is pressed stays where it is while the sentence above it wraps or not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import mivspool
from mivspool.canvas import THEME, notebook, script, style
from mivspool.canvas.payload import trace_data
from tests.app.browser import chromium

_PAGE = """<!doctype html><meta charset="utf-8"><style>{theme}{style}</style><body><main></main>
<script>(() => {{{script}
Object.assign(window, {{ show: (mode) => {{
  const options = {{ layout: "full", height: 300, labels: "id", scores: true, keys: true, mode }};
  const data = {{ trace: {trace}, options, start: {{ step: 0, part: 0, vertex: 0, n: 1 }} }};
  const parentElement = document.querySelector("main");
  mount({{ parentElement, data, setStateValue() {{}}, setTriggerValue() {{}} }}, SETTINGS);
}} }}); }})()</script></body>"""
# where the tops of parts are after each of some actions, without what moves inside the graph
_TOPS = """([selectors, actions]) => {
  const { store } = document.querySelector(".mivspool");
  return [null, ...actions].map((action) => {
    if (action) store.dispatch(action);
    const text = document.createRange();
    text.selectNodeContents(document.querySelector(".sentence span"));
    const lines = new Set([...text.getClientRects()].map(({ top }) => top));
    return [lines.size, ...selectors.map((selector) => document.querySelector(selector).getBoundingClientRect().top)];
  });
}"""


@pytest.mark.browser
def test_the_graph_and_what_is_pressed_stay_where_they_are(tmp_path: Path) -> None:
    level = mivspool.step(mivspool.open_source("karate"), "degree")[0]
    trace = json.dumps(trace_data(level, notebook._places(level)))
    file = tmp_path / "page.html"
    file.write_text(_PAGE.format(theme=THEME, style=style(), script=script(), trace=trace), encoding="utf-8")
    on: list[dict[str, Any]] = [{"type": "move", "by": 1}] * 12
    steps = [*on, {"type": "goto", "step": 0}, {"type": "parts"}, *on]
    questions = [{"type": "answer"}] * 8
    with chromium() as browser:
        page = browser.new_page()
        page.goto(file.as_uri())
        for width in (390, 820, 1280):
            page.set_viewport_size({"width": width, "height": 800})
            for mode, actions, selectors in (
                ("", steps, [".stage", ".transport .primary", ".choice"]),
                ("predict", questions, [".stage", ".predict .primary"]),
            ):
                page.evaluate("(mode) => show(mode)", mode)
                found = page.evaluate(_TOPS, [selectors, actions])
                lines, tops = {one[0] for one in found}, {tuple(one[1:]) for one in found}
                assert len(tops) == 1, (width, mode, tops)
                assert len(lines) > 1 or width > 390, "some sentences wrap here"
