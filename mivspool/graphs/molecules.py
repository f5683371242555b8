"""Molecules drawn by RDKit: their coordinates, where a source leaves them out, and their formula with halos."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.colours import rgb
from mivspool.extras import need
from mivspool.graphs.collection import DataSet, origin_of
from mivspool.graphs.elements import ELEMENTS
from mivspool.graphs.graph import Graph


def draw(
    symbols: Sequence[str],
    edges: NDArray[np.int64],
    bonds: Sequence[int],
    known: NDArray[np.float64],
) -> NDArray[np.float64]:
    """float64 [n, 2]: a drawing of bond length 1.5 that keeps every atom whose row in ``known`` is not NaN.

    ``edges`` int64 [2, E] with the bond orders ``bonds`` (1, 2, 3); ``known`` float64 [n, 2].
    """
    need("drawing molecules", "rdkit")
    from rdkit.Chem import rdDepictor
    from rdkit.Geometry import Point2D

    molecule = _molecule(symbols, edges, bonds)
    fixed = {i: Point2D(x, y) for i, (x, y) in enumerate(known.tolist()) if x == x and y == y}
    rdDepictor.Compute2DCoords(molecule, coordMap=fixed)
    return np.asarray(molecule.GetConformer().GetPositions()[:, :2], dtype=np.float64)


def bonds_of(graph: Graph) -> tuple[float, ...] | None:
    """The order of each edge as a bond, 1.5 where it is aromatic; None where the graph does not say."""
    known = graph.edge_attributes.get("bond")
    if known is not None:
        return _orders(known)
    origin = origin_of(graph)
    labels = graph.edge_attributes.get("label")
    if not isinstance(origin, DataSet) or not origin.bond_orders or labels is None:
        return None
    return _orders([origin.bond_orders.get(label) for label in labels])


def symbols_of(graph: Graph, attribute: str) -> tuple[str, ...] | None:
    """The elements of the atoms by an attribute of the graph; None where one of them is none."""
    symbols = tuple(str(value).capitalize() for value in graph.node_attributes.get(attribute, ()))
    return symbols if symbols and set(symbols) <= set(ELEMENTS) else None


def halos(
    symbols: Sequence[str],
    edges: NDArray[np.int64],
    bonds: Sequence[float],
    weights: NDArray[np.float64],
    positive: str,
    negative: str,
    ink: str,
) -> str:
    """A molecule's formula as SVG, each atom with a halo as wide as the size of its weight.

    Args:
        symbols: the elements of the n atoms.
        edges: int64 [2, E].
        bonds: their orders, 1.5 for aromatic ones.
        weights: float64 [n]; the largest size has the widest halo.
        positive: the colour of halos of weights above 0, as #rrggbb.
        negative: of those below.
        ink: of atoms and bonds.

    Raises:
        MissingPackageError: where RDKit is not installed.
    """
    need("drawing molecules", "rdkit")
    from rdkit.Chem import rdDepictor
    from rdkit.Chem.Draw import rdMolDraw2D

    molecule = _molecule(symbols, edges, bonds)
    rdDepictor.Compute2DCoords(molecule)
    drawer = rdMolDraw2D.MolDraw2DSVG(520, 340)
    options: Any = drawer.drawOptions()
    options.clearBackground, options.prepareMolsBeforeDrawing = False, False
    options.setAtomPalette({-1: _rgb(ink)})
    options.setSymbolColour(_rgb(ink))
    size = np.abs(weights) / (float(np.abs(weights).max()) or 1.0)
    shown = np.flatnonzero(size > 0.02).tolist()
    colours = {v: _rgb(positive if weights[v] > 0 else negative, 0.55) for v in shown}
    radii = {v: 0.15 + 0.45 * float(np.sqrt(size[v])) for v in shown}
    drawer.DrawMolecule(
        molecule,
        highlightAtoms=shown,
        highlightBonds=[],
        highlightAtomColors=colours,
        highlightAtomRadii=radii,
    )
    drawer.FinishDrawing()
    text = str(drawer.GetDrawingText())
    return text[text.index("<svg") :]


def _molecule(symbols: Sequence[str], edges: NDArray[np.int64], bonds: Sequence[float]) -> Any:
    """An RDKit molecule with exactly these atoms and bonds."""
    from rdkit import Chem

    orders = {
        1: Chem.BondType.SINGLE,
        1.5: Chem.BondType.AROMATIC,
        2: Chem.BondType.DOUBLE,
        3: Chem.BondType.TRIPLE,
    }
    molecule = Chem.RWMol()
    for symbol in symbols:
        molecule.AddAtom(Chem.Atom(symbol))
    for (u, v), bond in zip(edges.T.tolist(), bonds, strict=True):
        molecule.AddBond(u, v, orders[bond])
    molecule.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(molecule)
    return molecule


def _orders(values: Sequence[Any]) -> tuple[float, ...] | None:
    """Bond orders that can be drawn, or None."""
    return tuple(values) if all(value in (1, 1.5, 2, 3) for value in values) else None


def _rgb(colour: str, opacity: float = 1.0) -> tuple[float, float, float, float]:
    red, green, blue = (part / 255 for part in rgb(colour))
    return red, green, blue, opacity
