"""What the app keeps belongs to a visitor, or is the same for all: nobody sees another's, and nothing stays stale."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

import app
import mivspool.service
from app import backend, pooled, sources
from app.compare import methods, page
from app.components import visitor
from app.pooled import view
from mivspool.errors import BackendError, ModelError
from mivspool.learning.models import Model, load_model, save_model
from mivspool.service.guard import owner_of
from mivspool.service.library import Library, pack

ANN, BOB = "ann-0123456789abcdef", "bob-0123456789abcdef"
GRAPH, NAME = "MAO:3", "my-private-model"

# ---- the law, read from the source ------------------------------------------------------------------------------

FOLDERS = {"app": Path(app.__file__).parent, "service": Path(mivspool.service.__file__).parent}
KEEPING = {"cache_data", "cache_resource", "lru_cache", "cache"}

# caches without a visitor in their key, and why they need none
NEED_NONE = {
    "app/backend.py:_client": "the way to the backend: who asks is said with each request",
    "app/backend.py:health": "what the backend tells everyone",
    "app/compare/methods.py:_untrained": "a graph's name is public or made of its content, and the page has loaded it",
    "app/step/downloads.py:_figure": "the key is the pooling's, which holds visitor and version",
    "app/sources/search.py:_known": "the names in the program",
    "app/sources/gallery.py:_script": "a file of the program",
    "app/sources/gallery.py:_items": "sources.place has asked for this visitor's upload, named by its content",
    "app/train/jobs.py:_results_speeds": "the published runs, by the state of their files",
    "app/train/jobs.py:_size_of": "a public data set",
    "app/classify/many.py:_graphs": "a public data set",
    "app/classify/many.py:_read_all": "by the content that was uploaded",
    "app/components/network_figure.py:_style": "a file of the program",
    "app/components/importance.py:_style": "a file of the program",
    "app/compare/panels.py:_script": "a file of the program",
    "app/components/free.py:_components": "files of the program and of pyvis",
    "app/pooled/__init__.py:_kept_small": "as app/compare/methods.py:_untrained",
    "app/pooled/__init__.py:_kept_large": "as app/compare/methods.py:_untrained",
    "app/pooled/view.py:_viewport": "the key is the pooling's, which holds visitor and version",
    "app/pooled/view.py:_reduced": "the key is the pooling's, which holds visitor and version",
    "app/runs.py:_read": "the published runs, by the state of their files",
    "app/runs.py:_table": "the published runs, by the state of their files",
    "app/runs.py:_curve": "the published runs, by the state of their files",
    "app/sources/__init__.py:positions": "as app/compare/methods.py:_untrained",
    "app/sources/uploads.py:_read_small": "by the content that was uploaded",
    "app/sources/uploads.py:_read_large": "by the content that was uploaded",
    "app/compare/page.py:_levels": "as app/compare/methods.py:_untrained",
    "service/bodies.py:_documented": "the documents that the program's routes take",
    "service/catalogue.py:Catalogue._read": "asked after find(), which knows the owner; by the hash of the content",
    "service/client.py:default_client": "the way to the backend: who asks is said with each request",
    "service/client.py:_list_of": "types of the program",
    "service/guard.py:Rate._buckets": "by the visitor's name or address",
    "service/readiness.py:Readiness._found": "the backend's own parts",
    "service/routes/health.py:device_name": "the machine",
    "service/runner.py:Supervisor._begun": "the jobs that run here, by what claims them",
    "service/shelf.py:Shelf._models": "asked after check(), which knows the owner; looks whether the files changed",
}


def _called(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


def _caches(tree: ast.Module) -> Iterator[tuple[str, list[str]]]:
    """Each cache of a module by name, with the names in its key: functions that are kept, and mappings that last."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(_called(d) in KEEPING for d in node.decorator_list):
            yield node.name, [argument.arg for argument in (*node.args.args, *node.args.kwonlyargs)]
        if isinstance(node, ast.ClassDef):
            for one in ast.walk(node):
                if (
                    isinstance(one, ast.AnnAssign)
                    and isinstance(one.target, ast.Attribute)
                    and _empty(one.value)
                ):
                    yield f"{node.name}.{one.target.attr}", []
    for one in tree.body:
        if isinstance(one, ast.Assign | ast.AnnAssign) and _empty(one.value):
            target = one.target if isinstance(one, ast.AnnAssign) else one.targets[0]
            yield ast.unparse(target), []


def _empty(value: ast.expr | None) -> bool:
    """A mapping that is filled later."""
    return (isinstance(value, ast.Dict) and not value.keys) or (
        isinstance(value, ast.Call)
        and _called(value) in {"dict", "OrderedDict", "defaultdict"}
        and not value.args
    )


def test_every_cache_is_keyed_by_the_visitor_or_says_why_not() -> None:
    without = set()
    keyed = 0
    for name, folder in FOLDERS.items():
        for path in sorted(folder.rglob("*.py")):
            for cache, key in _caches(ast.parse(path.read_text(encoding="utf-8"))):
                if "visitor" in key:
                    keyed += 1
                else:
                    without.add(f"{name}/{path.relative_to(folder).as_posix()}:{cache}")
    assert keyed >= 8
    assert without == set(NEED_NONE)


