"""The files of data sets: fetched from their server, a mirror or a folder, read once, and kept as arrays.

What was read once is kept under the home folder (no pickles), so that later loads take milliseconds and need no
network. PyTorch Geometric's own loader gives the same graphs (a test says so), but it takes seconds to import, keeps
pickles, and forgets which number a vertex label had.
"""

from __future__ import annotations

import hashlib
import json
import logging
import urllib.error
import urllib.parse
import urllib.request
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from mivspool.certificates import ADVICE, is_distrust, trusted
from mivspool.errors import DatasetError, ReadError
from mivspool.files import whole
from mivspool.graphs.dataset import Dataset
from mivspool.settings import Limits, private_folder, settings

if TYPE_CHECKING:
    from mivspool.graphs.collection import DataSet

log = logging.getLogger(__name__)

TU_URL = "https://www.chrsmrrs.com/graphkerneldatasets"
_CACHE_VERSION = 2
_TRUSTED = Limits(
    bytes=2**30, expanded_bytes=2**32, members=1000, vertices=10**8, edges=10**9, graphs=10**7,
    depth=100, seconds=3600,
)  # fmt: skip


def load(source: DataSet) -> Dataset:
    """A registered data set. Raises DatasetError where its data cannot be had."""
    return _load(source, settings().home, settings().tu_url)


def is_cached(source: DataSet) -> bool:
    """Whether a registered data set can be loaded without network."""
    return source.bundled is not None or _cache_path(source.name).exists()


def load_own(path: Path) -> Dataset:
    """A person's own folder or zip in the layout of the TU data sets. Raises DatasetError."""
    from mivspool.graphs.read.parts.archive import open_members
    from mivspool.graphs.read.parts.tu import parse_tu, tu_name, tu_parts

    members = open_members(path, settings().limits)
    name = tu_name(list(members))
    if name is None:
        raise DatasetError(
            f"{path.name} is not in the layout of a TU data set: it needs NAME_A.txt and "
            "NAME_graph_indicator.txt, and NAME_graph_labels.txt for the classes"
        )
    parts = {part: members[file]() for part, file in tu_parts(name, list(members)).items()}
    dataset = parse_tu(name, parts)
    if not dataset.classes:
        raise DatasetError(f"{path.name} has no {name}_graph_labels.txt: its graphs have no classes to learn")
    return dataset


@lru_cache(maxsize=8)
def _load(source: DataSet, home: Path, tu_url: str | None) -> Dataset:
    path = _cache_path(source.name)
    cached = _read_cache(path)
    if cached is not None:
        return replace(cached, collection=source.name)
    dataset = _tu(source, tu_url) if source.bundled is None else source.bundled()
    # molecules that could not be drawn here, without RDKit, are drawn once it is installed
    if source.bundled is None or not source.molecules or dataset.positions is not None:
        _write_cache(path, dataset)
    return replace(dataset, collection=source.name)


def _tu(source: DataSet, tu_url: str | None) -> Dataset:
    from mivspool.graphs.read.parts.archive import open_members
    from mivspool.graphs.read.parts.tu import parse_tu, tu_name, tu_parts

    where = tu_url or TU_URL
    try:
        members = open_members(_fetch(source, where), _TRUSTED)
        name = tu_name(list(members))
        if name is None:
            raise ReadError("it is not in the layout of the TU data sets")
        parts = {part: members[file]() for part, file in tu_parts(name, list(members)).items()}
        dataset = parse_tu(source.name, parts, source.label_names)
    except ReadError as error:
        raise DatasetError(
            f"what {where} gave for {source.name} cannot be read ({error.message}): fetch it again, or set "
            "MIVSPOOL_TU_URL to a folder that holds the original zip"
        ) from error
    if source.checksum not in {None, checksum(dataset)}:
        raise DatasetError(
            f"what {where} gave for {source.name} is another data set than the published one (its checksum differs): "
            "set MIVSPOOL_TU_URL to a folder that holds the original zip, or name this one by its path"
        )
    return dataset


