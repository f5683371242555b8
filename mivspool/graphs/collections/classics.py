"""Classic graphs of the literature and plain shapes, from networkx."""

from __future__ import annotations

import string
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np

from mivspool.errors import InputError
from mivspool.graphs.collection import Collection
from mivspool.graphs.graph import Graph
from mivspool.graphs.simplify import simplify


@dataclass(frozen=True)
class Classic:
    """One graph that can be named: how it is made, and what it is in a few words."""

    name: str
    title: str
    about: str
    make: Callable[[], Any]  # a networkx graph
    grid: bool = False  # vertices are (row, column) and stand there


def _networkx(function: str, *arguments: Any, **options: Any) -> Callable[[], Any]:
    def make() -> Any:
        import networkx

        return getattr(networkx, function)(*arguments, **options)

    return make


CLASSICS: dict[str, Classic] = {
    classic.name: classic
    for classic in (
        Classic(
            "karate",
            "Karate club",
            "friendships in a club that split in two (Zachary 1977)",
            _networkx("karate_club_graph"),
        ),
        Classic(
            "les-miserables",
            "Les Misérables",
            "characters that appear together (Knuth 1993)",
            _networkx("les_miserables_graph"),
        ),
        Classic(
            "davis",
            "Davis's Southern women",
            "18 women and 14 events (1941), bipartite",
            _networkx("davis_southern_women_graph"),
        ),
        Classic(
            "florentine",
            "Florentine families",
            "marriages in the Renaissance (Padgett)",
            _networkx("florentine_families_graph"),
        ),
        Classic(
            "petersen",
            "Petersen graph",
            "10 vertices of degree 3, all equivalent",
            _networkx("petersen_graph"),
        ),
        Classic(
            "dodecahedron", "Dodecahedron", "20 vertices of degree 3, planar", _networkx("dodecahedral_graph")
        ),
        Classic("cube", "Cube", "8 vertices of degree 3", _networkx("cubical_graph")),
        Classic(
            "tutte", "Tutte graph", "46 vertices of degree 3, no Hamiltonian cycle", _networkx("tutte_graph")
        ),
        Classic(
            "krackhardt",
            "Krackhardt kite",
            "10 people, three kinds of centre",
            _networkx("krackhardt_kite_graph"),
        ),
        Classic(
            "grid",
            "Grid 8 × 8",
            "64 vertices with up to four neighbours each",
            _networkx("grid_2d_graph", 8, 8),
            grid=True,
        ),
        Classic(
            "grid-20",
            "Grid 20 × 25",
            "500 vertices with up to four neighbours each",
            _networkx("grid_2d_graph", 20, 25),
            grid=True,
        ),
        Classic("tree", "Binary tree", "31 vertices, 5 generations", _networkx("balanced_tree", 2, 4)),
        Classic("tree-3", "Ternary tree", "40 vertices, 4 generations", _networkx("balanced_tree", 3, 3)),
        Classic("ladder", "Ladder", "two paths of 10 side by side", _networkx("ladder_graph", 10)),
        Classic(
            "circular-ladder", "Circular ladder", "two rings of 10", _networkx("circular_ladder_graph", 10)
        ),
        Classic("path", "Path", "20 vertices in a row", _networkx("path_graph", 20)),
        Classic("cycle", "Cycle", "20 vertices in a ring", _networkx("cycle_graph", 20)),
        Classic("star", "Star", "one centre, 12 leaves", _networkx("star_graph", 12)),
        Classic("wheel", "Wheel", "one hub, a rim of 11", _networkx("wheel_graph", 12)),
        Classic("clique", "Clique", "10 vertices, all adjacent", _networkx("complete_graph", 10)),
        Classic(
            "bipartite",
            "Complete bipartite",
            "parts of 4 and 6 vertices",
            _networkx("complete_bipartite_graph", 4, 6),
        ),
        Classic(
            "barbell", "Barbell", "two cliques of 7, joined by a path of 4", _networkx("barbell_graph", 7, 4)
        ),
        Classic("lollipop", "Lollipop", "a clique of 8 with a tail of 8", _networkx("lollipop_graph", 8, 8)),
        Classic(
            "caveman",
            "Connected caveman",
            "5 near-cliques of 6, joined in a ring",
            _networkx("connected_caveman_graph", 5, 6),
        ),
        Classic(
            "random",
            "Random graph",
            "60 vertices, each pair joined with probability 0.06",
            _networkx("gnp_random_graph", 60, 0.06, seed=0),
        ),
        Classic(
            "small-world",
            "Small world",
            "a ring of 60 with shortcuts (Watts and Strogatz 1998)",
            _networkx("watts_strogatz_graph", 60, 4, 0.1, seed=0),
        ),
        Classic(
            "scale-free",
            "Scale-free",
            "100 vertices, preferential attachment (Barabási and Albert 1999)",
            _networkx("barabasi_albert_graph", 100, 2, seed=0),
        ),
    )
}


@lru_cache(maxsize=64)
def load_classic(name: str) -> Graph:
    """The classic of that name. Raises InputError where there is none."""
    if name not in CLASSICS:
        raise InputError(f"there is no classic graph {name!r}: choose one of {', '.join(CLASSICS)}")
    classic = CLASSICS[name]
    made = classic.make()
    place = {node: i for i, node in enumerate(made.nodes)}
    pairs = np.asarray([(place[u], place[v]) for u, v in made.edges()], dtype=np.int64).reshape(-1, 2)
    simple = simplify(pairs[:, 0], pairs[:, 1], len(place))
    weights = [data.get("weight") for _, _, data in made.edges(data=True)]
    clubs = [data.get("club") for _, data in made.nodes(data=True)]
    return Graph(
        name=name,
        nodes=tuple(_id(node) for node in made.nodes),
        edges=simple.edges,
        edge_weight=None if None in weights else np.asarray(weights, dtype=np.float64)[simple.first],
        node_attributes={"club": tuple(clubs)} if all(clubs) else {},
        positions=np.asarray([(c, -r) for r, c in made.nodes], dtype=np.float64) if classic.grid else None,
    )


def _id(node: Any) -> str:
    """A networkx vertex as text: (3, 4) of a grid becomes "D5" as on a chess board."""
    if isinstance(node, tuple):
        row, column = node
        return f"{string.ascii_uppercase[row]}{column + 1}"
    return str(node)


class Classics(Collection):
    """The graphs of ``CLASSICS``: the SOURCE is a graph's name, in any case."""

    name = "classics"
    title = "Classic graphs"
    about = "graphs from the literature and simple shapes"
    place = 100
    named = True
    one = "classic"

    def __len__(self) -> int:
        return len(CLASSICS)

    def index(self, source: str) -> int | None:
        """The graph of that name."""
        return list(CLASSICS).index(source.lower()) if source.lower() in CLASSICS else None

    def source(self, index: int, like: str = "") -> str:
        """The graph's name."""
        return list(CLASSICS)[index]

    def load(self, source: str) -> Graph:
        """The graph."""
        return replace(load_classic(source.lower()), collection=self.name)

    def title_of(self, source: str) -> str:
        """The graph's title."""
        return CLASSICS[source.lower()].title

    def about_of(self, source: str) -> str:
        """What it is in a few words."""
        return CLASSICS[source.lower()].about


COLLECTION = Classics()
