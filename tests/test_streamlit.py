"""``st_mivspool_canvas``: the lines of docs/embedding.md in an app that is not ours."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import networkx as nx
import pytest
from streamlit.testing.v1 import AppTest

from mivspool import streamlit
from mivspool.errors import InputError, MissingPackageError
from mivspool.graphs import open_source
from tests.app.browser import choose, chromium
from tests.hosted import streamlit_runs
from tests.test_house import ROOT

LINES = re.search(r"```python\n(.*?)```", (ROOT / "docs" / "embedding.md").read_text("utf-8"), re.DOTALL)[1]


def test_what_is_shown_follows_from_graph_score_and_level() -> None:
    path = nx.path_graph(4)
    held = streamlit._held(streamlit.graph_of(path), (0.1, 0.4, 0.3, 0.2), 0, False, 0)
    assert held.trace["score"] == [0.1, 0.4, 0.3, 0.2]
    assert held.trace["survivor"] == [0, 1, 0, 1]
    assert held.best == 1
    above = streamlit._held(streamlit.graph_of(path), (0.1, 0.4, 0.3, 0.2), 0, False, 1)
    assert above.trace["ids"] == ["1", "3"]
    again = streamlit._held(open_source("karate"), "degree", 0, False, 0)
    assert streamlit._held(open_source("karate"), "degree", 0, False, 0) is again, (
        "kept, of an equal graph too"
    )
    for level in (-1, 9):
        with pytest.raises(InputError, match=f"there is no level {level}"):
            streamlit._held(open_source("karate"), "degree", 0, False, level)


def test_at_first_it_tells_the_start() -> None:
    app = AppTest.from_string(LINES, default_timeout=60).run()
    assert not app.exception
    assert app.markdown[0].value == "Step 0, vertex 33"


def test_without_streamlit_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "mivspool.streamlit")
    monkeypatch.setattr("mivspool.extras.installed", lambda package: package != "streamlit")
    with pytest.raises(MissingPackageError, match=r"needs the app: pip install 'mivspool\[app\]'"):
        __import__("mivspool.streamlit")


@pytest.mark.browser
@pytest.mark.slow
def test_a_step_and_a_vertex_arrive_in_an_app_of_somebody_else(tmp_path: Path) -> None:
    script = tmp_path / "club.py"
    script.write_text(LINES, encoding="utf-8")
    with streamlit_runs(script, tmp_path) as address, chromium() as browser:
        page: Any = browser.new_page()
        page.set_default_timeout(60_000)
        page.goto(address)
        page.get_by_text("Step 0, vertex 33").wait_for()
        page.get_by_role("button", name="Next step").click()
        page.get_by_text("Step 1, vertex 33").wait_for()
        choose(page, "uniform", label="Score")
        page.get_by_text(re.compile("Step 0, vertex (?!33)")).wait_for()
