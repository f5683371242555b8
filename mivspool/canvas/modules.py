"""The canvas's scripts: ES modules in ``js/``, and one script made of them where no module can be loaded.

A browser loads no module from ``file://`` or into a sandboxed frame, and Streamlit finds folders of assets in installed
packages only. Each module becomes a function of its own there, so that private names never meet.
"""

from __future__ import annotations

import re
from pathlib import Path

FOLDER = Path(__file__).resolve().parent / "js"
ENTRY = "host/mount.js"  # the whole canvas

_IMPORT = re.compile(r'^import \{([^}]*)\} from "([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


def imports(path: Path) -> list[Path]:
    """The modules that a module imports, in order. Raises ValueError for one that is not there."""
    return [_found(name, path) for _, name in _IMPORT.findall(path.read_text(encoding="utf-8"))]


def ordered(*entries: str | Path) -> list[Path]:
    """The entries and all that they import, each after what it needs.

    ``entries``: names within ``js/``, or paths of modules elsewhere, which import from there by ``canvas/…``.
    Raises ValueError for a module that is not there, and for imports that go in a circle.
    """
    done: list[Path] = []

    def visit(path: Path, route: tuple[Path, ...]) -> None:
        if path in route:
            circle = " → ".join(_name(each) for each in (*route[route.index(path) :], path))
            raise ValueError(f"imports go in a circle: {circle}")
        if path in done:
            return
        for other in imports(path):
            visit(other, (*route, path))
        done.append(path)

    for entry in entries:
        visit(FOLDER / entry, ())
    return done


def joined(*entries: str | Path) -> str:
    """The entries (default: the whole canvas; see :func:`ordered`) and all that they need as one script.

    It defines what the entries export. Raises ValueError as :func:`ordered`, and for a form of import or export that
    is none of ``import { a, b as c } from "…"``, ``export function``, ``export class``, ``export const``.
    """
    chosen = entries or (ENTRY,)
    parts = ["const MODULES = {};", *map(_wrapped, ordered(*chosen))]
    for entry in chosen:
        path = FOLDER / entry
        names = _EXPORT.findall(path.read_text(encoding="utf-8"))
        parts.append(f'const {{ {", ".join(names)} }} = MODULES["{_name(path)}"];')
    return "\n".join(parts) + "\n"


def _wrapped(path: Path) -> str:
    text = path.read_text(encoding="utf-8")
    names = _EXPORT.findall(text)
    text = _IMPORT.sub(
        lambda found: (
            f'const {{{found[1].replace(" as ", ": ")}}} = MODULES["{_name(_found(found[2], path))}"];\n'
        ),
        text,
    )
    text = _EXPORT.sub("", text)
    if other := _OTHER.search(text):
        raise ValueError(f"{_name(path)} has an import or export of another form: {other[0]}")
    return (
        f'MODULES["{_name(path)}"] = (() => {{\n"use strict";\n{text}return {{ {", ".join(names)} }};\n}})();'
    )


def _found(name: str, path: Path) -> Path:
    """The module that ``path`` means by ``name``."""
    found = FOLDER / name.removeprefix("canvas/") if name.startswith("canvas/") else path.parent / name
    if not found.is_file():
        raise ValueError(f"{_name(path)} imports {name}, which is not there")
    return found.resolve()


def _name(path: Path) -> str:
    return path.relative_to(FOLDER).as_posix() if path.is_relative_to(FOLDER) else path.name
