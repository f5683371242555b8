"""MEWISPool (Nouranizadeh et al., *Maximum Entropy Weighted Independent Set Pooling*, 2021)."""

from __future__ import annotations

from typing import ClassVar

import torch
from torch import Tensor, nn

from mivspool import meer
from mivspool.arrays.checks import expect
from mivspool.arrays.segments import pointers
from mivspool.errors import InputError
from mivspool.pooling.base import Kind, Pooled, Pooling, Selection
from mivspool.pooling.method import Method
from mivspool.pooling.parts import loops
from mivspool.pooling.parts.hops import within
from mivspool.pooling.parts.topk import keep
from mivspool.sparse import Adjacency, Propagation


class MEWISPool(Pooling):
    """An independent set of large entropy, found by a network and decoded greedily.

    Vᵢ = ‖Σⱼ Aᵢⱼ (Xᵢ − Xⱼ)²‖, P = softmax(V) in each graph, H = −P log P; probabilities p by three GIN layers
    on H and a sigmoid; loss L = Σ H − Hᵀp + pᵀAp, its mean over the graphs times ``loss_weight`` (default:
    0.01, as published). Decoding (conditional expectation): from the most probable vertex down, one that is
    not eliminated is kept if the loss with it at 1 and its neighbours at 0 is at most L; its neighbours are
    eliminated. A vertex without neighbours is kept. X' = X_idx, without a gate; A' joins survivors that two
    or three edges connect.

    ``hidden``: width of the GIN's networks (default: 32).
    """

    kind: ClassVar[Kind] = "selective"  # type: ignore[misc]

    def __init__(self, in_channels: int, hidden: int = 32, loss_weight: float = 0.01) -> None:
        super().__init__()
        self.loss_weight = loss_weight
        self.layers = nn.ModuleList(
            [_mlp(1, hidden, hidden), _mlp(hidden, hidden, hidden), _mlp(hidden, hidden, 1)]
        )

    def pool(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Pooled:
        """One pooling step with the method's own loss."""
        selection, loss = self._decode(x, adjacency, batch, batch_size)
        reduced, connected = self.reduce(x, selection), self.connect(adjacency, selection)
        return Pooled(reduced, connected, selection, self.loss_weight * loss.sum() / max(batch_size, 1))

    def select(self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Selection:
        """The decoded independent set; the score is p."""
        return self._decode(x, adjacency, batch, batch_size)[0]

    def logit(self, entropy: Tensor, adjacency: Adjacency) -> Tensor:
        """The logits of p, [N]: three GIN layers (ε = 0) on the entropies [N]. They order the vertices."""
        hidden = entropy.unsqueeze(1)
        matrix = summing(adjacency, hidden.dtype)
        for layer in self.layers:
            hidden = layer(matrix @ hidden)
        return hidden.squeeze(1)

    def _decode(
        self, x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int
    ) -> tuple[Selection, Tensor]:
        """The independent set, and the loss of each graph [B]."""
        expect("batch", batch, torch.int64, adjacency.num_nodes)
        pointers(batch, batch_size)  # refuses what is no batch
        entropy = entropies(x, adjacency, batch, batch_size)
        logit = self.logit(entropy, adjacency)
        probability = torch.sigmoid(logit)
        loss = losses(entropy, probability, adjacency, batch, batch_size)
        position = meer.rank(meer.learned_key(logit, adjacency))
        order = torch.argsort(batch * position.numel() + position)
        arrays = (adjacency.rowptr, adjacency.col, order, batch)
        values = (tensor.detach().to(torch.float64) for tensor in (entropy, probability, loss))
        kept = loops.greedy(*(tensor.cpu().numpy() for tensor in (*arrays, *values)))
        survivor = torch.from_numpy(kept).to(batch.device)
        selection = keep(survivor, batch, batch_size, probability)
        selection.value = logit.detach()
        return selection, loss

    def reduce(self, x: Tensor, selection: Selection) -> Tensor:
        """X_idx, [N', C]. Raises InputError for another method's selection."""
        if selection.survivor is None:
            raise InputError("this selection has no survivors")
        return x.index_select(0, torch.nonzero(selection.survivor).reshape(-1))

    def connect(self, adjacency: Adjacency, selection: Selection) -> Adjacency:
        """The pattern of (A² + A³)_{idx, idx}: survivors within three edges, no two of which are adjacent."""
        return within(adjacency, selection, 3)


def entropies(x: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int) -> Tensor:
    """H = −P log P of the local variation's softmax in each graph, [N]; 1 in a graph without edges."""
    matrix = summing(adjacency, x.dtype, own=0)
    degree = adjacency.degree.to(x.dtype).unsqueeze(1)
    squares = degree * x * x - 2 * x * (matrix @ x) + matrix @ (x * x)
    # the square root of a sum of squares that is 0 has no gradient
    variation = squares.square().sum(1).clamp(min=torch.finfo(x.dtype).tiny).sqrt()
    size = torch.bincount(batch, minlength=batch_size)
    edges = torch.zeros_like(size).index_add_(0, batch, adjacency.degree)
    top = variation.new_full((batch_size,), -torch.inf).scatter_reduce(0, batch, variation.detach(), "amax")
    raised = torch.exp(variation - top[batch])
    total = variation.new_zeros(batch_size).index_add(0, batch, raised)
    share = raised / total[batch]
    entropy = torch.special.entr(share.clamp(min=torch.finfo(x.dtype).tiny))
    return torch.where(edges[batch] > 0, entropy, torch.ones_like(entropy))


def losses(
    entropy: Tensor, probability: Tensor, adjacency: Adjacency, batch: Tensor, batch_size: int
) -> Tensor:
    """Σ H − Hᵀp + pᵀAp of each graph, [B]."""
    beside = (summing(adjacency, probability.dtype, own=0) @ probability.unsqueeze(1)).squeeze(1)
    each = entropy - entropy * probability + probability * beside
    return each.new_zeros(batch_size).index_add(0, batch, each)


def summing(adjacency: Adjacency, dtype: torch.dtype, own: float = 1.0) -> Propagation:
    """A + own·I with every weight 1: the sum over the neighbours, and the vertex itself."""
    ones = torch.ones(adjacency.num_entries, dtype=dtype, device=adjacency.device)
    diagonal = torch.full((adjacency.num_nodes,), own, dtype=dtype, device=adjacency.device) if own else None
    return Propagation(adjacency, ones, diagonal)


def _mlp(in_channels: int, hidden: int, out_channels: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Linear(in_channels, hidden),
        nn.ReLU(),
        nn.Linear(hidden, hidden),
        nn.ReLU(),
        nn.Linear(hidden, out_channels),
    )


METHOD = Method(
    name="mewispool",
    title="MEWISPool",
    about="Keeps an independent set of high entropy, found by a network, and drops the other vertices.",
    formula=r"L = \textstyle\sum H - H^\top p + p^\top A p",
    paper="Nouranizadeh et al. 2021",
    layer=MEWISPool,
    place=90,
)
