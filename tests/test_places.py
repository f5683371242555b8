"""An installed copy uses what is inside the package: what lies beside it in site-packages is anyone's."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

ASKED = """
from mivspool.cli import bench
from mivspool.errors import InputError
from mivspool.learning.provenance import commit
from mivspool.learning.models import list_models
from mivspool.learning.results import read_results, results_folder, results_folders
from mivspool.places import place

for name in ("app", "models", "results"):
    print(name, place(name))
print("models", *(model.folder for model in list_models()))
print("lines", len(read_results()))
print("read", *results_folders())
print("written", results_folder())
print("commit", commit())
try:
    bench._benchmarks()
except InputError as error:
    print("bench", error.message)
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """``site-packages`` as a wheel fills it, in somebody's repository, with foreign folders beside the package."""
    repository = tmp_path_factory.mktemp("somebody")
    packages = repository / "site-packages"
    ignored = shutil.ignore_patterns("__pycache__", "_data")
    shutil.copytree(ROOT / "mivspool", packages / "mivspool", ignore=ignored)
    for name in ("app", "models", "results"):
        few = shutil.ignore_patterns(
            "__pycache__", "*.safetensors", "curves", *(["[!M]*"] if name == "results" else [])
        )
        shutil.copytree(ROOT / name, packages / "mivspool" / "_data" / name, ignore=few)
    (packages / "pyproject.toml").write_text("[project]\nname = 'foreign'\n")
    for name in ("docs", "app", "results", "models/foreign", "benchmarks"):
        (packages / name).mkdir(parents=True)
    (packages / "app" / "__init__.py").write_text("raise RuntimeError('a foreign package')\n")
    (packages / "benchmarks" / "harness.py").write_text("raise RuntimeError('foreign benchmarks')\n")
    (packages / "results" / "FOREIGN.jsonl").write_text("{}\n")
    (packages / "models" / "foreign" / "config.json").write_text("{}")
    git = ["git", "-C", str(repository), "-c", "user.name=x", "-c", "user.email=x@example.org"]
    subprocess.run([*git, "init", "-q"], check=True)
    subprocess.run([*git, "commit", "-q", "--allow-empty", "-m", "theirs"], check=True)
    return packages


def ask(packages: Path, home: Path, code: str = ASKED) -> dict[str, str]:
    environment = {
        "PYTHONPATH": str(packages),
        "MIVSPOOL_HOME": str(home),
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
    }
    out = subprocess.run(
        [sys.executable, "-c", code], env=environment, cwd=home, capture_output=True, text=True
    )
    assert out.returncode == 0, out.stderr[-600:]
    return {line.partition(" ")[0]: line.partition(" ")[2] for line in out.stdout.splitlines()}


def test_nothing_beside_an_installed_copy_is_taken(installed: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    (home / "results").mkdir(parents=True)
    told = ask(installed, home)
    inside = installed / "mivspool" / "_data"
    assert told["app"] == str(inside / "app")
    assert told["results"] == str(inside / "results")
    assert all(folder.startswith(str(inside)) for folder in told["models"].split())
    assert told["read"].split() == [str(inside / "results"), str(home / "results")]
    assert int(told["lines"]) > 0
    assert told["written"] == str(home / "results")
    assert told["commit"] == "None", "the commit of the repository it was installed in is not ours"
    assert "are in MIVSPool's repository" in told["bench"]


def test_the_app_of_an_installed_copy_imports_itself(installed: Path, tmp_path: Path) -> None:
    main = (installed / "mivspool" / "_data" / "app" / "main.py").read_text(encoding="utf-8")
    head = main[: main.index("from app import")]
    file = str(installed / "mivspool" / "_data" / "app" / "main.py")
    code = f"exec({head!r}, {{'__file__': {file!r}}})\nimport app\nprint('app', app.__path__[0])"
    told = ask(installed, tmp_path, code)
    assert told["app"] == str(installed / "mivspool" / "_data" / "app")


def test_own_results_go_home_where_none_may_be_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A checkout that belongs to someone else, as in an image."""
    import os

    from mivspool.learning import results
    from mivspool.settings import settings

    assert results.results_folder() == ROOT / "results"
    monkeypatch.setenv("MIVSPOOL_HOME", str(tmp_path))
    settings.cache_clear()
    monkeypatch.setattr(os, "access", lambda path, mode: not str(path).startswith(str(ROOT)))
    assert results.results_folder() == tmp_path / "results"
    monkeypatch.undo()
    settings.cache_clear()


def test_every_part_that_places_knows_is_carried_by_the_wheel() -> None:
    setup = (ROOT / "setup.py").read_text(encoding="utf-8")
    assert 'DATA = ("app", "models", "results")' in setup
    for file in (ROOT / "mivspool").rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        if file.name != "places.py":
            assert '"_data"' not in text, f"{file.relative_to(ROOT)} looks for the parts by itself"
            assert ".parent.parent" not in text, f"{file.relative_to(ROOT)} looks beside the package"
