"""What the lecture states as measured, for Learn and the handout; tests/lecture/test_facts.py computes each of it."""

from __future__ import annotations

ITERATIONS = (
    "On the paper's four data sets, the first pooling takes 2 to 3 iterations on average with random scores and 2.5 to "
    "5.3 with learned ones, most on D&D (Table 3 counts one more: T + 1)."
)
TOPK_HERE = (
    "By the scores of this graph, the five best vertices are at [the two ends](light:vertex:0): Top-k with "
    "ratio ½ keeps these and cuts the path between them, which gives two components."
)
TOPK_COMPARED = (
    "Compare shows both by the scores of this graph: gPool, a Top-k method, leaves two components, "
    "MIVSPool one."
)
DIFFPOOL = (
    "**DiffPool** spreads every vertex over all clusters: every two reduced vertices are adjacent, although after "
    "training about half of the edges have little weight."
)
KRON = (
    "**Kron reduction** joins all survivors that shared a removed neighbour: the mean degree rises, and the published "
    "method then removes light edges."
)
PAPER_ON_SCORES = (
    "The paper finds that the choice of the score has a minor influence; *Results* compares that with the runs made "
    "here."
)
