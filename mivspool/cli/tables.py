"""``mivspool tables``: the paper's tables beside what was measured here."""

from __future__ import annotations

import argparse

EPILOG = """Table 1 and Table 3 with uniform scores are computed from the data sets (and kept); all else comes from
the runs in results/ (`mivspool evaluate` adds to them). A cell without runs is empty."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``tables`` takes."""
    parser.add_argument("number", nargs="?", metavar="1|2|3|4", help="one table (default: all)")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON document on standard output")
    for name in ("markdown", "csv", "latex"):
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=f"as {name}")


def run(args: argparse.Namespace) -> int:
    """Print the tables."""
    from mivspool.cli.output import print_json
    from mivspool.errors import InputError
    from mivspool.learning.results import read_results
    from mivspool.learning.table_formats import FORMATS
    from mivspool.learning.tables import NUMBERS, make_table

    if args.number is not None and args.number not in map(str, NUMBERS):
        raise InputError(f"the paper has no table {args.number[:20]!r}: choose 1, 2, 3 or 4")
    chosen = NUMBERS if args.number is None else (int(args.number),)
    runs = read_results(reference_only=True) if set(chosen) - {1} else []
    tables = [make_table(number, runs) for number in chosen]
    if args.json:
        documents = [table.to_json() for table in tables]
        print_json(documents if args.number is None else documents[0])
    else:
        print("\n".join(FORMATS[args.form or "text"](table) for table in tables), end="")
    return 0
