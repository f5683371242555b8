"""The words of the About page."""

from __future__ import annotations

WHAT = (
    "MIVSPool computes and explains graph pooling by maximal independent vertex sets: a layer of a graph neural "
    "network selects the survivors by Meer's iterations, assigns every other vertex to one of them, and so makes a "
    "smaller graph. It is a browser app, a Python library and a command line."
)
PAPER = "The paper"
PAPER_ABOUT = "{authors}: “{title}”, {year}, [arXiv:{arxiv}]({address}). Cite it where you use the method."
SOFTWARE = "The software"
SOFTWARE_ABOUT = (
    "Version {version}, free under the MIT licence: use it, change it and pass it on, with its notice. "
    "To cite the software beside the paper, name “MIVSPool” and this version."
)

DATA = "Your data"
DATA_ABOUT = (
    "This server keeps {jobs} {jobs?job|jobs}, {uploads} {uploads?upload|uploads} and {models} "
    "{models?model|models} of yours. They are known as yours by a random name that this browser keeps and that the "
    "server stores only as a digest. A finished job is deleted after {job_days} {job_days?day|days}, an upload after "
    "{upload_days} {upload_days?day|days}; a saved model stays. The address a job was submitted from is kept until the "
    "job has ended."
)
DATA_DELETE = "Delete my data"
DATA_SURE = "Delete all jobs, uploads and saved models of mine"
DATA_DELETED = "All your data on this server are deleted."

KEYS = "Keyboard shortcuts"
KEYS_ABOUT = (
    "The arrow keys work anywhere on a page with a graph. The others need the focus on the graph: click it, or reach "
    "it with Tab."
)
KEYS_HEADINGS = ("Key", "What it does")
KEY_GROUPS: dict[str, tuple[tuple[tuple[str, ...], str], ...]] = {
    "Anywhere on the page": (
        (("ArrowRight", "ArrowLeft"), "one step on, one step back"),
        (("Home", "End"), "the first step, the last step"),
        ((" ",), "play, pause"),
        (("b",), "step by the parts of an iteration; again: by whole iterations"),
        (("p",), "present on a projector; again: stop presenting"),
    ),
    "With the focus on the graph": (
        (("ArrowDown", "ArrowUp"), "select the next vertex, the previous vertex (in the order of scores)"),
        (("Escape",), "select no vertex"),
        (("+", "=", "-"), "zoom in, zoom out"),
        (("0",), "fit the graph into the picture"),
        (("Shift+Arrow",), "move the picture"),
    ),
    "Predict": (
        ((" ", "Enter"), "choose the selected vertex, draw its arrow or connect it; again: take it back"),
        (("ArrowRight",), "check the prediction, go on"),
    ),
    "Edit": (
        (("a", "Insert"), "add a vertex"),
        (("c",), "connect the selected vertex: select another, then Enter joins them or separates them"),
        (("Delete", "Backspace"), "delete the selected vertex"),
        (("+", "=", "-", "_"), "raise its score, lower its score"),
        (("Alt+Arrow",), "move the selected vertex"),
        (("Ctrl+z", "Ctrl+Shift+z", "Ctrl+y"), "undo, redo"),
    ),
    "Presenting": (
        (("PageDown", "PageUp"), "one step on, one step back (as a presenter's remote sends them)"),
        (("f",), "full screen"),
        (("Escape",), "stop presenting"),
    ),
}
KEY_NAMES = {
    " ": "Space",
    "ArrowRight": "→",
    "ArrowLeft": "←",
    "ArrowUp": "↑",
    "ArrowDown": "↓",
    "Shift+Arrow": "Shift + arrow",
    "Alt+Arrow": "Alt + arrow",
    "PageDown": "Page Down",
    "PageUp": "Page Up",
    "-": "−",
    "Ctrl+z": "Ctrl + Z",
    "Ctrl+Shift+z": "Ctrl + Shift + Z",
    "Ctrl+y": "Ctrl + Y",
    "b": "B",
    "p": "P",
    "f": "F",
    "a": "A",
    "c": "C",
}

GLOSSARY = "Glossary"
TERMS = {
    "Vertex, edge, adjacent": "A graph has vertices and edges. Two vertices joined by an edge are adjacent; each is "
    "the other's neighbour.",
    "Score (s)": "A positive number per vertex that says how important it is: learned by the network, counted from the "
    "graph, drawn at random or user-defined.",
    "Candidate": "A vertex of which nothing is decided yet (q is true in Eq. 10). At the start every vertex is one.",
    "Survivor": "A vertex that is kept: no neighbouring candidate had a higher score (p is true in Eq. 10).",
    "Non-survivor": "A vertex that was eliminated, because one of its neighbours survived.",
    "Iteration": "One update of all vertices at once by Eq. 10. The iterations end when no candidates remain.",
    "Tie": "Two adjacent candidates with equal scores. A strict order breaks it, the lower index first, because both "
    "would survive otherwise.",
    "Maximal independent vertex set (MIVS)": "A set of vertices of which no two are adjacent (independent, Eq. 8), to "
    "which no other vertex can be added (maximal, Eq. 9). The survivors are one.",
    "Complement": "The variant that adds the best non-survivors until at least half of the vertices survive. Two "
    "survivors may then be adjacent.",
    "Assignment matrix (S)": "One row per vertex, one column per survivor: exactly one 1 per row, in the column of the "
    "survivor that the vertex is assigned to (Eq. 11).",
    "Cluster": "A survivor with all vertices that are assigned to it.",
    "Reduced graph": "One vertex per cluster, with the adjacency matrix SᵀAS (Eq. 3): an edge's weight counts the "
    "edges between two clusters.",
    "Level": "A graph in the hierarchy: level 0 is the input, and pooling level l gives level l + 1.",
    "Readout": "What turns the features of all vertices into one vector per graph, here their mean and maximum.",
}
