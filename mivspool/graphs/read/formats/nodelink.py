"""Node-link JSON as networkx and d3 write it (``edges`` or ``links``, also by position), and JSON Graph Format."""

from __future__ import annotations

import json
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import ends_of, key_of, leave_out, nth, truth
from mivspool.graphs.text import shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "by_place": "Read as {title}; its links give positions in the list of vertices.",
    "list": "{name}: {what} must be a list",
    "no_id": "{name}: {what} has no id that is a text or a number",
    "no_ends": "{name}: {what} does not name its two ends",
    "no_end": "{name}: {what} has the end {end}, which is no id",
    "adjacency": "{name}: 'adjacency' must have one list for each vertex",
}

TAKEN = {"id", "source", "target", "weight", "key", "directed", "metadata"}
_IDS = ("id", "key", "name", "label")
_KNOWN = {
    "directed", "multigraph", "graph", "nodes", "vertices", "edges", "links", "adjacency", "name", "id", "label",
    "type", "version",
}  # fmt: skip


def knows(document: Any) -> bool:
    """Whether a document has vertices, edges, links or adjacency, itself or (JSON Graph Format) in ``graph``."""
    if not isinstance(document, dict):
        return False
    inner = document.get("graph")
    return bool({"nodes", "vertices", "edges", "links", "adjacency"} & set(document)) or (
        isinstance(inner, dict) and "nodes" in inner
    )


def read(document: Mapping[str, Any], context: Context, name: str) -> Graph:
    """The graph of one document."""
    inner = document.get("graph")
    if "nodes" not in document and isinstance(inner, dict) and "nodes" in inner:
        document = inner  # JSON Graph Format
    meta = document.get("graph")
    meta = meta if isinstance(meta, Mapping) else {}
    given = next(
        (m[k] for m in (meta, document) for k in ("name", "id") if isinstance(m.get(k), str) and m[k]), None
    )
    nodes = document.get("nodes", document.get("vertices"))
    builder = Builder(context, given or name, "node-link", declared=nodes is not None)
    label = next((m["label"] for m in (meta, document) if isinstance(m.get("label"), (str, int))), None)
    builder.label = None if label is None else str(label)
    leave_out(builder, document, _KNOWN)
    leave_out(builder, meta, _KNOWN)
    keys = _nodes(nodes, builder) if nodes is not None else []
    if "adjacency" in document and nodes is not None:
        _adjacency(document["adjacency"], keys, builder, bool(document.get("directed")))
    else:
        edges = document.get("edges", document.get("links", []))
        unnamed = bool(keys) and all(isinstance(key, tuple) and key[0] == "place" for key in keys)
        by_place = unnamed or _are_places(edges, keys)
        if by_place:
            builder.read_as = fill(WORDS["by_place"], title=FORMAT.title)
        _edges(edges, builder, truth(document.get("directed")), keys if by_place else None)
    return builder.finish()


def _items(value: Any, what: str, context: Context) -> Iterable[Any]:
    """A list, or the values of an object whose keys are ids."""
    if isinstance(value, list):
        return value
    if isinstance(value, dict):
        return ({"id": key, **(item if isinstance(item, dict) else {})} for key, item in value.items())
    raise ReadError(fill(WORDS["list"], name=context.name, what=repr(what)))


def _nodes(nodes: Any, builder: Builder) -> list[Hashable]:
    """List the vertices; those without an id are known by their place in the list."""
    items = list(_items(nodes, "nodes", builder.context))
    called = _id_name(items)
    keys: list[Hashable] = []
    for place, item in enumerate(items):
        if not isinstance(item, dict):
            found = key_of(item)
        elif called is None:
            found = ("place", place), str(place)
        else:
            found = key_of(item.get(called))
        if found is None:
            raise ReadError(fill(WORDS["no_id"], name=builder.context.name, what=nth("vertex", place + 1)))
        i = builder.node(found[0], None, found[1])
        keys.append(found[0])
        if isinstance(item, dict):
            values = {bare(key): value for key, value in item.items() if key != called}
            metadata = values.pop("metadata", None)
            builder.node_values(i, values | metadata if isinstance(metadata, dict) else values)
    return keys


def _id_name(items: list[Any]) -> str | None:
    """The key that holds the id: the first usual one that every vertex has and that tells them apart."""
    if not items or not all(isinstance(item, dict) for item in items):
        return "id"
    if any("id" in item for item in items):
        return "id"
    for name in _IDS[1:]:
        found = [key_of(item.get(name)) for item in items]
        if all(found) and len({key[0] for key in found if key}) == len(items):
            return name
    return None


