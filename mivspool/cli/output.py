"""How the command line prints: one JSON document on standard output and nothing else there."""

from __future__ import annotations

import json
import math
import sys
from typing import Any


def clean(value: Any) -> Any:
    """The same value with what JSON has no word for (NaN, infinities) as null, and arrays as lists."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): clean(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [clean(item) for item in value]
    if hasattr(value, "tolist"):
        return clean(value.tolist())
    return value


def print_json(document: Any) -> None:
    """Write one JSON document to standard output."""
    json.dump(clean(document), sys.stdout, ensure_ascii=False, allow_nan=False)
    sys.stdout.write("\n")
