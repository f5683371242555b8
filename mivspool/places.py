"""Where the parts that are not Python modules of this package lie: the app, the released models, the results."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent


def place(name: Literal["app", "models", "results", "docs"]) -> Path:
    """The folder of that name: beside the package in a checkout, inside it in an installed copy."""
    beside = _PACKAGE.parent
    return (beside if (beside / "pyproject.toml").is_file() else _PACKAGE / "_data") / name
