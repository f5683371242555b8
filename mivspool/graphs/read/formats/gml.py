"""GML: bracketed keys and values, with the liberties that writers take."""

from __future__ import annotations

import html.entities
import re
from collections.abc import Iterator
from typing import Any

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import number, shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "mark": "{name} has a quotation mark that is not closed",
    "closed": "{name} has a ] too many or a key without a value",
    "no_key": "{name} has {token} where a key must stand",
    "depth": "{name} nests brackets more than {n:,} deep",
    "open": "{name} has a [ that is not closed: it was cut off",
    "no_graph": "{name} has no 'graph [ … ]': it is not GML",
    "no_id": "{name} has a vertex without an id: add 'id' and a number",
    "no_ends": "{name} has an edge without source or target",
    "by_ids": "called the vertices by their ids: their labels do not tell them apart",
}

_GML = re.compile(r"^[ \t]*graph\s*\[", re.MULTILINE | re.IGNORECASE)
_HEAD = 100_000

_TOKEN = re.compile(
    r"""[\s,;]*(?:(?P<comment>\#[^\n]*)|(?P<open>\[)|(?P<close>\])|"(?P<string>[^"]*)"|(?P<word>[^\s\[\]"]+))"""
)
_ENTITY = re.compile(r"&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,30}));")
_INTEGER = re.compile(r"[-+]?\d{1,400}", re.ASCII)
_SPELLED = re.compile(r"U0(?:[0-9a-f]{6})*")
_TAKEN = {"id", "label", "source", "target", "weight", "graphics"}
_CHECK_EVERY = 8192

Pairs = list[tuple[str, Any, int]]  # key, value (text, number, truth value or Pairs), line


def entities(text: str) -> str:
    """``&#233;``, ``&amp;`` and the like as the characters they stand for."""

    def character(match: re.Match[str]) -> str:
        if match[3]:
            return html.entities.html5.get(match[3] + ";", match[0])
        code = int(match[1]) if match[1] else int(match[2], 16)
        return chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else match[0]

    return _ENTITY.sub(character, text) if "&" in text else text


def key_of(name: str) -> str:
    """The key under which our exports write an attribute: GML's keys are plain words, and some are taken.

    ``label`` becomes ``ownlabel``; a name that is no plain word is spelled out, six hexadecimal digits a character.
    """
    lower = name.lower()
    if lower in _TAKEN:
        return f"own{name}"
    plain = name.isascii() and name.isalnum() and name[:1].isalpha()
    if plain and not name.startswith("U0") and not (lower.startswith("own") and lower[3:] in _TAKEN):
        return name
    return "U0" + "".join(f"{ord(c):06x}" for c in name)


def name_of(key: str) -> str:
    """The attribute that ``key_of`` made this key of; other programs' keys stay as they are."""
    if key.lower().startswith("own") and key[3:].lower() in _TAKEN:
        return key[3:]
    if not _SPELLED.fullmatch(key):
        return key
    codes = [int(key[k : k + 6], 16) for k in range(2, len(key), 6)]
    return "".join(map(chr, codes)) if max(codes, default=0) <= 0x10FFFF else key


def _word(text: str) -> Any:
    """A bare word: whole number, decimal, truth value or text."""
    if _INTEGER.fullmatch(text):
        return int(text)
    value = number(text)
    if value is not None:
        return value
    lower = text.lower()
    if lower in {"true", "false"}:
        return lower == "true"
    return None if lower == "nan" else text


def _tokens(text: str, context: Context) -> Iterator[tuple[str, str, int]]:
    """Kind, text and line of each token."""
    place, line, seen = 0, 1, 0
    end = len(text.rstrip())
    while place < end:
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            line += text.count("\n", place, end) if '"' not in text[place : place + 1] else 0
            raise ReadError(fill(WORDS["mark"], name=context.name), line=line)
        start = match.start(match.lastgroup)
        line += text.count("\n", place, start)
        if match.lastgroup != "comment":
            yield match.lastgroup, match[match.lastgroup], line
        line += text.count("\n", start, match.end())
        place = match.end()
        seen += 1
        if seen % _CHECK_EVERY == 0:
            context.check_time()


