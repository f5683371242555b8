"""ENZYMES: 600 enzymes in six classes (Borgwardt et al. 2005)."""

from mivspool.graphs.collection import DataSet

COLLECTION = DataSet(
    "ENZYMES",
    "ENZYMES",
    "enzymes: which of six classes?",
    graphs=600,
    classes=6,
    place=60,
    checksum="2891f739e933c4f22f5fe463e969eabf2e8d561bf8abaa53d5f3f53f5e5094ec",
)
