"""S as a picture: HTML whose rows light their vertices in the graph, and are lit by them (``modes/highlight.js``)."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from app.ui import common
from app.ui.texts import visible
from mivspool.colours import COLOURS

MOST_ZEROS = 10_000  # of a matrix whose zeros are written
_NARROW, _WIDE, _WIDTH = 14, 40, 400  # pixels: a column's least and greatest width, and that of all columns


def picture(
    vertices: Sequence[str],
    clusters: Sequence[str],
    cluster: NDArray[np.int64],
    survivor: NDArray[np.bool_],
    order: NDArray[np.int64],
    selected: int | None,
    alt: str,
) -> str:
    """S as HTML, a matrix of 0 and 1: one row per vertex, in the given order (int64 [n]), one column per cluster.

    ``cluster`` int64 [n]: each vertex's column; ``survivor`` bool [n], which colours its cell; ``selected``: the
    vertex whose row and column are marked. Names are text: nothing in them is markup.
    """
    zeros = (
        f"<em aria-hidden='true'>{'0' * len(clusters)}</em>"
        if len(vertices) * len(clusters) <= MOST_ZEROS
        else ""
    )
    wide = min(max(_WIDTH // max(len(clusters), 1), _NARROW), _WIDE)
    rows = []
    for v in order.tolist():
        name, column = escape(visible(vertices[v]), quote=True), int(cluster[v])
        head = escape(visible(clusters[column]), quote=True)
        colour = COLOURS["survivor" if survivor[v] else "non_survivor"]
        fill, ink = colour.fill, colour.ink
        rows.append(
            f"<div class='row{' selected' if v == selected else ''}' data-choose='1' title='{name} → {head}' "
            f"data-light='vertex:{escape(vertices[v], quote=True)}'><bdi>{name}</bdi>"
            f"<span>{zeros}<i style='margin-inline-start:{column * wide}px;background:{fill};color:{ink}'>1</i>"
            "</span></div>"
        )
    heads = "".join(f"<bdi>{escape(visible(name))}</bdi>" for name in clusters)
    mark = "" if selected is None else f"<b style='inset-inline-start:{int(cluster[selected]) * wide}px'></b>"
    return (
        f"<div class='S' role='group' tabindex='0' aria-label='{escape(alt, quote=True)}' style='--wide:{wide}px'>"
        f"<div class='all' style='--columns:{len(clusters)}'>{''.join(rows)}{mark}"
        f"<div class='heads'><span></span><span>{heads}</span></div></div></div>"
        f"<p class='S-axes'>{escape(common.S_AXES)}</p>"
    )
