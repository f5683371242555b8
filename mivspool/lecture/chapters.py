"""Seven short chapters, each about one small live graph: the text of the app's Learn page and of the static site.

``[words](light:WHAT)`` highlights vertices of the graph when it is pointed at, and the other way round: WHAT is
``candidates``, ``survivors``, ``non-survivors``, ``selected``, ``neighbours`` (of the selected vertex), ``rival`` (its
best candidate neighbour), ``cluster`` (the selected vertex's) or ``vertex:ID``. Formulas are LaTeX between ``$$``;
``\\light{WHAT}{symbol}`` in one does the same, WHAT also being a name of ``SYMBOLS`` in ``canvas/js/model/symbols.js``,
and ``own:NAME`` below it says it with the numbers of the selected vertex (``canvas/js/model/own.js``).
"""

from __future__ import annotations

from dataclasses import dataclass

from mivspool.lecture import facts


@dataclass(frozen=True)
class Onward:
    """Where a chapter leads on to: a page of the app, and what its link names there."""

    title: str
    about: str
    page: str
    link: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Chapter:
    """One chapter: what to read first, what to try, and the key point.

    ``preset`` names a teaching example (``mivspool.graphs.collections.teaching``), or ``source`` a SOURCE with
    ``score``; ``step`` is where the graph stands when the chapter opens (−1: the last step). ``mends``: an error
    in the paper that would confuse a reader here.
    """

    name: str
    title: str
    text: tuple[str, ...]
    attempt: str
    key_point: str
    preset: str = ""
    source: str = ""
    score: str = "uniform"
    seed: int = 0
    step: int = 0
    shows: tuple[str, ...] = ()  # what stands below the graph: S, cluster, network, compare
    mends: str = ""
    onward: tuple[Onward, ...] = ()

    @property
    def asides(self) -> tuple[tuple[str, str, str], ...]:
        """What stands apart from the text: (title, text, kind) of what to try, the key point, and the error."""
        all_of_them = (
            (TRY, self.attempt, "try"),
            (KEY_POINT, self.key_point, "keep"),
            (MENDS, self.mends, "mends"),
        )
        return tuple(aside for aside in all_of_them if aside[1])


