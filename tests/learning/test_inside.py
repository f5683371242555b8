"""A network opened at a vertex: every number is what PyTorch computes, and each leads to the next up to the logits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from mivspool.learning.inference import Inputs
from mivspool.learning.inside import inside
from mivspool.learning.layers import NETWORKS
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.learning.runs import architectures

CHANNELS = 4


def classifier(**settings: Any) -> Classifier:
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(7)
        made = Classifier(NetworkConfig(CHANNELS, 3, hidden=8, **settings)).eval()
        for one in made.normalisations:  # as after training: not the identity
            one.running_mean.uniform_(-0.3, 0.3)
            one.running_var.uniform_(0.5, 2)
        return made


def drawn(seed: int) -> tuple[Graph, Inputs, str]:
    """A random graph with features that differ, and one of its vertices."""
    rng = np.random.default_rng(seed)
    n = int(rng.integers(1, 14))
    upper = np.triu(rng.random((n, n)) < 0.3, 1)
    edges = np.array(np.nonzero(upper))
    graph = Graph(f"drawn {seed}", tuple(f"v{i}" for i in range(n)), edges.astype(np.int64))
    x = rng.normal(size=(n, CHANNELS)).astype(np.float32)
    return graph, Inputs.join([(x, graph.edges)]), f"v{rng.integers(n)}"


def dense(graph: Graph) -> Tensor:
    a = torch.zeros(graph.num_nodes, graph.num_nodes, dtype=torch.float64)
    a[graph.edges[0], graph.edges[1]] = 1
    return a + a.T


def close(one: Any, other: Any) -> None:
    assert one is not None
    assert np.allclose(np.asarray(one), np.asarray(other), atol=2e-4), (one, other)


def test_every_number_of_the_papers_network_is_the_equations() -> None:
    """Against dense products in double precision, written out here, on 200 graphs."""
    network = classifier(blocks=2)
    state = {name: value.double() for name, value in network.state_dict().items()}
    for seed in range(200):
        graph, inputs, vertex = drawn(seed)
        layers = inside(network, inputs, graph, vertex)
        assert [one["kind"] for one in layers] == [layer.kind for layer in network.layers]
        a, x, nodes, at = dense(graph), inputs.x.double(), graph.nodes, graph.index[vertex]
        opened, read = iter(layers), []
        for block in range(2):
            one = next(opened)
            close(one["before"], x[at])
            bare = ((a > 0) & ~torch.eye(len(nodes), dtype=torch.bool)).double()
            weighted = bare * a if network.config.use_weights else bare
            hat = weighted + torch.eye(len(nodes))
            scale = hat.sum(1).rsqrt()
            matrix = scale[:, None] * hat * scale[None, :]
            close([w["weight"] for w in one["neighbours"]], matrix[at][matrix[at] != 0])
            assert [w["vertex"] for w in one["neighbours"]] == [
                nodes[v] for v in torch.nonzero(matrix[at]).flatten().tolist()
            ]
            convolution = f"convolutions.{block}"
            x = (matrix @ x @ state[f"{convolution}.weight"] + state[f"{convolution}.bias"]).relu()
            close(one["after"], x[at])

            one = next(opened)
            close(one["before"], x[at])
            views = one["views"]
            scaled = torch.tensor([view["scaled"] for view in views])
            close(scaled, [view["value"] / view["largest"] for view in views])
            scorer = f"poolings.{block}.scorer"
            degree = bare.sum(1)
            structure = torch.sigmoid(
                state[f"{scorer}.alpha"] * torch.log(degree + 1e-16) + state[f"{scorer}.beta"]
            )
            direction = state[f"{scorer}.projection"]
            feature = torch.sigmoid(x @ direction / direction.norm())
            inverse = torch.where(degree > 0, degree.clamp(min=1).rsqrt(), 0.0)
            walk = inverse[:, None] * bare * inverse[None, :]
            start = walk @ (x @ state[f"{scorer}.linear.weight"][0]) + state[f"{scorer}.bias"]
            rank = start
            for _ in range(10):
                rank = 0.1 * start + 0.9 * walk @ rank
            made = [structure, feature, torch.sigmoid(rank)]
            close([view["value"] for view in views], [view[at] for view in made])
            close([view["largest"] for view in views], [view.max() for view in made])
            gates = torch.sigmoid(
                state[f"{scorer}.attention.weight"] @ scaled.double() + state[f"{scorer}.attention.bias"]
            )
            close([view["gate"] for view in views], gates)
            close([view["weight"] for view in views], torch.softmax(gates, 0))
            weights = torch.tensor([view["weight"] for view in views])
            close(one["score"], torch.sigmoid((weights * scaled).sum()))
            scores = torch.tensor([member["score"] for member in one["members"]])
            close([member["factor"] for member in one["members"]], scores / scores.sum())
            members = [nodes.index(member["vertex"]) for member in one["members"]]
            assert at in members
            close(one["after"], (scores / scores.sum()).double() @ x[members])

            pooled = inputs.forward(network).out.levels[block]
            survivors = torch.nonzero(pooled.survivor).flatten().tolist()
            assert one["next"] in [nodes[v] for v in survivors]
            s = torch.nn.functional.one_hot(pooled.cluster, len(survivors)).double()
            a, x = s.T @ a @ s, pooled.x.double()
            nodes = tuple(nodes[v] for v in survivors)
            at = nodes.index(one["next"])

            one = next(opened)
            close(one["mean"], x.mean(0))
            close(one["maximum"], x.max(0).values)
            for column, name in enumerate(one["maximum_vertex"]):
                assert float(x[nodes.index(name), column]) == pytest.approx(one["maximum"][column])
            read.append(one["mean"] + one["maximum"])
        one = next(opened)
        close(one["value"], np.sum(read, axis=0))
        _mlp(network, torch.tensor(one["value"]), next(opened), inputs)


def _mlp(network: Classifier, value: Tensor, one: dict[str, Any], inputs: Inputs) -> None:
    value = value.double()
    steps = iter(one["steps"])
    for module in network.mlp:
        if isinstance(module, torch.nn.Linear):
            value = value @ module.weight.double().T + module.bias.double()
        elif isinstance(module, torch.nn.ReLU):
            value = value.relu()
        else:
            continue
        step = next(steps)
        assert step["name"] == type(module).__name__.lower()
        close(step["value"], value.detach())
    passed = inputs.forward(network)
    assert one["logits"] == pytest.approx(passed.out.logits[0].tolist())
    assert one["probabilities"] == pytest.approx(passed.probabilities[0].tolist())


@pytest.mark.parametrize("network", sorted(NETWORKS))
@pytest.mark.parametrize("method", sorted(architectures()))
def test_every_network_opens_from_its_description(network: str, method: str) -> None:
    made = classifier(network=network, method=method, score="multiview" if "mivspool" in method else None)
    hooked: dict[Any, Tensor] = {}
    for seed in range(8):
        graph, inputs, vertex = drawn(seed)
        handles = [
            module.register_forward_hook(lambda module, _, out: hooked.__setitem__(module, out))
            for module in (*made.convolutions, *made.normalisations)
        ]
        layers = inside(made, inputs, graph, vertex)
        for handle in handles:
            handle.remove()
        assert [one["kind"] for one in layers] == [layer.kind for layer in made.layers]
        modules = {"convolution": iter(made.convolutions), "normalisation": iter(made.normalisations)}
        before: list[float] | None = inputs.x[graph.index[vertex]].tolist()
        joined: list[float] = []
        for one, layer in zip(layers, made.layers, strict=True):
            if layer.kind in modules:
                out = hooked[next(modules[layer.kind])]
                if layer.level is None:
                    assert one["value"] == out[0].tolist()
                    joined = one["value"]
                    continue
                assert one["after"] is None or one["after"] in out.tolist()
            if layer.kind in ("convolution", "normalisation", "pooling"):
                assert one["before"] == before  # each goes on with what the one before gave
                before = one["after"]
                assert (before is None) == (one.get("next", one["vertex"]) is None)
            if layer.kind == "readout":
                assert (
                    sum(len(one[name]) for name in ("mean", "maximum", "sum") if name in one) == layer.outputs
                )
            if layer.kind == "join":
                joined = one["value"]
                assert len(joined) == layer.outputs
        _mlp(made, torch.tensor(joined), layers[-1], inputs)
    assert not any(module._forward_hooks for module in made.modules())


def test_a_vertex_that_is_not_there_is_refused() -> None:
    graph, inputs, _ = drawn(3)
    with pytest.raises(InputError, match="no vertex"):
        inside(classifier(), inputs, graph, "nobody")
