"""Who may know whom (docs/decisions.md): the imports of every file, read from its text."""

from __future__ import annotations

import ast
import os
import re
import tempfile
from collections.abc import Collection
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from mivspool.settings import settings

ROOT = Path(__file__).resolve().parents[1]

# passes over arrays, and the sparse symmetric adjacency on top of them
LOW = {"errors", "messages", "arrays", "sparse"}
# part → the parts of the package it may import (itself always)
MAY = {
    "errors": set(),
    "messages": set(),
    "html": set(),
    "extras": {"errors"},
    "registry": set(),
    "settings": {"errors"},
    "alive": set(),
    "certificates": {"errors"},
    "connections": {"errors", "extras", "settings"},
    "hosts": {"errors"},
    "places": set(),
    "files": set(),
    "colours": set(),
    "arrays": {"errors", "messages"},
    "sparse": {"errors", "messages", "arrays"},
    "pyvis": {"errors", "extras"},
    "graphs": {
        "errors",
        "messages",
        "extras",
        "settings",
        "registry",
        "pyvis",
        "certificates",
        "colours",
        "files",
    },
    # behind meer, which is their one face
    "keys": LOW,
    "trace": LOW,
    "solvers": LOW | {"keys"},
    "meer": LOW | {"keys", "trace", "solvers"},
    "pooling": LOW | {"meer", "graphs", "registry"},
    "pyg": LOW | {"pooling", "graphs"},
    "levels": LOW | {"meer", "pooling", "graphs"},
    "compare": LOW | {"meer", "pooling", "levels", "graphs"},
    "canvas": LOW | {"extras", "colours", "pyvis", "meer", "levels", "graphs"},
    "streamlit": {"errors", "messages", "extras", "canvas", "levels", "graphs"},
    "fonts": {"extras"},
    "figures": {"errors", "messages", "extras", "colours", "fonts", "levels"},
    "lecture": {"errors", "messages", "extras", "meer", "levels", "compare", "graphs"},
    # what pages show and say: the app's and the site's
    "content": LOW | {"colours", "pooling", "levels", "compare", "graphs", "learning"},
    "site": {
        "errors",
        "html",
        "messages",
        "extras",
        "colours",
        "settings",
        "levels",
        "graphs",
        "pooling",
        "canvas",
        "lecture",
        "content",
        "compare",
        "learning",
        "sparse",
    },
    "learning": LOW
    | {"extras", "settings", "places", "files", "registry", "meer", "pooling", "levels", "graphs"},
    "service": LOW
    | {"html", "extras", "settings", "hosts", "certificates", "places"}
    | {"meer", "pooling", "levels", "graphs", "learning"},
}
# what show(), widget() and to_pyvis() return: their modules are imported when they are called
VIEWS = ("mivspool.canvas.notebook", "mivspool.canvas.widget", "mivspool.canvas.network")
SHOWN = {"trace", "levels", "pooling"}
FREE = {"cli", "warm_up", "__init__", "__main__"}
APP_MAY = {
    "__version__", "errors", "messages", "settings", "hosts", "connections", "places", "graphs", "meer", "pooling",
    "levels", "compare", "sparse", "colours", "figures", "canvas", "streamlit", "pyvis", "lecture", "content",
    "service.client", "service.administration", "service.schemas", "service.jobs_schemas", "service.states",
    # reading, not running
    "learning.tables", "learning.table_formats", "learning.results", "learning.statistics", "learning.paper",
    "learning.recommended_table", "learning.runs",
}  # fmt: skip


