"""Words that several parts of the app share; each page has its own in its folder (``words.py``).

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number (``app.ui.texts.fill``).
"""

from __future__ import annotations

from mivspool.graphs.datasets import DATASETS
from mivspool.pooling import METHODS, SCORES

TITLE = "MIVSPool"
DOWNLOAD = "Download"
CLASS = "class {label}"
CHANGED_GRAPH = " (changed)"  # behind the name of the graph that was changed
GIVEN_LABEL = "given by hand"
GIVEN_ABOUT = "The graph's own values, or yours: Change lets you drag each of them."
WEIGHTS_OF = "Weights"
WEIGHTS_OF_HELP = (
    "A learned score needs weights: random ones of the seed, or those that a model has learned, released or trained "
    "on the Train page. Its blocks are then the levels, and below stands what each cluster contributes to the class."
)
# where the scores come from, in sight
SCORED = {
    "drawn": "Scores: {drawn}.",
    "given": "Scores: values given by hand or with the graph.",
    "random": "Scores: {score} with random weights (seed {seed}): nothing was learned.",
    "model": "Scores: {score} with the weights that model {model} has learned, block {block} of {blocks}.",
}
SEED = "Seed"
SEED_HELP = "Of the random scores, or of the random weights of a learned score"
POOLING_LARGE = "A large graph: pooling all its levels takes a few seconds …"
SAMPLE = (
    "{n} vertices and {m} edges are more than a page can draw. Shown is a sample: {k} vertices that lie together, with "
    "the states, scores and iterations they have in the whole graph. The whole is pooled, measured and exported."
)
SAMPLE_AROUND = "Show those around"
SAMPLE_PLACEHOLDER = "id of a vertex"
SAMPLE_HERE = "Around the chosen vertex"
SAMPLE_HERE_HELP = "Take the sample in the neighbourhood of the vertex that is lit"
SAMPLE_MISSING = "This graph has no vertex {vertex}: give an id as it stands in the file."
SAMPLE_S = "Shown for the sample; the download has every vertex."
TIES_BROKEN = "{ties} {ties?tie|ties} broken"
# S
S_TITLE = "S assigns {n} {n?vertex|vertices} to {kept} {kept?cluster|clusters}"
S_ROWS = "vertex"
S_COLUMNS = "cluster, named after its survivor"
S_PICTURE = "Picture"
S_TABLE = "Table"
S_DOWNLOAD = "Download S (CSV)"
S_COLUMNS_TABLE = {
    "vertex": "vertex",
    "score": "score",
    "settled": "settled in iteration",
    "state": "became",
    "cluster": "cluster",
    "share": "share in Eq. 12",
}
STATES = {
    "candidate": "candidate",
    "survivor": "survivor",
    "non_survivor": "non-survivor",
    "added": "added survivor",
}
# one cluster
CLUSTER_TITLE = "The cluster of {survivor} becomes one vertex"
CLUSTER_NONE = "Choose a vertex to see its cluster computed."
EQ12 = "Eq. 12: its features are the mean of its members', weighted by score"
FEATURES_MORE = "{more} more {more?feature|features}"
STANDARDISED = "Features are standardised over the graph: mean 0, standard deviation 1."
MEMBER = "member"
SHARE_OF_SUM = "s / Σs"
EQ3 = "SᵀAS (Eq. 3): its edges count the edges of its members"
MORE_CLUSTERS = "and {more} more {more?cluster|clusters}"
INSIDE = "inside, counted twice"
INSIDE_VERTEX = "inside the vertex: counted twice already"
NO_EDGES = "No edge leaves this cluster and none is inside."
_BASELINES = {"none": "No pooling", "structure-blind": "Structure-blind"}


def score_title(name: str) -> str:
    """What a score is called on the page."""
    return SCORES[name].title if name in SCORES else name


def method_title(name: str) -> str:
    """What a method is called on the page."""
    return METHODS[name].title if name in METHODS else _BASELINES.get(name, name)


def dataset_title(name: str) -> str:
    """What a data set is called on the page."""
    return DATASETS[name].title if name in DATASETS else name


