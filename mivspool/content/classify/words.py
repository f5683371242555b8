"""The words of the Classify page."""

from __future__ import annotations

HOW_LABEL = "How many graphs"
HOW = {"one": "One graph", "many": "Many at once"}
NO_MODELS = "There is no model yet. Train one on the Train page and save it; it will then be available here."
MODEL_TRAINED = "trained on {dataset}"
MODEL_ACCURACY = "{accuracy:.0f} % accuracy in cross-validation"
ASSESSED = (
    "Accuracy of the model: {accuracy:.1f} % on {graphs:,} test {graphs?graph|graphs} (95 % interval {low:.1f} to "
    "{high:.1f} %); always predicting {larger}, the most frequent class, gives {majority:.1f} %."
)
UNASSESSED = "The accuracy of this model on other graphs was not measured."
CALIBRATION = (
    "Of 100 predictions with a calibrated probability of {share:.2f}, about {n} are correct: Platt scaling, fitted to "
    "{predictions:,} predictions of test graphs."
)
UNCALIBRATED = (
    "These are the network's own probabilities: how often it is correct at this confidence was not measured."
)
MODEL_RIGHT = "{accuracy:.0f} % accuracy"
MODEL_KEPT = "saved from a training run here"
REFUSED = "`{model}` cannot classify this graph: {reason}"
OTHERS = "Models that accept this graph: {names}."
OTHERS_UNTRIED = "The graph is too large to try the other models: choose one above."
NO_OTHERS = "No other model here accepts this graph either."
PREDICTED = "Predicted by `{model}`: {predicted}, p = {share:.3f}."
OUTSIDE = "Not classified: this graph lies outside the domain of `{model}`."
OUTSIDE_WHY = (
    "The model would name one of its classes, as it does for any graph, but the answer would mean nothing:"
)
OUTSIDE_ANYWAY = "Classify anyway"
OUTSIDE_ASKED = (
    "Outside the domain of the model: the answer means nothing, and its probability does not hold here."
)
OUTSIDE_NONE = "This graph lies outside the domain of every other model here."
OUTSIDE_OTHERS = "Models whose domain it lies in: {names}."
NOTES = "Note:"
RIGHT = "Correct."
WRONG = "Incorrect: the true class is {true}."
CLASSES_FROM = "What the classes stand for: {source}"
IN_TRAINING_SET = (
    "This graph belongs to the data set that the model was trained on, so it may have been a training graph."
)
FIGURE_TITLE = "Forward pass for this graph: select a block to open its pooling"
CARD = "Model card: accuracy and limits of use"
WATCH_LEARNING = "What learning changed"
LAYERS = "The network, layer by layer"
LAYERS_HELP = "N: vertices of the batch, with the number of poolings before; B: graphs of the batch."
LAYER_COLUMNS = ("layer", "which", "level", "dimensions", "shape of the output")
LAYER_KINDS = {"mlp": "MLP"}
NO_POOLING = "{method} forms no clusters to step through, so there is no block to open."
POOLING_TITLE = "Pooling of the block, with the scores that the model has learned"
OPEN_IN_STEP = "Open in Step"
BLOCK = "Block"
BLOCK_CHOICE = "Block {k}: {before} → {after}"
MANY_INTRO = "Classify every graph of a file, a folder or a data set at once."
MANY_FROM = "Source"
MANY_SOURCES = {"file": "files", "folder": "a folder", "dataset": "a data set"}
MANY_FILES = "A zip of graphs, an SDF, a CSV of SMILES, a TU zip, or several files"
MANY_FOLDER = "A folder of graph files, or a data set in TU layout"
MANY_START = "Classify {n} {n?graph|graphs}"
MANY_PROGRESS = "{done:,} of {total:,} {total?graph|graphs}, about {left} left"
MANY_STOP = "Stop"
MANY_GO_ON = "Continue"
MANY_DONE = "{n} {n?graph|graphs} classified: {counts}."
MANY_PER_CLASS = "{name}: {n} {n?graph|graphs}"
MANY_OUTSIDE = (
    "{n} {n?graph lies|graphs lie} outside the domain of the model: {n?its answer means|their answers mean} nothing "
    "and {n?is|are} not counted here."
)
MANY_ACCURACY = (
    "Accuracy on the {known:,} {known?graph|graphs} with a known class: {right:,} correct ({share:.1f} %)."
)
MANY_IN_TRAINING_SET = (
    "They belong to the data set that the model was trained on: this is not an accuracy estimate."
)
MANY_FAILED = "{n} could not be classified"
MANY_NONE = "None of the graphs could be classified: {reason}"
MANY_OPEN = "Select a row to open that graph."
MANY_OPEN_BUTTON = "Open {name}"
MANY_DOWNLOAD = "Download (CSV)"
MANY_COLUMNS = {
    "source": "graph",
    "vertices": "vertices",
    "edges": "edges",
    "predicted": "predicted class",
    "probability": "probability",
    "uncalibrated": "probability (not calibrated)",
    "true": "true class",
    "coverage": "recognised labels",
    "outside": "outside the domain",
    "warnings": "warnings",
}
FAILED_COLUMNS = {"source": "graph", "error": "reason"}
MANY_READING = "Reading…"
