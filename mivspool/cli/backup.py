"""``mivspool backup FILE``: all that the service keeps, as one file."""

from __future__ import annotations

import argparse

EPILOG = """Jobs, uploads and kept models are in it, from MIVSPOOL_HOME or MIVSPOOL_DATABASE_URL. The backend may run
meanwhile. `mivspool restore FILE` puts them into an empty database, of either kind."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``backup`` takes."""
    parser.add_argument("file", metavar="FILE", help="the file to write; it must not exist yet")


def run(args: argparse.Namespace) -> int:
    """Write the file and say what is in it."""
    from pathlib import Path

    from mivspool.service.backup import backup
    from mivspool.settings import settings

    print(f"{args.file}: {contents(backup(settings(), Path(args.file)))}")
    return 0


def contents(rows: dict[str, int]) -> str:
    """What a backup holds, in words."""
    from mivspool.messages import count

    parts = [
        count(rows["jobs"], "job"),
        count(rows["uploads"], "upload"),
        count(rows["models"], "kept model"),
    ]
    return ", ".join(parts)
