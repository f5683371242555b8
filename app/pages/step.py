"""Step: one graph, Meer's iterations on it, why each vertex survives, S, and the reduced graph, level by level."""

from __future__ import annotations

import random
from html import escape
from typing import Any

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from app import plots, pooled, sources, strings, uploads
from app.canvas import Cursor, cursor_of, graph_canvas
from app.colours import Theme
from app.gallery import gallery
from app.pooled import Pooling
from app.state import PROPERTIES, State
from app.strings import fill
from mivspool.errors import MIVSPoolError
from mivspool.levels import Level, feature_names
from mivspool.pooling.scores import SCORES

CANVAS = "canvas"
UNSELECTED = "!"  # the vertex of the link when none is selected
MOST_FEATURES = 6
MOST_MEMBERS = 12
MOST_SEED = 2**31 - 1
_TRACE = ("graph", "score", "seed", "complement", "weights")  # what makes the trace
_SHOWN = "shown"  # the last of these that could be shown, to fall back on


def page() -> None:
    """Show the page."""
    state = State.load("step")
    bar, notice = st.container(), st.container()
    pooling = _shown(state, notice)
    with bar:
        _bar(state)
    _about(pooling)
    if not pooling.levels:
        return
    state.level = min(max(state.level, 0), len(pooling.levels) - 1)
    _levels(state, pooling)
    _canvas(state, pooling)
    level = pooling.levels[state.level]
    _badges(level)
    selected = _vertex(state, level)
    with st.container(key="below"):
        left, middle, right = st.columns(3, gap="medium")
        with left:
            _assignment(pooling, state, level, selected)
        with middle:
            _cluster(pooling, state, level, selected)
        with right:
            _reduced(pooling, state, level)
    state.save()


def _shown(state: State, notice: DeltaGenerator) -> Pooling:
    """What the link asks for; or its mistake as a sentence, and what was shown before."""
    wrong = []
    if state.score not in SCORES:
        wrong.append(fill(strings.NO_SCORE, score=state.score[:40], scores=", ".join(SCORES)))
        state.score = _default("score")
    if state.labels not in strings.LABEL_NAMES:
        state.labels = _default("labels")
    state.seed = min(max(state.seed, 0), MOST_SEED)
    try:
        pooling = _pooling(state)
    except MIVSPoolError as error:
        wrong.append(strings.sentence(error.message))
        before = st.session_state.get(_SHOWN, {name: _default(name) for name in _TRACE})
        for name, value in before.items():
            setattr(state, name, value)
        pooling = _pooling(state)
    st.session_state[_SHOWN] = {name: getattr(state, name) for name in _TRACE}
    for text in wrong:
        notice.warning(_safe(text), icon=":material/error:")
    return pooling


def _default(name: str) -> Any:
    return next(prop.default for prop in PROPERTIES if prop.name == name)


def _pooling(state: State) -> Pooling:
    return pooled.pool(state.graph, state.score, state.seed, state.complement, state.weights)


def _key(state: State) -> tuple[Any, ...]:
    return tuple(getattr(state, name) for name in _TRACE)


def _theme() -> Theme:
    return "dark" if st.context.theme.type == "dark" else "light"


# ---- the bar: graph, score, options -----------------------------------------------------------------------------