def test_what_a_model_made_is_kept_by_its_version() -> None:
    """A cache that takes a model's name takes its version too: another model may come to have the name."""
    lacking = [
        f"{path.name}:{cache}"
        for path in sorted(FOLDERS["app"].rglob("*.py"))
        for cache, key in _caches(ast.parse(path.read_text(encoding="utf-8")))
        if {"model", "name"} & set(key) and "visitor" in key and "version" not in key
    ]
    assert lacking == []


# ---- two visitors and one name ----------------------------------------------------------------------------------


def _weights(of: Model, seed: int, folder: Path) -> bytes:
    """Another model of the same kind, as a job leaves it."""
    torch.manual_seed(seed)
    classifier = copy.deepcopy(of.classifier)
    for parameter in classifier.parameters():
        torch.nn.init.normal_(parameter, std=0.5)
    save_model(folder / f"{seed}", classifier, of.schema, of.classes, {"dataset": "MAO"})
    return pack(folder / f"{seed}")


@pytest.fixture(scope="module")
def contents(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    base = load_model("mao-mivspool")
    return [_weights(base, seed, tmp_path_factory.mktemp("models")) for seed in (1, 2)]


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, own_backend: Callable[[], None]) -> Library:
    """The models of the app's own backend, which tells visitors apart."""
    monkeypatch.setenv("MIVSPOOL_SEPARATE_VISITORS", "1")
    own_backend()
    own: Any = backend._client()._transport
    library: Library = own._app.state.backend.library
    return library


@pytest.fixture
def as_visitor(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | None], None]:
    return lambda name: monkeypatch.setattr(visitor, "known", lambda: name)


def results() -> list[Any]:
    """What Step, Compare and Classify make of the graph with the model."""
    graph = sources.load(GRAPH)
    pooling = pooled.pool(GRAPH, "multiview", 0, False, False, NAME)
    rows = methods.pooled(GRAPH, "mivspool:multiview", 0, NAME, 2, graph)
    answer = backend.classified(GRAPH, NAME, (), graph)
    return [
        pooling.levels[0].score.tolist(),
        view.viewport(pooling, 0).trace["score"],
        view.viewport(pooling, 0).trace["id"],
        answer.probabilities,
        backend.without(GRAPH, NAME, 0, (), graph).probabilities,
        backend.card(NAME).version,
        rows[0].pooled.x.tolist() if rows[0].pooled is not None else None,
    ]


def asked(name: str = NAME) -> list[Callable[[], Any]]:
    graph = sources.load(GRAPH)
    return [
        lambda: pooled.pool(GRAPH, "multiview", 0, False, False, name),
        lambda: methods.pooled(GRAPH, "mivspool:multiview", 0, name, 2, graph),
        lambda: page.levels(GRAPH, "mivspool:multiview", 0, name, graph),
        lambda: backend.classified(GRAPH, name, (), graph),
        lambda: backend.without(GRAPH, name, 0, (), graph),
        lambda: backend.card(name),
        lambda: backend.schema(name),
    ]


def test_a_private_model_gives_its_results_to_nobody_else(
    library: Library, as_visitor: Callable[[str | None], None], contents: list[bytes]
) -> None:
    library.keep("job", contents[0], NAME, owner_of(ANN), False)
    as_visitor(ANN)
    assert len(results()) == 7
    for ask in asked():
        ask()
    as_visitor(BOB)
    for ask in asked():
        with pytest.raises(ModelError, match="no model"):
            ask()


def test_a_model_replaced_under_its_name_gives_the_new_results(
    library: Library, as_visitor: Callable[[str | None], None], contents: list[bytes]
) -> None:
    as_visitor(ANN)
    made = []
    for content in contents:
        library.keep("job", content, NAME, owner_of(ANN), False)
        backend.forget()
        made.append(results())
        library.delete(NAME, owner_of(ANN))
    for old, new in zip(*made, strict=True):
        assert old != new
    backend.forget()
    for ask in asked():
        with pytest.raises(ModelError, match="no model"):
            ask()


def test_a_name_belongs_to_whoever_keeps_a_model_under_it(
    library: Library, as_visitor: Callable[[str | None], None], contents: list[bytes]
) -> None:
    library.keep("job", contents[0], NAME, owner_of(ANN), False)
    as_visitor(ANN)
    of_ann = results()
    library.delete(NAME, owner_of(ANN))
    library.keep("job", contents[1], NAME, owner_of(BOB), False)
    as_visitor(BOB)
    for one, other in zip(of_ann, results(), strict=True):
        assert one != other


def test_nobody_is_nobody(library: Library, as_visitor: Callable[[str | None], None]) -> None:
    """Where visitors are told apart, one whose name is not known yet is not served as everyone else without one."""
    as_visitor(None)
    for ask in (backend.models, backend.datasets, backend.client, lambda: backend.card(NAME)):
        with pytest.raises(BackendError, match="who"):
            ask()
