"""The words of choosing a graph."""

from __future__ import annotations

from mivspool.content.shared import (
    PASTE_FIRST,
    PASTE_OPEN,
    PASTE_PLACEHOLDER,
    PASTED_NAME,
    READ_AGAIN,
    UPLOAD,
    UPLOAD_FILES,
)

__all__ = [
    "PASTED_NAME",
    "PASTE_FIRST",
    "PASTE_OPEN",
    "PASTE_PLACEHOLDER",
    "READ_AGAIN",
    "UPLOAD",
    "UPLOAD_FILES",
]

# the bar at the top of Step
COLLECTION = "Graph"
COLLECTION_HELP = (
    "Choose from the list, or search by name (karate, petersen), by words (two cliques), or by data set and "
    "number (MAO 3)"
)
COLLECTION_FILE = "Your own graph"
FIND_NONE = "There is no graph called “{text}”."
FIND_HOW = (
    "Type part of a name (karate, petersen, bridge) or a data set with a number (MAO 3); use Upload for a file of your "
    "own."
)
FIND_NEAR = "Did you mean one of these?"
FIND_SEVERAL = "“{text}” matches more than one graph: choose one."
FIND_NUMBER = "The graphs of {name} are numbered from 0 to {last}."
GALLERY_HELP = "Browse the graphs and choose one"
PREVIOUS_GRAPH = "Previous graph"
NEXT_GRAPH = "Next graph"
RANDOM_GRAPH = "A random graph of this set"
GALLERY_PAGE = "Page (of {pages})"
GALLERY_SIZE = "{n} {n?vertex|vertices}"
GALLERY_DRAWING = "Drawing the graphs (once per page) …"
UPLOAD_HELP = (
    "GraphML, GML, GEXF, edge list or matrix (CSV, TXT), JSON, SDF, SMILES, PDB, DOT, Pajek and more; a table of "
    "vertices and a table of edges together form one graph"
)
PASTE = "or paste edges, SMILES or any of these formats"
DRAW = "Draw a new graph"
DRAW_HELP = "Start with one vertex and draw the rest: vertices, edges, scores and labels"
DRAWING = "drawing"
READING_LARGE = "Reading a large file …"
UPLOAD_BACK = "Fetching the uploaded graph …"
