"""The words of Results, Classify, Compare and Train (the shell's and the Step page's are in strings.py)."""

from __future__ import annotations

from mivspool.graphs.datasets import DATASETS
from mivspool.pooling import METHODS, SCORES

# names that several pages share

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


# Results

RESULTS = "Results"
VIEWS = {
    "4": "Methods · Table 4",
    "2": "Scores · Table 2",
    "3": "Iterations · Table 3",
    "1": "Data sets · Table 1",
    "claims": "The paper's claims",
    "curves": "Learning curves",
    "evaluations": "All evaluations",
}
VIEW = "What to show"
NO_RESULTS = (
    "There are no evaluated runs yet, so the tables show the paper's figures alone. "
    "`mivspool evaluate ENZYMES` makes some; each finished run is one more point here."
)
RESULTS_SUMMARY = "{runs} evaluated {runs?run|runs} of {methods} {methods?method|methods} on {datasets}."
EVALUATIONS_ABOUT = (
    "Every finished evaluation: the published ones, those of `mivspool evaluate`, and those of jobs on the Train page. "
    "The other tables show the paper's data sets and its reference configuration alone."
)
EVALUATIONS_NONE = "No evaluation has finished yet."
EVALUATION_COLUMNS = {
    "dataset": "data set",
    "method": "method",
    "score": "score",
    "mean": "test accuracy (%)",
    "std": "± over repeats",
    "folds": "folds",
    "repeats": "repeats",
    "search": "hyperparameter search",
    "settings": "changed settings",
    "source": "source",
}
EVALUATION_SOURCES = {"results": "results folder", "job": "job"}
SEARCH, NO_SEARCH = "yes", "no"
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
FIGURE_MORE = "and {n} more classes"
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
MODEL_RIGHT = "{accuracy:.0f} % right"
MODEL_KEPT = "kept from a training here"
GRAPH_ABOUT = "{n} {n?vertex|vertices}, {m} {m?edge|edges}"
GRAPH_CLASS = "class {label}"
REFUSED = "`{model}` cannot honestly classify this graph: {reason}"
OTHERS = "Models that take this graph: {names}."
OTHERS_UNTRIED = "The graph is too large to try the other models: choose one above."
NO_OTHERS = "No other model here takes this graph either."
PREDICTED = "`{model}` says class {predicted}, with a probability of {share:.1f} %."
UNLIKE = "Take the answer with care:"
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

MANY_INTRO = "Classify every graph of a file, a folder or a data set in one go."
MANY_FROM = "From"
MANY_SOURCES = {"file": "files", "folder": "a folder", "dataset": "a data set"}
MANY_FILES = "A zip of graphs, an SDF, a CSV of SMILES, a TU zip, or several files"
MANY_FOLDER = "A folder of files with graphs, or one in TU layout"
MANY_START = "Classify {n} {n?graph|graphs}"
MANY_PROGRESS = "{done:,} of {total:,} graphs, about {left} left"
MANY_STOP = "Stop"
MANY_GO_ON = "Go on"
MANY_DONE = "{n:,} graphs classified: {counts}."
MANY_ACCURACY = "{right:,} of {known:,} with a known class are right ({share:.1f} %)."
MANY_SEEN = "They come from the data set that the model learned from: this is no measure of how good it is."
MANY_FAILED = "{n} could not be classified"
MANY_NONE = "None of them could be classified: {reason}"
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
PLANE_LEVEL, PLANE_VERTEX, PLANE_GOES = "level", "vertex", "goes to"
PLANE_DROPPED = "dropped"

# Train

