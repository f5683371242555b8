"""``mivspool bench``: the benchmarks run, at a small size, and ours computes what the peers compute."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import psutil
import pytest
import torch

from benchmarks import BENCHMARKS, bound, dot, graphs, growth, harness, large, pooling, recording
from mivspool.cli import main


def test_without_a_name_it_lists_them(capsys):
    assert main(["bench", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == BENCHMARKS


def test_an_unknown_name(capsys):
    assert main(["bench", "nothing"]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "there is no benchmark 'nothing'" in captured.err


def test_a_document_on_standard_output(capsys, monkeypatch):
    monkeypatch.setattr(bound, "DATASETS", ())
    monkeypatch.setattr(bound, "KRON_SIZES", (20, 30, 40))
    assert main(["bench", "bound", "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["name"] == "bound"
    assert {"processor", "date", "threads"} <= set(document["machine"])
    for row in document["rows"]:
        assert {"what", "ours_ms", "peer", "peer_ms", "ratio", "equal"} <= set(row)
    assert main(["bench", "bound"]) == 0
    assert "Kron" in capsys.readouterr().out


def test_a_document_is_kept_with_where_its_figures_come_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(bound, "DATASETS", ())
    monkeypatch.setattr(bound, "KRON_SIZES", (20, 30, 40))
    assert main(["bench", "bound", "--cpu-time", "--json", "--write", str(tmp_path / "made")]) == 0
    kept = json.loads((tmp_path / "made" / "bound.json").read_text(encoding="utf-8"))
    assert kept == json.loads(capsys.readouterr().out)
    assert kept["command"] == "mivspool bench bound --cpu-time"
    assert 0 <= kept["took_s"] < 60
    assert 0 <= kept["others"] <= kept["machine"]["cores"]


def test_what_other_programs_use_meanwhile_is_said() -> None:
    with subprocess.Popen([sys.executable, "-c", "while True: pass"]) as beside:

        def run() -> dict[str, Any]:
            used = psutil.Process(beside.pid).cpu_times
            end = used().user + 0.5
            while used().user < end:
                time.sleep(0.05)
            return harness.document("nothing", [])

        made = harness.measured(run, "nothing")
        beside.kill()
    assert made["others"] * made["took_s"] > 0.4


def test_one_thread_then_all_and_in_cpu_time_one_alone() -> None:
    torch.set_num_threads(2)

    def rows() -> list[dict[str, Any]]:
        return [harness.row("threads", float(torch.get_num_threads()))]

    assert [(row["threads"], row["ours_ms"]) for row in harness.by_threads(rows, False)] == [(1, 1), (2, 2)]
    assert [row["threads"] for row in harness.by_threads(rows, True)] == [1]
    assert torch.get_num_threads() == 2


def test_all_benchmarks_run_each_in_a_process_of_its_own(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("benchmarks.BENCHMARKS", {"device": "a graphics card"})
    assert main(["bench", "all", "--json"]) == 0
    (document,) = json.loads(capsys.readouterr().out)
    assert document["name"] == "device"
    assert document["missing"] or document["rows"]


def test_reading_and_recording_are_measured() -> None:
    assert len(dot.run(cpu_time=True, megabytes=0.01, rounds=1)["rows"]) == len(dot.KINDS)
    (row,) = recording.of_dataset("MAO", True, rounds=1)
    assert row["peer"] == "the epoch itself"


@pytest.mark.slow
def test_an_epoch_is_measured_beside_pytorch_geometric() -> None:
    from benchmarks import epoch

    document = epoch.run(cpu_time=True, datasets=("MAO", "no such set"), rounds=1)
    assert [row["peer"].split()[1] for row in document["rows"]] == list(epoch.PEERS)
    assert all(row["equal"] and row["floor_ms"] > 0 for row in document["rows"])
    assert document["missing"][0].startswith("no such set")


def test_a_ratio_is_peer_by_ours_and_equality_is_looked_at():
    (row,) = harness.compare("sum", lambda: 1, {"peer": lambda: 2}, lambda a, b: a == b, rounds=1)
    assert row["ratio"] == row["peer_ms"] / row["ours_ms"]
    assert row["equal"] is False


@pytest.mark.slow
def test_selection_equals_pyamg():
    pytest.importorskip("pyamg", reason="pyamg is not installed")
    from benchmarks import selection

    document = selection.run(large=2000, middle=300)
    rows = {row["peer"]: row for row in document["rows"]}
    selections = [
        row for row in document["rows"] if row["what"].startswith("selection") and "pyamg" in row["peer"]
    ]
    assert len(selections) == 6 * len({row["threads"] for row in selections})
    assert all(row["equal"] for row in selections)
    assert "maximal too: True" in rows["networkx (its own order)"]["note"]


@pytest.mark.slow
def test_all_threads_and_one_give_the_same():
    pytest.importorskip("pyamg", reason="pyamg is not installed")
    from benchmarks import threads

    torch.set_num_threads(2)
    document = threads.run(large=(20_000,), middle=300)
    assert {row["peer"] for row in document["rows"]} == {"one thread", "pyamg parallel"}
    assert len(document["rows"]) == 11
    assert all(row["equal"] for row in document["rows"])
    assert torch.get_num_threads() == 2


@pytest.fixture(autouse=True)
def _threads():
    """A benchmark sets the number of threads; the tests after it keep theirs."""
    threads = torch.get_num_threads()
    yield
    torch.set_num_threads(threads)


def test_growth_has_every_shape_and_score():
    document = growth.run(edges=(3000, 12_000))
    assert len(document["rows"]) == len(growth.SHAPES) * (len(growth.SCORES) + 1) + 1


def test_a_large_graph_is_measured_with_its_memory_and_equals_pyamg(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pyamg", reason="pyamg is not installed")
    monkeypatch.setattr(growth, "ENTRIES", 2000)
    monkeypatch.setattr(large, "ENTRIES", 2000)
    sizes = [large.measure(number, cpu_time=True) for number in (1000, 3000)]
    assert all(one["equal"] for one in sizes)
    assert all(one[f"{name}_mib"] > 0 for one in sizes for name in ("selection", "given", "layer"))
    rows = large.rows(sizes)
    assert len(rows) == 2 * 6 + 4
    assert all(row["ratio"] == row["peer_ms"] / row["ours_ms"] for row in rows if row["peer"])


def test_a_graph_that_does_not_fit_into_the_memory_is_named_and_left_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(large, "available", lambda device: 10**6)
    sizes, missing = large.each_size(cpu_time=True, edges=(10**6,))
    assert sizes == []
    assert missing == ["1,000,000 edges: about 0.1 GB needed, 0.0 GB free"]


@pytest.mark.parametrize("shuffled", [False, True])
def test_a_random_graph_has_each_edge_once_in_both_directions_and_no_loops(shuffled: bool) -> None:
    row, col = graphs.random_graph(50, degree=8, seed=1, shuffled=shuffled)
    entries = set(zip(row.tolist(), col.tolist(), strict=True))
    assert len(entries) == row.numel()
    assert entries == {(v, u) for u, v in entries}
    assert not (row == col).any()
    assert bool((row[1:] >= row[:-1]).all()) != shuffled


def test_the_layers_run_beside_pytorch_geometric():
    assert [row["peer"] for row in pooling.against_pyg(True, graphs=3, channels=4)] == [
        "PyG SAGPooling",
        "PyG TopKPooling",
    ] * 2


@pytest.mark.slow
def test_runs_by_all_cores_are_those_of_one_worker():
    from benchmarks import evaluation

    (row,) = evaluation.run(dataset="MAO", repeats=1, hidden=4, blocks=1, max_epochs=1)["rows"]
    assert row["equal"]
    assert row["ratio"] == row["peer_ms"] / row["ours_ms"]


def test_training_on_a_device_is_measured_beside_the_processor_and_pytorch_geometric() -> None:
    from benchmarks import device

    rows = device.training("MAO", "cpu", rounds=1)
    assert [row["peer"] for row in rows] == ["the same on the processor", "PyG TopKPooling + DataLoader"]
    assert rows[0]["equal"]


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here, and it would be measured")
def test_without_a_gpu_the_script_for_one_says_so(tmp_path: Path) -> None:
    script = Path(__file__).parents[2] / "benchmarks" / "gpu.sh"
    ended = subprocess.run(
        ["sh", script, tmp_path], capture_output=True, text=True, env={**os.environ, "PYTHON": sys.executable}
    )
    assert (ended.returncode, ended.stderr.strip()) == (1, "there is no GPU here")
    assert not any(tmp_path.iterdir())
