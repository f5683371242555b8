"""Words that several pages share, whichever face shows them; each page has its own in its folder (``words.py``).

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number (``mivspool.messages.fill``).
"""

from __future__ import annotations

from typing import Any

from mivspool.graphs.datasets import DATASETS
from mivspool.pooling import METHODS, SCORES

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


# what another page holds to show a link in a frame of its own; the browser fills it on the static site
EMBED = (
    '<iframe src="{address}" title="MIVSPool" width="100%" height="900" style="border: 0" loading="lazy" '
    'allow="fullscreen"></iframe>'
)

# a person's own graphs
UPLOAD = "Upload"
UPLOAD_FILES = "Upload a graph"
PASTE_PLACEHOLDER = "a b\nb c\nc a"
PASTE_OPEN = "Open"
PASTE_FIRST = "Paste or type a graph into the field above first."
PASTED_NAME = "pasted.txt"
READ_AGAIN = "Detect automatically"
LINK_DAMAGED = "this link is damaged: the graph inside it cannot be unpacked"
UPLOAD_GONE = "this link names an uploaded file that is no longer kept: upload it again"

VIEW = "What to show"
NO_RESULTS = (
    "There are no evaluated runs yet, so the tables show only the paper's values. "
    "`mivspool evaluate ENZYMES` produces some; each finished run adds a point here."
)
RESULTS_SUMMARY = "{runs} evaluated {runs?run|runs} of {methods} {methods?method|methods} on {datasets}."
DATASET = "Data set"
PAPER = "paper"
POINTS_AXIS = "test accuracy (%)"
POINT = "repeat {repeat}, fold {fold}: {accuracy:.1f} %"
POINTS_RUN = "single run"
POINTS_MEAN = "mean"
POINTS_PAPER = "the paper (mean ± std)"
CURVE_RUN_TITLE = "repeat {repeat}, fold {fold}"
CURVE_LOSS = "Loss"
CURVE_ACCURACY = "Accuracy (%)"
CURVE_EPOCH = "epoch"
TRAINING = "training graphs"
VALIDATION = "validation graphs"
TABLE_BEHIND = "Show data"
MODEL = "Model"
MODEL_HELP = "A released model, or one saved from a training run here"
GRAPH_ABOUT = "{n} {n?vertex|vertices}, {m} {m?edge|edges}"
TRUE_CLASS = "true class"
PROBABILITIES = "Class probabilities (not calibrated)"
CALIBRATED = "Class probabilities (calibrated)"
RAW = "network: {share:.3f}"
TIES = (
    "{ties} {ties?vertex was|vertices were} decided by vertex order (tie): "
    "with another order, other vertices may survive."
)
MAPPING_DEGREES = "This model needs no labels: it uses the degree of each vertex."
MAPPING_NONE = "Which attribute holds the vertex labels that the model needs?"
MAPPING_ATTRIBUTES = "{n} {n?attribute is|attributes are} taken from the graph"
MAPPING_LABEL = (
    "Vertex labels are taken from “{attribute}”; the model recognises those of {share:.0f} % of the vertices"
)
MAPPING_NO_ATTRIBUTES = "The graph has no vertex attributes to choose from."
MAPPING_ASK = "Attribute that holds the vertex label"
MAPPING_CHOICE = "{name} ({share:.0f} % of its values are recognised)"
MAPPING_NEEDS = "Attribute for “{name}”"
MAPPING_CHOOSE = "choose an attribute"
MORE = " and {n} more"
MAPPING_UNKNOWN = "Labels that the model does not recognise: {names}."
MAPPING_KNOWN = "Recognised labels: {names}."
# the network opened at a vertex
INSIDE_TITLE = "Open the network at the selected vertex"
LAYER_VALUES: dict[str, Any] = {
    "vertex": "vertex {id}",
    "nobody": "no vertex",
    "convolution": "{name} of {vertex}",
    "before": "Features before",
    "neighbours": "Weighted sum of",
    "after": "Features after ReLU",
    "normalisation": "Batch normalisation",
    "normalisation_of": "Batch normalisation of {vertex}",
    "pooling": "Pooling of {vertex}",
    "views": {"structure": "structure (degree)", "feature": "features", "diffusion": "diffusion (PageRank)"},
    "view_columns": ("view", "value", "largest in the graph", "value ÷ largest", "weight", "product"),
    "score": "Score: σ({total:.4f}) = {score:.4f}, the sigmoid of the sum of the products.",
    "score_alone": "Score: {score:.4f}.",
    "members": "Assigned to {next}; Eq. 12 adds up",
    "after_pooling": "Features of the reduced vertex",
    "gone": "The vertex is dropped here or shared among all clusters, so its features cannot be followed any further.",
    "readout": "Readout ({name}) of the whole level",
    "mean": "Mean",
    "maximum": "Maximum",
    "sum": "Sum ÷ √n",
    "maxima": "Vertices that the maxima come from (with the number of channels):",
    "join": "All readouts, {name}",
    "joined": {"sum": "summed", "concatenate": "side by side"},
    "mlp": "MLP",
    "steps": {"linear": "Linear", "relu": "ReLU"},
    "logits": "Logits, and the probabilities that their softmax gives:",
    "logit": "{title}: {logit} → {share:.4f}",
    "strip": "{label} ({n} values, {low} to {high})",
}
LEFT_OUT_TITLE = "What each cluster of this block contributes"
LEFT_OUT_HELP = (
    "The graph is classified again without the vertices of one cluster; the others keep their features. "
    "If the probability drops, the prediction depends on that cluster. This is an experiment on the model, "
    "not on the molecule: a graph with a cluster removed lies outside the training distribution."
)
LEFT_OUT_ASK = "Remove {n?the cluster|each of the {n} clusters in turn}"
LEFT_OUT_WAIT = "Removing one cluster after another…"
LEFT_OUT_NONE = "There is only one cluster: without it, nothing would remain to classify."
LEFT_OUT_LITTLE = "No single cluster matters much: the probability of {predicted} hardly changes without it."
LEFT_OUT_SENTENCE = "The probability of {predicted} {what}."
LEFT_OUT_FALLS = "drops most when cluster {survivor} is removed (−{points:.1f} percentage points)"
LEFT_OUT_RISES = "rises most when cluster {survivor} is removed (+{points:.1f} percentage points)"
LEFT_OUT_AND = " and "
LEFT_OUT_AXIS = (
    "The network’s own probability of {predicted} without the cluster, and its change (percentage points)"
)
LEFT_OUT_ALL = "full graph"
LEFT_OUT_MORE = "The {shown} most influential of {n} {n?cluster|clusters}; the table lists all."
LEFT_OUT_SPOKEN = (
    "Without cluster {survivor} ({n} {n?vertex|vertices}): {share:.3f}, {points:+.1f} percentage points"
)
LEFT_VERTICES = "vertices removed"
LEFT_CHANGE = "change"
LEFT_SHARE = "P({name})"
