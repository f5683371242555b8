"""``mivspool bench``: speed against other libraries, side by side (the repository's ``benchmarks/``)."""

from __future__ import annotations

import argparse
from pathlib import Path
from types import ModuleType
from typing import Any


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``bench`` takes."""
    parser.add_argument(
        "name", metavar="NAME", nargs="?", help="a benchmark, or all; without it, the list is printed"
    )
    parser.add_argument(
        "--cpu-time", action="store_true", help="measure CPU time instead of wall time (for a shared machine)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")
    parser.add_argument(
        "--write", type=Path, metavar="FOLDER", help="keep each benchmark's document as FOLDER/NAME.json"
    )


def run(args: argparse.Namespace) -> int:
    """Run one benchmark, or all of them, and print the rows."""
    import importlib
    import sys

    from mivspool.cli.output import print_json
    from mivspool.errors import InputError, MIVSPoolError

    names: dict[str, str] = _benchmarks().BENCHMARKS
    if args.name is None:
        if args.json:
            print_json(names)
        else:
            print("\n".join(f"{name:<14} {about}" for name, about in names.items()))
        return 0
    if args.name != "all" and args.name not in names:
        raise InputError(f"there is no benchmark {args.name!r}; there are: {', '.join(names)}, all")
    made = []
    for name in names if args.name == "all" else [args.name]:
        if args.name == "all":
            print(f"{name}: {names[name]}", file=sys.stderr)
        try:
            document = (_alone if args.name == "all" else measure)(name, args.cpu_time)
        except MIVSPoolError as error:
            # a data set that is not at hand stops its own benchmark only
            if args.name != "all":
                raise
            print(f"  not measured: {error}", file=sys.stderr)
            continue
        made.append(document)
        if args.write is not None:
            importlib.import_module("benchmarks.harness").keep(document, args.write)
        if not args.json:
            describe(document)
    if args.json:
        print_json(made if args.name == "all" else made[0])
    return 0


def measure(name: str, cpu_time: bool) -> dict[str, Any]:
    """The document of one benchmark."""
    import importlib

    _benchmarks()
    module, harness = (importlib.import_module(f"benchmarks.{part}") for part in (name, "harness"))
    command = f"mivspool bench {name}{' --cpu-time' if cpu_time else ''}"
    document: dict[str, Any] = harness.measured(lambda: module.run(cpu_time=cpu_time), command)
    return document


def _alone(name: str, cpu_time: bool) -> dict[str, Any]:
    """The same from a process of its own: a benchmark sets threads and malloc as it needs them."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
        return process.submit(measure, name, cpu_time).result()


def describe(document: dict[str, Any]) -> None:
    """The rows, for a person."""
    about = document["machine"]
    print(f"{document['name']}: {', '.join(f'{key} {value}' for key, value in about.items())}")
    for row in document["rows"]:
        line = f"  {row['what']}: {_number(row.get('ours_ms'), ' ms')}"
        if row.get("peer_ms") is not None:
            line += f"; {row['peer']} {_number(row['peer_ms'], ' ms')}; {_number(row['ratio'], ' times')}"
        if row.get("equal") is not None:
            line += "; equal" if row["equal"] else "; NOT EQUAL"
        print(line + (f"; {row['note']}" if row.get("note") else ""))
    for peer in document.get("missing", ()):
        print(f"  not measured: {peer}")


def _number(value: float | None, unit: str) -> str:
    return "–" if value is None else f"{value:.3g}{unit}" if value < 100 else f"{value:,.0f}{unit}"


def _benchmarks() -> ModuleType:
    """The package ``benchmarks`` of the repository that this code runs from."""
    import importlib
    import sys

    from mivspool.errors import InputError
    from mivspool.places import checkout

    root = checkout()
    if root is None or not (root / "benchmarks" / "harness.py").exists():
        raise InputError(
            "the benchmarks are in MIVSPool's repository, not in the installed package: "
            "run `mivspool bench` from a clone that is installed with `pip install -e .`"
        )
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    return importlib.import_module("benchmarks")
