"""Before any format: limits on bytes, vertices, edges, depth, expansion and time; a broken file is one sentence."""

import gzip
import io
import zipfile

import numpy as np
import pytest

from mivspool.errors import InputError, LimitError, ReadError
from mivspool.graphs.read import FORMATS, read_graph, read_graphs, summary
from mivspool.graphs.read.parts.bulk import edges_at_once
from mivspool.graphs.read.parts.cells import guard, plain_rows, quoted_rows, unguard
from mivspool.graphs.read.parts.context import Context
from mivspool.settings import Limits
from tests.graphs.read.cases import CASES, graphml, zipped

SMALL = Limits(
    bytes=100_000, expanded_bytes=100_000, members=5, vertices=50, edges=100, graphs=5, depth=20, seconds=30
)


HUGE = b"{'descr': '<f8', 'fortran_order': False, 'shape': (99999999, 99999999), }"
HUGE_NPY = b"\x93NUMPY\x01\x00\x76\x00" + HUGE.ljust(117) + b"\n"


def path(n):
    return "".join(f"{i} {i + 1}\n" for i in range(n - 1))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("x.csv", "a" * 100_001, "MB"),
        ("x.edgelist", path(60), "50 vertices"),
        ("x.edgelist", "".join(f"{u} {v}\n" for u in range(20) for v in range(u)), "100 edges"),
        ("x.json", '{"edge_index":[[],[]],"num_nodes":51}', "50 vertices"),
        ("x.net", "*Vertices 51\n", "50 vertices"),
        ("x.smi", "CC\n" * 6, "5 molecules"),
        ("x.smi", "C" * 60, "50 vertices"),
        ("x.graphml", graphml("<a>" * 30 + "</a>" * 30), "deep"),
        ("x.zip", zipped({f"{i}.csv": "a,b\n" for i in range(6)}), "5 files"),
        ("x.zip", zipped({"x.csv": b"0" * 200_000}), "expands"),
        ("x.csv.gz", gzip.compress(b"0" * 200_000), "expands"),
        ("x.npy", HUGE_NPY, "cut off"),
    ],
)
def test_limits(name, content, words):
    with pytest.raises(LimitError if words != "cut off" else ReadError, match=words):
        read_graphs(content.encode() if isinstance(content, str) else content, name, SMALL)


def test_vertices_of_all_graphs_count_together():
    data = zipped({f"{i}.edgelist": path(20) for i in range(3)})
    with pytest.raises(LimitError, match="50 vertices"):
        read_graphs(data, "x.zip", SMALL)


def test_a_zip_that_lies_about_its_sizes():
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("x.csv", "a,b\n" * 50_000)
    data = bytearray(out.getvalue())
    for mark, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = data.index(mark) + offset
        data[place : place + 4] = (10).to_bytes(4, "little")
    with pytest.raises(ReadError):
        read_graphs(bytes(data), "x.zip")


def test_a_reader_that_takes_too_long_is_stopped():
    limits = Limits(seconds=0.001)
    for name, content in (("x.edgelist", path(100_000)), ("x.gml", "graph [ " + "a 1 " * 300_000 + "]")):
        with pytest.raises(LimitError, match="seconds"):
            read_graphs(content.encode(), name, limits)


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(ReadError, match="no file"):
        read_graphs(tmp_path / "none.csv")
    with pytest.raises(ReadError, match="empty"):
        read_graphs(tmp_path)


def test_index_out_of_range(tmp_path):
    (tmp_path / "two.smi").write_text("CC\nCCC\n")
    assert read_graph(tmp_path / "two.smi", 1).num_nodes == 3
    with pytest.raises(InputError, match="numbered 0 to 1"):
        read_graph(tmp_path / "two.smi", 2)


def test_every_line_of_an_error_is_named():
    lines = {
        "x.graphml": (graphml('\n<node id="a"/>\n<edge source="a" target="z"/>'), 4),
        "x.gml": ("graph [\n node [ id 1 ]\n edge [ source 1 target 2 ]\n]", 3),
        "x.net": ("*Vertices 1\n*Edges\n1 9\n", 3),
        "x.dot": ("graph {\n a -- \n}", 3),
        "x.json": ('{"nodes":\n[}', 2),
        "x.smi": ("C1CC\n", 1),
        "x.adjacency.csv": ("0,1\n1,x\n", 2),
        "x.mtx": ("%%MatrixMarket matrix coordinate real general\n1 1 1\n9 9 1\n", 3),
    }
    for name, (content, line) in lines.items():
        with pytest.raises(ReadError) as caught:
            read_graphs(content.encode(), name)
        assert caught.value.line == line, name


def test_registry():
    extensions = [extension for format in FORMATS.values() for extension in format.extensions]
    assert len(set(extensions)) == len(extensions)
    assert all(format.name == name for name, format in FORMATS.items())


