"""Formats that are recognised and not read, by name, each with what to export instead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from mivspool.errors import ReadError
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {"refused": "{name} is {kind}, and that is not read: {advice}"}

_HEAD = 20_000
XYZ = "XYZ, atoms without bonds"
_GRAPHML = "export the network as GraphML, GML or a CSV of edges"
_ATOM = re.compile(r"\s*[A-Za-z]{1,3}\d*(?:\s+[-+]?[\d.]+(?:[eE][-+]?\d+)?){3}(?:\s.*)?")


@dataclass(frozen=True)
class Refused:
    """A format by ``name``; ``advice``: what to export instead; ``begins``: a pattern that a text in it begins with."""

    name: str
    extensions: tuple[str, ...]
    advice: str
    begins: str | None = None

    def sniff(self, text: str) -> bool:
        """Whether the beginning of a text is in this format."""
        if self.name == XYZ:
            return _is_xyz(text)
        return self.begins is not None and re.match(rf"\s*(?:{self.begins})", text, re.IGNORECASE) is not None


def _is_xyz(text: str) -> bool:
    lines = text.split("\n", 4)
    return len(lines) > 2 and lines[0].strip().isdecimal() and _ATOM.fullmatch(lines[2].rstrip()) is not None


REFUSED = (
    Refused("a Cytoscape session", (".cys",), "export the network from Cytoscape as GraphML or Cytoscape.js JSON"),
    Refused("a Gephi project", (".gephi",), "export the graph from Gephi as GEXF or GraphML"),
    Refused("XGMML", (".xgmml",), "export the network from Cytoscape as GraphML or Cytoscape.js JSON"),
    Refused("VNA", (".vna",), "export the network from NetDraw as UCINET DL or Pajek",
            r"\*\s*(?:node data|node properties|tie data)\b"),
    Refused("TLP (Tulip)", (".tlp", ".tlpb"), "export the graph from Tulip as GML or GEXF", r"\(tlp\s"),
    Refused(XYZ, (".xyz",), "convert it to MOL or SDF, which have bonds (obabel x.xyz -O x.sdf)"),
    Refused("RDF", (".rdf", ".ttl", ".nt", ".n3", ".nq", ".owl", ".jsonld"), "write the links as a CSV of edges",
            r"@prefix\s|@base\s|PREFIX\s+\S*:\s*<|<[^<>\s]+>\s+<[^<>\s]+>\s+\S.*\.\s*\n"),
    Refused("Newick, a tree", (".nwk", ".newick", ".tre"), "write the tree as a CSV of edges",
            r"\([^;{}]{1,20000}\)[^;(){}\s]{0,200};\s*\Z"),
    Refused("NEXUS", (".nex", ".nexus"), "write the tree as a CSV of edges", r"#NEXUS\b"),
    Refused("FASTA, sequences", (".fa", ".fasta", ".faa", ".fna"), "give a structure as PDB or mmCIF, or a graph"),
    Refused("InChI", (".inchi",), "convert it to SMILES or MOL", r"InChI=1"),
    Refused("Mermaid", (".mmd", ".mermaid"), "write the diagram as DOT or as a CSV of edges",
            r"(?:flowchart|graph)[ \t]+(?:TD|TB|BT|RL|LR)\b(?!\s*\{)"),
    Refused("PlantUML", (".puml", ".plantuml"), "write the diagram as DOT or as a CSV of edges", r"@start\w+"),
    Refused("LEDA", (".lgr",), "convert it to GML or GraphML", r"LEDA\.GRAPH\b"),
    Refused("TNTP", (".tntp",), "write the links as a CSV of edges", r"<NUMBER OF ZONES>"),
    Refused("LaTeX", (".tex", ".tikz"), _GRAPHML, r"\\(?:documentclass|begin)\b"),
    Refused("draw.io", (".drawio",), "export the diagram's edges as a CSV"),
    Refused("an Office document", (".xls", ".xlsx", ".ods", ".doc", ".docx", ".odt", ".vsdx"),
            "save the table in it as CSV"),
    Refused("GraphSON", (".graphson",), "export the graph from Gremlin as GraphML"),
    Refused("a MATLAB file", (".mat",), "save the matrix as Matrix Market or CSV"),
    Refused("an R object", (".rds", ".rdata", ".rda"), "write the graph with igraph's write_graph as GraphML"),
)  # fmt: skip

_SESSION = {"cysession.xml", "session_cyprops.props.xml"}
ROOTS = {
    "graph": "XGMML", "rdf": "RDF", "gxl": "GXL", "svg": "an SVG picture", "kml": "KML", "gpx": "GPX",
    "osm": "OpenStreetMap", "mxfile": "draw.io", "mxgraphmodel": "draw.io", "sbml": "SBML", "opml": "OPML",
    "map": "a FreeMind map", "dynetml": "DyNetML", "definitions": "BPMN", "html": "a web page",
    "entryset": "PSI-MI", "pathway": "KGML or GPML", "ontology": "OWL",
}  # fmt: skip


JSON_KINDS = {
    "graphson": ("GraphSON", "export the graph from Gremlin as GraphML"),
    "geojson": ("GeoJSON or TopoJSON, which has places and no 'nodes'", _GRAPHML),
    "json-ld": ("JSON-LD", "write the links as a CSV of edges"),
    "graphviz": ("Graphviz's JSON", "give the DOT file itself"),
    "excalidraw": ("an Excalidraw drawing", "write its arrows as a CSV of edges"),
    "notebook": ("a Jupyter notebook", _GRAPHML),
    "cx": ("CX", "export the network from NDEx or Cytoscape as GraphML or Cytoscape.js JSON"),
}  # JSON of other programs: what it is called, and what to export instead


def refuse_content(text: str, name: str) -> None:
    """Raise ReadError where a text begins as a format that is not read."""
    head = text[:_HEAD]
    for format in REFUSED:
        if format.sniff(head):
            raise refusal(format, name)


def refuse_name(name: str) -> None:
    """Raise ReadError where a file's name says that it is in a format that is not read."""
    suffix = PurePosixPath(name.lower()).suffix
    for format in REFUSED:
        if suffix in format.extensions:
            raise refusal(format, name)


