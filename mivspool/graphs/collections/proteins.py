"""PROTEINS: 1,113 proteins by secondary structure (Borgwardt et al. 2005)."""

from mivspool.graphs.collection import DataSet

COLLECTION = DataSet(
    "PROTEINS",
    "PROTEINS",
    "proteins by secondary structure: enzyme or not?",
    graphs=1113,
    classes=2,
    place=40,
    checksum="645b8d3cde030acc1be1c246c369fe27ceea1a8864df7eef1c66750d1b043269",
    class_names={"1": "enzyme", "2": "not an enzyme"},
    class_source="Borgwardt et al. (2005), of the proteins of Dobson and Doig (2003), 487 of which are not enzymes: "
    "the class of 663 graphs is that of the enzymes.",
)
