"""The features along a score's directions, and the gradient where both uses of the features meet."""

from __future__ import annotations

import torch

from mivspool.pooling.parts.directions import share


def test_it_is_the_product_and_hands_the_features_on():
    x, directions = torch.randn(7, 5), torch.randn(2, 5)
    same, along = share(x, directions)
    torch.testing.assert_close(same, x)
    torch.testing.assert_close(along, x @ directions.T)


def test_gradient_against_finite_differences():
    x = torch.randn(6, 4, dtype=torch.float64, requires_grad=True)
    directions = torch.randn(2, 4, dtype=torch.float64, requires_grad=True)

    def both(x, directions):
        same, along = share(x, directions)
        return (same.unsqueeze(1) * along.sin().unsqueeze(2)).sum(1)

    assert torch.autograd.gradcheck(both, (x, directions))
    assert torch.autograd.gradcheck(lambda x, d: share(x, d)[1], (x, directions))
