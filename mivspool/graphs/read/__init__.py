"""Reading a person's file: one entry point in front of every format, one file per format (DESIGN §8)."""

from __future__ import annotations

from mivspool.graphs.read.entry import read_each, read_graph, read_graphs
from mivspool.graphs.read.format import FORMATS, Format
from mivspool.graphs.read.summary import summary

__all__ = ["FORMATS", "Format", "read_each", "read_graph", "read_graphs", "summary"]
