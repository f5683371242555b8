"""A chapter's text as HTML, and its formulas as MathML whose symbols light vertices as the words do."""

from __future__ import annotations

import re
from html import escape
from xml.etree import ElementTree

from mivspool.extras import need

_MATHML = "http://www.w3.org/1998/Math/MathML"
_SYMBOL = re.compile(r"\\light\{([a-z-]+)\}")
_OPERATORS = {"\N{REVERSE SOLIDUS OPERATOR}": "\N{SET MINUS}", "⟺": "⟺", ":": ":"}
_HIGHLIGHT = "light "  # a colour that no colour is called: what the converter makes of it is found again
_WORD = re.compile(r"\[([^\]]+)\]\(light:([^)]+)\)")
_ONE = ("vertex:", "rival")  # words for one vertex: pressed, they select it


def markup(text: str) -> str:
    """A paragraph of ours as HTML: **strong**, *emphasis*, `code`, and words that light vertices.

    ``own:NAME`` is a place where the graph writes what the formula of that name says of the selected vertex.
    """
    if text.startswith("own:"):
        return f"<span class='own' data-own='{escape(text[4:], quote=True)}'></span>"
    html = escape(text, quote=True)
    html = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", html)
    html = re.sub(r"\*(.+?)\*", r"<em>\1</em>", html)
    html = re.sub(r"`(.+?)`", r"<code>\1</code>", html)
    return _WORD.sub(_word, html)


def plain(text: str) -> str:
    """A paragraph of ours without its marks: for where nothing is set in italics and nothing lights up."""
    return _WORD.sub(r"\1", text).replace("*", "")


def _word(found: re.Match[str]) -> str:
    words, what = found.groups()
    pressed = " role='button' data-choose='1'" if what.startswith(_ONE) else ""
    return f"<span class='light' tabindex='0' data-light='{what}'{pressed}>{words}</span>"


def formulas(paragraph: str) -> list[str]:
    """The LaTeX of a paragraph that is formulas, one per line (a column is narrow); none of a paragraph of words."""
    if not paragraph.startswith("$$"):
        return []
    return [formula.strip() for formula in paragraph.strip("$").split(r"\qquad")]


def mathml(formula: str) -> str:
    r"""A formula of ours as MathML, which browsers set without a script or a font from elsewhere.

    ``\light{WHAT}{symbol}`` becomes an element that lights vertices, as ``[words](light:WHAT)`` does in a text.
    """
    need("a formula", "latex2mathml")
    from defusedxml.ElementTree import fromstring
    from latex2mathml.converter import convert

    ElementTree.register_namespace("", _MATHML)
    math = fromstring(convert(_SYMBOL.sub(rf"\\textcolor{{{_HIGHLIGHT}\1}}", formula), display="block"))
    for part in math.iter(f"{{{_MATHML}}}mi"):  # what the converter takes for a letter, or few fonts have
        if part.text in _OPERATORS:
            part.tag, part.text = f"{{{_MATHML}}}mo", _OPERATORS[part.text]
    reached: set[tuple[str, str]] = set()
    for part in math.iter(f"{{{_MATHML}}}mstyle"):
        colour = part.attrib.pop("mathcolor", "")
        if not colour.startswith(_HIGHLIGHT):
            raise ValueError(f"a formula of ours has no colours: {formula}")
        what = colour.removeprefix(_HIGHLIGHT)
        part.tag = f"{{{_MATHML}}}mrow"
        part.attrib.update({"class": "light", "data-light": what})
        # one stop of the Tab key a symbol, however often it stands there
        symbol = (what, "".join(part.itertext()))
        if symbol not in reached:
            part.attrib["tabindex"] = "0"
        reached.add(symbol)
    return ElementTree.tostring(math, encoding="unicode")
