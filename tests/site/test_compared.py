"""Compare on the site shows of its own graphs what the app's page computes of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from mivspool import site
from mivspool.canvas.modules import joined
from mivspool.compare import compare
from mivspool.content.compare import reductions
from mivspool.graphs import open_source, positions
from mivspool.site import compared
from tests.canvas.node import needs_node, run

_PAGE = Path(site.__file__).parent / "files" / "compare.js"


@needs_node
@pytest.mark.parametrize("source", ["karate", "preset:tie"])
def test_a_file_holds_what_the_app_shows(source: str) -> None:
    graph = open_source(source)
    held = compared.by_method(graph)
    assert set(held) == set(reductions.names(given=source == "preset:tie")), "it brings scores"
    asked = {"graph": {"ids": graph.nodes, "edges": graph.edges.T.ravel().tolist()}, "held": held}
    script = (
        f"{joined(_PAGE)}\nconst asked = {json.dumps(asked)};\n"
        f"const found = Object.entries(asked.held).map(([name, {{ levels }}]) => "
        f"[name, levelsOf(asked.graph, levels, {json.dumps(compared.KEPT)})]);\n"
        "process.stdout.write(JSON.stringify(Object.fromEntries(found)));"
    )
    found = json.loads(run("--eval", script))
    rows = compare(graph, "all", compared.LEVELS, renumberings=2, repeats=1)
    at = positions(graph)
    for name, levels in found.items():
        own = [row for row in rows if row.choice.key == name]
        assert held[name].get("refused") == next((row.refused for row in own if row.refused), None)
        pooled = [row for row in own if row.pooled is not None]
        assert len(levels) == len(pooled)
        for k, (level, row) in enumerate(zip(levels, pooled, strict=True)):
            made = reductions.reduced(own, k, graph)
            assert made is not None
            panel = reductions.panel(made, at, "", [])
            assert level["cluster"] == panel["cluster"]
            assert level["at"] == panel["at"]
            assert level["edges"] == panel["edges"]
            np.testing.assert_allclose(level["weight"], panel["weight"], rtol=6e-3)  # three digits
            if panel["shares"] is not None:
                assert (level["x"], level["y"]) == (panel["x"], panel["y"])
                np.testing.assert_allclose(level["shares"], panel["shares"], atol=0.006)
            assert row.measures is not None
            flat = row.measures.to_json()
            for measure in compared.MEASURES:
                assert level["measures"][measure] == pytest.approx(flat[measure], rel=1e-6), (
                    name,
                    k,
                    measure,
                )
