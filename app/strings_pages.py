"""The words of Results, Classify, Compare and Train (the shell's and the Step page's are in strings.py)."""

from __future__ import annotations

from mivspool.graphs.datasets import DATASETS
from mivspool.pooling import METHODS

# names that several pages share

_BASELINES = {"none": "No pooling", "structure-blind": "Structure-blind"}

SCORE_TITLES = {
    "uniform": "Uniform (rand)",
    "degree": "Degree",
    "projection": "Projection (Top-k)",
    "attention": "Attention (SagPool)",
    "multiview": "Multiview (MVPool)",
}


def method_title(name: str) -> str:
    """What a method is called on the page."""
    return METHODS[name].title if name in METHODS else _BASELINES.get(name, name)


def dataset_title(name: str) -> str:
    """What a data set is called on the page."""
    return DATASETS[name].title if name in DATASETS else name


# Results

RESULTS = "Results"
VIEWS = {
    "4": "Methods · Table 4",
    "2": "Scores · Table 2",
    "3": "Iterations · Table 3",
    "1": "Data sets · Table 1",
    "claims": "The paper's claims",
    "curves": "Learning curves",
}
VIEW = "What to show"
NO_RESULTS = (
    "There are no evaluated runs yet, so the tables show the paper's figures alone. "
    "`mivspool evaluate ENZYMES` makes some; each finished run is one more point here."
)
RESULTS_SUMMARY = "{runs} evaluated {runs?run|runs} of {methods} {methods?method|methods} on {datasets}."
DATASET = "Data set"
PAPER = "paper"
NO_RUNS = "no runs"
BEHIND = "{folds} folds × {repeats}"
GRID = "grid"
NO_GRID = "no grid"
POOLING = "Pooling {n}"
STATISTICS = {"graphs": "Graphs", "classes": "Classes", "vertices": "Vertices", "edges": "Edges"}
LEGEND = "**Bold**: best of the paper's methods, underlined: second, among what was measured and in the paper each."
NOTES = "How to read this"
DOWNLOAD = "Download"
DOWNLOADS = {"csv": "CSV", "markdown": "Markdown", "latex": "LaTeX"}
COUNTING = "Counting the iterations of every graph once (kept afterwards)…"
POINTS_TITLE = "{dataset}: every run's test accuracy"
POINTS_AXIS = "test accuracy (%)"
POINT = "repeat {repeat}, fold {fold}: {accuracy:.1f} %"
POINTS_RUN, POINTS_MEAN, POINTS_PAPER = "one run", "mean", "the paper (mean ± std)"
POINTS_NONE = "No runs on {dataset} yet; only the paper's values are drawn."
COMPARED = "MIVSPool against each of the others, on the folds they share"
COMPARED_NONE = "There are not enough runs on shared folds to compare anything on {dataset}."
COMPARED_HELP = (
    "A paired test that allows for folds sharing their training graphs (Nadeau and Bengio 2003). "
    "“Within the noise” means that these runs cannot tell the two apart; it does not mean that they are equal."
)
VERDICTS = {
    "holds": ("✓", "holds in these runs"),
    "noise": ("≈", "within the noise"),
    "fails": ("✗", "does not hold in these runs"),
    "mixed": ("±", "not the same everywhere"),
    "open": ("–", "no runs to tell"),
}
CLAIMS_INTRO = "Each claim with what the runs here say of it, data set by data set."
CURVES_NONE = "No run has kept its learning curve yet."
CURVE_METHOD, CURVE_RUN = "Method", "Run"
CURVE_RUN_TITLE = "repeat {repeat}, fold {fold}"
CURVE_GRID = ", learning rate {lr:g}, weight decay {weight_decay:g}, K = {blocks}"
CURVE_GONE = "The file of this run's learning curve is not here."
CURVE_LOSS, CURVE_ACCURACY, CURVE_EPOCH = "Loss", "Accuracy (%)", "epoch"
CURVE_TITLE = "Stopped after epoch {epochs}; tested with the weights of epoch {best}: {accuracy:.1f} %"
TRAINING, VALIDATION = "training graphs", "validation graphs"
TABLE_BEHIND = "The numbers behind it"

# The network figure

FIGURE_ALT = (
    "The network: {blocks} blocks of convolution and pooling, vertices {sizes}; the readouts of all blocks are "
    "summed and go through an MLP; most probable class {best}."
)
FIGURE_GRAPH = "Graph"
FIGURE_INPUT = "{n:,} vertices · {m:,} edges"
FIGURE_FEATURES = "{d} features a vertex"
FIGURE_BLOCK = "Block {k}"
FIGURE_OPEN = "Open the pooling of block {k}"
FIGURE_GCN = "GCN {before} → {after}, ReLU"
FIGURE_VERTICES = "{before:,} → {after:,} vertices"
FIGURE_EDGES = "{before:,} → {after:,} edges"
FIGURE_READOUT = "mean ‖ max"
FIGURE_WIDTH = "{n} numbers"
FIGURE_MLP = "MLP"

# Classify

