"""docs/compared.md: every cell about another explainer has a source, and our links lead to pages of the app."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import parse_qsl, urlsplit

from app.navigation import PAGES
from app.state import PROPERTIES
from app.ui.common import CONTROLS
from mivspool.graphs.collections.teaching import PREFIX, PRESETS

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "compared.md").read_text(encoding="utf-8")
# for each table, the letters of the sources of its columns beside our own
LETTERS = ("CTGPV", "LDN", "YW")
TABLES = [
    [line.strip("| ").split(" | ") for line in table.splitlines()][2:]
    for table in re.findall(r"^\| \|.*\n(?:\|.*\n)+", TEXT, re.MULTILINE)
]
ROWS = [row for table in TABLES for row in table]
SOURCES = set(re.findall(r"^- \*\*([A-Z]\d)\*\*", TEXT, re.MULTILINE))


def test_every_cell_about_another_names_its_source_or_says_that_it_is_not_known() -> None:
    assert len(TABLES[0]) > 20
    for letters, table in zip(LETTERS, TABLES, strict=True):
        for row in table:
            assert len(row) == 2 + len(letters), row[0]
            for letter, cell in zip(letters, row[2:], strict=True):
                named = re.findall(r"\[([A-Z]\d)\]", cell)
                assert cell == "?" or named, (row[0], cell)
                assert all(name[0] == letter and name in SOURCES for name in named), (row[0], cell)


def test_every_source_is_used() -> None:
    assert {name for row in ROWS for name in re.findall(r"\[([A-Z]\d)\]", " ".join(row))} == SOURCES


def test_our_links_lead_into_the_app() -> None:
    pages, names = {page.name for page in PAGES}, {prop.name: prop for prop in PROPERTIES}
    found = re.findall(r"\((http://127\.0\.0\.1:8501/[^)]*)\)", TEXT)
    assert len(found) > 15
    for link in found:
        page = urlsplit(link).path.strip("/")
        assert page in pages, link
        for name, value in parse_qsl(urlsplit(link).query):
            assert not names[name].pages or page in names[name].pages, link
            if value.startswith(PREFIX):
                assert value.removeprefix(PREFIX) in PRESETS, link
            if name == "hide":
                assert set(value.split(",")) <= {part for group in CONTROLS.values() for part in group}, link
