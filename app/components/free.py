"""Free layout: a pyvis network on the page, to be pulled apart; where its vertices stand can be asked for.

vis-network comes in an element of its own, which no step changes: it is half a megabyte, and Streamlit sends the
scripts of an element whenever its data are other ones.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app.server.streamlit_internals import told
from mivspool import colours
from mivspool.canvas.modules import joined
from mivspool.graphs.convert import STORED

_HERE = Path(__file__).resolve()
_IMAGE = re.compile(
    r"background-image:\s*url\([^)]*\);?"
)  # of buttons that are not shown: most of the style sheet


@lru_cache(maxsize=1)
def _components() -> tuple[Any, Any]:
    """What brings vis-network, and what draws with it; made when used, since importing pyvis takes a second."""
    from mivspool.pyvis import script, style

    own = joined(_HERE.with_suffix(".js"))
    brings = st.components.v2.component(
        "mivspool_vis",
        html="",
        js=f"const exports = {{}}, module = {{ exports }};\n{script()}\n{own}\nexport default () => load(exports);\n",
    )
    draws = st.components.v2.component(
        "mivspool_free",
        html="",
        js=f"{own}\nexport default mountFree;\n",
        css=_IMAGE.sub("", style()) + _HERE.with_suffix(".css").read_text(encoding="utf-8"),
    )
    return brings, draws


def free_layout(network: Any, *, key: str, strings: dict[str, str], on_layout: Callable[[], None]) -> None:
    """Show a network (``canvas.network``) with its forces on.

    ``strings``: the words of its buttons. ``on_layout`` runs when a person wants its layout to be used (``layout_of``).
    """
    from mivspool.pyvis import data_of

    brings, draws = _components()
    data = data_of(network)
    for thing in (*data["nodes"], *data["edges"]):
        thing.pop(STORED, None)
    with st.container(key="free-vis"):  # takes no place: style.css
        brings(key=f"{key}:vis")
    draws(
        key=key,
        data={
            "network": data,
            "drawing": drawing_of(network),
            "strings": strings,
            "colours": colours.for_canvas(),
        },
        on_layout_change=on_layout,
    )


def layout_of(key: str, network: Any) -> NDArray[np.float64] | None:
    """float64 [n, 2], y upwards: where the vertices stand, for use in a callback; None if those of another network."""
    from mivspool.pyvis import SCALE

    reported = told(key, "layout") or {}
    try:
        places = np.asarray(reported.get("places"), dtype=np.float64).reshape(network.num_nodes(), 2)
    except (TypeError, ValueError):
        return None
    if reported.get("drawing") != drawing_of(network) or not np.isfinite(places).all():
        return None
    return places / (SCALE, -SCALE)


def drawing_of(network: Any) -> str:
    """What says which vertices and edges a network has, however they look and wherever they stand."""
    edges = [sorted((edge["from"], edge["to"])) for edge in network.edges]
    text = json.dumps([network.node_ids, edges])
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]
