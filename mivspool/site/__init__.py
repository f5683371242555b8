"""The static site: the lecture as plain files for any web host, or for a folder on a stick.

``write_site`` is all. The chapters are ``mivspool.lecture``, the graph is ``mivspool.canvas``: the app shows the same.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mivspool import content
from mivspool.canvas import THEME, settings, style
from mivspool.canvas.modules import joined
from mivspool.content.compare import legend
from mivspool.errors import InputError
from mivspool.extras import need
from mivspool.lecture.challenges import HARDEST, MOST_VERTICES
from mivspool.lecture.chapters import CHAPTERS
from mivspool.site import compared, strings
from mivspool.site.graphs import entries, scenes
from mivspool.site.pages import COMPARE_FILE, STEP_FILE, chapter_file, chapter_page, compare_page, step_page
from mivspool.site.results import results_pages

_HERE = Path(__file__).resolve().parent


@dataclass(frozen=True)
class Written:
    """What was written: number of graphs and of bytes, and the graphs left out with the reason."""

    graphs: int
    size: int
    missing: tuple[str, ...]


def write_site(folder: str | Path, more: Sequence[str] = (), *, overwrite: bool = False) -> Written:
    """Write the site into ``folder``, with the graphs of ``more`` SOURCEs beside its own.

    ``overwrite``: write into a folder that holds something; files of other names stay. Raises InputError for a folder
    that cannot be used, and InputError, DatasetError or ReadError for a SOURCE that cannot be opened.
    """
    need("the static site", "igraph", "latex2mathml")
    root = Path(folder)
    _check(root, overwrite)
    graphs, missing = entries(more)
    files: dict[str, str] = {
        chapter_file(chapter.name): chapter_page(chapter, scene)
        for chapter, scene in zip(CHAPTERS, scenes(), strict=True)
    }
    files[STEP_FILE] = step_page(graphs)
    for name in ("site.css", "theme.js", "icon.svg"):
        files[name] = (_HERE / "files" / name).read_text(encoding="utf-8")
    beside = [entry for entry in graphs if entry.compared]
    files[COMPARE_FILE] = compare_page(beside)
    results = results_pages()
    files |= results.files
    missing += results.missing
    files["site.css"] = f"{THEME}{files['site.css']}{style('panels')}"
    files["site.css"] += f"{content.style('tables')}{content.style('legend')}{legend.style()}"
    files["canvas.css"] = style()
    given = _json(
        {"words": strings.WORDS, "hardest": HARDEST, "sizes": MOST_VERTICES, "compare": compared.settings()}
    )
    files["site.js"] = (
        f"const MIVSPOOL = (() => {{\n{joined(_HERE / 'files' / 'site.js')}{settings()}"
        f"return site(SETTINGS, {given});\n}})();\n"
    )
    files["graphs.js"] = f"MIVSPOOL.start({_json([entry.about() for entry in graphs])});\n"
    for entry in graphs:
        files[f"graphs/{entry.file}"] = f"MIVSPOOL.take({_json(entry.source)}, {_json(entry.data())});\n"
    for entry in beside:
        files[f"compare/{entry.file}"] = (
            f"MIVSPOOL.compared({_json(entry.source)}, {_json(compared.by_method(entry.graph))});\n"
        )
    size = 0
    try:
        for name, text in files.items():
            data = text.encode("utf-8", "replace")
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
            size += len(data)
    except OSError as error:
        raise InputError(f"{error.filename or root} cannot be written: {error.strerror}") from error
    return Written(len(graphs), size, tuple(missing))


def _check(root: Path, overwrite: bool) -> None:
    """Whether the folder can be used, before anything is computed."""
    try:
        if root.exists() and not root.is_dir():
            raise InputError(f"{root} is a file: name a folder to write the site into")
        if root.is_dir() and any(root.iterdir()) and not overwrite:
            raise InputError(f"{root} is not empty: name another folder, or say --overwrite to write into it")
    except OSError as error:
        raise InputError(f"{root} cannot be used: {error.strerror}") from error


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
