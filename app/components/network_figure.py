"""A classifier with one graph's sizes in it: its layers in their order, the readouts, how they are joined, the MLP.

``network_of`` makes plain data of a model's description, ``drawing`` SVG of it, once for wide screens and once for
narrow ones; ``show`` puts it on the page, where a pooling can be chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from app.ui import class_plots, common
from app.ui.texts import cut
from mivspool.content import shared
from mivspool.graphs.graph import Graph
from mivspool.levels import Level
from mivspool.messages import fill
from mivspool.service.schemas import Classified, ModelCard

HERE = Path(__file__).parent

_BOX, _GAP = 176, 34  # a box's width, the space between two
_TITLE, _LINE, _FOOT = 20, 17, 16  # of a box: what its title takes, each of its lines, and what is below them
_READOUT = 46
_BAR = 130
_MOST_NAME = 20  # letters of a class's name
_LETTER = 6.8  # their width


@dataclass(frozen=True)
class Sizes:
    """Vertices and edges before and after a pooling."""

    vertices: int
    edges: int
    vertices_after: int
    edges_after: int


@dataclass(frozen=True)
class Network:
    """A classifier with one graph in it.

    ``layers``: its description (``ModelCard.layers``). ``sizes``: of its poolings, as far as they are known.
    ``probabilities`` by class, the model's order.
    """

    layers: Sequence[Mapping[str, Any]]
    sizes: Sequence[Sizes]
    vertices: int
    edges: int
    probabilities: Mapping[str, float]

    def of(self, kind: str) -> list[Mapping[str, Any]]:
        """Its layers of one kind."""
        return [layer for layer in self.layers if layer["kind"] == kind]


@dataclass
class Box:
    """Layers up to a readout: its lines, the pooling among them (None: none), and the readout's name and width."""

    title: str
    lines: list[str] = field(default_factory=list)
    pooling: int | None = None
    readout: tuple[str, int] | None = None


def network_of(graph: Graph, card: ModelCard, answer: Classified, levels: Sequence[Level]) -> Network:
    """A model with a graph in it: its layers, the sizes of its levels, the probabilities."""
    sizes = [
        Sizes(
            len(level.nodes),
            level.adjacency.col.numel() // 2,
            len(level.reduced_nodes),
            level.reduced.col.numel() // 2,
        )
        for level in levels
    ]
    names = card.class_names
    probabilities = {names.get(label, label): share for label, share in class_plots.shares(answer).items()}
    return Network(card.layers, sizes, graph.num_nodes, graph.num_edges, probabilities)


def describe(network: Network) -> str:
    """The figure in a sentence, for those who do not see it."""
    sizes = [network.vertices, *(one.vertices_after for one in network.sizes)]
    best = max(network.probabilities, key=lambda name: network.probabilities[name], default="")
    (join,) = network.of("join")
    return fill(
        common.FIGURE_ALT,
        convolutions=len(network.of("convolution")),
        poolings=len(network.of("pooling")),
        sizes=" → ".join(map(str, sizes)),
        last=sizes[-1],
        readouts=len(network.of("readout")),
        joined=common.FIGURE_JOINED[join["name"]],
        best=best,
    )


def boxes(network: Network) -> list[Box]:
    """The graph, then the layers before the readouts are joined: a box ends where a level is read.

    So a block of the paper's network is one box. None has two poolings.
    """
    inputs = fill(common.FIGURE_INPUT, n=network.vertices, m=network.edges)
    columns = fill(common.FIGURE_FEATURES, d=network.layers[0]["inputs"])
    found = [Box(common.FIGURE_GRAPH, [inputs, columns])]
    poolings = 0
    for layer in network.layers:
        if layer["level"] is None:
            break
        if layer["kind"] == "readout":
            found[-1].readout = (layer["name"], layer["outputs"])
            continue
        again = layer["kind"] == "pooling" and found[-1].pooling is not None
        if len(found) == 1 or found[-1].readout is not None or again:
            found.append(Box(common.FIGURE_CONVOLUTION_TITLE))
        box = found[-1]
        if layer["kind"] == "pooling":
            title = common.FIGURE_BLOCK if box.lines else common.FIGURE_POOLING
            box.title, box.pooling = fill(title, k=poolings + 1), poolings
            box.lines += [_pooling(layer), *_sizes(network.sizes[poolings : poolings + 1])]
            poolings += 1
        elif layer["kind"] == "convolution":
            box.lines.append(_convolution(layer))
        else:
            box.lines.append(common.FIGURE_NORMALISATION)
    return found


