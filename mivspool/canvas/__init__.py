"""The graph canvas: a whole trace in the browser, and a cursor over it. It knows nothing of the app.

``payload.trace_data`` makes what it shows, ``standalone`` a page of it that needs nothing else; the app mounts it in
Streamlit (``app/components/canvas.py``). The scripts in ``js/`` are plain ES modules that import each other;
``modules.joined`` makes one script of them (no build step, no request outside).
"""

from __future__ import annotations

import json
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any, Literal

from mivspool import colours
from mivspool.canvas.modules import joined
from mivspool.canvas.strings import CANVAS
from mivspool.colours import Theme

_HERE = Path(__file__).parent


@lru_cache(maxsize=1)
def script() -> str:
    """The whole canvas as one script; ``mount(component, SETTINGS)`` starts it."""
    return joined() + settings()


@lru_cache(maxsize=1)
def settings() -> str:
    """The strings and colours of the canvas, as SETTINGS of a script."""
    held = json.dumps({"strings": CANVAS, "colours": colours.for_canvas()}, ensure_ascii=False)
    return f"const SETTINGS = {held};\n"


@lru_cache(maxsize=4)
def style(name: str = "canvas") -> str:
    """A style sheet of the canvas: its own, or the gallery's."""
    return (_HERE / f"{name}.css").read_text(encoding="utf-8")


# the theme that Streamlit gives the canvas in the app: the reader's, or the one that <html data-theme> names
_DARK = f"{{ color-scheme: dark; {colours.for_css('dark')} }}"
THEME = f"""
:root {{ color-scheme: light; --st-font: system-ui, sans-serif; {colours.for_css("light")} }}
@media (prefers-color-scheme: dark) {{ :root:not([data-theme="light"]) {_DARK} }}
:root[data-theme="dark"] {_DARK}
"""
_STYLE = """
body { margin: 0 auto; padding: 1.2rem; max-width: 1320px; background: var(--st-background-color);
  color: var(--st-text-color); font-family: var(--st-font); }
h1 { font-size: 1.05rem; margin: 0 0 0.8rem; }
[data-framed] body { box-sizing: border-box; min-height: 100vh; display: flex; flex-direction: column; }
[data-framed] main, [data-framed] .mivspool { flex: 1; display: flex; flex-direction: column; }
[data-framed] .grid { flex: 1; }
"""
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"


def framed(page: str) -> str:
    """A page of ``standalone`` for a frame of one height: a long explanation scrolls beside the graph."""
    return page.replace("<html ", "<html data-framed ", 1)


def standalone(
    trace: dict[str, Any],
    title: str,
    step: int = 0,
    vertex: int = -1,
    *,
    part: int = 0,
    theme: Theme | Literal["auto"] = "auto",
    height: int = 520,
) -> str:
    """A page that holds a trace (``payload.trace_data``) and its canvas, and asks for nothing outside itself.

    ``part``: of the iteration, where it is stepped by parts; ``theme``: light, dark, or the reader's own; ``height`` of
    the graph in pixels.
    """
    options = {"layout": "full", "height": height, "labels": "id", "scores": True, "keys": True}
    data = {
        "trace": trace,
        "options": options,
        "start": {"step": step, "part": part, "vertex": vertex, "n": 1},
    }
    held = json.dumps(data, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
    shown = escape(title)
    return (
        f'<!doctype html>\n<html lang="en" data-theme="{theme}"><head><meta charset="utf-8"><title>{shown}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<style>{THEME}{_STYLE}{style()}</style></head><body><h1 dir="auto">{shown}</h1><main></main>'
        f'<script type="application/json" id="held">{held}</script><script>(() => {{\n{script()}\n'
        'const data = JSON.parse(document.getElementById("held").textContent);\n'
        'const parentElement = document.querySelector("main");\n'
        "const show = () => mount({ parentElement, data, setStateValue() {}, setTriggerValue() {} }, SETTINGS);\n"
        "show();\n"
        # a reader who switches to dark while the page is open
        'matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);\n'
        "})();</script></body></html>\n"
    )
