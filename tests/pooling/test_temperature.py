"""A temperature sharpens what the members of a cluster count in Eq. 12, and changes nothing else."""

from __future__ import annotations

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from mivspool.errors import InputError
from mivspool.pooling import MIVSPool
from mivspool.pooling.parts.temperature import tempered
from tests.pooling.drawn import of_edges

clusters = st.lists(
    st.tuples(st.floats(1e-6, 1, allow_nan=False), st.integers(0, 4)), min_size=1, max_size=30
)


def cut(drawn: list[tuple[float, int]]) -> tuple[torch.Tensor, torch.Tensor, int]:
    score = torch.tensor([score for score, _ in drawn], dtype=torch.float64)
    _, cluster = torch.unique(torch.tensor([column for _, column in drawn]), return_inverse=True)
    return score, cluster, int(cluster.max()) + 1


def sums(value: torch.Tensor, cluster: torch.Tensor, count: int) -> torch.Tensor:
    return value.new_zeros(count).index_add(0, cluster, value)


@given(clusters, st.sampled_from([0.02, 0.1, 0.5, 1.0, 3.0]))
def test_shares_are_those_of_a_power_and_sums_stay(
    drawn: list[tuple[float, int]], temperature: float
) -> None:
    score, cluster, count = cut(drawn)
    found = tempered(score, cluster, count, temperature)
    assert (found > 0).all()
    torch.testing.assert_close(sums(found, cluster, count), sums(score, cluster, count))
    # in logarithms: a power of 50 is out of the range of numbers
    power = score.log() / temperature
    for column in range(count):
        share = torch.softmax(power[cluster == column], 0)
        own = found[cluster == column]
        torch.testing.assert_close(own / own.sum(), share, atol=1e-12, rtol=1e-6)
    if temperature == 1:
        torch.testing.assert_close(found, score)


def test_its_gradient_against_finite_differences() -> None:
    score = torch.tensor([0.5, 0.6, 0.7, 0.55, 0.9], dtype=torch.float64, requires_grad=True)
    cluster = torch.tensor([0, 0, 1, 1, 0])
    assert torch.autograd.gradcheck(lambda s: tempered(s, cluster, 2, 0.3), (score,))


@pytest.mark.parametrize("score", ["multiview", "attention", "uniform", "degree"])
@pytest.mark.parametrize("reduction", ["mean", "sum"])
def test_a_layer_selects_as_before_and_its_best_members_count_for_more(score: str, reduction: str) -> None:
    chords = [(v, (v * v + 3) % 30) for v in range(30) if v != (v * v + 3) % 30]
    ring = [(v, (v + 1) % 30) for v in range(30)]
    edge_index = of_edges({(min(pair), max(pair)) for pair in (*chords, *ring)}, 30).edge_index
    x = torch.randn(30, 4, generator=torch.Generator().manual_seed(0))
    made = []
    for temperature in (1.0, 0.05):
        torch.manual_seed(1)
        layer = MIVSPool(4, score, reduction=reduction, temperature=temperature)
        made.append(layer(x, edge_index))
    plain, sharp = made
    assert torch.equal(plain.survivor, sharp.survivor)
    assert torch.equal(plain.cluster, sharp.cluster)
    assert sharp.x.isfinite().all()
    count = plain.x.size(0)
    most = [
        torch.zeros(count).scatter_reduce(0, one.cluster, one.selection.shares().float(), "amax")
        for one in made
    ]
    assert (most[1] >= most[0] - 1e-6).all()


def test_what_is_no_temperature_is_refused() -> None:
    for wrong in (0.0, -1.0, float("inf"), float("nan")):
        with pytest.raises(InputError, match="temperature must be above 0"):
            MIVSPool(4, temperature=wrong)
    assert "temperature=0.1" in repr(MIVSPool(4, temperature=0.1))
    assert "temperature" not in repr(MIVSPool(4))
