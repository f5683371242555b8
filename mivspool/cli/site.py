"""``mivspool site``: the lecture as a static site for any web host."""

from __future__ import annotations

import argparse

from mivspool.messages import count

EPILOG = (
    "The site is plain files with relative links: put the folder on any web host, under any path, or open its\n"
    "index.html from disk. It holds the presets, the classic graphs and some molecules of MAO; name your own graphs\n"
    "after FOLDER. Graphs of a data set belong to its authors: publish them only if they allow it. Tables 1 and 3 are\n"
    "computed from the paper's data sets, which are fetched once; without them they are left out."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``site`` takes."""
    parser.add_argument("folder", metavar="FOLDER", help="where to write; created if missing")
    parser.add_argument(
        "sources",
        metavar="SOURCE",
        nargs="*",
        help="more graphs: a file (FILE#INDEX), a classic graph or DATASET:INDEX",
    )
    parser.add_argument(
        "--address",
        default="",
        help="where the site will be published: links to it then have a picture elsewhere",
    )
    parser.add_argument(
        "--smiles",
        metavar="FILE",
        help="the archive of RDKit's npm package, with which the pages read SMILES",
    )
    parser.add_argument("--overwrite", action="store_true", help="write into a folder that is not empty")


def run(args: argparse.Namespace) -> int:
    """Write the site."""
    from pathlib import Path

    from mivspool.site import smiles, write_site

    written = write_site(
        args.folder, args.sources, overwrite=args.overwrite, address=args.address, rdkit=args.smiles
    )
    for reason in written.missing:
        print(f"left out: {reason}")
    if not args.address:
        print("left out: the picture of link previews, which needs the site's --address")
    if args.smiles is None:
        print(f"left out: SMILES, which needs --smiles FILE (npm pack {smiles.PACKAGE}@{smiles.VERSION})")
    start = Path(args.folder) / "index.html"
    print(f"{count(written.graphs, 'graph')}, {written.size / 1e6:.1f} MB; open {start}")
    return 0
