"""The exercises of the lecture, for Learn and the handout: what is asked, and what the library says of an answer.

Each answer is compared with what the library computes of the exercise's graph, never with a number written here, and
comes back with a sentence that says why it is right or wrong. ``docs/handout.md`` is made of the same questions
(``python -m tools.handout``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

from mivspool import meer
from mivspool.compare import GIVEN, compare
from mivspool.errors import InputError
from mivspool.graphs.collections.teaching import PRESETS
from mivspool.graphs.graph import SCORE_ATTRIBUTE, Graph
from mivspool.graphs.source import open_source
from mivspool.lecture import facts
from mivspool.lecture.markup import plain
from mivspool.levels import Level, adjacency_of, step
from mivspool.messages import count

MOST_WRITTEN = 500  # characters of an answer


@dataclass(frozen=True)
class Verdict:
    """What the library says of an answer: whether it is right, and why, in one sentence or two."""

    correct: bool
    why: str


@dataclass(frozen=True)
class Part:
    """One thing that is asked. ``options``: the answers to choose from; none where the answer is written."""

    label: str
    check: Callable[[str], Verdict]
    options: tuple[str, ...] = ()

    def answer(self, text: str) -> Verdict:
        """The verdict on what a person wrote or chose. Raises InputError for what cannot be read as an answer."""
        text = text.strip()
        if not text:
            raise InputError("there is no answer yet")
        if len(text) > MOST_WRITTEN:
            raise InputError(f"the answer is too long: write at most {MOST_WRITTEN} characters")
        if self.options and text not in self.options:
            raise InputError("choose one of the answers")
        return self.check(text)


@dataclass(frozen=True)
class Exercise:
    """One exercise of a chapter: the question, the parts that are checked, and the answer with its reason."""

    chapter: str
    title: str
    question: str
    answer: str
    parts: tuple[Part, ...]


# ---- what an answer is compared with ----------------------------------------------------------------------------


def number(label: str, expected: Callable[[], int], low: str, high: str) -> Part:
    """A whole number is asked for; ``low`` and ``high`` say why a smaller or a larger one is wrong."""

    def check(text: str) -> Verdict:
        given, true = read_number(text), expected()
        if given == true:
            return Verdict(True, f"{true:,} is correct.")
        wrong, why = ("small", low) if given < true else ("large", high)
        return Verdict(False, f"{given:,} is too {wrong}: {why}")

    return Part(label, check)


def choice(label: str, *answers: tuple[str, bool, str]) -> Part:
    """One of several answers is to be chosen: each with whether it is right, and why."""
    verdicts = {text: Verdict(correct, why) for text, correct, why in answers}
    return Part(label, verdicts.__getitem__, tuple(verdicts))


def survivors(label: str, level: Callable[[], Level]) -> Part:
    """The vertices that survive are asked for; the trace says why a vertex is wrong or missing."""

    def check(text: str) -> Verdict:
        made = level()
        given, kept = read_vertices(text, made.nodes), set(made.reduced_nodes)
        for vertex in _ordered(given - kept, made.nodes):
            found = meer.why(
                made.trace, made.adjacency, made.key, made.nodes.index(vertex), made.num_iterations
            )
            by = made.nodes[found.eliminated_by] if found.eliminated_by is not None else ""
            return Verdict(
                False,
                f"{vertex} does not survive: its neighbour {by} survives in iteration {found.settled_at} "
                "and eliminates it.",
            )
        for vertex in _ordered(kept - given, made.nodes):
            settled = int(made.trace.settled_at[made.nodes.index(vertex)])
            return Verdict(
                False,
                f"a survivor is missing: in iteration {settled}, {vertex} is a candidate and no neighbouring candidate "
                "comes before it.",
            )
        return Verdict(
            True, f"{listed(made.reduced_nodes)} survive, and all others have a neighbour among them."
        )

    return Part(label, check)


def maximal_set(label: str, graph: Callable[[], Graph], without: str) -> Part:
    """Any maximal independent set is right that does not contain the vertex ``without``."""

    def check(text: str) -> Verdict:
        own = graph()
        given = read_vertices(text, own.nodes)
        if without in given:
            return Verdict(False, f"it contains {without}.")
        return maximal_independent(own, given)

    return Part(label, check)


def maximal_independent(graph: Graph, given: Iterable[str]) -> Verdict:
    """Whether a set of vertices is independent (Eq. 8) and maximal (Eq. 9), and what is wrong where it is not."""
    chosen = np.zeros(graph.num_nodes, dtype=bool)
    chosen[[graph.index[vertex] for vertex in given]] = True
    u, v = graph.edges
    both = np.flatnonzero(chosen[u] & chosen[v] & (u != v))
    if both.size:
        first, second = graph.nodes[u[both[0]]], graph.nodes[v[both[0]]]
        return Verdict(False, f"{first} and {second} are adjacent: the set is not independent (Eq. 8).")
    covered = chosen.copy()
    covered[v[chosen[u]]] = covered[u[chosen[v]]] = True
    free = np.flatnonzero(~covered)
    if free.size:
        vertex = graph.nodes[free[0]]
        return Verdict(
            False, f"{vertex} has no neighbour in the set and could be added: it is not maximal (Eq. 9)."
        )
    return Verdict(
        True, "no two of these vertices are adjacent, and every other vertex has a neighbour among them."
    )


def read_number(text: str) -> int:
    """A whole number as people write it, thousands marked or not. Raises InputError."""
    found = re.fullmatch(r"[+\u2212-]?\d{1,3}(?:[,\u2009\u202f ]?\d{3})*|[+\u2212-]?\d{1,12}", text.strip())
    if not found:
        raise InputError("write a whole number")
    return int(re.sub(r"[,\u2009\u202f ]", "", found[0]).replace("\u2212", "-"))


def read_vertices(text: str, nodes: tuple[str, ...]) -> set[str]:
    """Vertices by their ids, with commas or spaces between. Raises InputError for one that there is not."""
    given = [part for part in re.split(r"[\s,;{}()]+", text) if part]
    unknown = [part for part in given if part not in nodes]
    if unknown:
        raise InputError(
            f"this graph has no vertex {unknown[0][:40]!r}: write ids from {nodes[0]} to {nodes[-1]}, "
            "with commas between"
        )
    return set(given)


def listed(vertices: Iterable[str]) -> str:
    """Vertices in a sentence."""
    several = list(vertices)
    return several[0] if len(several) == 1 else f"{', '.join(several[:-1])} and {several[-1]}"


def _ordered(vertices: set[str], nodes: tuple[str, ...]) -> list[str]:
    return sorted(vertices, key=nodes.index)


# ---- the graphs -------------------------------------------------------------------------------------------------


@cache
def _pooled(preset: str) -> Level:
    chosen = PRESETS[preset]
    return step(chosen.graph(), chosen.score, seed=chosen.seed, complement=chosen.complement)[0]


def path(scores: Iterable[float]) -> Graph:
    """A path 0–1–2–… with these scores."""
    values = tuple(scores)
    n = len(values)
    return Graph(
        f"path of {n}",
        tuple(map(str, range(n))),
        np.stack([np.arange(n - 1), np.arange(1, n)]),
        node_attributes={SCORE_ATTRIBUTE: values},
    )


@cache
def _path(*scores: float) -> Level:
    return step(path(scores), scores)[0]


@cache
def _karate() -> Level:
    return step(open_source("karate"), "degree")[0]


def _largest_independent(preset: str) -> int:
    """The size of a largest independent set of a bipartite graph: its vertices less a maximum matching (Kőnig)."""
    import networkx as nx

    graph = PRESETS[preset].graph().to_networkx()
    return int(graph.number_of_nodes() - len(nx.bipartite.hopcroft_karp_matching(graph)) // 2)


def _maximal_sizes(preset: str) -> list[int]:
    """The sizes of all maximal independent sets of a small graph: they are the maximal cliques of its complement."""
    import networkx as nx

    return sorted(len(one) for one in nx.find_cliques(nx.complement(PRESETS[preset].graph().to_networkx())))


def _least_by_counting(preset: str) -> int:
    """How many vertices it takes, each with its neighbours, to make up a whole graph."""
    graph = PRESETS[preset].graph()
    return -(-graph.num_nodes // (1 + int(graph.degree.max())))


def _literal(text: str) -> Verdict:
    """Who survives a first update by Eq. 10 as it is written: whoever equals the maximum of its neighbourhood."""
    level = _pooled("tie")
    given = read_vertices(text, level.nodes)
    score, row, col = level.score, level.adjacency.row, level.adjacency.col
    best = score.scatter_reduce(0, row, score[col], "amax")
    for v, (vertex, own, most) in enumerate(zip(level.nodes, score.tolist(), best.tolist(), strict=True)):
        if vertex in given and own < most:
            higher = next(u for u in col[row == v].tolist() if score[u] == most)
            return Verdict(
                False, f"{vertex} has the score {own:g}, and its neighbour {level.nodes[higher]} {most:g}."
            )
        if vertex not in given and own == most:
            return Verdict(False, f"a vertex is missing: the score of {vertex}, {own:g}, equals the maximum.")
    return Verdict(
        True, f"{listed(_ordered(given, level.nodes))} equal the maximum, although they are adjacent."
    )


def _hubs(text: str) -> Verdict:
    level, asked = _karate(), ("0", "32", "33")
    given = read_vertices(text, level.nodes)
    if given - set(asked):
        raise InputError(f"choose among {listed(asked)}")
    kept = {vertex for vertex in asked if vertex in level.reduced_nodes}
    if given == kept:
        return Verdict(True, f"{listed(_ordered(kept, level.nodes))} have no neighbour of a higher degree.")
    wrong = _ordered(given ^ kept, level.nodes)[0]
    if wrong in kept:
        return Verdict(False, f"{wrong} survives as well: no neighbour of it has a higher degree.")
    found = meer.why(level.trace, level.adjacency, level.key, level.nodes.index(wrong), level.num_iterations)
    return Verdict(
        False, f"{wrong} is adjacent to {level.nodes[found.eliminated_by or 0]}, whose degree is higher."
    )


def _assigned(label: str, level: Callable[[], Level], vertex: str) -> Part:
    """To which survivor a vertex is assigned (Eq. 11)."""

    def check(text: str) -> Verdict:
        made = level()
        several, v = read_vertices(text, made.nodes), made.nodes.index(vertex)
        if len(several) != 1:
            raise InputError("write one vertex")
        (given,) = several
        near = [u for u in made.adjacency.col[made.adjacency.row == v].tolist() if made.trace.survivor[u]]
        names = [made.nodes[u] for u in near]
        if given not in names:
            return Verdict(False, f"the surviving neighbours of {vertex} are {listed(names)}.")
        scores = dict(zip(names, (float(made.score[u]) for u in near), strict=True))
        best = made.reduced_nodes[int(made.cluster[v])]
        if len(names) == 1:
            return Verdict(True, f"{best} is its only surviving neighbour.")
        others = " and ".join(f"{name} only {scores[name]:g}" for name in names if name != best)
        why = f"of its surviving neighbours, {best} has the highest score: {scores[best]:g}, {others}."
        return Verdict(given == best, why)

    return Part(label, check)


def _entry(first: str, second: str) -> int:
    """An entry of SᵀAS of the two cliques."""
    index, weight = _pooled("bridge").reduced.with_diagonal()
    names = _pooled("bridge").reduced_nodes
    at = (index[0] == names.index(first)) & (index[1] == names.index(second))
    return int(weight[at].sum())


def _cliques() -> tuple[str, str]:
    first, second = _pooled("bridge").reduced_nodes
    return first, second


def _total() -> int:
    return int(adjacency_of(PRESETS["bridge"].graph()).with_diagonal()[1].sum())


_SHAPES = {"D₁": ("n", "n"), "D₂": ("n′", "n′"), "S": ("n", "n′")}


def _product(*factors: str) -> tuple[str, bool, str]:
    """A product of the three matrices, whether it is defined, and why."""
    name = "".join(factors)
    for left, right in pairwise(factors):
        a, b = _SHAPES[left], _SHAPES[right]
        if a[1] != b[0]:
            why = f"{left} has {a[1]} columns and {right} has {b[0]} rows: {left}{right} is undefined unless n = n′."
            return name, False, why
    return (
        name,
        True,
        f"the shapes fit: the product is {_SHAPES[factors[0]][0]} × {_SHAPES[factors[-1]][1]}, as S is.",
    )


@cache
def _topk(name: str) -> tuple[frozenset[str], int]:
    """The vertices that a method keeps by the scores of *disconnect*, and the components of its reduced graph."""
    row = compare(PRESETS["disconnect"].graph(), [f"{name}:{GIVEN}"], renumberings=0)[0]
    assert row.measures is not None
    return frozenset(row.survivors), int(row.measures.after.components)


def _best_half(text: str) -> Verdict:
    graph = PRESETS["disconnect"].graph()
    given, kept = read_vertices(text, graph.nodes), _topk("gpool")[0]
    if given == kept:
        return Verdict(True, f"they have the {len(kept)} highest scores of {graph.num_nodes}.")
    if len(given) != len(kept):
        return Verdict(False, f"half of {count(graph.num_nodes, 'vertex')}, rounded up, is {len(kept)}.")
    score = dict(zip(graph.nodes, graph.node_attributes[SCORE_ATTRIBUTE], strict=True))
    wrong, missing = _ordered(set(given) - kept, graph.nodes)[0], _ordered(set(kept) - given, graph.nodes)[0]
    return Verdict(
        False, f"{missing} has a higher score than {wrong}: {score[missing]:g} instead of {score[wrong]:g}."
    )


# ---- the exercises ----------------------------------------------------------------------------------------------

_GREEDY = (0.2, 0.5, 0.4, 0.7, 0.6, 0.1)
_FIVE = (0.9, 0.2, 0.8, 0.3, 0.7)
_TWO = "each iteration decides two vertices, the survivor and the neighbour that it eliminates."

EXERCISES: tuple[Exercise, ...] = (
    Exercise(
        "pooling",
        "Grid",
        "How many survivors can a maximal independent set of the grid 12 × 12 have? Give an upper and a lower bound, "
        "then open preset *grid*.",
        "At most 72: pair each vertex with its right neighbour; at most one of each of the 72 pairs survives (a "
        "chessboard pattern attains this). At least 29: a survivor has at most four neighbours, so it accounts for at "
        "most five vertices, and 144 / 5 = 28.8. With uniform scores (seed 0) there are 60.",
        (
            number(
                "At most",
                lambda: _largest_independent("grid"),
                "the vertices of one colour of a chessboard are independent, and they are more.",
                "pair each vertex with its right neighbour: of each pair, one vertex at most survives.",
            ),
            number(
                "At least, if a survivor accounts for itself and its neighbours",
                lambda: _least_by_counting("grid"),
                "so few survivors and their neighbours, four at most, are not yet 144 vertices.",
                "fewer survivors with four neighbours each could already account for all 144 vertices.",
            ),
            number(
                "Survivors in the graph of this chapter",
                lambda: len(_pooled("grid").reduced_nodes),
                "step to the end and read the number of survivors.",
                "step to the end and read the number of survivors.",
            ),
        ),
    ),
    Exercise(
        "mivs",
        "Two sets",
        "In the star with eight leaves, give all maximal independent sets.",
        "Two: the centre alone, and all leaves together. Any set of some leaves is independent but not maximal.",
        (
            number(
                "How many there are",
                lambda: len(_maximal_sizes("star-leaf")),
                "there is one that contains the centre and one that does not.",
                "a set of some leaves is not maximal: another leaf could be added.",
            ),
            maximal_set("The one without the centre, vertex 0", lambda: PRESETS["star-leaf"].graph(), "0"),
        ),
    ),
    Exercise(
        "mivs",
        "The clique",
        "What does MIVSPool do to a clique of n, and what does the complement change?",
        "One survivor, ratio 1/n. With the complement ⌈n/2⌉ survive; survivors are then adjacent (Eq. 8 no longer "
        "holds), but Eq. 9 still holds.",
        (
            number(
                "Survivors of a clique of 8",
                lambda: len(_pooled("clique").reduced_nodes),
                "an empty set is not maximal.",
                "every two vertices are adjacent, so the first survivor eliminates all others.",
            ),
            number(
                "Survivors with the complement",
                lambda: len(_pooled("clique-complement").reduced_nodes),
                "eliminated vertices are added until half of the 8 vertices survive.",
                "eliminated vertices are added until half of the 8 vertices survive, and no further.",
            ),
        ),
    ),
    Exercise(
        "meer",
        "How many iterations?",
        "A path of n vertices has scores that rise from one end to the other. How many iterations does Meer's "
        "algorithm take?",
        "⌈n/2⌉: in each, only the candidate with the highest score has no better neighbour; it survives and eliminates "
        "one. Check: the preset rising-path has n = 12 and takes six.",
        (
            number("For n = 12", lambda: _pooled("rising-path").num_iterations, _TWO, _TWO),
            number(
                "For n = 101", lambda: _path(*np.linspace(0.1, 0.9, 101).tolist()).num_iterations, _TWO, _TWO
            ),
        ),
    ),
    Exercise(
        "meer",
        "Is “less than 5” a law?",
        "The paper reports fewer than 5 iterations on four data sets.",
        "No: the previous exercise is a counterexample. What matters is how far scores rise along a path. "
        f"{facts.ITERATIONS} So it holds for the means with random scores, but not for every graph or every score.",
        (
            choice(
                "What can be said of it?",
                (
                    "It holds for every graph",
                    False,
                    "a path of 12 vertices with rising scores takes six (the previous exercise).",
                ),
                ("It holds for the means with random scores, not for every graph", True, facts.ITERATIONS),
                ("It holds for the means whatever the scores", False, facts.ITERATIONS),
            ),
        ),
    ),
    Exercise(
        "meer",
        "Greedy",
        "Which vertices does a greedy algorithm keep that visits the vertices from the highest score to the lowest and "
        "keeps each that has no kept neighbour? Try it on the path 0–1–2–3–4–5 with scores "
        f"{', '.join(f'{s:g}' for s in _GREEDY)}, then show that the result always equals that of Meer's iterations.",
        "On the path 3, then 1, then 5. In general, by induction over the order: the vertex with the highest score "
        "survives in iteration 1 and is kept first. For any vertex v, both methods agree on all its higher-ranked "
        "neighbours. If one of them is kept, v is eliminated in both. If none is, all of them are eliminated after "
        "finitely many iterations; then v is a local maximum and survives.",
        (survivors("Kept vertices of the path", lambda: _path(*_GREEDY)),),
    ),
    Exercise(
        "meer",
        "A tie",
        "On the path 0–1–2–3 with scores 0.3, 0.8, 0.8, 0.4, apply Eq. 10 literally. Who survives, and who with “lower "
        "index first”?",
        "Both 1 and 2 equal the maximum of their candidate neighbourhood, so both survive, which violates Eq. 8. With "
        "“lower index first”, 1 and 3 survive.",
        (
            Part("Survivors of the first iteration by Eq. 10 taken literally", _literal),
            survivors("Survivors with “lower index first”", lambda: _pooled("tie")),
        ),
    ),
    Exercise(
        "meer",
        "Renumbering",
        "Take the hexagon with equal scores and renumber it. What may change, and what may not?",
        "Which vertices survive, and even how many: two or three (two opposite vertices form a maximal independent set "
        "of a hexagon too, but “lower index first” along the ring gives 0, 2, 4). The set stays independent and "
        "maximal. The class that a classifier predicts for such graphs can depend on the numbering: the model cards "
        "say how often.",
        (
            number(
                "Fewest survivors under any numbering",
                lambda: _maximal_sizes("equal-hexagon")[0],
                "one vertex has only two neighbours, and three vertices would be left.",
                "two opposite vertices have all others as neighbours.",
            ),
            number(
                "Most survivors",
                lambda: _maximal_sizes("equal-hexagon")[-1],
                "every second vertex of the ring can survive.",
                "of two neighbours one at most survives.",
            ),
        ),
    ),
    Exercise(
        "scores",
        "Hubs",
        "In the karate club with degrees as scores, which of the vertices 33 (degree 17), 0 (degree 16) and 32 "
        "(degree 12) survive, and why? Then take uniform scores and ten seeds: what changes?",
        "33 and 0 survive in iteration 1, and 32 is eliminated. 33 has the highest degree. 0 is not adjacent to 33, "
        "and no neighbour of 0 has a higher degree. 32 is adjacent to 33. "
        "Four vertices survive by degree, because the hubs eliminate almost all others; with uniform scores and seeds "
        "0 to 9, 15 to 20 survive, in 2 or 3 iterations. Both sets are independent and maximal.",
        (
            Part("Which of 0, 32 and 33 survive", _hubs),
            number(
                "How many vertices survive by degree",
                lambda: len(_karate().reduced_nodes),
                "step to the end and read the number of survivors.",
                "the hubs eliminate almost all others: step to the end and read the number of survivors.",
            ),
        ),
    ),
    Exercise(
        "assignment",
        "Assignment",
        f"On the path 0–1–2–3–4 with scores {', '.join(f'{s:g}' for s in _FIVE)}, who survives, and what is S? What "
        "are the sums of its rows and columns?",
        "0, 2 and 4 survive. 1 is assigned to 0 (0.9 > 0.8) and 3 to 2 (0.8 > 0.7), so the rows of S are 100, 100, "
        "010, 010, 001. Every row sums to 1 (no vertex is dropped, none is counted twice), the columns to 2, 2 and 1, "
        "the sizes of the clusters.",
        (
            survivors("Survivors", lambda: _path(*_FIVE)),
            _assigned("1 is assigned to", lambda: _path(*_FIVE), "1"),
            _assigned("3 is assigned to", lambda: _path(*_FIVE), "3"),
            number(
                "The sum of all entries of S",
                lambda: len(_path(*_FIVE).nodes),
                "each of the five rows has exactly one 1.",
                "each of the five rows has exactly one 1.",
            ),
        ),
    ),
    Exercise(
        "reduce",
        "What is in SᵀAS?",
        "Compute it for two cliques of five vertices joined by one edge, with one survivor each.",
        "20 on the diagonal (ten edges inside, counted from both ends), 1 off the diagonal. The sum of all entries, "
        "42, is that of A: nothing is lost.",
        (
            number(
                "An entry on the diagonal",
                lambda: _entry(_cliques()[0], _cliques()[0]),
                "a clique of five has ten edges, and each is counted from both ends.",
                "a clique of five has ten edges, each is counted from both ends, and no edge from elsewhere.",
            ),
            number(
                "The entry off the diagonal",
                lambda: _entry(*_cliques()),
                "one edge joins the two cliques.",
                "a single edge joins the two cliques, and each of the two entries counts it once.",
            ),
            number(
                "The sum of all entries",
                _total,
                "it is the sum of all entries of A: each of the 21 edges counts twice.",
                "it is the sum of all entries of A: each of the 21 edges counts twice, and no more.",
            ),
        ),
    ),
    Exercise(
        "reduce",
        "Shapes",
        "The paper writes S′ = D₂D₁S with D₁ = diag(s) and D₂ = diag(1/(1ᵀD₁S)). Why is this impossible, and what is "
        "meant?",
        "D₁ is n × n, S is n × n′, D₂ is n′ × n′. D₂D₁ is undefined unless n = n′; S′ = D₁SD₂ is defined and gives "
        "Eq. 12.",
        (
            choice(
                "Which product is defined?",
                _product("D₂", "D₁", "S"),
                _product("D₁", "S", "D₂"),
                _product("S", "D₁", "D₂"),
            ),
        ),
    ),
    Exercise(
        "network",
        "Top-k against MIVSPool",
        "On preset *disconnect*, which vertices does Top-k with ratio ½ keep? How many components does its reduced "
        "graph have, and why does MIVSPool keep one? What does Compare show, and why?",
        f"{plain(facts.TOPK_HERE)} {facts.TOPK_COMPARED} With a maximal set, every non-survivor has a surviving "
        "neighbour and passes its edges on to it; an edge between two vertices becomes an edge between their clusters "
        "or inside one, so a path stays a path.",
        (
            Part("Vertices that Top-k keeps", _best_half),
            number(
                "Components after Top-k",
                lambda: _topk("gpool")[1],
                "look for an edge between the vertices that are kept at the two ends: there is none.",
                "the vertices that are kept at one end are adjacent to each other.",
            ),
            number(
                "Components after MIVSPool",
                lambda: _topk("mivspool")[1],
                "a graph with vertices has a component.",
                "an edge between two vertices becomes an edge between their clusters or inside one.",
            ),
        ),
    ),
)


def of(chapter: str) -> list[tuple[int, Exercise]]:
    """The exercises of a chapter, each with its number among all, from 1."""
    return [(k, one) for k, one in enumerate(EXERCISES, start=1) if one.chapter == chapter]
