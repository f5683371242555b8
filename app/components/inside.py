"""The network opened at a vertex: features as strips, neighbours, views, readout and MLP, with their numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import streamlit as st

from app import backend
from app.ui import charts, common, tables
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.errors import MIVSPoolError
from mivspool.graphs.classes import class_title
from mivspool.graphs.graph import Graph
from mivspool.messages import fill, number, sentence
from mivspool.service.schemas import ModelCard

LayerValues = Mapping[str, Any]
_MOST_LISTED = 12  # neighbours or members of a cluster
_MOST_VERTICES = 6  # that are named beside a readout's maxima


def show(
    source: str, graph: Graph, card: ModelCard, block: int, vertex: str, mapping: backend.Mapping
) -> None:
    """What the layers of a block make of a vertex, and how the logits come of all blocks' readouts."""
    try:
        found = backend.inside(source, card.name, vertex, mapping, graph)
    except MIVSPoolError as error:
        st.warning(safe(sentence(error.message)))
        return
    own, head = of_block(found.layers, block), after_blocks(found.layers)
    accent = charts.accent(charts.theme())
    titles = [class_title(label, card.class_names) for label in card.classes]
    rows = [part for layer in own for part in html_of(layer)] + [
        part for layer in head for part in html_of(layer, titles)
    ]
    st.html(f"<div class='mp-inside' style='--mp-accent:{accent}'>{''.join(rows)}</div>")
    with st.expander(shared.TABLE_BEHIND):
        st.dataframe(tables.frame(table([*own, *head])), hide_index=True)


def of_block(layers: Sequence[LayerValues], block: int) -> list[LayerValues]:
    """The layers up to a pooling and its readout: those of block ``block``, from 0; the last block has the rest."""
    poolings = [i for i, layer in enumerate(layers) if layer["kind"] == "pooling"]
    before_head = next(i for i, layer in enumerate(layers) if layer["kind"] == "join")
    ends = []
    for i in poolings:
        after = i + 1 < before_head and layers[i + 1]["kind"] == "readout"
        ends.append(i + 2 if after else i + 1)
    bounds = [0, *ends[:-1], before_head]
    if not poolings:
        return list(layers[:before_head])
    return list(layers[bounds[block] : bounds[block + 1]])


def after_blocks(layers: Sequence[LayerValues]) -> list[LayerValues]:
    """The layers from where the readouts are joined."""
    start = next(i for i, layer in enumerate(layers) if layer["kind"] == "join")
    return list(layers[start:])


def html_of(layer: LayerValues, classes: Sequence[str] = ()) -> list[str]:
    """A layer in HTML: a heading, its strips, and what they are made of. ``classes``: what the logits are of."""
    words, kind = shared.LAYER_VALUES, layer["kind"]
    if kind == "convolution":
        return [
            _heading(fill(words["convolution"], name=layer["name"].upper(), vertex=_vertex(layer))),
            strip(words["before"], layer["before"]),
            _listed(words["neighbours"], [(one["vertex"], one["weight"]) for one in layer["neighbours"]]),
            strip(words["after"], layer["after"]),
        ]
    if kind == "normalisation":
        if "value" in layer:
            return [_heading(words["normalisation"]), strip(words["after"], layer["value"])]
        return [
            _heading(fill(words["normalisation_of"], vertex=_vertex(layer))),
            strip(words["after"], layer["after"]),
        ]
    if kind == "pooling":
        return _pooling(layer)
    if kind == "readout":
        parts = [strip(words[name], layer[name]) for name in ("mean", "maximum", "sum") if name in layer]
        if "maximum_vertex" in layer:
            parts.append(_maxima(layer["maximum_vertex"]))
        return [_heading(fill(words["readout"], name=layer["name"])), *parts]
    if kind == "join":
        return [_heading(fill(words["join"], name=words["joined"][layer["name"]])), strip("", layer["value"])]
    steps = [strip(words["steps"][step["name"]], step["value"]) for step in layer["steps"][:-1]]
    logits = [
        fill(words["logit"], title=title, logit=number(logit, ".4f"), share=share)
        for title, logit, share in zip(classes, layer["logits"], layer["probabilities"], strict=True)
    ]
    listed = "".join(f"<li>{escape(one)}</li>" for one in logits)
    return [_heading(words["mlp"]), *steps, f"<p>{escape(words['logits'])}</p><ul>{listed}</ul>"]


