"""``mivspool step`` against an independent greedy computation in plain Python and dense NumPy."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest

from mivspool.cli import main


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(list(arguments))
    out, err = capsys.readouterr()
    return status, out, err


def shapes(rng: random.Random) -> Iterator[nx.Graph]:
    """Endless small graphs: every kind that has broken a pooling layer somewhere."""
    while True:
        n = rng.randint(2, 12)
        yield nx.gnp_random_graph(n, rng.random(), seed=rng.randrange(10**6))
        yield nx.star_graph(n)
        yield nx.complete_graph(n)
        yield nx.path_graph(n)
        yield nx.empty_graph(rng.randint(1, 4))
        yield nx.disjoint_union(nx.cycle_graph(n + 1), nx.empty_graph(2))
        yield nx.disjoint_union(nx.gnp_random_graph(n, 0.4, seed=rng.randrange(10**6)), nx.path_graph(3))
        yield nx.grid_2d_graph(2, n)


def greedy(A: np.ndarray, score: list[float]) -> tuple[list[int], list[int]]:
    """Survivors and each vertex's survivor: best score first, then lower index."""
    n = len(score)
    best_first = sorted(range(n), key=lambda v: (-score[v], v))
    kept: list[int] = []
    for v in best_first:
        if not any(A[v, u] for u in kept if u != v):
            kept.append(v)
    cluster = [
        v if v in kept else next(u for u in best_first if u in kept and u != v and A[v, u]) for v in range(n)
    ]
    return sorted(kept), cluster


def dense(nodes: list[str], edges: list[list[Any]]) -> np.ndarray:
    place = {node: i for i, node in enumerate(nodes)}
    A = np.zeros((len(nodes), len(nodes)))
    for u, v, w in edges:
        A[place[u], place[v]] = A[place[v], place[u]] = w
    return A


def test_step_equals_an_independent_greedy_walk(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(7)
    graphs = shapes(rng)
    for case in range(500):
        graph = nx.convert_node_labels_to_integers(next(graphs))
        ids = rng.sample(range(1000), graph.number_of_nodes())
        lines = [f"v{ids[u]} v{ids[v]}" for u, v in graph.edges]
        lines += [f"v{ids[v]}" for v in nx.isolates(graph)]
        rng.shuffle(lines)
        file, values = tmp_path / f"{case}.edgelist", tmp_path / f"{case}.csv"
        file.write_text("\n".join(lines) + "\n")
        tied = rng.choice([1, 3, 10**9])  # scores all equal, many ties, none
        score = {f"v{i}": rng.randint(1, tied) / tied for i in ids}
        values.write_text("vertex,score\n" + "".join(f"{v},{s!r}\n" for v, s in score.items()))

        status, out, err = run(
            capsys, "step", str(file), "--score", f"values:{values}", "--levels", "2", "--json"
        )
        assert (status, err) == (0, "")
        levels = json.loads(out)["levels"]
        A = dense(levels[0]["nodes"], levels[0]["edges"])
        assert A.sum() == 2 * graph.number_of_edges()
        for level in levels:
            nodes = level["nodes"]
            kept, cluster = greedy(A, [score[node] for node in nodes])
            assert level["survivors"] == [nodes[v] for v in kept]
            assert level["assignment"] == {nodes[v]: nodes[u] for v, u in enumerate(cluster)}
            S = np.zeros((len(nodes), len(kept)))
            for v, u in enumerate(cluster):
                S[v, kept.index(u)] = 1
            A = S.T @ A @ S
            assert np.array_equal(A, dense(level["reduced"]["nodes"], level["reduced"]["edges"]))
            assert level["checks"] == {"independent": True, "maximal": True}
            assert len(level["iterations"]) == level["num_iterations"] + 1
        assert len(levels) == (2 if more(levels[0]) else 1)


def more(level: dict[str, Any]) -> bool:
    """Whether anything is left to pool: an edge between two vertices of the reduced graph."""
    return any(u != v for u, v, _ in level["reduced"]["edges"])


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["MAO:300"], "0 to 67"),
        (["no-such-file.csv"], "no-such-file.csv"),
        (["karate", "--score", "best"], "uniform"),
        (["karate", "--score", "values:none.csv"], "none.csv"),
        (["karate", "--levels", "0"], "levels"),
        (["karate", "--levels", "many"], "many"),
        (["karate", "--colour"], "--colour"),
        ([], "SOURCE"),
    ],
)
@pytest.mark.parametrize("as_json", [False, True])
def test_what_cannot_be_used_gets_one_sentence(
    arguments: list[str], says: str, as_json: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    status, out, err = run(capsys, "step", *arguments, *(["--json"] if as_json else []))
    assert (status, out) == (2, "")
    assert err.count("\n") == 1
    assert says in (json.loads(err)["error"]["message"] if as_json else err)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("c,1\n", "no score for vertex 'd'"),
        ("c,0\nd,1\n", "finite and positive"),
        ("c,nan\nd,1\n", "finite and positive"),
        ("c,x\nd,1\n", "not a number"),
        ("c,1\nd,1\ne,1\n", "not in the graph"),
        ("c,1\nc,2\nd,1\n", "two scores"),
        ("c,1,2\nd,1\n", "two columns"),
    ],
)
def test_a_score_file_names_the_vertex(
    tmp_path: Path, line: str, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    graph, values = tmp_path / "g.edgelist", tmp_path / "s.csv"
    graph.write_text("a b\nb c\nc d\n")
    values.write_text("vertex,score\na,1\nb,2\n" + line)
    status, out, err = run(capsys, "step", str(graph), "--score", f"values:{values}")
    assert (status, out) == (2, "")
    assert says in err


def test_a_long_path_leaves_the_iterations_out(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    n = 3000  # rising scores: T = n / 2 iterations, n·T over a million
    graph, values = tmp_path / "path.edgelist", tmp_path / "s.csv"
    graph.write_text("".join(f"{i} {i + 1}\n" for i in range(n - 1)))
    values.write_text("".join(f"{i},{i + 1}\n" for i in range(n)))
    _, out, _ = run(capsys, "step", str(graph), "--score", f"values:{values}", "--json")
    level = json.loads(out)["levels"][0]
    assert level["num_iterations"] == n // 2
    assert "iterations" not in level


def test_a_preset_brings_its_scores(capsys):
    assert main(["step", "preset:rising-path"]) == 0
    assert "          6          6" in capsys.readouterr().out


@pytest.mark.parametrize("complement", [False, True])
def test_the_table_counts_the_states_of_every_iteration(
    complement: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    options = ["--complement"] if complement else []
    for source in ("karate", "preset:rising-path"):
        status, out, _ = run(capsys, "step", source, "--levels", "3", *options)
        assert status == 0
        _, document, _ = run(capsys, "step", source, "--levels", "3", "--json", *options)
        rows = [
            [int(cell) for cell in line.split()]
            for line in out.splitlines()
            if len(line.split()) == 4 and line.split()[0].isdigit()
        ]
        told = [
            [one["k"], *(len(one[name]) for name in ("survivors", "candidates", "non_survivors"))]
            for level in json.loads(document)["levels"]
            for one in level["iterations"]
        ]
        assert rows == told
