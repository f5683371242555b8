"""The data sets by name: MAO from greycdata, the TU data sets, and a person's own in their layout."""

from __future__ import annotations

import os
from pathlib import Path

from mivspool.errors import DatasetError
from mivspool.graphs import dataset_files
from mivspool.graphs.collection import COLLECTIONS, DataSet
from mivspool.graphs.dataset import Dataset, Statistics, statistics
from mivspool.graphs.given import Several, dataset_of

__all__ = ["DATASETS", "DataSet", "Dataset", "Statistics", "load_dataset", "statistics"]

DATASETS: dict[str, DataSet] = {name: one for name, one in COLLECTIONS.items() if isinstance(one, DataSet)}
"""Every data set by name."""


def find_dataset(name: str) -> DataSet | None:
    """The registered data set of that name, in any case, or None."""
    return next((one for one in DATASETS.values() if one.is_called(name)), None)


def load_dataset(name: str | os.PathLike[str] | Several) -> Dataset:
    """A registered data set by name, or a folder or zip of your own in the layout of the TU data sets.

    Args:
        name: a registered name such as "MAO", or the path of a folder or zip. A ``TUDataset`` or ``InMemoryDataset``
            of PyTorch Geometric, a ``Batch``, and a list of ``Data``, of networkx graphs or of our own graphs are data
            sets too (``graphs.given.dataset_of``).

    Returns:
        The graphs with their classes.

    Raises:
        DatasetError: where the name is not known, the data cannot be had, or a data set of your own gives its graphs no
            classes.
    """
    if not isinstance(name, str | os.PathLike):
        return dataset_of(name)
    source = find_dataset(str(name))
    if source is not None and not Path(name).exists():
        return dataset_files.load(source)
    path = Path(name)
    if not path.exists():
        names = ", ".join(DATASETS)
        raise DatasetError(
            f"there is no data set {str(name)!r}: choose one of {names}, or give the path of a folder or zip "
            "in the layout of the TU data sets"
        )
    return dataset_files.load_own(path)


def is_cached(name: str) -> bool:
    """Whether a registered data set can be loaded without network."""
    source = find_dataset(name)
    return source is not None and dataset_files.is_cached(source)
