"""``streamlit run app/main.py``, as hosts of Streamlit apps start it: from any folder, nothing of ours installed."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from streamlit import config

from app.server.run import MAIN
from app.ui import common
from tests.bare import python_without_us
from tests.hosted import streamlit_runs
from tools import streamlit_config


def test_the_file_says_what_the_app_itself_says_to_streamlit() -> None:
    assert streamlit_config.FILE.read_text(encoding="utf-8") == streamlit_config.text()
    assert set(streamlit_config.OPTIONS) <= set(config.get_config_options())


@contextlib.contextmanager
def hosted(folder: Path, *flags: str, **environment: str) -> Iterator[str]:
    """The address of the app as Streamlit alone runs it, in a folder that is not the repository's."""
    folder.mkdir()
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("MIVSPOOL_") and name != "PYTHONPATH"
    }
    own = {"HOME": str(folder), "OMP_NUM_THREADS": "1", "MIVSPOOL_HOME": str(folder / "home"), **environment}
    with streamlit_runs(
        MAIN, folder, *flags, environment={**inherited, **own}, python=python_without_us(folder)
    ) as address:
        yield address


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_pages_are_shown_to_this_machine_or_to_everyone_if_everyone_may(visitor: Any, tmp_path: Path) -> None:
    page = visitor().new_page()
    page.set_default_timeout(90_000)
    with hosted(tmp_path / "reached") as address:
        page.goto(f"{address}/about")
        page.get_by_text(common.NOT_ADMITTED.partition(".")[0]).wait_for()
        assert page.locator(".terms").count() == 0
    with hosted(tmp_path / "public", MIVSPOOL_PUBLIC="1") as address:
        page.goto(f"{address}/about")
        page.get_by_text("models of yours").wait_for()  # visitors are kept apart
    with hosted(tmp_path / "alone", "--server.address", "127.0.0.1") as address:
        page.goto(f"{address}/train?dataset=MAO&config=hidden%3D16%26max_epochs%3D4%26blocks%3D2")
        page.get_by_role("button", name="Start").click()  # its worker finds the package, too
        page.get_by_text("Save model").first.wait_for()
