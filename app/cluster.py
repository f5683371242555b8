"""One cluster computed before one's eyes: Eq. 12 and its row of SᵀAS, with the numbers of its members."""

from __future__ import annotations

from html import escape

import numpy as np
import streamlit as st

from app import strings
from app.pooled import Pooling
from app.strings import fill
from mivspool.levels import Level, feature_names

MOST_FEATURES = 6
MOST_MEMBERS = 12


def show(pooling: Pooling, level: Level, selected: int) -> None:
    """Eq. 12 and SᵀAS of the selected vertex's cluster, with its numbers."""
    if selected < 0:
        st.markdown(f"##### {strings.CLUSTER_NONE}")
        return
    column = int(level.cluster[selected])
    head = level.reduced_nodes[column]
    title = fill(strings.CLUSTER_TITLE, survivor="\0").split("\0")
    st.html(
        f"<h5 class='cluster'>{escape(title[0])}<bdi title='{escape(head, quote=True)}'>{escape(_cut(head))}</bdi>"
        f"{escape(title[1])}</h5>{_eq12(pooling, level, column, selected)}{_eq3(level, column)}"
    )


def _cut(text: str, most: int = 24) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _eq12(pooling: Pooling, level: Level, column: int, selected: int) -> str:
    members = np.flatnonzero(level.cluster.numpy() == column)
    score = level.score.numpy()
    members = members[np.argsort(-score[members], kind="stable")]
    total = float(score[members].sum())
    names = feature_names(pooling.graph)
    assert level.x is not None
    assert level.reduced_x is not None
    x, mean = level.x.numpy()[members], level.reduced_x.numpy()[column]
    used = np.flatnonzero(np.abs(x).max(axis=0) > 0) if len(names) > MOST_FEATURES else np.arange(len(names))
    shown = used[:MOST_FEATURES]
    head = "".join(f"<th><bdi>{escape(_cut(names[i], 10))}</bdi></th>" for i in shown.tolist())
    rows = []
    for at, v in enumerate(members[:MOST_MEMBERS].tolist()):
        cells = "".join(f"<td>{_number(x[at, i])}</td>" for i in shown.tolist())
        mark = " class='selected'" if v == selected else ""
        rows.append(
            f"<tr{mark}><th title='{escape(level.nodes[v], quote=True)}'><bdi>{escape(_cut(level.nodes[v], 14))}"
            f"</bdi></th><td>{_number(score[v])}</td><td>{score[v] / total:.2f}</td>{cells}</tr>"
        )
    more = len(members) - MOST_MEMBERS
    if more > 0:
        rows.append(f"<tr><th colspan='{3 + len(shown)}'>… {more}</th></tr>")
    means = "".join(f"<td>{_number(mean[i])}</td>" for i in shown.tolist())
    rows.append(f"<tr class='sum'><th>X′</th><td>{_number(total)}</td><td>1</td>{means}</tr>")
    hidden = len(used) - len(shown)
    note = f"<p class='quiet'>{fill(strings.FEATURES_MORE, more=hidden)}</p>" if hidden > 0 else ""
    return (
        f"<p>{escape(strings.EQ12)}</p><div class='wide'><table><tr><th>{strings.MEMBER}</th><th>s</th>"
        f"<th>{strings.SHARE_OF_SUM}</th>{head}</tr>{''.join(rows)}</table></div>{note}"
    )


def _number(value: float) -> str:
    value = float(value)
    return f"{value:.0f}" if value == round(value) and abs(value) < 1e6 else f"{value:.2f}"


def _eq3(level: Level, column: int) -> str:
    """The row of SᵀAS of one cluster: each entry with the edges that it counts."""
    index, weight = level.adjacency.with_diagonal()
    cluster = level.cluster
    leaving = (cluster[index[0]] == column).numpy()
    rows, columns = index[0].numpy()[leaving], index[1].numpy()[leaving]
    weights, ends = weight.numpy()[leaving], cluster.numpy()[index[1].numpy()[leaving]]
    lines = []
    joined = sorted(set(ends.tolist()), key=lambda c: (c != column, c))
    for end in joined[:MOST_MEMBERS]:
        mine = ends == end
        inside = end == column
        pairs = [
            (u, v, w)
            for u, v, w in zip(
                rows[mine].tolist(), columns[mine].tolist(), weights[mine].tolist(), strict=True
            )
            if not inside or u <= v
        ]
        parts = ", ".join(
            f"<bdi>{escape(_cut(level.nodes[u], 10))}</bdi>–<bdi>{escape(_cut(level.nodes[v], 10))}</bdi>"
            + (f" ×{_number(w)}" if w != 1 else "")
            for u, v, w in pairs[:MOST_FEATURES]
        )
        if len(pairs) > MOST_FEATURES:
            parts += f", … {len(pairs) - MOST_FEATURES}"
        note = f" <span class='quiet'>({strings.INSIDE})</span>" if inside else ""
        head = escape(_cut(level.reduced_nodes[end], 14))
        lines.append(
            f"<tr><th><bdi>{head}</bdi></th><td><b>{_number(weights[mine].sum())}</b></td><td>{parts}{note}</td></tr>"
        )
    more = len(joined) - MOST_MEMBERS
    if more > 0:
        lines.append(f"<tr><th colspan='3'>{fill(strings.MORE_CLUSTERS, more=more)}</th></tr>")
    if not lines:
        return f"<p>{escape(strings.EQ3)}</p><p class='quiet'>{escape(strings.NO_EDGES)}</p>"
    return (
        f"<p>{escape(strings.EQ3)}</p><div class='wide'><table class='edges'>{''.join(lines)}</table></div>"
    )
