"""What the app takes from inside Streamlit is listed, and is there in the Streamlit that is installed."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import streamlit
from streamlit import config
from streamlit.proto.ClientState_pb2 import ClientState
from streamlit.runtime.scriptrunner_utils.script_run_context import ScriptRunContext
from streamlit.starlette import App
from streamlit.testing.v1 import AppTest
from streamlit.web.server import server_util
from streamlit.web.server.starlette import starlette_routes

from app.server import streamlit_internals
from app.server.run import MAIN
from app.server.streamlit_internals import BEHAVIOURS, SELECTORS
from mivspool.settings import STREAMLIT, STREAMLIT_HEALTH
from tests.test_house import ROOT, files

PUBLIC = {"streamlit", "streamlit.starlette"}  # st.…, and the documented way to be served with middleware
STATIC = Path(streamlit.__file__).parent / "static" / "static" / "js"


def taken(path: Path) -> Iterator[str]:
    """The names inside Streamlit that a file takes: modules it imports, and private attributes of ``st``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (a.name for a in node.names if a.name.split(".")[0] == "streamlit")
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            if (node.module or "").split(".")[0] == "streamlit":
                yield str(node.module)
        elif isinstance(node, ast.Attribute) and re.match(r"st\.(.*\.)?(_|runtime\b)", ast.unparse(node)):
            yield ast.unparse(node)


def test_one_module_imports_from_inside_streamlit() -> None:
    inside = Path(streamlit_internals.__file__)
    for path in [*files("app"), *files("mivspool")]:
        if path != inside:
            assert set(taken(path)) <= PUBLIC, path
    assert set(taken(inside)) - PUBLIC, "else it has nothing to say"


def test_every_selector_of_streamlits_page_is_listed() -> None:
    pattern = r"\b(st[A-Z][A-Za-z]+(?:-[A-Za-z]+)?|data-st-[a-z-]+)\b"
    found = {
        name
        for folder in ("app", "mivspool/canvas")
        for kind in ("*.css", "*.js")
        for path in (ROOT / folder).rglob(kind)
        for name in re.findall(
            rf"""(?:\.|data-testid[~|^$*]?=["']?|\[)(?:{pattern})""", path.read_text("utf-8")
        )
    }
    assert found == set(SELECTORS)


def test_streamlits_page_has_every_selector() -> None:
    page = "".join(path.read_text("utf-8") for path in STATIC.glob("*.js"))
    kinds = {name.partition("-")[0] for name in SELECTORS if name.startswith("stBase")}
    for name in SELECTORS:
        # a button's test id is put together: stBaseButton-, and its kind
        parts = name.split("-") if name.partition("-")[0] in kinds else [name]
        for part in parts:
            assert re.search(rf"[`'\"\-. ]{part}[`'\"\-. $:{{=]", page), f"{name}: {SELECTORS[name]}"
    assert "window.history.pushState(" in page


def test_files_that_rely_on_what_streamlit_does_are_there() -> None:
    assert all((ROOT / path).is_file() for path in BEHAVIOURS)


def test_streamlit_has_every_option_with_another_default() -> None:
    """An option whose default is ours already is needless, one that is gone is an error at the start."""
    defaults = config._config_options_template
    for name, value in STREAMLIT.items():
        assert defaults[name].default_val != value or name == "server.headless", name


def test_streamlit_says_at_this_path_that_it_answers() -> None:
    assert f'"{STREAMLIT_HEALTH[1:]}"' in inspect.getsource(starlette_routes)


def test_streamlit_takes_the_first_argument_for_the_main_script() -> None:
    assert "sys.argv[0]" in inspect.getsource(App.run)


def test_streamlit_looks_for_the_theme_beside_the_main_script(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "_main_script_path", str(MAIN))
    assert str(MAIN.parent / ".streamlit" / "config.toml") in config.get_config_files("config.toml")


def test_streamlit_asks_outside_for_an_origin_that_is_not_its_host() -> None:
    """The day it does not, Access may let Origin pass."""
    assert "get_external_ip" in inspect.getsource(server_util)


def _page() -> None:
    import streamlit as st

    from app.server.streamlit_internals import went_back_or_forward

    st.session_state["went"] = went_back_or_forward()


@pytest.mark.parametrize("went", [True, False])
def test_back_and_forward_are_known_from_what_the_browser_asks(
    went: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "is_history_navigation" in ClientState.DESCRIPTOR.fields_by_name
    begin = ScriptRunContext.reset
    monkeypatch.setattr(
        ScriptRunContext,
        "reset",
        lambda self, **given: begin(self, **{**given, "is_history_navigation": went}),
    )
    app = AppTest.from_function(_page).run()
    assert app.session_state["went"] is went
