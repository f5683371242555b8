"""CSV that a spreadsheet shows as it is: what it would run as a formula stands behind an apostrophe.

Our readers take the apostrophe off again.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from mivspool.graphs.read.parts.cells import guard
from mivspool.graphs.write.parts.common import text


def table(heading: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """A table with a heading; None and NaN are empty cells. Texts that are no plain words are in quotation marks."""
    return "".join(",".join(_cell(value) for value in row) + "\n" for row in (heading, *rows))


def _cell(value: Any) -> str:
    if value is None or value != value:
        return ""
    guarded = guard(text(value))
    if not isinstance(value, str) or (
        guarded.isascii() and guarded.replace("_", "").replace("-", "").isalnum()
    ):
        return guarded
    return '"' + guarded.replace('"', '""') + '"'
