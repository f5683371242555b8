"""docs/hosting.md: what a host is given, and what appears with the repository's address."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path

import pytest
import yaml

from mivspool import __version__
from mivspool.cli import app
from tests.test_house import ROOT
from tools import links, space, third_way

ADDRESS = "https://github.com/class/mivspool"


def test_what_is_there_is_what_follows_from_the_address() -> None:
    for name, made in links.WRITTEN.items():
        text = (ROOT / name).read_text(encoding="utf-8")
        assert made(text, links.repository()) == text, f"python -m tools.links writes {name} anew"


def test_with_an_address_readme_and_tutorial_lead_to_it_and_without_it_nothing_is_left() -> None:
    for name, made in links.WRITTEN.items():
        before = (ROOT / name).read_text(encoding="utf-8")
        after = made(before, ADDRESS)
        assert "class/mivspool" in after
        assert made(after, ADDRESS) == after
        assert made(after, "") == made(before, "")
    readme = links.readme((ROOT / "README.md").read_text(encoding="utf-8"), ADDRESS)
    assert "https://mybinder.org/v2/gh/class/mivspool/HEAD?labpath=docs%2Ftutorial.ipynb" in readme
    assert "https://colab.research.google.com/github/class/mivspool/blob/HEAD/docs/tutorial.ipynb" in readme
    assert "$ pip install 'mivspool[app]'" in readme
    assert ".whl" not in readme.partition("<!-- install")[2].partition("<!-- /install")[0]
    tutorial = json.loads(links.notebook((ROOT / links.TUTORIAL).read_text(encoding="utf-8"), ADDRESS))
    assert tutorial["cells"][1]["source"][0].startswith(f"%pip install --quiet git+{ADDRESS} ")


def test_an_address_that_binder_cannot_use_is_refused() -> None:
    with pytest.raises(SystemExit, match="OWNER/NAME"):
        links.badges("https://class.example/mivspool")


def test_a_space_has_what_its_image_is_built_from_and_says_its_port(tmp_path: Path) -> None:
    space.write(tmp_path / "space")
    head = yaml.safe_load((tmp_path / "space" / "README.md").read_text("utf-8").split("---")[1])
    assert (head["sdk"], head["app_port"]) == ("docker", app.PORT)
    assert len(head["short_description"]) <= 60
    for name in (
        "Dockerfile",
        "deploy/start.sh",
        "app/main.py",
        "mivspool/__init__.py",
        "models/mao-mivspool/config.json",
    ):
        assert (tmp_path / "space" / name).is_file()
    assert os.access(tmp_path / "space" / "deploy" / "start.sh", os.X_OK)
    assert not (tmp_path / "space" / "tests").exists()


def test_a_space_answers_to_its_name_unless_it_is_told_others(tmp_path: Path) -> None:
    def names(**environment: str) -> str:
        run = ["/bin/sh", str(ROOT / "deploy" / "start.sh"), "sh", "-c", 'echo "$MIVSPOOL_ALLOWED_HOSTS"']
        given = {"PATH": os.environ["PATH"], "NUMBA_CACHE_DIR": str(tmp_path), **environment}
        return subprocess.run(run, env=given, capture_output=True, text=True, check=True).stdout.strip()

    assert names() == ""
    assert names(SPACE_HOST="me-pool.hf.space") == "me-pool.hf.space"
    assert names(SPACE_HOST="me-pool.hf.space", MIVSPOOL_ALLOWED_HOSTS="a.example") == "a.example"


def test_debians_libraries_are_those_of_the_image() -> None:
    listed = (ROOT / "packages.txt").read_text("utf-8").split()
    (installed,) = re.findall(
        r"--no-install-recommends (lib.*?) \\\n", (ROOT / "Dockerfile").read_text("utf-8")
    )
    assert [*listed, "tini"] == installed.split()


def test_binder_installs_what_the_repository_has() -> None:
    binder = ROOT / "binder"
    assert "-r ../requirements.txt" in (binder / "requirements.txt").read_text("utf-8").splitlines()
    assert os.access(binder / "postBuild", os.X_OK)
    assert (binder / "runtime.txt").read_text("utf-8").strip() == "python-3.11"


def test_what_is_timed_takes_the_place_of_what_was_timed_before() -> None:
    once = third_way.written(third_way.README.read_text(encoding="utf-8"), "2.13.0", 60.0, 5.0, 3.0)
    assert "took 60 s." in once
    again = third_way.written(once, "2.13.0", 61.0, 5.0, 3.0)
    assert "took 61 s." in again
    assert "took 60 s." not in again


def test_the_citation_is_of_this_version() -> None:
    assert f"\nversion: {__version__}\n" in (ROOT / "CITATION.cff").read_text("utf-8")
