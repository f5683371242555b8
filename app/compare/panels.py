"""The panels of the Compare page: one graph under several reduced ones, all pointing at the same vertex."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any

import streamlit as st

from mivspool import colours
from mivspool.canvas.modules import joined
from mivspool.content.compare import words

_FOLDER = Path(__file__).resolve().parent


@lru_cache(maxsize=1)
def _script() -> str:
    settings = json.dumps({"colours": colours.for_canvas(), "words": words.PANELS}, ensure_ascii=False)
    return (
        f"{joined(_FOLDER / 'panels.js')}\nconst SETTINGS = {settings};\n"
        "export default (component) => mount(component, SETTINGS);\n"
    )


_component: Any = st.components.v2.component(
    "mivspool_panels", html="", css=(_FOLDER / "panels.css").read_text(encoding="utf-8"), js=_script()
)


def legend() -> str:
    """What the marks of the panels mean, as HTML with the colours of the states."""
    survivor, other = colours.COLOURS["survivor"], colours.COLOURS["non_survivor"]
    ring, frame = (f"light-dark({one.light_border}, {one.dark_border})" for one in (survivor, other))
    cross = f"linear-gradient(45deg, transparent 42%, {frame} 42% 58%, transparent 58%)"
    marks = {
        "survivor": ("round", f"background: {survivor.fill}; border-color: {ring}"),
        "merged": ("", f"background: {other.fill}; border-color: {frame}"),
        "dropped": ("", f"background: {cross}; border-color: {frame}"),
        "soft": ("round", f"border-color: {ring}"),
        "goes": ("dashed", ""),
        "edge": ("line", ""),
    }
    return "".join(
        f"<span><i class='{kind}' style='{style}'></i> {escape(words.LEGEND[name])}</span>"
        for name, (kind, style) in marks.items()
    )


def panels(original: dict[str, Any], found: Sequence[dict[str, Any]], vertex: int, key: str) -> int | None:
    """Show the panels (``compared.panel``) over ``original`` (``compared.originals``); the vertex that was chosen.

    ``vertex``: the index that is lit at first, −1 for none.
    """
    result = _component(
        key=key,
        data={"original": original, "panels": list(found), "vertex": vertex},
        on_vertex_change=lambda: None,
    )
    return None if result.vertex is None else int(result.vertex)
