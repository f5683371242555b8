"""Figures in the paper's manner: every iteration as a panel (a), (b), (c) …, the assignment, and the reduced graph.

SVG, PDF and PNG by matplotlib, TikZ as text, GIF and MP4 as an animation of the panels.
"""

from __future__ import annotations

import io
import string
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from mivspool.colours import COLOURS, STATES, State
from mivspool.errors import InputError
from mivspool.extras import need
from mivspool.fonts import fonts_for, named
from mivspool.levels import Level
from mivspool.messages import count, fill

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

Labels = Literal["both", "score", "id", "none"]
FORMATS = ("svg", "pdf", "png", "tex", "gif", "mp4")
PICTURES = ("svg", "pdf", "png")  # what one step alone can be drawn as

# a figure of more panels or a vertex label in a larger graph would not be legible on a page
MOST_PANELS = 24
MOST_LABELS = 120
_MOST_DECIMALS = 6
# the parts of an iteration (Level.part) by what they are called
_PARTS = {
    1: "iteration {k}: best candidate neighbours",
    2: "iteration {k}: survivors",
    3: "iteration {k}: eliminated",
}
# points² of a vertex: a survivor is large, a non-survivor small
_SIZE = {"candidate": 1.0, "survivor": 1.5, "non_survivor": 0.75}


@dataclass(frozen=True, eq=False)
class Panel:
    """One panel: the state of every vertex, the arrows where they are drawn (of Eq. 11, of a part), and its caption."""

    caption: str
    state: tuple[State, ...]
    arrows: tuple[tuple[int, int], ...] = ()


def panels(level: Level, *, parts: bool = False) -> list[Panel]:
    """Iteration 0 … T, or their three parts, then the assignment. Raises InputError where a page cannot hold them."""
    places = _places(level, parts)
    if len(places) + 1 > MOST_PANELS:
        most = (MOST_PANELS - 2) // (3 if parts else 1)
        raise InputError(
            f"this graph takes {level.num_iterations} iterations: a figure holds at most {most}"
            f"{' in parts' if parts else ''}; an animation (gif, mp4) shows them all"
        )
    return [*_iterations(level, places), _assignment(level)]


def _places(level: Level, parts: bool) -> list[tuple[int, int]]:
    """What there is to draw before the assignment: (k, part), part 0 for a whole iteration."""
    if not parts:
        return [(k, 0) for k in range(level.num_iterations + 1)]
    return [(0, 0), *((k, part) for k in range(1, level.num_iterations + 1) for part in _PARTS)]


def _assignment(level: Level) -> Panel:
    arrows = tuple((v, s) for v, s in enumerate(level.trace.cluster.tolist()) if v != s)
    return Panel("assignment (Eq. 11)", _kept(level), arrows)


def _kept(level: Level) -> tuple[State, ...]:
    """The end, with what the complement added."""
    return tuple("survivor" if kept else "non_survivor" for kept in level.trace.survivor.tolist())


def panel_of(level: Level, step: int, part: int = 0) -> Panel | None:
    """One place of the timeline alone; None for the last, the reduced graph.

    ``step``: iterations 0 … T, then the complement where it added a vertex, the assignment, the reduced graph; ``part``
    of an iteration 1 … T: one of its three with its arrows (``Level.part``), 0 the whole.
    Raises InputError for a step or a part that there is not.
    """
    kinds = ["complement"] * bool(level.trace.added.any()) + ["assignment", "reduced"]
    last = level.num_iterations + len(kinds)
    if not 0 <= step <= last:
        raise InputError(f"the steps of this level are numbered from 0 to {last}: there is no step {step}")
    if step <= level.num_iterations:
        return next(_iterations(level, [(step, part if step else 0)]))
    kind = kinds[step - level.num_iterations - 1]
    if kind == "complement":
        return Panel("with the complement", _kept(level))
    return _assignment(level) if kind == "assignment" else None


