"""The canvas as a notebook widget (anywidget): its cursor and the selected vertex are traits, read and written.

>>> import mivspool
>>> shown = mivspool.step(mivspool.open_source("karate"), "degree")[0].widget()
>>> shown.step, shown.last_step
(0, 4)
>>> shown.step = 1  # the canvas in the notebook goes there, and what a person steps to is told here

Installed by ``mivspool[notebook]``; ``show()`` needs no widget, but Python hears nothing of what is done in it.
"""

from __future__ import annotations

from typing import Any

from mivspool import colours, meer
from mivspool.canvas import settings, style
from mivspool.canvas.modules import joined
from mivspool.canvas.notebook import Held, Theme, check_theme, held_of, level_of
from mivspool.extras import need
from mivspool.levels import Level

need("A widget", "anywidget", "traitlets", extra="notebook")

import traitlets
from anywidget import AnyWidget

_CSS = f"""
:host {{ display: block; color-scheme: light; --st-font: system-ui, sans-serif; {colours.for_css("light")} }}
:host([data-theme="dark"]) {{ color-scheme: dark; {colours.for_css("dark")} }}
main {{ padding: 0.5rem; background: var(--st-background-color); color: var(--st-text-color);
  font-family: var(--st-font); }}
"""


class Widget(AnyWidget):
    """A canvas in a notebook.

    Traits, read and written: ``step`` (iterations 0 … T, then assignment and pooling: 0 … ``last_step``), ``part`` of
    the iteration (1 … 3 where it is stepped by parts, else 0), ``vertex`` (the index of the selected one, −1 for none),
    ``theme``. What a person does in the notebook arrives when the cursor has rested for a moment:
    ``widget.observe(heard, "vertex")``. Raises TraitError for a step or a vertex that there is not.
    """

    _esm = f"{joined('host/widget.js')}{settings()}export default {{ render: (view) => render(view, SETTINGS) }};\n"
    _style = traitlets.Unicode(f"{_CSS}{style()}").tag(sync=True)
    _held = traitlets.Dict().tag(sync=True)
    step = traitlets.Int(0, min=0).tag(sync=True)
    part = traitlets.Int(0, min=0, max=3).tag(sync=True)
    vertex = traitlets.Int(-1, min=-1).tag(sync=True)
    theme = traitlets.Unicode("auto").tag(sync=True)

    def __init__(
        self, held: Held, *, step: int = 0, part: int = 0, height: int = 380, theme: Theme = "auto"
    ) -> None:
        options = {"layout": "full", "height": height, "labels": "id", "scores": True, "keys": False}
        self._nodes: tuple[str, ...] = tuple(held.trace["ids"])
        self.last_step = int(held.trace["T"]) + 2
        super().__init__(
            _held={"trace": held.trace, "options": options},
            step=step,
            part=part,
            vertex=held.best,
            theme=theme,
        )

    @property
    def node(self) -> str | None:
        """The id of the selected vertex; None where none is selected."""
        return self._nodes[self.vertex] if self.vertex >= 0 else None

    @traitlets.validate("step")
    def _check_step(self, proposal: Any) -> int:
        step: int = proposal["value"]
        if step > self.last_step:
            raise traitlets.TraitError(f"step is 0 … {self.last_step} here, not {step}")
        return step

    @traitlets.validate("vertex")
    def _check_vertex(self, proposal: Any) -> int:
        vertex: int = proposal["value"]
        if vertex >= len(self._nodes):
            raise traitlets.TraitError(f"vertex is −1 … {len(self._nodes) - 1} here, not {vertex}")
        return vertex


def level_widget(
    level: Level, *, step: int = 0, part: int = 0, height: int = 380, theme: Theme = "auto", **shown: Any
) -> Widget:
    """A level of ``mivspool.step`` as a :class:`Widget`; arguments and errors as of ``canvas.notebook.show_level``."""
    check_theme(theme)
    return Widget(held_of(level, **shown), step=step, part=part, height=height, theme=theme)


def trace_widget(trace: meer.Trace, **options: Any) -> Widget:
    """A trace of ``meer.trace`` as a widget, its vertices named by their index; options of :func:`level_widget`."""
    return level_widget(level_of(trace), **options)
