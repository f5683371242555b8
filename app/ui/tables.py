"""Tables of a person's own texts. A browser copies and saves them as CSV, so no cell may be a formula there either."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from mivspool.graphs.read.parts.cells import guard

if TYPE_CHECKING:
    import pandas as pd


def harmless(value: Any) -> Any:
    """A cell that no spreadsheet takes for a formula: a text that looks like one stands behind an apostrophe."""
    return guard(value) if isinstance(value, str) else value


def frame(rows: Sequence[Mapping[str, Any]] | Mapping[str, Sequence[Any]]) -> pd.DataFrame:
    """A table by rows or by columns, its texts harmless."""
    import pandas as pd

    if isinstance(rows, Mapping):
        return pd.DataFrame(
            {harmless(name): [harmless(value) for value in column] for name, column in rows.items()}
        )
    return pd.DataFrame([{harmless(name): harmless(value) for name, value in row.items()} for row in rows])
