"""The evaluated runs, read once as long as no file of them changes, and the tables made of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import streamlit as st

from mivspool.content.results.found import Found, Signature
from mivspool.learning.results import read_curve, read_results, results_folders
from mivspool.learning.runs import ResultLine
from mivspool.learning.tables import Table, make_table


def read() -> Found:
    """Every run there is."""
    files = sorted(path for folder in results_folders() for path in folder.glob("*.jsonl"))
    stats = [(path, path.stat()) for path in files]
    return _read(tuple((str(path), stat.st_mtime_ns, stat.st_size) for path, stat in stats))


@st.cache_resource(max_entries=2, show_spinner=False)
def _read(signature: Signature) -> Found:
    return Found(signature, read_results())


def table(number: int, found: Found) -> Table:
    """A table of the paper. Raises DatasetError where tables 1 and 3 cannot have their data sets."""
    return _table(number, found.signature if number != 1 else (), found)


@st.cache_resource(max_entries=16, show_spinner=False)
def _table(number: int, signature: Signature, _found: Found) -> Table:
    return make_table(number, _found.lines)


@st.cache_data(max_entries=64, show_spinner=False)
def _curve(_line: ResultLine, key: tuple[object, ...]) -> dict[str, list[float]] | None:
    return read_curve(_line)


def curve(line: ResultLine) -> Mapping[str, Sequence[float]] | None:
    """The learning curve of a run: a list, epoch by epoch, for each name; None where it is gone."""
    return _curve(line, (line.key, read().signature))
