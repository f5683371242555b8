"""NCI1: 4,110 molecules (Wale, Watson and Karypis 2008); what its labels mean is not published."""

from mivspool.graphs.collection import DataSet

COLLECTION = DataSet(
    "NCI1",
    "NCI1",
    "molecules: are they active against lung cancer cells?",
    graphs=4110,
    classes=2,
    place=30,
    checksum="d11039424bffd4e4e2d92782f15bb40265c3ac5115f5c2cfed7e2cab5e9ed1fa",
)