def imported(path: Path) -> set[str]:
    """Every module of ours that a file imports, functions' own imports included."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            found |= {f"{node.module}.{alias.name}" for alias in node.names} | {node.module}
    return {name for name in found if name.split(".")[0] in {"mivspool", "app", "streamlit", "fastapi"}}


def files(folder: str) -> list[Path]:
    return sorted(p for p in (ROOT / folder).rglob("*.py") if "_data" not in p.parts)


@pytest.mark.parametrize("path", files("mivspool"), ids=lambda p: str(p.relative_to(ROOT)))
def test_package_keeps_its_order(path: Path) -> None:
    part = path.relative_to(ROOT / "mivspool").parts[0].removesuffix(".py")
    names = imported(path)
    outside = {"app"} if part == "streamlit" else {"app", "streamlit"}
    assert not any(n.split(".")[0] in outside for n in names)
    if part != "service" and part not in FREE:
        assert not any(n.split(".")[0] == "fastapi" for n in names), "FastAPI stays in service"
    if part in FREE:
        return
    if part in SHOWN:
        names = {n for n in names if not n.startswith((*VIEWS, "mivspool.pyvis"))}
    parts = {n.split(".")[1] for n in names if n.startswith("mivspool.") and n.count(".") >= 1}
    known = {p.stem for p in (ROOT / "mivspool").iterdir()}
    assert (parts & known) - {part} <= MAY[part]


# who asks what kind of device there is: the table of operations, and those that deal with a person's choice of one
DEVICES = {
    "arrays/table.py",
    "learning/training.py",  # which devices can be chosen, and the random state of the one that is
    "pooling/parts/precision.py",  # autocast is switched off for the kind of device that x is on
    "pooling/parts/memory.py",  # how much memory the one that is chosen has
    "service/routes/health.py",  # what it is called
}


def test_one_place_decides_what_runs_on_which_device() -> None:
    """Everything else declares an operation (arrays/table.py), and the table picks its implementation."""
    asks = re.compile(r"device\.type|\bis_(cpu|cuda)\b|device\s*[!=]=")
    found = {
        str(path.relative_to(ROOT / "mivspool"))
        for path in files("mivspool")
        if asks.search(path.read_text(encoding="utf-8"))
    }
    assert found == DEVICES


@pytest.mark.parametrize("path", files("app"), ids=lambda p: str(p.relative_to(ROOT)))
def test_app_reaches_inference_through_the_client(path: Path) -> None:
    for name in imported(path):
        if name.startswith("mivspool."):
            inside = name.removeprefix("mivspool.")
            # (a package's own name comes with every `from package import module`)
            allowed = inside in {"service", "learning"} or any(
                inside == may or inside.startswith(f"{may}.") for may in APP_MAY
            )
            assert allowed, name


def modules() -> dict[str, Path]:
    """Every module of ours by its name."""
    return {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for folder in ("mivspool", "app")
        for path in files(folder)
    }


def imports(name: str, path: Path, known: Collection[str]) -> set[str]:
    """The modules of ours that a module imports, its functions too; for a type checker alone does not count."""
    found = set()
    todo: list[ast.AST] = [ast.parse(path.read_text(encoding="utf-8"))]
    while todo:
        node = todo.pop()
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        todo += ast.iter_child_nodes(node)
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            whole = [f"{node.module}.{alias.name}" for alias in node.names]
            found |= {one if one in known else node.module for one in whole}
    if name.split(".")[1:2] and name.split(".")[1] in SHOWN:
        found -= set(VIEWS)
    return (found & set(known)) - {name}


def test_no_module_imports_itself_through_others() -> None:
    """Not even inside a function: what needs that is one thing cut in two, or two that lie in each other."""
    known = modules()
    order = TopologicalSorter({name: imports(name, path, known) for name, path in known.items()})
    order.prepare()  # CycleError names the circle


def test_pages_do_not_know_each_other() -> None:
    known = modules()
    pages = {path.parent.name for path in (ROOT / "app").glob("*/page.py")}
    assert "step" in pages
    for name, path in known.items():
        page = name.split(".")[1:2]
        if name.startswith("app.") and page and page[0] in pages:
            others = {found.split(".")[1] for found in imports(name, path, known) if found.startswith("app.")}
            assert not others & (pages - set(page)), name


def test_few_modules_lie_flat_in_the_app() -> None:
    assert len(list((ROOT / "app").glob("*.py"))) <= 8


def test_no_folder_beside_the_main_script_is_called_pages() -> None:
    """Streamlit would take it for its older kind of multi-page app: a link to a page would open an empty one."""
    assert not (ROOT / "app" / "pages").exists()


def test_the_tests_use_nothing_of_the_persons_own() -> None:
    """A home of their own, no settings but where data sets and the browser are; nothing is fetched from outside."""
    given = {name for name in os.environ if name.startswith("MIVSPOOL_")}
    assert given - {"MIVSPOOL_CHROMIUM"} == {"MIVSPOOL_HOME", "MIVSPOOL_TU_URL"}
    assert Path(os.environ["MIVSPOOL_HOME"]).is_relative_to(tempfile.gettempdir())
    assert settings().home == Path(os.environ["MIVSPOOL_HOME"])
    assert "chrsmrrs" not in os.environ["MIVSPOOL_TU_URL"]
