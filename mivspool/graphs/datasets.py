"""The data sets by name: MAO from greycdata, the TU data sets from their server, a mirror or a folder.

What was read once is kept as arrays under the home folder (no pickles), so that later loads take
milliseconds and need no network. PyTorch Geometric's own loader gives the same graphs (a test says so), but
it takes seconds to import, keeps pickles, and forgets which number a vertex label had.
"""

from __future__ import annotations

import json
import logging
import os
import tempfile
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import DatasetError, ReadError
from mivspool.graphs.dataset import Dataset, Statistics, statistics
from mivspool.settings import Limits, settings

__all__ = ["DATASETS", "Dataset", "Source", "Statistics", "load_dataset", "statistics"]

log = logging.getLogger(__name__)

TU_URL = "https://www.chrsmrrs.com/graphkerneldatasets"
_CACHE_VERSION = 2
_TRUSTED = Limits(
    bytes=2**30, expanded_bytes=2**32, members=1000, vertices=10**8, edges=10**9, graphs=10**7,
    depth=100, seconds=3600,
)  # fmt: skip
_ELEMENTS = ("C", "N", "O", "F", "P", "S", "Cl", "Br", "I", "H", "unknown")


@dataclass(frozen=True)
class Source:
    """What is known of a data set before it is loaded."""

    name: str
    title: str
    about: str
    graphs: int
    classes: int
    origin: str  # "greycdata" or "TU"
    label_names: Mapping[int, str] | None = None  # only where their meaning is published
    molecules: bool = False


_MUTAG = {0: "C", 1: "N", 2: "O", 3: "F", 4: "I", 5: "Cl", 6: "Br"}
DATASETS: dict[str, Source] = {
    source.name: source
    for source in (
        Source("MAO", "MAO", "molecules: do they inhibit monoamine oxidase?", 68, 2, "greycdata", None, True),
        Source("MUTAG", "MUTAG", "molecules: are they mutagenic?", 188, 2, "TU", _MUTAG, True),
        Source("NCI1", "NCI1", "molecules: are they active against lung cancer cells?", 4110, 2, "TU"),
        Source("PROTEINS", "PROTEINS", "proteins by secondary structure: enzyme or not?", 1113, 2, "TU"),
        Source("DD", "D&D", "proteins by amino acid: enzyme or not?", 1178, 2, "TU"),
        Source("ENZYMES", "ENZYMES", "enzymes: which of six classes?", 600, 6, "TU"),
        Source("IMDB-BINARY", "IMDB-BINARY", "actors who played together: action or romance?", 1000, 2, "TU"),
    )
}
_ALIASES = {"D&D": "DD", "IMDB": "IMDB-BINARY", "IMDB-B": "IMDB-BINARY"}


def find_dataset(name: str) -> Source | None:
    """The registered data set of that name, in any case, or None."""
    upper = name.upper()
    return DATASETS.get(_ALIASES.get(upper, upper))


def load_dataset(name: str | os.PathLike[str]) -> Dataset:
    """A registered data set by name, or a folder or zip of your own in the layout of the TU data sets.

    Raises DatasetError where the name is not known, the data cannot be had, or a data set of your own gives
    its graphs no classes.
    """
    source = find_dataset(str(name))
    if source is not None and not Path(name).exists():
        return _load(source.name, settings().home, settings().tu_url)
    path = Path(name)
    if not path.exists():
        names = ", ".join(DATASETS)
        raise DatasetError(
            f"there is no data set {str(name)!r}: choose one of {names}, or give the path of a folder or zip "
            "in the layout of the TU data sets"
        )
    return _own(path)


def is_cached(name: str) -> bool:
    """Whether a registered data set can be loaded without network."""
    source = find_dataset(name)
    return source is not None and (source.origin == "greycdata" or _cache_path(source.name).exists())


@lru_cache(maxsize=8)
def _load(name: str, home: Path, tu_url: str | None) -> Dataset:
    source = DATASETS[name]
    path = _cache_path(source.name)
    cached = _read_cache(path)
    if cached is not None:
        return cached
    dataset = _mao() if source.origin == "greycdata" else _tu(source, tu_url)
    _write_cache(path, dataset)
    return dataset


