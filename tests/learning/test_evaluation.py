"""Folds × repeats × methods × grid: what is due, in which order, and that nothing finished is lost or done twice."""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys

import psutil
import pytest

from mivspool.cli import main
from mivspool.errors import InputError
from mivspool.learning import evaluation
from mivspool.learning.evaluation import evaluate, summary
from mivspool.learning.results import Results, read_results
from mivspool.learning.runs import GRID, SETTINGS, ResultLine, RunConfig, plan
from tests.service.backends import until

QUICK = {"hidden": 8, "blocks": 1, "max_epochs": 2, "batch_size": 64}
FIELDS = [
    "dataset", "method", "score", "blocks", "hidden", "lr", "weight_decay", "batch_size", "features",
    "use_weights", "use_diagonal", "config_id", "grid", "repeat", "fold", "seed", "epochs", "best_epoch",
    "val_loss", "val_accuracy", "test_accuracy", "confusion", "iterations", "curve", "seconds", "device",
    "threads", "version", "commit", "date",
]  # fmt: skip


@pytest.fixture
def loaded(toy, monkeypatch):
    monkeypatch.setattr(evaluation, "_dataset", lambda name: toy)
    return toy


@pytest.fixture
def results(tmp_path):
    return Results(tmp_path / "results")


def test_all_methods_have_a_repeat_before_any_has_the_next():
    tasks = plan(RunConfig("TOY", folds=3), ["mivspool", "none"], [0, 1])
    order = [(task.config.repeat, task.config.method, task.config.fold) for task in tasks]
    assert order == [(r, m, f) for r in (0, 1) for m in ("mivspool", "none") for f in range(3)]


def test_the_grid_is_that_of_the_paper():
    tasks = plan(RunConfig("TOY"), ["mivspool"], [0], folds=[4], grid=True)
    assert len(tasks) == 27 == len({task.config.config_id for task in tasks})
    assert {name: {getattr(task.config, name) for task in tasks} for name in GRID} == {
        "blocks": {3, 4, 5},
        "lr": {1e-3, 1e-4, 1e-5},
        "weight_decay": {1e-3, 1e-4, 1e-5},
    }
    assert all(task.grid and task.config.fold == 4 for task in tasks)


def test_graphs_at_hand_are_evaluated_under_the_name_that_the_tasks_have(toy, results):
    """As those of a data set that is loaded by its name: the same runs, and resumed."""
    tasks = plan(RunConfig("MINE", folds=3, **QUICK), ["mivspool:degree"], [0], folds=[0, 1])
    graphs = [graph.to_data() for graph in toy]
    assert evaluate(tasks, results, dataset=graphs) == 2
    assert [(line.dataset, line.fold) for line in results.lines("MINE")] == [("MINE", 0), ("MINE", 1)]
    assert evaluate(tasks, results, dataset=graphs) == 0
    with pytest.raises(InputError, match="on this machine"):
        evaluate(tasks, results, dataset=graphs, run_all=lambda *_: iter(()))


@pytest.mark.parametrize("text", ["nothing", "mivspool:luck", "gpool:uniform"])
def test_methods_that_are_not_there_are_refused(text):
    with pytest.raises(InputError):
        plan(RunConfig("TOY"), [text], [0])


def test_a_line_has_the_fields_of_the_design(loaded, results):
    evaluate(plan(RunConfig("TOY", **QUICK), ["mivspool:uniform"], [0], [2]), results)
    text = (results.folder / "TOY.jsonl").read_text()
    document = json.loads(text)
    assert set(FIELDS) <= set(document)
    later = {"dropout", "max_epochs", "patience", "folds", "options", "numbers", "processor"}
    assert set(document) - set(FIELDS) == later
    line = results.lines()[0]
    assert ResultLine.from_dict(document) == line
    assert (
        RunConfig.from_dict({n: document[n] for n in SETTINGS if n in document}).config_id == line.config_id
    )
    assert (line.dataset, line.method, line.score, line.fold, line.grid) == (
        "TOY",
        "mivspool",
        "uniform",
        2,
        False,
    )
    assert (line.epochs, len(line.iterations)) == (2, 1)
    curve = results.curve(line)
    assert {len(values) for values in curve.values()} == {2}
    assert set(curve) == {"train_loss", "train_accuracy", "val_loss", "val_accuracy"}


