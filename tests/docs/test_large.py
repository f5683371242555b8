"""docs/large.md is what benchmarks/large.py makes of docs/large.json."""

from __future__ import annotations

import json
from pathlib import Path

from benchmarks.large import markdown

PAGE = Path(__file__).resolve().parents[2] / "docs" / "large.md"


def test_the_page_is_made_of_what_was_measured() -> None:
    kept = json.loads(PAGE.with_suffix(".json").read_text(encoding="utf-8"))
    assert PAGE.read_text(encoding="utf-8") == markdown(kept, PAGE.with_suffix(".svg").name)
    assert PAGE.with_suffix(".svg").exists()
