"""Which format a text is in: by its content where that is sure, else by its name, else by a guess."""

from __future__ import annotations

import re

from mivspool.graphs.read import molfile, protein, smiles
from mivspool.graphs.read.table import looks_like_smiles_table

_PROLOGUE = re.compile(r"\s*(?:<\?xml[^>]{0,500}\?>|<!--(?:[^-]|-(?!->)){0,20000}-->|\s)*")
_ROOT = re.compile(r"<(?:[\w.-]{1,60}:)?([A-Za-z][\w.-]{0,60})")
_GML = re.compile(r"^[ \t]*graph\s*\[", re.MULTILINE | re.IGNORECASE)
_DOT = re.compile(
    r"(?:\s|//[^\n]*\n|/\*(?:[^*]|\*(?!/)){0,20000}\*/|\#[^\n]*\n)*(?:strict\s+)?(?:di)?graph\b[^\[{]{0,2000}\{",
    re.IGNORECASE,
)
_JSON = re.compile(r"\s*(?:\{|\[\s*(?:[\"\[{\]]|-?\d+(?:\.\d+)?\s*[,\]\s]|\Z))")
_PAJEK = re.compile(r"(?:\s*%[^\n]*\n)*\s*\*\s*(?:vertices|network)", re.IGNORECASE)
_HEAD = 100_000


def xml_root(text: str) -> str | None:
    """The local name of the root element, or None where the text is no XML."""
    start = _PROLOGUE.match(text[:_HEAD])
    root = _ROOT.match(text, start.end() if start else 0)
    return root[1].lower() if root else None


def looks_graphml(text: str) -> bool:
    """Whether the root element is <graphml>."""
    return xml_root(text) == "graphml"


def looks_gexf(text: str) -> bool:
    """Whether the root element is <gexf>."""
    return xml_root(text) == "gexf"


def looks_json(text: str) -> bool:
    """Whether the text begins as a JSON object or list does; [Na+] and [13C] begin a SMILES."""
    return bool(_JSON.match(text[:1000]))


def looks_gml(text: str) -> bool:
    """Whether a line opens 'graph ['."""
    return bool(_GML.search(text[:_HEAD]))


def looks_dot(text: str) -> bool:
    """Whether the text begins 'graph … {' or 'digraph … {'."""
    return bool(_DOT.match(text[:_HEAD]))


def looks_pajek(text: str) -> bool:
    """Whether the first section is *Vertices or *Network."""
    return bool(_PAJEK.match(text[:_HEAD]))


def looks_matrix_market(text: str) -> bool:
    """Whether the text begins with the banner of MatrixMarket."""
    return text.lstrip()[:14].lower() == "%%matrixmarket"


looks_mol = molfile.looks
looks_pdb = protein.looks_pdb
looks_mmcif = protein.looks_mmcif
looks_smiles = smiles.looks


def looks_smiles_table(text: str) -> bool:
    """Whether the heading of a table has a column of SMILES."""
    return looks_like_smiles_table(text[:2000])
