"""A chapter's text as HTML, and its formulas as LaTeX or MathML."""

from __future__ import annotations

import re
from html import escape

_WORD = re.compile(r"\[([^\]]+)\]\(light:([^)]+)\)")


def markup(text: str) -> str:
    """A paragraph of ours as HTML: **strong**, *emphasis*, and words that light vertices.

    ``own:NAME`` is a place where the graph writes what the formula of that name says of the selected vertex.
    """
    if text.startswith("own:"):
        return f"<span class='own' data-own='{escape(text[4:], quote=True)}'></span>"
    html = escape(text, quote=True)
    html = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html)
    html = re.sub(r"\*(.+?)\*", r"<em>\1</em>", html)
    return _WORD.sub(r"<span class='light' tabindex='0' data-light='\2'>\1</span>", html)


def formulas(paragraph: str) -> list[str]:
    """The LaTeX of a paragraph that is formulas, one a line (a column is narrow); none of a paragraph of words."""
    if not paragraph.startswith("$$"):
        return []
    return [formula.strip() for formula in paragraph.strip("$").split(r"\qquad")]


def mathml(formula: str) -> str:
    """A formula of ours as MathML, which browsers set without a script or a font from elsewhere."""
    from latex2mathml.converter import convert

    made: str = convert(formula, display="block")
    return made
