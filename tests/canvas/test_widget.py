"""The notebook's widget: its traits are where the canvas stands, and the canvas stands where they say."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import torch
import traitlets

import mivspool
from mivspool import meer
from mivspool.canvas.widget import Widget
from mivspool.errors import InputError, MissingPackageError
from tests.app.browser import chromium

# a model as anywidget gives it, of which Python's end is left out
MODEL = """
class Model {
  constructor(values) { Object.assign(this, { values, heard: {}, saved: [] }); }
  get(name) { return this.values[name]; }
  set(name, value) {
    if (this.values[name] === value) return;
    this.values[name] = value;
    for (const act of this.heard[`change:${name}`] || []) act();
  }
  on(name, act) { (this.heard[name] ||= []).push(act); }
  off(name, act) { this.heard[name] = this.heard[name].filter((other) => other !== act); }
  save_changes() { const { step, part, vertex } = this.values; this.saved.push({ step, part, vertex }); }
}
"""


def karate(**options: Any) -> Widget:
    return mivspool.step(mivspool.open_source("karate"), "degree")[0].widget(**options)


def test_it_begins_where_it_is_told_and_with_the_best_vertex_selected() -> None:
    made = karate(step=1)
    assert (made.step, made.part, made.vertex, made.node) == (1, 0, 33, "33")
    assert made.last_step == 4


@pytest.mark.parametrize(
    ("trait", "value"), [("step", 5), ("step", -1), ("vertex", 34), ("vertex", -2), ("part", 4)]
)
def test_what_there_is_not_is_refused_and_changes_nothing(trait: str, value: int) -> None:
    made = karate()
    before = getattr(made, trait)
    with pytest.raises(traitlets.TraitError):
        setattr(made, trait, value)
    assert getattr(made, trait) == before


def test_options_are_those_of_show() -> None:
    with pytest.raises(InputError, match="theme"):
        karate(theme="pink")
    with pytest.raises(InputError, match="34 pairs"):
        karate(positions=[(0, 0)])
    assert karate(title="a club")._held["trace"]["ids"][0] == "0"


def test_a_trace_has_one_too_with_its_indices_for_ids() -> None:
    path = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    made = meer.trace(path, torch.tensor([0.1, 0.9, 0.2])).widget()
    assert (made.vertex, made.node) == (1, "1")
    made.vertex = -1
    assert made.node is None


def test_without_its_package_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    level = mivspool.step(mivspool.open_source("karate"), "degree")[0]
    monkeypatch.delitem(sys.modules, "mivspool.canvas.widget")
    monkeypatch.setattr("mivspool.extras.installed", lambda package: package != "anywidget")
    with pytest.raises(MissingPackageError, match=r"needs anywidget: pip install 'mivspool\[notebook\]'"):
        level.widget()


def test_the_library_does_without_it() -> None:
    code = "import sys, mivspool; mivspool.step(mivspool.open_source('karate')); print('anywidget' in sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "False"


@pytest.fixture(scope="module")
def shown() -> Iterator[Any]:
    made = karate()
    state = {name: getattr(made, name) for name in ("_held", "_style", "step", "part", "vertex", "theme")}
    with chromium() as browser:
        page = browser.new_page()
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.set_content(
            "<body><div id='cell'></div>"
            f"<script type='application/json' id='state'>{json.dumps(state).replace('<', chr(92) + 'u003c')}</script>"
            f"<script type='module'>{made._esm.replace('export default', 'const made =')}\n{MODEL}"
            "window.model = new Model(JSON.parse(document.getElementById('state').textContent));"
            "window.close_ = made.render({ model, el: document.getElementById('cell') });</script></body>"
        )
        page.locator("#cell .stage canvas").first.wait_for()
        yield page
        assert [url for url in asked if not url.startswith(("data:", "blob:", "about:"))] == []


HOST = "document.querySelector('#cell > div')"
CANVAS = f"{HOST}.shadowRoot.querySelector('.mivspool')"


def store(page: Any, name: str) -> Any:
    return page.evaluate(f"(name) => {CANVAS}.store.state[name]", name)


@pytest.mark.browser
def test_the_canvas_goes_where_a_trait_says(shown: Any) -> None:
    shown.evaluate("() => model.set('step', 2)")
    shown.evaluate("() => model.set('vertex', 5)")
    assert (store(shown, "step"), store(shown, "vertex")) == (2, 5)
    shown.evaluate("() => model.set('step', 0)")
    assert (store(shown, "step"), store(shown, "vertex")) == (0, 5)


@pytest.mark.browser
def test_a_trait_is_where_a_person_steps(shown: Any) -> None:
    shown.evaluate("() => { model.set('step', 0); model.saved = []; }")
    shown.get_by_role("button", name="Next step").click()
    shown.wait_for_function("() => model.saved.length")
    assert shown.evaluate("() => model.get('step')") == 1 == store(shown, "step")
    assert shown.evaluate("() => model.saved.at(-1).step") == 1


@pytest.mark.browser
def test_it_follows_the_theme_of_the_notebook(shown: Any) -> None:
    def theme() -> str:
        return str(shown.evaluate(f"() => {HOST}.dataset.theme"))

    for light, name in (("false", "dark"), ("true", "light")):
        shown.evaluate("(light) => { document.body.dataset.jpThemeLight = light; }", light)
        shown.wait_for_function(f"(name) => {CANVAS}.dataset.theme === name", arg=name)
        assert theme() == name
    shown.evaluate(
        "() => { model.values.theme = 'dark'; model.heard['change:theme'].forEach((act) => act()); }"
    )
    assert theme() == "dark"


@pytest.mark.browser
def test_a_widget_that_is_closed_listens_no_more(shown: Any) -> None:
    """The last of the module: it takes the canvas away."""
    shown.evaluate("() => close_()")
    assert shown.evaluate("() => Object.values(model.heard).flat().length") == 0
