"""Neo4j's JSON: vertices with ``rels`` or ``relationships``, its HTTP answers, and the lines that APOC exports."""

from __future__ import annotations

from typing import Any

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.read.parts.jsongraph import leave_out, nth, objects, text_key
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "no_ends": "{name}: {what} does not name its two ends",
}

_RELATIONS = ("relationships", "rels")
_STARTS = ("start", "startNode", "startNodeElementId", "startNodeId", "from", "source")
_ENDS = ("end", "endNode", "endNodeElementId", "endNodeId", "to", "target")
_TAKEN = {"id", "elementId", "identity", "type", "labels", "label", "properties", *_STARTS, *_ENDS}


def knows(document: Any) -> bool:
    """Whether a document has relationships, or is a list of what APOC writes one per line."""
    if isinstance(document, list):
        return bool(document) and all(map(_is_line, document))
    if _is_line(document) and document["type"] == "node":
        return True  # a file of one line
    return isinstance(document, dict) and (
        any(isinstance(document.get(key), list) for key in _RELATIONS) or _answers(document) is not None
    )


def _is_line(item: Any) -> bool:
    return isinstance(item, dict) and item.get("type") in ("node", "relationship") and "id" in item


def _answers(document: dict[str, Any]) -> list[dict[str, Any]] | None:
    """The graphs in an answer of Neo4j's HTTP interface, or None where it is no such answer."""
    results = document.get("results")
    if not isinstance(results, list):
        return None
    rows = [row for result in results if isinstance(result, dict) for row in result.get("data") or []]
    graphs = [row["graph"] for row in rows if isinstance(row, dict) and isinstance(row.get("graph"), dict)]
    return graphs or None


def read(document: Any, context: Context, name: str) -> Graph:
    """The graph of vertices and relationships, each by its own id."""
    builder = Builder(context, name, "neo4j", declared=True)
    nodes, relations = _parts(document, builder)
    for number, node in enumerate(nodes, start=1):
        ident = next(
            (node[key] for key in ("id", "elementId", "identity") if node.get(key) is not None), None
        )
        known = text_key(ident, nth("vertex", number), context)
        i = builder.index.get(known[0])  # an answer repeats its vertices
        i = builder.node(*known) if i is None or i in builder.awaited else i
        labels = node.get("labels")
        if isinstance(labels, list) and labels:
            builder.node_value(i, "label", ":".join(map(str, labels)))
        builder.node_values(i, _properties(node, builder))
    seen: set[Any] = set()
    for number, relation in enumerate(relations, start=1):
        ident = relation.get("id", relation.get("elementId"))
        if isinstance(ident, (str, int)):
            if ident in seen:
                continue
            seen.add(ident)
        u, v = (builder.mention(*_end(relation, keys, number, context)) for keys in (_STARTS, _ENDS))
        k = builder.edge(u, v, directed=True)
        kind = (
            relation.get("label") if relation.get("type") in (None, "relationship") else relation.get("type")
        )
        if isinstance(kind, str):
            builder.edge_value(k, "type", kind)
        builder.edge_values(k, _properties(relation, builder))
    return builder.finish()


def _parts(document: Any, builder: Builder) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    context = builder.context
    document = [document] if _is_line(document) else document
    if isinstance(document, list):
        return [item for item in document if item["type"] == "node"], [
            item for item in document if item["type"] == "relationship"
        ]
    answers = _answers(document) or [document]
    nodes: list[dict[str, Any]] = []
    relations: list[dict[str, Any]] = []
    for answer in answers:
        nodes += objects(answer.get("nodes", []), "nodes", context)
        key = next((key for key in _RELATIONS if key in answer), "relationships")
        relations += objects(answer.get(key, []), key, context)
        leave_out(builder, answer, {"nodes", *_RELATIONS, "results", "errors"})
    return nodes, relations


def _end(
    relation: dict[str, Any], keys: tuple[str, ...], number: int, context: Context
) -> tuple[str, None, str]:
    end = next((relation[key] for key in keys if relation.get(key) is not None), None)
    if isinstance(end, dict):
        end = end.get("id", end.get("elementId", end.get("identity")))
    if end is None:
        raise ReadError(fill(WORDS["no_ends"], name=context.name, what=nth("relation", number)))
    return text_key(end, nth("relation", number), context)


def _properties(item: dict[str, Any], builder: Builder) -> dict[str, Any]:
    """The properties; members beside them are attributes too."""
    own = item.get("properties")
    beside = {key: value for key, value in item.items() if key not in _TAKEN}
    return beside | own if isinstance(own, dict) else beside


FORMAT = Format(
    name="neo4j",
    title="Neo4j's JSON",
    about="Neo4j: APOC's exports (JSON and JSON Lines), the browser, and the answers of its HTTP interface.",
    extensions=(),
    read=read,
    place=33,
    knows=knows,
    kept="ids, labels of vertices as label, types of relationships as type, properties",
    lost="the direction of relationships",
)
