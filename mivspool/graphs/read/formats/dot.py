"""DOT, the language of Graphviz: graphs and digraphs, subgraphs, chains, defaults, quoted and HTML ids."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import accumulate, chain, repeat
from typing import NamedTuple

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.text import infer, number, plain, shown

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

# A whole statement that ends for sure, as most of a large file are: a vertex or one edge, with attributes. What follows
# begins an id or ends the graph; anything else may still belong to the statement and is left to the parser.
_QUOTED = r'[^"\\]*+(?:\\.[^"\\]*+)*+'
_BARE = (
    r"(?!(?i:graph|digraph|subgraph|node|edge|strict)\b)[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*+"
    r"|-?(?:\.\d++|\d++(?:\.\d*+)?)(?![\w\x80-\U0010ffff])"
)
_ID = f'(?:"({_QUOTED})"|({_BARE}))'
_SOME_ID = f'(?:"{_QUOTED}"|{_BARE})'
_GIVEN = re.compile(rf"{_ID}\s*+=\s*+{_ID}", re.DOTALL)
_ENDED = r'[ \t]*+(?:;|\n)\s*+(?=[\w}"\x80-\U0010ffff])'
_STATEMENT = re.compile(
    rf"{_ID}(?:[ \t]*+(--|->)[ \t]*+{_ID})?"
    rf"(?:[ \t]*+\[((?:\s*+{_SOME_ID}\s*+=\s*+{_SOME_ID}\s*+[,;]?)*+\s*+)\])?{_ENDED}",
    re.DOTALL,
)
_TOGETHER = 4096  # statements between two looks at the limits
_VALUES = 65_536  # attributes' values whose type is remembered
_MOST_ALIKE = 12  # attributes of the edges that are read as rows of a table
_PART = 8_192  # characters that are read as rows at once: the rows stay in the processor's cache


class Token(NamedTuple):
    """One token: its kind ("id", "word", "mark", "arrow", "end"), its text and its line."""

    kind: str
    text: str
    line: int


class Tokens:
    """The tokens of a text, one after another; ``start`` is where the last one begins, ``place`` what follows it."""

    def __init__(self, text: str, context: Context) -> None:
        self.text, self.context = text, context
        self.start, self.place, self.line, self.seen = 0, 0, 1, 0

    def next(self) -> Token:
        """The next token. Raises ReadError where there is none of DOT."""
        text = self.text
        while self.place < len(text):
            self.start, line = self.place, self.line
            if text[self.start] == "<":
                return self._html()
            match = _TOKEN.match(text, self.start)
            if match is None or match.lastgroup is None:
                raise ReadError(
                    f"{self.context.name} has {shown(text[self.start : self.start + 20])} where DOT has no such thing",
                    line=line,
                )
            self.place = match.end()
            self.line += text.count("\n", self.start, self.place)
            self.seen += 1
            if self.seen % 8192 == 0:
                self.context.check_time()
            kind = match.lastgroup
            if kind == "quoted":
                return Token("id", _unquoted(match[kind]), line)
            if kind != "space":
                return Token("id" if kind == "number" else kind, match[kind], line)
        return Token("end", "", self.line)

    def _html(self) -> Token:
        line, end = self.line, _html_end(self.text, self.start)
        if end is None:
            raise ReadError(f"{self.context.name} has a < that is not closed", line=line)
        self.place = end
        self.line += self.text.count("\n", self.start, end)
        return Token("id", self.text[self.start : end], line)


def _unquoted(text: str) -> str:
    """What stands between quotation marks, without the marks of its escapes."""
    return text.replace("\\\n", "").replace('\\"', '"') if "\\" in text else text


def _given(listed: str) -> dict[str, str]:
    """The attributes of a list ``a=1, b="2"``."""
    return {n or _unquoted(q): v or _unquoted(w) for q, n, w, v in _GIVEN.findall(listed)}


@lru_cache(256)
def _alike(names: tuple[str, ...]) -> re.Pattern[str]:
    """A whole statement of one edge with just these attributes in this order; else all that is left.

    Groups: the statement, the source, the arrow, the target, and the value of each attribute, quoted as in the file.
    """
    one = f'("{_QUOTED}"|{_BARE})'
    given = r"\s*+[,;]?\s*+".join(
        rf'(?:{re.escape(name)}|"{re.escape(name)}")\s*+=\s*+{one}' for name in names
    )
    edge = rf"{one}[ \t]*+(--|->)[ \t]*+{one}[ \t]*+\[\s*+{given}\s*+[,;]?\s*+\]"
    return re.compile(rf"({edge}{_ENDED})|.+", re.DOTALL)


def _texts(idents: Sequence[str]) -> list[str]:
    """Ids and values as they stand in the file, without their quotation marks."""
    return [_unquoted(ident[1:-1]) if ident[0] == '"' else ident for ident in idents]


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

    def __init__(self, text: str, context: Context) -> None:
        self.tokens, self.context = Tokens(text, context), context
        self.token = self.tokens.next()
        # most values occur again and again
        self.inferred = lru_cache(_VALUES)(lambda text: plain(infer(text)))

    def advance(self) -> Token:
        """The token that was at hand; the next one is taken up."""
        token = self.token
        self.token = self.tokens.next()
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
            elif not self.simple(scope):
                self.statement(scope, depth)
        self.advance()

    def simple(self, scope: Scope) -> bool:
        """Read the statements at hand that are whole and plain, as ``statement`` would; False where there is none."""
        tokens, builder = self.tokens, self.builder
        text, place, line = tokens.text, tokens.start, self.token.line
        index, members, defaults, directed = builder.index.get, scope.members, scope.edge, self.directed
        columns, inferred = builder.edge_columns, self.inferred
        statement = _STATEMENT.match
        match = statement(text, place)
        names: tuple[str, ...] = ()  # of the last edge's attributes
        alike = False
        while match is not None:
            sources: list[int] = []
            targets: list[int] = []
            lines: list[int] = []
            arrows = bytearray()
            first = len(builder.source)
            for _ in range(_TOGETHER):
                quoted, name, arrow, to_quoted, to_name, listed = match.groups()
                name = name or _unquoted(quoted)
                u = index(name)
                if u is None:
                    u = self.vertex(scope, name, line)
                members[u] = None
                if arrow is None:
                    if listed:
                        self.describe(u, _given(listed))
                else:
                    name = to_name or _unquoted(to_quoted)
                    v = index(name)
                    if v is None:
                        v = self.vertex(scope, name, line)
                    members[v] = None
                    if listed or defaults:
                        given = _given(listed) if listed else {}
                        for name, value in (defaults | given if defaults else given).items():
                            column = columns.get(name) or builder.edge_column(name)
                            column.place.append(first + len(lines))
                            column.values.append(inferred(value))
                        alike = not defaults and 0 < len(given) <= _MOST_ALIKE and tuple(given) == names
                        names = tuple(given)
                    sources.append(u)
                    targets.append(v)
                    lines.append(line)
                    arrows.append(directed or arrow == "->")
                end = match.end()
                line += text.count("\n", place, end)
                place = end
                if alike:
                    break
                match = statement(text, place)
                if match is None:
                    break
            builder.edges(sources, targets, lines, arrows)
            if alike:
                place, line = self.alike(scope, names, place, line)
                match, alike = statement(text, place), False
        if place == tokens.start:
            return False
        tokens.place, tokens.line = place, line
        self.advance()
        return True

    def alike(self, scope: Scope, names: tuple[str, ...], place: int, line: int) -> tuple[int, int]:
        """Read the edges that follow with just these attributes, as rows of a table; returns where they end.

        Most edges of a large file are alike, and so a file of them is read in half the time.
        """
        builder, text, index = self.builder, self.tokens.text, self.builder.index.get
        statements = _alike(names).findall
        while True:
            rows = statements(text, place, place + _PART)
            if rows and not rows[-1][0]:  # what is left of this part of the text
                rows.pop()
            if not rows:
                return place, line
            whole, *columns = zip(*rows, strict=True)
            start, place = place, place + sum(map(len, whole))
            lines = list(accumulate(map(str.count, whole, repeat("\n")), initial=line))
            line = lines.pop()
            bare = text.find('"', start, place) < 0
            sources, arrows, targets, *values = columns if bare else map(_texts, columns)
            ends = list(chain.from_iterable(zip(sources, targets, strict=True)))
            known = list(map(index, ends))
            found = [
                self.vertex(scope, name, lines[k // 2]) if i is None else i
                for k, (i, name) in enumerate(zip(known, ends, strict=True))
            ]
            scope.members.update(dict.fromkeys(found))
            first = len(builder.source)
            for name, column in zip(names, values, strict=True):
                builder.edge_column(name).extend(
                    range(first, first + len(rows)), list(map(self.inferred, column))
                )
            directed = bytearray(b"\1") * len(rows) if self.directed else bytearray(map("->".__eq__, arrows))
            builder.edges(found[::2], found[1::2], lines, directed)

    def statement(self, scope: Scope, depth: int) -> None:
        """Defaults, an attribute of the graph, a vertex or a chain of edges."""
        if self.is_word("graph", "node", "edge"):
            kind = self.advance().text.lower()
            given = self.attributes()
            if kind == "graph":
                self.name_graph(given, depth)
            else:
                (scope.node if kind == "node" else scope.edge).update(given)
            return
        line = self.token.line
        if not self.is_mark("{") and not self.is_word("subgraph"):
            name = self.ident()
            if self.is_mark("="):
                self.advance()
                value = self.ident()
                self.name_graph({name: value}, depth)
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
            place = _place(value) if name == "pos" else None
            if place is None:
                self.builder.node_value(i, name, infer(value))
            else:
                self.builder.position[i] = place

    def subgraph(self, scope: Scope, depth: int) -> list[int]:
        """``subgraph ID? { … }``: its vertices."""
        if self.is_word("subgraph"):
            self.advance()
            if self.token.kind in {"id", "word"}:
                self.ident()
                self.builder.say("took subgraphs as part of the graph around them")
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
            self.builder.leave_out("port")

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

    def name_graph(self, given: dict[str, str], depth: int) -> None:
        """A graph's ``class`` is its label; its other attributes and those of subgraphs are left out, and named."""
        for name, value in given.items():
            if name == "class" and depth == 1:
                self.builder.label = value
            else:
                self.builder.leave_out(name)