def parse(text: str, context: Context) -> Pairs:
    """The whole file as nested key–value pairs."""
    top: Pairs = []
    stack = [top]
    key: str | None = None
    opened: list[int] = []
    for kind, token, line in _tokens(text, context):
        if kind == "close":
            if key is not None or len(stack) == 1:
                raise ReadError(fill(WORDS["closed"], name=context.name), line=line)
            stack.pop()
            opened.pop()
        elif key is None:
            if kind != "word":
                raise ReadError(fill(WORDS["no_key"], name=context.name, token=shown(token)), line=line)
            key = token
        elif kind == "open":
            if len(stack) >= context.limits.depth:
                said = fill(WORDS["depth"], name=context.name, n=context.limits.depth)
                raise LimitError(said, line=line)
            inner: Pairs = []
            stack[-1].append((key, inner, line))
            stack.append(inner)
            opened.append(line)
            key = None
        else:
            stack[-1].append((key, entities(token) if kind == "string" else _word(token), line))
            key = None
    if len(stack) > 1:
        raise ReadError(fill(WORDS["open"], name=context.name), line=opened[-1])
    return top


def _first(pairs: Pairs, name: str) -> Any:
    return next((value for key, value, _ in pairs if key.lower() == name), None)


def _flat(pairs: Pairs, most: int = 100) -> Any:
    """A nested list as plain data, for an attribute that is kept as text."""
    return {key: _flat(value) if isinstance(value, list) else value for key, value, _ in pairs[:most]}


def read(text: str, context: Context) -> Found:
    """Every ``graph [ … ]`` of a GML file."""
    top = parse(text, context)
    graphs = [value for key, value, _ in top if key.lower() == "graph" and isinstance(value, list)]
    if not graphs:
        raise ReadError(fill(WORDS["no_graph"], name=context.name))
    return [_graph(pairs, context, k) for k, pairs in enumerate(graphs)]


def _graph(pairs: Pairs, context: Context, number_in_file: int) -> Graph:
    name = _first(pairs, "name")
    stem = context.stem if number_in_file == 0 else f"{context.stem} {number_in_file + 1}"
    builder = Builder(
        context, str(name) if isinstance(name, (str, int)) and name != "" else stem, "gml", declared=True
    )
    label = _first(pairs, "label")
    builder.label = str(label) if isinstance(label, (str, int)) else None
    nodes = [(value, line) for key, value, line in pairs if key.lower() == "node" and isinstance(value, list)]
    labels = _labels(nodes, builder)
    for (node, line), text in zip(nodes, labels, strict=True):
        ident = _first(node, "id")
        if ident is None or isinstance(ident, list):
            raise ReadError(fill(WORDS["no_id"], name=context.name), line=line)
        i = builder.node(str(ident), line, text)
        _place(builder, i, node)
        for written, value, _ in node:
            key = name_of(written)
            if written.lower() in {"id", "graphics"} or (written.lower() == "label" and text is not None):
                continue
            builder.node_value(i, key, _flat(value) if isinstance(value, list) else value)
    directed = _first(pairs, "directed") in (1, "1", "true")
    for key, edge, line in pairs:
        if key.lower() != "edge" or not isinstance(edge, list):
            continue
        source, target = _first(edge, "source"), _first(edge, "target")
        if source is None or target is None or isinstance(source, list) or isinstance(target, list):
            raise ReadError(fill(WORDS["no_ends"], name=context.name), line=line)
        k = builder.edge(
            builder.mention(str(source), line), builder.mention(str(target), line), line, directed=directed
        )
        for written, value, _ in edge:
            if written.lower() not in {"source", "target", "graphics"}:
                builder.edge_value(k, name_of(written), _flat(value) if isinstance(value, list) else value)
    return builder.finish()


def _labels(nodes: list[tuple[Pairs, int]], builder: Builder) -> list[str | None]:
    """What each vertex is called: its label where labels tell vertices apart, else its id."""
    given = [_first(node, "label") for node, _ in nodes]
    texts = [str(label) if isinstance(label, (str, int, float)) and label != "" else None for label in given]
    idents = [str(_first(node, "id")) for node, _ in nodes]
    called = [text or ident for text, ident in zip(texts, idents, strict=True)]
    if len(set(called)) < len(set(idents)):
        builder.say(WORDS["by_ids"])
        return [None] * len(nodes)
    return texts


def _place(builder: Builder, i: int, node: Pairs) -> None:
    graphics = _first(node, "graphics")
    if isinstance(graphics, list):
        x, y = number(_first(graphics, "x")), number(_first(graphics, "y"))
        if x is not None and y is not None:
            builder.position[i] = (x, y)


def sniff(text: str) -> bool:
    """Whether a line opens 'graph ['."""
    return bool(_GML.search(text[:_HEAD]))


FORMAT = Format(
    name="gml",
    title="GML",
    about="The format of M. E. J. Newman's network data, of yEd, igraph and networkx.",
    extensions=(".gml",),
    read=read,
    sniff=sniff,
    place=70,
    several=True,
    kept="labels as ids where they tell the vertices apart, attributes, weights, positions",
    lost="directions",
)
