"""S as a picture: every vertex has one row with one cell, in the column of its cluster, and every name is text."""

from __future__ import annotations

import re
from html import unescape

import numpy as np
import pytest

from app.components.assignment_picture import picture
from mivspool.colours import COLOURS
from mivspool.graphs import open_source
from mivspool.levels import step


@pytest.mark.parametrize("source", ["karate", "MAO:3", "preset:tie"])
def test_each_vertex_has_one_cell_in_the_column_of_its_cluster(source: str) -> None:
    (level,) = step(open_source(source), "degree")
    cluster, n = level.cluster.numpy(), len(level.nodes)
    order = np.arange(n)[::-1]
    survivor = level.trace.survivor.numpy()
    drawn = picture(level.nodes, level.reduced_nodes, cluster, survivor, order, 2, "S")
    wide = int(re.search(r"--wide:(\d+)px", drawn)[1])
    rows = re.findall(
        r"data-light='vertex:([^']*)'.*?<i style='margin-inline-start:(\d+)px;background:(#\w+);color:#\w+'>1</i>",
        drawn,
    )
    assert [unescape(name) for name, *_ in rows] == [level.nodes[v] for v in order]
    assert [int(place) // wide for _, place, _ in rows] == cluster[order].tolist()
    assert [fill == COLOURS["survivor"].fill for *_, fill in rows] == survivor[order].tolist()
    (marked,) = re.findall(r"<b style='inset-inline-start:(\d+)px'>", drawn)
    assert int(marked) // wide == cluster[2]
    assert drawn.count("row selected") == 1
    zeros = re.findall(r"<em aria-hidden='true'>(0+)</em><i", drawn)
    assert zeros == ["0" * len(level.reduced_nodes)] * n, "a row of 0 under each 1"


def test_names_are_text() -> None:
    names = ("<img src=x onerror=alert(1)>", "'\" data-light='cluster:0", "\u202eabc")
    zeros = np.zeros(3, dtype=np.int64)
    drawn = picture(names, names[:1], zeros, np.array([True, False, False]), np.arange(3), None, names[0])
    assert "<img" not in drawn
    assert drawn.count("data-light='") == 3
    assert "\u202e" not in re.sub(r"data-light='[^']*'", "", drawn)