def _bar(state: State) -> None:
    """What is chosen: few controls in sight, the rest in one popover."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="bar"):
        if not state.hidden("graph"):
            _graph_controls(state)
        if not state.hidden("score"):
            st.selectbox(
                strings.SCORE,
                list(SCORES),
                format_func=lambda name: strings.SCORE_NAMES[name],
                help="\n".join(f"- **{name}**: {strings.SCORE_ABOUT[name]}" for name in SCORES),
                width=200,
                **state.bind("score", lambda: _rewind(state)),
            )
        if not state.hidden("options"):
            _options(state)
        if not state.hidden("share"):
            _share(state)


def _graph_controls(state: State) -> None:
    try:
        where = sources.place(state.graph)
    except MIVSPoolError:
        where = sources.place(_default("graph"))
    asked = st.session_state.get("asked")
    chosen = asked or where.collection
    collections = sources.collections()
    st.session_state["collection"] = chosen
    st.selectbox(
        strings.COLLECTION,
        collections,
        format_func=sources.collection_title,
        key="collection",
        on_change=_choose_collection,
        args=(state,),
        width=230,
    )
    if chosen == sources.FILE:
        _own_graph(state)
    if chosen != where.collection or where.count < 2:
        return
    with st.popover(
        _short_title(state.graph, where), help=strings.GALLERY_HELP, key="gallery-popover", on_change="rerun"
    ) as popover:
        if popover.open:
            with st.container(width=600):
                picked = gallery(state.graph, where)
            if picked is not None:
                _choose(state, picked)
                st.rerun()
    with st.container(horizontal=True, gap=None, width="content", key="walk"):
        for step, icon, label in (
            (-1, "chevron_left", strings.PREVIOUS_GRAPH),
            (1, "chevron_right", strings.NEXT_GRAPH),
            (0, "shuffle", strings.RANDOM_GRAPH),
        ):
            st.button(
                "",
                icon=f":material/{icon}:",
                help=label,
                key=f"walk:{label}",
                on_click=_walk,
                args=(state, where, step),
            )


def _short_title(source: str, where: sources.Place) -> str:
    number = f"{where.index + 1} / {where.count}"
    if where.collection == sources.CLASSIC:
        from mivspool.graphs.classics import CLASSICS

        return CLASSICS[source].title
    return number


def _choose_collection(state: State) -> None:
    chosen = st.session_state["collection"]
    if chosen == sources.FILE:
        st.session_state["asked"] = chosen
        return
    st.session_state.pop("asked", None)
    first = "karate" if chosen == sources.CLASSIC else f"{chosen}:0"
    _choose(state, first)


def _choose(state: State, source: str) -> None:
    state.graph = source
    state.level, state.vertex = 0, ""
    _rewind(state)


def _rewind(state: State) -> None:
    """Another trace starts at its beginning."""
    state.step = 0


def _walk(state: State, where: sources.Place, step: int) -> None:
    index = where.index + step if step else random.randrange(where.count)
    _choose(state, sources.named(where, index, state.graph))


def _own_graph(state: State) -> None:
    """Upload a file or paste text; a mistake gets its sentence here, and the page keeps what it showed."""
    with st.popover(strings.UPLOAD, type="primary", key="own"):
        file = st.file_uploader(strings.UPLOAD, help=strings.UPLOAD_HELP, key="upload")
        pasted = st.text_area(strings.PASTE, placeholder=strings.PASTE_PLACEHOLDER, key="pasted", height=120)
        pressed = st.button(strings.PASTE_OPEN, key="open-pasted", disabled=not pasted)
        given: tuple[bytes, str] | None = None
        if pressed and pasted:
            given = (pasted.encode("utf-8", "replace"), strings.PASTED_NAME)
        elif file is not None and st.session_state.get("upload:seen") != file.file_id:
            st.session_state["upload:seen"] = file.file_id
            given = (file.getvalue(), file.name)
        if given is not None:
            try:
                source = uploads.keep(*given)
                uploads.graphs(uploads.split(source)[0])
            except MIVSPoolError as error:
                where = f" (line {error.line})" if error.line is not None else ""
                st.session_state["upload:error"] = f"{strings.sentence(error.message)}{where}"
            else:
                st.session_state.pop("upload:error", None)
                st.session_state.pop("asked", None)
                _choose(state, source)
                st.rerun()
        if "upload:error" in st.session_state:
            st.error(_safe(st.session_state["upload:error"]))


def _options(state: State) -> None:
    with st.popover(strings.OPTIONS, icon=":material/tune:", key="options"):
        st.number_input(
            strings.SEED,
            min_value=0,
            max_value=MOST_SEED,
            step=1,
            help=strings.SEED_HELP,
            **state.bind("seed", lambda: _rewind(state)),
        )
        st.toggle(
            strings.COMPLEMENT, help=strings.COMPLEMENT_HELP, **state.bind("complement", lambda: _rewind(state))
        )
        st.toggle(strings.WEIGHTS, help=strings.WEIGHTS_HELP, **state.bind("weights", lambda: _rewind(state)))
        st.segmented_control(
            strings.LABELS,
            list(strings.LABEL_NAMES),
            format_func=lambda name: strings.LABEL_NAMES[name],
            required=True,
            **state.bind("labels"),
        )
        st.toggle(strings.SHOW_SCORES, **state.bind("scores"))


def _share(state: State) -> None:
    """The link to what is seen, to copy; the address bar has it as well."""
    with st.popover(strings.SHARE, icon=":material/link:", key="share", on_change="rerun") as popover:
        if popover.open:
            st.code(state.address(), language=None, wrap_lines=True)
            st.caption(strings.SHARE_ABOUT)
            if uploads.is_upload(state.graph) and not uploads.in_link(state.graph):
                st.warning(strings.LINK_TOO_LARGE)


def _about(pooling: Pooling) -> None:
    graph = pooling.graph
    size = fill(strings.SIZE, n=graph.num_nodes, m=graph.num_edges)
    label = f" · {fill(strings.CLASS, label=graph.label)}" if graph.label is not None else ""
    line = f"<b dir='auto'>{escape(graph.name)}</b> · {size}{escape(label)}"
    st.html(f"<p class='about'>{line}</p>")
    if graph.repairs:
        with st.expander(fill(strings.REPAIRS, n=len(graph.repairs)), icon=":material/build:"):
            for repair in graph.repairs:
                st.markdown(f"- {_safe(repair)}")


def _safe(text: str) -> str:
    """A person's text where Streamlit reads markdown."""
    return "".join(f"\\{c}" if c in "\\`*_{}[]()<>#+-.!|$~:" else c for c in text)


