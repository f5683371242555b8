"""A page reads a file as Python does: the same graph, or the same sentence."""

from __future__ import annotations

import base64
import html.entities
import math
from collections.abc import Sequence
from typing import Any

import pytest

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read import read_graphs
from mivspool.site import reading, strings
from tests.beside import FILES, samples
from tests.canvas.node import answers, needs_node
from tests.graphs.read.cases import CASES

pytestmark = needs_node
HERE = {
    "graphml", "gml", "csv", "edgelist", "adjacency", "adjlist", "plain", "cytoscape", "neo4j", "graphology", "canvas",
    "sigma", "node-link", "json-matrix", "json-edges", "json-dict",
}  # fmt: skip
# how the sentences end in which a page leaves a file to the app
LEFT = tuple(text.rpartition("}")[2] for text in strings.READING_WORDS.values())
PACKED = (b"PK\x03\x04", b"PK\x05\x06", b"\x1f\x8b")


def by_page(asked: Sequence[tuple[str, bytes]], as_: str = "", script: str | None = None) -> list[Any]:
    """What a page makes of each file; ``script``: what its site has of RDKit."""
    entities = {name.rstrip(";"): text for name, text in html.entities.html5.items() if name.endswith(";")}
    given = reading.settings() | {"entities": entities}
    files = [[[name, base64.b64encode(data).decode()]] for name, data in asked]
    question = {"given": given, "script": script, "asked": [{"files": one, "as": as_} for one in files]}
    return list(answers("read.mjs", question))


def plain(value: Any) -> Any:
    """A value as JavaScript has it: whole decimals are whole numbers, large whole numbers text."""
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 2**53:
        return str(value)
    return value


def told(graph: Graph) -> dict[str, Any]:
    """A graph as a page has it."""
    return {
        "name": graph.name,
        "nodes": list(graph.nodes),
        "edges": graph.edges.T.ravel().tolist(),
        "weight": None if graph.edge_weight is None else [plain(w) for w in graph.edge_weight.tolist()],
        "node_attributes": {
            name: [plain(v) for v in values] for name, values in graph.node_attributes.items()
        },
        "edge_attributes": {
            name: [plain(v) for v in values] for name, values in graph.edge_attributes.items()
        },
        "label": graph.label,
        "positions": None if graph.positions is None else graph.positions.tolist(),
        "repairs": list(graph.repairs),
        "format": graph.format,
        "encoding": graph.encoding,
        "read_as": graph.read_as,
        "readings": [{"as": one.as_, "title": one.title} for one in graph.readings],
    }


def by_python(name: str, data: bytes, as_: str = "") -> dict[str, Any]:
    """What Python makes of a file."""
    try:
        return {"graphs": [told(graph) for graph in read_graphs(data, name, as_=as_ or None)]}
    except ReadError as error:
        return {"refused": error.message, "line": error.line}


def differences(asked: Sequence[tuple[str, bytes]], as_: str = "") -> list[Any]:
    """The files of which a page says something else, but for those that it leaves to the app."""
    found = []
    for (name, data), page in zip(asked, by_page(asked, as_), strict=True):
        python = by_python(name, data, as_)
        left = page.get("refused", "").endswith(LEFT)
        read = {graph["format"] for graph in python.get("graphs", ())}
        if page != python and not (left and (data.startswith(PACKED) or not read & HERE)):
            found.append((name, data[:200], python, page))
    return found


def bytes_of(content: str | bytes) -> bytes:
    return content.encode() if isinstance(content, str) else content


def test_every_fault_that_files_have() -> None:
    asked = [(name, bytes_of(content)) for name, content, _ in CASES]
    assert differences(asked) == []


@pytest.mark.parametrize("case", samples())
def test_case(case: Any) -> None:
    """The sample files that a checkout may have beside it."""
    assert differences([(case["file"], (FILES / case["file"]).read_bytes())]) == []


