"""Words that several parts of the app share; each page has its own in its folder (``words.py``).

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number (``mivspool.messages.fill``).
"""

from __future__ import annotations

TITLE = "MIVSPool"
ABOUT = "MIVSPool: graph pooling by maximal independent vertex sets, computed and explained step by step."
DOWNLOAD = "Download"
CHANGED_GRAPH = " (edited)"  # follows the name of a graph that was edited
GIVEN_LABEL = "user-defined"
GIVEN_ABOUT = "The scores that come with the graph, or yours: drag any of them in Edit."
WEIGHTS_OF = "Weights"
WEIGHTS_OF_HELP = (
    "A learned score needs weights: random ones drawn from the seed, or those of a trained model, either released or "
    "trained on the Train page. The model's blocks are then the levels, and the page shows what each cluster "
    "contributes to the predicted class."
)
# where the scores come from, in sight
SCORED = {
    "drawn": "Scores: {drawn}.",
    "given": "Scores: user-defined.",
    "random": "Scores: {score}, untrained (random weights, seed {seed}).",
    "model": "Scores: {score} with the trained weights of model {model}, block {block} of {blocks}.",
}
SEED = "Seed"
SEED_HELP = "Seed of the random scores, or of the random weights of a learned score"
POOLING_LARGE = "A large graph: pooling all its levels takes a few seconds …"
SAMPLE = (
    "This graph has {n} vertices and {m} edges, more than a page can draw. A sample of {k} nearby vertices is shown, "
    "with the states, scores and iterations that they have in the full graph. The full graph is pooled, measured and "
    "exported."
)
SAMPLE_AROUND = "Show the sample around"
SAMPLE_PLACEHOLDER = "id of a vertex"
SAMPLE_HERE = "Around the selected vertex"
SAMPLE_HERE_HELP = "Take the sample from the neighbourhood of the selected vertex"
SAMPLE_MISSING = "This graph has no vertex {vertex}: enter an id exactly as it is in the file."
SAMPLE_S = "Shown for the sample; the download contains every vertex."
TIES_BROKEN = "{ties} {ties?tie|ties} broken"
# S
S_TITLE = "S assigns {n} {n?vertex|vertices} to {kept} {kept?cluster|clusters}"
S_ROWS = "vertex"
S_AXES = "One row per vertex, one column per cluster (named after its survivor)."
S_COLUMNS = "cluster (named after its survivor)"
S_PICTURE = "Picture"
S_TABLE = "Table"
S_DOWNLOAD = "Download S (CSV)"
S_COLUMNS_TABLE = {
    "vertex": "vertex",
    "score": "score",
    "settled": "decided in iteration",
    "state": "became",
    "cluster": "cluster",
    "share": "share in Eq. 12",
    "factor": "factor in the sum of Eq. 12",
}
STATES = {
    "candidate": "candidate",
    "survivor": "survivor",
    "non_survivor": "non-survivor",
    "added": "added survivor",
}
# one cluster
CLUSTER_TITLE = "The cluster of {survivor} becomes one vertex"
CLUSTER_NONE = "Select a vertex to see how its cluster is calculated."
EQ12 = {
    "mean": "Eq. 12: its features are the mean of its members', weighted by score",
    "sum": "Eq. 12 without its denominator: its features are the sum of its members', weighted by score",
}
FEATURES_MORE = "{more} more {more?feature|features}"
HIDDEN_FEATURES = (
    "Block {block} pools the {n} features that its layers compute; the number below h is the channel. Shown are the "
    "{k} largest in X′; {more} more {more?is|are} not 0."
)
HIDDEN_LARGE = "The features that this block pools are not shown for a graph this large."
STANDARDISED = "Features are standardised over the graph: mean 0, standard deviation 1."
MEMBER = "member"
SHARE_OF_SUM = "s / Σs"
EQ3 = "SᵀAS (Eq. 3): its edge weights count the edges of its members"
MULTIPLIED_OUT = "Multiplied out"
BLOCK = "S keeps the rows of the cluster of {rows} and the columns of the cluster of {columns} in A:"
MORE_CLUSTERS = "and {more} more {more?cluster|clusters}"
INSIDE = "inside, counted twice"
INSIDE_VERTEX = "inside the vertex, already counted twice"
NO_EDGES = "No edge leaves this cluster, and none is inside it."


