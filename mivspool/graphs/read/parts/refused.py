"""Formats that are recognised and not read, by name, each with what to export instead."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from mivspool.errors import ReadError

_HEAD = 20_000
_GRAPHML = "export the network as GraphML, GML or a CSV of edges"
_ATOM = re.compile(r"\s*[A-Za-z]{1,3}\d*(?:\s+[-+]?[\d.]+(?:[eE][-+]?\d+)?){3}(?:\s.*)?")


@dataclass(frozen=True)
class Refused:
    """A format by ``name``; ``sniff``: whether the beginning of a text is in it; ``advice``: what to export instead."""

    name: str
    extensions: tuple[str, ...]
    advice: str
    sniff: Callable[[str], bool] | None = None


def _begins(pattern: str) -> Callable[[str], bool]:
    compiled = re.compile(rf"\s*(?:{pattern})", re.IGNORECASE)
    return lambda text: compiled.match(text) is not None


def _is_xyz(text: str) -> bool:
    lines = text.split("\n", 4)
    return len(lines) > 2 and lines[0].strip().isdecimal() and _ATOM.fullmatch(lines[2].rstrip()) is not None


REFUSED = (
    Refused("a Cytoscape session", (".cys",), "export the network from Cytoscape as GraphML or Cytoscape.js JSON"),
    Refused("a Gephi project", (".gephi",), "export the graph from Gephi as GEXF or GraphML"),
    Refused("XGMML", (".xgmml",), "export the network from Cytoscape as GraphML or Cytoscape.js JSON"),
    Refused("VNA", (".vna",), "export the network from NetDraw as UCINET DL or Pajek",
            _begins(r"\*\s*(?:node data|node properties|tie data)\b")),
    Refused("TLP (Tulip)", (".tlp", ".tlpb"), "export the graph from Tulip as GML or GEXF", _begins(r"\(tlp\s")),
    Refused("XYZ, atoms without bonds", (".xyz",), "convert it to MOL or SDF, which have bonds (obabel x.xyz -O x.sdf)",
            _is_xyz),
    Refused("RDF", (".rdf", ".ttl", ".nt", ".n3", ".nq", ".owl", ".jsonld"), "write the links as a CSV of edges",
            _begins(r"@prefix\s|@base\s|PREFIX\s+\S*:\s*<|<[^<>\s]+>\s+<[^<>\s]+>\s+\S.*\.\s*\n")),
    Refused("Newick, a tree", (".nwk", ".newick", ".tre"), "write the tree as a CSV of edges",
            _begins(r"\([^;{}]{1,20000}\)[^;(){}\s]{0,200};\s*\Z")),
    Refused("NEXUS", (".nex", ".nexus"), "write the tree as a CSV of edges", _begins(r"#NEXUS\b")),
    Refused("FASTA, sequences", (".fa", ".fasta", ".faa", ".fna"), "give a structure as PDB or mmCIF, or a graph"),
    Refused("InChI", (".inchi",), "convert it to SMILES or MOL", _begins(r"InChI=1")),
    Refused("Mermaid", (".mmd", ".mermaid"), "write the diagram as DOT or as a CSV of edges",
            _begins(r"(?:flowchart|graph)[ \t]+(?:TD|TB|BT|RL|LR)\b(?!\s*\{)")),
    Refused("PlantUML", (".puml", ".plantuml"), "write the diagram as DOT or as a CSV of edges", _begins(r"@start\w+")),
    Refused("LEDA", (".lgr",), "convert it to GML or GraphML", _begins(r"LEDA\.GRAPH\b")),
    Refused("TNTP", (".tntp",), "write the links as a CSV of edges", _begins(r"<NUMBER OF ZONES>")),
    Refused("LaTeX", (".tex", ".tikz"), _GRAPHML, _begins(r"\\(?:documentclass|begin)\b")),
    Refused("draw.io", (".drawio",), "export the diagram's edges as a CSV"),
    Refused("an Office document", (".xls", ".xlsx", ".ods", ".doc", ".docx", ".odt", ".vsdx"),
            "save the table in it as CSV"),
    Refused("GraphSON", (".graphson",), "export the graph from Gremlin as GraphML"),
    Refused("a MATLAB file", (".mat",), "save the matrix as Matrix Market or CSV"),
    Refused("an R object", (".rds", ".rdata", ".rda"), "write the graph with igraph's write_graph as GraphML"),
)  # fmt: skip

_SESSION = {"cysession.xml", "session_cyprops.props.xml"}
_ROOTS = {
    "graph": "XGMML", "rdf": "RDF", "gxl": "GXL", "svg": "an SVG picture", "kml": "KML", "gpx": "GPX",
    "osm": "OpenStreetMap", "mxfile": "draw.io", "mxgraphmodel": "draw.io", "sbml": "SBML", "opml": "OPML",
    "map": "a FreeMind map", "dynetml": "DyNetML", "definitions": "BPMN", "html": "a web page",
    "entryset": "PSI-MI", "pathway": "KGML or GPML", "ontology": "OWL",
}  # fmt: skip


def refuse_content(text: str, name: str) -> None:
    """Raise ReadError where a text begins as a format that is not read."""
    head = text[:_HEAD]
    for format in REFUSED:
        if format.sniff is not None and format.sniff(head):
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
    kind, advice = None, _GRAPHML
    if isinstance(document, dict):
        keys = set(document)
        if ("vertices" in keys and ("mode" in keys or "@type" in keys)) or document.get("@type") == "tinker:graph" or {
            "outE", "inE"
        } & keys:  # fmt: skip
            kind, advice = "GraphSON", "export the graph from Gremlin as GraphML"
        elif document.get("type") in {"FeatureCollection", "Topology", "Feature"}:
            kind = "GeoJSON or TopoJSON, which has places and no 'nodes'"
        elif "@context" in keys or "@graph" in keys:
            kind, advice = "JSON-LD", "write the links as a CSV of edges"
        elif isinstance(document.get("objects"), list) and "_subgraph_cnt" in keys:
            kind, advice = "Graphviz's JSON", "give the DOT file itself"
        elif document.get("type") == "excalidraw":
            kind, advice = "an Excalidraw drawing", "write its arrows as a CSV of edges"
        elif "cells" in keys and "nbformat" in keys:
            kind = "a Jupyter notebook"
    elif isinstance(document, list) and any(
        isinstance(item, dict) and {"CXVersion", "numberVerification"} & set(item) for item in document[:3]
    ):
        kind, advice = "CX", "export the network from NDEx or Cytoscape as GraphML or Cytoscape.js JSON"
    if kind is not None:
        raise ReadError(f"{name} is {kind}, and that is not read: {advice}")


def name_of_root(root: str) -> str | None:
    """What an XML file with this root is, where that is known."""
    return _ROOTS.get(root)


def refusal(format: Refused, name: str) -> ReadError:
    """The ReadError that names the format."""
    return ReadError(f"{name} is {format.name}, and that is not read: {format.advice}")
