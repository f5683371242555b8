"""A zip in TU layout that is a known data set has that set's names for labels; another of its name has not."""

import pytest

from mivspool.graphs.read import read_graphs
from tests.graphs.read.cases import zipped


@pytest.mark.parametrize(("graphs", "label"), [(188, "N"), (187, "1")])
def test_labels_of_a_known_set_have_their_published_names(graphs, label):
    lines = range(1, graphs + 1)
    parts = {
        "A": "",
        "graph_indicator": "".join(f"{i}\n" for i in lines),
        "graph_labels": "".join(f"{i % 2}\n" for i in lines),
        "node_labels": "".join(f"{i % 7}\n" for i in lines),
    }
    found = read_graphs(zipped({f"MUTAG/MUTAG_{part}.txt": text for part, text in parts.items()}), "x.zip")
    assert found[0].node_attributes["label"] == (label,)
    assert found[0].label == "1"
    assert "MUTAG" in found[0].read_as
