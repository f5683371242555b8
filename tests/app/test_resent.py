"""What is shown again is shown, however late the browser hears of the runs before.

Streamlit does not send a large message again that the browser says it has. But the browser drops a message that a few
runs did without, and where an answer takes its time it asks for the next run before it hears of the one that makes it
drop the message: then it was told of a message it no longer had, and stopped with "Connection error".
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

import pytest

from app.server.start import ROOT
from mivspool.settings import STREAMLIT
from tests.app.browser import chromium
from tests.hosted import streamlit_runs

pytestmark = pytest.mark.browser

SCRIPT = """
import streamlit as st

component = st.components.v2.component(
    "asker",
    html="<p>ready</p>",
    js="export default ({ setTriggerValue }) => { window.show = (name) => setTriggerValue('name', name); }",
)
name = component(key="asker", on_name_change=lambda: None).name
st.text(f"{name} " * (10_000 if name == "large" else 1))
"""
LATER = 400  # milliseconds until the browser hears what the server says
SLOW = f"""
const Plain = window.WebSocket;
window.WebSocket = class extends Plain {{
  set onmessage(hear) {{ super.onmessage = (event) => setTimeout(hear, {LATER}, event); }}
  addEventListener(type, hear, ...given) {{
    super.addEventListener(type, type === "message" ? (event) => setTimeout(hear, {LATER}, event) : hear, ...given);
  }}
}};
"""


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("pages")
    script = folder / "page.py"
    script.write_text(SCRIPT)
    options = [f"--{name}={str(value).lower()}" for name, value in STREAMLIT.items()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with streamlit_runs(script, folder, *options, environment=environment) as address, chromium() as browser:
        yield browser.new_page(base_url=address)


def test_what_a_few_runs_did_without_is_shown_again_over_a_slow_network(page: Any) -> None:
    page.add_init_script(SLOW)
    page.goto("/")
    page.wait_for_function("() => Boolean(window.show)")
    for name in ("large", "one"):
        page.evaluate(f"show('{name}')")
        page.get_by_test_id("stText").filter(has_text=name).wait_for()
    page.evaluate("show('two')")
    page.wait_for_timeout(LATER / 4)  # that run is over, and the browser has not heard of it
    page.evaluate("show('large')")
    page.get_by_test_id("stText").filter(has_text="large").wait_for()
    assert not page.get_by_text("Connection error").count()
