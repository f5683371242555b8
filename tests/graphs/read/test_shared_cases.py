"""The sample files that a checkout may have beside it: each comes out as its list says."""

import json

import pytest

from mivspool.cli import main
from mivspool.errors import ReadError
from mivspool.graphs.read import read_graphs, summary
from tests.beside import FILES, samples


@pytest.mark.parametrize("case", samples())
def test_case(case):
    expected = case["expect"]
    path = FILES / case["file"]
    if not expected["ok"]:
        with pytest.raises(ReadError) as caught:
            read_graphs(path)
        assert all(word in caught.value.message for word in expected.get("message", []))
        return
    found = summary(read_graphs(path))
    for key in ("num_graphs", "num_nodes", "num_edges"):
        assert found[key] == expected.get(key, found[key])
    assert sorted(found["nodes"]) == sorted(expected.get("nodes", found["nodes"]))
    assert all(any(word in repair for repair in found["repairs"]) for word in expected.get("repairs", []))


@pytest.mark.parametrize("case", samples())
def test_case_on_the_command_line(case, capfd):
    status = main(["read", str(FILES / case["file"]), "--json"])
    out, err = capfd.readouterr()
    if case["expect"]["ok"]:
        assert (status, err) == (0, "")
        assert json.loads(out)["num_nodes"] == case["expect"].get("num_nodes", json.loads(out)["num_nodes"])
    else:
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert all(word in json.loads(err)["error"]["message"] for word in case["expect"]["message"])
