"""What the lecture, the handout and the docs state as a fact is what the code computes, and each states it alike."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean

import numpy as np
import pytest

from mivspool.canvas.strings import NUMBERS
from mivspool.compare import choices, compare
from mivspool.content.compare.reductions import first
from mivspool.content.results import words
from mivspool.content.results.claims import claims
from mivspool.graphs import load_dataset
from mivspool.graphs.collections.classics import CLASSICS
from mivspool.graphs.collections.teaching import PRESETS
from mivspool.graphs.graph import Graph
from mivspool.graphs.source import open_source
from mivspool.learning import paper, recommended
from mivspool.learning.results import read_results
from mivspool.learning.tables import Runs
from mivspool.lecture import facts, training
from mivspool.lecture.chapters import CHAPTERS
from mivspool.lecture.markup import plain
from mivspool.levels import step

ROOT = Path(__file__).parent.parent.parent
LESSONS = (*CHAPTERS, training.CHAPTER)  # the last has no exercise of its own
LEARN = {chapter.name: " ".join((*chapter.text, chapter.attempt, chapter.key_point)) for chapter in CHAPTERS}


def read(path: str) -> str:
    return " ".join((ROOT / path).read_text(encoding="utf-8").replace("*", "").split())


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


def claim(title: str) -> dict[str, list[float]]:
    """The figures of a claim as docs/claims.json has them, by what was measured: one per data set."""
    found: dict[str, list[float]] = defaultdict(list)
    for one in json.loads((ROOT / "docs/claims.json").read_text(encoding="utf-8"))["claims"]:
        if one["title"].startswith(title):
            for figure in one["figures"]:
                found[figure["what"]].append(figure["value"])
    assert found, f"docs/claims.json has no claim {title!r}"
    return dict(found)  # what was not measured is a KeyError


def test_what_other_methods_do_to_real_graphs() -> None:
    diffpool = claim("DiffPool's reduced graphs")
    dense = [
        value for what, values in diffpool.items() if what.startswith("density after") for value in values
    ]
    assert dense
    assert min(dense) > 0.999
    (weighty,) = (
        values
        for what, values in diffpool.items()
        if what.startswith("the same") and "after 60 steps" in what
    )
    assert "about half of the edges have little weight" in facts.DIFFPOOL
    assert all(0.4 < 1 - share < 0.6 for share in weighty)
    kron = claim("Kron reduction increases")
    assert "the mean degree rises" in facts.KRON
    for before, after in zip(
        kron["mean degree before"], kron["mean degree after one Kron reduction"], strict=True
    ):
        assert after > before
    for fact in (facts.DIFFPOOL, facts.KRON):
        assert fact in LEARN["network"]


def test_what_learn_says_of_the_paper_results_lists_as_a_claim() -> None:
    titles = {one.name: one.title for one in claims(Runs([]), [], [])}
    assert titles["score"].lower().removeprefix("the ") in facts.PAPER_ON_SCORES
    assert facts.PAPER_ON_SCORES in LEARN["scores"]


def test_what_results_says_of_the_papers_tables_is_what_they_say() -> None:
    """The claims' own words: which data sets they name, and what the paper has there."""
    mean = {
        dataset: {method: figure.mean for method, figure in row.items()}
        for dataset, row in paper.TABLE_4.items()
    }
    told = {one.name: f"{one.title}. {one.said}" for one in claims(Runs([]), [], [])}

    def named(text: str) -> set[str]:
        return {name for name in paper.DATASETS if name.replace("DD", "D&D") in text}

    assert named(told["complement"]) == {
        name for name in paper.DATASETS if mean[name]["mivspool-comp"] > mean[name]["mivspool"]
    }
    firsts = {name: sorted(row, key=lambda method: -row[method])[:2] for name, row in mean.items()}
    assert named(told["best"]) == {
        name for name, two in firsts.items() if set(two) == {"mivspool", "mivspool-comp"}
    }


def test_the_recommended_network_was_one_of_so_many() -> None:
    many = NUMBERS[len(recommended.CANDIDATES)]
    assert f"among {many} that were written down" in words.RECOMMENDED
    assert f"{many.capitalize()} configurations" in read("docs/recommended.md")


def test_the_molecules_that_a_network_is_trained_on() -> None:
    (train,) = (one for one in CHAPTERS[-1].onward if one.page == "train")
    assert f"the {len(load_dataset('MAO'))} molecules of MAO" in train.about
    assert f"MAO comes with the package: {len(load_dataset('MAO'))} molecules" in read("docs/tutorial.ipynb")


@pytest.mark.parametrize("name", CLASSICS)
def test_what_is_said_of_a_classic_graph_is_so(name: str) -> None:
    graph, said = open_source(name), CLASSICS[name].about
    degree = graph.degree
    for number, thing in re.findall(r"(\d+) (vertices|people)", said):
        if "parts of" not in said:
            assert graph.num_nodes == int(number), thing
    for number in re.findall(r"of degree (\d+)", said):
        assert set(degree.tolist()) == {int(number)}
    if "up to four neighbours" in said:
        assert degree.max() == 4
    assert ("isolated" in said) == (degree.min() == 0)
    counted = {
        "davis": 18 + 14, "ladder": 2 * 10, "circular-ladder": 2 * 10, "star": 1 + 12, "wheel": 1 + 11,
        "bipartite": 4 + 6, "barbell": 2 * 7 + 4, "lollipop": 8 + 8, "caveman": 5 * 6, "small-world": 60,
    }  # fmt: skip
    if name in counted:
        assert graph.num_nodes == counted[name]


def test_a_molecule_and_a_protein_are_as_their_teaching_examples_say(tu: Callable[[str], object]) -> None:
    tu("NCI1")
    molecule = PRESETS["molecule"]
    level, graph = step(molecule.graph(), molecule.score, seed=molecule.seed)[0], molecule.graph()
    degree, kept = 2 * graph.num_edges / graph.num_nodes, len(level.reduced_nodes)
    assert f"the mean degree is {degree:g}, and {kept} of {graph.num_nodes} atoms survive" in molecule.says
    tu("DD")
    protein = PRESETS["protein"]
    level, graph = step(protein.graph(), protein.score, seed=protein.seed)[0], protein.graph()
    assert f"{graph.num_nodes} amino acids, yet only {level.num_iterations} iterations" in protein.says


def test_the_readme_counts_the_chapters() -> None:
    said = read("README.md")
    assert (
        f"has {NUMBERS[len(LESSONS)]} short chapters with live graphs; {NUMBERS[len(CHAPTERS)]} have exercises"
        in said
    )


def test_the_comparison_counts_what_there_is() -> None:
    said = read("docs/compared.md")
    assert f"[{NUMBERS[len(LESSONS)]} chapters]" in said
    assert f"[{len(PRESETS)} presets]" in said
    assert f"[{NUMBERS[len({choice.method.name for choice in choices('all')})]}, side by side]" in said
