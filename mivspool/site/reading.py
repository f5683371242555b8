"""What a page must know to read a file as Python does (``canvas/js/read``): the readers' sentences and tables."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from mivspool.graphs import mended, simplify
from mivspool.graphs.read import FORMATS, entry, format
from mivspool.graphs.read.formats import (
    cytoscape,
    gml,
    graphml,
    jsonfile,
    jsonlines,
    neo4j,
    nodelink,
    plaindict,
    smiles,
    table,
)
from mivspool.graphs.read.parts import (
    adjacency,
    build,
    cells,
    columns,
    context,
    decode,
    jsongraph,
    rdkitfile,
    refused,
    xmlfile,
)
from mivspool.graphs.read.parts.arrays import PICKLE_ADVICE
from mivspool.settings import Limits
from mivspool.site import strings

_SAY = (
    adjacency, build, cells, columns, context, cytoscape, decode, entry, format, gml, graphml, jsonfile, jsongraph,
    jsonlines, mended, neo4j, nodelink, plaindict, rdkitfile, refused, simplify, smiles, table, xmlfile,
)  # fmt: skip
_LIMITS = ("bytes", "vertices", "edges", "graphs", "depth")


def settings() -> dict[str, Any]:
    """What ``readGraphs`` of ``canvas/js/read/entry.js`` takes."""
    limits = Limits.model_construct()
    return {
        "words": {_name(module): module.WORDS for module in _SAY} | {"page": strings.READING_WORDS},
        "limits": {name: getattr(limits, name) for name in _LIMITS},
        "formats": [
            {
                "name": one.name,
                "title": one.title,
                "extensions": one.extensions,
                "unsure": one.unsure,
                "binary": one.binary,
                "dialect": one.knows is not None,
            }
            for one in FORMATS.values()
        ],
        "refused": [
            {
                "name": one.name,
                "extensions": one.extensions,
                "advice": one.advice,
                "begins": one.begins and one.begins.replace(r"\Z", "$"),
                "xyz": one.name == refused.XYZ,
            }
            for one in refused.REFUSED
        ],
        "roots": refused.ROOTS,
        "json_kinds": refused.JSON_KINDS,
        "pictures": [(mark.decode("latin-1"), kind) for mark, kind in decode.PICTURES],
        "pickle": PICKLE_ADVICE,
        "columns": columns.known(),
    }


def _name(module: ModuleType) -> str:
    return module.__name__.rpartition(".")[2]
