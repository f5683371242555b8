"""``mivspool site``: says what it wrote, and refuses in one line."""

from __future__ import annotations

from pathlib import Path

import pytest

from mivspool.cli import main
from mivspool.graphs.collections.classics import CLASSICS
from mivspool.site import graphs


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site of a few graphs: what is in them is tested in tests/site."""
    monkeypatch.setattr(graphs, "CHALLENGES", 0)
    monkeypatch.setattr(graphs, "MAO", ("MAO:3",))
    monkeypatch.setattr(graphs, "CLASSICS", {"karate": CLASSICS["karate"]})


def test_it_writes_and_says_where_to_start(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = tmp_path / "site"
    assert main(["site", str(folder), "--address", "https://class.example"]) == 0
    said = capsys.readouterr().out.strip().splitlines()
    assert said[-1].endswith(f"open {folder / 'index.html'}")
    assert not [line for line in said if "--address" in line]
    assert (folder / "preview.png").is_file()
    assert (folder / "index.html").is_file()
    assert main(["site", str(folder)]) == 2
    assert "is not empty" in capsys.readouterr().err


def test_a_source_that_there_is_not_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["site", str(tmp_path / "site"), "no-such-graph"]) == 2
    assert capsys.readouterr().err.startswith("mivspool: ")
    assert not (tmp_path / "site").exists()
