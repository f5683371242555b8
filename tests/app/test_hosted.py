"""``streamlit run app/main.py``, as hosts of Streamlit apps start it: from any folder, nothing of ours installed."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest
from streamlit import config

from app.server.run import MAIN
from app.train import words
from app.ui import common
from tests.bare import python_without_us
from tests.hosted import streamlit_runs
from tests.test_house import ROOT
from tools import streamlit_config


def test_the_file_says_what_the_app_itself_says_to_streamlit() -> None:
    assert streamlit_config.FILE.read_text(encoding="utf-8") == streamlit_config.text()
    assert set(streamlit_config.OPTIONS) <= set(config.get_config_options())


SECRETS = re.search(r"```toml\n(.*?)```", (ROOT / "docs" / "hosting.md").read_text("utf-8"), re.DOTALL)[1]
MEMORY = 1_000_000_000  # bytes that such a host gives


@contextlib.contextmanager
def hosted(folder: Path, *flags: str, secrets: str = "", home: Path | None = None) -> Iterator[str]:
    """The address of the app as Streamlit alone runs it, in a folder that is not the repository's.

    Its home folder cannot be made. ``secrets``: what its owner has set; ``home``: MIVSPOOL_HOME, if not in these.
    """
    (folder / ".streamlit").mkdir(parents=True)
    (folder / ".streamlit" / "secrets.toml").write_text(secrets, encoding="utf-8")
    inherited = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("MIVSPOOL_", "XDG_")) and name != "PYTHONPATH"
    }
    # for an administrator every folder can be written but those that the kernel shows
    own = {"HOME": "/proc/no-home", "OMP_NUM_THREADS": "1"}
    own |= {"MIVSPOOL_HOME": str(home)} if home else {}
    with streamlit_runs(
        MAIN, folder, *flags, environment={**inherited, **own}, python=python_without_us(folder)
    ) as address:
        yield address


def memory() -> int:
    """Bytes that the hosted app takes, with every process that it has started."""
    (server,) = (one for one in psutil.Process().children() if "streamlit" in one.cmdline())
    return sum(one.memory_info().rss for one in [server, *server.children(recursive=True)])


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
    with hosted(tmp_path / "alone", "--server.address", "127.0.0.1", home=tmp_path / "home") as address:
        page.goto(f"{address}/train?dataset=MAO&config=hidden%3D16%26max_epochs%3D4%26blocks%3D2")
        page.get_by_role("button", name="Start").click()  # its worker finds the package, too
        page.get_by_text("Save model").first.wait_for()


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.timeout(600)
def test_with_the_secrets_of_the_docs_it_serves_everyone_in_a_gigabyte(visitor: Any, tmp_path: Path) -> None:
    page = visitor().new_page()
    page.set_default_timeout(90_000)
    secrets = SECRETS.replace("/tmp/mivspool", str(tmp_path / "kept"))
    assert secrets != SECRETS
    with hosted(tmp_path / "public", secrets=secrets) as address:
        page.goto(f"{address}/about")
        page.get_by_text("models of yours").wait_for()  # visitors are kept apart
        for link in ("step?graph=MAO:3&model=mao-mivspool", "compare?graph=karate", "classify?graph=MAO:3"):
            page.goto(f"{address}/{link}")
            page.get_by_text("Stanovic").last.wait_for()
        page.goto(f"{address}/train")
        page.get_by_text(words.TRAINING_OFF).wait_for()
        assert (tmp_path / "kept").is_dir()
        assert memory() < MEMORY
        print(f"{memory() / 1e6:.0f} MB")  # pytest -s
