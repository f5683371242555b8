"""docs/explanations.md is what tools/explanations.py makes of its figures, which have every test graph once."""

from __future__ import annotations

from collections import Counter

from mivspool.graphs.datasets import DATASETS
from tools import explanations


def test_the_page_is_made_of_its_figures() -> None:
    lines = explanations.known()
    assert explanations.PAGE.read_text(encoding="utf-8") == explanations.page(lines)


def test_every_graph_is_explained_once() -> None:
    counted = Counter((line["dataset"], line["graph"]) for line in explanations.known())
    assert set(counted.values()) == {1}
    assert set(counted) == {(name, i) for name in explanations.DATASETS for i in range(DATASETS[name].graphs)}
