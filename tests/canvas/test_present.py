"""The mark by which a page knows that a canvas fills the window is that canvas's own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import mivspool
from mivspool.canvas import notebook, script, style
from mivspool.canvas.payload import trace_data
from tests.app.browser import chromium

# two canvases, each told to present, told not to, or gone: after each word, who presents
_RUN = """
(words) => {
  const mounts = [document.createElement("main"), document.createElement("main")];
  document.body.replaceChildren(...mounts);
  const leave = [null, null];
  const told = { present: (i) => mount(i, true), plain: (i) => mount(i, false), gone: (i) => leave[i]() };
  const mount = (i, present) => {
    const options = { ...OPTIONS, present };
    const data = { trace: TRACE, options, start: { step: 0, vertex: -1, n: 1 } };
    const component = { parentElement: mounts[i], data };
    leave[i] = CANVAS({ ...component, setStateValue() {}, setTriggerValue() {} });
  };
  return words.map(([i, word]) => {
    told[word](i);
    return mounts.map((box) => box.hasAttribute("data-presents"));
  });
}
"""


@pytest.mark.browser
def test_no_canvas_undoes_what_another_said(tmp_path: Path) -> None:
    level = mivspool.step(mivspool.open_source("karate"), "degree")[0]
    trace = json.dumps(trace_data(level, notebook._places(level)))
    options = {"layout": "full", "height": 300, "labels": "id", "scores": True, "presentable": True}
    file = tmp_path / "two.html"
    file.write_text(
        f"<!doctype html><style>{style()}</style><body><script>(() => {{{script()}\n"
        f"Object.assign(window, {{ TRACE: {trace}, OPTIONS: {json.dumps(options)}, "
        "CANVAS: (component) => mount(component, SETTINGS) });})()</script></body>",
        encoding="utf-8",
    )
    words = [
        (0, "plain"),
        (1, "present"),
        (0, "plain"),
        (0, "gone"),
        (0, "present"),
        (1, "plain"),
        (1, "gone"),
    ]
    words += [(1, "present"), (0, "gone"), (1, "gone")]
    says: list[bool | None] = [None, None]
    expected = []
    for which, word in words:
        says[which] = word == "present"
        expected.append([bool(said) for said in says])
    with chromium() as browser:
        page = browser.new_page()
        page.goto(file.as_uri())
        assert page.evaluate(_RUN, words) == expected
