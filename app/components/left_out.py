"""What the class probability does when a cluster is left out: bars that point at the clusters, and the table behind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

import streamlit as st

from app import backend, sources
from app.ui import class_plots, common, tables
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.errors import MIVSPoolError
from mivspool.graphs.classes import class_title
from mivspool.graphs.graph import Graph
from mivspool.messages import fill, number, sentence
from mivspool.service.schemas import Without, WithoutCluster

MOST_AT_ONCE = 60  # clusters that are left out without being asked
_MOST_BARS = 30


def show(
    source: str, graph: Graph, model: str, block: int, clusters: int, mapping: backend.Mapping = ()
) -> None:
    """Leave each of the ``clusters`` of a block out in turn and show what the probability does.

    The bars light their clusters in the canvas of the page that listens to words (``js/modes/highlight.js``).
    """
    st.markdown(f"##### {shared.LEFT_OUT_TITLE}", help=shared.LEFT_OUT_HELP)
    asked = f"left-out:{source}:{model}:{block}"
    if clusters > MOST_AT_ONCE and asked not in st.session_state:
        if not st.button(fill(shared.LEFT_OUT_ASK, n=clusters), key="left-out:ask"):
            return
        st.session_state[asked] = True
    try:
        with st.spinner(shared.LEFT_OUT_WAIT):
            found = backend.without(source, model, block, mapping, graph)
    except MIVSPoolError as error:
        st.warning(safe(sentence(error.message)))
        return
    if not found.clusters:
        st.caption(shared.LEFT_OUT_NONE)
        return
    ordered = sorted((c for c in found.clusters if c.change is not None), key=lambda c: c.change or 0.0)
    names = backend.class_names(model)
    st.caption(class_plots.left_out_sentence(ordered, class_title(found.predicted, names)))
    labels = dict(zip(graph.nodes, sources.vertex_labels(graph) or (), strict=False))
    st.html(bars(ordered, found, labels, names))
    with st.expander(shared.TABLE_BEHIND):
        _table(ordered, found, names)


def bars(
    ordered: Sequence[WithoutCluster],
    found: Without,
    labels: Mapping[str, str] | None = None,
    names: Mapping[str, str] | None = None,
) -> str:
    """One bar per cluster, the strongest of both signs, over a line at the probability with all of them.

    ``labels``: of the vertices by id; a cluster is called by its survivor's id and label, as the vertex is. ``names``:
    of the classes by label, where they have some.
    """
    labels = labels or {}
    kept = sorted(ordered, key=lambda c: -abs(c.change or 0.0))[:_MOST_BARS]
    kept.sort(key=lambda c: c.change or 0.0)
    whole = found.probabilities[found.predicted]
    rows = [
        f"<div class='all'><span class='name'>{escape(shared.LEFT_OUT_ALL)}</span>"
        f"<span class='track'><i style='width:{100 * whole:.2f}%'></i></span>"
        f"<span class='value'>{whole:.3f}</span></div>"
    ]
    for cluster in kept:
        share = (cluster.probabilities or {}).get(found.predicted, 0.0)
        name = escape(cluster.survivor, quote=True)
        change = 100 * (cluster.change or 0.0)
        signed = number(change, "+.1f")
        spoken = fill(
            shared.LEFT_OUT_SPOKEN,
            survivor=cluster.survivor,
            n=len(cluster.vertices),
            share=share,
            points=change,
        )
        rows.append(
            f"<div class='{'falls' if change < 0 else 'rises'}' role='button' tabindex='0' data-choose='1' "
            f"data-light='cluster:{name}' aria-label='{escape(spoken, quote=True)}'>"
            f"<span class='name'><bdi>{name}</bdi>{_labelled(labels.get(cluster.survivor, ''))}</span>"
            f"<span class='track'><i style='width:{100 * share:.2f}%'></i></span>"
            f"<span class='value'>{share:.3f} <small>{signed}</small></span></div>"
        )
    title = escape(fill(shared.LEFT_OUT_AXIS, predicted=class_title(found.predicted, names or {})))
    if len(ordered) > len(kept):
        title += f"<br>{fill(shared.LEFT_OUT_MORE, n=len(ordered), shown=len(kept))}"
    return (
        f"<p class='left-title'>{title}</p>"
        f"<div class='left-out' style='--whole:{100 * whole:.2f}%'>{''.join(rows)}</div>"
    )


def _labelled(label: str) -> str:
    return f" · <bdi>{escape(label)}</bdi>" if label else ""


def _table(ordered: Sequence[WithoutCluster], found: Without, names: Mapping[str, str]) -> None:
    st.dataframe(
        tables.frame(
            {
                common.SURVIVOR: [c.survivor for c in ordered],
                shared.LEFT_VERTICES: [", ".join(c.vertices) for c in ordered],
                shared.LEFT_CHANGE: [c.change for c in ordered],
                **{
                    fill(shared.LEFT_SHARE, name=class_title(name, names)): [
                        (c.probabilities or {}).get(name) for c in ordered
                    ]
                    for name in found.probabilities
                },
            }
        ),
        hide_index=True,
    )
