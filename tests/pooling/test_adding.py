"""What docs/methods/adding.md says is enough, is enough."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import pytest

from mivspool.compare import compare
from mivspool.graphs import open_source
from mivspool.pooling import METHODS, Method


@pytest.fixture
def hubs(monkeypatch):
    """The page's method, in its own module and registered by the page's line."""
    page = Path(__file__).resolve().parents[2] / "docs" / "methods" / "adding.md"
    code, line = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)
    module = ModuleType("mivspool.pooling.hubs")
    exec(compile(code, str(page), "exec"), module.__dict__)
    monkeypatch.setitem(sys.modules, module.__name__, module)
    entry = eval(line.strip().rstrip(","), {"Method": Method, "_HERE": "mivspool.pooling"})
    monkeypatch.setitem(METHODS, entry.name, entry)


def test_the_page_s_method_works(hubs):
    graph = open_source("karate")
    row, *_ = compare(graph, "hubs")
    best = sorted(range(34), key=lambda v: -graph.degree[v])[:17]
    assert min(graph.degree[best]) <= min(graph.degree[graph.index[v]] for v in row.survivors)
    assert row.measures.ratio == 0.5
