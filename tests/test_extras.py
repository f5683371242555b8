"""``pip install mivspool`` alone: the library and five commands work, and what is missing is named in one sentence."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.utils import canonicalize_name

from mivspool.errors import MissingPackageError, MIVSPoolError
from mivspool.extras import need
from tools.pin import closure

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BASE, APP = PROJECT["dependencies"], PROJECT["optional-dependencies"]["app"]
# what a package is imported as, by the name that it is installed under
MODULES: dict[str, set[str]] = {}
for module, distributions in packages_distributions().items():
    for distribution in distributions:
        MODULES.setdefault(canonicalize_name(distribution), set()).add(module)


def modules(requirements: list[str]) -> set[str]:
    """Every module that installing these would bring."""
    return {module for name in closure(requirements) for module in MODULES.get(name, ())}


ONLY_APP = modules(APP) - modules(BASE)

# an environment that has no package of the extra: what looks for modules does not find them
WITHOUT = f"""
import sys

class Without:
    def __init__(self, finder):
        self.finder = finder
    def __getattr__(self, name):
        return getattr(self.finder, name)
    def find_spec(self, name, path=None, target=None):
        return None if name.partition(".")[0] in {ONLY_APP!r} else self.finder.find_spec(name, path, target)

sys.meta_path[:] = [Without(finder) for finder in sys.meta_path]
"""
COMMANDS = """
import contextlib, io, json
from mivspool.cli import main

def run(*arguments):
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = main(arguments)
    print(json.dumps([status, out.getvalue(), err.getvalue()]))
"""
POOLS = """
import torch
import mivspool
from mivspool import MIVSPool, meer
from mivspool.pyg import MIVSPooling

edge_index = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
x = torch.rand(3, 4)
assert MIVSPool(in_channels=4)(x, edge_index).x.shape[1] == 4
assert len(MIVSPooling(4)(x, edge_index)) == 6
assert meer.trace(edge_index, torch.rand(3)).survivor.any()
"""


def without_the_app(code: str, home: Path) -> list[tuple[int, str, str]]:
    """What each ``run(…)`` of the code gave where nothing of the extra is installed: status, output, errors."""
    environment = os.environ | {"MIVSPOOL_HOME": str(home)}
    command = [sys.executable, "-c", WITHOUT + COMMANDS + code]
    done = subprocess.run(command, env=environment, cwd=home, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return [tuple(json.loads(line)) for line in done.stdout.splitlines()]


def test_the_library_and_its_commands_need_no_package_of_the_app(tmp_path: Path) -> None:
    (tmp_path / "path.graphml").write_text(
        "<graphml><graph edgedefault='undirected'><node id='a'/><node id='b'/><edge source='a' target='b'/>"
        "</graph></graphml>"
    )
    model = ROOT / "models" / "mao-mivspool"
    small = ["--hidden", "8", "--max-epochs", "1"]
    told = without_the_app(
        f"""{POOLS}
