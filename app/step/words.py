"""The words of the Step page."""

from __future__ import annotations

DOWNLOAD_AS = "Format"
DOWNLOAD_FORMATS = {
    "html": "web page",
    "free": "free layout",
    "png": "PNG",
    "svg": "SVG",
    "pdf": "PDF",
    "tex": "TikZ",
    "gif": "GIF",
    "mp4": "MP4",
}
DOWNLOAD_PARTS = "{about} Each iteration is shown in its three parts."
DOWNLOAD_EXTENT = "Content"
DOWNLOAD_EXTENTS = {"all": "all iterations", "one": "current step"}
DOWNLOAD_STEP = "The graph at the current step."
_PANELS = "All iterations as panels (a), (b), (c) …, the assignment and the reduced graph, in the style of the paper"
DOWNLOAD_ABOUT = {
    "html": "One file that steps through this level in any browser, without this app and without a network connection.",
    "free": "One file to pull apart in any browser: the current step as a network with forces, by pyvis.",
    "png": f"{_PANELS}, for a slide.",
    "svg": f"{_PANELS}, to scale and edit.",
    "pdf": f"{_PANELS}, for a paper.",
    "tex": f"{_PANELS}, as LaTeX that compiles by itself.",
    "gif": "An animation: one frame per step, one second each.",
    "mp4": "A video: one frame per step, one second each.",
}
FREE = "Free layout"
FREE_OF = {"": "off", "level": "this level", "reduced": "reduced graph"}
FREE_HELP = "The graph as a network with forces, to pull apart. It follows the step of the graph above."
FREE_STRINGS = {
    "use": "Use this layout",
    "use_help": "Draw the graph above with the vertices where they are here",
    "fit": "Show all",
    "forces": "Forces",
    "label": "The graph as a network whose vertices can be dragged",
}
COLOUR = "Colour"
COLOUR_HELP = "Shape and border still show the state."
SIZE_BY = "Size"
BY_STATE = "by state"
BY_CLUSTER_SIZE = "by cluster size"
CLUSTER = "cluster"
DEGREE = "degree"
SCORE_OF = "score"
CLUSTERS_LATER = "The clusters follow the assignment; until then, colour shows the state."
FREE_FORGET = "Original layout"
FREE_FORGET_HELP = "Draw the graph as before its layout was changed"
FREE_TOO_LARGE = (
    "{n} vertices are drawn; at most {most} can be pulled apart. Choose a smaller graph or a higher level."
)
DATA = "Data"
DATA_WHAT = "Content"
DATA_THINGS = {
    "graph": "the graph as it was read",
    "level": "level {level}",
    "reduced": "the reduced graph of level {level}",
    "S": "S, the assignment of level {level}",
    "scores": "the scores of level {level}",
}
DATA_AS = "File format"
DATA_DOWNLOAD = "Download the data"
DOWNLOAD_MAKING = "Drawing …"
DOWNLOAD_BUTTON = "Download {format}"
MODES_LABEL = "Mode"
MODES = {"": "Step through", "predict": "Predict", "edit": "Edit"}
WELCOME = "New to pooling? Start with Learn."
SIZE = "{n} {n?vertex|vertices}, {m} {m?edge|edges}"
REPAIRS = "{n} {n?repair|repairs} made while reading"
LINK_TOO_LARGE = (
    "This file is too large for a link, and the backend keeps no uploads: reloading the page loses it."
)
SCORE = "Score"
NO_SCORE = "There is no score called {score}. Available scores: {scores}."
MODEL_NO = "not used"
MODEL_NONE = "random (seed {seed})"
NO_MODEL = "Shown with random weights: {reason}"
MODEL_POOLED_OUT = "This model has {k} {k?block|blocks} and pools no further."
SHARE = "Share"
SHARE_ABOUT = "This link opens the current view: graph, score, level, iteration and vertex."
EMBED_ABOUT = "This code shows it in another page:"
EMBED_NONE = "This app lets no page of another site show it. Set MIVSPOOL_EMBED to let one."
EMBED_SOME = "Only pages of these sites may show it: {sites}"
OPTIONS = "Options"
COMPLEMENT = "Complement (keep at least half)"
COMPLEMENT_HELP = (
    "MIVSPool_comp: the non-survivors with the highest scores are added until half of the vertices survive"
)
WEIGHTS = "Use the file's edge weights"
WEIGHTS_HELP = "A then contains them; selection and assignment ignore edge weights in either case"
LABELS = "Vertex labels"
LABEL_NAMES = {"id": "id", "label": "label", "none": "none"}
SHOW_SCORES = "Show scores in the graph"
SAMPLE_REDUCED = (
    "The part of it that belongs to the sample. Vertex size shows cluster size; edge width shows weight."
)
SAMPLE_NO_PREDICT = "This graph is too large to draw in full: to predict or edit, choose a smaller one."
LEVEL_FIRST = "Level {level} · {n} {n?vertex|vertices}"
LEVEL_NEXT = "{level} · {n}"
LEVEL_LATER = "{level}"
LEVELS = "Levels"
LATER_CHECKS = "The checks and the sizes follow iteration {T}, after which no candidates remain."
LATER_ASSIGNMENT = "The assignment matrix S follows the iterations (Eq. 11)."
LATER_CLUSTER = "The cluster of the selected vertex follows the assignment."
LATER_REDUCED = "The reduced graph follows the assignment (SᵀAS)."
TO_THE_END = "Go to the result"
POOL_AGAIN = "Pool again"
POOLED_OUT = "One vertex per component remains: there is nothing more to pool."
START_OVER = "Back to level 0"
# badges: what was computed, and what it means
INDEPENDENT = "independent"
NOT_INDEPENDENT = "not independent"
INDEPENDENT_ABOUT = "no two survivors are adjacent (Eq. 8)"
NOT_INDEPENDENT_ABOUT = "some survivors are adjacent: the complement added vertices (Eq. 8)"
MAXIMAL = "maximal"
NOT_MAXIMAL = "not maximal"
MAXIMAL_ABOUT = "every non-survivor has a surviving neighbour (Eq. 9)"
NOT_MAXIMAL_ABOUT = "some non-survivor has no surviving neighbour (Eq. 9)"
RATIO = "{n} → {kept} {kept?vertex|vertices}"
RATIO_ABOUT = "{ratio} of the vertices remain"
DENSITY = "density {before} → {after}"
DENSITY_ABOUT = "fraction of possible edges present"
MEAN_DEGREE = "mean degree {before} → {after}"
MEAN_DEGREE_ABOUT = "average number of neighbours per vertex"
COMPONENTS = "{before} → {after} {after?component|components}"
COMPONENTS_ABOUT = "pooling neither splits nor joins components"
TIES_ABOUT = "equal scores of neighbours, decided by vertex order"
NO_TIES_ABOUT = "no ties: vertex order has no effect"
REDUCED_TITLE = "The reduced graph: {n} {n?vertex|vertices}, {m} {m?edge|edges}"
REDUCED_ABOUT = "Vertex size shows cluster size; edge width shows weight."
PRESENT = "Present"
PRESENT_HELP = "Fill the window, with large type for a projector (p); Esc exits"
HIDE = "Hide controls…"
