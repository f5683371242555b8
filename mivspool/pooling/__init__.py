"""Graph pooling: what a method and a score are, and the registries that find all of them by name."""

from mivspool.pooling.base import Pooled, Pooling, Selection
from mivspool.pooling.method import METHODS, Method, method
from mivspool.pooling.methods.mivspool import MIVSPool, PyGPooling
from mivspool.pooling.score import SCORES, Score

__all__ = [
    "METHODS",
    "SCORES",
    "MIVSPool",
    "Method",
    "Pooled",
    "Pooling",
    "PyGPooling",
    "Score",
    "Selection",
    "method",
]