def strip(label: str, values: Sequence[float] | None) -> str:
    """Values as cells in a row: as dark as they are large, of the accent above 0 and of grey below."""
    if values is None:
        return f"<p>{escape(shared.LAYER_VALUES['gone'])}</p>"
    largest = max((abs(value) for value in values), default=0.0) or 1.0
    cells = "".join(
        f"<i class='{'up' if value >= 0 else 'down'}' style='--size:{abs(value) / largest:.3f}' "
        f"title='{k}: {number(value, '.4f')}'></i>"
        for k, value in enumerate(values)
    )
    said = fill(
        shared.LAYER_VALUES["strip"],
        label=label,
        n=len(values),
        low=number(min(values, default=0.0), ".4f"),
        high=number(max(values, default=0.0), ".4f"),
    )
    name = escape(said, quote=True)
    return f"<p class=mp-strip-name>{name}</p><div class=mp-strip role=img aria-label='{name}'>{cells}</div>"


def table(layers: Sequence[LayerValues]) -> list[dict[str, Any]]:
    """Every number of the strips: a row per layer, quantity and channel."""
    columns = common.INSIDE_COLUMNS
    rows = []
    for layer in layers:
        parts = {
            name: layer.get(name) for name in ("before", "after", "mean", "maximum", "sum", "value", "logits")
        }
        parts |= {f"{k + 1}. {step['name']}": step["value"] for k, step in enumerate(layer.get("steps", ()))}
        rows += [
            {
                columns["layer"]: f"{layer['kind']} {layer['name']}",
                columns["vertex"]: layer.get("vertex"),
                columns["quantity"]: name,
                columns["channel"]: channel,
                columns["value"]: value,
                columns["from"]: (layer.get("maximum_vertex") or {channel: None})[channel]
                if name == "maximum"
                else None,
            }
            for name, values in parts.items()
            for channel, value in enumerate(values or ())
        ]
    return rows


def _pooling(layer: LayerValues) -> list[str]:
    words = shared.LAYER_VALUES
    parts = [_heading(fill(words["pooling"], vertex=_vertex(layer)))]
    if layer["views"]:
        cells = "".join(
            f"<tr><th scope=row>{escape(words['views'][view['name']])}</th>"
            + "".join(f"<td>{view[name]:.4f}</td>" for name in ("value", "largest", "scaled", "weight"))
            + f"<td>{view['weight'] * view['scaled']:.4f}</td></tr>"
            for view in layer["views"]
        )
        head = "".join(f"<th scope=col>{escape(name)}</th>" for name in words["view_columns"])
        total = sum(view["weight"] * view["scaled"] for view in layer["views"])
        parts.append(f"<div class=mp-scroll><table class=mp-table><tr>{head}</tr>{cells}</table></div>")
        parts.append(f"<p>{escape(fill(words['score'], total=total, score=layer['score']))}</p>")
    elif layer["score"] is not None:
        parts.append(f"<p>{escape(fill(words['score_alone'], score=layer['score']))}</p>")
    if layer["next"] is None:
        return [*parts, f"<p>{escape(words['gone'])}</p>"]
    members = [(one["vertex"], one["factor"]) for one in layer["members"]]
    parts.append(_listed(fill(words["members"], next=layer["next"]), members))
    return [*parts, strip(words["after_pooling"], layer["after"])]


def _listed(label: str, pairs: Sequence[tuple[str, float | None]]) -> str:
    """Vertices with their weights, the heaviest first; how many more there are."""
    ordered = sorted(pairs, key=lambda pair: -(pair[1] or 0.0))
    shown = ", ".join(
        f"<bdi>{escape(vertex)}</bdi>" + ("" if weight is None else f" × {weight:.4f}")
        for vertex, weight in ordered[:_MOST_LISTED]
    )
    more = len(ordered) - _MOST_LISTED
    return f"<p>{escape(label)} {shown}{fill(shared.MORE, n=more) if more > 0 else ''}</p>"


def _maxima(vertices: Sequence[str]) -> str:
    """Which vertices give the maxima, and how many each."""
    counted = {vertex: vertices.count(vertex) for vertex in dict.fromkeys(vertices)}
    ordered = sorted(counted.items(), key=lambda pair: -pair[1])
    shown = ", ".join(f"<bdi>{escape(name)}</bdi> ({n})" for name, n in ordered[:_MOST_VERTICES])
    more = len(ordered) - _MOST_VERTICES
    label = escape(shared.LAYER_VALUES["maxima"])
    return f"<p>{label} {shown}{fill(shared.MORE, n=more) if more > 0 else ''}</p>"


def _vertex(layer: LayerValues) -> str:
    return (
        shared.LAYER_VALUES["nobody"]
        if layer["vertex"] is None
        else fill(shared.LAYER_VALUES["vertex"], id=layer["vertex"])
    )


def _heading(text: str) -> str:
    return f"<h6>{escape(text)}</h6>"
