"""Every word of the app, in one place.

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number; in the canvas a value that is a vertex
becomes something to point at. CANVAS goes to the browser once, with the script.
"""

from __future__ import annotations

import re

TITLE = "MIVSPool"

# count words up to twelve read better than digits inside a sentence
NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]

# what happens in each step, above the picture
SENTENCES = {
    "start": "Iteration 0 of {T}: every vertex is a candidate. In each iteration, a candidate survives if no candidate "
    "beside it scores higher.",
    "start_empty": "This graph has no vertices.",
    "iteration": "Iteration {k} of {T}: {new} {new?vertex survives|vertices survive}, because no candidate beside "
    "{new?it|them} scores higher",
    "iteration_more": "Iteration {k} of {T}: {new} more {new?vertex survives|vertices survive}, because no candidate "
    "beside {new?it|them} scores higher",
    "struck": "{struck} {struck?is|are} struck out",
    "none_struck": "none is struck out",
    "left": "{left} {left?is|are} left",
    "none_left": "no candidate is left",
    "complement": "Complement: {added} non-{added?survivor|survivors} with the highest scores {added?is|are} added, "
    "so that at least half survive. Two survivors may now be neighbours (Eq. 8 no longer holds).",
    "assign": "Assignment (Eq. 11): {moved} {moved?vertex goes|vertices go} to {moved?its|their} best surviving "
    "{moved?neighbour|neighbours}, which makes {clusters} {clusters?cluster|clusters}.",
    "assign_none": "Assignment (Eq. 11): every vertex survived, each is a cluster of its own.",
    "pool": "Reduced graph (SᵀAS): each cluster becomes one vertex; {n} {n?vertex|vertices} {n?becomes|become} "
    "{clusters}. An edge's width is the number of edges it stands for.",
}

WHY = {
    "title": "Why {v}?",
    "pick": "Choose a vertex in the graph or a bar to see why it survives or not.",
    "now": "Now",
    "next": "Next",
    "then": "Eq. 10",
    # now
    "candidate_waits": "{v} ({score}) is a candidate. Its candidate neighbour {rival} ({rival_score}) scores higher.",
    "candidate_wins": "{v} ({score}) is a candidate, and no candidate beside it scores higher.",
    "candidate_alone": "{v} ({score}) is a candidate, and none of its neighbours is one.",
    "survived": "{v} survives since iteration {at}: {score} is the highest among its candidate {others?neighbour|"
    "neighbours} {list}.",
    "survived_tie": "{v} survives since iteration {at}: it ties at {score} with {rival}, and the {tie_rule}.",
    "survived_alone": "{v} survives since iteration {at}: it had no candidate neighbour.",
    "struck": "{v} ({score}) was struck out in iteration {at}, because its neighbour {by} ({by_score}) survived.",
    "added": "{v} ({score}) was struck out in iteration {at} and is now added by the complement, to keep half.",
    "tie_index": "tie goes to the vertex that comes first",
    "tie_key": "tie goes by degree, then by the neighbours' scores, then by index",
    # next
    "will_survive": "In iteration {k} it survives: {score} is the highest among its candidate {others?neighbour|"
    "neighbours} {list}.",
    "will_survive_tie": "In iteration {k} it survives: it ties at {score} with {rival}, and the {tie_rule}.",
    "will_survive_alone": "In iteration {k} it survives: nothing beside it is a candidate.",
    "will_be_struck": "In iteration {k} its neighbour {by} ({by_score}) survives, so {v} is struck out.",
    "will_wait": "In iteration {k} it stays a candidate: {rival} scores higher, but is itself beaten by {rival_of} "
    "({rival_of_score}).",
    "stays": "It stays a survivor. The assignment gives it {members?one vertex|{members_word} vertices}: {list}.",
    "stays_alone": "It stays a survivor, alone in its cluster.",
    "will_go": "The assignment gives it to {to} ({to_score}), its best surviving neighbour (Eq. 11).",
    "will_go_only": "The assignment gives it to {to} ({to_score}), its only surviving neighbour (Eq. 11).",
    "will_be_added": "The complement will add it as a survivor.",
    "goes": "It goes to {to} ({to_score}), its best surviving neighbour (Eq. 11).",
    "goes_only": "It goes to {to} ({to_score}), its only surviving neighbour (Eq. 11).",
    "gathers": "Its cluster: {list}.",
    "gathers_alone": "It is alone in its cluster.",
    "more": "and {more} more",
    "and": "and",
}

