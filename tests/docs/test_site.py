"""docs/site.md: what it says of the site keeps the bars that were set for it."""

from __future__ import annotations

import re
from pathlib import Path

from mivspool.site.models import released
from tools.site import PAGES

TEXT = (Path(__file__).parents[2] / "docs" / "site.md").read_text(encoding="utf-8")


def rows(start: str) -> list[list[str]]:
    """The rows of the table whose head starts so, by cell."""
    lines = TEXT[TEXT.index(f"| {start} |") :].split("\n\n")[0].splitlines()[2:]
    return [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines]


def test_the_site_is_small() -> None:
    found = re.search(r"([\d.]+) MB without the models and RDKit; the largest model has ([\d.]+) MB", TEXT)
    assert found is not None
    assert float(found[1]) < 3
    assert float(found[2]) < 1.5
    parts = {name: float(size) for name, size in rows("part")}
    assert parts["RDKit"] < 4
    later = parts["models"] + parts["RDKit"]
    assert abs(sum(parts.values()) - later - float(found[1])) < 0.03, "rounded"


def test_every_page_is_painted_soon_and_axe_finds_nothing_serious() -> None:
    found = rows("page")
    assert [row[0] for row in found] == list(PAGES)
    assert all(float(paint) < 1 for _, paint, _, _ in found)
    assert all(int(faults) == 0 for *_, faults in found)


def test_the_networks_in_the_page_are_the_librarys() -> None:
    found = rows("model")
    assert [row[0] for row in found] == [model.name for model in released()]
    for _, graphs, apart, otherwise in found:
        assert float(apart) < 1e-4
        assert int(otherwise) <= 0.05 * int(graphs)
