"""Messages with values: the two templates' laws, and that whatever is counted is counted in one way."""

from __future__ import annotations

import ast
import doctest
import importlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from mivspool import messages
from mivspool.messages import count, fill
from mivspool.site import compared, models, reading
from tests.canvas.node import answers, needs_node
from tests.test_house import ROOT, files

THINGS = r"(vertices|edges|graphs|clusters|classes|components|levels|runs|folds|epochs|candidates|survivors|files|rows)"
ONE = re.compile(rf"\b1 (more |other |weaker |training |test )?{THINGS}\b")


def test_the_examples_are_true():
    assert doctest.testmod(messages).failed == 0


@pytest.mark.parametrize("number", [0, 1, 2, 1000])
def test_a_branch_is_chosen_by_its_number_and_is_a_template_itself(number):
    said = fill("{k:,} {k?is {what}|{k} are {what}s}", k=number, what="{x|y}")
    assert said == (f"{number:,} is {{x|y}}" if number == 1 else f"{number:,} {number} are {{x|y}}s")
    assert count(number, "vertex") == fill("{n:,} {n?vertex|vertices}", n=number)


def test_a_value_that_is_missing_is_an_error():
    with pytest.raises(KeyError):
        fill("{n} and {m}", n=1)


WORDS = [
    *(f"app.{path.parent.name}.words" for path in sorted((ROOT / "app").glob("*/words.py"))),
    *(
        f"mivspool.content.{path.parent.name}.words"
        for path in sorted((ROOT / "mivspool" / "content").glob("*/words.py"))
    ),
    "app.ui.common",
    "mivspool.content.shared",
    "mivspool.canvas.strings",
    "mivspool.site.strings",
]


@needs_node
def test_the_browser_fills_as_python_does():
    said = [
        value
        for module in ("mivspool.canvas.strings", "mivspool.site.strings")
        for name, value in vars(importlib.import_module(module)).items()
        if name.isupper()
    ]
    said += [compared.settings()["words"], models.settings()["words"], models.settings()["inside"]]
    said += [reading.settings()["words"]]
    asked = [
        (text, dict.fromkeys(re.findall(r"\{(\w+)", text), number))
        for text in texts(said)
        for number in (0, 1, 2, 1200, -3)
    ]
    assert answers(ROOT / "tests" / "fill.mjs", asked) == [fill(text, **values) for text, values in asked]


def texts(value: object) -> Iterator[str]:
    """Every text of a constant: itself, or those in it."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from texts(inner)


@pytest.mark.parametrize("module", WORDS)
def test_a_template_counts_one_as_one(module):
    """Filled with 1 for every value, no template says "1 vertices"; a number over a limit is above 1."""
    found = [
        text
        for name, value in vars(importlib.import_module(module)).items()
        if name.isupper()
        for text in texts(value)
        if not re.search("too (many|large)|more than|up to|at most", text)
        and ONE.search(fill(text, **dict.fromkeys(re.findall(r"\{(\w+)", text), 1)))
    ]
    assert found == []


def counted(path: Path) -> Iterator[str]:
    """F-strings in which a value stands before the plural of a thing: ``{n} vertices``."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.JoinedStr):
            for value, text in zip(node.values, node.values[1:], strict=False):
                plural = isinstance(text, ast.Constant) and re.match(rf" {THINGS}\b", str(text.value))
                if plural and isinstance(value, ast.FormattedValue):
                    source = ast.unparse(value.value)
                    above = re.search(
                        r"\blimits?\.|\b_?[A-Z][A-Z_]+\b|\*\*|^high$", source
                    )  # limits are above 1
                    if not above and not re.match(rf" {THINGS}(:| are too many)", str(text.value)):
                        yield f"{path.name}:{node.lineno}: {source}{text.value}"


@pytest.mark.parametrize("folder", ["app", "mivspool"])
def test_a_sentence_counts_one_as_one(folder):
    assert [line for path in files(folder) for line in counted(path)] == []