run("step", "path.graphml", "--json")
run("step", "MAO:3", "--model", {str(model)!r})
run("compare", "karate", "--methods", "all")
run("train", "MAO", *{small}, "--quiet", "--save", "mine")
run("evaluate", "MAO", *{small}, "--folds", "0", "--results", "runs", "--allow-dirty", "--json")
run("classify", "MAO:3", "--model", {str(model)!r}, "--json")
run("classify", "MAO:3", "--json")
run("classify", "karate", "MAO:3", "--model", "mine")
run("models")
run("datasets")
""",
        tmp_path,
    )
    assert [status for status, _, _ in told] == [0, 0, 0, 0, 0, 0, 0, 1, 0, 0], told
    assert json.loads(told[0][1])["graph"]["num_nodes"] == 2
    assert "refused" not in told[2][1]
    assert json.loads(told[4][1])["new_runs"] == 1
    assert json.loads(told[5][1]) == json.loads(told[6][1])
    assert "karate: " in told[7][1]


MISSING = [
    ("app",),
    ("serve",),
    ("admin", "jobs"),
    ("draw", "karate", "-o", "karate.svg"),
    ("site", "folder"),
    ("read", "acid.smi"),
    ("step", "acid.smi"),
    ("classify", "MAO:3", "--model", "mine"),  # which was kept from a job, so that the backend has it
    ("evaluate", "MAO", "--executor", "ray", "--allow-dirty"),
]


def test_what_is_missing_is_one_sentence(tmp_path: Path) -> None:
    """And the molecules of MAO, which are kept when they are read first, are drawn once RDKit is there."""
    (tmp_path / "acid.smi").write_text("CC(=O)O acetic acid\n")
    (tmp_path / "kept" / "mine").mkdir(parents=True)
    undrawn = "from mivspool import open_source\nassert (open_source('MAO:3').positions is None) == {}\n"
    told = without_the_app(undrawn.format(True) + "".join(f"run(*{one!r})\n" for one in MISSING), tmp_path)
    for arguments, (status, out, err) in zip(MISSING, told, strict=True):
        assert (status, out) == (2, ""), arguments
        assert err.endswith(" needs the app: pip install 'mivspool[app]'\n"), arguments
        assert err.count("\n") == 1, arguments
    assert not (tmp_path / "folder").exists()
    environment = os.environ | {"MIVSPOOL_HOME": str(tmp_path)}
    subprocess.run([sys.executable, "-c", undrawn.format(False)], env=environment, check=True)


def test_a_package_that_is_not_there_is_an_import_error_and_ours() -> None:
    need("nothing", "torch", "numpy")
    with pytest.raises(
        MissingPackageError, match=r"a dream needs the app: pip install 'mivspool\[app\]'"
    ) as told:
        need("a dream", "torch", "no_such_package")
    assert isinstance(told.value, ImportError)
    assert isinstance(told.value, MIVSPoolError)


def imported(tree: ast.Module) -> set[str]:
    """The packages of others that a module imports, for a type checker alone does not count."""
    found: set[str] = set()
    todo: list[ast.AST] = [tree]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize(
    "path",
    [p for p in sorted((ROOT / "mivspool").rglob("*.py")) if not {"_data", "service"} & set(p.parts)],
    ids=lambda p: str(p.relative_to(ROOT)),
)
def test_a_module_asks_for_the_packages_of_the_app_that_it_imports(path: Path) -> None:
    """By ``need``, in the module itself; ``chemistry()`` asks for RDKit, and ``mivspool.service`` for what it needs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    asked = {
        one.value
        for call in ast.walk(tree)
        if isinstance(call, ast.Call)
        and isinstance(call.func, ast.Name)
        and call.func.id in {"need", "installed"}
        for one in call.args
        if isinstance(one, ast.Constant)
    }
    asked |= {"rdkit"} if any(getattr(one, "id", "") == "chemistry" for one in ast.walk(tree)) else set()
    wanted = imported(tree) & ONLY_APP
    if path.name == "serve.py":  # it imports mivspool.service first
        wanted -= {"uvicorn"}
    assert wanted <= asked


def test_each_package_that_is_imported_is_declared() -> None:
    declared = {module for line in BASE for module in MODULES[canonicalize_name(line.partition(">=")[0])]}
    app = {module for line in APP for module in MODULES[canonicalize_name(line.partition(">=")[0])]}
    library, service = set(), set()
    for path in (ROOT / "mivspool").rglob("*.py"):
        if "_data" not in path.parts:
            names = imported(ast.parse(path.read_text(encoding="utf-8"))) - set(sys.stdlib_module_names)
            (service if "service" in path.parts else library).update(
                names - {"mivspool", "app", "benchmarks"}
            )
    optional = {"anywidget", "traitlets", "ray", "mlflow", "yacs", "psycopg", "opentelemetry"}
    assert library - optional - declared - app == set()
    assert service - optional - declared - modules(APP) - modules(BASE) == set()
    assert {"streamlit", "pyvis", "rdkit", "igraph", "plotly", "fastapi"} <= ONLY_APP
    assert {"torch", "torch_geometric", "numba", "scipy", "networkx", "safetensors"} <= declared
