"""DOT, the language of Graphviz: graphs and digraphs, subgraphs, chains, defaults, quoted and HTML ids."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.text import infer, number, shown

_DOT = re.compile(
    r"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/)){0,20000}\*/|\#[^\n]*\n)*(?:strict\s+)?(?:di)?graph\b[^\[{]{0,2000}\{",
    re.IGNORECASE,
)
_HEAD = 100_000


_TOKEN = re.compile(
    r"""(?P<space>\s+|//[^\n]*|/\*(?:[^*]|\*(?!/))*\*/|(?:(?<=\n)|\A)\#[^\n]*)"""
    r"""|(?P<arrow>--|->)|(?P<mark>[{}\[\];,=:+])"""
    r"""|"(?P<quoted>(?:[^"\\]|\\.)*)"|(?P<number>-?(?:\.\d+|\d+(?:\.\d*)?))(?![\w\x80-\uffff])"""
    r"""|(?P<word>[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)""",
    re.DOTALL,
)
_KEYWORDS = {"graph", "digraph", "subgraph", "node", "edge", "strict"}


class Token(NamedTuple):
    """One token: its kind ("id", "word", "mark", "arrow", "end"), its text and its line."""

    kind: str
    text: str
    line: int


def _tokens(text: str, context: Context) -> Iterator[Token]:
    place, line, seen = 0, 1, 0
    while place < len(text):
        if text[place] == "<":
            end = _html_end(text, place)
            if end is None:
                raise ReadError(f"{context.name} has a < that is not closed", line=line)
            yield Token("id", text[place:end], line)
            line += text.count("\n", place, end)
            place = end
            continue
        match = _TOKEN.match(text, place)
        if match is None or match.lastgroup is None:
            raise ReadError(
                f"{context.name} has {shown(text[place : place + 20])} where DOT has no such thing", line=line
            )
        kind, token = match.lastgroup, match[match.lastgroup]
        if kind == "quoted":
            token = token.replace("\\\n", "").replace('\\"', '"')
        if kind != "space":
            yield Token("id" if kind in {"quoted", "number"} else kind, token, line)
        line += match[0].count("\n")
        place = match.end()
        seen += 1
        if seen % 8192 == 0:
            context.check_time()
    yield Token("end", "", line)


def _html_end(text: str, start: int) -> int | None:
    """Just after the > that closes the < at ``start``."""
    depth = 0
    for match in re.compile(r"[<>]").finditer(text, start):
        depth += 1 if match[0] == "<" else -1
        if depth == 0:
            return match.end()
    return None


class Scope:
    """A graph or subgraph being read: its vertices and the defaults that hold in it."""

    def __init__(self, outer: Scope | None = None) -> None:
        self.members: dict[int, None] = {}
        self.node: dict[str, str] = dict(outer.node) if outer else {}
        self.edge: dict[str, str] = dict(outer.edge) if outer else {}


