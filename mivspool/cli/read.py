"""``mivspool read``: what the reader understood of a file, and what it mended."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from mivspool.messages import count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``read`` takes."""
    parser.add_argument(
        "files",
        metavar="FILE",
        nargs="+",
        help="a graph file, or several that belong together: a table of vertices and one of edges",
    )
    parser.add_argument(
        "--as",
        dest="as_",
        metavar="READING",
        help="another reading, as listed by --json, or the name of a format",
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(args: argparse.Namespace) -> int:
    """Print what is in the file."""
    from mivspool.cli.output import print_json
    from mivspool.graphs.read import read_graphs, summary

    source = args.files[0] if len(args.files) == 1 else args.files
    document = summary(read_graphs(source, as_=args.as_))
    if args.json:
        print_json(document)
        return 0
    print(f"{document['format']}, {document['encoding'] or 'binary'}")
    print(document["read_as"])
    for reading in document["readings"]:
        print(f"  --as {reading['as']!r}: {reading['title']}")
    print(f"{count(document['num_graphs'], 'graph')}, {_size(document)}")
    for graph in document["graphs"][:20]:
        label = f", class {graph['label']}" if graph["label"] is not None else ""
        print(f"  {graph['name']}: {_size(graph)}{label}")
    if len(document["graphs"]) > 20:
        print(f"  … and {len(document['graphs']) - 20} more")
    if document["node_attributes"]:
        print(f"vertex attributes: {', '.join(document['node_attributes'])}")
    for sentence in document["repairs"]:
        print(f"repaired: {sentence}")
    return 0


def _size(document: Mapping[str, Any]) -> str:
    return f"{count(document['num_nodes'], 'vertex')}, {count(document['num_edges'], 'edge')}"
