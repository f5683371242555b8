"""Where the parts that are not Python modules of this package lie: the app, the released models, the results."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

_PACKAGE = Path(__file__).resolve().parent


def checkout(package: Path = _PACKAGE) -> Path | None:
    """The repository that the package ``mivspool`` is used from; None for an installed copy.

    An installed copy has its parts inside itself. What lies beside it in ``site-packages`` is anyone's, whatever it is
    called.
    """
    return None if (package / "_data").is_dir() else package.parent


def place(name: Literal["app", "models", "results"], package: Path = _PACKAGE) -> Path:
    """The folder of that name: beside the package in a checkout, inside it in an installed copy."""
    return (checkout(package) or package / "_data") / name