CHAPTERS: tuple[Chapter, ...] = (
    Chapter(
        "pooling",
        "What pooling is, and why graphs are hard",
        (
            "A network that classifies images processes them at several scales: it keeps every second pixel, lets each "
            "represent its neighbourhood, and repeats. Pixels form a grid, so *every second one* is well defined.",
            "A graph has no rows and columns. In a molecule, a protein or a social network, which vertices should "
            "represent the others? A good method spreads [the representatives](light:survivors) evenly, "
            "loses [no vertex's](light:non-survivors) features, and keeps separate components separate.",
            "Here is a grid again, pooled as a graph: the method does not know about rows and columns. Step through "
            "it.",
        ),
        "Step to the end. Can you find two adjacent survivors, or a region without any?",
        "Pooling makes a graph smaller. The question is which vertices survive, and what happens to the others.",
        preset="grid",
    ),
    Chapter(
        "mivs",
        "Independent and maximal",
        (
            "Two rules define a good set of [survivors](light:survivors). It is **independent**: no two survivors "
            "are adjacent (Eq. 8).",
            "In symbols: *V* is the set of vertices of level *l*, *E* its edges; those of level *l* + 1 are "
            "the survivors. For all (∀) *v* and *v′* in (∈) the survivors, the pair (*v*, *v′*) is not (∉) "
            "one of the edges:",
            r"$$\forall \light{head}{v}, \light{other-survivors}{v'} \in \light{kept}{\mathcal{V}^{(l+1)}}: "
            r"(\light{head}{v}, \light{other-survivors}{v'}) \notin \light{head-neighbours}{\mathcal{E}^{(l)}}$$",
            "own:eq8",
            "And it is **maximal**: every [non-survivor](light:non-survivors) has a surviving neighbour (Eq. 9), so "
            "no vertex could be added.",
            "In the same symbols: for each *v* of level *l* that is not (∖) in level *l* + 1, there is (∃) a survivor "
            "*v′* such that the two are joined by an edge:",
            r"$$\forall \light{left}{v} \in \light{gone}{\mathcal{V}^{(l)} \setminus \mathcal{V}^{(l+1)}}\ "
            r"\exists \light{left-survivors}{v'} \in \light{kept}{\mathcal{V}^{(l+1)}}: "
            r"(\light{left}{v}, \light{left-survivors}{v'}) \in \light{left-neighbours}{\mathcal{E}^{(l)}}$$",
            "own:eq9",
            "Maximal is not maximum. In this star, the leaf with the highest score eliminates the centre, and "
            "all eight leaves survive; if the centre had the highest score, it alone would survive. Both sets "
            "satisfy both rules.",
        ),
        "Step to the end, then select [the centre](light:vertex:0) and read why it was eliminated.",
        "Eq. 8 rules out crowding, Eq. 9 rules out gaps. Together they spread the survivors over the graph.",
        preset="star-leaf",
        mends="The paper says that a neighbourhood includes the vertex itself. In Eq. 8 it must not, or no vertex "
        "could survive. It is needed only in the second line of Eq. 10.",
    ),
    Chapter(
        "meer",
        "Meer's iterations",
        (
            "Give every vertex a number, its score. Every vertex starts as a [candidate](light:candidates). In each "
            "iteration, a candidate with a higher score than every neighbouring candidate becomes a "
            "[survivor](light:survivors) and [eliminates](light:non-survivors) its neighbours. When no candidates "
            "remain, the survivors form a maximal independent vertex set.",
            "Two variables describe each vertex *v* with index *i* and score *s* (*x* in the paper's Eq. 10) in "
            "iteration *k*: *p* says "
            "whether it is a survivor, and *q* whether it is a candidate. The first line: *i* is a survivor if it "
            "was one before or (∨) if it is a candidate and (∧) its score is the maximum (max) of its own and those "
            "of the candidates *j* that an edge in (∈) *E* joins to it. The second: it stays a candidate if none (⋀) "
            "of its neighbours *j* is a survivor, nor is *i* itself (the bar over *p* means *not*):",
            r"$$\light{selected}{p_i^{(k+1)}} = \light{selected}{p_i^{(k)}} \lor \big(\light{selected}{q_i^{(k)}} "
            r"\land \light{selected}{s_i} = \light{best}{\max}\{\light{open}{s_j} \mid (\light{selected}{v_i}, "
            r"\light{neighbours}{v_j}) \in \mathcal{E}, \light{open}{q_j^{(k)}}\}\big) \qquad "
            r"\light{selected}{q_i^{(k+1)}} = \bigwedge_j \light{neighbours}{\overline{p}_j^{(k+1)}}$$",
            "own:eq10",
            "Select a vertex: the panel puts its own numbers into the formula, and highlights "
            "[its strongest rival](light:rival).",
        ),
        "Before each step, choose a candidate and predict whether it will survive. Then take the step.",
        "Each iteration decides the local maxima and their neighbours. At least one vertex is decided each "
        f"time, so it ends. {facts.ITERATIONS}",
        source="MAO:3",
        mends="Two neighbours may have equal scores. Taken literally, Eq. 10 then lets both survive, which violates "
        "Eq. 8. Here the order is strict: higher score first, then lower index, and the app counts the ties.",
    ),
    Chapter(
        "scores",
        "Where the scores come from",
        (
            "Meer drew the scores at random. In a network they can be **learned**: a vertex that matters for the task "
            "should get a high score, survive, and have more weight in its cluster.",
            "The paper tries four. *Uniform* random numbers. A *projection* of the features onto a learned direction "
            "(as in Top-k pooling). An *attention*, a small graph convolution (as in SagPool). And "
            "*multiview*, which weighs three views of a vertex against each other: its degree, its features, "
            "and its PageRank (as in MVPool). Meer's iterations spread the survivors whatever the score. "
            f"{facts.PAPER_ON_SCORES}",
            "On this graph the scores are degrees: [the hubs](light:survivors) survive first.",
        ),
        "Open this graph in Step and change the score: the survivors change, but both rules still hold.",
        "The score decides who survives; the set is independent and maximal whatever the score.",
        source="karate",
        score="degree",
        step=1,
    ),
    Chapter(
        "assignment",
        "The assignment: no vertex is dropped",
        (
            "Every [non-survivor](light:non-survivors) has at least one surviving neighbour (Eq. 9), so it "
            "can be assigned to one: the one with the highest score (Eq. 11). Each survivor thus forms [a "
            "cluster](light:cluster).",
            "The matrix *S* records the assignment, with a row for each vertex *j* and a column for each survivor "
            "*i*. The entry is 1 exactly if (⟺) *i* has the highest score *s* (argmax) of the vertices *k* that an "
            "edge in (∈) *E* joins to *j* (each *v* is a vertex) and that are survivors, *p*, after the last "
            "iteration *N*:",
            r"$$\light{row}{S_{ji}} = 1 \iff \light{head}{i} = \operatorname{argmax}\{\light{near-survivors}{s_k} \mid "
            r"(\light{neighbours}{v_k}, \light{selected}{v_j}) \in \mathcal{E}, "
            r"\light{near-survivors}{p_k^{N}}\}$$",
            "own:eq11",
            "Every row has exactly one 1: vertex *j* is assigned to survivor *i*. This is what the paper "
            "means by keeping all information: in Top-k methods, some rows are zero.",
        ),
        "Select different vertices and watch their row of S.",
        "One row per vertex, one column per survivor, exactly one 1 in each row.",
        source="MAO:3",
        step=-2,
        shows=("S",),
    ),
    Chapter(
        "reduce",
        "The reduced graph: features and SᵀAS",
        (
            "The features of [a cluster](light:cluster) are the mean of its members' features, weighted by their "
            "scores (Eq. 12). A gradient reaches the scores through these weights, and that is how they are learned.",
            "In symbols: *X* are the features. Those of cluster *i*, a vertex of level *l* + 1, are the sum (∑) over "
            "its members *j* of score *s* times features, divided by the sum of these scores. *S* is 1 for members "
            "and 0 for all others, so that only members count:",
            r"$$\light{head}{X_i^{(l+1)}} = \frac{1}{\sum_j \light{cluster}{S_{ji} s_j}} "
            r"\sum_j \light{cluster}{S_{ji}\, s_j X_j^{(l)}}$$",
            "own:eq12",
            "Its edges come from one product (Eq. 3): the weight between two clusters is the number of edges "
            "between their members; the diagonal counts the edges inside each cluster, twice.",
            "In symbols: *A* is the adjacency matrix of level *l*, with a 1 where two vertices are adjacent. To add up "
            "the edges between clusters, multiply it by *S* from the right and by the transpose of *S* (⊤) "
            "from the left:",
            r"$$\light{kept}{A^{(l+1)}} = \light{cluster}{S^{(l)\top}} \light{all}{A^{(l)}} "
            r"\light{cluster}{S^{(l)}}$$",
            "own:eq3",
        ),
        "Select a vertex: its cluster's numbers appear below, in both formulas. Then step on to the reduced graph.",
        "No edge and no feature is lost: the sum of all entries of A never changes.",
        preset="bridge",
        step=-2,
        shows=("cluster",),
        mends="The paper writes S′ = D₂D₁S, whose shapes do not fit (D₂ has one row per cluster). It is S′ = D₁SD₂. "
        "And its Eq. 4 uses *l* both for the level and for a vertex.",
    ),
    Chapter(
        "network",
        "The whole network, and what other methods lose",
        (
            "A classifier consists of K blocks, each a graph convolution and a pooling. After each block, a readout "
            "summarises the graph: the mean and the maximum of its vertices' features. The readouts are summed, and "
            "three dense layers predict the class (Figure 1 of the paper; *Classify* draws it for your graph).",
            "Other pooling methods can take its place. **Top-k** methods (gPool, SagPool) keep the "
            f"vertices with the highest scores and drop the rest. {facts.TOPK_HERE} {facts.DIFFPOOL} {facts.KRON}",
        ),
        f"Step to the end: one component before, one after. {facts.TOPK_COMPARED}",
        "MIVSPool keeps every vertex's features, and the reduced graph has as many components as the original.",
        preset="disconnect",
        shows=("network", "compare"),
        onward=(
            Onward(
                "Compare four methods on this graph",
                "Top-k, Kron reduction, DiffPool and MIVSPool side by side, with what each keeps and drops.",
                "compare",
                (("graph", "preset:disconnect"), ("methods", "mivspool:given,gpool:given,ndp,diffpool")),
            ),
            Onward(
                "Predict the survivors of a molecule",
                "The molecule of chapters 3 and 5 with other scores: say before each iteration who will survive.",
                "step",
                (("graph", "MAO:3"), ("score", "uniform"), ("mode", "predict")),
            ),
            Onward(
                "Classify the molecule",
                "A trained network, block by block, and what each cluster contributes to its answer.",
                "classify",
                (("graph", "MAO:3"),),
            ),
            Onward(
                "Train a network",
                "Watch how scores and survivors change epoch by epoch, on the 68 molecules of MAO.",
                "train",
                (("dataset", "MAO"),),
            ),
        ),
    ),
)

# chapters in the row of all
SHORT = {
    "pooling": "Why pool",
    "mivs": "Two rules",
    "meer": "Iterations",
    "scores": "Scores",
    "assignment": "Assignment",
    "reduce": "Reduced graph",
    "network": "The network",
}

CHAPTERS_LABEL = "Chapters"
PREVIOUS_CHAPTER = "Back"
NEXT_CHAPTER = "Next: {title}"
ONWARD = "Where to go from here"
EXERCISES = "Exercises"
CHECK = "Check"
CORRECT = "Correct: {why}"
WRONG = "Not yet: {why}"
ANSWER = "Answer"
TRY = "Try it"
KEY_POINT = "Key point"
MENDS = "Note: an error in the paper"
