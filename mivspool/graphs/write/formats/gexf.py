"""GEXF 1.2, as Gephi opens it: typed attributes and positions."""

from __future__ import annotations

from mivspool.graphs.graph import Graph
from mivspool.graphs.write.format import Writer
from mivspool.graphs.write.parts.common import Columns, edges_by_id, kind, present, weights
from mivspool.graphs.write.parts.xmltext import XmlText


def write(graph: Graph) -> str:
    """The file. The graph's class stands in its description."""
    xml = XmlText(graph)
    spaces = 'xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz"'
    about = (
        "" if graph.label is None else f"<description>{xml.content(f'class: {graph.label}')}</description>"
    )
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<gexf {spaces} version="1.2"{xml.mark}>',
        f"  <meta><title>{xml.content(graph.name)}</title>{about}</meta>",
        '  <graph defaultedgetype="undirected">',
        *_declared(xml, "node", graph.node_attributes),
        *_declared(xml, "edge", graph.edge_attributes),
        "    <nodes>",
    ]
    for i, node in enumerate(graph.nodes):
        inner = _values(xml, graph.node_attributes, i)
        if graph.positions is not None:
            x, y = graph.positions[i].tolist()
            inner += f'<viz:position x="{x!r}" y="{y!r}" z="0.0"/>'
        lines.append(f"      <node id={xml.quote(node)} label={xml.quote(node)}>{inner}</node>")
    lines += ["    </nodes>", "    <edges>"]
    for e, ((u, v), weight) in enumerate(zip(edges_by_id(graph), weights(graph), strict=True)):
        missing = (
            "" if graph.edge_weight is None else ' weight="NaN"'
        )  # left out, it would be 1 by the format
        heavy = missing if weight is None else f' weight="{weight!r}"'
        ends = f"source={xml.quote(u)} target={xml.quote(v)}"
        lines.append(f'      <edge id="{e}" {ends}{heavy}>{_values(xml, graph.edge_attributes, e)}</edge>')
    return "\n".join([*lines, "    </edges>", "  </graph>", "</gexf>", ""])


def _declared(xml: XmlText, domain: str, columns: Columns) -> list[str]:
    if not columns:
        return []
    inner = [
        f'      <attribute id="{k}" title={xml.quote(name)} type="{kind(values)}"/>'
        for k, (name, values) in enumerate(columns.items())
    ]
    return [f'    <attributes class="{domain}">', *inner, "    </attributes>"]


def _values(xml: XmlText, columns: Columns, place: int) -> str:
    given = [f'<attvalue for="{k}" value={xml.quote(value)}/>' for k, _, value in present(columns, place)]
    return f"<attvalues>{''.join(given)}</attvalues>" if given else ""


WRITER = Writer("gexf", "GEXF (Gephi)", ".gexf", "application/xml", write, place=30)
