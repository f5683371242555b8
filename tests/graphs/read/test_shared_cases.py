"""The sample files that a checkout may have beside it: each comes out as its list says."""

import json

import pytest

from mivspool.cli import main
from mivspool.errors import ReadError
from mivspool.graphs.read import read_graphs, summary
from tests.beside import FILES, samples

KEYS = {
    "ok", "message", "either", "num_graphs", "num_nodes", "num_edges", "nodes", "edges", "weights", "attributes",
    "labels", "repairs", "read_as",
}  # fmt: skip
CASES = samples()


def weights_of(found):
    return {frozenset(edge[:2]): edge[2] for edge in found["edges"] if len(edge) == 3}


def compare(found, expected):
    """Every key of an expectation against what ``mivspool read --json`` says."""
    for key in ("num_graphs", "num_nodes", "num_edges"):
        assert found[key] == expected.get(key, found[key])
    assert sorted(found["nodes"]) == sorted(expected.get("nodes", found["nodes"]))
    if "edges" in expected:
        pairs = sorted(sorted(edge[:2]) for edge in found["edges"])
        assert pairs == sorted(sorted(pair) for pair in expected["edges"])
    if "weights" in expected:
        given = {frozenset(pair.split("|")): weight for pair, weight in expected["weights"].items()}
        assert weights_of(found) == given
    for name, values in expected.get("attributes", {}).items():
        assert found["node_attributes"][name] == values
    if "labels" in expected:
        assert [graph["label"] for graph in found["graphs"]] == expected["labels"]
    for word in expected.get("repairs", []):
        assert any(word in repair for repair in found["repairs"]), found["repairs"]
    assert all(word in found["read_as"] for word in expected.get("read_as", [])), found["read_as"]
    assert found["read_as"].endswith(".")


@pytest.mark.parametrize("case", CASES)
def test_every_key_of_an_expectation_is_known(case):
    assert set(case["expect"]) <= KEYS


@pytest.mark.parametrize("case", CASES)
def test_case(case):
    expected = case["expect"]
    path = FILES / case["file"]
    try:
        found = summary(read_graphs(path))
    except ReadError as error:
        found = error
    if isinstance(found, ReadError):
        assert not expected["ok"] or "either" in expected, found.message
        assert all(word in found.message for word in expected.get("message", expected.get("either"))), found
    else:
        assert expected["ok"], found
        compare(found, expected)


@pytest.mark.parametrize("case", CASES)
def test_case_on_the_command_line(case, capfd):
    expected = case["expect"]
    status = main(["read", str(FILES / case["file"]), "--json"])
    out, err = capfd.readouterr()
    if expected["ok"] and (status == 0 or "either" not in expected):
        assert (status, err) == (0, "")
        compare(json.loads(out), expected)
    else:
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1
        message = json.loads(err)["error"]["message"]
        assert all(word in message for word in expected.get("message", expected.get("either")))
