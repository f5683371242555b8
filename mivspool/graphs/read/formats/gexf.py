"""GEXF 1.1 to 1.3: typed attributes, positions, nested vertices, edges of any direction."""

from __future__ import annotations

from dataclasses import dataclass

from mivspool.errors import ReadError
from mivspool.graphs.graph import Graph
from mivspool.graphs.read.format import Format
from mivspool.graphs.read.parts.build import Builder
from mivspool.graphs.read.parts.context import Context, Found
from mivspool.graphs.read.parts.xmlfile import Elements, parse, xml_root
from mivspool.graphs.text import number, shown

_FRAMES = {"gexf", "meta", "nodes", "edges", "attvalues"}  # elements that only hold others
_OF_NODES = frozenset({"id", "label"})
_OF_EDGES = frozenset({"id", "source", "target", "type", "weight", "label"})


@dataclass
class Attribute:
    """A declared attribute of vertices or edges."""

    title: str
    type: str
    default: str | None = None


class GEXF(Elements):
    """The elements of a GEXF file; ``graphs`` collects what was read."""

    root = "gexf"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self.builder: Builder | None = None
        self.graphs: list[Graph] = []
        self.directed = False
        self.attributes: dict[str, dict[str, Attribute]] = {"node": {}, "edge": {}}
        self.domain = "node"
        self.declaring: Attribute | None = None
        self.owner: list[tuple[str, int]] = []
        self.meta: dict[str, str] = {}
        self.unused: dict[str, None] = {}

    def end_description(self, text: str) -> None:
        """Our own files keep the graph's class here."""
        self.meta["description"] = text

    def end_title(self, text: str) -> None:
        """Our own files keep the graph's name here."""
        self.meta["title"] = text

    def unknown(self, name: str) -> None:
        """Name what is left out: colours, sizes, shapes, times, the file's author."""
        if name not in _FRAMES:
            self.unused[name] = None

    def _unread(self, given: dict[str, str], known: frozenset[str]) -> None:
        self.unused.update(dict.fromkeys(name for name in given if name not in known))

    def start_graph(self, given: dict[str, str]) -> None:
        """Begin the graph."""
        if self.builder is not None:
            raise ReadError(f"{self.context.name} has a graph within a graph", line=self.line)
        self.directed = given.get("defaultedgetype", "undirected").lower() == "directed"
        name = self.meta.get("title") or self.context.stem
        self.builder = Builder(self.context, name, "gexf", declared=True)
        if given.get("mode", "static").lower() == "dynamic":
            self.builder.say("took a graph that changes in time as one with everything it ever had")

    def end_graph(self, _: str) -> None:
        """Finish it."""
        builder = self._builder()
        label = self.meta.get("description", "")
        if label.startswith("class: "):
            builder.label = label.removeprefix("class: ")
        elif label:
            self.unused["description"] = None
        self._defaults(builder)
        for name in self.unused:
            builder.leave_out(name)
        self.graphs.append(builder.finish())
        self.builder = None

    def start_attributes(self, given: dict[str, str]) -> None:
        """Declarations for vertices or for edges."""
        self.domain = "edge" if given.get("class", "node").lower() == "edge" else "node"

    def start_attribute(self, given: dict[str, str]) -> None:
        """Declare one attribute."""
        ident = given.get("id", "")
        self.declaring = Attribute(given.get("title") or ident, given.get("type", "string").lower())
        self.attributes[self.domain][ident] = self.declaring

    def end_attribute(self, _: str) -> None:
        """Leave the declaration."""
        self.declaring = None

    def end_default(self, text: str) -> None:
        """The value of those that have none of their own."""
        if self.declaring is not None:
            self.declaring.default = text

    def start_node(self, given: dict[str, str]) -> None:
        """List a vertex; its label is an attribute."""
        builder = self._builder()
        i = builder.node(self._need(given, "id", "a vertex"), self.line)
        if "label" in given and given["label"] != given["id"]:
            builder.node_value(i, "label", given["label"])
        self._unread(given, _OF_NODES)
        self.owner.append(("node", i))

    def end_node(self, _: str) -> None:
        """Leave it."""
        self.owner.pop()

    def start_position(self, given: dict[str, str]) -> None:
        """Where a vertex stands."""
        x, y = number(given.get("x")), number(given.get("y"))
        if self.owner and self.owner[-1][0] == "node" and x is not None and y is not None:
            self._builder().position[self.owner[-1][1]] = (x, y)

    def start_edge(self, given: dict[str, str]) -> None:
        """List an edge."""
        builder = self._builder()
        u = builder.mention(self._need(given, "source", "an edge"), self.line)
        v = builder.mention(self._need(given, "target", "an edge"), self.line)
        kind = given.get("type", "").lower()
        directed = kind == "directed" or (not kind and self.directed)
        k = builder.edge(u, v, self.line, directed=directed)
        if "weight" in given:
            builder.edge_value(k, "weight", given["weight"])
        if "label" in given:
            builder.edge_value(k, "label", given["label"])
        self._unread(given, _OF_EDGES)
        self.owner.append(("edge", k))

    def end_edge(self, _: str) -> None:
        """Leave it."""
        self.owner.pop()

    def start_attvalue(self, given: dict[str, str]) -> None:
        """Set an attribute."""
        if not self.owner or "value" not in given:
            return
        builder = self._builder()
        kind, place = self.owner[-1]
        ident = given.get("for", given.get("id", ""))
        attribute = self.attributes[kind].get(ident)
        if attribute is None:
            builder.say(f"kept the attribute {shown(ident)} as text: the file does not declare it")
            attribute = self.attributes[kind][ident] = Attribute(ident, "string")
        value = builder.typed(attribute.title, attribute.type, given["value"], self.line)
        if kind == "node":
            builder.node_value(place, attribute.title, value)
        else:
            builder.edge_value(place, attribute.title, value)

    def _defaults(self, builder: Builder) -> None:
        weight = builder.edge_columns.get("weight")
        if weight is not None:  # 1 where it is left out, by the format
            have = set(weight.place)
            for k in range(len(builder.source)):
                if k not in have:
                    builder.edge_value(k, "weight", 1)
        for attribute in list(self.attributes["node"].values()):
            if attribute.default is not None:
                column = builder.node_columns.get(attribute.title)
                have = set(column.place) if column else set()
                value = builder.typed(attribute.title, attribute.type, attribute.default, None)
                for i in range(len(builder.ids)):
                    if i not in have:
                        builder.node_value(i, attribute.title, value)

    def _builder(self) -> Builder:
        if self.builder is None:
            raise ReadError(f"{self.context.name} has a vertex or edge outside of <graph>", line=self.line)
        return self.builder

    def _need(self, given: dict[str, str], name: str, what: str) -> str:
        if name not in given:
            raise ReadError(f"{self.context.name} has {what} without {name!r}: add it", line=self.line)
        return given[name]


def read(text: str, context: Context) -> Found:
    """The graph of a GEXF file."""
    handler = GEXF(context)
    parse(text, handler)
    if not handler.graphs:
        raise ReadError(f"{context.name} is GEXF without a <graph>: it has no vertices")
    return handler.graphs


def sniff(text: str) -> bool:
    """Whether the root element is <gexf>."""
    return xml_root(text) == "gexf"


FORMAT = Format(
    name="gexf",
    title="GEXF (Gephi)",
    about="XML that Gephi and networkx write.",
    extensions=(".gexf",),
    read=read,
    sniff=sniff,
    place=20,
    kept="ids, labels, attributes, weights, positions",
    lost="directions, ids of edges, colours and sizes, times, hierarchy (in the repairs)",
)
