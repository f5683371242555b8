"""Nothing is dropped in silence: what a file has and a graph has no place for is named in the repairs."""

import pytest

from mivspool.graphs.read import read_graphs

YED = """<graphml xmlns:y="http://www.yworks.com/xml/graphml">
<key for="node" id="d0" yfiles.type="nodegraphics"/><key for="edge" id="d1" yfiles.type="edgegraphics"/>
<key for="graph" id="d2" attr.name="author" attr.type="string"/>
<graph edgedefault="undirected"><data key="d2">me</data>
<node id="a"><data key="d0"><y:ShapeNode><y:Geometry x="1" y="2"/><y:Fill color="#fff"/>
<y:NodeLabel>Ann<y:LabelModel><y:SmartNodeLabelModel/></y:LabelModel></y:NodeLabel></y:ShapeNode></data></node>
<node id="b"><port name="n"/></node>
<edge source="a" target="b"><data key="d1"><y:PolyLineEdge><y:LineStyle width="2"/><y:EdgeLabel>knows</y:EdgeLabel>
</y:PolyLineEdge></data></edge></graph></graphml>"""
GEXF = """<gexf xmlns:viz="http://gexf.net/viz"><meta><creator>me</creator></meta><graph><nodes>
<node id="a" pid="b"><viz:color r="1" g="2" b="3"/><viz:size value="2"/></node><node id="b" start="2009"/></nodes>
<edges><edge id="0" source="a" target="b"><viz:thickness value="2"/></edge></edges></graph></gexf>"""
DOT = 'graph { rankdir=LR; graph [bb="0,0"]; subgraph cluster_a { label="A"; a -- b:n }  a [x=1]; }'


@pytest.mark.parametrize(
    ("name", "text", "left_out"),
    [
        ("x.graphml", YED, {"author", "fill", "linestyle", "port"}),
        ("x.gexf", GEXF, {"creator", "color", "size", "thickness", "pid", "start"}),
        ("x.dot", DOT, {"rankdir", "bb", "label", "port"}),
    ],
)
def test_what_a_graph_has_no_place_for_is_named(name, text, left_out):
    (graph,) = read_graphs(text.encode(), name)
    (said,) = [repair for repair in graph.repairs if repair.startswith("left out")]
    named = {word for word in left_out if f"'{word}'" in said}
    assert len(named) == min(len(left_out), 5), said
    assert len(left_out) <= 5 or f"and {len(left_out) - 5} more" in said


def test_what_yed_has_written_on_vertices_and_edges_is_kept():
    (graph,) = read_graphs(YED.encode(), "x.graphml")
    assert graph.node_attributes == {"label": ("Ann", None)}
    assert graph.edge_attributes == {"label": ("knows",)}


def test_what_we_write_is_read_without_a_repair():
    from mivspool.graphs import open_source
    from mivspool.graphs.export import WRITERS, write_graph

    graph = open_source("MAO:3")
    for name in ("graphml", "gexf", "gml", "node-link"):
        (back,) = read_graphs(write_graph(graph, name).encode(), f"x{WRITERS[name].extension}")
        assert back.repairs == (), name
