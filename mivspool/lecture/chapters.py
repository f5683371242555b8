"""Seven short chapters, each about one small live graph: what the app's Learn and the static site tell.

``[words](light:WHAT)`` lights vertices of the graph when it is pointed at, and is lit when one of them is: WHAT is
``candidates``, ``survivors``, ``non-survivors``, ``selected``, ``neighbours`` (of the selected vertex), ``rival`` (its
best candidate neighbour), ``cluster`` (the selected vertex's) or ``vertex:ID``. Formulas are LaTeX between ``$$``;
``\\light{WHAT}{symbol}`` in one does the same, WHAT also being a name of ``SYMBOLS`` in ``canvas/js/formula.js``, and
``own:NAME`` below it says it with the numbers of the selected vertex (``canvas/js/formula.js``).
"""

from __future__ import annotations

from dataclasses import dataclass

from mivspool.lecture import facts


@dataclass(frozen=True)
class Chapter:
    """One chapter: what is read before the graph is touched, what to try, and what to keep.

    ``preset`` names a teaching example (``mivspool.graphs.collections.teaching``), or ``source`` a SOURCE with
    ``score``; ``step`` is where the graph stands when the chapter opens (−1: the last step). ``mends``: a slip of
    the paper that would stop a reader here.
    """

    name: str
    title: str
    text: tuple[str, ...]
    attempt: str
    keep: str
    preset: str = ""
    source: str = ""
    score: str = "uniform"
    seed: int = 0
    step: int = 0
    shows: tuple[str, ...] = ()  # what stands below the graph: S, cluster, network, compare
    mends: str = ""

    @property
    def asides(self) -> tuple[tuple[str, str, str], ...]:
        """What stands apart from the text: (title, text, kind) of what is to be tried, kept and mended."""
        all_of_them = ((TRY, self.attempt, "try"), (KEEP, self.keep, "keep"), (MENDS, self.mends, "mends"))
        return tuple(aside for aside in all_of_them if aside[1])


