"""Every word of the app, in one place.

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number; in the canvas a value that is a vertex
becomes something to point at. The canvas's own words lie with it (mivspool/canvas/strings.py).
"""

from __future__ import annotations

import re

TITLE = "MIVSPool"

TAKE = "Take it away"
TAKE_WHAT = "As"
TAKE_FORMATS = {
    "html": "web page",
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "tex": "TikZ",
    "gif": "GIF",
    "mp4": "MP4",
}
TAKE_EXTENT = "Of"
TAKE_EXTENTS = {"all": "all iterations", "one": "the step that is seen"}
TAKE_ONE = "The graph as it stands at this step."
_PANELS = (
    "All iterations as panels (a), (b), (c) …, the assignment and the reduced graph, in the paper's manner"
)
TAKE_ABOUT = {
    "html": "One file that steps through this level in any browser, without this app and without a network.",
    "png": f"{_PANELS}, for a slide.",
    "svg": f"{_PANELS}, to scale and edit.",
    "pdf": f"{_PANELS}, for a paper.",
    "tex": f"{_PANELS}, as LaTeX that compiles by itself.",
    "gif": "An animation: one picture a second for each iteration.",
    "mp4": "A film: one second for each iteration.",
}
DATA = "As data"
DATA_WHAT = "What"
DATA_THINGS = {
    "graph": "the graph as it was read",
    "level": "level {level}",
    "reduced": "the reduced graph of level {level}",
    "S": "S, the assignment of level {level}",
    "scores": "the scores of level {level}",
}
DATA_AS = "Written as"
DATA_DOWNLOAD = "Download the data"
TAKE_MAKING = "Drawing …"
TAKE_DOWNLOAD = "Download {format}"

MODES_LABEL = "Mode"
MODES = {"": "Watch", "predict": "Predict", "edit": "Change"}

PAGE_STEP = "Step"
WELCOME = "New here? Learn explains pooling."

# the bar at the top of Step
COLLECTION = "Graphs"
COLLECTION_CLASSICS = "Classic graphs: karate club, …"
COLLECTION_MADE = "Made to show something"
COLLECTION_RANDOM = "Random graphs"
RANDOM_TITLE = "Random graph {seed}"
COLLECTION_FILE = "Your own graph"
GRAPH = "Graph"
GALLERY_HELP = "Look at the graphs and choose one"
PREVIOUS_GRAPH = "Previous graph"
NEXT_GRAPH = "Next graph"
RANDOM_GRAPH = "A random graph of this set"
GRAPH_NUMBER = "Number"
OF_GRAPHS = "of {count}"
SIZE = "{n} {n?vertex|vertices}, {m} {m?edge|edges}"
CLASS = "class {label}"
GALLERY_PAGE = "Page (of {pages})"
GALLERY_SIZE = "{n} vertices"
GALLERY_DRAWING = "Drawing the graphs (once for each page of them) …"

UPLOAD = "A file with a graph"
UPLOAD_HELP = (
    "GraphML, GML, GEXF, edge list or matrix (CSV, TXT), JSON, SDF, SMILES, PDB, DOT, Pajek and more"
)
PASTE = "or paste text"
PASTE_PLACEHOLDER = "a b\nb c\nc a"
PASTE_OPEN = "Open"
PASTED_NAME = "pasted.txt"
DRAW = "Draw a new graph"
DRAW_HELP = "Begin with one vertex and draw the rest: vertices, edges, scores and labels"
DRAWING = "drawing"
CHANGED = " (changed)"  # behind the name of the graph that was changed
REPAIRS = "Read with {n} {n?repair|repairs}"
READING_LARGE = "Reading a large file …"
UPLOAD_BACK = "Fetching the uploaded graph …"
LINK_TOO_LARGE = "This file is too large for a link and the backend keeps no uploads: a reload loses it."

SCORE = "Score"
SCORE_NAMES = {
    "multiview": "multiview (learned)",
    "attention": "attention (learned)",
    "projection": "projection (learned)",
    "uniform": "uniform (random)",
    "degree": "degree",
    "given": "given by hand",
}
SCORE_ABOUT = {
    "multiview": "The paper's reference (MVPool): degree, features and neighbourhood, weighed by an attention.",
    "attention": "A one-channel graph convolution (SagPool).",
    "projection": "Features projected on a learned vector (Top-k).",
    "uniform": "A random number for each vertex, from the seed (Meer's own).",
    "degree": "The number of neighbours.",
    "given": "The graph's own values, or yours: Change lets you drag each of them.",
}
NO_SCORE = "There is no score {score}; there are: {scores}."
MODEL = "Weights"
MODEL_HELP = (
    "A learned score needs weights: random ones of the seed, or those that a model has learned, released or trained "
    "on the Train page. Its blocks are then the levels, and below stands what each cluster contributes to the class."
)
MODEL_NO = "none needed"
MODEL_NONE = "random, from the seed"
NO_MODEL = "Shown with random weights: {reason}"
MODEL_POOLED_OUT = "The blocks of this model: {k}. It pools no further."
SHARE = "Share"
SHARE_ABOUT = "This link opens what you see now: graph, score, level, iteration and vertex."
OPTIONS = "Options"
SEED = "Seed"
SEED_HELP = "Of the random scores, or of the random weights of a learned score"
COMPLEMENT = "Complement (keep at least half)"
COMPLEMENT_HELP = "MIVSPool_comp: the best non-survivors are added until half of the vertices survive"
WEIGHTS = "Use the file's edge weights"
WEIGHTS_HELP = "A then holds them; selection and assignment ignore weights in any case"
LABELS = "On each vertex"
LABEL_NAMES = {"id": "its id", "label": "its label", "none": "nothing"}
SHOW_SCORES = "Show scores in the graph"

