"""The paper's Figure 1 with one graph's sizes in it: blocks, readouts, their sum, the MLP, the classes.

``drawing`` turns plain data into SVG, once for wide screens and once for narrow ones; ``show`` puts it on the page,
where a block can be chosen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from app.ui import common
from app.ui.texts import fill
from mivspool.graphs.graph import Graph
from mivspool.levels import Level
from mivspool.service.schemas import Classified, ModelCard

HERE = Path(__file__).parent

_BOX, _GAP, _HIGH = 176, 34, 104  # a block's width, the space between two, its height
_READOUT = 46
_BAR = 130


@dataclass(frozen=True)
class Block:
    """One block: vertices and edges before and after its pooling (None where the method does not tell)."""

    vertices: int | None = None
    edges: int | None = None
    vertices_after: int | None = None
    edges_after: int | None = None


@dataclass(frozen=True)
class Network:
    """A classifier with one graph in it. ``probabilities`` by class, the model's order."""

    channels: int
    hidden: int
    method: str
    blocks: Sequence[Block]
    vertices: int
    edges: int
    probabilities: Mapping[str, float]


def network_of(graph: Graph, card: ModelCard, answer: Classified, levels: Sequence[Level]) -> Network:
    """A model with a graph in it: the sizes of its levels, the blocks that were not reached, the probabilities."""
    architecture = card.config.get("architecture", {})
    blocks = [
        Block(
            len(level.nodes),
            level.adjacency.col.numel() // 2,
            len(level.reduced_nodes),
            level.reduced.col.numel() // 2,
        )
        for level in levels
    ]
    missing = int(architecture.get("blocks", len(blocks))) - len(blocks)
    method = common.method_title(str(architecture.get("method", "")))
    return Network(
        channels=int(architecture.get("in_channels", 0)),
        hidden=int(architecture.get("hidden", 128)),
        method=method if not architecture.get("score") else f"{method}, {architecture['score']}",
        blocks=[*blocks, *[Block()] * max(missing, 0)],
        vertices=graph.num_nodes,
        edges=graph.num_edges,
        probabilities=answer.probabilities or {},
    )


def describe(network: Network) -> str:
    """The figure in a sentence, for those who do not see it."""
    sizes = [
        network.vertices,
        *(block.vertices_after for block in network.blocks if block.vertices_after is not None),
    ]
    best = max(network.probabilities, key=lambda name: network.probabilities[name], default="")
    return common.FIGURE_ALT.format(blocks=len(network.blocks), sizes=" → ".join(map(str, sizes)), best=best)


def drawing(network: Network, chosen: int, tall: bool) -> str:
    """The SVG; ``chosen`` is the block that is lit (−1: none), ``tall`` stands the blocks under each other."""
    canvas = _Canvas(tall)
    inputs = common.FIGURE_INPUT.format(n=network.vertices, m=network.edges)
    canvas.box(0, 0, common.FIGURE_GRAPH, [inputs, fill(common.FIGURE_FEATURES, d=network.channels)])
    channels = network.channels
    for k, block in enumerate(network.blocks):
        lines = [
            common.FIGURE_GCN.format(before=channels, after=network.hidden),
            network.method,
            *_sizes(block),
        ]
        canvas.box(k + 1, 0, common.FIGURE_BLOCK.format(k=k + 1), lines, block=k, lit=k == chosen)
        canvas.box(k + 1, 1, "", [common.FIGURE_READOUT, common.FIGURE_WIDTH.format(n=2 * network.hidden)])
        channels = network.hidden
    widths = [2 * network.hidden, 128, 64, len(network.probabilities)]
    canvas.end(len(network.blocks), widths, network.probabilities)
    return canvas.svg(describe(network))


def show(network: Network, chosen: int, key: str) -> int | None:
    """Put the figure on the page; the block a person clicked since the last run, or None."""
    result = _component(
        key=key,
        data={"wide": drawing(network, chosen, False), "tall": drawing(network, chosen, True)},
        on_block_change=lambda: None,
    )
    return None if result.block is None else int(result.block)


