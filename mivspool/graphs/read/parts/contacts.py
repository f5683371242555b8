"""Contact graphs of proteins: one vertex per residue, an edge where two Cα atoms are less than 6 Å apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.text import number, shown

CONTACT = 6.0  # Å, as in the data set D&D (Dobson and Doig 2003)
_FARTHEST = 1e5


class Residue(NamedTuple):
    """One residue by its Cα atom."""

    chain: str
    number: str
    name: str
    place: tuple[float, float, float]
    line: int


def place_of(texts: tuple[str, ...], context: Context, line: int) -> tuple[float, float, float]:
    """Three coordinates in Å. Raises ReadError with the line where they are none."""
    x, y, z = (number(text) for text in texts)
    if x is None or y is None or z is None or max(abs(x), abs(y), abs(z)) > _FARTHEST:
        raise ReadError(f"{context.name} has the coordinates {shown(' '.join(texts))}", line=line)
    return x, y, z


def contacts(residues: list[Residue], name: str, format: str, context: Context) -> Graph:
    """The contact graph of these residues, drawn from where the protein is widest."""
    if not residues:
        raise ReadError(f"{context.name} has no residue with a Cα atom: it has no vertices")
    context.check_size(len(residues))
    builder = Builder(context, name, format, declared=True)
    for residue in residues:
        ident = f"{residue.chain}:{residue.number}" if residue.chain else residue.number
        i = builder.node((residue.chain, residue.number), residue.line, ident or "?")
        builder.node_value(i, "label", residue.name)
        if residue.chain:
            builder.node_value(i, "chain", residue.chain)
    places = np.asarray([residue.place for residue in residues])
    pairs = _near(places, context)
    for u, v in pairs.tolist():
        builder.edge(u, v)
    builder.position = dict(enumerate(map(tuple, _flatten(places).tolist())))
    builder.say(f"joined residues whose Cα atoms are less than {CONTACT:g} Å apart")
    return builder.finish()


def _near(places: NDArray[np.float64], context: Context) -> NDArray[np.int64]:
    """int64 [E, 2]: the pairs less than 6 Å apart. Raises LimitError before there are too many."""
    from scipy.spatial import cKDTree

    tree = cKDTree(places)
    context.check_size(len(places), int(tree.count_neighbors(tree, CONTACT) - len(places)) // 2)
    pairs = tree.query_pairs(CONTACT, output_type="ndarray").astype(np.int64).reshape(-1, 2)
    gap = np.linalg.norm(places[pairs[:, 0]] - places[pairs[:, 1]], axis=1)
    pairs = pairs[gap < CONTACT]
    return np.asarray(pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))], dtype=np.int64)


def _flatten(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """The protein seen from where it is widest: its two longest axes."""
    centred = places - places.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    flat = np.zeros((len(places), 2))
    kept = centred @ axes[:2].T
    flat[:, : kept.shape[1]] = kept
    return flat
