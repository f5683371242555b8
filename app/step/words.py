"""The words of the Step page."""

from __future__ import annotations

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
WELCOME = "New here? Learn explains pooling in seven short chapters."
SIZE = "{n} {n?vertex|vertices}, {m} {m?edge|edges}"
REPAIRS = "Read with {n} {n?repair|repairs}"
LINK_TOO_LARGE = "This file is too large for a link and the backend keeps no uploads: a reload loses it."
SCORE = "Score"
NO_SCORE = "There is no score {score}; there are: {scores}."
MODEL_NO = "none needed"
MODEL_NONE = "random (seed {seed})"
NO_MODEL = "Shown with random weights: {reason}"
MODEL_POOLED_OUT = "The blocks of this model: {k}. It pools no further."
SHARE = "Share"
SHARE_ABOUT = "This link opens what you see now: graph, score, level, iteration and vertex."
OPTIONS = "Options"
COMPLEMENT = "Complement (keep at least half)"
COMPLEMENT_HELP = "MIVSPool_comp: the best non-survivors are added until half of the vertices survive"
WEIGHTS = "Use the file's edge weights"
WEIGHTS_HELP = "A then holds them; selection and assignment ignore weights in any case"
LABELS = "On each vertex"
LABEL_NAMES = {"id": "its id", "label": "its label", "none": "nothing"}
SHOW_SCORES = "Show scores in the graph"
SAMPLE_REDUCED = "The sample's part of it. A vertex's size is its cluster's, an edge's width its weight."
SAMPLE_NO_PREDICT = "This graph is too large to draw whole: to predict or change it, take a smaller one."
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
TIES_ABOUT = "equal scores, in which the order of the vertices decided"
NO_TIES_ABOUT = "the numbering of the vertices decides nothing"
REDUCED_TITLE = "The reduced graph: {n} {n?vertex|vertices}, {m} {m?edge|edges}"
REDUCED_ABOUT = "A vertex's size is its cluster's, an edge's width its weight."
PRESENT = "Present"
PRESENT_HELP = "Fill the window in large type, for a projector (p); Esc leaves"
HIDE = "Hide controls…"