def _sizes(block: Block) -> list[str]:
    if block.vertices is None:
        return []
    return [
        common.FIGURE_VERTICES.format(before=block.vertices, after=block.vertices_after),
        common.FIGURE_EDGES.format(before=block.edges, after=block.edges_after),
    ]


class _Canvas:
    """Boxes on a grid of steps along the network and two lanes: blocks, and their readouts."""

    def __init__(self, tall: bool) -> None:
        self.tall = tall
        self.parts: list[str] = []
        self.size = (0.0, 0.0)

    def corner(self, step: int, lane: int) -> tuple[float, float]:
        if self.tall:
            return (2.0 if lane == 0 else _BOX + 2 * _GAP - 16, 2 + step * (_HIGH + _GAP))
        return (2 + step * (_BOX + _GAP), 2.0 if lane == 0 else _HIGH + _GAP + 2)

    def box(
        self,
        step: int,
        lane: int,
        title: str,
        lines: Sequence[str],
        block: int | None = None,
        lit: bool = False,
    ) -> None:
        x, y = self.corner(step, lane)
        wide, high = (_BOX, _HIGH) if lane == 0 else ((118 if self.tall else _BOX), _READOUT)
        middle = x + wide / 2
        pick = ""
        if block is not None:
            label = escape(common.FIGURE_OPEN.format(k=block + 1), quote=True)
            pressed = str(lit).lower()
            pick = f' data-block="{block}" tabindex="0" role="button" aria-label="{label}" aria-pressed="{pressed}"'
        self.parts.append(f'<g class="box{" lit" if lit else ""}"{pick}>')
        self.parts.append(f'<rect x="{x}" y="{y}" width="{wide}" height="{high}" rx="7"/>')
        at = y + 20
        if title:
            self.text(middle, at, title, "title")
            at += 20
        for line in lines:
            self.text(middle, at, line)
            at += 17
        self.parts.append("</g>")
        if lane == 0 and step > 0:
            self._between(step, x, y)
        if lane == 1:
            self._down(step)

    def _between(self, step: int, x: float, y: float) -> None:
        """The arrow from the block before."""
        if self.tall:
            self.arrow(x + _BOX / 2, y - _GAP, x + _BOX / 2, y)
        else:
            self.arrow(x - _GAP, y + _HIGH / 2, x, y + _HIGH / 2)

    def _down(self, step: int) -> None:
        """The arrow from a block to its readout, and from there to the sum's rail."""
        x, y = self.corner(step, 0)
        if self.tall:
            self.arrow(x + _BOX, y + _READOUT / 2, self.corner(step, 1)[0], y + _READOUT / 2)
        else:
            self.arrow(x + _BOX / 2, y + _HIGH, x + _BOX / 2, self.corner(step, 1)[1])

    def end(self, blocks: int, widths: Sequence[int], probabilities: Mapping[str, float]) -> None:
        """Σ, the MLP and one bar per class."""
        (self._end_tall if self.tall else self._end_wide)(blocks, widths, probabilities)

    def _end_wide(self, blocks: int, widths: Sequence[int], probabilities: Mapping[str, float]) -> None:
        top = self.corner(1, 1)[1]
        rail = top + _READOUT + 24
        first = self.corner(1, 1)[0] + _BOX / 2
        sum_x = self.corner(blocks + 1, 0)[0] + 12
        for k in range(blocks):
            x = self.corner(k + 1, 1)[0] + _BOX / 2
            self.line(x, top + _READOUT, x, rail)
        self.line(first, rail, sum_x, rail)
        self.line(sum_x, rail, sum_x, _HIGH / 2 + 18)
        self.parts.append(
            f'<path d="M{sum_x - 4},{_HIGH / 2 + 25} L{sum_x},{_HIGH / 2 + 18} L{sum_x + 4},{_HIGH / 2 + 25}"/>'
        )
        self.circle(sum_x, _HIGH / 2)
        x = sum_x + 18 + _GAP
        self.arrow(sum_x + 16, _HIGH / 2, x, _HIGH / 2)
        self._mlp(x, 2.0, widths)
        x += 120
        self.arrow(x, _HIGH / 2, x + _GAP, _HIGH / 2)
        right, bottom = self._bars(x + _GAP + 6, 12.0, probabilities)
        self.size = (right, max(rail + 6, bottom))

    def _end_tall(self, blocks: int, widths: Sequence[int], probabilities: Mapping[str, float]) -> None:
        rail = self.corner(1, 1)[0] + 118 + 12
        first = self.corner(1, 1)[1] + _READOUT / 2
        y = self.corner(blocks + 1, 0)[1] + 14
        sum_x = _BOX / 2
        for k in range(blocks):
            level = self.corner(k + 1, 1)[1] + _READOUT / 2
            self.line(rail - 12, level, rail, level)
        self.line(rail, first, rail, y)
        self.line(rail, y, sum_x + 16, y)
        self.circle(sum_x, y)
        self.arrow(sum_x, y + 16, sum_x, y + 16 + _GAP)
        top = y + 16 + _GAP
        self._mlp(sum_x - 60, top, widths)
        self.arrow(sum_x, top + _HIGH, sum_x, top + _HIGH + _GAP - 8)
        _, bottom = self._bars(8.0, top + _HIGH + _GAP + 4, probabilities)
        self.size = (rail + 4, bottom)

    def _mlp(self, x: float, y: float, widths: Sequence[int]) -> None:
        self.parts.append(f'<g class="box"><rect x="{x}" y="{y}" width="120" height="{_HIGH}" rx="7"/>')
        self.text(x + 60, y + 20, common.FIGURE_MLP, "title")
        for k, width in enumerate(widths):
            self.text(x + 60, y + 40 + 17 * k, str(width) if k == 0 else f"→ {width}")
        self.parts.append("</g>")

    def _bars(self, x: float, y: float, probabilities: Mapping[str, float]) -> tuple[float, float]:
        """One bar per class, at most eight; returns where they end."""
        shown = sorted(probabilities.items(), key=lambda pair: -pair[1])[:8]
        for k, (name, share) in enumerate(shown):
            top = y + 24 * k
            label = name if len(name) <= 14 else name[:13] + "…"
            self.text(x, top + 12, label, "left")
            self.parts.append(
                f'<rect class="track" x="{x + 70}" y="{top + 2}" width="{_BAR}" height="13" rx="3"/>'
            )
            self.parts.append(
                f'<rect class="{"fill best" if k == 0 else "fill"}" x="{x + 70}" y="{top + 2}" '
                f'width="{max(_BAR * share, 1):.1f}" height="13" rx="3"/>'
            )
            self.text(x + 70 + _BAR + 8, top + 12, f"{share:.2f}", "left")
        rows, more = len(shown), len(probabilities) - len(shown)
        if more > 0:
            self.text(x, y + 24 * rows + 12, common.FIGURE_MORE.format(n=more), "left")
            rows += 1
        return x + 70 + _BAR + 44, y + 24 * rows + 8

    def text(self, x: float, y: float, text: str, kind: str = "") -> None:
        self.parts.append(f'<text x="{x}" y="{y}" class="{kind}">{escape(text)}</text>')

    def line(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.parts.append(f'<path d="M{x1},{y1} L{x2},{y2}"/>')

    def arrow(self, x1: float, y1: float, x2: float, y2: float) -> None:
        self.line(x1, y1, x2, y2)
        if x1 == x2:
            tail = y2 - 7 if y2 > y1 else y2 + 7
            self.parts.append(f'<path d="M{x2 - 4},{tail} L{x2},{y2} L{x2 + 4},{tail}"/>')
        else:
            self.parts.append(f'<path d="M{x2 - 7},{y2 - 4} L{x2},{y2} L{x2 - 7},{y2 + 4}"/>')

    def circle(self, x: float, y: float) -> None:
        self.parts.append(f'<g class="box"><circle cx="{x}" cy="{y}" r="16"/></g>')
        self.text(x, y + 6, "Σ", "sum")

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