def test_the_curves_of_a_configuration_lie_in_one_file_and_a_damaged_line_costs_that_run_alone(
    loaded, results
):
    evaluate(plan(RunConfig("TOY", **QUICK), ["none"], [0], [0, 1, 2]), results)
    lines = results.lines()
    (file,) = {results.folder / line.curve for line in lines}
    found = [results.curve(line) for line in lines]
    assert all(found)
    assert len({json.dumps(curve) for curve in found}) == 3
    whole = file.read_text().splitlines()
    file.write_text("\n".join([whole[0][:40], *whole[1:]]))
    assert sum(results.curve(line) is not None for line in lines) == 2


def test_an_evaluation_that_was_stopped_goes_on_with_what_is_missing(loaded, results):
    tasks = plan(RunConfig("TOY", **QUICK), ["mivspool", "none"], [0], [0, 1, 2])
    finished = []
    evaluate(tasks, results, on_run=finished.append, should_stop=lambda: len(finished) == 2)
    assert len(results.lines()) == 2
    with (results.folder / "TOY.jsonl").open("a") as file:
        file.write('{"dataset": "TOY", "meth')  # killed within a line
    assert evaluate(tasks, results) == 4
    lines = results.lines()
    assert len(lines) == 6 == len({line.key for line in lines})
    assert evaluate(tasks, results) == 0
    with pytest.raises(InputError, match="6 of these runs"):
        evaluate(tasks, results, resume=False)


def test_resumed_runs_are_those_of_an_evaluation_at_one_go(loaded, tmp_path):
    tasks = plan(RunConfig("TOY", **QUICK), ["mivspool"], [1], [0, 1])
    whole, parts = Results(tmp_path / "a"), Results(tmp_path / "b")
    evaluate(tasks, whole)
    evaluate(tasks[1:], parts)
    evaluate(tasks, parts)
    assert {(line.fold, line.val_loss) for line in whole.lines()} == {
        (line.fold, line.val_loss) for line in parts.lines()
    }


def test_worker_processes_give_the_runs_of_one_process(tmp_path):
    from tests.learning.conftest import cycles_and_stars
    from tests.learning.tu_files import write_tu

    source = write_tu(cycles_and_stars(), tmp_path / "TOY")
    tasks = plan(RunConfig(str(source), threads=1, **QUICK), ["mivspool"], [0], [0, 1])
    alone, pool = Results(tmp_path / "a"), Results(tmp_path / "b")
    assert evaluate(tasks, alone) == evaluate(tasks, pool, workers=2) == 2
    assert {(line.key, line.val_loss) for line in alone.lines()} == {
        (line.key, line.val_loss) for line in pool.lines()
    }


def test_the_grid_is_decided_inside_each_fold_by_validation_loss(loaded, results):
    base = RunConfig("TOY", **QUICK)
    points = [
        RunConfig(**{**base.to_dict(), "lr": lr, "fold": fold}) for lr in (1e-1, 1e-5) for fold in (0, 1)
    ]
    evaluate([evaluation.Task(point, grid=True) for point in points], results)
    lines = results.lines()
    row = summary(lines)[0]
    chosen = [min((line for line in lines if line.fold == f), key=lambda line: line.val_loss) for f in (0, 1)]
    assert row["grid"] is True
    assert row["runs"] == 2
    assert row["mean"] == pytest.approx(50 * sum(line.test_accuracy for line in chosen))


