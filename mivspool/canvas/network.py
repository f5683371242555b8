"""What the canvas shows, as a pyvis network: a level after k iterations, and a reduced graph.

What ``to_pyvis`` of a trace, a level and a pooled graph returns: its vertices have the positions, colours and shapes of
the canvas, and say on hover what the canvas says beside the graph.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from mivspool import meer
from mivspool.canvas.strings import WHY
from mivspool.colours import COLOURS, GREY, State
from mivspool.errors import InputError
from mivspool.graphs.convert import STORED
from mivspool.graphs.graph import Graph
from mivspool.graphs.labels import label_texts
from mivspool.graphs.layout import positions as lay_out
from mivspool.levels import Level, Part, PooledGraph
from mivspool.messages import count, fill
from mivspool.pyvis import SCALE, Network
from mivspool.sparse import Adjacency

Positions = NDArray[np.float64] | Sequence[Sequence[float]]
# as on the canvas: a survivor is large, round and ringed, a candidate round, a non-survivor a small square
_STYLES: dict[State, dict[str, Any]] = {
    "candidate": {"shape": "dot", "size": 13, "borderWidth": 2},
    "survivor": {"shape": "dot", "size": 19, "borderWidth": 5},
    "non_survivor": {"shape": "square", "size": 9, "borderWidth": 2},
}
_MOST_LISTED = 4
_LARGEST = 60  # pixels of the radius of a reduced vertex


def level_network(
    level: Level,
    k: int | None = None,
    *,
    positions: Positions | None = None,
    labels: Sequence[str] | None = None,
    physics: bool = False,
    arrows: bool = True,
    part: int = 0,
) -> Network:
    """A level after ``k`` updates, 0 … T; by default at the end, with an arrow from each vertex to its survivor.

    Args:
        level: n vertices.
        k: the iteration.
        positions: float64 [n, 2], y upwards (default: the graph's own, or a layout).
        labels: one word per vertex, shown below its id (default: the graph's).
        physics: whether vertices pull and push each other; sliders for it stand below the network.
        arrows: whether the end shows the assignment; otherwise what survives alone.
        part: of iteration ``k``, with its arrows (``Level.part``); 0: the whole.

    Raises:
        InputError: for another number of positions or labels, and for an iteration or a part that there is not.
        MissingPackageError: where pyvis, or igraph for a layout, is not installed.
    """
    T, trace = level.num_iterations, level.trace
    if k is not None and not 0 <= k <= T:
        raise InputError(f"there is no iteration {k}: this graph has {T}, counted from 0")
    done = k is None
    k = T if k is None else k
    shown = (
        level.part(k, part)
        if part
        else Part(
            trace.survivor if done else trace.survivors(k),
            torch.zeros_like(trace.survivor) if done else trace.candidates(k),
            _assigned(trace) if done and arrows else torch.zeros(2, 0, dtype=torch.int64),
        )
    )
    states: list[State] = [
        "survivor" if kept else "candidate" if open_ else "non_survivor"
        for kept, open_ in zip(shown.survivor.tolist(), shown.candidate.tolist(), strict=True)
    ]
    where = places(level) if positions is None else positions
    made = _network(level.graph.name if level.graph else "", level.nodes, where, physics)
    words = label_texts_of(level) if labels is None else labels
    if words is not None and len(words) != len(level.nodes):
        raise InputError(f"there are {len(words)} labels for {count(len(level.nodes), 'vertex')}")
    for v, (node, state) in enumerate(zip(made.nodes, states, strict=True)):
        word = words[v] if words is not None else ""
        node |= {
            **_style(state),
            **_named(node["id"], word),
            # before the end of an iteration, what it settles is not settled yet, but for its survivors
            "title": _about(
                level, v, k - (part in (1, 2) and state == "candidate"), done, done and arrows, word
            ),
        }
    index, weight = level.adjacency.with_diagonal()
    made.add([], _edges(level.nodes, index, weight, set(zip(*shown.arrows.tolist(), strict=True))))
    return made


def _assigned(trace: meer.Trace) -> torch.Tensor:
    """int64 [2, m]: from each vertex that does not survive to its survivor (Eq. 11)."""
    away = torch.nonzero(~trace.survivor).reshape(-1)
    return torch.stack([away, trace.cluster[away]])


def trace_network(trace: meer.Trace, k: int | None = None, **options: Any) -> Network:
    """A trace [N] of ``meer.trace`` after ``k`` updates, vertices named by their index; see :func:`level_network`.

    Graphs of a batch stand side by side. Raises InputError as there, and for a trace without its graph.
    """
    return level_network(level_of(trace), k, **options)


def reduced_network(
    pooled: PooledGraph,
    level: int | None = None,
    *,
    positions: Positions | None = None,
    physics: bool = False,
) -> Network:
    """The graph after a pooling: a vertex per cluster, as large as it has vertices of the graph.

    Args:
        pooled: at least one level.
        level: after which pooling, counted from 0 (default: the last).
        positions: float64 [n', 2], y upwards (default: those of the survivors in the graph).
        physics: see :func:`level_network`.

    Raises:
        InputError: for a level that there is not, and for another number of positions.
        MissingPackageError: where pyvis, or igraph for a layout, is not installed.
    """
    last = len(pooled.levels) - 1
    level = last if level is None else level
    if not 0 <= level <= last:
        raise InputError(
            f"this graph was pooled {last + 1} times: there is no pooling {level}, counted from 0"
        )
    at = pooled.levels[level]
    origin = pooled.origin[level + 1]
    where = lay_out(pooled.graph)[origin] if positions is None else positions
    words = label_texts(pooled.graph.node_attributes.get("label"))
    chosen = None if words is None else [words[v] for v in origin.tolist()]
    sizes = pooled.sizes[level + 1].tolist()
    return cluster_network(pooled.graph.name, at.reduced_nodes, at.reduced, sizes, where, chosen, physics)


def pooled_network(
    adjacency: Adjacency,
    cluster: torch.Tensor | None,
    survivor: torch.Tensor | None,
    *,
    positions: Positions | None = None,
    physics: bool = False,
) -> Network:
    """What a pooling layer made, the N' reduced vertices of its batch; options as of :func:`reduced_network`.

    ``cluster`` int64 [N]: the reduced vertex of each vertex, −1 where it was dropped; ``survivor`` bool [N]. A vertex
    is named by its survivor's index, or numbered where there are none.
    """
    n = adjacency.num_nodes
    kept = range(n) if survivor is None else torch.nonzero(survivor).reshape(-1).tolist()
    nodes = tuple(map(str, kept))
    sizes = [1] * n if cluster is None else torch.bincount(cluster[cluster >= 0], minlength=n).tolist()
    where = lay_out(_graph(nodes, adjacency.to("cpu"))) if positions is None else positions
    return cluster_network("", nodes, adjacency.to("cpu"), sizes, where, None, physics)


def level_of(trace: meer.Trace) -> Level:
    """The level of a trace that knows its graph, vertices named by their index. Raises InputError of another."""
    adjacency, key = trace.adjacency, trace.score
    if adjacency is None or key is None:
        raise InputError("this trace does not know its graph: make it with meer.trace(edge_index, score)")
    last = trace.num_iterations.max().reshape(1) if trace.num_iterations.numel() else torch.zeros(1).long()
    whole = replace(trace.to("cpu"), num_iterations=last.cpu())
    nodes = tuple(str(v) for v in range(key.numel()))
    return Level(0, nodes, adjacency.to("cpu"), key.to("cpu", torch.float64), key.cpu(), whole)


def places(level: Level) -> NDArray[np.float64]:
    """float64 [n, 2]: where the original graph has these vertices; without one, a layout of this level's edges."""
    if level.graph is not None and level.origin is not None:
        found: NDArray[np.float64] = lay_out(level.graph)[level.origin.numpy()]
        return found
    return lay_out(_graph(level.nodes, level.adjacency))


def label_texts_of(level: Level) -> list[str] | None:
    """The labels that the vertices of a level have in the graph; None where it has none."""
    if level.graph is None or level.origin is None:
        return None
    texts = label_texts(level.graph.node_attributes.get("label"))
    return None if texts is None else [texts[v] for v in level.origin.tolist()]


def _graph(nodes: Sequence[str], adjacency: Adjacency) -> Graph:
    index = adjacency.edge_index.numpy()
    return Graph(name="", nodes=tuple(nodes), edges=index[:, index[0] < index[1]])


def _network(name: str, nodes: Sequence[str], positions: Positions, physics: bool) -> Network:
    """The vertices where they stand, and how edges and physics are drawn."""
    at = np.asarray(positions, dtype=np.float64)
    if at.shape != (len(nodes), 2):
        raise InputError(
            f"positions must be {len(nodes)} pairs of numbers, one per vertex, not {list(at.shape)}"
        )
    made = Network(height="640px", heading=name)
    screen = np.round(np.nan_to_num(at) * (SCALE, -SCALE), 3).tolist()
    made.add([{"id": node, "x": x, "y": y} for node, (x, y) in zip(nodes, screen, strict=True)], [])
    made.options.edges.smooth.enabled = False
    made.options.edges.color.inherit = False
    made.options.physics.enabled = physics
    made.options.physics.stabilization.enabled = False  # it is drawn as it moves
    if physics:
        made.show_buttons(filter_=["physics"])
    return made


def cluster_network(
    name: str,
    nodes: Sequence[str],
    adjacency: Adjacency,
    sizes: Sequence[int],
    positions: Positions,
    labels: Sequence[str] | None = None,
    physics: bool = False,
) -> Network:
    """A reduced graph of n' vertices, each as large as it has vertices, of which ``sizes`` tells the number.

    Raises InputError for another number of positions.
    """
    made = _network(name, nodes, positions, physics)
    for v, (node, size) in enumerate(zip(made.nodes, sizes, strict=True)):
        word = labels[v] if labels is not None else ""
        radius = min(_STYLES["survivor"]["size"] * size**0.5, _LARGEST)
        node |= {**_style("survivor"), **_named(node["id"], word), "size": radius}
        node["title"] = f"vertex {node['id']}\nrepresents {count(size, 'vertex')}"
    index, weight = adjacency.with_diagonal()
    made.add([], _edges(nodes, index, weight, set()))
    return made


def _named(vertex: str, word: str) -> dict[str, Any]:
    """What is written below a vertex, and what ``Graph.from_pyvis`` reads of it."""
    return {"label": f"{vertex}\n{word}" if word else vertex, STORED: {"label": word} if word else {}}


def _style(state: State) -> dict[str, Any]:
    colour = COLOURS[state]
    both = {"background": colour.fill, "border": colour.light_border}
    return {**_STYLES[state], "color": {**both, "highlight": both, "hover": both}}


def _edges(
    nodes: Sequence[str], index: torch.Tensor, weight: torch.Tensor, arrows: set[tuple[int, ...]]
) -> list[dict[str, Any]]:
    """Each undirected edge once, loops left out; ``arrows``: (from, to) of those that are drawn as arrows."""
    once = index[0] < index[1]
    weights = weight[once].tolist()
    plain = all(w == 1 for w in weights)
    made = []
    for u, v, w in zip(index[0, once].tolist(), index[1, once].tolist(), weights, strict=True):
        source, to = (v, u) if (v, u) in arrows else (u, v)
        edge: dict[str, Any] = {"from": nodes[source], "to": nodes[to], "color": GREY["light"]}
        if (source, to) in arrows:
            edge |= {"arrows": "to", "color": COLOURS["survivor"].light_border}
        if not plain:
            edge |= {"value": w, "title": f"weight {w:g}"}
        made.append(edge)
    return made


def _about(level: Level, v: int, k: int, done: bool, assigned: bool, word: str) -> str:
    """What is said of a vertex on hover: score, state, when it was settled, what it is assigned to, and why."""
    why = meer.why(level.trace, level.adjacency, level.key, v, k)
    state = "survivor" if done and why.added else why.state
    lines = [
        f"vertex {level.nodes[v]}" + (f" ({word})" if word else ""),
        f"score {_score(level, v)}",
        state if state == "candidate" else f"{state}, settled in iteration {why.settled_at}",
        f"assigned to {level.nodes[why.assigned_to]}" if assigned else "",
        _sentence(level, why, done),
    ]
    return "\n".join(filter(None, lines))


def _sentence(level: Level, why: meer.Why, done: bool) -> str:
    """Why a vertex is what it is, as the canvas says it (``canvas/js/model/sentences.js``)."""
    v, before = why.vertex, min(why.iteration, why.settled_at - 1)
    low, high = level.adjacency.rowptr[v : v + 2].tolist()
    neighbours = level.adjacency.col[low:high]
    open_ = neighbours[level.trace.settled_at[neighbours] > before].tolist()
    tie = why.rival is not None and bool(level.key[v] == level.key[why.rival])
    if why.state == "non-survivor":
        form = "added" if done and why.added else "eliminated"
    else:
        form = "candidate" if why.state == "candidate" else "survived"
        if why.rival is None:
            form += "_alone" if high > low else "_isolated"
        elif form == "candidate":
            form += "_wins" if why.beats_rival else "_waits_tie" if tie else "_waits"
        elif tie:
            form += "_tie"
    values = {"v": level.nodes[v], "score": _score(level, v), "at": why.settled_at, "others": len(open_)}
    values["tie_rule"] = WHY["tie_key" if level.learned else "tie_index"]
    for name, u in (("rival", why.rival), ("by", why.eliminated_by)):
        if u is not None:
            values |= {name: level.nodes[u], f"{name}_score": _score(level, u)}
    listed = [f"{level.nodes[u]} ({_score(level, u)})" for u in open_[:_MOST_LISTED]]
    values["list"] = ", ".join(listed) + (
        f" and {len(open_) - _MOST_LISTED} more" * (len(open_) > _MOST_LISTED)
    )
    return fill(WHY[form], **values)


def _score(level: Level, v: int) -> str:
    return f"{float(level.score[v]):.6g}"
