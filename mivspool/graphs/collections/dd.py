"""D&D: 1,178 proteins by amino acid (Dobson and Doig 2003)."""

from mivspool.graphs.collection import DataSet

COLLECTION = DataSet(
    "DD",
    "D&D",
    "proteins by amino acid: enzyme or not?",
    graphs=1178,
    classes=2,
    place=50,
    aliases=("D&D",),
    # no checksum: the copy at hand was made from another format, and its server's may differ
    class_names={"1": "enzyme", "2": "not an enzyme"},
    class_source="Dobson and Doig (2003): 691 of the 1,178 proteins are enzymes.",
)
