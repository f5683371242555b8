"""``mivspool convert``: a graph, written in another format."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``convert`` takes."""
    parser.add_argument(
        "source", metavar="SOURCE", help="a file (FILE#INDEX), a classic graph, DATASET:INDEX or preset:NAME"
    )
    parser.add_argument("-o", "--output", help="the file to write (default: standard output)")
    parser.add_argument(
        "--to",
        metavar="FORMAT",
        help="graphml, node-link, gexf, gml, csv or one that another package adds (default: by the output's extension)",
    )


def run(args: argparse.Namespace) -> int:
    """Write the graph; what was mended when it was read goes to standard error."""
    from mivspool.errors import InputError
    from mivspool.graphs import open_source
    from mivspool.graphs.export import WRITERS, write_graph

    form = args.to
    if form is None:
        file = Path(args.output or "").name.lower()
        fitting = [name for name, writer in WRITERS.items() if file.endswith(writer.extension)]
        form = max(fitting, key=lambda name: len(WRITERS[name].extension), default=None)
    if form is None:
        raise InputError(f"say what to write with --to FORMAT: one of {', '.join(WRITERS)}")
    graph = open_source(args.source)
    data = write_graph(graph, form).encode("utf-8", "replace")
    if args.output is None:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)
    else:
        try:
            Path(args.output).write_bytes(data)
        except OSError as error:
            raise InputError(f"{args.output} cannot be written: {error.strerror}") from error
        print(f"{args.output}: {graph.name} as {WRITERS[form].title}")
    for sentence in graph.repairs:
        print(f"repaired: {sentence}", file=sys.stderr)
    return 0