def _place(text: str) -> tuple[float, float] | None:
    """Where a vertex stands by its ``pos``: "1.5,2" or "1.5,2!"."""
    x, y, *_ = [*(number(part) for part in text.rstrip("!").split(",")[:2]), None, None]
    return None if x is None or y is None else (x, y)


def read(text: str, context: Context) -> Found:
    """Every graph of a DOT file."""
    parser = Parser(text, context)
    graphs: list[Graph] = []
    while parser.token.kind != "end":
        name = context.stem if not graphs else f"{context.stem} {len(graphs) + 1}"
        graphs.append(parser.graph(name))
        if parser.is_mark(";"):
            parser.advance()
    if not graphs:
        raise ReadError(f"{context.name} has no graph: it is empty but for comments")
    return graphs


def sniff(text: str) -> bool:
    """Whether the text begins 'graph … {' or 'digraph … {'."""
    return bool(_DOT.match(text[:_HEAD]))


FORMAT = Format(
    name="dot",
    title="DOT (Graphviz)",
    about="The language of Graphviz, which many programs write.",
    extensions=(".dot", ".gv"),
    read=read,
    sniff=sniff,
    place=60,
    several=True,
    kept="ids, attributes of vertices and edges, weights, positions",
    lost="directions; attributes of the graph and its subgraphs, the subgraphs, ports (in the repairs)",
)
