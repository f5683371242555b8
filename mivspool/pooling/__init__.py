"""Graph pooling: what a method and a score are, and the registries that find all of them by name."""

import importlib
import warnings
from typing import Any

from mivspool.pooling.base import Pooled, Pooling, Selection
from mivspool.pooling.method import METHODS, Method, method
from mivspool.pooling.methods.mivspool import MIVSPool
from mivspool.pooling.score import SCORES, Called, Score

__all__ = [
    "METHODS",
    "SCORES",
    "Called",
    "MIVSPool",
    "Method",
    "Pooled",
    "Pooling",
    "Score",
    "Selection",
    "method",
]


def __getattr__(name: str) -> Any:
    # for one release: what was called so is a part of mivspool.pyg, which is above this package
    if name != "PyGPooling":
        raise AttributeError(f"module 'mivspool.pooling' has no attribute {name!r}")
    warnings.warn(
        "mivspool.pooling.PyGPooling is mivspool.pyg.MIVSPooling now, and its old name goes with version 0.3",
        DeprecationWarning,
        stacklevel=2,
    )
    return importlib.import_module("mivspool.pyg").MIVSPooling
