"""Large graphs on their way: the same documents, with what is long in them as arrays.

A body of ``MEDIA_TYPE`` holds safetensors: ``document``, uint8, the bytes of the document in JSON, and the arrays that
belong to it. A graph's edges, weights and positions are arrays there (``GraphArrays``), and so are the scores of an
answer. As JSON, a graph of 200,000 vertices takes longer to write and to check than to classify.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import SafetensorError
from safetensors.numpy import load, save

from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from mivspool.messages import count

MEDIA_TYPE = "application/x-safetensors"
LARGE = 5_000  # vertices and edges from which a graph is sent as arrays
_DOCUMENT = "document"

Arrays = Mapping[str, NDArray[Any]]


def pack(document: Any, arrays: Arrays) -> bytes:
    """The body of a document, plain data for JSON, and its arrays."""
    text = np.frombuffer(json.dumps(document).encode(), np.uint8)
    body: bytes = save(
        {_DOCUMENT: text, **{name: np.ascontiguousarray(array) for name, array in arrays.items()}}
    )
    return body


def unpack(content: bytes) -> tuple[bytes, dict[str, NDArray[Any]]]:
    """The JSON of a body and its arrays, which are checked where they are used.

    Raises:
        InputError: for what is no such body.
    """
    try:
        arrays: dict[str, NDArray[Any]] = load(content)
        text = arrays.pop(_DOCUMENT)
    except (SafetensorError, KeyError, ValueError, TypeError):
        raise InputError(
            f"the body is not {MEDIA_TYPE}: safetensors with the JSON document as the array {_DOCUMENT!r}"
        ) from None
    return text.tobytes(), arrays


@dataclass(frozen=True)
class GraphArrays:
    """What of a graph is sent as arrays.

    Args:
        edges: whole numbers [2, E], places among its vertices.
        weights: floats [E], NaN where one is missing, or None.
        positions: floats [n, 2], or None.
    """

    edges: NDArray[Any]
    weights: NDArray[Any] | None = None
    positions: NDArray[Any] | None = None

    @classmethod
    def of(cls, graph: Graph) -> GraphArrays:
        """Those of a graph of ours."""
        return cls(graph.edges.astype(np.int32), graph.edge_weight, graph.positions)

    @classmethod
    def of_body(cls, arrays: Arrays, graphs: int) -> list[GraphArrays]:
        """Those of each of a body's graphs.

        Raises:
            InputError: where a graph has no edges there, or an array belongs to no graph.
        """
        left = dict(arrays)
        found = []
        for number in range(graphs):
            edges, weights, positions = (
                left.pop(f"{name}_{number}", None) for name in ("edges", "weights", "positions")
            )
            if edges is None:
                raise InputError(f"the body has no array edges_{number} for its graph {number}")
            found.append(cls(edges, weights, positions))
        if left:
            raise InputError(
                f"the body has arrays that belong to none of its graphs, for example {min(left)[:60]!r}"
            )
        return found

    def names(self, number: int) -> dict[str, NDArray[Any]]:
        """The arrays by their names in a body."""
        named = {"edges": self.edges, "weights": self.weights, "positions": self.positions}
        return {f"{name}_{number}": array for name, array in named.items() if array is not None}

    def check(self, name: str, vertices: int) -> None:
        """Raises InputError where they do not fit a graph of so many vertices."""
        edges = self.edges
        if edges.ndim != 2 or edges.shape[0] != 2 or edges.dtype.kind not in "iu":
            raise InputError(f"the edges of the graph {name!r} are not whole numbers of shape [2, E]")
        if edges.size and not 0 <= int(edges.min()) <= int(edges.max()) < vertices:
            raise InputError(f"an edge of the graph {name!r} ends outside its {count(vertices, 'vertex')}")
        for what, array, shape in (
            ("weights", self.weights, (edges.shape[1],)),
            ("positions", self.positions, (vertices, 2)),
        ):
            if array is not None and (array.shape != shape or array.dtype.kind != "f"):
                raise InputError(f"the {what} of the graph {name!r} are not floats of shape {list(shape)}")
        if self.weights is not None and np.isinf(self.weights).any():
            raise InputError(f"a weight in the graph {name!r} is infinite; a missing weight is NaN")
        if self.positions is not None and not np.isfinite(self.positions).all():
            raise InputError(f"a position in the graph {name!r} is not a finite number")
