"""``mivspool datasets``: the data sets and classic graphs that can be named as a SOURCE."""

from __future__ import annotations

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``datasets`` takes."""
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(args: argparse.Namespace) -> int:
    """List both registries."""
    from mivspool.cli.output import print_json
    from mivspool.graphs import CLASSICS, DATASETS

    datasets = [
        {
            "name": d.name,
            "title": d.title,
            "about": d.about,
            "graphs": d.graphs,
            "classes": d.classes,
            "origin": d.origin,
        }
        for d in DATASETS.values()
    ]
    classics = [{"name": c.name, "title": c.title, "about": c.about} for c in CLASSICS.values()]
    if args.json:
        print_json({"datasets": datasets, "classics": classics})
        return 0
    print("data sets (name a graph as NAME:INDEX)")
    for source in DATASETS.values():
        print(f"  {source.name:<13}{source.graphs:>5} graphs, {source.classes} classes: {source.about}")
    print("\nclassics (name one by its name)")
    for classic in CLASSICS.values():
        print(f"  {classic.name:<18}{classic.about}")
    return 0
