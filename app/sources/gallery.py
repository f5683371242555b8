"""Small pictures of a collection's graphs, to choose one by eye."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any

import streamlit as st

from app import sources
from app.server.streamlit_internals import told
from app.sources import Place, words
from mivspool import colours
from mivspool.canvas import style
from mivspool.canvas.modules import joined
from mivspool.canvas.payload import short
from mivspool.canvas.sample import too_large
from mivspool.errors import MIVSPoolError
from mivspool.graphs.classes import class_of
from mivspool.messages import fill

PER_PAGE = 24


@lru_cache(maxsize=1)
def _script() -> str:
    settings = json.dumps({"colours": colours.for_canvas()})
    return (
        f"{joined('draw/gallery.js')}\nconst SETTINGS = {settings};\n"
        "export default (component) => mountGallery(component, SETTINGS);\n"
    )


_component = st.components.v2.component("mivspool_gallery", js=_script(), css=style("gallery"), html="")


def gallery(source: str, where: Place, on_picked: Callable[[str], None]) -> None:
    """Show the collection of the graph called ``source``; ``on_picked`` gets the name of a graph that is picked."""
    pages = -(-where.count // PER_PAGE)
    page = where.index // PER_PAGE
    if pages > 1:
        page = (
            st.number_input(
                fill(words.GALLERY_PAGE, pages=pages), 1, pages, page + 1, key=f"gallery:page:{source}"
            )
            - 1
        )
    own = source if where.collection in {sources.FILE, "random"} else ""
    items = _items(where.collection, own, page, where.count)
    key = f"gallery:{where.collection}:{page}"
    _component(
        key=key,
        data={"items": items, "chosen": where.index},
        on_picked_change=lambda: on_picked(sources.named(where, int(told(key, "picked")), source)),
    )


@st.cache_resource(max_entries=16, show_spinner=words.GALLERY_DRAWING)
def _items(collection: str, source: str, page: int, count: int) -> list[dict[str, Any]]:
    where = Place(collection, 0, count)
    return [
        _item(sources.named(where, index, source), index)
        for index in range(page * PER_PAGE, min(count, (page + 1) * PER_PAGE))
    ]


def _item(name: str, index: int) -> dict[str, Any]:
    try:
        graph = sources.load(name)
    except MIVSPoolError as error:
        return {"index": index, "title": name, "about": error.message, "x": [], "y": [], "edges": []}
    about = fill(words.GALLERY_SIZE, n=graph.num_nodes, m=graph.num_edges)
    label = "" if graph.label is None else f" · {class_of(graph)}"
    title = sources.graph_title(name, graph)
    if too_large(graph.num_nodes, graph.num_edges):
        return {"index": index, "title": title, "about": f"{about}{label}", "x": [], "y": [], "edges": []}
    drawn = sources.positions(name, graph)
    return {
        "index": index,
        "title": title,
        "about": f"{about}{label}",
        "x": short(drawn[:, 0]),
        "y": short(-drawn[:, 1]),
        "edges": graph.edges.T.ravel().tolist(),
    }
