"""PROTEINS: 1,113 proteins by secondary structure (Borgwardt et al. 2005)."""

from mivspool.graphs.collection import DataSet

COLLECTION = DataSet(
    "PROTEINS",
    "PROTEINS",
    "proteins by secondary structure: enzyme or not?",
    graphs=1113,
    classes=2,
    place=40,
)
