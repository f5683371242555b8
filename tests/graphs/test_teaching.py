"""Every preset makes the point that its sentence states."""

from __future__ import annotations

from collections.abc import Callable

import pytest
import torch

from mivspool.graphs.collections.teaching import PRESETS
from mivspool.levels import Level, step
from mivspool.pooling.parts.measure import structure


def first(name: str) -> Level:
    preset = PRESETS[name]
    return step(preset.graph(), preset.score, seed=preset.seed, complement=preset.complement)[0]


@pytest.mark.parametrize("name", PRESETS)
def test_each_is_pooled(name: str, tu: Callable[[str], object]) -> None:
    dataset, index, _ = str(PRESETS[name].source).partition(":")
    if index:
        tu(dataset)
    assert first(name).checks["maximal"]


def test_rising_path_takes_half_its_vertices() -> None:
    assert first("rising-path").num_iterations == 6


def test_equal_hexagon_is_decided_by_the_numbering() -> None:
    level = first("equal-hexagon")
    assert level.reduced_nodes == ("0", "2", "4")
    assert int(level.trace.ties_broken[0]) > 0


def test_the_two_stars_keep_1_and_8() -> None:
    assert len(first("star-centre").reduced_nodes) == 1
    assert len(first("star-leaf").reduced_nodes) == 8


def test_clique_keeps_one_and_half_with_the_complement() -> None:
    assert len(first("clique").reduced_nodes) == 1
    level = first("clique-complement")
    assert len(level.reduced_nodes) == 4
    assert level.checks == {"independent": False, "maximal": True}


def test_the_bridge_is_the_reduced_edge() -> None:
    level = first("bridge")
    assert level.reduced.col.numel() == 2
    assert level.reduced.with_diagonal()[1].tolist() == [1.0, 1.0, 20.0, 20.0]


def test_the_tie_is_counted_and_keeps_the_set_independent() -> None:
    level = first("tie")
    assert level.reduced_nodes == ("1", "3")
    assert int(level.trace.ties_broken[0]) == 1
    assert level.checks["independent"]


def test_top_k_disconnects_where_mivspool_does_not() -> None:
    level = first("disconnect")
    assert level.metrics["components_after"] == 1
    best = torch.argsort(level.score, descending=True)[:5]
    cluster = torch.full((len(level.nodes),), -1)
    cluster[best.sort().values] = torch.arange(5)
    assert structure(level.adjacency.contract(cluster, 5)).components == 2