# ---- the trace --------------------------------------------------------------------------------------------------


def _levels(state: State, pooling: Pooling) -> None:
    """The levels as a breadcrumb."""
    if len(pooling.levels) < 2 or state.hidden("levels"):
        return

    def title(level: int) -> str:
        n = len(pooling.levels[level].nodes)
        return fill(strings.LEVEL_FIRST if level == 0 else strings.LEVEL_NEXT, level=level, n=n)

    st.segmented_control(
        strings.LEVELS,
        range(len(pooling.levels)),
        format_func=title,
        required=True,
        label_visibility="collapsed",
        **state.bind("level", lambda: _rewind(state)),
    )


def _vertex(state: State, level: Level) -> int:
    """The selected vertex's index at this level, −1 for none."""
    if state.vertex == UNSELECTED and UNSELECTED not in level.nodes:
        return -1
    if state.vertex in level.nodes:
        return level.nodes.index(state.vertex)
    return int(np.argmax(level.score.numpy())) if level.nodes else -1


@st.fragment
def _canvas(state: State, pooling: Pooling) -> None:
    """The canvas: a cursor that moved changes the link, another vertex changes what stands below as well."""
    level = pooling.levels[state.level]
    trace = pooled.trace(pooling, _key(state), state.level)
    before = _vertex(state, level)

    def moved() -> None:
        cursor = cursor_of(CANVAS, trace["id"])
        if cursor is not None:
            state.step = cursor.step
            state.vertex = level.nodes[cursor.vertex] if cursor.vertex >= 0 else UNSELECTED
            st.session_state["vertex:changed"] = cursor.vertex != before

    graph_canvas(
        trace,
        key=CANVAS,
        start=Cursor(state.step, before),
        labels=state.labels,
        scores=state.scores,
        on_cursor=moved,
    )
    if st.session_state.pop("vertex:changed", False):
        st.rerun()
    state.save()


# ---- what came of it --------------------------------------------------------------------------------------------


def _badges(level: Level) -> None:
    checks, metrics = level.checks, level.metrics
    n, kept = len(level.nodes), len(level.reduced_nodes)
    ties = int(level.trace.ties_broken[0])
    marks = [
        (strings.INDEPENDENT, strings.INDEPENDENT_HELP, "yes")
        if checks["independent"]
        else (strings.NOT_INDEPENDENT, strings.NOT_INDEPENDENT_HELP, "no"),
        (strings.MAXIMAL, strings.MAXIMAL_HELP, "yes")
        if checks["maximal"]
        else (strings.NOT_MAXIMAL, strings.MAXIMAL_HELP, "no"),
        (fill(strings.RATIO, n=n, kept=kept, ratio=f"{metrics['ratio']:.2f}"), strings.RATIO_HELP, ""),
        (_change(strings.DENSITY, metrics, "density", 2), strings.DENSITY_HELP, ""),
        (_change(strings.MEAN_DEGREE, metrics, "mean_degree", 2), strings.MEAN_DEGREE_HELP, ""),
        (_change(strings.COMPONENTS, metrics, "components", 0), strings.COMPONENTS_HELP, ""),
        (fill(strings.TIES, ties=ties), strings.TIES_HELP if ties else strings.NO_TIES_HELP, ""),
    ]
    items = "".join(
        f"<li class='{kind}' title='{escape(about, quote=True)}' tabindex='0'>{escape(text)}</li>"
        for text, about, kind in marks
    )
    st.html(f"<ul class='badges'>{items}</ul>")


