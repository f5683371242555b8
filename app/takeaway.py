"""What is seen, to take along: figures, an animation, and a page that steps without the app and without a network."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

import streamlit as st

from app import picker, pooled, sources, strings
from app.canvas import HERE, joined, settings_json
from app.pooled import Pooling
from app.state import State
from app.strings import fill
from mivspool.errors import MIVSPoolError

MIME = {
    "html": "text/html",
    "png": "image/png",
    "svg": "image/svg+xml",
    "pdf": "application/pdf",
    "tex": "text/x-tex",
    "gif": "image/gif",
}

# the theme that Streamlit gives the canvas in the app
_STYLE = """
:root { color-scheme: light dark; --st-font: system-ui, sans-serif; --st-text-color: #1d1e22;
  --st-background-color: #ffffff; --st-secondary-background-color: #f5f5f6; --st-border-color: #dcdde1;
  --st-primary-color: #4f46c8; }
@media (prefers-color-scheme: dark) { :root { --st-text-color: #e9e9ec; --st-background-color: #17181c;
  --st-secondary-background-color: #212229; --st-border-color: #3a3b43; --st-primary-color: #a29bff; } }
body { margin: 0 auto; padding: 1.2rem; max-width: 1320px; background: var(--st-background-color);
  color: var(--st-text-color); font-family: var(--st-font); }
h1 { font-size: 1.05rem; margin: 0 0 0.8rem; }
"""
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


def standalone(trace: dict[str, Any], title: str, step: int = 0, vertex: int = -1) -> str:
    """A page that holds a trace (``payload.trace_data``) and its canvas, and asks for nothing outside itself."""
    options = {"layout": "full", "height": 520, "labels": "id", "scores": True, "keys": True}
    data = {"trace": trace, "options": options, "start": {"step": step, "vertex": vertex, "n": 1}}
    held = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    style = (HERE / "canvas.css").read_text(encoding="utf-8")
    shown = escape(title)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{shown}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{_STYLE}{style}</style></head><body><h1 dir="auto">{shown}</h1><main></main>'
        f'<script type="application/json" id="held">{held}</script><script>(() => {{\n{joined()}\n'
        f"const SETTINGS = {settings_json()};\n"
        'const data = JSON.parse(document.getElementById("held").textContent);\n'
        'const parentElement = document.querySelector("main");\n'
        "mount({ parentElement, data, setStateValue() {}, setTriggerValue() {} }, SETTINGS);\n"
        "})();</script></body></html>\n"
    )


@st.fragment
def popover(state: State, pooling: Pooling, key: tuple[Any, ...], vertex: int) -> None:
    """Choose what to take along of the level that is seen; it is made when it is chosen."""
    with st.popover(strings.TAKE, icon=":material/download:", key="take", on_change="rerun") as opened:
        if not opened.open:
            return
        form = st.segmented_control(
            strings.TAKE_WHAT,
            list(MIME),
            format_func=lambda name: strings.TAKE_FORMATS[name],
            default="html",
            required=True,
            key="take:form",
        )
        st.caption(strings.TAKE_ABOUT[form])
        title = sources.graph_title(state.graph, pooling.graph)
        try:
            with st.spinner(strings.TAKE_MAKING):
                if form == "html":
                    trace = pooled.trace(pooling, key, state.level)
                    made = standalone(trace, title, state.step, vertex).encode("utf-8", "replace")
                else:
                    made = _figure(pooling, key, state.level, form)
        except MIVSPoolError as error:
            st.error(picker.safe(strings.sentence(error.message)))
            return
        name = re.sub(r"[^\w-]+", "-", title).strip("-")[:60] or "graph"
        st.download_button(
            fill(strings.TAKE_DOWNLOAD, format=strings.TAKE_FORMATS[form]),
            made,
            file_name=f"{name}-level-{state.level}.{form}",
            mime=MIME[form],
            type="primary",
            on_click="ignore",
            key=f"take:download:{form}",
        )


@st.cache_data(max_entries=16, show_spinner=False)
def _figure(_pooling: Pooling, key: tuple[Any, ...], level: int, form: str) -> bytes:
    from mivspool.figures import draw

    return draw(_pooling.levels[level], _pooling.positions[_pooling.origin[level]], form)