def drawing(network: Network, chosen: int, tall: bool) -> str:
    """The SVG; ``chosen`` is the pooling that is highlighted (−1: none), ``tall`` stands the boxes under each other."""
    found = boxes(network)
    head = [common.FIGURE_NORMALISATION for layer in network.of("normalisation") if layer["level"] is None]
    (join,), (mlp,) = network.of("join"), network.of("mlp")
    head += [str(mlp["inputs"]), *(f"→ {width}" for width in (*mlp["options"]["hidden"], mlp["outputs"]))]
    canvas = _Canvas(tall, max(len(lines) for lines in (head, *(box.lines for box in found))))
    for step, box in enumerate(found):
        highlighted = box.pooling is not None and box.pooling == chosen
        canvas.box(step, 0, box.title, box.lines, block=box.pooling, highlighted=highlighted)
        if box.readout is not None:
            name, width = box.readout
            canvas.box(step, 1, "", [name, fill(common.FIGURE_WIDTH, n=width)])
    canvas.end(len(found) - 1, common.FIGURE_JOIN[join["name"]], head, network.probabilities)
    return canvas.svg(describe(network))


def show(network: Network, chosen: int, key: str) -> int | None:
    """Put the figure on the page; the block a person clicked since the last run, or None."""
    result = _component(
        key=key,
        data={"wide": drawing(network, chosen, False), "tall": drawing(network, chosen, True)},
        on_block_change=lambda: None,
    )
    return None if result.block is None else int(result.block)


def _convolution(layer: Mapping[str, Any]) -> str:
    template = common.FIGURE_CONVOLUTION if layer["options"]["edges"] else common.FIGURE_WITHOUT_EDGES
    text = fill(template, name=layer["name"].upper(), before=layer["inputs"], after=layer["outputs"])
    return text + (common.FIGURE_RESIDUAL if layer["options"]["residual"] else "")


def _pooling(layer: Mapping[str, Any]) -> str:
    options = layer["options"]
    summed = common.FIGURE_SUM if options.get("reduction") == "sum" else None
    return ", ".join(filter(None, (shared.method_title(layer["name"]), options.get("score"), summed)))


def _sizes(sizes: Sequence[Sizes]) -> list[str]:
    return [
        line
        for one in sizes
        for line in (
            fill(common.FIGURE_VERTICES, before=one.vertices, after=one.vertices_after),
            fill(common.FIGURE_EDGES, before=one.edges, after=one.edges_after),
        )
    ]