FIGURE_ALT = (
    "The network: {convolutions} {convolutions?convolution|convolutions}, {poolings} {poolings?pooling|poolings}, with "
    "{sizes} {last?vertex|vertices}; {readouts} {readouts?readout|readouts}, {joined} and passed to an MLP; "
    "predicted class {best}."
)
FIGURE_GRAPH = "Graph"
FIGURE_INPUT = "{n:,} {n?vertex|vertices} · {m:,} {m?edge|edges}"
FIGURE_FEATURES = "{d} {d?feature|features} per vertex"
FIGURE_BLOCK = "Block {k}"
FIGURE_MORE = "and {n} more {n?class|classes}"
FIGURE_OPEN = "Open the pooling of block {k}"
FIGURE_POOLING = "Pooling {k}"
FIGURE_CONVOLUTION_TITLE = "Convolution"
FIGURE_CONVOLUTION = "{name} {before} → {after}, ReLU"
FIGURE_WITHOUT_EDGES = "MLP {before} → {after}, ReLU"
FIGURE_RESIDUAL = " + x"
FIGURE_NORMALISATION = "batch normalisation"
FIGURE_SUM = "sum"
FIGURE_JOIN = {"sum": "Σ", "concatenate": "‖"}
FIGURE_JOINED = {"sum": "summed", "concatenate": "concatenated"}
FIGURE_VERTICES = "{before:,} → {after:,} {after?vertex|vertices}"
FIGURE_EDGES = "{before:,} → {after:,} {after?edge|edges}"
FIGURE_WIDTH = "{n}-dimensional"
FIGURE_MLP = "MLP"
STARTING = "Starting the backend (once, a few seconds)…"
CLASSIFYING_LARGE = "A large graph: classifying it takes a few seconds …"
IMPORTANCE_ASK = "Explain {n:,} {n?vertex|vertices}"
IMPORTANCE_WAIT = "Computing the explanation…"
IMPORTANCE_NONE = {
    "leaving_out": "The graph has one vertex: without it, nothing would remain to classify.",
    "gradients": "Integrated gradients keep survivors and clusters fixed, which is implemented for MIVSPool only.",
}
# the value of a vertex: percentage points of the probability, or what it adds to the log-odds
IMPORTANCE_UNIT = {
    "leaving_out": "{vertex}, {value} percentage points",
    "gradients": "{vertex}, {value}",
}
IMPORTANCE_SENTENCE = "{title}: {what}."
IMPORTANCE_FOR = "most in favour: {which}"
IMPORTANCE_AGAINST = "most against it: {which}"
IMPORTANCE_NOTHING = "no vertex matters by itself"
IMPORTANCE_FAITHFUL = {
    "yes": "Faithful: removing the vertices in this order lowers the probability sooner than random orders do, by "
    "{gain} percentage points on average (95 % interval {low} to {high}, {orders} orders).",
    "no": "Not faithful: removing the vertices in this order lowers the probability later than random orders do, by "
    "{gain} percentage points on average (95 % interval {low} to {high}, {orders} orders).",
    "open": "Not shown to be faithful: removing the vertices in this order lowers the probability about as random "
    "orders do ({gain} percentage points on average, 95 % interval {low} to {high}, {orders} orders).",
}
IMPORTANCE_AGREEMENT = "Spearman’s rank correlation between the two methods is {rho}."
IMPORTANCE_GAP = (
    "The values add up to what the features contribute to the log-odds, {whole}, except for a gap of {gap}."
)
IMPORTANCE_COLUMNS = {
    "vertex": "vertex",
    "label": "label",
    "leaving_out": "drop in probability without it",
    "gradients": "integrated gradients (log-odds)",
}
WHY_TITLE = "Why this class"
WHY = {"clusters": "Clusters", "leaving_out": "Vertices", "gradients": "Vertices (gradients)"}
WHY_HELP = (
    "Clusters, vertices: the graph is classified again without them, and the drop in probability is shown. "
    "Gradients: integrated gradients of the log-odds of the predicted class, with survivors and clusters held fixed. "
    "The wider the halo, the more the vertex matters; coloured ones speak for the class, grey ones against it."
)
INSIDE_HELP = (
    "What each layer of this block computes for the selected vertex, and how all blocks together give the logits. "
    "Every number is the one that PyTorch computes. Each cell of a strip is a channel; the table lists all values."
)
INSIDE_COLUMNS = {
    "layer": "layer",
    "vertex": "vertex",
    "quantity": "quantity",
    "channel": "channel",
    "value": "value",
    "from": "vertex of the maximum",
}
SURVIVOR = "survivor"
MANY_AXIS = "probability of the predicted class"
MANY_COUNT = "graphs"
CONFUSION_HOVER = "true %{y}, predicted %{x}: %{text}<extra></extra>"
CONFUSION_PREDICTED = "predicted class"
CONFUSION_TRUE = "true class"
SECONDS = "{n} s"
MINUTES = "{n} min"
HOURS = "{n:.1f} h"
SEED_HELP_METHODS = "Seed of random scores, and of the random weights of learned methods"
CHANGED = ": {n} changed"
JOB_STATE = "State"
JOB_STATES = {
    "queued": "waiting",
    "running": "running",
    "done": "done",
    "failed": "failed",
    "cancelled": "cancelled",
    "interrupted": "interrupted",
    "cancelling": "cancelling",
}
FOLD_AXIS = "fold"
NOT_ADMITTED = (
    "Other people can reach this address, and nobody has said that they may. Start the app with `mivspool app`. "
    "Or, for this computer alone, start it with `streamlit run app/main.py --server.address 127.0.0.1`. "
    "Or, if everyone may use it, set MIVSPOOL_PUBLIC=1; visitors are then kept apart."
)
NOT_SEPARATE = (
    "other people can reach this app, but its backend does not separate visitors: start the backend with "
    "MIVSPOOL_SEPARATE_VISITORS=true, or let visitors see each other's jobs with MIVSPOOL_SEPARATE_VISITORS=false here"
)
HIDE_TITLE = "A link with controls hidden"
HIDE_ABOUT = (
    "Tick the controls that your students should not see. The link below opens this page without them; your own "
    "page stays as it is."
)
HIDE_PRESENT = "Open in Present"
HIDE_PREDICT = "Open in Predict"
HIDE_OPEN = "Try the link"
HIDE_GROUPS = {"bar": "Above the graph", "canvas": "Around the graph", "below": "Below the graph"}
# what can be hidden, by the name in the link
CONTROLS = {
    "bar": {
        "menu": "page menu",
        "graph": "graph",
        "score": "score",
        "model": "weights (model)",
        "mode": "mode (Step through, Predict, Edit)",
        "edit": "Edit mode",
        "present": "Present",
        "options": "options",
        "share": "share",
        "take": "download",
        "about": "name and size of the graph",
        "levels": "levels",
    },
    "canvas": {
        "sentence": "sentence on the current step",
        "play": "buttons to step and play",
        "counts": "counts",
        "timeline": "timeline",
        "bars": "scores",
        "code": "pseudocode",
        "why": "explanation of the selected vertex",
        "formula": "formula in the explanation",
        "zoom": "zoom buttons",
        "table": "the graph as a table",
    },
    "below": {
        "free": "free layout",
        "badges": "properties and measures",
        "assignment": "assignment S",
        "cluster": "cluster calculation",
        "reduced": "reduced graph",
        "left-out": "contribution of each cluster",
    },
}
