"""DOT: whole statements read at once give what the parser makes of their tokens, and what is not used is named."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.dot import KINDS, make
from mivspool.errors import ReadError
from mivspool.graphs.read import read_graphs
from mivspool.graphs.read.formats import dot

PIECES = [
    "a",
    "b",
    "c1",
    "é",
    '"a"',
    '"x y"',
    r'"q\"q"',
    '"a\\\nb"',
    '"]"',
    "-1",
    ".5",
    "2.",
    "12ab",
    "node",
    "Graph",
    "edge",
    "strict",
    "subgraph",
    "<b>",
    " -- ",
    " -> ",
    "--",
    "-",
    ";",
    "; ",
    "\n",
    ";\n",
    ",",
    " ",
    "\t",
    "[",
    "]",
    "{",
    "}",
    "[w=1]",
    '[label="]", weight=2.5]',
    "[a=b c=d]",
    "[a=b;\n c=d,]",
    "[a]",
    "[a=node]",
    "[weight=1][weight=2]",
    "=",
    ":p",
    "+",
    "// no\n",
    "\n# no\n",
    "/* no */",
    "subgraph s {a b}",
    "{c d}",
    "node [x=1]\n",
    "edge [y=2];\n",
]


def told(text):
    try:
        (graph,) = read_graphs(text.encode(), "x.dot")
    except ReadError as error:
        return error.message, error.line
    return (
        graph.nodes, graph.edges.tolist(), str(graph.edge_weight), dict(graph.node_attributes),
        dict(graph.edge_attributes), graph.repairs, str(graph.positions), graph.label,
    )  # fmt: skip


def by_tokens(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dot, "_STATEMENT", re.compile("(?!)"))
        return told(text)


@given(kind=st.sampled_from(["graph", "digraph"]), pieces=st.lists(st.sampled_from(PIECES), max_size=12))
@settings(max_examples=150, deadline=None)
def test_statements_at_once_are_those_of_the_tokens(kind, pieces):
    text = f"{kind} {{\n{''.join(pieces)}\n}}\n"
    assert told(text) == by_tokens(text)


IDS = ["a", "b", "c1", '"a"', r'"q\"q"', "-1.5", "7", "é"]
LISTS = [
    "",
    "[weight=1]",
    '[weight="2.5"]',
    "[key=0, weight=.5]",
    "[key=0 weight=-1]",
    '["key"=0,weight="a b"]',
    "[key=0, weight=nan,]",
]
EDGE = st.tuples(
    st.sampled_from(IDS),
    st.sampled_from(IDS),
    st.sampled_from(LISTS),
    st.sampled_from([";", "\n", " ;\n\n", ""]),
)


@given(kind=st.sampled_from(["graph", "digraph"]), edges=st.lists(EDGE, max_size=30), alike=st.booleans())
@settings(max_examples=100, deadline=None)
def test_edges_that_are_alike_are_those_of_the_tokens(kind, edges, alike):
    arrow = "->" if kind == "digraph" else "--"
    listed = [LISTS[3] if alike else given for _, _, given, _ in edges]
    text = "".join(
        f"{u} {arrow} {v} {given}{end}" for (u, v, _, end), given in zip(edges, listed, strict=True)
    )
    assert told(f"{kind} {{\n{text}}}\n") == by_tokens(f"{kind} {{\n{text}}}\n")


@pytest.mark.parametrize("kind", KINDS)
def test_files_as_programs_write_them(kind):
    text = make(kind, 20_000)
    assert told(text) == by_tokens(text)
    read_by_statement = sum(match.end() - match.start() for match in dot._STATEMENT.finditer(text))
    assert read_by_statement > 0.9 * len(text)


def test_named_subgraphs_are_said_to_be_part_of_the_whole():
    (graph,) = read_graphs(b"graph { subgraph cluster_a { a -- b } {c d} -- a }", "x.dot")
    assert "took subgraphs as part of the graph around them" in graph.repairs
