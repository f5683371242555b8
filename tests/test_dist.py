"""What is published: `make dist`, and the workflows that publish it."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

from mivspool import __version__
from mivspool.lecture.paper import TITLE
from tests.test_house import ROOT

WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
TARGETS = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


@pytest.fixture(scope="module")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what git knows, as a clone has it, and what `make dist` makes of it."""
    place = tmp_path_factory.mktemp("clone") / "mivspool"
    subprocess.run(["git", "clone", "--quiet", ROOT, place], check=True)
    environment = place / ".venv"
    environment.symlink_to(sys.prefix)  # what it would install is here
    done = subprocess.run(
        ["make", "--assume-old=.venv/.dev", "dist"], cwd=place, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert done.stdout.count("PASSED") == 2  # twine's verdict on each archive
    return place / "dist"


@pytest.mark.slow
def test_the_archives_hold_what_a_user_needs(dist: Path) -> None:
    (wheel,) = dist.glob("*.whl")
    assert wheel.name == f"mivspool-{__version__}-py3-none-any.whl", "nothing in it is compiled"
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
    for needed in ("mivspool/_data/app/main.py", "mivspool/_data/models/mao-mivspool/model.safetensors"):
        assert needed in names
    assert not [name for name in names if name.startswith(("tests/", "benchmarks/", "docs/"))]
    (source,) = dist.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        names = [name.partition("/")[2] for name in archive.getnames()]
    assert {"README.md", "CHANGELOG.md", "CITATION.cff", "LICENSE", "pyproject.toml", "app/main.py"} <= set(
        names
    )
    assert not [name for name in names if name.startswith("tests/")]


@pytest.mark.slow
def test_the_list_of_packages_is_that_of_requirements(dist: Path) -> None:
    listed = json.loads((dist / "mivspool.cdx.json").read_text(encoding="utf-8"))
    assert listed["bomFormat"] == "CycloneDX"
    assert listed["metadata"]["component"]["name"] == "mivspool"
    pins = re.findall(
        r"^([\w.-]+)==(\S+)$", (ROOT / "requirements.txt").read_text(encoding="utf-8"), re.MULTILINE
    )
    assert {(one["name"], one["version"]) for one in listed["components"]} == set(pins)


def test_the_readme_installs_what_is_built() -> None:
    named = re.findall(r"mivspool-[\w.]+-py3-none-any\.whl", (ROOT / "README.md").read_text(encoding="utf-8"))
    assert named
    assert set(named) == {f"mivspool-{__version__}-py3-none-any.whl"}


def test_the_citation_fits_its_schema_and_names_paper_and_software() -> None:
    command = [
        Path(sys.executable).with_name("check-jsonschema"),
        "--builtin-schema",
        "vendor.citation-file-format",
    ]
    done = subprocess.run([*command, ROOT / "CITATION.cff"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert "\ntype: software\n" in text
    assert TITLE in text.partition("preferred-citation:")[2]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_fit_their_schema_and_call_what_there_is(path: Path) -> None:
    command = [
        Path(sys.executable).with_name("check-jsonschema"),
        "--builtin-schema",
        "vendor.github-workflows",
        path,
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    text = path.read_text(encoding="utf-8")
    assert "workflow_dispatch:" in text, "a person asks for it"
    assert not re.search(r"^  (push|schedule|release):", text, re.MULTILINE), "and nothing else does"
    for targets in re.findall(r"- run: make (.+)$", text, re.MULTILINE):
        assert set(targets.split()) <= TARGETS
