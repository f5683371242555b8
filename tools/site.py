"""``python -m tools.site``: docs/site.md anew, from a site that is written and opened for it (needs Chromium and node).

Sizes and the comparison of the networks are the same anywhere; times are this machine's.
"""

from __future__ import annotations

import datetime
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from mivspool.errors import DatasetError
from mivspool.site import smiles, write_site
from mivspool.site.models import released
from tests.app.browser import chromium, serious
from tests.canvas.inference import compare, some
from tests.site.smiles import RDKIT

PATH = Path(__file__).resolve().parent.parent / "docs" / "site.md"
MOST = 500  # graphs of each data set
LOADS = 7  # of each page; the fastest counts
# page → what it has when all of it is there
PAGES = {
    "index.html": ".sentence",
    "step.html": ".sentence",
    "step.html#mode=predict": ".sentence",
    "step.html#mode=edit": ".sentence",
    "compare.html": ".measures td",
    "classify.html": ".contributions .left-out",
    "results.html": "main h1",
    "results-claims.html": "main h1",
    "results-curves.html": "main h1",
}
_PAINT = """() => new Promise((resolve) => {
  const painted = (list) => list.getEntries().find(({ name }) => name === "first-contentful-paint");
  const told = new PerformanceObserver((list) => painted(list) && resolve(painted(list).startTime));
  told.observe({ type: "paint", buffered: true });
})"""
_PASTE = """(text) => new Promise((resolve) => {
  const [box, about] = [".upload", ".about"].map((name) => document.querySelector(name));
  box.querySelector("textarea").value = text;
  const from = performance.now();
  const watch = () => resolve((performance.now() - from) / 1000);
  new MutationObserver(watch).observe(about, { childList: true });
  box.querySelector("button").click();
})"""
_SIZES = ((1440, 900), (390, 844))


def main() -> None:
    """Write docs/site.md."""
    with tempfile.TemporaryDirectory() as folder:
        # with the picture of link previews, and with RDKit
        write_site(folder, address="https://class.example", rdkit=RDKIT)
        root = Path(folder)
        text = document(sizes(root), opened(root), pasted(root), networks())
        PATH.write_text(text, encoding="utf-8")


def sizes(root: Path) -> dict[str, int]:
    """Bytes by part of the site, and of the largest model."""
    parts = {
        smiles.FILE: "RDKit",
        "models/": "models",
        "graphs/": "graphs",
        "compare/": "compare",
        "results": "results",
        "tables/": "results",
    }
    found: dict[str, int] = dict.fromkeys(("pages and scripts", *dict.fromkeys(parts.values())), 0)
    largest = 0
    for file in root.rglob("*"):
        if file.is_file():
            name = file.relative_to(root).as_posix()
            part = next((parts[start] for start in parts if name.startswith(start)), "pages and scripts")
            found[part] += file.stat().st_size
            largest = max(largest, file.stat().st_size if part == "models" else 0)
    return found | {"the largest model": largest}


@contextmanager
def served(root: Path) -> Iterator[str]:
    """Where a web server on this machine has the site."""
    handler = partial(SimpleHTTPRequestHandler, directory=str(root))
    handler.func.log_message = lambda *_: None
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()


def opened(root: Path) -> list[tuple[str, float, float, int]]:
    """Of each page: seconds to the first paint and until all of it is there, and the faults that axe calls serious."""
    with served(root) as address, chromium() as browser:
        return [(name, *_loads(browser, address, name), _faults(browser, address, name)) for name in PAGES]


def _loads(browser: Any, address: str, name: str) -> tuple[float, float]:
    """The fastest of several loads, each by a browser that has nothing of the site yet."""
    paints, whole = [], []
    for _ in range(LOADS):
        context = browser.new_context(viewport={"width": 1440, "height": 900}, service_workers="block")
        page = context.new_page()
        page.goto(f"{address}/{name}")
        page.locator(PAGES[name]).first.wait_for()
        whole.append(page.evaluate("performance.now()") / 1000)
        paints.append(page.evaluate(_PAINT) / 1000)
        context.close()
    return min(paints), min(whole)


