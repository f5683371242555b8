"""GraphML: every attribute with its type; positions as x and y."""

from __future__ import annotations

from mivspool.graphs.graph import Graph
from mivspool.graphs.write.format import Writer
from mivspool.graphs.write.parts.common import Columns, edges_by_id, kind, present, weights, with_positions
from mivspool.graphs.write.parts.xmltext import XmlText


def write(graph: Graph) -> str:
    """The file."""
    xml = XmlText(graph)
    vertex = with_positions(graph)
    edge = dict(graph.edge_attributes)
    if graph.edge_weight is not None:
        edge = {"weight": tuple(weights(graph)), **edge}
    meta = {"name": graph.name} | ({} if graph.label is None else {"label": graph.label})
    lines = ['<?xml version="1.0" encoding="UTF-8"?>']
    lines.append(f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns"{xml.mark}>')
    lines += [f'  <key id="g-{key}" for="graph" attr.name="{key}" attr.type="string"/>' for key in meta]
    lines += [*_keys(xml, "n", "node", vertex), *_keys(xml, "e", "edge", edge)]
    lines.append('  <graph edgedefault="undirected">')
    lines += [f'    <data key="g-{key}">{xml.content(value)}</data>' for key, value in meta.items()]
    for i, node in enumerate(graph.nodes):
        lines.append(f"    <node id={xml.quote(node)}>{_data(xml, 'n', vertex, i)}</node>")
    for e, (u, v) in enumerate(edges_by_id(graph)):
        ends = f"source={xml.quote(u)} target={xml.quote(v)}"
        lines.append(f"    <edge {ends}>{_data(xml, 'e', edge, e)}</edge>")
    return "\n".join([*lines, "  </graph>", "</graphml>", ""])


def _keys(xml: XmlText, prefix: str, domain: str, columns: Columns) -> list[str]:
    return [
        f'  <key id="{prefix}{k}" for="{domain}" attr.name={xml.quote(name)} attr.type="{kind(values)}"/>'
        for k, (name, values) in enumerate(columns.items())
    ]


def _data(xml: XmlText, prefix: str, columns: Columns, place: int) -> str:
    given = (
        f'<data key="{prefix}{k}">{xml.content(value)}</data>' for k, _, value in present(columns, place)
    )
    return "".join(given)


WRITER = Writer("graphml", "GraphML", ".graphml", "application/xml", write, place=10)
