"""What docs/methods/adding.md says is enough, is enough."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mivspool.compare import compare
from mivspool.graphs import open_source
from mivspool.pooling import METHODS
from mivspool.pooling import methods as package


@pytest.fixture
def hubs(monkeypatch, tmp_path):
    """The page's file, in a folder that counts as one of the package."""
    page = Path(__file__).resolve().parents[2] / "docs" / "methods" / "adding.md"
    (code,) = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    (tmp_path / "hubs.py").write_text(code, encoding="utf-8")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    METHODS.forget()
    yield METHODS["hubs"]
    monkeypatch.undo()
    METHODS.forget()


def test_the_page_s_method_works(hubs):
    graph = open_source("karate")
    row, *_ = compare(graph, hubs.name)
    best = sorted(range(34), key=lambda v: -graph.degree[v])[:17]
    assert min(graph.degree[best]) <= min(graph.degree[graph.index[v]] for v in row.survivors)
    assert row.measures.ratio == 0.5
