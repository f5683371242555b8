"""How much each vertex contributes to a class, as halos around the vertices, and how far that can be trusted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import backend, sources
from app.ui import charts, common, tables
from app.ui.texts import cut, safe
from mivspool.colours import ACCENT, GREY, PAGE, Theme
from mivspool.content import shared
from mivspool.errors import MIVSPoolError
from mivspool.graphs.classes import class_title
from mivspool.graphs.graph import Graph
from mivspool.graphs.molecules import bonds_of, halos, symbols_of
from mivspool.messages import fill, number, sentence
from mivspool.service.schemas import ExplanationDocument

HERE = Path(__file__).parent
METHODS = ("leaving_out", "gradients")
MOST_DRAWN = 400  # vertices
MOST_AT_ONCE = 150  # vertices that are explained without being asked
_LABELLED = 60
_WIDE, _HIGH, _EDGE = 520.0, 340.0, 34.0


def show(
    source: str, graph: Graph, model: str, mapping: backend.Mapping, method: str, label: str | None
) -> None:
    """The halos of one method, the sentence above them, and how far it can be trusted below.

    ``label``: the attribute that the model took for the vertex label.
    """
    asked = f"importance:{source}:{backend.version(model)}:{model}:{mapping}"
    if graph.num_nodes > MOST_AT_ONCE and asked not in st.session_state:
        if not st.button(fill(common.IMPORTANCE_ASK, n=graph.num_nodes), key="importance:ask"):
            return
        st.session_state[asked] = True
    try:
        with st.spinner(common.IMPORTANCE_WAIT):
            found = backend.explained(source, model, mapping, graph)
    except MIVSPoolError as error:
        st.warning(safe(sentence(error.message)))
        return
    values: list[float] | None = getattr(found, method)
    if values is None:
        st.caption(common.IMPORTANCE_NONE[method])
        return
    weights = np.asarray(values)
    names = backend.class_names(model)
    called = dict(zip(graph.nodes, sources.vertex_labels(graph) or (), strict=False))
    said = said_of(found, method, names, called)
    st.caption(safe(said))
    if graph.num_nodes <= MOST_DRAWN:
        _component(key=f"importance:{method}", data={"svg": _drawn(source, graph, weights, label, said)})
    st.caption(safe(" ".join(trusted(found, method))))
    with st.expander(shared.TABLE_BEHIND):
        st.dataframe(_table(found, called), hide_index=True)


def said_of(
    found: ExplanationDocument, method: str, names: Mapping[str, str], labels: Mapping[str, str]
) -> str:
    """Which vertices speak for the class most, and which against it."""
    values = np.asarray(getattr(found, method))
    order = np.argsort(-values, kind="stable")
    scale, digits = (100, 1) if method == "leaving_out" else (1, 2)
    unit = common.IMPORTANCE_UNIT[method]

    def named(v: int) -> str:
        node = found.nodes[v]
        label = f" ({labels[node]})" if labels.get(node) else ""
        return fill(unit, vertex=f"{node}{label}", value=number(scale * float(values[v]), f"+.{digits}f"))

    largest = float(np.abs(values).max(initial=0.0))
    ahead = [int(v) for v in order[:3] if values[v] > 0.02 * largest]
    against = [int(v) for v in order[::-1][:3] if values[v] < -0.02 * largest]
    parts = []
    if ahead:
        parts.append(fill(common.IMPORTANCE_FOR, which=", ".join(map(named, ahead))))
    if against:
        parts.append(fill(common.IMPORTANCE_AGAINST, which=", ".join(map(named, against))))
    title = class_title(found.predicted, names)
    return fill(common.IMPORTANCE_SENTENCE, title=title, what="; ".join(parts) or common.IMPORTANCE_NOTHING)


def trusted(found: ExplanationDocument, method: str) -> list[str]:
    """How far an explanation can be trusted: faithfulness, agreement, completeness; a sentence each."""
    said = []
    measured = found.faithful.get(method)
    if measured is not None:
        kind = "yes" if measured.low > 0 else "no" if measured.high < 0 else "open"
        said.append(
            fill(
                common.IMPORTANCE_FAITHFUL[kind],
                gain=number(100 * measured.gain, ".1f"),
                low=number(100 * measured.low, ".1f"),
                high=number(100 * measured.high, ".1f"),
                orders=measured.orders,
            )
        )
    if found.agreement is not None:
        said.append(fill(common.IMPORTANCE_AGREEMENT, rho=number(found.agreement, ".2f")))
    if method == "gradients" and found.gap is not None:
        said.append(
            fill(
                common.IMPORTANCE_GAP,
                gap=number(found.gap, ".3f"),
                whole=number((found.log_odds or 0.0) - (found.baseline or 0.0), ".2f"),
            )
        )
    return said


def drawing(
    graph: Graph, at: NDArray[np.float64], weights: NDArray[np.float64], labels: Sequence[str], alt: str
) -> str:
    """The graph as SVG, each vertex with a halo as wide as the size of its weight; dashed where it is below 0.

    ``at`` float64 [n, 2], y upwards; ``labels``: one text per vertex.
    """
    low, high = at.min(0), at.max(0)
    span = np.where(high - low > 1e-9, high - low, 1.0)
    scale = float(min((_WIDE - 2 * _EDGE) / span[0], (_HIGH - 2 * _EDGE) / span[1]))
    middle = (low + high) / 2
    x = _WIDE / 2 + (at[:, 0] - middle[0]) * scale
    y = _HIGH / 2 - (at[:, 1] - middle[1]) * scale
    size = np.abs(weights) / (float(np.abs(weights).max()) or 1.0)
    small = graph.num_nodes > _LABELLED
    parts = [
        f'<path class="edge" d="M{x[u]:.1f},{y[u]:.1f} L{x[v]:.1f},{y[v]:.1f}"/>'
        for u, v in graph.edges.T.tolist()
    ]
    for v, node in enumerate(graph.nodes):
        side = "for" if weights[v] >= 0 else "against"
        radius = (6 if small else 9) + (12 if small else 20) * float(np.sqrt(size[v]))
        centre = f'cx="{x[v]:.1f}" cy="{y[v]:.1f}"'
        title = escape(f"{node}{f' ({labels[v]})' if labels[v] else ''}: {number(weights[v], '+.4f')}")
        halo = f'<circle class="halo {side}" {centre} r="{radius:.1f}"/>' if size[v] > 0.02 else ""
        text = labels[v] or node
        parts.append(
            f'<g class="vertex"><title>{title}</title>{halo}<circle class="dot" {centre} r="{4 if small else 8}"/>'
        )
        if not small:
            parts.append(f'<text x="{x[v]:.1f}" y="{y[v] + 4:.1f}">{escape(cut(text, 4))}</text>')
        parts.append("</g>")
    return (
        f'<svg viewBox="0 0 {_WIDE:.0f} {_HIGH:.0f}" role="img" aria-label="{escape(alt, quote=True)}">'
        f"{''.join(parts)}</svg>"
    )


def _drawn(source: str, graph: Graph, weights: NDArray[np.float64], label: str | None, alt: str) -> str:
    """A molecule by its formula, any other graph as the canvas places it."""
    theme: Theme = charts.theme()
    symbols = None if label is None else symbols_of(graph, label)
    bonds = None if symbols is None else bonds_of(graph)
    if symbols is not None and bonds is not None:
        svg = halos(symbols, graph.edges, bonds, weights, ACCENT[theme], GREY[theme], PAGE[theme].text)
        return svg.replace("<svg", f'<svg role="img" aria-label="{escape(alt, quote=True)}"', 1)
    labels = sources.vertex_labels(graph) or [""] * graph.num_nodes
    return drawing(graph, sources.positions(source, graph), weights, labels, alt)


def _table(found: ExplanationDocument, labels: Mapping[str, str]) -> Any:
    columns: dict[str, list[Any]] = {common.IMPORTANCE_COLUMNS["vertex"]: list(found.nodes)}
    if labels:
        columns[common.IMPORTANCE_COLUMNS["label"]] = [labels.get(node, "") for node in found.nodes]
    for method in METHODS:
        values = getattr(found, method)
        if values is not None:
            columns[common.IMPORTANCE_COLUMNS[method]] = list(values)
    return tables.frame(columns)


@lru_cache(maxsize=1)
def _style() -> str:
    return (HERE / "importance.css").read_text(encoding="utf-8")


_SCRIPT = """
export default function (component) {
  component.parentElement.querySelector(".importance").innerHTML = component.data.svg;
}
"""

_component: Any = st.components.v2.component(
    "mivspool_importance", html='<div class="importance"></div>', css=_style(), js=_SCRIPT
)
