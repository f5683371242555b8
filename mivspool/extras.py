"""What ``pip install mivspool`` leaves to its extras: where a package is missing, a sentence says what to install."""

from __future__ import annotations

import importlib.util

from mivspool.errors import MissingPackageError

_EXTRAS = {"app": "the app", "notebook": "anywidget"}


def need(what: str, *packages: str, extra: str = "app") -> None:
    """Refuse with a sentence where a package of an extra is not installed; nothing is imported.

    Args:
        what: what needs them, the beginning of the sentence.
        packages: their names for ``import``.
        extra: what brings them.

    Raises:
        MissingPackageError: "WHAT needs the app: pip install 'mivspool[app]'", or what another extra is for.
    """
    if not all(installed(package) for package in packages):
        raise MissingPackageError(f"{what} needs {_EXTRAS[extra]}: pip install 'mivspool[{extra}]'")


def installed(package: str) -> bool:
    """Whether a package can be imported; it is not imported here."""
    return importlib.util.find_spec(package) is not None
