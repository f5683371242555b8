"""ENZYMES: 600 enzymes in six classes (Borgwardt et al. 2005)."""

from mivspool.graphs.collection import DataSet

COLLECTION = DataSet(
    "ENZYMES",
    "ENZYMES",
    "enzymes: which of six classes?",
    graphs=600,
    classes=6,
    place=60,
)
