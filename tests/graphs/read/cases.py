"""Faults that files have, one small file each, by kind and format: what must come of each.

An entry is (name, content, expectation). Expectation: "nodes", "edges" (pairs, in any order), "weights" of those edges,
"repairs" (words that must occur), "attributes", "label", "format", "encoding", "graphs"; or "error" (words).
"""

from __future__ import annotations

import gzip
import io
import json
import zipfile
import zlib

import numpy as np

AB = {"nodes": ["a", "b"], "edges": ["ab"]}
ABC = {"nodes": ["a", "b", "c"], "edges": ["ab", "bc"]}
GRAPHML = '<?xml version="1.0" encoding="UTF-8"?>\n<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{}</graphml>'
GEXF = (
    '<?xml version="1.0"?>\n<gexf xmlns="http://www.gexf.net/1.2draft" xmlns:viz="http://www.gexf.net/1.2draft/viz" '
    'version="1.2">{}</gexf>'
)


def graphml(inner, keys="", default="undirected"):
    return GRAPHML.format(f'{keys}<graph id="G" edgedefault="{default}">{inner}</graph>')


def gexf(nodes, edges="", attributes="", default="undirected"):
    return GEXF.format(
        f'<graph defaultedgetype="{default}">{attributes}<nodes>{nodes}</nodes><edges>{edges}</edges></graph>'
    )


