"""A graph as PyTorch Geometric, networkx and pyvis have it: what ``Graph.from_data``, ``to_data`` and their like do.

torch_geometric, networkx and pyvis are imported when they are used.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import InputError
from mivspool.graphs.labels import label_text, one_hot
from mivspool.graphs.mended import different, left_out
from mivspool.graphs.simplify import simplify
from mivspool.graphs.text import number, shown
from mivspool.messages import count

if TYPE_CHECKING:
    from mivspool.graphs.graph import Graph
    from mivspool.pyvis import Network

ATTRIBUTE = "attribute {}"
"""What the columns of numbers are called, as those of a TU data set."""
LABEL = "label"
EDGE = "edge_"
"""What the name of an attribute of edges begins with in Data, where their number may be that of the vertices."""
# what Data has under names of its own
_TAKEN = {
    "x", "x_names", "x_labels", "edge_index", "edge_attr", "edge_attr_names", "edge_attr_labels", "edge_weight", "y",
    "pos", "batch", "ptr", "num_nodes", "name", "ids",
}  # fmt: skip


STORED = "attributes"
"""Where a node or an edge of a pyvis network has the attributes of its vertex or edge."""
_WEIGHTS = ("value", "weight", "width")
_DRAWN = {
    "chosen", "color", "font", "hidden", "label", "labelHighlightBold", "physics", "scaling", "shadow", "title",
    "value",
}  # fmt: skip
# what vis-network takes of a node and of an edge
_NODE_OPTIONS = _DRAWN | {
    "background", "borderWidth", "borderWidthSelected", "brokenImage", "ctxRenderer", "fixed", "heightConstraint",
    "icon", "id", "image", "imagePadding", "level", "margin", "mass", "opacity", "shape", "shapeProperties", "size",
    "widthConstraint", "x", "y",
}  # fmt: skip
_EDGE_OPTIONS = _DRAWN | {
    "arrowStrikethrough", "arrows", "background", "dashes", "endPointOffset", "from", "hoverWidth", "id", "length",
    "selectionWidth", "selfReference", "selfReferenceSize", "smooth", "to", "weight", "width", "widthConstraint",
}  # fmt: skip


def data_fields(data: Any, label_columns: int | None = None) -> dict[str, Any]:
    """The fields of a Graph of a ``torch_geometric.data.Data``; see ``Graph.from_data``."""
    if not hasattr(data, "edge_index") or hasattr(data, "node_types"):
        raise InputError(f"a graph is a Data with an edge_index, not {type(data).__name__}")
    n = int(data.num_nodes or 0)
    edge_index = _edge_index(data.edge_index, n)
    edges, first, repairs = _undirected(edge_index, n)
    given = data.to_dict()
    for name, rows, things in (
        ("x", n, "vertex"), ("pos", n, "vertex"), ("ids", n, "vertex"),
        ("edge_attr", edge_index.shape[1], "edge"), ("edge_weight", edge_index.shape[1], "edge"),
    ):  # fmt: skip
        if given.get(name) is not None and len(given[name]) != rows:
            raise InputError(f"{name} has {count(len(given[name]), 'row')} for {count(rows, things)}")
    nodes, edge_columns, unused = {}, {}, []
    for name, value in given.items():
        if name in _TAKEN or value is None or (name == LABEL and isinstance(value, str)):
            continue
        size = len(value) if isinstance(value, list | tuple) or getattr(value, "ndim", 0) == 1 else -1
        if size == edge_index.shape[1] and (size != n or name.startswith(EDGE)):
            column = _listed(value)
            edge_columns[name.removeprefix(EDGE)] = tuple(column[e] for e in first.tolist())
        elif size == n:
            nodes[name] = tuple(_listed(value))
        else:
            unused.append(name)
    weight = given.get("edge_weight")
    if given.get("edge_attr") is not None:
        table = _table(given["edge_attr"], "edge_attr")
        known = given.get("edge_attr_names") or given.get("edge_attr_labels")
        if table.shape[1] == 1 and weight is None and not known and not _counts(given["edge_attr"]):
            weight = table[:, 0]
        edge_columns |= _named(table[first], "edge_attr", given)
    y = given.get("y")
    label = None
    if y is not None:
        values = np.atleast_1d(_array(y)).reshape(-1)
        if values.size == 1:
            label = label_text(values[0].item())
        else:
            repairs = (*repairs, f"y has {values.size:,} values: the graph has no class")
    x = given.get("x")
    columns = {} if x is None else _named(_table(x, "x"), "x", given, label_columns)
    ids, renamed = different([str(each) for each in given.get("ids") or range(n)])
    if renamed:
        repairs = (*repairs, f"{count(renamed, 'vertex')} renamed: their ids are the same")
    position = None if given.get("pos") is None else _table(given["pos"], "pos")
    unused += [] if position is None else [f"pos[{k}]" for k in range(2, position.shape[1])]
    if unused:
        repairs = (*repairs, left_out(unused))
    return {
        "name": given.get("name") if isinstance(given.get("name"), str) else "graph",
        "nodes": ids,
        "edges": edges,
        "edge_weight": None if weight is None else _table(weight, "edge_weight")[first, 0],
        "node_attributes": {**columns, **nodes},
        "edge_attributes": edge_columns,
        "label": label or (given[LABEL] if isinstance(given.get(LABEL), str) else None),
        "positions": None if position is None or position.shape[1] < 2 else position[:, :2],
        "repairs": repairs,
    }


def to_data(graph: Graph, labels: Sequence[str] | None = None) -> Any:
    """See ``Graph.to_data``."""
    import torch
    from torch_geometric.data import Data

    from_edge = _places(graph)
    x, about_x, texts = _matrix(graph.node_attributes, labels)
    edge_attr, about_edge_attr, edge_texts = _matrix(graph.edge_attributes)
    data = Data(edge_index=torch.from_numpy(graph.edge_index), num_nodes=graph.num_nodes, name=graph.name)
    if x is not None:
        data.x = torch.from_numpy(x)
        data.update({f"x_{what}": known for what, known in about_x.items()})
    if graph.edge_weight is not None:
        data.edge_weight = torch.from_numpy(graph.edge_weight[from_edge].astype(np.float32))
    if edge_attr is not None:
        data.edge_attr = torch.from_numpy(edge_attr[from_edge])
        data.update({f"edge_attr_{what}": known for what, known in about_edge_attr.items()})
    if graph.positions is not None:
        data.pos = torch.from_numpy(graph.positions.astype(np.float32))
    if graph.label is not None:
        whole = graph.label.lstrip("-").isdecimal()
        data["y" if whole else LABEL] = torch.tensor([int(graph.label)]) if whole else graph.label
    if graph.nodes != tuple(map(str, range(graph.num_nodes))):
        data.ids = list(graph.nodes)
    for name, values in texts.items():
        data[_free(name)] = list(values)
    for name, values in edge_texts.items():
        data[EDGE + name] = [values[e] for e in from_edge.tolist()]
    return data


def networkx_fields(graph: Any, name: str | None = None) -> dict[str, Any]:
    """The fields of a Graph of a networkx graph; see ``Graph.from_networkx``."""
    place = {node: i for i, node in enumerate(graph.nodes)}
    listed = list(graph.edges(data=True))
    ends = np.array([(place[u], place[v]) for u, v, _ in listed], np.int64).reshape(-1, 2)
    simple = simplify(ends[:, 0], ends[:, 1], len(place), graph.is_directed())
    kept = [listed[e][2] for e in simple.first.tolist()]
    positions = [data.get("pos") for _, data in graph.nodes(data=True)]
    placed = bool(positions) and all(_is_position(one) for one in positions)
    given = [data.get("weight") for data in kept]
    weights = [number(value) for value in given]
    repairs = simple.repairs
    bad = [value for value, read in zip(given, weights, strict=True) if value is not None and read is None]
    if bad:
        repairs += (f"{count(len(bad), 'weight')} read as missing: {shown(bad[0])} is no number",)
    skipped = {"pos"} if placed else set()
    ids, renamed = different([str(node) for node in place])
    if renamed:
        repairs += (f"{count(renamed, 'vertex')} renamed: they differ, but read the same",)
    unused = [str(key) for key in graph.graph if key not in {LABEL, "name"}]
    if unused:
        repairs += (left_out(unused),)
    label = graph.graph.get(LABEL)
    return {
        "name": name or str(graph.name or "graph"),
        "nodes": ids,
        "edges": simple.edges,
        "edge_weight": np.array(weights, np.float64) if any(value is not None for value in given) else None,
        "node_attributes": _columns([data for _, data in graph.nodes(data=True)], skipped),
        "edge_attributes": _columns(kept, {"weight"}),
        "label": None if label is None else str(label),
        "positions": np.array(positions, np.float64)[:, :2] if placed else None,
        "repairs": repairs,
    }


def to_networkx(graph: Graph) -> Any:
    """See ``Graph.to_networkx``."""
    import networkx

    made = networkx.Graph(name=graph.name)
    if graph.label is not None:
        made.graph[LABEL] = graph.label
    for i, node in enumerate(graph.nodes):
        own = {name: values[i] for name, values in graph.node_attributes.items() if values[i] is not None}
        if graph.positions is not None:
            own["pos"] = tuple(graph.positions[i].tolist())
        made.add_node(node, **own)
    for e, (u, v) in enumerate(graph.edges.T.tolist()):
        own = {name: values[e] for name, values in graph.edge_attributes.items() if values[e] is not None}
        if graph.edge_weight is not None and not np.isnan(graph.edge_weight[e]):
            own["weight"] = float(graph.edge_weight[e])
        made.add_edge(graph.nodes[u], graph.nodes[v], **own)
    return made


def to_pyvis(graph: Graph, physics: bool) -> Network:
    """See ``Graph.to_pyvis``."""
    from mivspool.pyvis import SCALE, Network

    made = Network(height="640px", heading=graph.name)
    nodes: list[dict[str, Any]] = []
    for i, node in enumerate(graph.nodes):
        own = {name: values[i] for name, values in graph.node_attributes.items()}
        nodes.append(
            {"id": node, "label": node, "shape": "dot", "title": _about(f"vertex {node}", own), STORED: own}
        )
        if graph.positions is not None:
            x, y = graph.positions[i].tolist()
            nodes[-1] |= {"x": x * SCALE, "y": -y * SCALE}
    edges: list[dict[str, Any]] = []
    for e, (u, v) in enumerate(graph.edges.T.tolist()):
        own = {name: values[e] for name, values in graph.edge_attributes.items()}
        ends = f"edge {graph.nodes[u]} – {graph.nodes[v]}"
        edges.append({"from": graph.nodes[u], "to": graph.nodes[v], "title": _about(ends, own), STORED: own})
        if graph.edge_weight is not None and not np.isnan(graph.edge_weight[e]):
            edges[-1]["value"] = float(graph.edge_weight[e])
    made.add(nodes, edges)
    made.graph_label = graph.label
    made.options.physics.enabled = physics
    if physics:
        made.show_buttons(filter_=["physics"])
    return made


def _about(what: str, attributes: Mapping[str, Any]) -> str:
    return "\n".join([what, *(f"{name} {value}" for name, value in attributes.items() if value is not None)])


def pyvis_fields(network: Any, name: str | None = None) -> dict[str, Any]:
    """The fields of a Graph of a pyvis network; see ``Graph.from_pyvis``."""
    from mivspool.pyvis import SCALE

    if not hasattr(network, "nodes") or not hasattr(network, "edges") or not hasattr(network, "node_ids"):
        raise InputError(f"a network of pyvis has nodes and edges, {type(network).__name__} is none")
    place = {node["id"]: i for i, node in enumerate(network.nodes)}
    ends = np.array([(place[e["from"]], place[e["to"]]) for e in network.edges], np.int64).reshape(-1, 2)
    arrows = np.array([bool(network.directed and e.get("arrows")) for e in network.edges], bool)
    simple = simplify(ends[:, 0], ends[:, 1], len(place), arrows)
    kept = [network.edges[e] for e in simple.first.tolist()]
    given = [next((e[key] for key in _WEIGHTS if e.get(key) is not None), None) for e in kept]
    weights = [number(value) for value in given]
    at = [(node.get("x"), node.get("y")) for node in network.nodes]
    placed = bool(at) and all(_is_position(one) for one in at)
    ids, renamed = different([str(node) for node in place])
    repairs = simple.repairs
    if renamed:
        repairs += (f"{count(renamed, 'vertex')} renamed: they differ, but read the same",)
    return {
        "name": name or str(network.heading or "graph"),
        "nodes": ids,
        "edges": simple.edges,
        "edge_weight": np.array(weights, np.float64) if any(value is not None for value in given) else None,
        "node_attributes": _columns([_own(node, _NODE_OPTIONS) for node in network.nodes], set()),
        "edge_attributes": _columns([_own(edge, _EDGE_OPTIONS) for edge in kept], set()),
        "label": getattr(network, "graph_label", None),
        "positions": np.array(at, np.float64) / (SCALE, -SCALE) if placed else None,
        "repairs": repairs,
    }


def _own(thing: Mapping[str, Any], options: Collection[str]) -> Mapping[str, Any]:
    """The attributes of a vertex or an edge of a network: those stored, or what is no option of how it is drawn."""
    if STORED in thing:
        stored: Mapping[str, Any] = thing[STORED]
        return stored
    own = {name: value for name, value in thing.items() if name not in options}
    label = thing.get("label")
    if "id" in thing and label is not None and str(label) != str(thing["id"]):
        own[LABEL] = label
    return own


def _array(value: Any) -> NDArray[Any]:
    """A tensor, from any device, or an array or list."""
    found: NDArray[Any] = value.detach().cpu().numpy() if hasattr(value, "detach") else np.asarray(value)
    return found


def _edge_index(value: Any, n: int) -> NDArray[np.int64]:
    """int64 [2, M] of a Data with n vertices. Raises InputError for another shape or type, and for other vertices."""
    found = np.empty((2, 0), np.int64) if value is None else _array(value)
    if found.ndim != 2 or len(found) != 2:
        raise InputError(f"edge_index must have shape [2, M], it has {list(found.shape)}")
    if found.dtype.kind not in "iu":
        raise InputError(f"edge_index must be whole numbers, it is {found.dtype}")
    wrong = found[(found < 0) | (found >= n)]
    if wrong.size:
        raise InputError(f"edge_index names vertex {int(wrong[0])}, but there are {count(n, 'vertex')}")
    return found.astype(np.int64)


def _table(value: Any, name: str) -> NDArray[np.float64]:
    """float64 [n, columns]. Raises InputError where the values are no real numbers."""
    found = _array(value)
    if found.dtype.kind not in "biuf":
        raise InputError(f"{name} must be real numbers, it is {found.dtype}")
    return found.astype(np.float64).reshape(len(found), -1)


def _counts(value: Any) -> bool:
    """Whether these are codes of classes: one column of whole numbers."""
    array = _array(value)
    return array.dtype.kind in "iub" and array.size == len(array)


def _named(
    table: NDArray[np.float64], key: str, given: Mapping[str, Any], label_columns: int | None = None
) -> dict[str, Any]:
    """Columns by name: a label where they are its one-hot code (or its number), numbers otherwise.

    ``key``: what the table is called in ``given``, which may say the names of its columns and of its labels.
    ``label_columns``: how many columns at the end are a label's code; None: all, where each row has a single 1.
    """
    names, labels = given.get(f"{key}_names") or [], given.get(f"{key}_labels") or []
    n, width = table.shape
    if _counts(given[key]):
        return {LABEL: tuple(str(int(v)) for v in table[:, 0].tolist())}
    if names or labels:
        label_columns = len(labels)
    elif label_columns is None:
        single = (
            width > 1 and n > 0 and bool((((table == 0) | (table == 1)).all(1) & (table.sum(1) == 1)).all())
        )
        label_columns = width if single else 0
    names = names or [ATTRIBUTE.format(k) for k in range(width - label_columns)]
    numbers = {name: tuple(table[:, k].tolist()) for k, name in enumerate(names)}
    if not label_columns:
        return numbers
    code = table[:, width - label_columns :]
    known = labels or [str(k) for k in range(label_columns)]
    place = np.where(code.any(1), code.argmax(1), -1).tolist()
    return {LABEL: tuple(known[k] if k >= 0 else None for k in place), **numbers}


def _undirected(
    edge_index: NDArray[np.int64], n: int
) -> tuple[NDArray[np.int64], NDArray[np.int64], tuple[str, ...]]:
    """Each edge once, int64 [2, E], the place it was first listed at, int64 [E], and what was mended."""
    source, target = edge_index
    forward, backward = np.sort(source * n + target), np.sort(target * n + source)
    if np.array_equal(forward, backward):  # both directions of each: one of them is the edge
        listed = np.flatnonzero(source <= target)
        simple = simplify(source[listed], target[listed], n)
        return simple.edges, listed[simple.first], simple.repairs
    simple = simplify(source, target, n, directed=True)
    return simple.edges, simple.first, simple.repairs


def _places(graph: Graph) -> NDArray[np.int64]:
    """The undirected edge of each column of ``graph.edge_index``, int64 [2E]."""
    low, high = np.sort(graph.edge_index, axis=0)
    n = graph.num_nodes
    found: NDArray[np.int64] = np.searchsorted(graph.edges[0] * n + graph.edges[1], low * n + high)
    return found


def _listed(value: Any) -> list[Any]:
    return value.tolist() if hasattr(value, "tolist") else list(value)


def _matrix(
    columns: Mapping[str, Sequence[Any]], labels: Sequence[str] | None = None
) -> tuple[NDArray[np.float32] | None, dict[str, list[str]], dict[str, Sequence[Any]]]:
    """The columns of numbers and the label one-hot, float32 [n, C] (None: there are none), their names, and the
    rest.
    """
    others = dict(columns)
    label = others.pop(LABEL, None)
    parts, names = [], []
    for name, values in columns.items():
        if name in others and numeric(values):
            names.append(name)
            parts.append(np.array([as_number(v) for v in others.pop(name)], np.float32)[:, None])
    chosen = [] if label is None else list(labels or sorted({label_text(v) for v in label} - {""}))
    if label is not None and chosen:
        parts.append(one_hot(label, chosen))
    about = {"names": names, "labels": chosen}
    matrix = np.concatenate(parts, axis=1) if parts else None
    return matrix, {what: known for what, known in about.items() if known}, others


def numeric(values: Sequence[Any]) -> bool:
    """Whether these are numbers, or missing."""
    return all(v is None or (isinstance(v, int | float) and not isinstance(v, bool)) for v in values)


def as_number(value: Any) -> float:
    """A number, NaN where it is missing."""
    return float("nan") if value is None else float(value)


def _free(name: str) -> str:
    return f"vertex {name}" if name in _TAKEN else name


def _columns(rows: Sequence[Mapping[str, Any]], skipped: set[str]) -> dict[str, tuple[Any, ...]]:
    """The attributes of vertices or edges by name, None where one has none; what is no text or number, as text."""
    names = dict.fromkeys(str(name) for row in rows for name in row if name not in skipped)
    return {name: tuple(_plain(row.get(name)) for row in rows) for name in names}


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    return value if value is None or isinstance(value, str | int | float | bool) else str(value)


def _is_position(value: Any) -> bool:
    try:
        return len(value) >= 2 and all(np.isfinite(float(v)) for v in list(value)[:2])
    except (TypeError, ValueError):
        return False
