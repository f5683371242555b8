"""The words of the Classify page."""

from __future__ import annotations

HOW_LABEL = "How many graphs"
HOW = {"one": "One graph", "many": "Many at once"}
NO_MODELS = "There is no model yet. Train one on the Train page and keep it, and it is offered here at once."
MODEL_TRAINED = "trained on {dataset}"
MODEL_ACCURACY = "{accuracy:.0f} % right in cross-validation"
MODEL_RIGHT = "{accuracy:.0f} % right"
MODEL_KEPT = "kept from a training here"
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
FIGURE_TITLE = "The network with this graph in it: choose a block to open its pooling"
CARD = "The model's card: how good it is, and what it must not be used for"
NO_POOLING = "{method} leaves no clusters to step through, so there is no block to open."
POOLING_TITLE = "The block's pooling, with the scores that the model has learned"
BLOCK = "Block"
BLOCK_CHOICE = "Block {k}: {before} → {after}"
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
