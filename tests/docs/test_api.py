"""The API reference is made of docstrings: every public name has one, with its shapes and its errors."""

from __future__ import annotations

import ast
import importlib.util
import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal, get_origin

import pytest
import torch

import mivspool
import mivspool.pyg
from mivspool import meer
from mivspool.pooling import METHODS, SCORES
from tools.api import MODULES

ERRORS = {
    "InputError", "ReadError", "LimitError", "DatasetError", "ModelError", "JobError", "MissingPackageError",
}  # fmt: skip
OVERRIDES = {"reduce", "connect", "select", "pool", "forward", "of"}  # said once, in the base class


def public(module: str) -> Iterator[tuple[str, ast.AST, str]]:
    """Every public class, function and method of a module: its name, its tree, its docstring and its class's."""
    spec = importlib.util.find_spec(module)
    assert spec is not None
    assert spec.origin is not None

    def inside(body: list[ast.stmt], prefix: str, around: str) -> Iterator[tuple[str, ast.AST, str]]:
        for node in body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                if any(ast.unparse(one) == "overload" for one in node.decorator_list):
                    continue  # what it is called by is said at the function itself
                text = ast.get_docstring(node) or ""
                yield f"{prefix}{node.name}", node, f"{text}\n{around}" if text else ""
                if isinstance(node, ast.ClassDef):
                    yield from inside(node.body, f"{prefix}{node.name}.", text)

    tree = ast.parse(Path(spec.origin).read_text(encoding="utf-8"))
    assert ast.get_docstring(tree), f"{module} has no docstring"
    yield from inside(tree.body, f"{module}.", "")


@pytest.mark.parametrize("module", MODULES)
def test_docstrings_say_shapes_and_errors(module: str) -> None:
    for name, node, text in public(module):
        assert text, f"{name} has no docstring"
        if isinstance(node, ast.ClassDef):
            continue
        assert isinstance(node, ast.FunctionDef)
        signature = ast.unparse(node.args) + (ast.unparse(node.returns) if node.returns else "")
        if re.search(r"\bTensor\b|NDArray|ndarray", signature) and node.name not in OVERRIDES:
            assert re.search(r"\[[^\]]+\]", text), f"{name} takes or gives arrays and says no shape"
        raised = {
            ast.unparse(inner.exc.func)
            for inner in ast.walk(node)
            if isinstance(inner, ast.Raise) and isinstance(inner.exc, ast.Call)
        }
        if raised & ERRORS:
            says = re.search(
                r"[Rr]aises|[Ee]rrors? as in|(Input|Read|Limit|Dataset|Model|Job|MissingPackage)Error", text
            )
            assert says, f"{name} raises {raised & ERRORS} and does not say so"


def test_every_method_and_score_with_its_bases_is_listed() -> None:
    for kind in (*(one.layer for one in METHODS.values()), *SCORES.values()):
        for base in kind.__mro__:
            if base.__module__.startswith("mivspool.pooling"):
                assert base.__module__ in MODULES, base


def published() -> Iterator[tuple[str, Any, str]]:
    """What ``mivspool``, ``mivspool.meer`` and ``mivspool.pyg`` export, with the methods of their classes."""
    for module in (mivspool, meer, mivspool.pyg):
        for name in module.__all__:
            thing = getattr(module, name)
            if inspect.ismodule(thing):
                continue
            full = f"{module.__name__}.{name}"
            yield full, thing, inspect.getdoc(thing) or ""
            for own, member in vars(thing).items() if inspect.isclass(thing) else ():
                method = getattr(member, "__func__", member)
                if inspect.isfunction(method) and (not own.startswith("_") or own == "__call__"):
                    yield f"{full}.{own}", method, inspect.getdoc(method) or ""


PUBLISHED = list(published())


@pytest.mark.parametrize(("name", "thing", "text"), PUBLISHED, ids=[name for name, _, _ in PUBLISHED])
def test_what_is_published_says_what_it_takes_and_gives(name: str, thing: Any, text: str) -> None:
    if "rguments as of" in text or not callable(thing) or get_origin(thing) is Literal:
        return
    if inspect.isclass(thing) and (
        thing.__init__ is torch.nn.Module.__init__ or "__init__" not in vars(thing)
    ):
        return  # it is made without arguments, or as its base class
    signature = inspect.signature(thing)
    taken = [one for one in signature.parameters if one not in {"self", "cls"}]
    said = re.search(r"^Args:\n((?: +.*\n?|\n)+)", text, re.MULTILINE)
    assert said or not taken, "no Args"
    missing = [one for one in taken if said and not re.search(rf"\b{re.escape(one)}\b.*:", said[1])]
    assert not missing, f"Args leave out {missing}"
    silent = signature.return_annotation in (None, "None", "bool", "str", "int", inspect.Signature.empty)
    if taken and not inspect.isclass(thing) and not silent:
        assert text.startswith(("The ", "The\n")) or re.search(r"^Returns:", text, re.MULTILINE), "no Returns"
    assert not re.search(r"Raises \w", text), "Raises is a section"
