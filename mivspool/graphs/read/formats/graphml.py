"""GraphML: keys with or without types, several graphs, nested graphs, ports and hyperedges."""

from __future__ import annotations

from dataclasses import dataclass

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.xmlfile import Elements, parse, xml_root
from mivspool.graphs.text import boolean, number, shown
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "nested": "took a graph nested in a vertex as part of the graph around it",
    "hyperedge": "took a hyperedge as an edge between each two of its vertices",
    "undeclared": "kept the attribute {attribute} as text: the file does not declare it",
    "outside": "{name} has a vertex or edge outside of <graph>",
    "lacks": "{name} has {what} without {attribute}: add it",
    "vertex": "a vertex",
    "edge": "an edge",
    "endpoint": "an endpoint",
    "no_graph": "{name} is GraphML without a <graph>: it has no vertices",
}


@dataclass
class Key:
    """A declared attribute: its name and how to read its values."""

    name: str
    type: str | None
    default: str | None = None
    domain: str = "all"


class GraphML(Elements):
    """The elements of a GraphML file; ``graphs`` collects what was read."""

    root = "graphml"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.keys: dict[str, Key] = {}
        self.key: Key | None = None
        self.graphs: list[Graph] = []
        self.stack: list[Builder] = []
        self.directed: list[bool] = []
        self.owner: list[
            tuple[str, int]
        ] = []  # what a <data> belongs to: ("node", 3), ("edge", 0), ("graph", 0)
        self.data: str | None = None
        self.ends: list[str] = []

    def start_key(self, given: dict[str, str]) -> None:
        """Declare an attribute; one without a type is inferred, one without a name is called by its id."""
        ident = given.get("id", "")
        name = given.get("attr.name") or given.get("yfiles.type") or ident
        self.key = Key(name, given.get("attr.type"), domain=given.get("for", "all"))
        self.keys[ident] = self.key

    def end_default(self, text: str) -> None:
        """The value of those that have none of their own."""
        if self.key is not None and "key" in self.path:
            self.key.default = text

    def start_graph(self, given: dict[str, str]) -> None:
        """Begin a graph; one nested in a vertex is part of the graph around it."""
        default = given.get("edgedefault", "undirected").strip().lower()
        self.directed.append(default == "directed")
        if self.stack:
            self.stack[-1].say(WORDS["nested"])
            self.stack.append(self.stack[-1])
        else:
            name = given.get("id") or self.context.stem
            self.stack.append(Builder(self.context, name, "graphml", declared=True))
        self.owner.append(("graph", 0))

    def end_graph(self, _: str) -> None:
        """Finish a graph that is not nested."""
        builder = self.stack.pop()
        self.directed.pop()
        self.owner.pop()
        if not self.stack:
            self._defaults(builder)
            self.graphs.append(builder.finish())

    def start_node(self, given: dict[str, str]) -> None:
        """List a vertex."""
        self.owner.append(("node", self._builder().node(self._need(given, "id", "vertex"), self.line)))

    def end_node(self, _: str) -> None:
        """Leave it."""
        self.owner.pop()

    def start_edge(self, given: dict[str, str]) -> None:
        """List an edge."""
        builder = self._builder()
        u = builder.mention(self._need(given, "source", "edge"), self.line)
        v = builder.mention(self._need(given, "target", "edge"), self.line)
        own = boolean(given.get("directed", ""))
        directed = self.directed[-1] if own is None else own
        self.owner.append(("edge", builder.edge(u, v, self.line, directed=directed)))

    def end_edge(self, _: str) -> None:
        """Leave it."""
        self.owner.pop()

    def start_hyperedge(self, _: dict[str, str]) -> None:
        """A hyperedge joins any number of vertices."""
        self._builder()
        self.ends = []
        self.owner.append(("hyperedge", 0))

    def start_endpoint(self, given: dict[str, str]) -> None:
        """One vertex of a hyperedge."""
        self.ends.append(self._need(given, "node", "endpoint"))

    def end_hyperedge(self, _: str) -> None:
        """Join the vertices of a hyperedge in pairs."""
        self.owner.pop()
        builder = self._builder()
        members = [builder.mention(end, self.line) for end in self.ends]
        for i, u in enumerate(members):
            for v in members[:i]:
                builder.edge(u, v, self.line)
        builder.say(WORDS["hyperedge"])

    def start_data(self, given: dict[str, str]) -> None:
        """Begin the value of an attribute."""
        self.data = given.get("key", "")

    def end_data(self, text: str) -> None:
        """Set the value of an attribute."""
        if self.data is None or not self.owner or self.path[-1] not in {"node", "edge", "graph"}:
            return
        builder = self._builder()
        kind, place = self.owner[-1]
        key = self.keys.get(self.data)
        if key is None:
            builder.say(fill(WORDS["undeclared"], attribute=shown(self.data)))
            key = self.keys[self.data] = Key(self.data, "string")
        self.data = None
        if key.type is None and not text.strip():
            return  # the elements of a drawing program stood here
        value = builder.typed(key.name, key.type, text, self.line)
        if kind == "node":
            builder.node_value(place, key.name, value)
        elif kind == "edge":
            builder.edge_value(place, key.name, value)
        elif key.name == "label":
            builder.label = str(value)
        elif key.name == "name":
            builder.name = str(value)
        else:
            builder.leave_out(key.name)

    def start_geometry(self, given: dict[str, str]) -> None:
        """Where yEd has put a vertex."""
        x, y = number(given.get("x")), number(given.get("y"))
        if x is not None and y is not None and self.owner and self.owner[-1][0] == "node":
            self._builder().position[self.owner[-1][1]] = (x, y)

    def unknown(self, name: str) -> None:
        """Name what is left out: of a drawing (<data> with <ShapeNode>, <PolyLineEdge>, …) its uppermost elements."""
        drawing = "data" in self.path
        if drawing:
            within = self.path[len(self.path) - 1 - self.path[::-1].index("data") + 1 :]
            framed = within[0].endswith(("node", "edge"))  # what draws a vertex or an edge
            if len(within) != 1 + framed:
                return
        if self.stack and (drawing or name in {"port", "desc", "locator"}):
            self.stack[-1].leave_out(name)

    def end_edgelabel(self, text: str) -> None:
        """What yEd has written on an edge."""
        if text.strip() and self.owner and self.owner[-1][0] == "edge":
            self._builder().edge_value(self.owner[-1][1], "label", text.strip())

    def end_nodelabel(self, text: str) -> None:
        """What yEd has written on a vertex."""
        if text.strip() and self.owner and self.owner[-1][0] == "node":
            self._builder().node_value(self.owner[-1][1], "label", text.strip())

    def _defaults(self, builder: Builder) -> None:
        """Give a key's default to those without a value of their own."""
        for key in list(self.keys.values()):
            if key.default is None:
                continue
            value = builder.typed(key.name, key.type, key.default, None)
            if key.domain in {"node", "all"}:
                have = (
                    set(builder.node_columns[key.name].place) if key.name in builder.node_columns else set()
                )
                for i in range(len(builder.ids)):
                    if i not in have:
                        builder.node_value(i, key.name, value)
            if key.domain in {"edge", "all"}:
                have = (
                    set(builder.edge_columns[key.name].place) if key.name in builder.edge_columns else set()
                )
                for k in range(len(builder.source)):
                    if k not in have:
                        builder.edge_value(k, key.name, value)

    def _builder(self) -> Builder:
        if not self.stack:
            raise ReadError(fill(WORDS["outside"], name=self.context.name), line=self.line)
        return self.stack[-1]

    def _need(self, given: dict[str, str], name: str, what: str) -> str:
        if name not in given:
            said = fill(WORDS["lacks"], name=self.context.name, what=WORDS[what], attribute=repr(name))
            raise ReadError(said, line=self.line)
        return given[name]


def read(text: str, context: Context) -> Found:
    """Every graph of a GraphML file."""
    handler = GraphML(context)
    parse(text, handler)
    if not handler.graphs:
        raise ReadError(fill(WORDS["no_graph"], name=context.name))
    return handler.graphs


def sniff(text: str) -> bool:
    """Whether the root element is <graphml>."""
    return xml_root(text) == "graphml"


FORMAT = Format(
    name="graphml",
    title="GraphML",
    about="XML that Gephi, yEd, Cytoscape, igraph and networkx write.",
    extensions=(".graphml",),
    read=read,
    sniff=sniff,
    place=10,
    several=True,
    kept="ids, attributes by their types, weights, positions and labels of yEd, several graphs",
    lost="directions, ids of edges, drawings of yEd; nested graphs, hyperedges but for their pairs (in the repairs)",
)
