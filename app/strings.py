"""Every word of the app, in one place.

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number; in the canvas a value that is a vertex
becomes something to point at. The canvas's own words lie with it (mivspool/canvas/strings.py).
"""

from __future__ import annotations

import re

TITLE = "MIVSPool"

DOWNLOAD = "Download"
DOWNLOAD_AS = "As"
DOWNLOAD_FORMATS = {
    "html": "web page",
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "tex": "TikZ",
    "gif": "GIF",
    "mp4": "MP4",
}
DOWNLOAD_EXTENT = "Of"
DOWNLOAD_EXTENTS = {"all": "all iterations", "one": "the step that is seen"}
DOWNLOAD_STEP = "The graph as it stands at this step."
_PANELS = (
    "All iterations as panels (a), (b), (c) …, the assignment and the reduced graph, in the paper's manner"
)
DOWNLOAD_ABOUT = {
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
DOWNLOAD_MAKING = "Drawing …"
DOWNLOAD_BUTTON = "Download {format}"

MODES_LABEL = "Mode"
MODES = {"": "Watch", "predict": "Predict", "edit": "Change"}

PAGE_STEP = "Step"
WELCOME = "New here? Learn explains pooling in seven short chapters."

# the bar at the top of Step
COLLECTION = "Graphs"
COLLECTION_HELP = (
    "Choose from the list, or type: a name (karate, petersen), words (two cliques), or a data set with a "
    "number (MAO 3)"
)
COLLECTION_FILE = "Your own graph"
FIND_NONE = "No graph here is called “{text}”."
FIND_HOW = (
    "Type a part of a name (karate, petersen, bridge) or a data set with a number (MAO 3); for a file of yours, choose "
    "“Your own graph” in Graphs."
)
FIND_NEAR = "Did you mean one of these?"
FIND_SEVERAL = "“{text}” fits more than one graph: choose one."
FIND_NUMBER = "The graphs of {name} have the numbers 0 to {last}."
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
GIVEN_LABEL = "given by hand"
GIVEN_ABOUT = "The graph's own values, or yours: Change lets you drag each of them."
NO_SCORE = "There is no score {score}; there are: {scores}."
MODEL = "Weights"
MODEL_HELP = (
    "A learned score needs weights: random ones of the seed, or those that a model has learned, released or trained "
    "on the Train page. Its blocks are then the levels, and below stands what each cluster contributes to the class."
)
MODEL_NO = "none needed"
MODEL_NONE = "random (seed {seed})"
# where the scores come from, in sight
SCORED = {
    "drawn": "Scores: {drawn}.",
    "given": "Scores: values given by hand or with the graph.",
    "random": "Scores: {score} with random weights (seed {seed}): nothing was learned.",
    "model": "Scores: {score} with the weights that model {model} has learned, block {block} of {blocks}.",
}
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

# badges: what was computed, and what it means
INDEPENDENT = "independent"
NOT_INDEPENDENT = "not independent"
INDEPENDENT_ABOUT = "no two survivors are neighbours (Eq. 8)"
NOT_INDEPENDENT_ABOUT = "some survivors are neighbours: the complement added vertices (Eq. 8)"
MAXIMAL = "maximal"
NOT_MAXIMAL = "not maximal"
MAXIMAL_ABOUT = "every non-survivor has a survivor beside it (Eq. 9)"
NOT_MAXIMAL_ABOUT = "some non-survivor has no survivor beside it (Eq. 9)"
RATIO = "{n} → {kept} {kept?vertex|vertices}"
RATIO_ABOUT = "{ratio} of the vertices are left"
DENSITY = "density {before} → {after}"
DENSITY_ABOUT = "edges there are, of the edges there could be"
MEAN_DEGREE = "mean degree {before} → {after}"
MEAN_DEGREE_ABOUT = "neighbours a vertex has on average"
COMPONENTS = "{before} → {after} {after?component|components}"
COMPONENTS_ABOUT = "pooling never disconnects and never joins them"
TIES = "{ties} {ties?tie|ties} broken"
TIES_ABOUT = "equal scores, in which the order of the vertices decided"
NO_TIES_ABOUT = "the numbering of the vertices decides nothing"

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
