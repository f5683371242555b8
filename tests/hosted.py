"""An app as Streamlit alone runs it: ``streamlit run SCRIPT``, from any folder and at any port."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from app.server.start import ROOT, free_port, wait
from mivspool.settings import STREAMLIT, STREAMLIT_HEALTH
from tests.app.browser import chromium


@contextlib.contextmanager
def streamlit_runs(
    script: Path,
    folder: Path,
    *flags: str,
    environment: Mapping[str, str] | None = None,
    python: str | Path = sys.executable,
) -> Iterator[str]:
    """The address of the app, whose log is written into the folder."""
    port = free_port()
    own = ["--server.port", str(port), "--server.headless", "true", "--browser.gatherUsageStats", "false"]
    command = [python, "-m", "streamlit", "run", script, *own, *flags]
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
    try:
        address = f"http://127.0.0.1:{port}"
        wait(server, address + STREAMLIT_HEALTH)
        yield address
    finally:
        server.terminate()
        server.wait(20)


@contextlib.contextmanager
def page_runs(text: str, folder: Path, before: str = "") -> Iterator[Any]:
    """A page, not opened yet, of a script of these lines, which may import the app, with the options that it runs with.

    ``before``: a script in JavaScript that the page runs before anything else.
    """
    script = folder / "pages.py"
    script.write_text(text)
    options = [f"--{name}={str(value).lower()}" for name, value in STREAMLIT.items()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with streamlit_runs(script, folder, *options, environment=environment) as address, chromium() as browser:
        page = browser.new_page(base_url=address)
        page.add_init_script(before)
        yield page