TRAIN = "Train"
TRAIN_NEW = "A new training"
TRAINING_OFF = "Training is switched off on this backend; jobs that were run can still be looked at below."
NO_JOB_CHOSEN = "Start a training, or choose one in the list below: its curves appear here as it learns."
DATASET_SIZE = "{graphs:,} graphs, {classes} classes"
DATASET_UPLOAD = " (your upload)"
UPLOAD_SET = "Your own"
UPLOAD_SET_HELP = "A zip in the layout of the TU data sets. It is kept for {days} days."
UPLOAD_UNTRAINABLE = (
    "This zip has no classes to learn: it needs NAME_A.txt, NAME_graph_indicator.txt and "
    "NAME_graph_labels.txt."
)
KIND = "What to do"
KINDS = {"train": "Train one classifier", "evaluate": "Evaluate on all folds"}
KINDS_SHORT = {"train": "training", "evaluate": "evaluation"}
KIND_HELP = (
    "One training tests on one fold and leaves a model that can be kept; "
    "an evaluation trains anew for each of ten folds and says how accurate the method is."
)
HYPERPARAMETERS = "Hyperparameters"
CHANGED, UNCHANGED = ": {n} changed", ": the paper's"
RESTORE = "Back to the paper's"
PAPERS = "Default: {value}."
SEARCHED = "The paper searches {values}."
ESTIMATE = "It usually takes **about {usual}**{runs}, and at most {most}."
ESTIMATE_RUNS = " for {n} trainings"
NO_ESTIMATE = "Nothing like this was run before, so there is no estimate: the first epochs will tell."
ESTIMATE_SOURCES = {
    "here": "From {n} earlier {n?run|runs} on this backend, {epoch} s an epoch.",
    "results": "From {n} released {n?run|runs} elsewhere ({epoch} s an epoch): this machine may be faster or slower.",
    "scaled": "Scaled by size from {n} {n?run|runs} on other data or with another method: take it as a rough guess.",
}
START = "Start"
SHARE_JOB = "Let other visitors see this job"
LEAVE = (
    "It runs on the backend ({device}): you can leave the page or close the browser and find it again here."
)
BUSY = "{running} running, {waiting} waiting."
STATES = {
    "queued": "waiting",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
    "cancelling": "being cancelled",
}
TOOK = "took {time}"
QUEUED_SINCE = "for {time}"
ATTEMPT = "started {n} times"
RUNS_DONE = "{done} of {total} runs"
EPOCH = "epoch {epoch:,} of at most {most:,}"
LEFT = "at most {time} left if nothing improves"
RUN_SHOWN = "Learning curve of run {run}"
RUNS_TITLE = "Test accuracy of the finished runs, fold by fold"
FOLD_AXIS = "fold"
CANCEL, RESUME, DELETE = "Cancel", "Resume", "Delete"
DETAILS = "Settings and log"
SHOW_LOG = "Show the log"
LOG_EMPTY = "(nothing was written)"
TESTED = "**{accuracy:.1f} %** of {n:,} test graphs are right"
TESTED_RUNS = (
    "**{accuracy:.1f} %** is the mean test accuracy of the {runs} runs{spread}; of all {n:,} test graphs together, "
    "{share:.1f} % are right (the folds differ in size)"
)
TESTED_SPREAD = " (± {std:.1f} over the repeats)"
CONFUSION = "Test graphs by true and predicted class, {runs} {runs?run|runs}"
DELETE_SURE = "Delete it with its curves and its checkpoint"
KEEP = "Keep as a model"
KEEP_NAME = "Name of the model"
KEEP_HELP = "Lower-case letters, digits, '.', '_' and '-'"
KEEP_SHARED = "Let other visitors use it"
KEPT = "Kept as `{name}`, with its card."
CLASSIFY_WITH = "Classify with it"
COMPARING = "{n} jobs side by side"
VALIDATION_LOSS, VALIDATION_ACCURACY = "Validation loss", "Validation accuracy"
JOBS = "All jobs"
NOT_SEPARATE = (
    "others reach this app, and its backend does not keep visitors apart: start the backend with "
    "MIVSPOOL_SEPARATE_VISITORS=true, or let them see each other's jobs with MIVSPOOL_SEPARATE_VISITORS=false here"
)
NO_JOBS = "There are no such jobs."
FILTER_STATE, FILTER_KIND, FILTER_TEXT = "State", "Kind", "Title contains"
LIST_HELP = "Select a row to look at a job, or two to {n} to compare them."
COLUMN_NUMBER, COLUMN_TITLE, COLUMN_STATE, COLUMN_PROGRESS = "no.", "job", "state", "progress"
COLUMN_ACCURACY, COLUMN_STARTED, COLUMN_TOOK = "test accuracy (%)", "asked for", "took"
