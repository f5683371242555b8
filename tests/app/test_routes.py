"""A newcomer can follow two things through the code: an upload to the canvas, and a job from the form to its curve.

CONTRIBUTING.md lists both routes; ``routes.py`` says by which rule they are traced.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import backend
from app.pooled.view import Viewport
from app.train.jobs import Curve
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, PooledGraph
from mivspool.service.jobs_schemas import Events, JobDocument
from mivspool.service.work import perform
from tests.app.routes import Leg, followed, returns
from tests.test_house import ROOT

MOST = 9
CONTENT = b"alpha,beta\nbeta,gamma\ngamma,delta\ndelta,alpha\ndelta,epsilon\n"


def listed(heading: str) -> list[str]:
    """The files of a route as CONTRIBUTING.md lists them: one numbered line each, a leg after the other."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition(f"### {heading}\n")[2].partition("\n#")[0]
    return re.findall(r"^\d+\. `([^`]+)`", section, re.MULTILINE)


def check(heading: str, *legs: Leg) -> None:
    for leg in legs:
        assert not leg.forms, f"never made: {list(leg.forms)}"
        assert returns(leg) == [], leg.files
    files = [file for leg in legs for file in leg.files]
    assert len(set(files)) <= MOST, files
    assert files == listed(heading)


def ours(graph: Any) -> bool:
    return isinstance(graph, Graph) and "alpha" in graph.nodes


def is_level(value: Any) -> bool:
    return isinstance(value, Level) and "alpha" in value.nodes


def test_an_uploads_route_to_the_canvas() -> None:
    taken = Leg(
        ("app/sources/uploads.py", "box"),
        {
            "read": lambda value: isinstance(value, list) and bool(value) and ours(value[0]),
            "name": lambda value: isinstance(value, str) and value.startswith("z."),
        },
    )
    shown = Leg(
        ("app/step/page.py", "page"),
        {
            "graph": ours,
            "levels": lambda value: isinstance(value, list) and bool(value) and is_level(value[0]),
            "pooled": lambda value: isinstance(value, PooledGraph) and ours(value.graph),
            "trace": lambda value: isinstance(value, dict) and "alpha" in (value.get("ids") or ()),
            "viewport": lambda value: isinstance(value, Viewport) and "alpha" in value.level.nodes,
        },
        end=("app/components/canvas.py", "graph_canvas"),
    )
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120).run()
    assert not app.exception
    app.get("file_uploader")[0].upload("mine.csv", CONTENT, "text/csv")
    with followed(taken, shown):
        app.run()
    assert not app.exception
    check("An upload to the canvas", taken, shown)


def _train() -> None:
    from app.train.page import page

    page()


def test_a_jobs_route_from_the_form_to_its_curve(
    own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIVSPOOL_STALE_SECONDS", "3600")  # no worker does the job: nobody gives signs of life
    own_backend()
    asked = Leg(
        ("app/train/page.py", "page"),
        {
            "request": lambda value: isinstance(value, dict) and {"dataset", "max_epochs"} <= value.keys(),
            "job": lambda value: isinstance(value, JobDocument),
        },
    )
    shown = Leg(
        ("app/train/page.py", "page"),
        {
            "events": lambda value: (
                isinstance(value, Events) and any(e.kind == "epoch" for e in value.events)
            ),
            "curve": lambda value: isinstance(value, Curve),
            "record": lambda value: isinstance(value, dict) and {"entries", "curves"} <= value.keys(),
        },
        end=("app/components/record/__init__.py", "record_view"),
    )
    app = AppTest.from_function(_train, default_timeout=120)
    app.query_params["config"] = "hidden=16&max_epochs=2&blocks=1"
    app.run()
    assert not app.exception
    app.button(key="train:start").click()
    with followed(asked):
        app.run()
    assert not app.exception
    own: Any = backend._client()._transport
    store = own._app.state.backend.store
    claim = store.claim("this test")
    assert claim is not None
    perform(store, claim, lambda: False)
    with followed(shown):
        app.run()
    assert not app.exception
    check("A job from the form to its curve", asked, shown)
