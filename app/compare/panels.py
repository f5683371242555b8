"""The panels of the Compare page: one graph under several reduced ones, all pointing at the same vertex."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import streamlit as st

from mivspool import colours
from mivspool.canvas import style
from mivspool.canvas.modules import joined
from mivspool.content.compare import words


@lru_cache(maxsize=1)
def _script() -> str:
    settings = json.dumps({"colours": colours.for_canvas(), "words": words.PANELS}, ensure_ascii=False)
    return (
        f"{joined('draw/panels.js')}\nconst SETTINGS = {settings};\n"
        "export default (component) => mountPanels(component, SETTINGS);\n"
    )


_component: Any = st.components.v2.component("mivspool_panels", html="", css=style("panels"), js=_script())


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
