"""From an RDKit molecule to a graph: elements as labels, bond orders, a drawing. RDKit stays silent."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import LimitError, ReadError
from mivspool.extras import need
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.text import shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "no_sense": "RDKit cannot make sense of the molecule {name}: check its atoms and bonds",
    "atoms": "{name} has {n:,} atoms: a molecule of more than {most:,} is not read",
    "unusual": "kept a molecule that RDKit finds unusual: {problem}",
}
_MOST_DRAWN = 500  # atoms; a larger molecule is laid out as any graph
_MOST_BONDS = 1.5  # an atom; RDKit takes minutes to draw what is tied more densely, and no molecule is
_MOST_CHECKED = 200
_MOST_ATOMS = 20_000


def chemistry() -> Any:
    """The module ``rdkit.Chem``, or a sentence on how to get it."""
    need("reading molecules", "rdkit")
    from rdkit import Chem

    return Chem


def to_graph(
    molecule: Any, context: Context, name: str, format: str, *, base: int, label: str | None
) -> Graph:
    """The graph of a molecule; its vertices are numbered from ``base`` in the order of the file.

    Raises ReadError where RDKit cannot make sense of what it has itself read.
    """
    try:
        return _to_graph(molecule, context, name, format, base, label)
    except (
        RuntimeError,
        UnicodeDecodeError,
    ) as error:  # a broken precondition, an element that is half a letter
        raise ReadError(fill(WORDS["no_sense"], name=shown(name))) from error


def _to_graph(molecule: Any, context: Context, name: str, format: str, base: int, label: str | None) -> Graph:
    from rdkit.Chem import rdDepictor

    molecule.UpdatePropertyCache(strict=False)
    atoms = molecule.GetNumAtoms()
    if atoms > _MOST_ATOMS:
        raise LimitError(fill(WORDS["atoms"], name=shown(name), n=atoms, most=_MOST_ATOMS))
    context.check_size(atoms)
    builder = Builder(context, name, format, declared=True)
    builder.label = label
    charged = False
    for atom in molecule.GetAtoms():
        i = builder.node(atom.GetIdx(), None, str(atom.GetIdx() + base))
        builder.node_value(i, "label", atom.GetSymbol())
        charged = charged or atom.GetFormalCharge() != 0
    if charged:
        for atom in molecule.GetAtoms():
            builder.node_value(atom.GetIdx(), "charge", atom.GetFormalCharge())
    for atom in molecule.GetAtoms():
        for bond in atom.GetBonds():  # the molecule's own list of bonds takes quadratic time to walk
            if bond.GetBeginAtomIdx() == atom.GetIdx():
                k = builder.edge(bond.GetBeginAtomIdx(), bond.GetEndAtomIdx())
                order = bond.GetBondTypeAsDouble()
                builder.edge_value(k, "bond", int(order) if order == int(order) else order)
    _say_problems(molecule, builder)
    drawable = atoms <= _MOST_DRAWN and molecule.GetNumBonds() <= _MOST_BONDS * atoms
    if not _own_places(molecule, builder) and drawable:
        chemistry().FastFindRings(molecule)
        rdDepictor.Compute2DCoords(molecule, canonOrient=False)
        _own_places(molecule, builder, drawn=True)
    return builder.finish()


def _own_places(molecule: Any, builder: Builder, drawn: bool = False) -> bool:
    """Take the molecule's coordinates, where it has any that tell its atoms apart.

    ``drawn``: whether they are RDKit's, which may be turned.
    """
    if molecule.GetNumConformers() == 0:
        return False
    places = molecule.GetConformer().GetPositions()[:, :2]
    if drawn:
        places = _lying(places)
    different = len({(round(x, 3), round(y, 3)) for x, y in places.tolist()})
    if different < molecule.GetNumAtoms() or not abs(places).max(initial=0) < 1e6:
        return False
    builder.position = {i: (x, y) for i, (x, y) in enumerate(places.tolist())}
    return True


def _lying(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """A drawing, float64 [n, 2], turned so that it is widest along x.

    RDKit could turn it too (``canonOrient``), but its WebAssembly cannot, and a page draws a molecule as the app does.
    """
    places = places - places.mean(axis=0)
    (xx, xy), (_, yy) = (places.T @ places).tolist()
    least = 1e-3 * (xx + yy)
    angle = math.atan2(2 * xy, xx - yy) / 2
    if abs(2 * xy) < least:  # what rounding decides is decided here
        angle = math.pi / 2 if xx - yy < -least else 0.0
    c, s = math.cos(angle), math.sin(angle)
    return np.asarray(places @ np.array([[c, -s], [s, c]]))


def _say_problems(molecule: Any, builder: Builder) -> None:
    """What a chemist would object to is said, not refused: the graph is there."""
    if molecule.GetNumAtoms() > _MOST_CHECKED:
        return
    problems = chemistry().DetectChemistryProblems(molecule)
    if problems:
        builder.say(fill(WORDS["unusual"], problem=problems[0].Message().strip()[:150]))
