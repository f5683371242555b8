"""Every entry into compiled code refuses what would be read or written beyond its end; a crash fails the test."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.arrays.entries import CASES

ROOT = Path(__file__).resolve().parents[2]
COMPILERS = {"compiled", "compiled_part", "compiled_sums"}


@pytest.fixture(scope="module", params=[[], ["beginning"]], ids=["", "beginning"])
def outcomes(request):
    """What each call ended in; each was made in a process of its own, where all is compiled and where nothing is."""
    command = [sys.executable, "-m", "tests.arrays.entries", *request.param]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", CASES)
def test_what_does_not_fit_is_refused_in_words(outcomes, name):
    assert outcomes[name].startswith("InputError: ")


@pytest.mark.parametrize("width", [64, 3])
def test_a_wrong_width_is_said_with_what_to_do(width):
    import torch

    from mivspool import MIVSPool
    from mivspool.errors import InputError

    with pytest.raises(InputError, match=f"x has {width} channels.*made for 4.*in_channels={width}"):
        MIVSPool(in_channels=4)(torch.zeros(2, width), torch.tensor([[0, 1], [1, 0]]))


def modules() -> dict[str, ast.Module]:
    """Every module of the package by name, as a tree."""
    files = (ROOT / "mivspool").rglob("*.py")
    return {
        ".".join(path.relative_to(ROOT / "mivspool").with_suffix("").parts): ast.parse(
            path.read_text("utf-8")
        )
        for path in files
    }


def is_compiled(function: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id in COMPILERS for mark in function.decorator_list)


def handing_over() -> set[str]:
    """Every function, as module:qualified name, that names compiled code without being compiled itself."""
    trees = modules()
    compiled = {
        name: {node.name for node in tree.body if isinstance(node, ast.FunctionDef) and is_compiled(node)}
        for name, tree in trees.items()
    }
    by_last = {name.rpartition(".")[2]: functions for name, functions in compiled.items() if functions}
    found: set[str] = set()

    def look(module: str, node: ast.AST, inside: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.ClassDef):
                if not (isinstance(child, ast.FunctionDef) and is_compiled(child)):
                    look(module, child, f"{inside}.{child.name}".lstrip("."))
                continue
            own = isinstance(child, ast.Name) and child.id in compiled[module]
            other = (
                isinstance(child, ast.Attribute)
                and isinstance(child.value, ast.Name)
                and child.attr in by_last.get(child.value.id, ())
            )
            if own or other:
                found.add(f"{module}:{inside}")
            look(module, child, inside)

    for module, tree in trees.items():
        look(module, tree, "")
    return found


# helpers of one function that has cases; and the checks themselves, which read any array safely
GUARDED = {
    "arrays.greedy:_live": "arrays.greedy:survivors",
    "arrays.greedy:_settle": "arrays.greedy:trace",
    "arrays.edges:_sort": "arrays.edges:_csr",
    "arrays.edges:_in_order": "arrays.edges:_csr",
    "pooling.parts.views:_ordered": "pooling.parts.views:MultiViewScore.forward",
    "arrays.edges:_symmetric": "arrays.edges:adjacency",
    "arrays.checks:_sum_is_nan_compiled": "arrays.greedy:survivors",
    "arrays.edges:fault": "sparse:_check_entries_compiled",
    "arrays.checks:places": "arrays.kernels:contract",
    "arrays.checks:rising": "arrays.segments:_Gated.forward",
}


def test_every_function_that_hands_over_has_a_case():
    tested = {entry for entry, _ in CASES.values()}
    missing = {name for name in handing_over() if GUARDED.get(name, name) not in tested}
    assert not missing


def test_compiled_functions_are_called_as_module_and_name():
    """The list above sees ``passes.readout(…)`` and a module's own; nobody imports a compiled function by its name."""
    trees = modules()
    compiled = {
        f"mivspool.{name}": {n.name for n in tree.body if isinstance(n, ast.FunctionDef) and is_compiled(n)}
        for name, tree in trees.items()
    }
    for name, tree in trees.items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module in compiled:
                taken = {alias.name for alias in node.names} & compiled[node.module]
                assert not taken, f"{name} imports {taken}"
