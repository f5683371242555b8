"""The sample files that a checkout may have beside it: each comes out as its list says."""

import json
from pathlib import Path

import pytest

from mivspool.cli import main
from mivspool.errors import ReadError
from mivspool.graphs.read import read_graphs, summary

CASES = Path(__file__).resolve().parents[3].parent / "shared" / "cases"
LIST = json.loads((CASES / "cases.json").read_text("utf-8")) if (CASES / "cases.json").exists() else []


@pytest.mark.skipif(not LIST, reason="no folder ../shared/cases beside this checkout")
def test_there_are_cases():
    assert len(LIST) > 40


@pytest.mark.parametrize("case", LIST, ids=lambda case: case["file"])
def test_case(case):
    expected = case["expect"]
    path = CASES / "files" / case["file"]
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


@pytest.mark.parametrize("case", LIST, ids=lambda case: case["file"])
def test_case_on_the_command_line(case, capfd):
    status = main(["read", str(CASES / "files" / case["file"]), "--json"])
    out, err = capfd.readouterr()
    if case["expect"]["ok"]:
        assert (status, err) == (0, "")
        assert json.loads(out)["num_nodes"] == case["expect"].get("num_nodes", json.loads(out)["num_nodes"])
    else:
        assert (status, out) == (2, "")
        assert len(err.splitlines()) == 1
        assert all(word in json.loads(err)["error"]["message"] for word in case["expect"]["message"])
