"""What docs/extending.md shows is enough: its files, as an installed package, are used by every face of the project."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib

import pytest

from tests.extended import FACES
from tests.test_house import ROOT

PAGES = [ROOT / "docs" / "extending.md", ROOT / "docs" / "methods" / "adding.md"]
KINDS = {"methods", "scores", "collections", "formats", "writers", "pages"}
FILE = re.compile(r"`(my_package/[\w/]+\.py)`:\n\n```python\n(.*?)```", re.S)


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """A folder for the path: the pages' files in their places, and what pip leaves beside an installed package."""
    folder = tmp_path_factory.mktemp("installed")
    for page in PAGES:
        for name, code in FILE.findall(page.read_text(encoding="utf-8")):
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(code, encoding="utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", PAGES[0].read_text(encoding="utf-8"), re.S)
    points = tomllib.loads(toml)["project"]["entry-points"]
    assert set(points) == {f"mivspool.{kind}" for kind in KINDS}
    info = folder / "my_package-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-package\nVersion: 1.0\n")
    lines = [
        f"[{group}]\n" + "".join(f"{name} = {module}\n" for name, module in things.items())
        for group, things in points.items()
    ]
    (info / "entry_points.txt").write_text("\n".join(lines))
    return folder


@pytest.mark.parametrize("face", FACES)
@pytest.mark.slow
def test_one_of_each_is_used(face, installed, tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "tests.extended", str(installed), face],
        cwd=ROOT,
        env={**os.environ, "MIVSPOOL_HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