POOLING_LARGE = "A large graph: pooling all its levels takes a few seconds …"
SAMPLE = (
    "{n} vertices and {m} edges are more than a page can draw. Shown is a sample: {k} vertices that lie together, with "
    "the states, scores and iterations they have in the whole graph. The whole is pooled, measured and exported."
)
SAMPLE_REDUCED = "The sample's part of it. A vertex's size is its cluster's, an edge's width its weight."
SAMPLE_AROUND = "Show those around"
SAMPLE_PLACEHOLDER = "id of a vertex"
SAMPLE_HERE = "Around the chosen vertex"
SAMPLE_HERE_HELP = "Take the sample in the neighbourhood of the vertex that is lit"
SAMPLE_MISSING = "This graph has no vertex {vertex}: give an id as it stands in the file."
SAMPLE_NO_PREDICT = "This graph is too large to draw whole: to predict or change it, take a smaller one."
SAMPLE_S = "Shown for the sample; the download has every vertex."

LEVEL_FIRST = "Level {level} · {n} {n?vertex|vertices}"
LEVEL_NEXT = "{level} · {n}"
LEVELS = "Levels"
POOL_AGAIN = "Pool again"
POOLED_OUT = "One vertex a component is left: there is nothing more to pool."
START_OVER = "Back to level 0"

# badges: computed, not asserted
INDEPENDENT = "independent"
NOT_INDEPENDENT = "not independent"
INDEPENDENT_HELP = "Eq. 8, checked: no two survivors are neighbours"
NOT_INDEPENDENT_HELP = "Eq. 8, checked: some survivors are neighbours, because the complement added vertices"
MAXIMAL = "maximal"
NOT_MAXIMAL = "not maximal"
MAXIMAL_HELP = "Eq. 9, checked: every non-survivor has a survivor beside it"
RATIO = "{n} → {kept} {kept?vertex|vertices} ({ratio})"
RATIO_HELP = "Vertices before and after, and their ratio"
DENSITY = "density {before} → {after}"
DENSITY_HELP = "Edges there are, of the edges there could be"
MEAN_DEGREE = "mean degree {before} → {after}"
MEAN_DEGREE_HELP = "Neighbours a vertex has on average; weights and loops ignored"
COMPONENTS = "{before} → {after} {after?component|components}"
COMPONENTS_HELP = "Pooling by a maximal independent set never disconnects and never joins components"
TIES = "{ties} {ties?tie|ties} broken"
TIES_HELP = "Vertices whose fate the order decided between equal scores; another numbering may give others"
NO_TIES_HELP = "No two scores that mattered were equal: the numbering of the vertices decides nothing"

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
MEMBER = "member"
SHARE_OF_SUM = "s / Σs"
EQ3 = "SᵀAS (Eq. 3): its edges count the edges of its members"
INSIDE = "inside, counted twice"
EDGE_SUM = "{parts} = {total}"
NO_EDGES = "No edge leaves this cluster and none is inside."

REDUCED_TITLE = "The reduced graph: {n} {n?vertex|vertices}, {m} {m?edge|edges}"
REDUCED_ABOUT = "A vertex's size is its cluster's, an edge's width its weight."


def sentence(message: str) -> str:
    """An error's message as a sentence on a page."""
    named = "." in message.partition(" ")[0]  # a file's name stays as it is
    text = message if named else message[:1].upper() + message[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def fill(template: str, **values: str | int) -> str:
    """A template with its values: ``{name}``, and ``{count?one|many}`` by a number."""

    def choose(match: re.Match[str]) -> str:
        return match["one"] if values[match["count"]] == 1 else match["many"]

    chosen = re.sub(r"\{(?P<count>\w+)\?(?P<one>[^{}|]*)\|(?P<many>[^{}|]*)\}", choose, template)
    return re.sub(r"\{(\w+)\}", lambda match: str(values[match[1]]), chosen)
