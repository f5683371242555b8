"""What is pinned can be installed by every Python that the project names."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import metadata

import pytest
from packaging.specifiers import SpecifierSet

from tests.test_house import ROOT


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_each_pin_is_for_the_oldest_python_too(file: str) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    oldest = f"{re.sub('[^0-9.]', '', project['requires-python'])}.0"
    pins = re.findall(r"^([\w.-]+)==", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE)
    assert len(pins) > 50
    needs = {name: metadata(name).get("Requires-Python") or "" for name in pins}
    assert [name for name, need in needs.items() if not SpecifierSet(need).contains(oldest)] == []
