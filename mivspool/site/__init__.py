"""The static site: the lecture as plain files for any web host, or for a folder on a stick.

``write_site`` is all. The chapters are ``mivspool.lecture``, the graph is ``mivspool.canvas``, tables and words are
``mivspool.content``: the app shows the same.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mivspool import content
from mivspool.canvas import THEME, settings, style
from mivspool.canvas.modules import joined
from mivspool.content.compare import legend
from mivspool.errors import InputError
from mivspool.extras import need
from mivspool.html import render
from mivspool.lecture.challenges import HARDEST, MOST_VERTICES
from mivspool.lecture.chapters import CHAPTERS
from mivspool.site import compared, models, pages, reading, smiles, strings
from mivspool.site.graphs import MOST_VERTICES as MOST_SHOWN
from mivspool.site.graphs import Entry, entries, scenes
from mivspool.site.results import results_pages

_HERE = Path(__file__).resolve().parent
PREVIEW, PREVIEW_SIZE = "preview.png", (1200, 630)
"""The picture that a link to the site shows elsewhere, drawn by ``python -m tools.preview``."""

READERS = ("read/entry.js", "read/molecules.js")

_ADDRESS = re.compile(r"https?://[^\s\"'<>?#]+")


@dataclass(frozen=True)
class Written:
    """What was written: number of graphs and of bytes, and the graphs and tables left out with the reason."""

    graphs: int
    size: int
    missing: tuple[str, ...]


def write_site(
    folder: str | Path,
    more: Sequence[str] = (),
    *,
    overwrite: bool = False,
    address: str = "",
    rdkit: str | Path | None = None,
) -> Written:
    """Write the site into ``folder``, with the graphs of ``more`` SOURCEs beside its own.

    ``overwrite``: write into a folder that holds something; files of other names stay. ``address``: where the site will
    be published; without it, links to its pages have no picture elsewhere. ``rdkit``: the archive of RDKit's npm
    package (``site.smiles``); without it, the pages read no SMILES. Raises InputError for a folder, an address or an
    archive that cannot be used, and InputError, DatasetError or ReadError for a SOURCE that cannot be opened.
    """
    need("the static site", "igraph", "latex2mathml")
    if address and not _ADDRESS.fullmatch(address):
        raise InputError(f"{address!r} is no address of a site: it begins with https:// and names a folder")
    root = Path(folder)
    _check(root, overwrite)
    molecules = {} if rdkit is None else {smiles.FILE: smiles.script(rdkit)}
    with_smiles = bool(molecules)
    graphs, missing = entries(more)
    results = results_pages()
    files = _pages(graphs, with_smiles) | results.files | _look() | _scripts(with_smiles) | _data(graphs)
    files |= _worker(files, molecules) | molecules
    written = {name: text.encode("utf-8", "replace") for name, text in files.items()}
    if address:
        written |= _previewed(files, address)
    size = 0
    try:
        for name, data in written.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(data)
            size += len(data)
    except OSError as error:
        raise InputError(f"{error.filename or root} cannot be written: {error.strerror}") from error
    return Written(len(graphs), size, (*missing, *results.missing))


def _pages(graphs: Sequence[Entry], with_smiles: bool) -> dict[str, str]:
    """The pages, but those of Results. ``with_smiles``: whether they read SMILES."""
    made = {
        pages.chapter_file(chapter.name): pages.chapter_page(chapter, scene)
        for chapter, scene in zip(CHAPTERS, scenes(), strict=True)
    }
    made[pages.STEP_FILE] = pages.step_page(graphs, with_smiles)
    made[pages.COMPARE_FILE] = pages.compare_page([entry for entry in graphs if entry.compared], with_smiles)
    made[pages.CLASSIFY_FILE] = pages.classify_page(graphs, models.titles(), with_smiles)
    return made


def _look() -> dict[str, str]:
    """Style sheets, and what every page has."""
    own = {
        name: (_HERE / "files" / name).read_text(encoding="utf-8")
        for name in ("site.css", "page.js", "icon.svg")
    }
    shared = [content.style(name) for name in ("tables", "legend", "classes", "inside")]
    own["site.css"] = "".join([THEME, own["site.css"], style("panels"), *shared, legend.style()])
    return own | {"canvas.css": style()}


def _scripts(with_smiles: bool) -> dict[str, str]:
    """The script of the pages that show graphs, and the readers, which are loaded with the first file."""
    given = {
        "words": strings.WORDS,
        "hardest": HARDEST,
        "sizes": MOST_VERTICES,
        "most": MOST_SHOWN,
        "smiles": with_smiles,
        "compare": compared.settings(),
        "classify": models.settings(),
    }
    script = _short(joined(_HERE / "files" / "site.js"))
    readers = f"(() => {{\n{_short(joined(*READERS))}return {{ readGraphs, molecules }};\n}})()"
    return {
        "site.js": f"const MIVSPOOL = (() => {{\n{script}{settings()}return site(SETTINGS, {_json(given)});\n}})();\n",
        "reader.js": f"MIVSPOOL.reader({readers}, {_json(reading.settings())});\n",
    }


def _short(script: str) -> str:
    """A script without its comments and indentation, which are a sixth of it."""
    return re.sub(r"^ *(?://.*\n)?|^\n|(?<=[;{},(\[]) +// [^\n\"'`]*$", "", script, flags=re.MULTILINE)


def _data(graphs: Sequence[Entry]) -> dict[str, str]:
    """What is loaded when it is shown: graphs, what every method makes of them, and models."""
    made = {"graphs.js": _call("start", [entry.about() for entry in graphs])}
    for entry in graphs:
        made[f"graphs/{entry.file}"] = _call(
            "take", entry.source, entry.data(), models.about_graph(entry.graph)
        )
        if entry.compared:
            made[f"compare/{entry.file}"] = _call("compared", entry.source, compared.by_method(entry.graph))
    for model in models.released():
        made[f"models/{model.name}.js"] = _call("model", model.name, models.network(model))
    return made


def _previewed(files: Mapping[str, str], address: str) -> dict[str, bytes]:
    """The pages with the absolute addresses that a link's preview needs, and its picture."""
    made = {PREVIEW: (_HERE / "files" / PREVIEW).read_bytes()}
    base = f"{address.rstrip('/')}/"
    for name, text in files.items():
        if name.endswith(".html"):
            width, height = PREVIEW_SIZE
            tags = render(
                "mivspool.site", "preview.html", strings=strings, width=width, height=height,
                image=f"{base}{PREVIEW}", page=f"{base}{'' if name == 'index.html' else name}",
            )  # fmt: skip
            made[name] = text.replace("</head>", f"{tags}</head>", 1).encode("utf-8", "replace")
    return made


def _worker(files: Mapping[str, str], later: Mapping[str, str]) -> dict[str, str]:
    """The script that keeps the site for a browser without a network; ``later``: what it keeps once it was used."""
    digest = hashlib.sha256(_json([files, later]).encode("utf-8", "replace")).hexdigest()[:16]
    script = (_HERE / "files" / "worker.js").read_text(encoding="utf-8")
    given = {"NAME": digest, "FILES": ["./", *files], "LATER": [*later]}
    said = "".join(f"const {name} = {_json(value)};\n" for name, value in given.items())
    return {"worker.js": f"{said}{script}"}


def _call(name: str, *values: Any) -> str:
    """A script that hands values to the pages' one: pages from a disk can load no other data."""
    return f"MIVSPOOL.{name}({', '.join(map(_json, values))});\n"


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