def pasted(root: Path) -> tuple[float, float]:
    """Seconds from a pasted SMILES to its graph: the first one of a page, which loads RDKit, and the next one."""
    found: list[tuple[float, ...]] = []
    with served(root) as address, chromium() as browser:
        for _ in range(LOADS):
            context = browser.new_context(service_workers="block")
            page = context.new_page()
            page.goto(f"{address}/step.html")
            page.locator(".sentence").wait_for()
            found.append(tuple(page.evaluate(_PASTE, text) for text in ("CC(=O)Oc1ccccc1C(=O)O", "CCO")))
            context.close()
    first, second = map(min, zip(*found, strict=True))
    return first, second


def _faults(browser: Any, address: str, name: str) -> int:
    found: set[str] = set()
    for width, height in _SIZES:
        context = browser.new_context(viewport={"width": width, "height": height}, reduced_motion="reduce")
        page = context.new_page()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            page.goto(f"{address}/{name}")
            page.locator(PAGES[name]).first.wait_for()
            page.wait_for_timeout(300)
            found |= set(serious(page))
        context.close()
    return len(found)


def networks() -> list[tuple[str, int, int, float]]:
    """Of each model: graphs, those that are pooled otherwise than by the library, the largest difference of a logit."""
    found = []
    for model in released():
        try:
            one = compare(model, some(model.schema.dataset, MOST))
        except DatasetError:  # it is not on this machine
            continue
        found.append((model.name, one.graphs, one.otherwise, one.largest))
    return found


def document(
    parts: dict[str, int],
    loads: Sequence[tuple[str, float, float, int]],
    molecules: tuple[float, float],
    models: Sequence[tuple[str, int, int, float]],
) -> str:
    """The document."""
    largest = parts["the largest model"]
    without = sum(parts.values()) - largest - parts["models"] - parts["RDKit"]
    today = datetime.datetime.now(datetime.UTC)
    rows = [f"| {name} | {size / 1e6:.2f} |" for name, size in parts.items() if name != "the largest model"]
    pages = [f"| `{name}` | {paint:.2f} | {there:.2f} | {faults} |" for name, paint, there, faults in loads]
    inference = [f"| `{name}` | {graphs} | {apart:.0e} | {other} |" for name, graphs, other, apart in models]
    return "\n".join(
        [
            "# The static site in figures",
            "",
            f"Written by `python -m tools.site`, {today:%-d %B %Y}; `mivspool site FOLDER` writes the site.",
            "",
            "## Size",
            "",
            f"{without / 1e6:.2f} MB without the models and RDKit; the largest model has {largest / 1e6:.2f} MB. A "
            "page loads a graph, what the methods make of it, and a model when it shows them.",
            "",
            "| part | MB |",
            "| --- | --- |",
            *rows,
            "",
            "## Pages",
            "",
            "From a web server on the same machine, by a Chromium without a GPU that has nothing of the site yet: "
            f"seconds to the first paint and until everything is there, the fastest of {LOADS} loads. The last column "
            "counts what axe calls serious or critical, on a desktop and on a phone, light and dark.",
            "",
            "| page | first paint | everything | serious faults |",
            "| --- | --- | --- | --- |",
            *pages,
            "",
            "## SMILES",
            "",
            f"RDKit's WebAssembly ({smiles.PACKAGE} {smiles.VERSION}) is a part of its own, which only a page that "
            "reads a SMILES loads. A site has it where `mivspool site FOLDER --smiles FILE` names the archive: "
            f"`npm pack {smiles.PACKAGE}@{smiles.VERSION}` fetches it, and its checksum is known.",
            "",
            f"From a pasted SMILES to its graph: {molecules[0]:.2f} s for the first one of a page, which loads RDKit, "
            f"then {molecules[1]:.2f} s; the fastest of {LOADS}, from the same server.",
            "",
            "## Networks in the page",
            "",
            f"Up to {MOST} graphs of each model's data set, evenly spread, in node and by the library. A graph may be "
            "pooled otherwise only where a learned value lies within 1e-6 of a rounding boundary; such graphs are "
            "counted, and the largest difference of a logit is that of the others.",
            "",
            "| model | graphs | largest difference of a logit | pooled otherwise |",
            "| --- | --- | --- | --- |",
            *inference,
            "",
        ]
    )


if __name__ == "__main__":
    main()