CANVAS = {
    "numbers": NUMBERS,
    "sentences": SENTENCES,
    "why": WHY,
    "states": ["candidate", "survivor", "non-survivor"],
    "states_many": ["candidates", "survivors", "non-survivors"],
    "vertex": "vertex {v}",
    "graph": "Graph of {n} vertices and {m} edges. Left and right arrow keys step through the iterations, up and down "
    "choose a vertex, plus and minus zoom.",
    "first": "First step (Home)",
    "previous": "Step back (←)",
    "play": "Play (space)",
    "pause": "Pause (space)",
    "next": "Next step (→)",
    "last": "Last step (End)",
    "speed": "Speed",
    "slider": "Iteration",
    "fit": "Show the whole graph (0)",
    "zoom_in": "Zoom in (+)",
    "zoom_out": "Zoom out (−)",
    "step_iteration": "iteration {k}",
    "step_complement": "complement",
    "step_assign": "assign",
    "step_pool": "pool",
    "counts": "{c} candidates, {s} survivors, {x} non-survivors",
    "bars": "Scores, highest first",
    "bars_from": "bars start at {from}",
    "bars_label": "Vertices by score, highest first. Up and down arrow keys choose one.",
    "empty": "This graph has no vertices, so there is nothing to pool.",
    "times": "×{n}",
    "size": "{n} vertices · {m} edges",
    "predict": {
        "ask": "Which candidates survive in iteration {k}? Choose them in the graph, then check.",
        "none": "None chosen yet. Those that score higher than every candidate beside them survive.",
        "chosen": "Chosen: {list}",
        "check": "Check",
        "next": "Next iteration",
        "all_right": "All right: {right} of {of}.",
        "some_right": "{right} of {of} right.",
        "missed": "{v} was missed.",
        "wrong": "{v} was chosen.",
        "more": "and {more} more",
        "done": "No candidate is left.",
        "another": "Another graph",
        "again": "The same again",
        "tally": "{right} of {of} right in this session",
    },
}

TAKE = "Take it away"
TAKE_WHAT = "As"
TAKE_FORMATS = {"html": "web page", "png": "PNG", "svg": "SVG", "pdf": "PDF", "tex": "TikZ", "gif": "GIF"}
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
}
TAKE_MAKING = "Drawing …"
TAKE_DOWNLOAD = "Download {format}"

MODES_LABEL = "Mode"
MODES = {"": "Watch", "predict": "Predict"}

PAGE_STEP = "Step"

# the bar at the top of Step
COLLECTION = "Graphs"
COLLECTION_CLASSICS = "Classic graphs"
COLLECTION_MADE = "Made to show something"
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
REPAIRS = "Read with {n} {n?repair|repairs}"
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
    "given": "The values that this graph was made with.",
}
NO_SCORE = "There is no score {score}; there are: {scores}."
MODEL = "Weights"
MODEL_HELP = "A learned score needs weights: random ones of the seed, or those that a model has learned"
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
    text = message[:1].upper() + message[1:]
    return text if text.endswith((".", "!", "?", "…")) else f"{text}."


def fill(template: str, **values: str | int) -> str:
    """A template with its values: ``{name}``, and ``{count?one|many}`` by a number."""

    def choose(match: re.Match[str]) -> str:
        return match["one"] if values[match["count"]] == 1 else match["many"]

    chosen = re.sub(r"\{(?P<count>\w+)\?(?P<one>[^{}|]*)\|(?P<many>[^{}|]*)\}", choose, template)
    return re.sub(r"\{(\w+)\}", lambda match: str(values[match[1]]), chosen)
