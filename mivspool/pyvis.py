"""pyvis, wrapped once: a Network whose page asks for nothing outside itself and shows every text as text.

pyvis 0.3.2, the last release, links to Bootstrap on a server in each of its modes, puts headings, DOT and hover texts
into the page as HTML, and looks through all edges for each one that is added.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader

from mivspool.errors import InputError
from mivspool.extras import need

need("a pyvis network", "pyvis")

from pyvis.network import Network as _Network  # noqa: E402 - after the sentence on what to install

SCALE = 100.0
"""Pixels of one unit of a graph's positions, whose y counts upwards and a page's downwards."""
# vis-network writes styles into its elements and has its icons as data
_POLICY = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:"
_HEAD = f"""<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{{{heading or "Network"}}}}</title>"""
_COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
_OUTSIDE = re.compile(
    r"""<link\b[^>]*\bhref\s*=\s*"[^"]*//[^>]*>|<script\b[^>]*\bsrc\s*=\s*"[^"]*//[^>]*>\s*</script>"""
)
_HEADING = re.compile(r"<center>\s*<h1>\{\{heading\}\}</h1>\s*</center>")
_TOOLTIP = re.compile(r"\{% if tooltip_link %\}.*?\{% endif %\}", re.DOTALL)
_MAP = re.compile(r"//# sourceMappingURL=\S+")


# what every object of JavaScript has: vis-network, which looks nodes up in one, drops those that are called so
_PROPERTIES = {
    "__defineGetter__", "__defineSetter__", "__lookupGetter__", "__lookupSetter__", "__proto__", "constructor",
    "hasOwnProperty", "isPrototypeOf", "propertyIsEnumerable", "toLocaleString", "toString", "valueOf",
}  # fmt: skip


def _held(vertex: Any) -> Any:
    """The id of a node on the page: its own, after a mark that is not seen where vis-network would lose it."""
    return f"\u2060{vertex}" if vertex in _PROPERTIES else vertex


class Network(_Network):  # type: ignore[misc]  # pyvis has no types
    """A ``pyvis.network.Network`` to be styled on, shown and saved as any; its page is one file that works offline.

    Texts, such as labels, hover texts and the heading, are text in the page, whatever they hold. Options are those of
    pyvis. Raises InputError for another ``cdn_resources`` than "in_line".
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        if options.setdefault("cdn_resources", "in_line") != "in_line":
            raise InputError('cdn_resources must be "in_line": other pages ask servers for their scripts')
        super().__init__(*args, **options)
        self.graph_label: str | None = None
        """The class of the graph that this is a network of."""
        self.templateEnv = Environment(loader=_Closed(self.template_dir), autoescape=True)
        if options.get("notebook"):
            self.prep_notebook()

    def add(self, nodes: Iterable[Mapping[str, Any]], edges: Iterable[Mapping[str, Any]]) -> None:
        """Add many at once, as vis-network takes them: nodes each with an ``id``, edges with ``from`` and ``to``."""
        for node in map(dict, nodes):
            self.nodes.append(node)
            self.node_ids.append(node["id"])
            self.node_map[node["id"]] = node
        self.edges += map(dict, edges)

    def get_network_data(self) -> tuple[Any, ...]:
        """What the template is filled with: ids that vis-network can hold, options as JSON that cannot end a script."""
        nodes, edges, *rest, options = super().get_network_data()
        nodes = [{**node, "id": _held(node["id"])} for node in nodes]
        edges = [{**edge, "from": _held(edge["from"]), "to": _held(edge["to"])} for edge in edges]
        return (nodes, edges, *rest, options.replace("<", "\\u003c"))

    def from_DOT(self, dot: str) -> None:  # noqa: N802 - the name that pyvis gave it
        """Take the graph of a DOT file instead of the nodes and edges."""
        self.use_DOT = True
        self.dot_lang = " ".join(Path(dot).read_text(encoding="utf-8").splitlines())

    def write_html(
        self, name: str, local: bool = True, notebook: bool = False, open_browser: bool = False
    ) -> None:
        """Write the page, in UTF-8; arguments as of pyvis. ``name`` must end in ".html"."""
        self.html = self.generate_html(name, notebook=notebook)
        Path(name).write_text(self.html, encoding="utf-8", errors="replace")
        if open_browser:
            import webbrowser

            webbrowser.open(Path(name).resolve().as_uri())


class _Closed(FileSystemLoader):
    """pyvis's templates without what asks for files elsewhere and what takes texts for HTML."""

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """The text of a template, its file, and whether that is unchanged."""
        source, path, unchanged = super().get_source(environment, template)
        if template.endswith(".html"):
            source = _TOOLTIP.sub("", _OUTSIDE.sub("", _COMMENT.sub("", source)))
            source = _HEADING.sub("", source, count=1)  # it is there twice
            source = source.replace('"{{dot_lang|safe}}"', "{{dot_lang|tojson}}")
            source = source.replace("<html>", '<!doctype html>\n<html lang="en">', 1)
            source = source.replace('<meta charset="utf-8">', _HEAD, 1)
        return _MAP.sub("", source), path, unchanged


def data_of(network: Network) -> dict[str, Any]:
    """Nodes, edges and options of a network, as vis-network takes them and JSON holds them."""
    nodes, edges, _, _, _, options = network.get_network_data()
    return {"nodes": nodes, "edges": edges, "options": json.loads(options)}


def script() -> str:
    """vis-network, as pyvis brings it: a script that defines ``vis``, or fills ``exports`` where there is one."""
    return _MAP.sub("", _library("vis-network.min.js"))


def style() -> str:
    """The style sheet of vis-network; its images are in it."""
    return _library("vis-network.css")


def _library(name: str) -> str:
    import pyvis.network

    folder = Path(pyvis.network.__file__).parent / "templates" / "lib" / "vis-9.1.2"
    return (folder / name).read_text(encoding="utf-8")