def _iterations(level: Level, places: Iterable[tuple[int, int]]) -> Iterator[Panel]:
    """The panels of these iterations, (k, part). T may be n/2: one stands in memory at a time."""
    settled_at, survivor = (
        level.trace.settled_at.tolist(),
        level.trace.survivors(level.num_iterations).tolist(),
    )
    for k, part in places:
        if part:
            shown = level.part(k, part)
            state: tuple[State, ...] = tuple(
                "survivor" if kept else "candidate" if open_ else "non_survivor"
                for kept, open_ in zip(shown.survivor.tolist(), shown.candidate.tolist(), strict=True)
            )
            yield Panel(fill(_PARTS[part], k=k), state, tuple(map(tuple, shown.arrows.T.tolist())))
            continue
        state = tuple(
            "candidate" if at > k else "survivor" if kept else "non_survivor"
            for at, kept in zip(settled_at, survivor, strict=True)
        )
        caption = "the graph" if k == 0 else f"after iteration {k}"
        yield Panel(caption, state)


def draw(
    level: Level,
    positions: NDArray[np.float64],
    form: str,
    labels: Labels = "both",
    step: int | None = None,
    part: int = 0,
) -> bytes:
    """The level as one file of a format of ``FORMATS``; ``positions`` float64 [n, 2].

    ``labels``: what is written: the id in each vertex and its score below ("both"), one of them in the vertex, or none.
    ``step``: this place of the timeline alone (:func:`panel_of`), as svg, pdf or png; ``part``: 0 by whole iterations,
    else by their three parts: that one of ``step``, or all of them.
    Raises InputError for another format, step or part, or a figure that would hold too many panels.
    """
    if form not in FORMATS:
        raise InputError(f"there is no figure format {form!r}; there are: {', '.join(FORMATS)}")
    if positions.shape != (len(level.nodes), 2):
        raise InputError(f"there are {count(len(level.nodes), 'vertex')} and {len(positions)} positions")
    if step is not None and form not in PICTURES:
        raise InputError(f"one step alone is drawn as {', '.join(PICTURES)}; {form} holds all of them")
    if form == "tex":
        return tikz(level, positions, labels, parts=bool(part)).encode()
    need("a figure", "matplotlib", "PIL")
    from matplotlib import rc_context

    families = list(fonts_for(_written(level, labels)).families)
    with rc_context({"svg.hashsalt": "mivspool", "font.family": families}):
        if form in {"gif", "mp4"}:
            return _animate(level, positions, form, labels, parts=bool(part))
        if step is None:
            figure = _figure(level, panels(level, parts=bool(part)), positions, labels)
        else:
            figure = _single(level, panel_of(level, step, part), positions, labels)
        out = io.BytesIO()
        # no date in the file: the same graph gives the same bytes
        metadata: dict[str, Any] = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(form, {})
        figure.savefig(out, format=form, metadata=metadata, dpi=200, bbox_inches="tight")
    return out.getvalue()


def without_font(level: Level, form: str, labels: Labels = "both") -> str:
    """A sentence on the letters that a figure cannot show, and what to do; empty where it shows all of them."""
    texts = _written(level, labels)
    if form == "tex":
        beyond = "".join(sorted({c for text in texts for c in text if ord(c) > 0x24F}))
        return f"compile it with LuaLaTeX and a font that has {named(beyond)}" if beyond else ""
    missing = fonts_for(texts).missing
    if not missing:
        return ""
    return f"no font on this machine has {named(missing)}: install one that has, such as Noto, or draw scores"