CLASSIFY = "Classify"
STARTING = "Starting the backend (once, a few seconds)…"
HOW_LABEL = "How many graphs"
HOW = {"one": "One graph", "many": "Many at once"}
NO_MODELS = "There is no model yet. Train one on the Train page and keep it, and it is offered here at once."
MODEL = "Model"
MODEL_HELP = "A released model, or one that was kept from a training here"
MODEL_TRAINED = "trained on {dataset}"
MODEL_ACCURACY = "{accuracy:.0f} % right in cross-validation"
MODEL_KEPT = "kept from a training here"
GRAPH_ABOUT = "{n} {n?vertex|vertices}, {m} {m?edge|edges}"
GRAPH_CLASS = "class {label}"
REFUSED = "`{model}` cannot honestly classify this graph: {reason}"
OTHERS = "Models that take this graph: {names}."
NO_OTHERS = "No other model here takes this graph either."
PREDICTED = "`{model}` says class {predicted}, with a probability of {share:.0f} %."
RIGHT = "That is its class."
WRONG = "Its class is {true}."
SEEN = (
    "It comes from the data set that the model learned from, so it may have been among its training graphs."
)
TRUE_CLASS = "true class"
PROBABILITIES = "Class probabilities"
FIGURE_TITLE = "The network with this graph in it: choose a block to open its pooling"
CARD = "The model's card: how good it is, and what it must not be used for"
NO_POOLING = "{method} leaves no clusters to step through, so there is no block to open."
POOLING_TITLE = "The block's pooling, with the scores that the model has learned"
BLOCK = "Block"
BLOCK_CHOICE = "Block {k}: {before} → {after}"
TIES = (
    "{ties} {ties?vertex has|vertices have} a fate that the numbering decided, between equal scores: "
    "another numbering may give other survivors."
)
CLASS_NAMED = "class {name}"

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
LEFT_OUT_AXIS = "change of the predicted class's probability (points)"
LEFT_OUT_HOVER = "cluster of %{customdata[1]} (%{customdata[2]} vertices): %{x:+.1f} points<extra></extra>"
SURVIVOR = "survivor"
LEFT_VERTICES = "vertices left out"
LEFT_CHANGE = "change"
LEFT_SHARE = "P(class {name})"

MANY_INTRO = "Classify every graph of a file, a folder or a data set in one go."
MANY_FROM = "From"
MANY_SOURCES = {"file": "a file or folder", "dataset": "a data set"}
MANY_FILES = "A zip of graphs, an SDF, a CSV of SMILES, a TU zip, or several files"
MANY_START = "Classify {n} {n?graph|graphs}"
MANY_PROGRESS = "{done:,} of {total:,} graphs, about {left} left"
MANY_STOP = "Stop"
MANY_DONE = "{n:,} graphs classified: {counts}."
MANY_ACCURACY = "{right:,} of {known:,} with a known class are right ({share:.1f} %)."
MANY_SEEN = "They come from the data set that the model learned from: this is no measure of how good it is."
MANY_FAILED = "{n} could not be classified"
MANY_AXIS = "probability of the predicted class"
MANY_COUNT = "graphs"
MANY_OPEN = "Select a row to open that graph."
MANY_OPEN_BUTTON = "Open {name}"
MANY_DOWNLOAD = "Download (CSV)"
MANY_COLUMNS = {
    "source": "graph",
    "vertices": "vertices",
    "edges": "edges",
    "predicted": "class",
    "probability": "probability",
    "true": "true class",
    "coverage": "labels known",
    "warnings": "warnings",
}
FAILED_COLUMNS = {"source": "graph", "error": "reason"}
MANY_READING = "Reading…"
CONFUSION_HOVER = "true %{y}, predicted %{x}: %{text}<extra></extra>"
CONFUSION_PREDICTED, CONFUSION_TRUE = "predicted class", "true class"

SECONDS, MINUTES, HOURS = "{n} s", "{n} min", "{n:.1f} h"

# Compare

COMPARE = "Compare"
COMPARE_VIEWS = {"graph": "One graph", "dataset": "A data set", "pyramid": "Pyramid"}
METHODS_LABEL = "Methods, two to six"
METHODS_FEW = "Choose at least two methods to compare."
METHOD_LABEL = "Method"
WEIGHTS_LABEL = "Weights"
SEED = "Seed"
SEED_HELP = "Of random scores, and of the random weights of methods that learn"
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
NOTE_APART = "its clusters, which lie on each other, are drawn apart"
NOTE_NOT_MAXIMAL = "not maximal: some vertex has no survivor beside it"
NOTE_ENDED = "nothing was left to pool after {n}"
MEASURES_TITLE = "What each method did"
MEASURES_NOTE = "✓ marks the best where there is a better and a worse; times are those of this machine."
BEST_MARK = " ✓"
MEASURE, BEFORE = "Measure", "before"
YES, NO = "yes", "no"
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
REFUSED_SOME = "{method} refused {n:,} of the graphs."
MEDIANS = "Median {measure} over {graphs:,} graphs: {list}"
PYRAMID_TITLE = "{method}: {sizes} vertices"
PYRAMID_ALT = "The graph and its reduced graphs as planes above each other, joined by the assignment"
PYRAMID_ABOUT = (
    "The graph lies below, each pooling one plane higher; a line goes from a vertex to the one that stands for it. "
    "Drag to turn it; planes that are switched off above fade."
)
PLANES = "Planes in full"
PLANE = "level {level} ({n})"
