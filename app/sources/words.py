"""The words of choosing a graph."""

from __future__ import annotations

# the bar at the top of Step
COLLECTION = "Graphs"
COLLECTION_HELP = (
    "Choose from the list, or type: a name (karate, petersen), words (two cliques), or a data set with a "
    "number (MAO 3)"
)
COLLECTION_FILE = "Your own graph"
FIND_NONE = "No graph here is called “{text}”."
FIND_HOW = (
    "Type a part of a name (karate, petersen, bridge) or a data set with a number (MAO 3); a file of yours goes into "
    "Upload."
)
FIND_NEAR = "Did you mean one of these?"
FIND_SEVERAL = "“{text}” fits more than one graph: choose one."
FIND_NUMBER = "The graphs of {name} have the numbers 0 to {last}."
GALLERY_HELP = "Look at the graphs and choose one"
PREVIOUS_GRAPH = "Previous graph"
NEXT_GRAPH = "Next graph"
RANDOM_GRAPH = "A random graph of this set"
GALLERY_PAGE = "Page (of {pages})"
GALLERY_SIZE = "{n} vertices"
GALLERY_DRAWING = "Drawing the graphs (once for each page of them) …"
UPLOAD = "Upload"
UPLOAD_FILES = "Upload a graph"
UPLOAD_HELP = (
    "GraphML, GML, GEXF, edge list or matrix (CSV, TXT), JSON, SDF, SMILES, PDB, DOT, Pajek and more; a table of "
    "vertices and a table of edges together are one graph"
)
PASTE = "or paste edges, SMILES or any of these formats"
PASTE_PLACEHOLDER = "a b\nb c\nc a"
PASTE_OPEN = "Open"
PASTED_NAME = "pasted.txt"
READ_AGAIN = "Let the reader decide"
DRAW = "Draw a new graph"
DRAW_HELP = "Begin with one vertex and draw the rest: vertices, edges, scores and labels"
DRAWING = "drawing"
READING_LARGE = "Reading a large file …"
UPLOAD_BACK = "Fetching the uploaded graph …"
