"""``mivspool classify``: the class of graphs, by a model of this machine or of a backend elsewhere."""

from __future__ import annotations

import argparse
import contextlib
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from mivspool.messages import count

if TYPE_CHECKING:
    from mivspool.graphs.graph import Graph
    from mivspool.learning.models import Model, ModelInfo
    from mivspool.service.client import Client
    from mivspool.service.schemas import ModelDocument

Classify = Callable[["list[Graph]", "dict[str, str] | None", bool], "list[dict[str, Any]]"]

_TOGETHER = 64  # graphs per request

EPILOG = """A SOURCE may hold many graphs: a folder, a zip, an SDF, a CSV of SMILES, a whole data set.
Those that cannot be read or classified are listed with the reason, and the exit status is then 1. So are those that
lie outside the model's domain, as a graph of friends does for a model of molecules, unless --anyway is given.
Probabilities are calibrated where the model's calibration was measured; --json has the network's own beside them."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``classify`` takes."""
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="SOURCE",
        help="a file or folder, a classic graph, DATASET:INDEX or a data set",
    )
    parser.add_argument(
        "--model",
        help="a name listed by `mivspool models`, or a folder (default: the best model of the graphs' data set)",
    )
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="NEEDED=ATTRIBUTE",
        help="which attribute of the graphs provides what the model needs, as in label=atom",
    )
    parser.add_argument(
        "--anyway", action="store_true", help="classify graphs outside the model's domain all the same"
    )
    parser.add_argument("--json", action="store_true", help="one JSON document on standard output")


def run(args: argparse.Namespace) -> int:
    """Print class and probabilities of every graph."""
    from mivspool.errors import InputError, MIVSPoolError

    mapping = dict(pair.partition("=")[::2] for pair in args.map)
    if not all(mapping.values()) or "" in mapping:
        raise InputError("--map takes NEEDED=ATTRIBUTE, as in label=atom")
    named = list(_open(args.sources))
    if not any(not isinstance(item, MIVSPoolError) for _, item in named):
        raise named[0][1] if named else InputError("there is no graph in what was given")
    with _classifier(args.model, args.sources) as (model, classify):
        answers = _answers(named, lambda graphs: classify(graphs, mapping or None, args.json))
        return _print_json(answers, args.anyway) if args.json else _print(answers, model, args.anyway)


@contextlib.contextmanager
def _classifier(model: str | None, sources: Sequence[str]) -> Iterator[tuple[str, Classify]]:
    """The model's name, and what classifies by it: the library; the backend, for its own models and if one is named."""
    from mivspool.learning.models import folder_at, kept_shelf, list_models, load_model, model_folder
    from mivspool.settings import settings

    shelved = model_folder(model) if model else None
    kept = shelved is not None and shelved.parent == kept_shelf()
    if (settings().backend_url is None and not kept) or (model and folder_at(model)):
        name = model or _own_model(list_models(kept=False), sources)
        yield name, partial(_here, load_model(name))
        return
    from mivspool.service.client import Client

    with Client(run_jobs=False) as client:
        name = model or _own_model(client.models(), sources)
        yield name, partial(_there, client, name)


def _here(
    model: Model, graphs: list[Graph], mapping: dict[str, str] | None, levels: bool
) -> list[dict[str, Any]]:
    from mivspool.errors import ModelError

    return [
        {"error": found.message} if isinstance(found, ModelError) else found.to_json(levels=levels)
        for found in model.classify_each(graphs, mapping)
    ]


def _there(
    client: Client, model: str, graphs: list[Graph], mapping: dict[str, str] | None, levels: bool
) -> list[dict[str, Any]]:
    found = client.classify(graphs, model, mapping=mapping, levels=levels)
    return [answer.model_dump(exclude_unset=True) for answer in found]


def _own_model(models: Sequence[ModelInfo] | Sequence[ModelDocument], sources: Iterable[str]) -> str:
    """The most accurate released model of the one data set that all sources name."""
    from mivspool.errors import InputError

    datasets = {source.partition(":")[0] for source in sources}
    own = [model for model in models if model.released and {model.dataset} == datasets]
    if not own:
        raise InputError("say by which model: --model NAME; `mivspool models` lists them and what they need")
    model = max(own, key=lambda model: model.accuracy or 0.0).name
    print(f"by {model}", file=sys.stderr)
    return model


def _open(sources: Iterable[str]) -> Iterator[tuple[str, Any]]:
    """Every graph with its source, or why it could not be opened."""
    from mivspool.errors import MIVSPoolError
    from mivspool.graphs import open_sources

    for source in sources:
        try:
            yield from open_sources(source)
        except MIVSPoolError as error:
            yield source, error


def _answers(
    named: list[tuple[str, Graph | Exception]], classify: Callable[[list[Graph]], list[dict[str, Any]]]
) -> Iterator[dict[str, Any]]:
    """The answers in the order of the sources, some at a time: a class each, or the error."""
    from mivspool.errors import MIVSPoolError

    for start in range(0, len(named), _TOGETHER):
        part = named[start : start + _TOGETHER]
        graphs = [item for _, item in part if not isinstance(item, Exception)]
        found = iter(classify(graphs) if graphs else [])
        _progress(start, len(named))
        for source, item in part:
            answer = {"error": item.message} if isinstance(item, MIVSPoolError) else next(found)
            yield {"source": source, **{key: value for key, value in answer.items() if key != "source"}}


def _progress(done: int, total: int) -> None:
    if total > _TOGETHER and sys.stderr.isatty():
        print(f"\r{done:,} of {count(total, 'graph')}", end="", file=sys.stderr, flush=True)


def _print_json(answers: Iterator[dict[str, Any]], anyway: bool) -> int:
    from mivspool.cli.output import print_json

    made = list(answers)
    print_json(made)
    return int(any("error" in answer or (answer.get("outside") and not anyway) for answer in made))


def _print(answers: Iterator[dict[str, Any]], model: str, anyway: bool) -> int:
    from mivspool.graphs.classes import class_title

    failed = 0
    for answer in answers:
        source, outside = answer["source"], answer.get("outside") or []
        if "error" in answer:
            failed += 1
            print(f"{source}: {answer['error']}")
            continue
        if outside and not anyway:
            failed += 1
            print(f"{source}: outside the domain of {model} (--anyway classifies it all the same)")
            for reason in outside:
                print(f"  {reason}")
            continue
        names = answer.get("class_names") or {}
        known = "" if answer["true"] is None else f", correct: {class_title(answer['true'], names)}"
        print(f"{source}: {class_title(answer['predicted'], names)}{known}   {_shares(answer)}")
        for warning in answer["warnings"]:
            print(f"  warning: {warning}")
    if failed:
        print(f"{failed} could not be classified by {model}", file=sys.stderr)
    return int(failed > 0)


def _shares(answer: dict[str, Any]) -> str:
    """The probabilities, the largest first: calibrated ones where there are some, and then the network's own."""
    calibrated, raw = answer.get("calibrated"), answer["probabilities"]
    ranked = sorted(raw, key=raw.__getitem__, reverse=True)[:6]
    if calibrated is None:
        return "not calibrated: " + ", ".join(f"{name} {raw[name]:.2f}" for name in ranked)
    shown = ", ".join(f"{name} {calibrated[name]:.2f}" for name in ranked)
    return f"{shown}   (not calibrated: {', '.join(f'{raw[name]:.2f}' for name in ranked)})"
