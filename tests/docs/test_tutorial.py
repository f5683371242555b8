"""The tutorial notebook runs from top to bottom and prints what is stored in it."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# sums end in other bits on other processors, and a training may end one graph away
_TRAINED = re.compile(r"(\d+) of 14 test graphs")


def _printed(notebook: Any) -> str:
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    return "".join(output.text for output in outputs if output.get("name") == "stdout")


@pytest.mark.slow
def test_the_tutorial_prints_what_is_stored_in_it() -> None:
    import nbformat  # a second, which every process that collects the tests would wait for
    from nbclient import NotebookClient

    stored = nbformat.read(ROOT / "docs" / "tutorial.ipynb", as_version=4)
    run = nbformat.from_dict(stored)
    NotebookClient(run, timeout=240, resources={"metadata": {"path": str(ROOT)}}).execute()
    expected, found = _printed(stored), _printed(run)
    (stored_count,), (count,) = (map(int, _TRAINED.findall(text)) for text in (expected, found))
    assert abs(stored_count - count) <= 2
    assert _TRAINED.sub("", found) == _TRAINED.sub("", expected)