VIEW = "What to show"
NO_RESULTS = (
    "There are no evaluated runs yet, so the tables show the paper's figures alone. "
    "`mivspool evaluate ENZYMES` makes some; each finished run is one more point here."
)
RESULTS_SUMMARY = "{runs} evaluated {runs?run|runs} of {methods} {methods?method|methods} on {datasets}."
DATASET = "Data set"
PAPER = "paper"
POINTS_AXIS = "test accuracy (%)"
POINT = "repeat {repeat}, fold {fold}: {accuracy:.1f} %"
POINTS_RUN = "one run"
POINTS_MEAN = "mean"
POINTS_PAPER = "the paper (mean ± std)"
CURVE_RUN_TITLE = "repeat {repeat}, fold {fold}"
CURVE_LOSS = "Loss"
CURVE_ACCURACY = "Accuracy (%)"
CURVE_EPOCH = "epoch"
TRAINING = "training graphs"
VALIDATION = "validation graphs"
TABLE_BEHIND = "The numbers behind it"
FIGURE_ALT = (
    "The network: {blocks} blocks of convolution and pooling, vertices {sizes}; the readouts of all blocks are "
    "summed and go through an MLP; most probable class {best}."
)
FIGURE_GRAPH = "Graph"
FIGURE_INPUT = "{n:,} vertices · {m:,} edges"
FIGURE_FEATURES = "{d} features a vertex"
FIGURE_BLOCK = "Block {k}"
FIGURE_MORE = "and {n} more classes"
FIGURE_OPEN = "Open the pooling of block {k}"
FIGURE_GCN = "GCN {before} → {after}, ReLU"
FIGURE_VERTICES = "{before:,} → {after:,} vertices"
FIGURE_EDGES = "{before:,} → {after:,} edges"
FIGURE_READOUT = "mean ‖ max"
FIGURE_WIDTH = "{n} numbers"
FIGURE_MLP = "MLP"
STARTING = "Starting the backend (once, a few seconds)…"
MODEL = "Model"
MODEL_HELP = "A released model, or one that was kept from a training here"
GRAPH_ABOUT = "{n} {n?vertex|vertices}, {m} {m?edge|edges}"
TRUE_CLASS = "true class"
PROBABILITIES = "Class probabilities"
TIES = (
    "{ties} {ties?vertex has|vertices have} a fate that the numbering decided, between equal scores: "
    "another numbering may give other survivors."
)
CLASS_NAMED = "class {name}"
CLASSIFYING_LARGE = "A large graph: classifying it takes some seconds …"
MAPPING_DEGREES = "This model needs no labels: it counts the degree of each vertex itself."
MAPPING_NONE = "Which attribute carries what the model needs?"
MAPPING_ATTRIBUTES = "{n} attributes are taken from the graph"
MAPPING_LABEL = (
    "Vertex labels are taken from “{attribute}”; the model knows those of {share:.0f} % of the vertices"
)
MAPPING_NO_ATTRIBUTES = "The graph has no vertex attributes to choose from."
MAPPING_ASK = "Attribute that carries the vertex label"
MAPPING_CHOICE = "{name} (the model knows {share:.0f} % of its values)"
MAPPING_NEEDS = "Attribute for “{name}”"
MAPPING_CHOOSE = "choose an attribute"
MORE = " and {n} more"
MAPPING_UNKNOWN = "Labels the model does not know: {names}."
MAPPING_KNOWN = "The model knows: {names}."
LEFT_OUT_TITLE = "What each cluster of this block contributes"
LEFT_OUT_HELP = (
    "The graph is classified again without one cluster's vertices; the others keep their features. "
    "A probability that falls says that the model's answer rests on that cluster. It is an experiment on the model, "
    "not on the molecule: a graph with a hole is unlike those it has learned from."
)
LEFT_OUT_ASK = "Leave out each of the {n} clusters in turn"
LEFT_OUT_WAIT = "Leaving out one cluster after the other…"
LEFT_OUT_NONE = "There is one cluster alone: without it nothing would be left to classify."
LEFT_OUT_LITTLE = (
    "No single cluster matters much: without any of them, the probability of class {predicted} holds."
)
LEFT_OUT_SENTENCE = "The probability of class {predicted} {what}."
LEFT_OUT_FALLS = "falls most without the cluster of {survivor} (by {points:.1f} points)"
LEFT_OUT_RISES = "rises most without the cluster of {survivor} (by {points:.1f} points)"
LEFT_OUT_AND = " and "
LEFT_OUT_AXIS = "Probability of class {predicted} without the cluster of … (change in points)"
LEFT_OUT_ALL = "all of it"
LEFT_OUT_MORE = "The {shown} strongest of {n} clusters; the table has all."
LEFT_OUT_SPOKEN = "Without the cluster of {survivor} ({n} vertices): {share:.3f}, {points:+.1f} points"
SURVIVOR = "survivor"
LEFT_VERTICES = "vertices left out"
LEFT_CHANGE = "change"
LEFT_SHARE = "P(class {name})"
MANY_AXIS = "probability of the predicted class"
MANY_COUNT = "graphs"
CONFUSION_HOVER = "true %{y}, predicted %{x}: %{text}<extra></extra>"
CONFUSION_PREDICTED = "predicted class"
CONFUSION_TRUE = "true class"
SECONDS = "{n} s"
MINUTES = "{n} min"
HOURS = "{n:.1f} h"
SEED_HELP_METHODS = "Of random scores, and of the random weights of methods that learn"
CHANGED = ": {n} changed"
JOB_STATES = {
    "queued": "waiting",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
    "cancelling": "being cancelled",
}
FOLD_AXIS = "fold"
NOT_SEPARATE = (
    "others reach this app, and its backend does not keep visitors apart: start the backend with "
    "MIVSPOOL_SEPARATE_VISITORS=true, or let them see each other's jobs with MIVSPOOL_SEPARATE_VISITORS=false here"
)
HIDE_TITLE = "A link that shows only what you want"
HIDE_ABOUT = (
    "Tick what your students should not see. The link below opens this page without it; yours stays as it is."
)
HIDE_PRESENT = "Open in Present"
HIDE_PREDICT = "Open in Predict"
HIDE_OPEN = "Try the link"
HIDE_GROUPS = {"bar": "Above the graph", "canvas": "Around the graph", "below": "Below it"}
# what can be hidden, by the name in the link
CONTROLS = {
    "bar": {
        "menu": "the menu of pages",
        "graph": "choice of the graph",
        "score": "score",
        "model": "weights (model)",
        "mode": "mode (Watch, Predict, Change)",
        "edit": "Change, of the modes",
        "present": "Present",
        "options": "options",
        "share": "share",
        "take": "download",
        "about": "name and size of the graph",
        "levels": "levels",
    },
    "canvas": {
        "sentence": "the sentence",
        "play": "buttons to step and play",
        "counts": "counts",
        "timeline": "timeline",
        "bars": "scores",
        "why": "why",
        "formula": "the formula in it",
        "zoom": "zoom buttons",
        "table": "the table behind the graph",
    },
    "below": {
        "badges": "what was checked and measured",
        "assignment": "S, the assignment",
        "cluster": "one cluster computed",
        "reduced": "the reduced graph",
        "left-out": "what each cluster contributes",
    },
}