class _Canvas:
    """Boxes on a grid of steps along the network and two lanes: layers, and the readouts. ``lines``: most in a box."""

    def __init__(self, tall: bool, lines: int) -> None:
        self.tall = tall
        self.high = _TITLE + _LINE * lines + _FOOT
        self.read: list[int] = []
        self.parts: list[str] = []
        self.size = (0.0, 0.0)

    def corner(self, step: int, lane: int) -> tuple[float, float]:
        if self.tall:
            return (2.0 if lane == 0 else _BOX + 2 * _GAP - 16, 2 + step * (self.high + _GAP))
        return (2 + step * (_BOX + _GAP), 2.0 if lane == 0 else self.high + _GAP + 2)

    def box(
        self,
        step: int,
        lane: int,
        title: str,
        lines: Sequence[str],
        block: int | None = None,
        highlighted: bool = False,
    ) -> None:
        x, y = self.corner(step, lane)
        wide, high = (_BOX, self.high) if lane == 0 else ((118 if self.tall else _BOX), _READOUT)
        middle = x + wide / 2
        pick = ""
        if block is not None:
            label = escape(fill(common.FIGURE_OPEN, k=block + 1), quote=True)
            pressed = str(highlighted).lower()
            pick = f' data-block="{block}" tabindex="0" role="button" aria-label="{label}" aria-pressed="{pressed}"'
        self.parts.append(f'<g class="box{" lit" if highlighted else ""}"{pick}>')
        self.parts.append(f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="7"/>')
        at = y + 20
        if title:
            self.text(middle, at, title, "title")
            at += _TITLE
        for line in lines:
            self.text(middle, at, line)
            at += _LINE
        self.parts.append("</g>")
        if lane == 0 and step > 0:
            self._between(step, x, y)
        if lane == 1:
            self.read.append(step)
            self._down(step)

    def _between(self, step: int, x: float, y: float) -> None:
        """The arrow from the block before."""
        if self.tall:
            self.arrow(x + _BOX / 2, y - _GAP, x + _BOX / 2, y)
        else:
            self.arrow(x - _GAP, y + self.high / 2, x, y + self.high / 2)

    def _down(self, step: int) -> None:
        """The arrow from a block to its readout, and from there to the sum's rail."""
        x, y = self.corner(step, 0)
        if self.tall:
            self.arrow(x + _BOX, y + _READOUT / 2, self.corner(step, 1)[0], y + _READOUT / 2)
        else:
            self.arrow(x + _BOX / 2, y + self.high, x + _BOX / 2, self.corner(step, 1)[1])

    def end(self, last: int, join: str, head: Sequence[str], probabilities: Mapping[str, float]) -> None:
        """How the readouts are joined, the MLP and one bar per class; ``last``: the step of the last box."""
        (self._end_tall if self.tall else self._end_wide)(last, join, head, probabilities)

    def _end_wide(
        self, last: int, join: str, head: Sequence[str], probabilities: Mapping[str, float]
    ) -> None:
        top = self.corner(0, 1)[1]
        rail = top + _READOUT + 24
        first = self.corner(self.read[0], 1)[0] + _BOX / 2
        sum_x = self.corner(last + 1, 0)[0] + 12
        for step in self.read:
            x = self.corner(step, 1)[0] + _BOX / 2
            self.line(x, top + _READOUT, x, rail)
        self.line(first, rail, sum_x, rail)
        self.arrow(sum_x, rail, sum_x, self.high / 2 + 18)
        self.circle(sum_x, self.high / 2, join)
        x = sum_x + 18 + _GAP
        self.arrow(sum_x + 16, self.high / 2, x, self.high / 2)
        self._mlp(x, 2.0, head)
        x += 120
        self.arrow(x, self.high / 2, x + _GAP, self.high / 2)
        right, bottom = self._bars(x + _GAP + 6, 12.0, probabilities)
        self.size = (right, max(rail + 6, bottom))

    def _end_tall(
        self, last: int, join: str, head: Sequence[str], probabilities: Mapping[str, float]
    ) -> None:
        rail = self.corner(0, 1)[0] + 118 + 12
        first = self.corner(self.read[0], 1)[1] + _READOUT / 2
        y = self.corner(last + 1, 0)[1] + 14
        sum_x = _BOX / 2
        for step in self.read:
            level = self.corner(step, 1)[1] + _READOUT / 2
            self.line(rail - 12, level, rail, level)
        self.line(rail, first, rail, y)
        self.line(rail, y, sum_x + 16, y)
        self.circle(sum_x, y, join)
        self.arrow(sum_x, y + 16, sum_x, y + 16 + _GAP)
        top = y + 16 + _GAP
        self._mlp(sum_x - 60, top, head)
        self.arrow(sum_x, top + self.high, sum_x, top + self.high + _GAP - 8)
        right, bottom = self._bars(8.0, top + self.high + _GAP + 4, probabilities)
        self.size = (max(rail + 4, right), bottom)

    def _mlp(self, x: float, y: float, head: Sequence[str]) -> None:
        self.parts.append(f'<g class="box"><rect x="{x}" y="{y}" width="120" height="{self.high}" rx="7"/>')
        self.text(x + 60, y + 20, common.FIGURE_MLP, "title")
        for k, line in enumerate(head):
            self.text(x + 60, y + 40 + _LINE * k, line)
        self.parts.append("</g>")

    def _bars(self, x: float, y: float, probabilities: Mapping[str, float]) -> tuple[float, float]:
        """One bar per class, at most eight; returns where they end."""
        shown = sorted(probabilities.items(), key=lambda pair: -pair[1])[:8]
        names = [cut(name, _MOST_NAME) for name, _ in shown]
        bars = x + max([70.0, *(_LETTER * len(name) + 10 for name in names)])
        for k, (name, (whole, share)) in enumerate(zip(names, shown, strict=True)):
            top = y + 24 * k
            self.text(x, top + 12, name, "left", whole if name != whole else "")
            self.parts.append(
                f'<rect class="track" x="{bars}" y="{top + 2}" width="{_BAR}" height="13" rx="3"/>'
            )
            self.parts.append(
                f'<rect class="{"fill best" if k == 0 else "fill"}" x="{bars}" y="{top + 2}" '
                f'width="{max(_BAR * share, 1):.1f}" height="13" rx="3"/>'
            )
            self.text(bars + _BAR + 8, top + 12, f"{share:.2f}", "left")
        rows, more = len(shown), len(probabilities) - len(shown)
        if more > 0:
            self.text(x, y + 24 * rows + 12, fill(common.FIGURE_MORE, n=more), "left")
            rows += 1
        return bars + _BAR + 44, y + 24 * rows + 8

    def text(self, x: float, y: float, text: str, kind: str = "", whole: str = "") -> None:
        """``whole``: what stands there when it is pointed at, where the text is cut."""
        title = f"<title>{escape(whole)}</title>" if whole else ""
        self.parts.append(f'<text x="{x}" y="{y}" class="{kind}">{title}{escape(text)}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.parts.append(f'<path d="M{x1},{y1} L{x2},{y2}"/>')

    def arrow(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.line(x1, y1, x2, y2)
        if x1 == x2:
            tail = y2 - 7 if y2 > y1 else y2 + 7
            self.parts.append(f'<path d="M{x2 - 4},{tail} L{x2},{y2} L{x2 + 4},{tail}"/>')
        else:
            self.parts.append(f'<path d="M{x2 - 7},{y2 - 4} L{x2},{y2} L{x2 - 7},{y2 + 4}"/>')

    def circle(self, x: float, y: float, sign: str) -> None:
        self.parts.append(f'<g class="box"><circle cx="{x}" cy="{y}" r="16"/></g>')
        self.text(x, y + 6, sign, "sum")

    def svg(self, label: str) -> str:
        wide, high = self.size
        name = escape(label, quote=True)
        return (
            f'<svg viewBox="0 0 {wide:.0f} {high:.0f}" role="group" aria-label="{name}" '
            f'style="max-width:{wide:.0f}px">{"".join(self.parts)}</svg>'
        )


@lru_cache(maxsize=1)
def _style() -> str:
    return (HERE / "network_figure.css").read_text(encoding="utf-8")


_SCRIPT = """
export default function (component) {
  const { parentElement, data, setStateValue } = component;
  const root = parentElement.querySelector(".figure");
  root.querySelector(".wide").innerHTML = data.wide;
  root.querySelector(".tall").innerHTML = data.tall;
  const choose = (event) => {
    const box = event.target.closest("[data-block]");
    if (!box || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    setStateValue("block", Number(box.dataset.block));
  };
  root.onclick = choose;
  root.onkeydown = choose;
}
"""

_component: Any = st.components.v2.component(
    "mivspool_network",
    html='<div class="figure"><div class="wide"></div><div class="tall"></div></div>',
    css=_style(),
    js=_SCRIPT,
)
