"""Runs repeat, their lines say which numbers made them, and changed code does not add to them unasked."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace

import pytest

from mivspool.cli import main
from mivspool.errors import InputError
from mivspool.learning import provenance
from mivspool.learning.evaluation import evaluate
from mivspool.learning.provenance import changed_files, numbers, processor, require_clean
from mivspool.learning.results import Results
from mivspool.learning.runs import ResultLine, RunConfig, plan
from mivspool.learning.verify import Verified, sample, verify

QUICK = {"hidden": 8, "blocks": 1, "max_epochs": 2, "batch_size": 64, "threads": 1}


@pytest.fixture(scope="module")
def results(tmp_path_factory) -> Results:
    """Two small runs on MAO."""
    found = Results(tmp_path_factory.mktemp("results"))
    evaluate(plan(RunConfig("MAO", **QUICK), ["mivspool", "none"], [0], [3]), found)
    return found


def test_a_run_repeats_to_the_last_published_digit(results, capsys):
    assert main(["results", "verify", "--results", str(results.folder), "--json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["repeated"] == 2
    assert {run["status"] for run in document["runs"]} == {"equal"}
    assert {run["method"] for run in document["runs"]} == {"mivspool", "none"}


def test_a_line_that_says_otherwise_does_not_repeat(results, tmp_path, capsys):
    line = results.lines()[0]
    Results(tmp_path).append(replace(line, val_loss=line.val_loss + 0.01, curve=None))
    assert main(["results", "verify", "--results", str(tmp_path)]) == 1
    assert capsys.readouterr().out.startswith("different: MAO mivspool:multiview")


def test_on_the_same_processor_close_is_not_enough(results):
    line = results.lines()[0]
    near = replace(line, val_loss=line.val_loss + 5e-5)
    assert verify(near).status == "close"
    assert not verify(near).repeats
    assert Verified(replace(near, processor="another"), None, "close").repeats
    assert not Verified(replace(near, processor="another"), None, "different").repeats


def test_a_line_without_its_data_is_said_to_be_one(results):
    line = results.lines()[0]
    missing = verify(replace(line, config=replace(line.config, dataset="no-such.zip")))
    assert (missing.status, missing.repeats, missing.again) == ("no data", False, None)


def test_a_sample_is_the_same_for_the_same_seed_and_has_no_line_twice(results):
    lines = [replace(results.lines()[0], epochs=n) for n in range(40)]
    first = [line.epochs for line in sample(lines, 12)]
    assert first == [line.epochs for line in sample(lines, 12)] == sorted(set(first))
    assert first != [line.epochs for line in sample(lines, 12, seed=1)]
    assert sample(lines, 100) == lines


def test_the_digest_is_of_the_kind_of_network_and_of_nothing_else(results):
    assert [line.numbers for line in results.lines()] == [numbers(line.config) for line in results.lines()]
    assert {line.processor for line in results.lines()} == {processor()}
    assert numbers(RunConfig("ENZYMES", lr=0.1, fold=7, hidden=32)) == numbers(RunConfig("MAO"))
    different = [RunConfig("MAO"), RunConfig("MAO", method="none"), RunConfig("MAO", reduction="sum")]
    assert len(set(map(numbers, different))) == 3


def test_lines_of_before_stay_as_they_are_written(results):
    written = results.lines()[0].to_dict()
    before = {name: value for name, value in written.items() if name not in ("numbers", "processor")}
    line = ResultLine.from_dict(before)
    assert (line.numbers, line.processor) == (None, None)
    assert line.to_dict() == before


@pytest.fixture
def repository(tmp_path, monkeypatch):
    """A checkout with a package, results and a page, all committed."""
    for name in ("mivspool", "results", "docs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "file").write_text("one")
    git = ["git", "-C", str(tmp_path), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    for words in (["init", "-q"], ["add", "."], ["commit", "-q", "-m", "all"]):
        subprocess.run([*git, *words], check=True)
    monkeypatch.setattr(provenance, "checkout", lambda: tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("path", "counts"),
    [("mivspool/file", True), ("docs/file", True), ("mivspool/new", True), ("results/file", False),
     ("results/new", False), ("docs/new", False)],
)  # fmt: skip
def test_a_changed_tree_is_refused_but_for_its_results(repository, path, counts):
    require_clean()
    (repository / path).write_text("two")
    assert changed_files() == ([path] if counts else [])
    if counts:
        with pytest.raises(InputError, match=f"{path}.*--allow-dirty"):
            require_clean()
    else:
        require_clean()


def test_without_a_repository_there_is_nothing_to_compare_with(tmp_path, monkeypatch):
    monkeypatch.setattr(provenance, "checkout", lambda: None)
    require_clean()
    assert provenance.commit.__wrapped__() is None


def test_evaluate_refuses_a_changed_tree(repository, tmp_path, capsys):
    (repository / "mivspool" / "file").write_text("two")
    asked = ["evaluate", "MAO", "--folds", "3", "--max-epochs", "1", "--results", str(tmp_path / "runs")]
    assert main(asked) == 2
    assert "--allow-dirty" in capsys.readouterr().err
    assert not (tmp_path / "runs").exists()
    assert main([*asked, "--allow-dirty"]) == 0
