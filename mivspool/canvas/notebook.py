"""The canvas in a notebook: what ``show()`` of a level or a trace returns.

It is a page of its own in a sandboxed frame (no ipywidgets, nothing from outside), so it steps in JupyterLab and in
the HTML that nbconvert makes (and should in VS Code, where it has not been tried).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Literal

import numpy as np
import torch
from numpy.typing import NDArray

from mivspool import meer
from mivspool.canvas import framed, standalone
from mivspool.canvas.payload import trace_data
from mivspool.errors import InputError
from mivspool.graphs.graph import Graph
from mivspool.graphs.labels import label_texts
from mivspool.graphs.layout import positions as lay_out
from mivspool.levels import Level
from mivspool.messages import count

Theme = Literal["auto", "light", "dark"]
THEMES: tuple[Theme, ...] = ("auto", "light", "dark")

MOST_SHOWN = 20_000  # vertices; the page of more would be too large for a notebook
_AROUND = 430  # pixels of the frame beside the graph: the sentence above it, the controls below
_NARROW = 800  # pixels; in less, what stood beside the graph stands below it
_BELOW = 560
# A notebook's theme is not the system's. What the frame takes for the system's is the scheme of its element, which
# knows the marks of JupyterLab (and of the pages that nbconvert makes) and of VS Code.
_SCHEMES = "".join(
    f'[data-jp-theme-light="{light}"] .mivspool-shown, .vscode-{scheme} .mivspool-shown {{ color-scheme: {scheme} }} '
    for scheme, light in (("light", "true"), ("dark", "false"))
)
_STYLE = (
    ".mivspool-holds { container-type: inline-size } .mivspool-shown { width: 100%; border: 0 } "
    f"@container (max-width: {_NARROW - 1}px) {{ .mivspool-shown {{ min-height: var(--tall) }} }} {_SCHEMES}"
)


@dataclass(frozen=True)
class Shown:
    """A trace that steps where it is displayed. ``page`` is a whole HTML document; ``save`` writes it."""

    title: str
    page: str
    height: int

    def __repr__(self) -> str:
        return f"<{self.title}: display it in a notebook, or save(path) it as a page>"

    def _repr_html_(self) -> str:
        """What a notebook displays; the frame may run its own script and reach nothing else."""
        return (
            f'<div class="mivspool-holds"><style>{_STYLE}</style><iframe class="mivspool-shown" '
            f'sandbox="allow-scripts" title="{escape(self.title)}" '
            f'srcdoc="{escape(framed(self.page))}" style="height: {self.height}px; '
            f'--tall: {self.height + _BELOW}px"></iframe></div>'
        )

    def save(self, path: str | Path) -> None:
        """Write the page. Raises InputError where it cannot be written."""
        try:
            Path(path).write_text(self.page, encoding="utf-8", errors="replace")
        except OSError as error:
            raise InputError(f"{path} cannot be written: {error.strerror}") from error


def show_level(
    level: Level,
    *,
    positions: NDArray[np.float64] | Sequence[Sequence[float]] | None = None,
    labels: Sequence[str] | None = None,
    title: str | None = None,
    step: int = 0,
    part: int = 0,
    height: int = 380,
    theme: Theme = "auto",
) -> Shown:
    """A level of ``mivspool.step`` as a canvas.

    ``positions`` [n, 2]: the vertices' coordinates, y upwards (default: the graph's own coordinates, or a layout);
    ``labels``: one word per vertex, shown with its id (default: the graph's). ``step``: where the cursor starts, and
    ``part`` which of the three parts of the iteration it shows (0: it goes by whole iterations); ``height`` of the
    graph in pixels; ``theme``: light, dark, or the reader's.
    Raises InputError for sizes that do not fit, and for more than 20,000 vertices.
    """
    check_theme(theme)
    held = held_of(level, positions, labels, title)
    page = standalone(held.trace, held.title, step, held.best, part=part, theme=theme, height=height)
    return Shown(held.title, page, height + _AROUND)


@dataclass(frozen=True)
class Held:
    """What is shown of a level: ``trace`` (``payload.trace_data``), its title, and the vertex with the best score."""

    trace: dict[str, Any]
    title: str
    best: int


def held_of(
    level: Level,
    positions: NDArray[np.float64] | Sequence[Sequence[float]] | None = None,
    labels: Sequence[str] | None = None,
    title: str | None = None,
) -> Held:
    """A level as the canvas takes it; arguments (``positions`` [n, 2]) as of :func:`show_level`, errors as in it."""
    n = len(level.nodes)
    if n > MOST_SHOWN:
        raise InputError(f"a notebook shows at most {MOST_SHOWN:,} vertices, and this graph has {n:,}")
    place = np.asarray(_places(level) if positions is None else positions, dtype=np.float64)
    if place.shape != (n, 2):
        raise InputError(f"positions must be {n} pairs of numbers, one per vertex, not {list(place.shape)}")
    words = _labels(level) if labels is None else [str(label) for label in labels]
    if words is not None and len(words) != n:
        raise InputError(f"there are {len(words)} labels for {count(n, 'vertex')}")
    named = title or (level.graph.name if level.graph is not None else count(n, "vertex"))
    trace = trace_data(level, place, labels=words, learned=level.learned)
    return Held(trace, named, int(level.score.argmax()) if n else -1)


def check_theme(theme: str) -> None:
    """InputError for a theme that there is not."""
    if theme not in THEMES:
        raise InputError(f"there is no theme {theme!r}; there are: {', '.join(THEMES)}")


def show_trace(
    trace: meer.Trace,
    *,
    positions: NDArray[np.float64] | Sequence[Sequence[float]] | None = None,
    labels: Sequence[str] | None = None,
    title: str | None = None,
    step: int = 0,
    part: int = 0,
    height: int = 380,
    theme: Theme = "auto",
) -> Shown:
    """A trace [N] of ``meer.trace`` as a canvas, vertices named by their index; options as in :func:`show_level`.

    Graphs of a batch stand side by side. Raises InputError as there, and for a trace without its graph.
    """
    return show_level(
        level_of(trace),
        positions=positions,
        labels=labels,
        title=title,
        step=step,
        part=part,
        height=height,
        theme=theme,
    )


def level_of(trace: meer.Trace) -> Level:
    """A trace as a level, its vertices named by their index. InputError for a trace without its graph."""
    adjacency, key = trace.adjacency, trace.score
    if adjacency is None or key is None:
        raise InputError("this trace does not know its graph: make it with meer.trace(edge_index, score)")
    last = trace.num_iterations.max().reshape(1) if trace.num_iterations.numel() else torch.zeros(1).long()
    whole = replace(
        trace,
        survivor=trace.survivor.cpu(),
        settled_at=trace.settled_at.cpu(),
        added=trace.added.cpu(),
        cluster=trace.cluster.cpu(),
        num_iterations=last.cpu(),
    )
    nodes = tuple(str(v) for v in range(key.numel()))
    score = key.to("cpu", torch.float64)
    return Level(0, nodes, adjacency.to("cpu"), score, key.cpu(), whole)


def _places(level: Level) -> NDArray[np.float64]:
    """Where the original graph has these vertices; without one, a layout of this level's edges."""
    if level.graph is not None and level.origin is not None:
        found: NDArray[np.float64] = lay_out(level.graph)[level.origin.numpy()]
        return found
    index = level.adjacency.edge_index.numpy()
    return lay_out(Graph(name="", nodes=level.nodes, edges=index[:, index[0] < index[1]]))


def _labels(level: Level) -> list[str] | None:
    if level.graph is None or level.origin is None:
        return None
    texts = label_texts(level.graph.node_attributes.get("label"))
    return None if texts is None else [texts[v] for v in level.origin.tolist()]
