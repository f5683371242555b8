"""The tutorial notebook runs from top to bottom."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.slow
def test_the_tutorial_runs() -> None:
    notebook = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    NotebookClient(notebook, timeout=240, resources={"metadata": {"path": str(ROOT)}}).execute()