def _figure(level: Level, shown: list[Panel], positions: NDArray[np.float64], labels: Labels) -> Figure:
    from matplotlib.figure import Figure

    count = len(shown) + 1
    rows = -(-count // 5)
    columns = -(-count // rows)
    span = np.ptp(positions, axis=0) if len(positions) else np.ones(2)
    tall = float(np.clip(span[1] / max(span[0], 1e-6), 0.35, 1.3))
    figure = Figure(figsize=(3.2 * columns, (3.2 * tall + 0.4) * rows), layout="constrained")
    axes = figure.subplots(rows, columns, squeeze=False).ravel()
    for place, panel in enumerate(shown):
        _draw_panel(axes[place], level, panel, positions, labels)
        axes[place].set_title(f"({_letter(place)}) {panel.caption}", fontsize=9, y=-0.14)
    _draw_reduced(axes[len(shown)], level, positions, labels)
    axes[len(shown)].set_title(f"({_letter(len(shown))}) reduced graph, SᵀAS", fontsize=9, y=-0.14)
    for axis in axes[count:]:
        axis.set_visible(False)
    return figure


def _letter(place: int) -> str:
    return string.ascii_lowercase[place]


def _edges(level: Level) -> NDArray[np.int64]:
    index = level.adjacency.edge_index.numpy()
    return index[:, index[0] < index[1]]


def _prepare(axis: Axes, level: Level, positions: NDArray[np.float64], labels: Labels) -> float:
    """The same frame in every panel, with space for what stands below a vertex; the size of a vertex in points², such
    that two neighbours stay apart.
    """
    axis.set_axis_off()
    axis.set_aspect("equal")
    low, high = (positions.min(0), positions.max(0)) if len(positions) else (np.zeros(2), np.ones(2))
    margin = 0.12 * max(float((high - low).max()), 1e-6) + 1e-3
    axis.set_xlim(low[0] - margin, high[0] + margin)
    axis.set_ylim(low[1] - margin * (2 if labels == "both" else 1), high[1] + margin)
    width = axis.get_window_extent().width  # pixels
    points = width * 72 / axis.figure.dpi
    unit = points / max(float(high[0] - low[0]) + 2 * margin, 1e-6)
    ends = positions[_edges(level)]
    length = float(np.median(np.linalg.norm(ends[0] - ends[1], axis=1))) * unit if ends.size else 30.0
    radius = np.clip(0.36 * length, 1.2, 9.0)
    return float(np.pi * radius**2)


def _draw_panel(
    axis: Axes, level: Level, panel: Panel, positions: NDArray[np.float64], labels: Labels
) -> None:
    from matplotlib.collections import LineCollection

    size = _prepare(axis, level, positions, labels)
    axis.add_collection(
        LineCollection(list(positions[_edges(level).T]), colors="#b8bac2", linewidths=0.8, zorder=1)
    )
    reach = np.sqrt(size * _SIZE["survivor"] / np.pi) + 1.5  # points from a survivor's centre to its border
    for v, s in panel.arrows:
        axis.annotate(
            "",
            positions[s],
            positions[v],
            arrowprops={"arrowstyle": "-|>", "color": "#3c3d44", "lw": 1.0, "shrinkA": 3, "shrinkB": reach},
            zorder=2,
        )
    _draw_vertices(axis, panel.state, positions, size)
    if labels != "none" and len(level.nodes) <= MOST_LABELS:
        fontsize = float(np.clip(0.75 * np.sqrt(size / np.pi), 2.5, 6.5))
        for v, text in enumerate(_texts(level, labels)):
            ink = COLOURS[panel.state[v]].ink
            axis.annotate(
                _plain(text), positions[v], ha="center", va="center", fontsize=fontsize, color=ink, zorder=4
            )
        low = -float(np.sqrt(size * _SIZE["survivor"] / np.pi)) - 1.0  # points, below the largest vertex
        for v, text in enumerate(_below(level, labels)):
            axis.annotate(
                text, positions[v], (0, low), textcoords="offset points", ha="center", va="top",
                fontsize=0.85 * fontsize, color="#3c3d44", zorder=4,
            )  # fmt: skip


def _draw_vertices(
    axis: Axes, states: tuple[State, ...], positions: NDArray[np.float64], size: float
) -> None:
    for state in STATES:
        here = [v for v, s in enumerate(states) if s == state]
        axis.scatter(
            positions[here, 0],
            positions[here, 1],
            s=size * _SIZE[state],
            c=COLOURS[state].fill,
            edgecolors=COLOURS[state].light_border,
            linewidths=1.8 if state == "survivor" else 0.9,
            marker="s" if state == "non_survivor" else "o",
            zorder=3,
        )


def _draw_reduced(axis: Axes, level: Level, positions: NDArray[np.float64], labels: Labels) -> None:
    """Vertex area = cluster size, edge width = weight of SᵀAS."""
    from matplotlib.collections import LineCollection

    size = _prepare(axis, level, positions, labels)
    kept = positions[level.survivors.numpy()]
    reduced = level.reduced
    once = (reduced.row < reduced.col).numpy()
    weight = np.ones(int(once.sum())) if reduced.weight is None else reduced.weight.numpy()[once]
    pairs = reduced.edge_index.numpy()[:, once]
    widths = 0.8 + 2.2 * weight / max(float(weight.max(initial=1)), 1.0)
    axis.add_collection(LineCollection(list(kept[pairs.T]), colors="#8b8d96", linewidths=widths, zorder=1))
    members = np.bincount(level.cluster.numpy(), minlength=len(kept))
    colour = COLOURS["survivor"]
    axis.scatter(
        kept[:, 0],
        kept[:, 1],
        s=size * (0.6 + 1.4 * members / max(int(members.max(initial=1)), 1)),
        c=colour.fill,
        edgecolors=colour.light_border,
        linewidths=1.8,
        zorder=3,
    )


def _texts(level: Level, labels: Labels) -> list[str]:
    """What stands in each vertex."""
    if labels in ("both", "id"):
        return [node if len(node) <= 8 else node[:7] + "…" for node in level.nodes]
    return scores(level)


def _below(level: Level, labels: Labels) -> list[str]:
    """What stands below each vertex."""
    return scores(level) if labels == "both" else []


def scores(level: Level) -> list[str]:
    """The scores with as many decimals, from two to six, as tell those of neighbours apart, as in the canvas."""
    values = level.score.tolist()
    if all(float(value).is_integer() for value in values):
        return [f"{value:.0f}" for value in values]
    compared = values if level.rounded is None else level.rounded.tolist()
    pairs = [(u, v) for u, v in _edges(level).T.tolist() if compared[u] != compared[v]]
    for digits in range(2, _MOST_DECIMALS + 1):
        texts = [f"{value:.{digits}f}" for value in values]
        if all(texts[u] != texts[v] for u, v in pairs):
            break
    return texts


def _written(level: Level, labels: Labels) -> list[str]:
    """The vertices' texts that a figure holds."""
    return _texts(level, labels) if labels != "none" and len(level.nodes) <= MOST_LABELS else []


def _plain(text: str) -> str:
    """Text that matplotlib takes as it stands: no mathematics, no characters without a shape."""
    return "".join(c for c in text if c.isprintable()).replace("$", r"\$")


_TEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%",
    "_": r"\_", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip


def tikz(
    level: Level, positions: NDArray[np.float64], labels: Labels = "both", *, parts: bool = False
) -> str:
    """All panels (:func:`panels`) as TikZ pictures, each in a minipage, in a document that compiles by itself.

    ``positions`` float64 [n, 2]. Raises InputError where there would be too many panels.
    """
    low, high = (positions.min(0), positions.max(0)) if len(positions) else (np.zeros(2), np.ones(2))
    at = (positions - low) * (3.6 / max(float((high - low).max()), 1e-6))
    small = len(level.nodes) > MOST_LABELS
    lines = [
        # without the option "tikz", by which each picture would be a page of its own
        r"\documentclass[varwidth=18cm,border=4pt]{standalone}",
        r"\usepackage{tikz}",
        r"\usetikzlibrary{arrows.meta,shapes.geometric}",
        *(
            rf"\definecolor{{mivs{state.replace('_', '')}}}{{HTML}}{{{COLOURS[state].fill[1:].upper()}}}"
            for state in STATES
        ),
        r"\tikzset{every node/.style={inner sep=1pt,font=\tiny,draw=black},",
        r"  candidate/.style={circle,fill=mivscandidate,minimum size=3.2mm},",
        r"  survivor/.style={circle,fill=mivssurvivor,thick,minimum size=4mm},",
        r"  nonsurvivor/.style={rectangle,fill=mivsnonsurvivor,minimum size=2.8mm}}",
        r"\begin{document}",
    ]
    texts = ["" if labels == "none" or small else _tex(text) for text in _texts(level, labels)]
    numbers = [] if small else _below(level, labels)
    below = [f",label={{[draw=none]below:{text}}}" for text in numbers] or [""] * len(texts)
    for place, panel in enumerate(panels(level, parts=parts)):
        lines.append(r"\begin{minipage}{4.4cm}\centering\begin{tikzpicture}")
        lines += [
            rf"  \node[{panel.state[v].replace('_', '')}{below[v]}] (v{v}) at ({x:.3f},{y:.3f}) {{{texts[v]}}};"
            for v, (x, y) in enumerate(at.tolist())
        ]
        lines += [rf"  \draw (v{u}) -- (v{v});" for u, v in _edges(level).T.tolist()]
        lines += [rf"  \draw[-{{Stealth}},thick] (v{v}) -- (v{s});" for v, s in panel.arrows]
        lines.append(rf"\end{{tikzpicture}}\\ ({_letter(place)}) {panel.caption}\end{{minipage}}\hfill")
    lines += [r"\end{document}", ""]
    return "\n".join(lines)


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text if character.isprintable())


def _animate(
    level: Level, positions: NDArray[np.float64], form: str, labels: Labels, *, parts: bool
) -> bytes:
    """One frame per iteration or part, a second each, then the assignment and the reduced graph."""
    frames = [_frame(level, panel, positions, labels) for panel in _animation_panels(level, parts)]
    frames.append(_frame(level, None, positions, labels))
    return _gif(frames) if form == "gif" else _mp4(frames)


def _animation_panels(level: Level, parts: bool = False) -> Iterator[Panel]:
    places = _places(level, parts)
    thinned = -(-len(places) // 300)  # a long animation is thinned: five minutes are enough
    yield from _iterations(level, [*places[:-1:thinned], places[-1]])
    if level.num_iterations + 2 <= MOST_PANELS:
        yield _assignment(level)


def _single(level: Level, panel: Panel | None, positions: NDArray[np.float64], labels: Labels) -> Figure:
    """One panel as a figure of its own; None is the reduced graph."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 6.4), dpi=100)
    axis = figure.add_axes((0.02, 0.02, 0.96, 0.9))
    if panel is None:
        _draw_reduced(axis, level, positions, labels)
    else:
        _draw_panel(axis, level, panel, positions, labels)
    figure.suptitle("the reduced graph" if panel is None else panel.caption, fontsize=13)
    return figure


def _frame(
    level: Level, panel: Panel | None, positions: NDArray[np.float64], labels: Labels
) -> NDArray[np.uint8]:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    canvas = FigureCanvasAgg(_single(level, panel, positions, labels))
    canvas.draw()
    return np.asarray(canvas.buffer_rgba())[..., :3].copy()


def _gif(frames: list[NDArray[np.uint8]]) -> bytes:
    from PIL import Image

    images = [Image.fromarray(frame).quantize(128) for frame in frames]
    out = io.BytesIO()
    images[0].save(out, "GIF", save_all=True, append_images=images[1:], duration=1000, loop=0)
    return out.getvalue()


def _mp4(frames: list[NDArray[np.uint8]]) -> bytes:
    need("an MP4", "av")
    import av

    try:
        av.Codec("h264", "w")
    except ValueError as error:  # UnknownCodecError
        raise InputError("an MP4 needs an H.264 encoder, and PyAV has none here: choose GIF") from error
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        stream = container.add_stream("h264", rate=10)
        stream.height, stream.width = frames[0].shape[:2]
        stream.pix_fmt = "yuv420p"
        for frame in frames:
            picture = av.VideoFrame.from_ndarray(frame, format="rgb24")
            for _ in range(10):
                container.mux(stream.encode(picture))
        container.mux(stream.encode())
    return out.getvalue()
