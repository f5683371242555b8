"""Score files: every vertex once, finite and positive; what is wrong is named with its line."""

import numpy as np
import pytest

from mivspool.errors import ReadError
from mivspool.graphs.export import scores_csv
from mivspool.graphs.graph import Graph
from mivspool.graphs.values import read_values

GRAPH = Graph(name="g", nodes=("a", "=b", "01"), edges=np.asarray([[0], [1]]))


@pytest.mark.parametrize(
    "text",
    [
        "vertex,score\na,1\n=b,2\n01,3\n",
        "a,1\n=b,2\n01,3",
        "a;1,0\n=b;2,0\n01;3,0\n",
        "a\t1\n=b\t2\n01\t3\n",
        "a 1\n=b 2\n01 3\n",
    ],
)
def test_forms(tmp_path, text):
    (tmp_path / "s.csv").write_text(text)
    assert read_values(tmp_path / "s.csv", GRAPH) == {"a": 1, "=b": 2, "01": 3}


def test_what_is_exported_is_read(tmp_path):
    score = np.asarray([0.1, 1 / 3, 5e-7])
    (tmp_path / "s.csv").write_text(scores_csv(GRAPH.nodes, score))
    assert list(read_values(tmp_path / "s.csv", GRAPH).values()) == score.tolist()


@pytest.mark.parametrize(
    ("text", "words", "line"),
    [
        ("a,1\n=b,2\n", "'01'", None),
        ("a,1\nz,2\n", "'z'", 2),
        ("a,1\n=b,0\n", "positive", 2),
        ("a,1\n=b,-1\n", "positive", 2),
        ("a,nan\n", "finite", 1),
        ("a,1\n=b,x\n", "'x'", 2),
        ("a,1\na,2\n", "two scores", 2),
        ("a,1,2\n", "two columns", 1),
        ("a,1\nhead,score\n", "'head'", 2),
    ],
)
def test_errors(tmp_path, text, words, line):
    (tmp_path / "s.csv").write_text(text)
    with pytest.raises(ReadError) as caught:
        read_values(tmp_path / "s.csv", GRAPH)
    assert words in caught.value.message
    assert caught.value.line == line


def test_no_file(tmp_path):
    with pytest.raises(ReadError, match="cannot be opened"):
        read_values(tmp_path / "none.csv", GRAPH)
