"""What a page computes of pooling methods by given scores is what the library does, and it says what the app says."""

from __future__ import annotations

from html import unescape
from typing import Any

import networkx
import numpy as np
import pytest

from mivspool.compare import Row, compare
from mivspool.content.compare import measure_table, reductions
from mivspool.graphs import open_source
from mivspool.graphs.graph import SCORE_ATTRIBUTE, Graph
from mivspool.site.compared import IN_PAGE, MEASURES, settings
from tests.canvas.node import answers, needs_node

LEVELS = 3


def graphs() -> list[Graph]:
    """Dense and sparse ones, in pieces, with ties, with scores beyond 1, and the smallest."""
    made = []
    draw = np.random.default_rng(5)
    for seed in range(12):
        n = int(draw.integers(1, 26))
        drawn = networkx.gnp_random_graph(n, float(draw.choice([0.05, 0.15, 0.4])), seed=seed)
        score = (draw.random(n) + 1e-3, draw.integers(1, 4, n), 50 * draw.random(n) + 1e-3)[seed % 3].tolist()
        networkx.set_node_attributes(drawn, dict(enumerate(score)), SCORE_ATTRIBUTE)
        made.append(Graph.from_networkx(drawn, name=f"drawn {seed}"))
    return made


GRAPHS = graphs()


def told(graph: Graph) -> dict[str, Any]:
    """A graph as the page has it."""
    score = [float(value) for value in graph.node_attributes[SCORE_ATTRIBUTE]]
    return {"ids": list(graph.nodes), "edges": graph.edges.T.ravel().tolist(), "weight": None, "score": score}


def rows(graph: Graph, name: str) -> list[Row]:
    return compare(graph, [f"{name}:given"], LEVELS, renumberings=0, repeats=1)


@needs_node
@pytest.mark.parametrize("name", IN_PAGE)
def test_a_page_pools_as_the_library_does(name: str) -> None:
    asked = [{"graph": told(graph), "name": name, "most": LEVELS} for graph in GRAPHS]
    for graph, found in zip(GRAPHS, answers("poolings.mjs", asked), strict=True):
        expected = rows(graph, name)
        assert len(found) == len(expected)
        for k, (level, row) in enumerate(zip(found, expected, strict=True)):
            made = reductions.reduced(expected, k, graph)
            assert made is not None
            panel = reductions.panel(made, np.zeros((graph.num_nodes, 2)), "", [])
            for part in ("cluster", "at", "edges", "weight"):
                assert level[part] == pytest.approx(panel[part]), (graph.name, k, part)
            assert row.measures is not None
            known = row.measures.to_json()
            for measure in MEASURES:
                for one in (measure, f"{measure}_before"):
                    if one in level["measures"] and measure != "order_sensitivity":
                        assert level["measures"][one] == pytest.approx(known[one]), (graph.name, k, one)


@needs_node
def test_a_page_says_of_measures_what_the_app_says() -> None:
    asked = []
    columns = []
    for source, methods in (
        ("karate", "all"),
        ("petersen", "all"),
        ("MAO:3", "gpool,mivspool"),
        ("path", "ndp"),
    ):
        made = compare(open_source(source), methods, 2, renumberings=1, repeats=1)
        for level in (0, 1):
            own = [row.measures for row in made if row.level == level and row.measures is not None]
            if own:
                columns.append(own)
                asked.append([one.to_json() for one in own])
    given = settings()
    question = {"measures": given["measures"], "words": given["words"], "asked": asked}
    for own, flat, found in zip(columns, asked, answers("measures.mjs", question), strict=True):
        differing, equal = measure_table.parted(flat)
        assert [row["name"] for row in found["differing"]] == [name for name in differing if name in MEASURES]
        assert [row["name"] for row in found["equal"]] == [name for name in equal if name in MEASURES]
        html = unescape(measure_table.html([(str(k), one) for k, one in enumerate(own)]))
        for row in (*found["differing"], *found["equal"]):
            assert row["shown"] == [measure_table.show(row["name"], one[row["name"]]) for one in flat]
            marked = "".join(
                f"<td class='{'mp-best' if k in row['best'] else ''}'>{text}{' ✓' if k in row['best'] else ''}</td>"
                for k, text in enumerate(row["shown"])
            )
            assert f"</small></th><td>{row['before']}</td>{marked}</tr>" in html, row["name"]
        assert found["notes"] == [measure_table.notes(one) for one in own]


def test_the_settings_of_the_page_name_every_method() -> None:
    given = settings()
    assert set(reductions.names()) < set(given["titles"])
    assert set(given["computed"]) <= set(given["titles"])
