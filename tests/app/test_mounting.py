"""Where data come while a component's script is still loaded, Streamlit calls it with the old data, then with the new,
and ends the first call after that. What the second one shows stays.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import mivspool
from app.components import record
from app.components.free import __file__ as free
from mivspool import colours
from mivspool.canvas import notebook, script, settings
from mivspool.canvas.modules import joined
from mivspool.canvas.payload import trace_data
from mivspool.canvas.strings import NUMBERS
from tests.app.browser import chromium
from tests.app.test_record import ENTRIES, GRAPH

pytestmark = pytest.mark.browser


def canvas() -> tuple[str, str, dict[str, Any]]:
    level = mivspool.step(mivspool.open_source("karate"), "degree")[0]
    options = {"layout": "full", "height": 300, "labels": "id", "scores": True, "keys": True, "mode": ""}
    trace = trace_data(level, notebook._places(level))
    data = {"trace": trace, "options": options, "start": {"step": 0, "part": 0, "vertex": 0, "n": 1}}
    return script(), "(component) => mount(component, SETTINGS)", data


def training() -> tuple[str, str, dict[str, Any]]:
    graph = record.drawn({**GRAPH, "positions": None, "part": "validation"}, ["0", "1"])
    curves: dict[str, list[float]] = {
        name: [] for name in ("train_loss", "val_loss", "train_accuracy", "val_accuracy")
    }
    data = {
        "job": "a", "start": {"epoch": 0, "graph": 0, "level": 0}, "words": record.words.RECORD,
        "numbers": NUMBERS, "tells": False,
        **record.document(
            graphs=[graph], entries=ENTRIES, classes=["0", "1"], dataset="own", method="mivspool",
            curves=curves, best=None,
        ),
    }  # fmt: skip
    own = joined(Path(record.__file__).with_name("mount.js"))
    return own + settings(), "(component) => mountRecord(component, SETTINGS.colours)", data


def layout() -> tuple[str, str, dict[str, Any]]:
    network: dict[str, Any] = {"nodes": [], "edges": [], "options": {}}
    strings = {name: name for name in ("use", "use_help", "fit", "forces", "label")}
    data = {"drawing": "a", "network": network, "colours": colours.for_canvas(), "strings": strings}
    return joined(Path(free).with_suffix(".js")), "mountFree", data


@pytest.fixture(scope="module")
def blank() -> Iterator[Any]:
    with chromium() as browser:
        yield browser.new_page()


@pytest.mark.parametrize(
    ("component", "box"), [(canvas, ".mivspool"), (training, ".record"), (layout, ".free")]
)
def test_the_end_of_a_call_that_was_overtaken_takes_nothing_away(
    blank: Any, component: Any, box: str
) -> None:
    own, mounts, data = component()
    blank.set_content("<main></main>")
    blank.add_script_tag(content=f"(() => {{ {own}; window.call = {mounts}; }})()")
    blank.evaluate(
        """(data) => {
          const parentElement = document.querySelector("main");
          const told = { parentElement, setStateValue() {}, setTriggerValue() {} };
          window.ends = [0, 1, 2].map(() => call({ ...told, data: structuredClone(data) }));
        }""",
        json.loads(json.dumps(data)),
    )
    for overtaken in (0, 1):
        blank.evaluate(f"ends[{overtaken}]()")
        assert blank.locator(box).count() == 1
    blank.evaluate("ends[2]()")
    assert blank.locator(box).count() == 0, "the last one ends it"