def _edges(edges: Any, builder: Builder, directed: bool, by_place: list[Hashable] | None) -> None:
    for number, item in enumerate(_items(edges, "edges", builder.context), start=1):
        if isinstance(item, list) and len(item) >= 2:
            ends: list[Any] = item[:2]
            values = _third(item)
        elif isinstance(item, dict) and (names := ends_of(item)) is not None:
            ends = [item[names[0]], item[names[1]]]
            values = {key: value for key, value in item.items() if key not in names}
        elif isinstance(item, (str, int)) and not builder.declared:
            found = key_of(item)
            if found:
                builder.node(found[0], None, found[1])
            continue
        else:
            raise ReadError(fill(WORDS["no_ends"], name=builder.context.name, what=nth("edge", number)))
        u, v = (_end(end, builder, by_place, number) for end in ends)
        own = values.pop("directed", None)
        metadata = values.pop("metadata", None)
        k = builder.edge(u, v, None, directed=directed if own is None else truth(own))
        values.pop("key", None)
        values = values | metadata if isinstance(metadata, dict) else values
        builder.edge_values(k, {bare(key): value for key, value in values.items()})


def bare(key: str) -> str:
    """The name of an attribute that our exports write behind a colon, because the plain word means something else."""
    return key[1:] if key.startswith(":") and key.lstrip(":") in TAKEN else key


def _are_places(edges: Any, keys: list[Hashable]) -> bool:
    """Whether links are positions in the list of vertices, as in D3 and networkx 1: not all of them are ids."""
    if not isinstance(edges, list) or not edges or not keys:
        return False
    ends: set[Any] = set()
    for item in edges:
        names = ends_of(item) if isinstance(item, dict) else None
        pair = [item[name] for name in names] if names else []
        if not pair or not all(type(end) is int and 0 <= end < len(keys) for end in pair):
            return False
        ends.update(pair)
    known = set(keys)
    return not all(("number", end) in known or str(end) in known for end in ends)


def _third(item: list[Any]) -> dict[str, Any]:
    """What stands behind the two ends: a weight, or an object."""
    if len(item) < 3:
        return {}
    return dict(item[2]) if isinstance(item[2], dict) else {"weight": item[2]}


def _end(end: Any, builder: Builder, by_place: list[Hashable] | None, number: int) -> int:
    """The vertex an edge names; "1" may mean the vertex 1 where there is no vertex "1", and the other way."""
    if isinstance(end, dict):  # d3 after its layout has run: the whole vertex
        end = end.get("id", end.get("name"))
    if (
        by_place is not None
        and isinstance(end, int)
        and not isinstance(end, bool)
        and 0 <= end < len(by_place)
    ):
        return builder.index[by_place[end]]
    found = key_of(end)
    if found is None:
        said = fill(WORDS["no_end"], name=builder.context.name, what=nth("edge", number), end=shown(end))
        raise ReadError(said)
    key, text = found
    if builder.declared and key not in builder.index:
        other = text if key != text else _number_key(text)
        if other in builder.index:
            key = other
    return builder.mention(key, None, text)


def _number_key(text: str) -> Hashable:
    try:
        value = json.loads(text) if len(text) < 30 else None
    except (ValueError, RecursionError):
        return None
    found = key_of(value) if isinstance(value, (int, float)) else None
    return found[0] if found else None


def _adjacency(rows: Any, keys: list[Hashable], builder: Builder, directed: bool) -> None:
    """networkx's adjacency form: for each vertex the list of its neighbours, so each edge twice."""
    if not isinstance(rows, list) or len(rows) != len(keys):
        raise ReadError(fill(WORDS["adjacency"], name=builder.context.name))
    seen: set[tuple[int, int]] = set()
    for key, neighbours in zip(keys, rows, strict=True):
        u = builder.index[key]
        for place, item in enumerate(_items(neighbours, "adjacency", builder.context), start=1):
            values = dict(item) if isinstance(item, dict) else {"id": item}
            v = _end(values.pop("id", None), builder, None, place)
            if not directed and (v, u) in seen and (u, v) not in seen:
                continue
            seen.add((u, v))
            builder.edge_values(builder.edge(u, v, directed=directed), values)


FORMAT = Format(
    name="node-link",
    title="node-link JSON",
    about="networkx, D3 pages, JSON Graph Format, and many scripts.",
    extensions=(".jgf",),
    read=read,
    place=38,
    knows=knows,
    kept="ids, all attributes, weights, the graph's name and label",
    lost="other attributes of the graph (named in the repairs), keys of parallel edges",
)