def zipped(files, compression=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, content in files.items():  # without the time of day: the same bytes each time
            archive.writestr(zipfile.ZipInfo(name), content, compression)
    return out.getvalue()


def npy(array, **options):
    out = io.BytesIO()
    np.save(out, array, **options)
    return out.getvalue()


def npz(**arrays):
    out = io.BytesIO()
    np.savez(out, **arrays)
    return out.getvalue()


def tu(**parts):
    texts = {
        "A": "1, 2\n2, 1\n3, 4\n4, 3\n",
        "graph_indicator": "1\n1\n2\n2\n",
        "graph_labels": "0\n1\n",
    } | parts
    return zipped({f"T/T_{part}.txt": text for part, text in texts.items() if text is not None})


NODES = '<node id="a"/><node id="b"/>'
EDGE = '<edge source="a" target="b"/>'
ETHANOL = """ethanol
  drawn

  3  2  0  0  0  0  0  0  0  0999 V2000
    0.0000    0.0000    0.0000 C   0  0
    1.5000    0.0000    0.0000 C   0  0
    2.2500    1.2990    0.0000 O   0  0
  1  2  1  0
  2  3  1  0
M  END
"""
UNDRAWN = ETHANOL.replace("1.5000", "0.0000").replace("2.2500", "0.0000").replace("1.2990", "0.0000")
MOL_V3000 = """ethane
  drawn

  0  0  0     0  0            999 V3000
M  V30 BEGIN CTAB
M  V30 COUNTS 2 1 0 0 0
M  V30 BEGIN ATOM
M  V30 1 C 0 0 0 0
M  V30 2 C 1.5 0 0 0
M  V30 END ATOM
M  V30 BEGIN BOND
M  V30 1 1 1 2
M  V30 END BOND
M  V30 END CTAB
M  END
"""


def pdb_atom(
    serial, name, residue, chain, number, x, y=0.0, z=0.0, record="ATOM  ", element="C", alternative=" "
):
    return (
        f"{record}{serial:5d} {name:<4}{alternative}{residue:>3} {chain}{number:4d}    {x:8.3f}{y:8.3f}{z:8.3f}"
        f"  1.00  0.00          {element:>2}"
    )


PDB = "\n".join(
    [
        "HEADER    TEST                                    01-JAN-00   1TST",
        pdb_atom(1, " N", "ALA", "A", 1, -1.0, element="N"),
        pdb_atom(2, " CA", "ALA", "A", 1, 0.0),
        pdb_atom(3, " CA", "GLY", "A", 2, 3.8),
        pdb_atom(4, " CA", "GLY", "A", 2, 3.9, alternative="B"),
        pdb_atom(5, " CA", "SER", "B", 1, 9.79),
        pdb_atom(6, " CA", "TRP", "B", 2, 20.0),
        pdb_atom(7, "CA", " CA", "B", 3, 20.0, record="HETATM", element="CA"),
        "END",
        "",
    ]
)
CIF = """data_1TST
#
loop_
_atom_site.group_PDB
_atom_site.type_symbol
_atom_site.label_atom_id
_atom_site.label_comp_id
_atom_site.auth_asym_id
_atom_site.auth_seq_id
_atom_site.Cartn_x
_atom_site.Cartn_y
_atom_site.Cartn_z
ATOM C CA ALA A 1 0.0 0.0 0.0
ATOM C "CB" ALA A 1 1.0 0.0 0.0
ATOM C CA GLY A 2 3.8 0.0 0.0
ATOM C 'CA' SER A 3 12.0 0.0 0.0
#
"""
DENSE = "\n".join(
    [
        "x\n\n",
        " 40780  0  0  0  0  0  0  0  0999 V2000",
        *["    0.0000    0.0000    0.0000 C   0  0"] * 40,
        *[f"{i + 1:3d}{j + 1:3d}  1  0" for i in range(40) for j in range(i)],
        "M  END",
    ]
)
MTX = "%%MatrixMarket matrix coordinate {} {}\n% made by hand\n{}\n"

CASES = [
    # GraphML
    ("plain.graphml", graphml(NODES + EDGE), AB | {"format": "graphml"}),
    ("edges-first.graphml", graphml(EDGE + NODES), AB),
    # a type or a flag that is a list
    ("type-list.json", '{"type": ["x"], "a": {"type": {}}}', {"error": "is JSON with type, a"}),
    ("type-list-card.json", '{"nodes": [{"id": "a", "type": [], "width": 1}]}', {"nodes": ["a"]}),
    ("flag-list.gml", "graph [ directed [ a 1 ] node [ id 1 ] ]", {"nodes": ["1"]}),
    (
        "prefix.graphml",
        graphml(NODES + EDGE)
        .replace("<", "<g:")
        .replace("<g:/", "</g:")
        .replace("<g:?", "<?")
        .replace("xmlns=", "xmlns:g="),
        AB,
    ),
    ("cut-off.graphml", graphml(NODES + EDGE)[:-30], {"error": "well-formed"}),
    ("dangling.graphml", graphml(NODES + '<edge source="a" target="z"/>'), {"error": "'z'"}),
    ("no-source.graphml", graphml(NODES + '<edge target="b"/>'), {"error": "source"}),
    ("no-id.graphml", graphml("<node/>"), {"error": "id"}),
    ("empty-id.graphml", graphml('<node id=""/>'), {"error": "empty id"}),
    ("no-graph.graphml", GRAPHML.format(""), {"error": "no vert"}),
    ("twice.graphml", graphml(NODES + '<node id="a"/>' + EDGE), AB | {"repairs": ["more than once"]}),
    (
        "own-direction.graphml",
        graphml(NODES + '<edge source="a" target="b" directed="true"/>'),
        AB | {"repairs": ["direct"]},
    ),
    (
        "int-1.0.graphml",
        graphml(
            '<node id="a"><data key="k">1.0</data></node>',
            '<key id="k" for="node" attr.name="v" attr.type="int"/>',
        ),
        {"attributes": {"v": (1,)}},
    ),
    (
        "int-word.graphml",
        graphml(
            '<node id="a"><data key="k">many</data></node>',
            '<key id="k" for="node" attr.name="v" attr.type="int"/>',
        ),
        {"attributes": {"v": ("many",)}, "repairs": ["'many'"]},
    ),
    (
        "default.graphml",
        graphml(
            NODES.replace('"b"/>', '"b"><data key="k">2</data></node>'),
            '<key id="k" for="node" attr.name="v" attr.type="int"><default>7</default></key>',
        ),
        {"attributes": {"v": (7, 2)}},
    ),
    (
        "nan-value.graphml",
        graphml(
            '<node id="a"><data key="k">NaN</data></node>',
            '<key id="k" for="node" attr.name="v" attr.type="double"/>',
        ),
        {"attributes": {"v": (None,)}},
    ),
    (
        "weight.graphml",
        graphml(
            NODES + '<edge source="a" target="b"><data key="w">0.5</data></edge>',
            '<key id="w" for="edge" attr.name="weight" attr.type="double"/>',
        ),
        AB | {"weights": [0.5]},
    ),
    (
        "nan-weight.graphml",
        graphml(
            NODES + '<edge source="a" target="b"><data key="w">nan</data></edge>',
            '<key id="w" for="edge" attr.name="weight" attr.type="double"/>',
        ),
        AB | {"repairs": ["weight"]},
    ),
    (
        "positions.graphml",
        graphml(
            '<node id="a"><data key="x">1</data><data key="y">2</data></node>',
            '<key id="x" attr.name="x" attr.type="double"/><key id="y" attr.name="y" attr.type="double"/>',
        ),
        {"positions": [[1.0, 2.0]]},
    ),
    (
        "hyperedge.graphml",
        graphml(
            NODES + '<node id="c"/><hyperedge><endpoint node="a"/><endpoint node="b"/>'
            '<endpoint node="c"/></hyperedge>'
        ),
        {"nodes": ["a", "b", "c"], "edges": ["ab", "ac", "bc"], "repairs": ["hyperedge"]},
    ),
    (
        "nested.graphml",
        graphml('<node id="a"><graph id="g" edgedefault="directed"><node id="b"/></graph></node>' + EDGE),
        AB | {"repairs": ["nested"]},
    ),
    (
        "two-graphs.graphml",
        GRAPHML.format(f'<graph edgedefault="undirected">{NODES}</graph>' * 2),
        {"graphs": 2},
    ),
    (
        "markup-in-id.graphml",
        graphml('<node id="&lt;script&gt;&#x202e;=cmd"/>'),
        {"nodes": ["<script>\u202e=cmd"]},
    ),
    (
        "latin-1.graphml",
        graphml('<node id="é"/>').replace("UTF-8", "ISO-8859-1").encode("latin-1"),
        {"nodes": ["é"], "encoding": "iso-8859-1"},
    ),
    (
        "wrong-declaration.graphml",
        graphml('<node id="é"/>').encode("cp1252"),
        {"nodes": ["é"], "repairs": ["cp1252"]},
    ),
    ("utf16.graphml", graphml(NODES).replace("UTF-8", "UTF-16").encode("utf-16"), {"nodes": ["a", "b"]}),
    (
        "external-dtd.graphml",
        '<!DOCTYPE graphml SYSTEM "http://example.org/x.dtd">' + graphml(NODES),
        {"error": "DTD"},
    ),
    (
        "external-entity.graphml",
        '<!DOCTYPE g [<!ENTITY x SYSTEM "file:///etc/hostname">]>' + graphml("&x;"),
        {"error": "DTD"},
    ),
    ("undefined-entity.graphml", graphml('<node id="&nbsp;"/>'), {"error": "well-formed"}),
    ("deep.graphml", GRAPHML.format("<a>" * 500 + "</a>" * 500), {"error": "deep"}),
    ("other.xml", "<svg><g/></svg>", {"error": "<svg>"}),
    ("page.graphml", "<!DOCTYPE html><html><body>not found</body></html>", {"error": "web page"}),
    ("outside.graphml", GRAPHML.format('<node id="a"/>'), {"error": "outside"}),
    ("really-gexf.graphml", gexf('<node id="a"/>'), {"format": "gexf", "nodes": ["a"]}),
    ("long-declaration.graphml", graphml(NODES).replace("UTF-8", "UTF" + "9" * 800), {"nodes": ["a", "b"]}),
    ("declared-inside.graphml", graphml('<?xml version="1.0" encoding="UTF9"?>'), {"error": "well-formed"}),
    (
        "yed.graphml",
        graphml(
            '<node id="n0"><data key="d"><y:ShapeNode xmlns:y="http://www.yworks.com/x"><y:Geometry x="1" y="2"/>'
            "<y:NodeLabel>Anna</y:NodeLabel></y:ShapeNode></data></node>",
            '<key id="d" for="node" yfiles.type="nodegraphics"/>',
        ),
        {"nodes": ["n0"], "attributes": {"label": ("Anna",)}, "positions": [[1.0, 2.0]]},
    ),
    # GEXF
    ("plain.gexf", gexf(NODES, EDGE), AB | {"format": "gexf"}),
    ("directed.gexf", gexf(NODES, EDGE, default="directed"), AB | {"repairs": ["direct"]}),
    ("mutual.gexf", gexf(NODES, '<edge source="a" target="b" type="mutual"/>', default="directed"), AB),
    ("loop.gexf", gexf(NODES, EDGE + '<edge source="a" target="a"/>'), AB | {"repairs": ["self-loop"]}),
    ("parallel.gexf", gexf(NODES, EDGE + EDGE), AB | {"repairs": ["parallel"]}),
    ("weight.gexf", gexf(NODES, '<edge source="a" target="b" weight="2.5"/>'), AB | {"weights": [2.5]}),
    (
        "negative.gexf",
        gexf(NODES, '<edge source="a" target="b" weight="-1"/>'),
        AB | {"repairs": ["negative"]},
    ),
    ("dangling.gexf", gexf(NODES, '<edge source="a" target="q"/>'), {"error": "'q'"}),
    ("label.gexf", gexf('<node id="0" label="x"/>'), {"nodes": ["0"], "attributes": {"label": ("x",)}}),
    (
        "undeclared.gexf",
        gexf('<node id="a"><attvalues><attvalue for="9" value="x"/></attvalues></node>'),
        {"attributes": {"9": ("x",)}, "repairs": ["declare"]},
    ),
    (
        "bad-boolean.gexf",
        gexf(
            '<node id="a"><attvalues><attvalue for="0" value="maybe"/></attvalues></node>',
            attributes='<attributes class="node"><attribute id="0" title="v" type="boolean"/></attributes>',
        ),
        {"attributes": {"v": ("maybe",)}, "repairs": ["maybe"]},
    ),
    (
        "default.gexf",
        gexf(
            '<node id="a"/>',
            attributes='<attributes class="node"><attribute id="0" title="v" '
            'type="integer"><default>3</default></attribute></attributes>',
        ),
        {"attributes": {"v": (3,)}},
    ),
    (
        "position.gexf",
        gexf('<node id="a"><viz:position x="1" y="2" z="0"/></node>'),
        {"positions": [[1.0, 2.0]]},
    ),
    ("nested.gexf", gexf('<node id="a"><nodes><node id="b"/></nodes></node>', EDGE), AB),
    ("no-namespace.gexf", f"<gexf><graph><nodes>{NODES}</nodes></graph></gexf>", {"nodes": ["a", "b"]}),
    ("empty.gexf", gexf(""), {"error": "no vert"}),
    ("bomb.gexf", '<!DOCTYPE g [<!ENTITY a "aaaa">]>' + gexf(NODES), {"error": "DTD"}),
    # GML
    (
        "plain.gml",
        'graph [ node [ id 1 label "a" ] node [ id 2 label "b" ] edge [ source 1 target 2 ] ]',
        AB | {"format": "gml"},
    ),
    (
        "creator.gml",
        'Creator "me"\nVersion 1\n# comment\ngraph\n[\n node [ id 0 label "a" ]\n]',
        {"nodes": ["a"]},
    ),
    (
        "same-labels.gml",
        'graph [ node [ id 1 label "a" ] node [ id 2 label "a" ] ]',
        {"nodes": ["1", "2"], "repairs": ["ids"], "attributes": {"label": ("a", "a")}},
    ),
    ("label-is-other-id.gml", 'graph [ node [ id 1 label "2" ] node [ id 2 ] ]', {"nodes": ["1", "2"]}),
    ("entities.gml", 'graph [ node [ id 1 label "&#233;&amp;&quot;&#8238;" ] ]', {"nodes": ['é&"\u202e']}),
    ("lone-ampersand.gml", 'graph [ node [ id 1 label "R&D" ] ]', {"nodes": ["R&D"]}),
    ("line-in-label.gml", 'graph [ node [ id 1 label "a\nb" ] ]', {"nodes": ["a\nb"]}),
    (
        "cp1252.gml",
        'graph [ node [ id 1 label "Café" ] ]'.encode("cp1252"),
        {"nodes": ["Café"], "repairs": ["cp1252"]},
    ),
    (
        "directed.gml",
        "graph [ directed 1 node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]",
        {"nodes": ["1", "2"], "repairs": ["direct"]},
    ),
    (
        "weight.gml",
        "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight 3 ] ]",
        {"weights": [3.0]},
    ),
    (
        "nan.gml",
        "graph [ node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 weight NAN ] ]",
        {"repairs": ["weight"]},
    ),
    ("dangling.gml", "graph [ node [ id 1 ] edge [ source 1 target 5 ] ]", {"error": "'5'"}),
    ("cut-off.gml", "graph [ node [ id 1", {"error": "not closed"}),
    ("unclosed-quote.gml", 'graph [ node [ id 1 label "a ] ]', {"error": "quotation"}),
    ("too-many.gml", "graph [ node [ id 1 ] ] ]", {"error": "too many"}),
    ("no-id.gml", 'graph [ node [ label "a" ] ]', {"error": "id"}),
    ("graphics.gml", "graph [ node [ id 1 graphics [ x 1.5 y -2 ] ] ]", {"positions": [[1.5, -2.0]]}),
    ("nested-value.gml", "graph [ node [ id 1 data [ a 1 ] ] ]", {"attributes": {"data": ('{"a": 1}',)}}),
    ("deep.gml", "graph [ node [ id 1 " + "a [ " * 300, {"error": "deep"}),
    ("two.gml", "graph [ node [ id 1 ] ]\ngraph [ node [ id 1 ] ]", {"graphs": 2}),
    ("long-number.gml", "graph [ node [ id " + "9" * 100 + " ] ]", {"nodes": ["9" * 100]}),
    ("empty.gml", "graph [ ]", {"error": "no vert"}),
    # Pajek
    ("plain.net", '*Vertices 2\n1 "a"\n2 "b"\n*Edges\n1 2\n', AB | {"format": "pajek"}),
    (
        "arcs.net",
        "*vertices 2\n*arcs\n1 2 0.5\n",
        {"nodes": ["1", "2"], "repairs": ["direct"], "weights": [0.5]},
    ),
    (
        "list.net",
        "*Vertices 4\n*Edgeslist\n1 2 3 4\n",
        {"nodes": ["1", "2", "3", "4"], "edges": ["12", "13", "14"]},
    ),
    ("matrix.net", "*Vertices 2\n*Matrix\n0 1\n1 0\n", {"nodes": ["1", "2"], "edges": ["12"]}),
    (
        "comment.net",
        '% hello\n*Network "my net"\n*Vertices 1\n1 "a b" 0.5 0.25\n',
        {"nodes": ["a b"], "positions": [[0.5, 0.25]]},
    ),
    ("same-labels.net", '*Vertices 2\n1 "a"\n2 "a"\n', {"nodes": ["1", "2"], "repairs": ["numbers"]}),
    ("zero-based.net", "*Vertices 2\n*Edges\n0 1\n", {"error": "1 to 2"}),
    ("too-far.net", "*Vertices 2\n*Edges\n1 3\n", {"error": "'3'"}),
    ("no-count.net", "*Vertices\n1 2\n", {"error": "how many"}),
    ("huge-count.net", "*Vertices 99999999999\n", {"error": "more than"}),
    ("none.net", "*Vertices 0\n", {"error": "no vert"}),
    ("superscript.net", "*Vertices ²0\n", {"error": "how many"}),
    ("superscript-size.mtx", MTX.format("real", "general", "¹ 1 1\n1 1 1"), {"error": "size"}),
    ("long-word.mtx", MTX.format("9" * 5000, "general", "1 1 1\n1 1 1"), {"error": "matrix of"}),
    ("header-with-nul.npy", npy(np.zeros((2, 2))).replace(b"fortran", b"fort\0an"), {"error": "header"}),
    ("nameless.zip", zipped({"abc": "a,b\n"}).replace(b"\x03\0\0\0abc", b"\0\0\x03\0abc"), {"error": "zip"}),
    ("offset.zip", zipped({"a.csv": "a,b\n"})[:-6] + b"\xff\xff\0\0\0\0", {"error": "zip"}),
    # DOT
    ("plain.dot", "graph { a -- b }", AB | {"format": "dot"}),
    ("digraph.gv", "digraph G { a -> b -> c; }", ABC | {"repairs": ["direct"]}),
    ("named.dot", 'strict graph "my graph" { // c\n a -- b /* x */ [weight=2] }', AB | {"weights": [2.0]}),
    ("set.dot", "graph { a -- { b c } }", {"nodes": ["a", "b", "c"], "edges": ["ab", "ac"]}),
    (
        "subgraph.dot",
        "graph { subgraph cluster_0 { a; b } a -- b; c }",
        {"nodes": ["a", "b", "c"], "edges": ["ab"]},
    ),
    ("ports.dot", "graph { a:p:n -- b:s }", AB),
    (
        "attributes.dot",
        'graph { node [color=red] a [label="A"]; b -- a }',
        {"attributes": {"color": ("red", "red"), "label": ("A", None)}},
    ),
    ("defaults.dot", "graph { edge [weight=3]; a -- b }", AB | {"weights": [3.0]}),
    ("pos.dot", 'graph { a [pos="1,2!"] }', {"positions": [[1.0, 2.0]]}),
    ("html.dot", "graph { <<b>x</b>> }", {"nodes": ["<<b>x</b>>"]}),
    ("numbers.dot", "graph { 1 -- 2.5; -3 }", {"nodes": ["1", "2.5", "-3"]}),
    ("joined.dot", 'graph { "a" + "b" }', {"nodes": ["ab"]}),
    ("loop.dot", "graph { a -- a; a -- b; b -- a }", AB | {"repairs": ["self-loop", "parallel"]}),
    ("unicode.dot", "graph { é -- 日本 }", {"nodes": ["é", "日本"]}),
    ("cut-off.dot", "graph { a -- ", {"error": "ends"}),
    ("unclosed.dot", 'graph { "a }', {"error": "DOT"}),
    ("deep.dot", "graph " + "{" * 300, {"error": "deep"}),
    ("empty.dot", "graph { }", {"error": "no vert"}),
    ("two.dot", "graph { a }\ngraph { b }", {"graphs": 2}),
    # edge lists and tables
    ("plain.edgelist", "a b\nb c\n", ABC | {"format": "edgelist"}),
    ("networkx.edgelist", "a b {}\nb c {'weight': 2.5}\n", ABC | {"weights": [None, 2.5]}),
    ("comments.txt", "# x\n% y\n// z\na b\n\nb c\n", ABC),
    ("tabs.tsv", "a b\tc\nc\td\n", {"nodes": ["a b", "c", "d"]}),
    ("semicolon.csv", "source;target;weight\na;b;0,5\nb;c;1,25\n", ABC | {"weights": [0.5, 1.25]}),
    ("decimal-comma.txt", "a b 0,5\nb c 1,5\n", ABC | {"weights": [0.5, 1.5]}),
    (
        "thousands.csv",
        '"Name";"Freund";"Stärke"\r\n"a";"b";"1.234,5"\r\n"b";"c";"0,5"\r\n'.encode("cp1252"),
        ABC | {"weights": [1234.5, 0.5], "encoding": "cp1252"},
    ),
    ("thousands-point.csv", 'source,target,weight\na,b,"1,234.5"\nb,c,2\n', ABC | {"weights": [1234.5, 2.0]}),
    ("excel-hint.csv", "sep=;\r\nsource;target\r\na;b\r\nb;c\r\n", ABC),
    ("excel-hint-quoted.csv", '\ufeff"sep=,"\r\na,"b"\r\nb,c\r\n', ABC),
    ("surrogate-key.json", '{"edge_\\ud800dex": [[0], [5]]}', {"error": "edge_\\ud800dex"}),
    ("excel-hint-tab.csv", "SEP=\t\na\tb\nb\tc\n", ABC),
    (
        "heading-above-numbers.csv",
        "wer,wen,wie oft\na,b,3\nb,c,4\n",
        ABC | {"edge_attributes": {"wie oft": (3, 4)}},
    ),
    ("names-above-one-number.csv", "a,b,c\nb,c,4\n", ABC),
    ("neighbours.txt", "a b c d e\nb c\nc d e\n", {"error": ".adjlist"}),
    ("neighbours.adjlist", "a b c\nb\nc b\n", {"nodes": ["a", "b", "c"], "edges": ["ab", "ac", "bc"]}),
    (
        "letter.txt",
        "Dear all,\nthis is not a graph at all.\nIt is a letter of mine to you\n",
        {"error": "lines of"},
    ),
    ("bar.csv", "a|b\nb|c\n", ABC),
    ("crlf.csv", "source,target\r\na,b\r\nb,c\r\n", ABC),
    ("cr.csv", "source,target\ra,b\rb,c\r", ABC),
    (
        "gephi.csv",
        "Source,Target,Type,Id,Label,Weight\na,b,Directed,0,x,2\nb,c,Undirected,1,,1\n",
        ABC | {"repairs": ["1 directed"], "weights": [2.0, 1.0]},
    ),
    ("turned.csv", "weight,target,source\n2,b,a\n1,c,b\n", ABC | {"weights": [2.0, 1.0]}),
    ("unknown-heading.csv", "person,friend\n1,2\n2,3\n", {"nodes": ["1", "2", "3"]}),
    ("no-heading-names.csv", "Anna,Bert\nBert,Carl\n", {"nodes": ["Anna", "Bert", "Carl"]}),
    ("weight-without-heading.csv", "a,b,2\nb,c,3\n", ABC | {"weights": [2.0, 3.0]}),
    ("quoted.csv", 'source,target\n"a,x",b\n"say ""hi""",b\n', {"nodes": ["a,x", "b", 'say "hi"']}),
    ("line-in-cell.csv", 'source,target\n"a\nx",b\n', {"nodes": ["a\nx", "b"]}),
    ("spaces-in-quotes.csv", 'source,target\n" a",b\na,b\n', {"nodes": [" a", "b", "a"]}),
    ("lone.csv", "source,target\na,b\nc,\n,d\n", {"nodes": ["a", "b", "c", "d"], "edges": ["ab"]}),
    ("ragged.csv", "source,target,weight\na,b\nb,c,1\n", ABC | {"repairs": ["without a weight"]}),
    ("inf.csv", "source,target,weight\na,b,inf\nb,c,1\n", ABC | {"repairs": ["weight"]}),
    (
        "words-as-weights.csv",
        "source,target,weight\na,b,heavy\nb,c,1\n",
        ABC | {"repairs": ["'heavy'", "line 2"]},
    ),
    ("formula.csv", "source,target\n=cmd|'/c calc'!A0,b\n", {"nodes": ["=cmd|'/c calc'!A0", "b"]}),
    ("guarded.csv", "source,target\n'=1+1,b\n'+x,b\n", {"nodes": ["=1+1", "b", "+x"]}),
    ("apostrophes.csv", "source,target\n=x,b\n'=x,b\n", {"nodes": ["=x", "b", "'=x"]}),
    ("right-to-left.csv", "source,target\n\u202eabc,\u0627\n", {"nodes": ["\u202eabc", "\u0627"]}),
    ("separators.csv", "source,target\na\u2028b,c\x0bd\n", {"nodes": ["a\u2028b", "c\x0bd"]}),
    (
        "composed.csv",
        "source,target\n\u00e9,e\u0301\n",
        {"nodes": ["\u00e9", "e\u0301"], "edges": [("\u00e9", "e\u0301")]},
    ),
    ("underscores.csv", "source,target,weight\na,b,1_000\nb,c,1\n", ABC | {"repairs": ["'1_000'"]}),
    ("leading-zeros.edgelist", "007 7\n", {"nodes": ["007", "7"], "edges": [("007", "7")]}),
    ("leading-zero-values.csv", "source,target,code\na,b,007\n", {"edge_attributes": {"code": ("007",)}}),
    ("vertices.csv", "id,label\n1,x\n", {"error": "table of vertices"}),
    ("only-heading.csv", "source,target\n", {"error": "no vert"}),
    ("only-comments.txt", "# nothing\n", {"error": "no vert"}),
    ("blank.csv", "  \n\n", {"error": "empty"}),
    ("bom-only.csv", b"\xef\xbb\xbf", {"error": "empty"}),
    ("utf16-without-mark.csv", "source,target\na,b\n".encode("utf-16-le"), AB | {"repairs": ["utf-16"]}),
    ("utf32.csv", "source,target\na,b\n".encode("utf-32"), AB),
    (
        "undefined-cp1252.csv",
        b"source,target\nx\x81,x\x8d\n",
        {"nodes": ["x\x81", "x\x8d"], "repairs": ["cp1252"]},
    ),
    ("loops-only.csv", "a,a\nb,b\n", {"nodes": ["a", "b"], "edges": [], "repairs": ["2 self-loops"]}),
    # adjacency matrices
    ("heads.csv", ",a,b,c\na,0,1,0\nb,1,0,1\nc,0,1,0\n", ABC | {"format": "adjacency"}),
    ("heads-without-corner.csv", "a,b\na,0,1\nb,1,0\n", AB),
    ("heads.tsv", "\ta\tb\na\t0\t2\nb\t2\t0\n", AB | {"weights": [2.0]}),
    ("numbers.adjacency.csv", "0,1\n1,0\n", {"nodes": ["0", "1"], "edges": ["01"]}),
    ("asymmetric.adjacency.csv", "0,1\n0,0\n", {"nodes": ["0", "1"], "edges": ["01"], "repairs": ["direct"]}),
    ("diagonal.adjacency.csv", "1,1\n1,0\n", {"nodes": ["0", "1"], "repairs": ["self-loop"]}),
    ("not-square.adjacency.csv", "0,1,0\n1,0,0\n", {"error": "square"}),
    ("words.adjacency.csv", "0,x\nx,0\n", {"error": "'x'"}),
    ("nan.adjacency.csv", "0,nan\nnan,0\n", {"nodes": ["0", "1"], "repairs": ["weight"]}),
    # JSON
    (
        "ints-and-texts.json",
        '{"nodes":[{"id":1},{"id":"1"}],"edges":[{"source":1,"target":"1"}]}',
        {"num_nodes": 2, "num_edges": 1},
    ),
    (
        "loose-ends.json",
        '{"nodes":[{"id":1},{"id":2}],"links":[{"source":"1","target":"2"}]}',
        {"nodes": ["1", "2"], "edges": ["12"]},
    ),
    (
        "by-place.json",
        '{"nodes":[{"group":1},{"group":1}],"links":[{"source":0,"target":1}]}',
        {"nodes": ["0", "1"], "edges": ["01"]},
    ),
    (
        "by-name.json",
        '{"nodes":[{"name":"a"},{"name":"b"}],"links":[{"source":"a","target":"b","value":2}]}',
        AB,
    ),
    (
        "d3-after.json",
        '{"nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":{"id":"a"},"target":{"id":"b"}}]}',
        AB,
    ),
    (
        "directed.json",
        '{"directed":true,"nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":"a","target":"b"}]}',
        AB | {"repairs": ["direct"]},
    ),
    ("pairs.json", '[["a","b"],["b","c",2]]', ABC),
    ("edge-objects.json", '[{"source":"a","target":"b"},{"source":"b","target":"c"}]', ABC),
    ("jgf.json", '{"graph":{"nodes":{"a":{"label":"x"},"b":{}},"edges":[{"source":"a","target":"b"}]}}', AB),
    ("adjacency.json", '{"nodes":[{"id":"a"},{"id":"b"}],"adjacency":[[{"id":"b"}],[{"id":"a"}]]}', AB),
    (
        "grid.json",
        '{"nodes":[{"id":[0,1]},{"id":[0,2]}],"links":[{"source":[0,1],"target":[0,2]}]}',
        {"nodes": ["[0, 1]", "[0, 2]"], "num_edges": 1},
    ),
    ("surrogate.json", '{"nodes":[{"id":"\\ud800x"}],"edges":[]}', {"num_nodes": 1}),
    (
        "nan.json",
        '{"nodes":[{"id":"a"},{"id":"b"}],"edges":[{"source":"a","target":"b","weight":NaN}]}',
        AB | {"repairs": ["weight"]},
    ),
    ("list-value.json", '{"nodes":[{"id":"a","v":[1,2]}],"edges":[]}', {"attributes": {"v": ("[1, 2]",)}}),
    ("no-id.json", '{"nodes":[{"id":"a"},{"name":"b"}],"edges":[]}', {"error": "vertex 2"}),
    ("null-id.json", '{"nodes":[{"id":null}],"edges":[]}', {"error": "no id"}),
    ("no-ends.json", '{"nodes":[{"id":"a"}],"edges":[{"weight":1}]}', {"error": "edge 1"}),
    ("cut-off.json", '{"nodes":[{"id":"a"', {"error": "valid JSON"}),
    ("number.json", "[1, 2]", {"error": "JSON"}),
    ("other.json", '{"type":"FeatureCollection"}', {"error": "'nodes'"}),
    (
        "deep-value.json",
        '{"nodes":[{"id":"a","v":' + "[" * 300 + "]" * 300 + '}],"edges":[]}',
        {"error": "JSON"},
    ),
    ("deep-object.json", '{"a":' * 50_000, {"error": "JSON"}),
    ("huge-float.json", '{"nodes":[{"id":"a","v":1e999}],"edges":[]}', {"attributes": {"v": ("inf",)}}),
    ("huge-weight.json", '[["a","b",' + "9" * 390 + "]]", AB | {"repairs": ["weight"]}),
    ("empty.json", '{"nodes":[],"edges":[]}', {"error": "no vert"}),
    ("list-of-graphs.json", json.dumps([{"nodes": [{"id": "a"}], "edges": []}] * 3), {"graphs": 3}),
    ("bom.json", b"\xef\xbb\xbf" + b'[["a","b"]]', AB),
    # Cytoscape, plain dictionary
    (
        "flat.cyjs",
        '{"elements":[{"data":{"id":"a"}},{"data":{"id":"b"}},{"data":{"source":"a","target":"b"}}]}',
        AB | {"format": "cytoscape"},
    ),
    (
        "position.cyjs",
        '{"elements":{"nodes":[{"data":{"id":"a"},"position":{"x":1,"y":2}}]}}',
        {"positions": [[1.0, 2.0]]},
    ),
    (
        "dangling.cyjs",
        '{"elements":{"nodes":[{"data":{"id":"a"}}],"edges":[{"data":{"source":"a","target":"z"}}]}}',
        {"error": "'z'"},
    ),
    ("no-data.cyjs", '{"elements":{"nodes":[{"id":"a"}]}}', {"error": "'data'"}),
    (
        "int-ids.cyjs",
        '{"elements":{"nodes":[{"data":{"id":1}}],"edges":[{"data":{"source":"1","target":1}}]}}',
        {"nodes": ["1"], "repairs": ["self-loop"]},
    ),
    ("words.cyjs", '{"elements":"none"}', {"error": "elements"}),
    (
        "plain-dict.json",
        '{"edge_index":[[0,1,1],[1,0,2]],"num_nodes":4}',
        {"nodes": ["0", "1", "2", "3"], "edges": ["01", "12"]},
    ),
    ("plain-too-few.json", '{"edge_index":[[0],[5]],"num_nodes":2}', {"error": "num_nodes"}),
    ("plain-words.json", '{"edge_index":[["a"],["b"]]}', {"error": "numbers"}),
    ("plain-huge.json", '{"edge_index":[[],[]],"num_nodes":99999999999}', {"error": "more than"}),
    # molecules
    (
        "names.smi",
        "CCO ethanol\nc1ccccc1\tbenzene ring\n",
        {"graphs": 2, "attributes": {"label": ("C", "C", "O")}},
    ),
    ("heading.smi", "smiles name\nCCO ethanol\n", {"graphs": 1}),
    ("pasted", "CC(=O)Oc1ccccc1C(=O)O", {"num_nodes": 13, "format": "smiles"}),
    (
        "ions.smi",
        "[Na+].[Cl-]",
        {"num_nodes": 2, "num_edges": 0, "attributes": {"label": ("Na", "Cl"), "charge": (1, -1)}},
    ),
    ("one-bad.smi", "CCO\nC1CC\nCC\n", {"graphs": 2, "repairs": ["left out", "SMILES"]}),
    ("words.smi", "hello world\n", {"error": "SMILES"}),
    ("half-a-letter.mol", ETHANOL.replace(" O   0", " ﹙﹙﹙  0"), {"error": ""}),
    ("dense.mol", DENSE, {"num_nodes": 40, "num_edges": 780}),
    ("five-bonds.smi", "C(C)(C)(C)(C)C", {"num_nodes": 6, "repairs": ["unusual"]}),
    (
        "table.csv",
        "name,smiles,label\nx,CCO,1\ny,C1CC,0\nz,CC,0\n",
        {"graphs": 2, "label": "1", "repairs": ["left out"]},
    ),
    (
        "ethanol.mol",
        ETHANOL,
        {
            "nodes": ["1", "2", "3"],
            "edges": ["12", "23"],
            "format": "mol",
            "positions": [[0.0, 0.0], [1.5, 0.0], [2.25, 1.299]],
        },
    ),
    ("undrawn.mol", UNDRAWN, {"nodes": ["1", "2", "3"], "drawn": True}),
    ("v3000.mol", MOL_V3000, {"nodes": ["1", "2"], "edges": ["12"]}),
    (
        "two.sdf",
        f"{ETHANOL}> <label>\nyes\n\n$$$$\n{ETHANOL}$$$$\n",
        {"graphs": 2, "label": "yes", "format": "sdf"},
    ),
    (
        "one-bad.sdf",
        f"{ETHANOL}$$$$\nx\n\n\n  9  9  0\nM  END\n$$$$\n",
        {"graphs": 1, "repairs": ["left out"]},
    ),
    ("cut-off.mol", ETHANOL[:120], {"error": "MOL"}),
    ("crlf.mol", ETHANOL.replace("\n", "\r\n"), {"nodes": ["1", "2", "3"]}),
    # proteins
    (
        "tiny.pdb",
        PDB,
        {
            "nodes": ["A:1", "A:2", "B:1", "B:2"],
            "edges": [("A:1", "A:2"), ("A:2", "B:1")],
            "attributes": {"label": ("ALA", "GLY", "SER", "TRP"), "chain": ("A", "A", "B", "B")},
        },
    ),
    ("two-models.pdb", "MODEL     1\n" + PDB + "ENDMDL\n" + PDB, {"num_nodes": 4}),
    (
        "no-alpha.pdb",
        "ATOM      1  N   ALA A   1      -1.000   0.000   0.000  1.00  0.00           N\n",
        {"error": "no vert"},
    ),
    ("bad-place.pdb", PDB.replace("   3.800", "   x.xxx"), {"error": "coordinates"}),
    ("tiny.cif", CIF, {"nodes": ["A:1", "A:2", "A:3"], "edges": [("A:1", "A:2")]}),
    ("ragged.cif", CIF.replace("ALA A 1 0.0", "ALA A 1"), {"error": "values"}),
    ("no-atoms.cif", "data_x\n_cell.length_a 1\n", {"error": "no vert"}),
    # matrices
    (
        "pattern.mtx",
        MTX.format("pattern", "symmetric", "3 3 2\n2 1\n3 2"),
        {"nodes": ["1", "2", "3"], "edges": ["12", "23"]},
    ),
    (
        "general.mtx",
        MTX.format("real", "general", "2 2 1\n1 2 0.5"),
        {"nodes": ["1", "2"], "weights": [0.5], "repairs": ["direct"]},
    ),
    (
        "array.mtx",
        "%%MatrixMarket matrix array real general\n2 2\n0\n1\n1\n0\n",
        {"nodes": ["1", "2"], "edges": ["12"]},
    ),
    ("rectangular.mtx", MTX.format("real", "general", "2 3 1\n1 2 1"), {"error": "square"}),
    ("outside.mtx", MTX.format("real", "general", "2 2 1\n1 5 1"), {"error": "1 to 2"}),
    ("zero-based.mtx", MTX.format("real", "general", "2 2 1\n0 1 1"), {"error": "1 to 2"}),
    ("cut-off.mtx", MTX.format("real", "general", "2 2 9\n1 2 1"), {"error": "promises"}),
    ("huge.mtx", MTX.format("real", "general", "999999999 999999999 1\n1 2 1"), {"error": "more than"}),
    ("complex.mtx", MTX.format("complex", "general", "1 1 1\n1 1 1 1"), {"error": "complex"}),
    ("matrix.npy", npy(np.array([[0, 1], [1, 0]])), {"nodes": ["0", "1"], "edges": ["01"], "format": "npy"}),
    ("edges.npy", npy(np.array([[0, 1, 1], [1, 0, 2]])), {"nodes": ["0", "1", "2"], "edges": ["01", "12"]}),
    ("weights.npy", npy(np.array([[0.0, 2.5], [2.5, 0.0]])), {"weights": [2.5]}),
    ("long.npy", npy(np.zeros((2, 3))), {"error": "square"}),
    ("objects.npy", npy(np.array([{}], dtype=object), allow_pickle=True), {"error": "pickle"}),
    ("objects.npz", npz(edge_index=np.array([{}], dtype=object)), {"error": "pickle"}),
    ("lying.npy", npy(np.zeros((4, 4))).replace(b"(4, 4)", b"(9, 9)"), {"error": "cut off"}),
    ("cut-off.npy", npy(np.zeros((4, 4)))[:-3], {"error": "cut off"}),
    (
        "edges.npz",
        npz(edge_index=np.array([[0], [1]]), num_nodes=np.array(3)),
        {"nodes": ["0", "1", "2"], "edges": ["01"]},
    ),
    ("negative.npz", npz(edge_index=np.array([[0], [-1]])), {"error": "-1"}),
    ("other.npz", npz(x=np.zeros(3)), {"error": "edge_index"}),
    # zips and other wrappings
    (
        "many.zip",
        zipped({"a.csv": "a,b\n", "sub/b.gml": "graph [ node [ id 1 ] ]", "README.md": "hello"}),
        {"graphs": 2},
    ),
    (
        "one-bad.zip",
        zipped({"a.csv": "a,b\n", "b.json": "{"}),
        {"graphs": 1, "repairs": ["left out", "b.json"]},
    ),
    ("all-bad.zip", zipped({"b.json": "{"}), {"error": "b.json"}),
    ("climbing.zip", zipped({"../../x.csv": "a,b\n"}), {"error": "climbs"}),
    ("absolute.zip", zipped({"/x.csv": "a,b\n"}), {"error": "climbs"}),
    ("backslashes.zip", zipped({"..\\x.csv": "a,b\n"}), {"error": "climbs"}),
    ("within.zip", zipped({"x.zip": zipped({"a.csv": "a,b\n"})}), {"error": "within"}),
    ("empty.zip", zipped({}), {"error": "empty"}),
    ("cut-off.zip", zipped({"a.csv": "a,b\n"})[:-20], {"error": "zip"}),
    ("torch.zip", zipped({"m/data.pkl": b"\x80\x02}q\x00.", "m/data/0": b"0"}), {"error": "pickle"}),
    ("torch.pt", zipped({"m/data.pkl": b"\x80\x02}q\x00."}), {"error": "pickle"}),
    ("old.pkl", b"cos\nsystem\n(S'true'\ntR.", {"error": "pickle"}),
    ("renamed.csv", b"\x80\x04\x95\x05\x00\x00\x00\x00\x00\x00\x00}.", {"error": "pickle"}),
    ("renamed.json", b"cos\nsystem\n(S'true'\ntR.", {"error": "pickle"}),
    ("table.xlsx", zipped({"[Content_Types].xml": "<x/>", "xl/workbook.xml": "<x/>"}), {"error": "Office"}),
    ("noise.zip", zipped({"__MACOSX/._a.csv": "x", "a.csv": "a,b\n", ".DS_Store": "x"}), {"graphs": 1}),
    ("plain.csv.gz", gzip.compress(b"a,b\nb,c\n"), ABC),
    ("cut-off.csv.gz", gzip.compress(b"a,b\nb,c\n" * 100)[:-12], {"error": "gzip"}),
    ("picture.graphml", b"\xff\xd8\xff\xe0\x00\x10JFIF", {"error": "text"}),
    ("document.txt", b"%PDF-1.7\n%\xe2\xe3", {"error": "text"}),
    ("noise.csv", bytes(range(256)) * 8, {"error": "text"}),
    ("zlib.csv", zlib.compress(b"a,b\n" * 50), {"error": "text"}),
    # TU
    (
        "labels.tu.zip",
        tu(node_labels="5\n7\n5\n5\n"),
        {"graphs": 2, "attributes": {"label": ("5", "7")}, "label": "0"},
    ),
    (
        "attributes.tu.zip",
        tu(node_attributes="1.5, 2\n0, 0\n0, 0\n0, 0\n"),
        {"attributes": {"attribute 0": (1.5, 0.0), "attribute 1": (2.0, 0.0)}},
    ),
    ("one-way.tu.zip", tu(A="1, 2\n3, 4\n"), {"graphs": 2, "repairs": ["undirected"]}),
    ("twice.tu.zip", tu(A="1, 2\n2, 1\n1, 2\n3, 4\n4, 3\n"), {"graphs": 2, "repairs": ["parallel"]}),
    ("loop.tu.zip", tu(A="1, 1\n3, 4\n4, 3\n"), {"repairs": ["self-loop"]}),
    ("no-labels.tu.zip", tu(graph_labels=None), {"graphs": 2, "label": None}),
    ("unsorted.tu.zip", tu(A="1, 3\n3, 1\n", graph_indicator="1\n2\n1\n2\n"), {"graphs": 2, "edges": ["01"]}),
    ("too-far.tu.zip", tu(A="1, 9\n"), {"error": "vertex 9"}),
    ("gap.tu.zip", tu(graph_indicator="1\n1\n3\n3\n"), {"error": "3 graphs"}),
    (
        "gap-with-labels.tu.zip",
        tu(graph_indicator="1\n1\n3\n3\n", graph_labels="5\n6\n7\n"),
        {"graphs": 2, "label": "5", "repairs": ["the first is 2"]},
    ),
    ("zero-graphs.tu.zip", tu(graph_indicator="0\n0\n1\n1\n"), {"error": "from 1"}),
    ("short-labels.tu.zip", tu(node_labels="1\n2\n"), {"error": "4 vertices"}),
    ("words.tu.zip", tu(A="1, b\n"), {"error": "'b'"}),
    ("three-columns.tu.zip", tu(A="1, 2, 3\n"), {"error": "T_A.txt"}),
    ("huge-index.tu.zip", tu(A="1, 99999999999999999999\n"), {"error": "T_A.txt"}),
    ("empty.tu.zip", tu(graph_indicator=""), {"error": "no vert"}),
    ("no-edges.tu.zip", tu(A=""), {"graphs": 2, "num_edges": 0}),
    ("numbered-names.txt", "node1 node2\nnode2 node3\n", {"nodes": ["node1", "node2", "node3"]}),
    ("numbered-heading.txt", "node1 node2\na b\nb c\n", ABC),
    ("many-comments.txt", "c x\r\n" * 60 + "q r\r\n", {"num_nodes": 4}),
    # what is left out is named
    (
        "graph-data.graphml",
        graphml(
            '<data key="k">x</data>' + NODES + EDGE,
            '<key id="k" for="graph" attr.name="author" attr.type="string"/>',
        ),
        AB | {"repairs": ["'author'"]},
    ),
    (
        "arrays.npz",
        npz(edge_index=np.array([[0], [1]]), x=np.zeros(2)),
        {"edges": ["01"], "repairs": ["'x'"]},
    ),
    # formats of one kind of program each
    (
        "plain.sif",
        "a\tpp\tb\tc\nd\n",
        {"nodes": ["a", "b", "c", "d"], "edges": ["ab", "ac"], "format": "sif"},
    ),
    (
        "labels.tgf",
        "1 a\n2 b\n#\n1 2 likes\n",
        {"nodes": ["1", "2"], "edge_attributes": {"label": ("likes",)}},
    ),
    (
        "edges.dl",
        "DL n=3\nformat=edgelist1\nlabels:\na,b,c\ndata:\n1 2 2\n2 3\n",
        ABC | {"weights": [2.0, None]},
    ),
    ("nodelist.dl", "dl n=3 format=nodelist1\nlabels embedded\ndata:\na b c\nb a\n", {"edges": ["ab", "ac"]}),
    (
        "plain.gdf",
        "nodedef>name VARCHAR,age INTEGER\na,3\nb,\nedgedef>node1 VARCHAR,node2 VARCHAR,directed BOOLEAN\na,b,true\n",
        AB | {"attributes": {"age": (3, None)}, "repairs": ["direct"]},
    ),
    ("plain.g6", ">>graph6<<Bw\nA_\n", {"graphs": 2, "nodes": ["0", "1", "2"], "edges": ["01", "02", "12"]}),
    ("plain.s6", ":Bcd\n", {"format": "sparse6"}),
    (
        "plain.graph",
        "% c\n3 2 11\n5 2 7\n6 1 7 3 8\n9 2 8\n",
        {"weights": [7.0, 8.0], "attributes": {"weight": (5, 6, 9)}},
    ),
    (
        "plain.col",
        "c x\np edge 3 2\nn 1 7\ne 1 2\ne 2 3 4\nx 1\n",
        {"weights": [None, 4.0], "repairs": ["'lines x'"]},
    ),
    ("plain.lgl", "# a\nb 2\n# c\n", {"nodes": ["a", "b", "c"], "weights": [2.0]}),
    ("plain.madjlist", "a 1\nb {'weight': 2}\nc 0\n", {"nodes": ["a", "c", "b"], "weights": [2.0]}),
    (
        "plain.mol2",
        "@<TRIPOS>MOLECULE\nm\n 2 1\n@<TRIPOS>ATOM\n1 C1 0 0 0 C.ar\n2 N1 1 0 0 N.am\n@<TRIPOS>BOND\n1 1 2 ar\n",
        {"nodes": ["1", "2"], "edge_attributes": {"bond": (1.5,)}, "positions": [[0.0, 0.0], [1.0, 0.0]]},
    ),
    (
        "plain.canvas",
        '{"nodes":[{"id":"a","type":"text","text":"A","x":0,"y":0,"width":2,"height":2}],"edges":[]}',
        {"attributes": {"label": ("A",), "type": ("text",)}, "positions": [[1.0, 1.0]]},
    ),
    ("plain.jsonl", '{"source":"a","target":"b"}\n{"source":"b","target":"c"}\n', ABC),
    (
        "relations.net",
        '*Vertices 3\n*Arcs :1 "likes"\n1 2\n*Edges :2\n2 3 4\n',
        {"edge_attributes": {"relation": ("likes", "2")}, "weights": [None, 4.0]},
    ),
    ("relation-in-line.net", '*Vertices 2\n*Arcs :1 "likes"\n*Arcs\n1: 1 2 3\n', {"weights": [3.0]}),
    (
        "vector.net",
        "*Vertices 2\n*Edges\n1 2\n*Vector v\n*Vertices 2\n0.5\n1\n*Vector w\n1\n",
        {"attributes": {"v": (0.5, 1)}, "repairs": ["'w'"]},
    ),
    (
        "pair.zip",
        zipped({"nodes.csv": "id,name\na,x\nb,y\n", "edges.csv": "source,target\na,b\n"}),
        AB | {"graphs": 1, "attributes": {"name": ("x", "y")}},
    ),
    ("atoms.xyz", "2\nx\nO 0 0 0\nH 0 0 1\n", {"error": "XYZ"}),
]
