"""``mivspool tables``: the paper's tables beside what was measured here, and the recommended network's."""

from __future__ import annotations

import argparse

EPILOG = """Table 1 and Table 3 with uniform scores are computed from the data sets (and kept); all else comes from
the runs in results/ (`mivspool evaluate` adds to them). A cell without runs is empty."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``tables`` takes."""
    parser.add_argument(
        "table",
        nargs="?",
        metavar="1|2|3|4|recommended|ablation",
        help="one table (default: the paper's four)",
    )
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON document on standard output")
    for name in ("markdown", "csv", "latex"):
        form.add_argument(f"--{name}", dest="form", action="store_const", const=name, help=f"as {name}")


def run(args: argparse.Namespace) -> int:
    """Print the tables."""
    from mivspool.cli.output import print_json
    from mivspool.errors import InputError
    from mivspool.learning import ablation, recommended_table
    from mivspool.learning.results import read_results
    from mivspool.learning.table_formats import FORMATS, AnyTable
    from mivspool.learning.tables import NUMBERS, make_table

    tables: list[AnyTable]
    if args.table == recommended_table.NAME:
        tables = [recommended_table.recommended_table(read_results())]
    elif args.table == ablation.NAME:
        tables = [ablation.read_ablation()]
    elif args.table is not None and args.table not in map(str, NUMBERS):
        raise InputError(
            f"there is no table {args.table[:20]!r}: choose 1, 2, 3 or 4 (the paper's), "
            f"{recommended_table.NAME} or {ablation.NAME}"
        )
    else:
        chosen = NUMBERS if args.table is None else (int(args.table),)
        runs = read_results(reference_only=True) if set(chosen) - {1} else []
        tables = [make_table(number, runs) for number in chosen]
    if args.json:
        documents = [table.to_json() for table in tables]
        print_json(documents if args.table is None else documents[0])
    else:
        print("\n".join(FORMATS[args.form or "text"](table) for table in tables), end="")
    return 0
