"""``mivspool datasets``: the data sets and the graphs with names of their own that can be named as a SOURCE."""

from __future__ import annotations

import argparse

from mivspool.messages import count


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``datasets`` takes."""
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(args: argparse.Namespace) -> int:
    """List every collection."""
    from mivspool.cli.output import print_json
    from mivspool.graphs.collection import COLLECTIONS
    from mivspool.graphs.datasets import DATASETS

    datasets = [
        {
            "name": d.name,
            "title": d.title,
            "about": d.about,
            "graphs": d.graphs,
            "classes": d.classes,
            "class_names": dict(d.class_names),
            "class_source": d.class_source,
            "origin": d.origin,
        }
        for d in DATASETS.values()
    ]
    named = {
        one.name: [
            {"name": source, "title": one.title_of(source), "about": one.about_of(source)}
            for source in map(one.source, range(len(one)))
        ]
        for one in COLLECTIONS.values()
        if one.named
    }
    if args.json:
        print_json({"datasets": datasets, **named})
        return 0
    print("data sets (name a graph as NAME:INDEX)")
    for source in DATASETS.values():
        size = f"{count(source.graphs, 'graph'):>12}, {count(source.classes, 'class')}"
        print(f"  {source.name:<13}{size}: {source.about}")
    for name, graphs in named.items():
        print(f"\n{COLLECTIONS[name].title.lower()} (name one by its name)")
        for graph in graphs:
            print(f"  {graph['name']:<26}{graph['about']}")
    return 0