MORE: list[tuple[str, str | bytes]] = [
    ("cut.graphml", '<graphml><graph><node id="a"/>\n<node id="b'),
    ("closed.graphml", '<graphml><graph>\n<node id="a"></graph></graphml>'),
    ("entity.graphml", '<graphml><graph><node id="a&amp;&#98;&#x63;"/><node id="&nbsp;"/></graph></graphml>'),
    ("twice.graphml", '<graphml><graph><node id="a"\nid="b"/></graph></graphml>'),
    ("junk.graphml", '<graphml><graph><node id="a"/></graph></graphml>\nend'),
    ("ampersand.graphml", '<graphml><graph><node id="a"/>\nR&D</graph></graphml>'),
    ("prose.graphml", "a graph of prose"),
    ("web.txt", "<html><body>&nbsp;</body></html>"),
    ("comma.json", '{"nodes": [1, 2],\n"edges": [[1, 2] [2, 1]]}'),
    ("text.json", '{"nodes": ["a\nb"]}'),
    ("escape.json", '{"nodes": ["\\x"]}'),
    ("half.json", '{"nodes": ["a", "\\ud83d"], "edges": []}'),
    ("large.json", '{"nodes": [12345678901234567890, 1e16, 1.5, -0.0], "edges": [[1.5, 12345678901234567890]]}'),
    ("nested.json", "[" * 2000 + "]" * 2000),
    ("type.json", '{"type": ["x"], "a": {"type": {}}}'),
    ("types.json", '[{"type": ["x"], "id": 1}, {"type": {}, "id": 2}]'),
    ("card.json", '{"nodes": [{"id": "a", "type": [], "width": 1}], "edges": []}'),
    ("relation.json", '{"nodes": [{"id": 1}, {"id": 2}], "rels": [{"start": 1, "end": 2, "type": ["x"]}]}'),
    ("attributes.json", '{"nodes": [{"id": 1, "a": {"b": [1.0, 2e-7, null, "ü"]}, "c": 1e400}], "links": []}'),
    ("string.gml", 'graph [ node [ id 1 label "a&eacute;&lt;&bogus; ] ]'),
    ("directed.gml", "graph [ directed [ a 1 ] node [ id 1 ] node [ id 2 ] edge [ source 1 target 2 ] ]"),
    ("label.gml", 'graph [\n node [ id 1 label "&eacute;&lt;&bogus;" x [ y 1.0 z NaN ] ]\n node [ id 1e3 ] ]'),
    ("dictionary.edgelist", "a b {'weight': 0.5, 'tags': ['x', None, (1, 2.0)]}\nb c {'w': 1_0}\nc d {'\\x65': 1}\n"),
    ("decimal.txt", "a b 0,5\nb c 1.234,5\nc a nan\n"),
    ("blank.csv", "a\xa0,b\u2003\n\x1cc,\x85d\n\ufeffe,f\n".encode()),
    ("shown.csv", "source,target,weight\na,b,it's \"x\"\u200b\nb,c,2\n"),
    ("cp1252.csv", b"a,\x80\xe9\nb,\x81\n"),
    ("latin.graphml", b'<?xml version="1.0" encoding="latin-1"?><graphml><graph><node id="\xe9"/></graph></graphml>'),
    ("wrong.graphml", b'<?xml version="1.0" encoding="ascii"?><graphml><graph><node id="\xe9"/></graph></graphml>'),
    ("wide.csv", "a,b\nb,c\n".encode("utf-16-le")),
    ("widest.csv", "a,b\nb,ü\n".encode("utf-32")),
    ("r.csv", '"","from","to"\n"1","a","b"\n"2","b","c"\n'),
    ("people.csv", "id,name\n1,Ann\n2,Bob\n"),
    ("numbered.csv", "1,Ann\n2,Bob\n3,Eve\n"),
    ("matrix.csv", ";a;b;c\na;0;1,5;0\nb;1,5;0;x\nc;0;0;0\n"),
    ("path.adjlist", "a b c\nb c\nd\n"),
    ("lines.jsonl", '{"nodes": ["a"], "edges": []}\n{"nodes": 5}\n{"nodes": ["b"]}\n'),
    ("cut.jsonl", '{"source": 1, "target": 2}\n{"source": 2,\n'),
    ("x" * 300 + ".csv", "a,a\n"),
]  # fmt: skip


def test_files_of_our_own() -> None:
    assert differences([(name, bytes_of(content)) for name, content in MORE]) == []


@pytest.mark.parametrize(
    "as_", ["matrix", "edges", "heading", "no heading", "columns 2 3", "columns 1 9", "x", "csv"]
)
def test_other_readings(as_: str) -> None:
    asked = [
        ("square.csv", b"0,1,0\n1,0,2\n0,2,0\n"),
        ("table.csv", b"x,source,target\n1,a,b\n2,b,c\n"),
        ("square.json", b"[[0, 1, 1], [1, 0, 2], [1, 2, 0]]"),
    ]
    assert differences(asked, as_) == []


def test_what_only_python_reads_is_named() -> None:
    (page,) = by_page([("a.dot", b"graph { a -- b }")])
    assert page["refused"].startswith("a.dot is DOT (Graphviz), which this page does not read")
