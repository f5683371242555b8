"""MAO: 68 molecules of the package greycdata, which one of the paper's authors keeps; it needs no network."""

from __future__ import annotations

import numpy as np

from mivspool.extras import installed
from mivspool.graphs.collection import DataSet
from mivspool.graphs.dataset import Dataset

_ELEMENTS = ("C", "N", "O", "F", "P", "S", "Cl", "Br", "I", "H", "unknown")


def _mao() -> Dataset:
    """The 68 molecules of greycdata, drawn where RDKit is installed.

    The package has coordinates for the three-ring core alone and (0, 0, 0) for every atom beside it, in 67
    of 68 molecules: the core is kept where it is and the rest is drawn on to it.
    """
    from greycdata.loaders import load_MAO

    drawn = installed("rdkit")
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
        if drawn:
            from mivspool.graphs.molecules import draw

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
        positions=np.concatenate(positions) if drawn else None,
        edge_attributes={"bond": np.asarray(bonds, dtype=np.int64)},
    )


COLLECTION = DataSet(
    "MAO",
    "MAO",
    "molecules: do they inhibit monoamine oxidase?",
    graphs=68,
    classes=2,
    place=10,
    molecules=True,
    bundled=_mao,
    class_names={"0": "MAO inhibitor", "1": "not an MAO inhibitor"},
    class_source="Gaüzère, Brun and Villemin (2012): 38 of the 68 molecules inhibit monoamine oxidase.",
)
