"""MUTAG: 188 molecules (Debnath et al. 1991), by their mutagenic effect."""

from mivspool.graphs.collection import DataSet

COLLECTION = DataSet(
    "MUTAG",
    "MUTAG",
    "molecules: are they mutagenic?",
    graphs=188,
    classes=2,
    place=20,
    label_names={0: "C", 1: "N", 2: "O", 3: "F", 4: "I", 5: "Cl", 6: "Br"},
    molecules=True,
    checksum="46c768b9c05470165c7574ee31eeab72d99f2c50deb0d78cb14545b6ec88c681",
    bond_orders={0: 1.5, 1: 1, 2: 2, 3: 3},
    class_names={"1": "mutagenic", "-1": "not mutagenic"},
    class_source="Debnath et al. (1991): 125 of the 188 compounds are mutagenic.",
)