def checksum(dataset: Dataset) -> str:
    """SHA-256 of what is read of a data set: its graphs, labels, attributes and classes, in hexadecimal.

    Not of the zip, which is another wherever it was packed again, though its graphs are the same.
    """
    found = hashlib.sha256()
    arrays = {key: getattr(dataset, key) for key in _ARRAYS if key != "positions"}
    arrays |= {f"edge:{key}": value for key, value in sorted(dataset.edge_attributes.items())}
    for key, value in arrays.items():
        if value is not None:
            same = np.ascontiguousarray(value, value.dtype.newbyteorder("<"))
            found.update(f"{key} {same.dtype.str} {same.shape}\n".encode())
            found.update(same.tobytes())
    for names in (dataset.label_names, dataset.attribute_names, dataset.classes):
        found.update("\n".join((*(names or ()), "")).encode())
    return found.hexdigest()


def _fetch(source: DataSet, where: str) -> Path | bytes:
    """The zip (or folder) of a TU data set from a folder or an address."""
    scheme = urllib.parse.urlsplit(where).scheme
    if scheme not in {"http", "https"}:
        folder = Path(urllib.request.url2pathname(where.removeprefix("file://")))
        for path in (folder / f"{source.name}.zip", folder / source.name):
            if path.exists():
                return path
        raise DatasetError(
            f"{source.name} is not in {folder} (MIVSPOOL_TU_URL): put {source.name}.zip there, or unset the "
            "variable to download it"
        )
    address = f"{where.rstrip('/')}/{source.name}.zip"
    log.info("fetching %s", address)
    try:
        request = urllib.request.Request(address, headers={"User-Agent": "mivspool"})  # noqa: S310
        with urllib.request.urlopen(request, timeout=30, context=trusted()) as answer:  # noqa: S310
            return cast(bytes, answer.read())
    except (OSError, urllib.error.URLError, ValueError) as error:
        if is_distrust(error):
            raise DatasetError(f"{source.name} is not fetched from {address}: {ADVICE}") from error
        reason = getattr(error, "reason", None) or error
        raise DatasetError(
            f"{source.name} could not be fetched from {address} ({reason}): connect to the internet, or "
            f"download {source.name}.zip elsewhere and set MIVSPOOL_TU_URL to the folder that holds it; MAO "
            "and the classic graphs need no network"
        ) from error


def _cache_path(name: str) -> Path:
    return settings().home / "datasets" / f"{name}.v{_CACHE_VERSION}.npz"


_ARRAYS = ("ptr", "edges", "edge_ptr", "node_label", "node_attributes", "target", "positions")
_NAMES = ("name", "label_names", "attribute_names", "classes", "repairs")


def _write_cache(path: Path, dataset: Dataset) -> None:
    """Write at once or not at all; a home that cannot be written to costs time later, not the data set."""
    arrays: dict[str, Any] = {key: getattr(dataset, key) for key in _ARRAYS}
    arrays = {key: value for key, value in arrays.items() if value is not None}
    arrays |= {f"edge:{key}": value for key, value in dataset.edge_attributes.items()}
    names = json.dumps({key: getattr(dataset, key) for key in _NAMES})
    try:
        private_folder(path.parent)
        with whole(path) as file:
            np.savez_compressed(file, names=np.asarray(names), **arrays)
    except OSError as error:
        log.warning("%s could not be kept under %s: %s", dataset.name, path.parent, error)


def _read_cache(path: Path) -> Dataset | None:
    """The data set kept at ``path``; None where there is none or it was damaged."""
    if not path.exists():
        return None
    try:
        with np.load(path, allow_pickle=False) as file:
            stored: dict[str, NDArray[Any]] = {key: file[key] for key in file.files}
        names = json.loads(str(stored.pop("names")))
        fields: dict[str, Any] = {key: stored.get(key) for key in _ARRAYS}
        fields |= {key: tuple(value) if isinstance(value, list) else value for key, value in names.items()}
        edge = {key[5:]: value for key, value in stored.items() if key.startswith("edge:")}
        return Dataset(**fields, edge_attributes=edge)
    except Exception as error:  # a damaged file can fail in any way; the original is at hand
        log.warning("%s is damaged and is rebuilt: %s", path, error)
        return None
