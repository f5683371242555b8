"""What a component tells just before a link is followed is heard, however long the run before it takes: Streamlit then
makes one request of both, and has forgotten the component when it calls its callback.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.server.start import ROOT, free_port, wait
from mivspool.settings import STREAMLIT, STREAMLIT_HEALTH
from tests.app.browser import chromium

pytestmark = pytest.mark.browser

# a run of "first" in which "busy" was told takes as long as told, and looks at no request meanwhile
SCRIPT = """
import time

import streamlit as st

from app.server.streamlit_internals import told

component = st.components.v2.component(
    "teller",
    html="<p>ready</p>",
    js="export default ({ setTriggerValue }) => { window.tell = setTriggerValue; }",
)


def hear(name):
    st.session_state[name] = told("teller", name)


def first():
    component(key="teller", on_word_change=lambda: hear("word"), on_busy_change=lambda: hear("busy"))
    time.sleep(st.session_state.pop("busy", 0))


def second():
    st.write("heard", st.session_state.get("word"))


st.navigation([st.Page(first, default=True), st.Page(second)]).run()
"""


@pytest.fixture
def pages(tmp_path: Path) -> Iterator[str]:
    script, port = tmp_path / "pages.py", free_port()
    script.write_text(SCRIPT)
    options = [f"--{name}={str(value).lower()}" for name, value in STREAMLIT.items()]
    command = [sys.executable, "-m", "streamlit", "run", str(script), f"--server.port={port}", *options]
    address = f"http://127.0.0.1:{port}"
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT) as server:
        try:
            wait(server, f"{address}{STREAMLIT_HEALTH}")
            yield address
        finally:
            server.terminate()


@pytest.mark.parametrize("seconds", [0, 1.5])
def test_what_is_told_before_a_link_is_followed_is_heard(pages: str, seconds: float) -> None:
    with chromium() as browser:
        page: Any = browser.new_page()
        page.goto(pages)
        page.get_by_text("ready").wait_for()
        if seconds:
            page.evaluate("(seconds) => tell('busy', seconds)", seconds)
            page.wait_for_timeout(300)
        page.evaluate("tell('word', 'bird')")
        page.wait_for_timeout(100)
        page.get_by_role("link", name="second").click()
        page.get_by_text("heard bird").wait_for()
