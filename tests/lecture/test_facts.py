"""What the lecture, the handout and the docs state as a fact is what the code computes, and each states it alike."""

from __future__ import annotations

import re
from collections import defaultdict
from pathlib import Path
from statistics import mean

import numpy as np

from app.compare.methods import first
from mivspool.canvas.strings import NUMBERS
from mivspool.compare import compare
from mivspool.graphs.collections.teaching import PRESETS
from mivspool.graphs.graph import Graph
from mivspool.graphs.source import open_source
from mivspool.learning import paper
from mivspool.learning.results import read_results
from mivspool.lecture import facts
from mivspool.lecture.chapters import CHAPTERS
from mivspool.levels import step

ROOT = Path(__file__).parent.parent.parent
LEARN = {chapter.name: " ".join((*chapter.text, chapter.attempt, chapter.key_point)) for chapter in CHAPTERS}


def read(path: str) -> str:
    return " ".join((ROOT / path).read_text(encoding="utf-8").replace("*", "").split())


def plain(text: str) -> str:
    """Without what lights vertices."""
    return re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", text).replace("*", "")


def measured() -> dict[str, dict[str, float]]:
    """The mean T of a first pooling by score and data set, of the published runs; the paper's figures count T + 1."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    for line in read_results(reference_only=True):
        if line.method == "mivspool" and line.score and line.iterations and line.dataset in paper.DATASETS:
            found[line.score, line.dataset].append(float(line.iterations[0]) - 1)
    by_score: dict[str, dict[str, float]] = defaultdict(dict)
    for (score, dataset), counts in found.items():
        by_score[score][dataset] = mean(counts)
    return by_score


def test_how_many_iterations_real_graphs_take() -> None:
    found = measured()
    random = found.pop("uniform")
    learned = [(value, dataset) for own in found.values() for dataset, value in own.items()]
    most, where = max(learned)
    low, high = f"{min(random.values()):.0f}", f"{max(random.values()):.0f}"
    assert f"{low} to {high} iterations" in facts.ITERATIONS
    assert f"{min(learned)[0]:.1f} to {most:.1f}" in facts.ITERATIONS
    assert (where, "on D&D" in facts.ITERATIONS) == ("DD", True)
    assert facts.ITERATIONS in LEARN["meer"]
    assert facts.ITERATIONS in read("docs/handout.md")
    for text in (
        *LEARN.values(),
        read("docs/handout.md"),
        read("docs/performance.md"),
        PRESETS["rising-path"].says,
    ):
        assert "whatever their size" not in text
        assert "what real graphs do" not in text
        assert "is true of the means" not in text
    said = read("docs/reproduction.md")
    for score in ("projection", "multiview", "attention"):
        assert f"{found[score]['DD'] + 1:.1f} ({score})" in said


def _components(graph: Graph, kept: set[int]) -> int:
    left, count = set(kept), 0
    pairs = [(u, v) for u, v in graph.edges.T.tolist() if u in kept and v in kept]
    while left:
        count += 1
        front = {left.pop()}
        while front:
            v = front.pop()
            beside = ({b for a, b in pairs if a == v} | {a for a, b in pairs if b == v}) & left
            left -= beside
            front |= beside
    return count


def test_what_top_k_does_on_the_graph_of_chapter_seven_and_in_compare() -> None:
    preset = PRESETS["disconnect"]
    graph = preset.graph()
    order = np.argsort(-np.asarray(preset.score, dtype=np.float64), kind="stable")
    best = set(order[: -(-graph.num_nodes // 2)].tolist())
    pieces = _components(graph, best)
    assert f"{NUMBERS[pieces]} components" in facts.TOPK_HERE
    assert NUMBERS[len(best)] in facts.TOPK_HERE
    assert first(True)[:2] == ["mivspool:given", "gpool:given"]  # what Compare shows of it
    ours, topk = compare(graph, first(True)[:2], renumberings=0)
    assert {graph.index[name] for name in topk.survivors} == best
    left = [row.measures.after.components for row in (topk, ours) if row.measures is not None]
    assert f"leaves {NUMBERS[left[0]]} components, MIVSPool {NUMBERS[left[1]]}" in facts.TOPK_COMPARED
    for text in (plain(LEARN["network"]), read("docs/handout.md")):
        assert plain(facts.TOPK_HERE) in text
        assert facts.TOPK_COMPARED in text
    assert "by these scores" in preset.says


def test_the_karate_exercise() -> None:
    graph = open_source("karate")
    hubs = step(graph, "degree")[0]
    first = [graph.nodes[v] for v in np.flatnonzero(hubs.trace.survivors(1).numpy()).tolist()]
    assert {"33", "0"} <= set(first)
    assert graph.degree[graph.index["33"]] == 17
    assert graph.degree[graph.index["0"]] == 16
    assert graph.degree[graph.index["32"]] == 12
    drawn = [step(graph, "uniform", seed=seed)[0] for seed in range(10)]
    sizes = [len(level.reduced_nodes) for level in drawn]
    counts = {level.num_iterations for level in drawn}
    said = read("docs/handout.md")
    assert f"{NUMBERS[len(hubs.reduced_nodes)].capitalize()} vertices survive by degree" in said
    assert (
        f"seeds 0 to 9, {min(sizes)} to {max(sizes)} survive, in {min(counts)} or {max(counts)} iterations"
        in said
    )


def test_the_readme_counts_the_chapters() -> None:
    assert f"Learn has {NUMBERS[len(CHAPTERS)]} short chapters" in read("README.md")
