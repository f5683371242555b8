"""From an RDKit molecule to a graph: elements as labels, bond orders, a drawing. RDKit stays silent."""

from __future__ import annotations

from typing import Any

from mivspool.errors import LimitError, ReadError
from mivspool.extras import need
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context

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
        raise ReadError(
            f"RDKit cannot make sense of the molecule {name[:60]!r}: check its atoms and bonds"
        ) from error


def _to_graph(molecule: Any, context: Context, name: str, format: str, base: int, label: str | None) -> Graph:
    from rdkit.Chem import rdDepictor

    molecule.UpdatePropertyCache(strict=False)
    atoms = molecule.GetNumAtoms()
    if atoms > _MOST_ATOMS:
        raise LimitError(
            f"{name[:40]} has {atoms:,} atoms: a molecule of more than {_MOST_ATOMS:,} is not read"
        )
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
        rdDepictor.Compute2DCoords(molecule)
        _own_places(molecule, builder)
    return builder.finish()


def _own_places(molecule: Any, builder: Builder) -> bool:
    """Take the molecule's coordinates, where it has any that tell its atoms apart."""
    if molecule.GetNumConformers() == 0:
        return False
    places = molecule.GetConformer().GetPositions()[:, :2]
    different = len({(round(x, 3), round(y, 3)) for x, y in places.tolist()})
    if different < molecule.GetNumAtoms() or not abs(places).max(initial=0) < 1e6:
        return False
    builder.position = {i: (x, y) for i, (x, y) in enumerate(places.tolist())}
    return True


def _say_problems(molecule: Any, builder: Builder) -> None:
    """What a chemist would object to is said, not refused: the graph is there."""
    if molecule.GetNumAtoms() > _MOST_CHECKED:
        return
    problems = chemistry().DetectChemistryProblems(molecule)
    if problems:
        builder.say(f"kept a molecule that RDKit finds unusual: {problems[0].Message().strip()[:150]}")
