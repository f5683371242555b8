"""The dictionaries that networkx writes behind an edge."""

from __future__ import annotations

import ast

_LONGEST = 2000


def data_of(cell: str) -> dict[str, object]:
    """The attributes in {'weight': 0.5}; what is no such dictionary is kept as ``data``."""
    if cell == "{}":
        return {}
    if len(cell) > _LONGEST:
        return {"data": cell}
    try:
        value = ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError, TypeError):
        return {"data": cell}
    return {str(key): item for key, item in value.items()} if isinstance(value, dict) else {"data": cell}
