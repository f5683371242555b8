"""The words of the Compare page."""

from __future__ import annotations

COMPARE_VIEWS = {"graph": "One graph", "dataset": "A data set", "pyramid": "Pyramid"}
METHODS_LABEL = "Methods, two to six"
METHODS_FEW = "Choose at least two methods to compare."
METHOD_LABEL = "Method"
WEIGHTS_LABEL = "Weights"
OWN_SCORES_UNUSED = "the graph's own scores are not used: each method has its own"
TRAINED = "Trained weights"
TRAINED_NONE = "none: random weights of the seed"
TRAINED_HELP = "A model's own weights for the method that it pools by; the other methods keep random weights."
WITH_TRAINED = "{names} with the trained weights of {model}"
WITH_SEED = "random weights of seed {seed} where a method learns"
POOLING_BY = "Pooling by {method} (once, then kept)…"
LEVEL_LABEL = "Pooled how often"
LEVEL_TIMES = ("pooled once", "pooled twice", "pooled {n} times")
TOO_LARGE = "A graph of {n} vertices is pooled and measured, but too large to draw here."
PANELS = {
    "soft": "{v} is shared out: {list}",
    "dropped": "{v} is dropped: nothing of it goes on",
    "gathers": "{v} survives and stands for {n} vertices",
    "alone": "{v} survives and stands for itself alone",
    "goes": "{v} goes to {to}, with {n} vertices in its cluster",
    "left_out": "{n} weaker edges are not drawn",
}
NOTE_SIZE = "{vertices} {kept?vertex|vertices}, {links} {edges?edge|edges}"
NOTE_KEEPS = "keeps every vertex's features"
NOTE_DROPS = "drops the features of {share:.0f} % of the vertices"
NOTE_COMPONENTS = "{before} → {after} {after?component|components}"
NOTE_COMPLETE = "complete: every two of its vertices are neighbours"
NOTE_DENSE = "almost complete (density {density:.2f})"
NOTE_LARGEST = "too large to multiply: each vertex follows its largest share from level to level"
NOTE_APART = "its clusters, which lie on each other, are drawn apart"
NOTE_NOT_MAXIMAL = "not maximal: some vertex has no survivor beside it"
NOTE_ENDED = "nothing was left to pool after {n}"
ABSENT_NONE = "there was nothing to pool"
MEASURES_TITLE = "What each method did"
MEASURES_NOTE = "✓ marks the best where there is a better and a worse; times are those of this machine."
BEST_MARK = " ✓"
MEASURE = "Measure"
BEFORE = "before"
YES = "yes"
NO = "no"
HOW_MANY = "How many graphs"
ALL_GRAPHS = "all {n:,}"
MEASURE_ABOUT = (
    "Each method pools each graph twice, with random weights of the seed; "
    "that takes a while where the graphs are large."
)
MEASURE_START = "Measure {n:,} graphs"
MEASURE_PROGRESS = "{done:,} of {total:,} graphs, about {left} left"
MEASURE_NONE = "This measure has no meaning for the methods chosen."
DATASET_LOADING = "Loading the data set (the first time it may have to be fetched)…"
ENDED_ALL = "{method} had nothing left to pool in any graph."
REFUSED_SOME = "{method} refused {n:,} of the graphs."
MEDIANS = "Median {measure} over {graphs:,} graphs: {list}"
PYRAMID_TITLE = "{method}: {sizes} vertices"
PYRAMID_ALT = "The graph and its reduced graphs as planes above each other, joined by the assignment"
PYRAMID_ABOUT = (
    "The graph lies below, each pooling one plane higher; a line goes from a vertex to the one that stands for it. "
    "Drag to turn it; planes that are switched off above fade."
)
PYRAMID_UNDRAWN = "{n} {n?edge is|edges are} not drawn: a plane takes {most}."
PLANES = "Planes in full"
PLANE = "level {level} ({n})"
PLANE_LEVEL = "level"
PLANE_VERTEX = "vertex"
PLANE_GOES = "goes to"
PLANE_DROPPED = "dropped"