def test_the_reference_configuration_is_the_default_and_told_from_ablations(loaded, results, monkeypatch):
    config = RunConfig("TOY")
    evaluate(plan(config, ["structure-blind"], [0], [0]), results)
    for change in ({"max_epochs": 1}, {"patience": 1}, {"dropout": 0.1}, QUICK):
        other = RunConfig(**{**config.to_dict(), "max_epochs": 1, **change})
        evaluate(plan(other, ["none"], [0], [0]), results)
    monkeypatch.setattr("mivspool.learning.results.results_folders", lambda: [results.folder])
    assert [line.is_reference for line in results.lines()] == [True, False, False, False, False]
    assert len(read_results()) == 5
    assert len(read_results(reference_only=True)) == 1


def test_the_command_evaluates_ones_own_data_and_prints_json(tmp_path, capsys):
    from tests.learning.conftest import cycles_and_stars
    from tests.learning.tu_files import write_tu

    source = write_tu(cycles_and_stars(), tmp_path / "TOY")
    command = [
        "evaluate", str(source), "--methods", "mivspool,none", "--folds", "0-1", "--max-epochs", "2",
        "--hidden", "8", "--device", "cpu", "--results", str(tmp_path / "r"), "--json", "--allow-dirty",
    ]  # fmt: skip
    assert main(command) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["dataset"] == "TOY"
    assert document["new_runs"] == 4
    assert {(row["method"], row["runs"], row["grid"]) for row in document["rows"]} == {
        ("mivspool", 2, False), ("none", 2, False),
    }  # fmt: skip
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["new_runs"] == 0


def test_the_train_command_prints_one_json_document(tmp_path, capsys):
    from tests.learning.conftest import cycles_and_stars
    from tests.learning.tu_files import write_tu

    source = write_tu(cycles_and_stars(), tmp_path / "TOY")
    assert (
        main(["train", str(source), "--max-epochs", "2", "--hidden", "8", "--device", "cpu", "--json"]) == 0
    )
    document = json.loads(capsys.readouterr().out)
    assert document["epochs"] == 2
    assert 0 <= document["test_accuracy"] <= 1


@pytest.mark.parametrize(
    ("arguments", "says"),
    [(["--folds", "x"], "--folds"), (["--methods", "luck"], "luck"), (["--workers", "0"], "workers")],
)
def test_bad_options_are_one_line_on_standard_error(tmp_path, capsys, arguments, says):
    from tests.learning.conftest import cycles_and_stars
    from tests.learning.tu_files import write_tu

    source = write_tu(cycles_and_stars(), tmp_path / "TOY")
    assert main(["evaluate", str(source), "--allow-dirty", *arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert says in captured.err
    assert captured.err.count("\n") == 1


ENDLESS = """
from pathlib import Path
from mivspool.learning.evaluation import evaluate
from mivspool.learning.runs import RunConfig, plan
from mivspool.learning.results import Results

if __name__ == "__main__":
    base = RunConfig("MAO", hidden=8, blocks=1, max_epochs=10**6, patience=10**6)
    evaluate(plan(base, ["none"], [0], [0, 1]), Results(Path("results")), workers=2)
"""


@pytest.mark.slow
def test_the_workers_of_a_killed_evaluation_end_with_it(tmp_path):
    (tmp_path / "endless.py").write_text(ENDLESS)
    with subprocess.Popen([sys.executable, "endless.py"], cwd=tmp_path) as parent:
        own = psutil.Process(parent.pid)
        until(
            lambda: len([child for child in own.children(recursive=True) if _trains(child)]) == 2, seconds=200
        )
        workers = own.children(recursive=True)
        parent.kill()
    try:
        until(lambda: not [w for w in workers if w.is_running() and w.status() != psutil.STATUS_ZOMBIE])
    finally:
        for worker in workers:
            with contextlib.suppress(psutil.NoSuchProcess):
                worker.kill()


def _trains(process):
    """A worker that has come as far as to compute."""
    with contextlib.suppress(psutil.NoSuchProcess):
        return "spawn_main" in " ".join(process.cmdline()) and process.cpu_times().user > 3
    return False