CHAPTERS: tuple[Chapter, ...] = (
    Chapter(
        "pooling",
        "What pooling is, and why graphs are hard",
        (
            "A network that classifies images looks at them at several scales: it keeps every second pixel, lets each "
            "stand for its neighbourhood, and looks again. Pixels lie on a grid, so *every second one* is clear.",
            "A graph has no rows and columns. A molecule, a protein, a circle of friends: which vertices may stand "
            "for the others? A good answer keeps [those that stand for the rest](light:survivors) spread evenly, "
            "loses the features of [nobody](light:non-survivors), and does not join what was apart.",
            "Here is the grid once more, pooled as a graph: nobody told the method that there are rows. Step through "
            "it.",
        ),
        "Press → until the end. Look for two survivors side by side, and for a hole without any.",
        "Pooling makes a graph smaller. The question is who survives, and what becomes of the others.",
        preset="grid",
    ),
    Chapter(
        "mivs",
        "Independent and maximal",
        (
            "Two rules say what a good set of [survivors](light:survivors) is. It is **independent**: no two survivors "
            "are neighbours (Eq. 8).",
            "In letters: *V* are the vertices of level *l*, *E* its edges; those of level *l* + 1 are the survivors. "
            "For all (∀) *v* and *v′* in (∈) the survivors, the pair (*v*, *v′*) is not (∉) one of the edges:",
            r"$$\forall \light{head}{v}, \light{other-survivors}{v'} \in \light{kept}{\mathcal{V}^{(l+1)}}: "
            r"(\light{head}{v}, \light{other-survivors}{v'}) \notin \light{head-neighbours}{\mathcal{E}^{(l)}}$$",
            "own:eq8",
            "And it is **maximal**: every [non-survivor](light:non-survivors) has a survivor beside it (Eq. 9), so "
            "nobody could be added.",
            "In the same letters: for each *v* of level *l* that is not (∖) of level *l* + 1, there is (∃) a survivor "
            "*v′* such that the two are joined by an edge:",
            r"$$\forall \light{left}{v} \in \light{gone}{\mathcal{V}^{(l)} \setminus \mathcal{V}^{(l+1)}}\ "
            r"\exists \light{left-survivors}{v'} \in \light{kept}{\mathcal{V}^{(l+1)}}: "
            r"(\light{left}{v}, \light{left-survivors}{v'}) \in \light{left-neighbours}{\mathcal{E}^{(l)}}$$",
            "own:eq9",
            "Maximal is not maximum. In this star the best leaf strikes out the centre, and all eight leaves survive; "
            "had the centre been best, it alone would. Both sets obey both rules.",
        ),
        "Step to the end, then select [the centre](light:vertex:0) and read why it was struck out.",
        "Eq. 8 forbids crowding, Eq. 9 forbids holes. Together they spread the survivors over the graph.",
        preset="star-leaf",
        mends="The paper says that a neighbourhood includes the vertex itself. In Eq. 8 it must not: then no vertex "
        "could survive. It is needed in one place only, the second line of Eq. 10.",
    ),
    Chapter(
        "meer",
        "Meer's iterations",
        (
            "Give every vertex a number, its score. Every vertex starts as a [candidate](light:candidates). In each "
            "iteration, a candidate that scores higher than every candidate beside it becomes a "
            "[survivor](light:survivors), and its neighbours are [struck out](light:non-survivors). When no candidate "
            "is left, the survivors are a maximal independent vertex set.",
            "Two letters keep count, for each vertex *v* with its number *i* and score *x*: *p* says whether it is a "
            "survivor and *q* whether it is a candidate, in iteration *k*. The first line: *i* is a survivor if it "
            "was one before or (∨) if it is a candidate and (∧) its score is the maximum (max) of its own and those "
            "of the candidates *j* that an edge in (∈) *E* joins with it. The second: it stays a candidate if all (⋀) "
            "of its neighbours *j*, and itself, are no survivors (the bar over *p* means *not*):",
            r"$$\light{selected}{p_i^{(k+1)}} = \light{selected}{p_i^{(k)}} \lor \big(\light{selected}{q_i^{(k)}} "
            r"\land \light{selected}{x_i} = \light{best}{\max}\{\light{open}{x_j} \mid (\light{selected}{v_i}, "
            r"\light{neighbours}{v_j}) \in \mathcal{E}, \light{open}{q_j^{(k)}}\}\big) \qquad "
            r"\light{selected}{q_i^{(k+1)}} = \bigwedge_j \light{neighbours}{\overline{p}_j^{(k+1)}}$$",
            "own:eq10",
            "Select a vertex: the panel puts its own numbers into the formula, and [its strongest rival](light:rival) "
            "lights up.",
        ),
        "Before each step, choose a candidate and say whether it will survive. Then press →.",
        "Each iteration settles the local winners and their neighbours. Something is settled each time, so it ends. "
        f"{facts.ITERATIONS}",
        source="MAO:3",
        mends="Two neighbours may have equal scores. Read word by word, Eq. 10 then lets both survive, which breaks "
        "Eq. 8. Here the order is strict: higher score first, then lower index, and the app counts the ties.",
    ),
    Chapter(
        "scores",
        "Where the scores come from",
        (
            "Meer drew the scores at random. In a network they can be **learned**: a vertex that matters for the task "
            "should score high, survive, and weigh more in its cluster.",
            "The paper tries four. *Uniform* random numbers. A *projection* of the features on a learned direction "
            "(as Top-k pooling). An *attention*, a small graph convolution (as SagPool). And *multiview*, which weighs "
            "three views of a vertex against each other: its degree, its features, and its PageRank (as MVPool). "
            "It finds that the choice matters little, because Meer's iterations spread the survivors anyway.",
            "On this graph the scores are degrees: [the hubs](light:survivors) go first.",
        ),
        "Open this graph in Step and change the score: the survivors move, the rules hold.",
        "The score decides who survives; the set is independent and maximal whatever the score.",
        source="karate",
        score="degree",
        step=1,
    ),
    Chapter(
        "assignment",
        "Nobody is dropped: the assignment",
        (
            "Every [non-survivor](light:non-survivors) has at least one survivor beside it (Eq. 9), so it can join "
            "one: the best, by the same scores (Eq. 11). Each survivor gathers [a cluster](light:cluster).",
            "All of this is written into a table *S*, with a row for each vertex *j* and a column for each survivor "
            "*i*. The entry is 1 exactly if (⟺) *i* has the highest score *s* (argmax) of the vertices *k* that an "
            "edge in (∈) *E* joins with *j* (each *v* is a vertex) and that are survivors, *p*, after the last "
            "iteration *N*:",
            r"$$\light{row}{S_{ji}} = 1 \iff \light{head}{i} = \operatorname{argmax}\{\light{near-survivors}{s_k} \mid "
            r"(\light{neighbours}{v_k}, \light{selected}{v_j}) \in \mathcal{E}, "
            r"\light{near-survivors}{p_k^{N}}\}$$",
            "own:eq11",
            "Every row has exactly one 1: vertex *j* goes to survivor *i*. That is what the paper means by keeping all "
            "information: Top-k methods have rows of zeros.",
        ),
        "Select different vertices and watch their row of S.",
        "One row a vertex, one column a survivor, one 1 in each row.",
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
            "In letters: *X* are the features. Those of cluster *i*, a vertex of level *l* + 1, are the sum (∑) over "
            "its members *j* of score *s* times features, divided by the sum of these scores. *S* is 1 for members "
            "and 0 for all others, so that only members count:",
            r"$$\light{head}{X_i^{(l+1)}} = \frac{1}{\sum_j \light{cluster}{S_{ji} s_j}} "
            r"\sum_j \light{cluster}{S_{ji}\, s_j X_j^{(l)}}$$",
            "own:eq12",
            "Its edges come from one product (Eq. 3): two clusters are joined by as many edges as run between their "
            "members; the diagonal counts those inside, twice.",
            "In letters: *A* is the table of edges of level *l*, with a 1 where two vertices are joined. To add up "
            "what lies between clusters, multiply it by *S* from the right, and from the left by *S* on its side (⊤):",
            r"$$\light{kept}{A^{(l+1)}} = \light{cluster}{S^{(l)\top}} \light{all}{A^{(l)}} "
            r"\light{cluster}{S^{(l)}}$$",
            "own:eq3",
        ),
        "Select a vertex: below stand its cluster's numbers in both formulas. Then step on to the reduced graph.",
        "No edge and no feature is lost: the sum of all entries of A never changes.",
        preset="bridge",
        step=-2,
        shows=("cluster",),
        mends="The paper writes S′ = D₂D₁S, whose shapes do not fit (D₂ has one row a cluster). It is S′ = D₁SD₂. "
        "And its Eq. 4 uses *l* both for the level and for a vertex.",
    ),
    Chapter(
        "network",
        "The whole network, and what other methods lose",
        (
            "A classifier is K blocks of a graph convolution and a pooling. After each block the graph is read out: "
            "the mean and the maximum of its vertices' features. The readouts are added up, and three dense layers "
            "give the class (Figure 1 of the paper; *Classify* draws it for your graph).",
            "Other poolings put something else into the same place. **Top-k** methods (gPool, SagPool) keep the "
            f"vertices with the highest scores and drop the rest. {facts.TOPK_HERE} **DiffPool** spreads every vertex "
            "over all clusters: every two reduced vertices are joined, though after training many edges weigh little. "
            "**Kron reduction** joins all survivors that shared a removed neighbour: the graph fills up and must be "
            "thinned out again.",
        ),
        f"Step to the end: one component before, one after. {facts.TOPK_COMPARED}",
        "MIVSPool keeps every vertex's features, and the reduced graph has as many components as the graph.",
        preset="disconnect",
        shows=("network", "compare"),
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
TRY = "Try"
KEEP = "Keep"
MENDS = "For readers of the paper: a slip"