def _change(template: str, metrics: dict[str, float], name: str, digits: int) -> str:
    before, after = metrics[f"{name}_before"], metrics[f"{name}_after"]
    if not digits:
        return fill(template, before=int(before), after=int(after))
    most = max(before, after)
    if 0 < most < 0.1:  # a large graph's density
        digits = 3 if most >= 0.01 else 4
    return fill(template, before=f"{before:.{digits}f}", after=f"{after:.{digits}f}")


def _order(level: Level) -> np.ndarray[Any, np.dtype[np.int64]]:
    """Vertices by cluster, the survivor first, then by score: S as a staircase."""
    score, cluster = level.score.numpy(), level.cluster.numpy()
    survivor = level.trace.survivor.numpy()
    return np.lexsort((-score, ~survivor, cluster)).astype(np.int64)


def _assignment(pooling: Pooling, state: State, level: Level, selected: int) -> None:
    import pandas as pd

    n, kept = len(level.nodes), len(level.reduced_nodes)
    st.markdown(f"##### {fill(strings.S_TITLE, n=n, kept=kept)}")
    order = _order(level)
    survivor = level.trace.survivor.numpy()
    picture, table = st.tabs([strings.S_PICTURE, strings.S_TABLE])
    with picture:
        figure = plots.assignment(
            level.nodes,
            level.reduced_nodes,
            level.cluster.numpy(),
            survivor,
            order,
            selected if selected >= 0 else None,
            _theme(),
        )
        st.plotly_chart(
            figure,
            key="assignment",
            config={"displayModeBar": False},
            alt=fill(strings.S_TITLE, n=n, kept=kept),
        )
    score = level.score.numpy()
    total = np.bincount(level.cluster.numpy(), weights=score, minlength=kept)
    added = level.trace.added.numpy()
    became = np.where(added, "added", np.where(survivor, "survivor", "non_survivor"))[order]
    names = strings.S_COLUMNS_TABLE
    frame = pd.DataFrame(
        {
            names["vertex"]: [level.nodes[v] for v in order.tolist()],
            names["cluster"]: [level.reduced_nodes[c] for c in level.cluster.numpy()[order].tolist()],
            names["score"]: score[order],
            names["share"]: (score / total[level.cluster.numpy()])[order],
            names["state"]: [strings.STATES[name] for name in became.tolist()],
            names["settled"]: level.trace.settled_at.numpy()[order],
        }
    )
    with table:
        st.dataframe(frame, hide_index=True, height=330)
        st.download_button(
            strings.S_DOWNLOAD,
            frame.to_csv(index=False).encode("utf-8"),
            file_name=f"S-level-{level.level}.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
        )


def _cluster(pooling: Pooling, state: State, level: Level, selected: int) -> None:
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
    for end in sorted(set(ends.tolist()), key=lambda c: (c != column, c)):
        mine = ends == end
        inside = end == column
        pairs = [
            (u, v, w)
            for u, v, w in zip(rows[mine].tolist(), columns[mine].tolist(), weights[mine].tolist(), strict=True)
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
        if len(lines) >= MOST_MEMBERS:
            break
    if not lines:
        return f"<p>{escape(strings.EQ3)}</p><p class='quiet'>{escape(strings.NO_EDGES)}</p>"
    return f"<p>{escape(strings.EQ3)}</p><div class='wide'><table class='edges'>{''.join(lines)}</table></div>"


def _reduced(pooling: Pooling, state: State, level: Level) -> None:
    n = len(level.reduced_nodes)
    m = int(level.reduced.col.numel()) // 2
    st.markdown(f"##### {fill(strings.REDUCED_TITLE, n=n, m=m)}")
    graph_canvas(
        pooled.reduced(pooling, _key(state), state.level),
        key="reduced",
        layout="still",
        height=280,
        labels=state.labels,
        scores=False,
        keys=False,
    )
    st.caption(strings.REDUCED_ABOUT)
    if state.level + 1 < len(pooling.levels):
        st.button(
            strings.POOL_AGAIN,
            type="primary",
            icon=":material/arrow_forward:",
            on_click=_go_level,
            args=(state, state.level + 1),
            key="pool-again",
        )
    else:
        st.caption(strings.POOLED_OUT)
        if state.level:
            st.button(strings.START_OVER, on_click=_go_level, args=(state, 0), key="start-over")


def _go_level(state: State, level: int) -> None:
    state.level = level
    _rewind(state)
