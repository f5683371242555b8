"""Text in XML: quoted, and escaped where XML has no way to hold it; then the root element says so."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import quoteattr

from mivspool.graphs.graph import Graph
from mivspool.graphs.read.parts.xmlfile import ESCAPE, ESCAPE_ATTRIBUTE, escape, needs_escape
from mivspool.graphs.write.parts.common import text


class XmlText:
    """How the texts of one graph are written."""

    def __init__(self, graph: Graph) -> None:
        texts: list[Any] = [graph.name, graph.label, *graph.nodes]
        for attributes in (graph.node_attributes, graph.edge_attributes):
            for name, values in attributes.items():
                texts += [name, *values]
        self.escaped = any(isinstance(one, str) and needs_escape(one) for one in texts)

    @property
    def mark(self) -> str:
        """The attribute of the root element where there are escapes."""
        return f' {ESCAPE_ATTRIBUTE}="{ESCAPE}"' if self.escaped else ""

    def quote(self, value: Any) -> str:
        """A value as an attribute, with its quotation marks."""
        written = text(value)
        written = escape(written) if self.escaped else written
        return quoteattr(written, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})

    def content(self, value: Any) -> str:
        """A value as the text of an element."""
        return self.quote(value)[1:-1].replace('"', "&quot;")
