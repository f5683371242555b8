"""The words of the Compare page."""

from __future__ import annotations

COMPARE_VIEWS = {"graph": "One graph", "dataset": "A data set", "pyramid": "Pyramid"}
METHODS_LABEL = "Methods (two or more)"
ALL_METHODS = "All methods"
ALL_METHODS_HELP = "Compare all {n} methods on this graph: it takes a while, and they are drawn small."
METHODS_FEW = "Choose at least two methods to compare."
METHOD_LABEL = "Method"
WEIGHTS_LABEL = "Weights"
BY_GIVEN = "{method}, the graph's scores"
TRAINED = "Trained weights"
TRAINED_NONE = "none (random weights drawn from the seed)"
TRAINED_HELP = (
    "Use a model's trained weights for the method that it pools with; the other methods keep random weights."
)
WITH_TRAINED = "{names} with the trained weights of {model}"
WITH_SEED = "learned methods use random weights (seed {seed})"
POOLING_BY = "Pooling with {method} (once, then cached)…"
LEVEL_LABEL = "Level"
LEVEL_NAME = "level {n}"
TOO_LARGE = "A graph of {n} vertices is pooled and measured, but is too large to draw here."
PANELS = {
    "soft": "{v} is split among {list}",
    "dropped": "{v} is dropped; its features are lost",
    "gathers": "{v} survives and represents {n} {n?vertex|vertices}",
    "alone": "{v} survives and represents only itself",
    "goes": "{v} is assigned to {to}, whose cluster has {n} {n?vertex|vertices}",
    "left_out": "{shown} {n?weaker edge is|weaker edges are} not drawn",
}
NOTE_SIZE = "{vertices} {kept?vertex|vertices}, {links} {edges?edge|edges}"
NOTE_KEEPS = "keeps every vertex's features"
NOTE_DROPS = "drops the features of {share:.0f} % of the vertices"
NOTE_COMPONENTS = "{before} → {after} {after?component|components}"
NOTE_COMPLETE = "complete graph"
NOTE_DENSE = "almost complete (density {density:.2f})"
NOTE_LARGEST = "too large to multiply: each vertex follows its largest share from level to level"
NOTE_APART = "overlapping clusters are spread out"
NOTE_NOT_MAXIMAL = "not maximal: some vertex has no surviving neighbour"
NOTE_ENDED = "nothing more to pool after level {n}"
ABSENT_NONE = "there was nothing to pool"
LEGEND = {
    "survivor": "survives",
    "merged": "merged into another vertex",
    "dropped": "dropped, with its features",
    "soft": "cluster that is no vertex of the graph",
    "goes": "assigned to",
    "edge": "edge of the reduced graph, wider for a larger weight",
}
EQUAL = "Equal for all of these methods"
MEASURES_TITLE = "What each method did"
WHAT_THEY_DO = "What each method does"
MEASURES_NOTE = "✓ marks the best value; times were measured on this machine."
BEST_MARK = " ✓"
MEASURE = "Measure"
BEFORE = "before"
YES = "yes"
NO = "no"
HOW_MANY = "How many graphs"
ALL_GRAPHS = "all {n:,}"
MEASURE_ABOUT = (
    "Each method pools each graph twice, with random weights drawn from the seed; "
    "this takes a while if the graphs are large."
)
MEASURE_START = "Measure {n:,} {n?graph|graphs}"
MEASURE_PROGRESS = "{done:,} of {total:,} {total?graph|graphs}, about {left} left"
MEASURE_NONE = "This measure is not defined for the chosen methods."
DATASET_LOADING = "Loading the data set (the first time, it may have to be downloaded)…"
ENDED_ALL = "{method} had nothing more to pool in any graph."
REFUSED_SOME = "{method} could not pool {n:,} of the graphs."
MEDIANS = "Median {measure} over {graphs:,} {graphs?graph|graphs}: {list}"
PYRAMID_TITLE = "{method}: {sizes} {last?vertex|vertices}"
PYRAMID_ALT = "The graph and its reduced graphs as stacked planes, joined by the assignment"
PYRAMID_ABOUT = (
    "The graph is the lowest plane; each level adds a plane above it. A line joins each vertex to the one "
    "that represents it at the next level. Drag to rotate; levels that are switched off above fade."
)
PYRAMID_UNDRAWN = "{n} {n?edge is|edges are} not drawn: the limit is {most} per plane."
PLANES = "Visible levels"
PLANE = "level {level} ({n})"
PLANE_LEVEL = "level"
PLANE_VERTEX = "vertex"
PLANE_GOES = "assigned to"
PLANE_DROPPED = "dropped"
