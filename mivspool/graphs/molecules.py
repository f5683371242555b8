"""Drawn coordinates of molecules, by RDKit: what a source leaves out is completed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mivspool.extras import need


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
    from rdkit import Chem
    from rdkit.Chem import rdDepictor
    from rdkit.Geometry import Point2D

    orders = {1: Chem.BondType.SINGLE, 2: Chem.BondType.DOUBLE, 3: Chem.BondType.TRIPLE}
    molecule = Chem.RWMol()
    for symbol in symbols:
        molecule.AddAtom(Chem.Atom(symbol))
    for (u, v), bond in zip(edges.T.tolist(), bonds, strict=True):
        molecule.AddBond(u, v, orders[bond])
    molecule.UpdatePropertyCache(strict=False)
    Chem.FastFindRings(molecule)
    fixed = {i: Point2D(x, y) for i, (x, y) in enumerate(known.tolist()) if x == x and y == y}
    rdDepictor.Compute2DCoords(molecule, coordMap=fixed)
    return np.asarray(molecule.GetConformer().GetPositions()[:, :2], dtype=np.float64)
