"""Every word of the static site that is not a chapter's or the canvas's.

Templates: ``{name}`` is filled in; ``{count?one|many}`` chooses by a number.
"""

from __future__ import annotations

TITLE = "MIVSPool"
ABOUT = "Graph pooling by Maximal Independent Vertex Set, step by step"
LEARN = "Learn"
STEP = "Step"
PREDICT = "Predict"
CHANGE = "Change"
PAGES_LABEL = "Pages"
SKIP = "To the content"
GRAPH = "Graph"
SCORE = "Score"
MODE = "Mode"
WATCH = "Watch"
PRESENT = "Present"
LEVELS = "Levels"
OPEN_IN_STEP = "Open in Step"
WITHOUT_SCRIPT = "The graph needs JavaScript, which this browser has switched off. The text does not."
FOOT = "Made by MIVSPool {version}. Everything on these pages is in this folder: nothing is fetched from elsewhere."
PAPER = "The method: S. Stanovic, B. Gaüzère and L. Brun, “Maximal Independent Vertex Set applied to Graph Pooling”."

GROUP_MAO = "Molecules (MAO)"
GROUP_CHALLENGES = "To predict on"
CHALLENGE = "Difficulty {level}, number {number}"
GROUP_OWN = "More graphs"

GIVEN_LABEL = "given by hand"
UNTRAINED = "{score} (untrained)"

# what the script says
WORDS = {
    "light": "Light",
    "dark": "Dark",
    "theme": "Switch to the {theme} theme",
    "size": "{n} {n?vertex|vertices} · {m} {m?edge|edges}",
    "missing": "This graph's file ({file}) could not be read: is the folder complete?",
    "unknown": "There is no graph “{source}” here; this is another.",
    "wrong_change": "The change that this link holds does not fit this graph: here it is unchanged.",
    "changed": "{title}, changed",
    "unchanged": "Back to the unchanged graph",
    "changed_says": "What you change is computed in this page, and the link holds it. A changed graph's scores are "
    "given by hand: those that a network learns, and the classes of a changed molecule, need the app.",
    "unknown_value": "?",
    "level_first": "Level 0 · {n} {n?vertex|vertices}",
    "level_next": "{level} · {n}",
    "independent": "independent",
    "not_independent": "not independent",
    "maximal": "maximal",
    "not_maximal": "not maximal",
    "ratio": "{n} → {kept} {kept?vertex|vertices} ({ratio})",
    "mean_degree": "mean degree {before} → {after}",
    "components": "{before} → {after} {after?component|components}",
    "S": "S assigns {n} {n?vertex|vertices} to {kept} {kept?cluster|clusters}",
    "S_large": "S has {n} rows here: too many to show.",
    "S_about": "A row a vertex, a column a survivor, one 1 in each row.",
    "cluster": "The cluster of {survivor} becomes one vertex",
    "eq12": "Eq. 12: its features are the mean of its members', weighted by score",
    "member": "member",
    "score": "score",
    "share": "s / Σs",
    "eq3": "SᵀAS (Eq. 3): its edges count the edges of its members",
    "inside": "inside, counted twice",
    "no_edges": "No edge leaves this cluster and none is inside.",
    "more": "… and {more} more",
}