def _own(path: Path) -> Dataset:
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


def _tu(source: Source, tu_url: str | None) -> Dataset:
    from mivspool.graphs.read.parts.archive import open_members
    from mivspool.graphs.read.parts.tu import parse_tu, tu_name, tu_parts

    where = tu_url or TU_URL
    try:
        members = open_members(_fetch(source, where), _TRUSTED)
        name = tu_name(list(members))
        if name is None:
            raise ReadError("it is not in the layout of the TU data sets")
        parts = {part: members[file]() for part, file in tu_parts(name, list(members)).items()}
        return parse_tu(source.name, parts, source.label_names)
    except ReadError as error:
        raise DatasetError(
            f"what {where} gave for {source.name} cannot be read ({error.message}): fetch it again, or set "
            "MIVSPOOL_TU_URL to a folder that holds the original zip"
        ) from error


def _fetch(source: Source, where: str) -> Path | bytes:
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
        with urllib.request.urlopen(request, timeout=30) as answer:  # noqa: S310
            return cast(bytes, answer.read())
    except (OSError, urllib.error.URLError, ValueError) as error:
        reason = getattr(error, "reason", None) or error
        raise DatasetError(
            f"{source.name} could not be fetched from {address} ({reason}): connect to the internet, or "
            f"download {source.name}.zip elsewhere and set MIVSPOOL_TU_URL to the folder that holds it; MAO "
            "and the classic graphs need no network"
        ) from error


def _mao() -> Dataset:
    """The 68 molecules of greycdata, drawn.

    The package has coordinates for the three-ring core alone and (0, 0, 0) for every atom beside it, in 67
    of 68 molecules: the core is kept where it is and the rest is drawn on to it.
    """
    try:
        from greycdata.loaders import load_MAO

        from mivspool.graphs.molecules import draw
    except ImportError as error:
        raise DatasetError(
            "MAO needs the packages greycdata and rdkit: pip install greycdata rdkit"
        ) from error
    graphs, targets = load_MAO()
    ptr, edge_ptr, edges, labels, positions, bonds = [0], [0], [], [], [], []
    for graph in graphs:
        atoms = [data for _, data in graph.nodes(data=True)]
        place = {node: i for i, node in enumerate(graph.nodes)}
        own = sorted(
            (*sorted((place[u], place[v])), int(data["bond_type"])) for u, v, data in graph.edges(data=True)
        )
        kinds = [atom["atom_symbol"].index(1.0) for atom in atoms]
        known = np.asarray([(atom["x"], atom["y"]) for atom in atoms])
        known[(known == 0).all(axis=1)] = np.nan
        pairs = np.asarray([(u, v) for u, v, _ in own], dtype=np.int64).T
        positions.append(draw([_ELEMENTS[k] for k in kinds], pairs, [bond for *_, bond in own], known))
        labels += kinds
        edges.append(pairs + ptr[-1])
        bonds += [bond for *_, bond in own]
        ptr.append(ptr[-1] + len(atoms))
        edge_ptr.append(len(bonds))
    classes, goal = np.unique(np.asarray(targets, dtype=np.int64), return_inverse=True)
    return Dataset(
        name="MAO",
        ptr=np.asarray(ptr, dtype=np.int64),
        edges=np.concatenate(edges, axis=1),
        edge_ptr=np.asarray(edge_ptr, dtype=np.int64),
        node_label=np.asarray(labels, dtype=np.int64),
        label_names=_ELEMENTS,
        node_attributes=None,
        attribute_names=(),
        target=goal.astype(np.int64),
        classes=tuple(str(value) for value in classes.tolist()),
        positions=np.concatenate(positions),
        edge_attributes={"bond": np.asarray(bonds, dtype=np.int64)},
    )


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
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".part", delete=False) as file:
            try:
                np.savez_compressed(file, names=np.asarray(names), **arrays)
            except BaseException:
                Path(file.name).unlink()
                raise
        Path(file.name).replace(path)
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
        log.warning("%s is damaged and is made anew: %s", path, error)
        return None
