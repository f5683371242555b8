"""The link says what a page shows, also to whoever reloads it the moment it is shown."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from app.step import page as step
from tests.test_house import ROOT


@pytest.mark.parametrize("mode", ["", "predict", "edit"])
def test_a_canvas_is_given_a_graph_when_the_link_names_it(
    own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    own_backend()
    app = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120)
    app.query_params["graph"], app.query_params["mode"] = "preset:tie", mode
    app.run()
    canvas, linked = step.graph_canvas, []

    def given(trace: dict[str, Any], **how: Any) -> Any:
        linked.append(st.query_params["graph"])
        return canvas(trace, **how)

    monkeypatch.setattr(step, "graph_canvas", given)
    app.selectbox(key="picker:step").set_value("karate").run()
    assert not app.exception
    assert set(linked) == {"karate"}
