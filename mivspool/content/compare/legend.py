"""What the marks of the panels mean."""

from __future__ import annotations

from html import escape

from mivspool import colours
from mivspool.content.compare import words

_SHAPES = {"survivor": "round", "soft": "round", "goes": "dashed", "edge": "line"}


def legend() -> str:
    """What the marks of the panels mean, as HTML; :func:`style` colours them."""
    return "".join(
        f"<span><i class='{f'{_SHAPES[name]} ' if name in _SHAPES else ''}{name}'></i> {escape(text)}</span>"
        for name, text in words.LEGEND.items()
    )


def style() -> str:
    """The colours of the states, in both themes."""
    survivor, other = colours.COLOURS["survivor"], colours.COLOURS["non_survivor"]
    ring, frame = (f"light-dark({one.light_border}, {one.dark_border})" for one in (survivor, other))
    cross = f"linear-gradient(45deg, transparent 42%, {frame} 42% 58%, transparent 58%)"
    marks = {
        "survivor": f"background: {survivor.fill}; border-color: {ring}",
        "merged": f"background: {other.fill}; border-color: {frame}",
        "dropped": f"background: {cross}; border-color: {frame}",
        "soft": f"border-color: {ring}",
    }
    return "".join(f".legend .{name} {{ {look} }}\n" for name, look in marks.items())