@pytest.mark.parametrize("ids", ["words", "numbers"])
@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize(
    ("delimiter", "name"), [("", "x.edgelist"), (",", "x.csv"), (";", "y.csv"), ("\t", "x.tsv")]
)
def test_at_once_is_row_by_row(ids, weighted, delimiter, name, monkeypatch):
    rng = np.random.default_rng(0)
    mark = delimiter or " "
    rows = [
        mark.join((f"0{u}", f"v{v}" if v % 3 else f"0{v}", *([f"{u}.5"] if weighted else [])))
        for u, v in rng.integers(0, 40, (500, 2))
    ]
    heading = mark.join(("source", "target", "weight")[: 3 if weighted else 2])
    called = []

    def recorded(*arguments):
        called.append(edges_at_once(*arguments))
        return called[-1]

    for text in ("\n".join(rows), "\n".join([heading, *rows]) + "\n"):
        (slow,) = read_graphs(text.encode(), name)
        monkeypatch.setattr("mivspool.graphs.read.formats.table._LARGE", 0)
        monkeypatch.setattr("mivspool.graphs.read.parts.bulk.edges_at_once", recorded)
        (fast,) = read_graphs(text.encode(), name)
        monkeypatch.undo()
        assert called.pop() is (None if delimiter == "\t" else fast)
        assert summary([fast]) == summary([slow])
        np.testing.assert_array_equal(fast.edges, slow.edges)


def test_what_is_unusual_is_not_read_at_once():
    context = Context("x", Limits())
    for text in (
        "a b\n\nc d\n",
        "a  b\n",
        " a b\n",
        "a b\n#c\n",
        "a\tb\n",
        "a b\nc\n",
        "a b c\n",
        '"a" b\n',
        "é b\n",
        "a\x1cb c\n",
    ):
        assert edges_at_once(text, "", False, context, "edgelist") is None


def test_a_large_edge_list():
    rng = np.random.default_rng(0)
    ends = rng.integers(0, 50_000, (200_000, 2))
    (graph,) = read_graphs("\n".join(f"{u} {v}" for u, v in ends.tolist()).encode(), "big.edgelist")
    proper = np.sort(ends[ends[:, 0] != ends[:, 1]], axis=1)
    assert graph.num_edges == len(np.unique(proper, axis=0))
    assert graph.num_nodes == len(np.unique(ends))


def test_rows_agree_with_and_without_quotation_marks():
    context = Context("x", Limits())
    text = "# c\na,b , c\n\n,x\n 1 ,\n"
    assert [row.cells for row in plain_rows(text, ",", context)] == [["a", "b", "c"], ["", "x"], ["1", ""]]
    quoted = quoted_rows('# c\n"a","b" , c\n\n,x\n 1 ,\n', ",", context)
    assert [(row.cells, row.line) for row in quoted] == [(["a", "b", "c"], 2), (["", "x"], 4), (["1", ""], 5)]


def test_formulas_are_guarded_and_told_apart():
    for cell in ("=1", "+x", "@a", "-b", "\tx", "'=1", "''=1"):
        assert guard(cell) == f"'{cell}"
    for cell in ("-1", "+2.5e3", "a", "'a", ""):
        assert guard(cell) == cell
    rows = plain_rows("'=1,''=1\n", ",", Context("x", Limits()))
    assert unguard([*rows])[0].cells == rows[0].cells == ["=1", "'=1"]


def test_every_case_is_read_the_same_from_a_file(tmp_path):
    for name, content, expected in CASES[::9]:
        if "error" not in expected:
            data = content.encode() if isinstance(content, str) else content
            (tmp_path / name).write_bytes(data)
            assert summary(read_graphs(tmp_path / name)) == summary(read_graphs(data, name))


def test_an_error_is_one_short_line_whatever_it_quotes():
    text = "a\r\nb\x00\x1b[31m\u202e\ud800\u200cé"
    assert str(ReadError(text)) == "a b\\x00\\x1b[31m\\u202e\\ud800\u200cé"
    assert len(ReadError("x" * 10**6).message) == 1000


def test_a_zip_whose_names_disagree():
    stored = zipped({"Name.csv": "a,b\n" * 3000}, zipfile.ZIP_STORED)
    assert stored.count(b"\x08\x00\x00\x00Name.csv") == 1
    with pytest.raises(ReadError, match="damaged") as caught:
        read_graphs(stored.replace(b"\x08\x00\x00\x00Name.csv", b"\xff\x1f\x00\x00Name.csv", 1), "x.zip")
    assert len(caught.value.message) < 300


@pytest.mark.parametrize("content", [b"\x01", b"\x01\x02", b"\x01 \x02\n", b"\r\n\x1b\n"])
@pytest.mark.parametrize("name", ["x", "x.txt", "x.csv", "x.edgelist", "x.net", "x.gml", "x.dot"])
def test_control_characters_alone_are_no_graph(name, content):
    with pytest.raises(ReadError):
        read_graphs(content, name)