class Parser:
    """One graph of a DOT file."""

    def __init__(self, tokens: Iterator[Token], first: Token, context: Context) -> None:
        self.tokens, self.token, self.context = tokens, first, context

    def advance(self) -> Token:
        """The token that was at hand; the next one is taken up."""
        token = self.token
        self.token = next(self.tokens, Token("end", "", token.line))
        return token

    def fail(self, wanted: str) -> ReadError:
        """The error for a token that cannot stand here."""
        found = "the file ends" if self.token.kind == "end" else f"{shown(self.token.text)} stands"
        return ReadError(f"{self.context.name}: {found} where {wanted} must stand", line=self.token.line)

    def is_word(self, *words: str) -> bool:
        """Whether one of these keywords is at hand."""
        return self.token.kind == "word" and self.token.text.lower() in words

    def is_mark(self, mark: str) -> bool:
        """Whether this mark is at hand."""
        return self.token.kind == "mark" and self.token.text == mark

    def graph(self, default_name: str) -> Graph:
        """``strict? (graph | digraph) ID? { … }``"""
        if self.is_word("strict"):
            self.advance()
        if not self.is_word("graph", "digraph"):
            raise self.fail("'graph' or 'digraph'")
        self.directed = self.advance().text.lower() == "digraph"
        name = self.ident() if self.token.kind in {"id", "word"} else default_name
        self.builder = Builder(self.context, name or default_name, "dot", declared=False)
        if not self.is_mark("{"):
            raise self.fail("{")
        self.body(Scope(), 1)
        return self.builder.finish()

    def ident(self) -> str:
        """An id: a word, a number, a quoted text (joined by +) or HTML."""
        if self.token.kind not in {"id", "word"} or self.is_word(*_KEYWORDS):
            raise self.fail("an id")
        parts = [self.advance().text]
        while self.is_mark("+"):
            self.advance()
            if self.token.kind != "id":
                raise self.fail("a quoted text")
            parts.append(self.advance().text)
        return "".join(parts)

    def body(self, scope: Scope, depth: int) -> None:
        """``{ statement; … }``"""
        if depth > self.context.limits.depth:
            raise LimitError(
                f"{self.context.name} nests subgraphs more than {self.context.limits.depth} deep",
                line=self.token.line,
            )
        self.advance()
        while not self.is_mark("}"):
            if self.token.kind == "end":
                raise self.fail("}")
            if self.is_mark(";") or self.is_mark(","):
                self.advance()
                continue
            self.statement(scope, depth)
        self.advance()

    def statement(self, scope: Scope, depth: int) -> None:
        """Defaults, an attribute of the graph, a vertex or a chain of edges."""
        if self.is_word("graph", "node", "edge"):
            kind = self.advance().text.lower()
            given = self.attributes()
            if kind != "graph":
                (scope.node if kind == "node" else scope.edge).update(given)
            elif depth == 1:
                self.name_graph(given)
            return
        line = self.token.line
        if not self.is_mark("{") and not self.is_word("subgraph"):
            name = self.ident()
            if self.is_mark("="):
                self.advance()
                value = self.ident()
                if depth == 1:
                    self.name_graph({name: value})
                return
            self.port()
            ends = [self.vertex(scope, name, line)]
        else:
            ends = self.subgraph(scope, depth)
        if self.token.kind != "arrow":
            given = self.attributes()
            for i in ends if len(ends) == 1 else []:
                self.describe(i, given)
            return
        self.chain(scope, depth, ends)

    def chain(self, scope: Scope, depth: int, ends: list[int]) -> None:
        """``a -- b -- { c d } [weight=2]``"""
        joined = []
        while self.token.kind == "arrow":
            arrow = self.advance()
            line = self.token.line
            if self.is_mark("{") or self.is_word("subgraph"):
                others = self.subgraph(scope, depth)
            else:
                name = self.ident()
                self.port()
                others = [self.vertex(scope, name, line)]
            directed = self.directed or arrow.text == "->"
            joined += [self.builder.edge(u, v, line, directed=directed) for u in ends for v in others]
            ends = others
        given = scope.edge | self.attributes()
        for k in joined:
            for name, value in given.items():
                self.builder.edge_value(k, name, infer(value))

    def vertex(self, scope: Scope, name: str, line: int) -> int:
        """The vertex of that id; the defaults hold for one that is new."""
        new = name not in self.builder.index
        i = self.builder.mention(name, line)
        scope.members[i] = None
        if new:
            self.describe(i, scope.node)
        return i

    def describe(self, i: int, given: dict[str, str]) -> None:
        """Set attributes of a vertex; ``pos`` is where it stands."""
        for name, value in given.items():
            x, y, *_ = [*(number(part) for part in value.rstrip("!").split(",")[:2]), None, None]
            if name == "pos" and x is not None and y is not None:
                self.builder.position[i] = (x, y)
            else:
                self.builder.node_value(i, name, infer(value))

    def subgraph(self, scope: Scope, depth: int) -> list[int]:
        """``subgraph ID? { … }``: its vertices."""
        if self.is_word("subgraph"):
            self.advance()
            if self.token.kind in {"id", "word"}:
                self.ident()
        if not self.is_mark("{"):
            raise self.fail("{")
        inner = Scope(scope)
        self.body(inner, depth + 1)
        scope.members |= inner.members
        return list(inner.members)

    def port(self) -> None:
        """``:port:compass``, which says nothing of the graph."""
        while self.is_mark(":"):
            self.advance()
            self.ident()

    def attributes(self) -> dict[str, str]:
        """``[a=1, b=2][c=3]``"""
        given = {}
        while self.is_mark("["):
            self.advance()
            while not self.is_mark("]"):
                name = self.ident()
                value = "true"
                if self.is_mark("="):
                    self.advance()
                    value = self.ident()
                given[name] = value
                if self.is_mark(",") or self.is_mark(";"):
                    self.advance()
            self.advance()
        return given

    def name_graph(self, given: dict[str, str]) -> None:
        """A graph's ``class`` is its label; what else a drawing needs is left out."""
        if "class" in given:
            self.builder.label = given["class"]


def read(text: str, context: Context) -> Found:
    """Every graph of a DOT file."""
    tokens = _tokens(text, context)
    parser = Parser(tokens, next(tokens), context)
    graphs: list[Graph] = []
    while parser.token.kind != "end":
        name = context.stem if not graphs else f"{context.stem} {len(graphs) + 1}"
        graphs.append(parser.graph(name))
        if parser.is_mark(";"):
            parser.advance()
    if not graphs:
        raise ReadError(f"{context.name} has no graph: it is empty but for comments")
    return graphs


def looks(text: str) -> bool:
    """Whether the text begins 'graph … {' or 'digraph … {'."""
    return bool(_DOT.match(text[:_HEAD]))


FORMAT = Format(
    name="dot",
    title="DOT (Graphviz)",
    about="The language of Graphviz, which many programs write.",
    extensions=(".dot", ".gv"),
    read=read,
    looks=looks,
    place=60,
    several=True,
    kept="ids, attributes of vertices and edges, weights, positions",
    lost="directions, attributes of the graph and its subgraphs, ports",
)
