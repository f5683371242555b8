"""Commands, ports, settings, targets and links of the README and the docs are those of the code."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from mivspool.cli import COMMANDS, parser_for
from mivspool.cli.app import PORT as APP_PORT
from mivspool.cli.serve import PORT as SERVE_PORT
from mivspool.learning.runs import GRID_POINTS
from mivspool.settings import Limits, Settings

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
NAMES = [str(page.relative_to(ROOT)) for page in PAGES]
FENCE = re.compile(r"```[a-z]*\n(.*?)```", re.S)


def commands(text: str) -> list[str]:
    """What stands behind ``mivspool`` in blocks and between backticks."""
    found = []
    for block in FENCE.findall(text):
        found += re.findall(r"^\$? ?(?:[A-Z_]+=\S+ )*mivspool (.*)$", block, re.M)
    found += re.findall(r"`mivspool ([^`]+)`", FENCE.sub("", text))
    return [" ".join(one.split()) for one in found]


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_each_command_is_one_that_the_parser_takes(page: Path) -> None:
    for line in commands(page.read_text(encoding="utf-8")):
        words = [word for word in shlex.split(line, comments=True) if word != "…"]
        if words[0] in {"--help", "--version", "COMMAND"}:
            continue
        assert words[0] in COMMANDS, line
        parser = parser_for(words[0])
        if len(words) == 1:  # named, not called
            continue
        options = {name for action in parser._actions for name in action.option_strings}
        assert all(word.partition("=")[0] in options for word in words[1:] if word.startswith("-")), line
        if "…" not in line:
            parser.parse_args([word.partition("|")[0] for word in words[1:]])


@pytest.mark.parametrize("page", [*PAGES, ROOT / "Dockerfile"], ids=[*NAMES, "Dockerfile"])
def test_each_port_is_one_that_is_listened_on(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    ports = {int(port) for port in re.findall(r"http://[\w.-]+:(\d{2,5})\b", text)}
    ports |= {int(port) for port in re.findall(r"(?:--port|EXPOSE) (\d{2,5})\b", text)}
    assert ports <= {APP_PORT, SERVE_PORT}


def test_make_has_the_targets_that_are_named() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.M))
    for page in PAGES:
        named = re.findall(r"(?:`|^\$ |make app`, `)make ([a-z]+)", page.read_text(encoding="utf-8"), re.M)
        assert set(named) <= targets, page.name


@pytest.mark.parametrize("page", PAGES, ids=NAMES)
def test_each_link_to_a_file_leads_to_one(page: Path) -> None:
    for link in re.findall(r"\]\(([^)#\s]+)", page.read_text(encoding="utf-8")):
        if "://" not in link:
            assert (page.parent / link).exists(), link


def test_the_readme_says_what_the_papers_protocol_takes() -> None:
    """The paper searches a grid; without ``--grid`` it is one configuration, and the line says so."""
    lines = [
        line
        for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
        if "mivspool evaluate" in line
    ]
    for line in lines:
        assert "the paper's protocol" not in line or "--grid" in line, line
    assert any("--grid" in line and f"{GRID_POINTS} runs" in line for line in lines)


def test_each_setting_is_one_that_is_read() -> None:
    read = {f"MIVSPOOL_{name.upper()}" for name in Settings.model_fields}
    read |= {f"MIVSPOOL_LIMIT_{name.upper()}" for name in Limits.model_fields}
    for page in [*PAGES, ROOT / "Dockerfile"]:
        named = set(re.findall(r"MIVSPOOL_[A-Z_]*[A-Z]", page.read_text(encoding="utf-8")))
        assert named <= read, page.name
