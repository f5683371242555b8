"""``mivspool restore FILE``: a backup, put into an empty database."""

from __future__ import annotations

import argparse

from mivspool.cli.backup import contents

EPILOG = """The database is that of MIVSPOOL_HOME or MIVSPOOL_DATABASE_URL. Jobs that were running when the backup was
made go on from their last checkpoint."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``restore`` takes."""
    parser.add_argument("file", metavar="FILE", help="a file that `mivspool backup` wrote")


def run(args: argparse.Namespace) -> int:
    """Restore it and say what there is now."""
    from pathlib import Path

    from mivspool.service.backup import restore
    from mivspool.settings import settings

    print(f"restored: {contents(restore(settings(), Path(args.file)))}")
    return 0