def refuse_members(names: list[str], name: str) -> None:
    """Raise ReadError where a zip is a program's own archive."""
    last = {PurePosixPath(member).name for member in names}
    kinds = {
        "a Cytoscape session": name.lower().endswith(".cys")
        or bool({"cysession.xml", "session_cyprops.props.xml"} & last),
        "a Gephi project": name.lower().endswith(".gephi") or "Project_xml" in last,
        "an Office document": "[Content_Types].xml" in names or {"mimetype", "content.xml"} <= set(names),
    }
    for format in REFUSED:
        if kinds.get(format.name):
            raise refusal(format, name)


def refuse_json(document: Any, name: str) -> None:
    """Raise ReadError where a JSON document is in a format that is not read."""
    kind = _json_kind(document)
    if kind is not None:
        title, advice = JSON_KINDS[kind]
        raise ReadError(fill(WORDS["refused"], name=name, kind=title, advice=advice))


def _json_kind(document: Any) -> str | None:
    if isinstance(document, list):
        cx = {"CXVersion", "numberVerification"}
        return "cx" if any(isinstance(item, dict) and cx & set(item) for item in document[:3]) else None
    if not isinstance(document, dict):
        return None
    keys = set(document)
    graphson = ("vertices" in keys and ("mode" in keys or "@type" in keys)) or {"outE", "inE"} & keys
    if graphson or document.get("@type") == "tinker:graph":
        return "graphson"
    kind = document.get("type")
    if kind in ("FeatureCollection", "Topology", "Feature"):
        return "geojson"
    if keys & {"@context", "@graph"}:
        return "json-ld"
    if isinstance(document.get("objects"), list) and "_subgraph_cnt" in keys:
        return "graphviz"
    if kind == "excalidraw":
        return "excalidraw"
    return "notebook" if {"cells", "nbformat"} <= keys else None


def name_of_root(root: str) -> str | None:
    """What an XML file with this root is, where that is known."""
    return ROOTS.get(root)


def refusal(format: Refused, name: str) -> ReadError:
    """The ReadError that names the format."""
    return ReadError(fill(WORDS["refused"], name=name, kind=format.name, advice=format.advice))
