"""The words of what a lecturer uses: presenting, hiding controls, and what a cluster contributes to a class."""

from __future__ import annotations

PRESENT = "Present"
PRESENT_HELP = "Fill the window in large type, for a projector (p); Esc leaves"

HIDE = "Hide controls…"
HIDE_TITLE = "A link that shows only what you want"
HIDE_ABOUT = (
    "Tick what your students should not see. The link below opens this page without it; yours stays as it is."
)
HIDE_PRESENT = "Open in Present"
HIDE_PREDICT = "Open in Predict"
HIDE_OPEN = "Try the link"
HIDE_GROUPS = {"bar": "Above the graph", "canvas": "Around the graph", "below": "Below it"}

# what can be hidden, by the name in the link
CONTROLS = {
    "bar": {
        "menu": "the menu of pages",
        "graph": "choice of the graph",
        "score": "score",
        "model": "weights (model)",
        "mode": "mode (Watch, Predict, Change)",
        "edit": "Change, of the modes",
        "present": "Present",
        "options": "options",
        "share": "share",
        "take": "download",
        "about": "name and size of the graph",
        "levels": "levels",
    },
    "canvas": {
        "sentence": "the sentence",
        "play": "buttons to step and play",
        "counts": "counts",
        "timeline": "timeline",
        "bars": "scores",
        "why": "why",
        "formula": "the formula in it",
        "zoom": "zoom buttons",
        "table": "the table behind the graph",
    },
    "below": {
        "badges": "what was checked and measured",
        "assignment": "S, the assignment",
        "cluster": "one cluster computed",
        "reduced": "the reduced graph",
        "left-out": "what each cluster contributes",
    },
}
