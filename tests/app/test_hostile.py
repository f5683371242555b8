"""Names are text on every page: no markup, script, formula or mark of theirs does anything, from a file or a link."""

from __future__ import annotations

import io
import json
import re
import zipfile
from typing import Any
from urllib.parse import urlencode

import pytest

from app.sources import uploads
from app.state import PROPERTIES
from app.ui import texts
from tests.app.browser import settled, wait_for_graph

pytestmark = pytest.mark.browser

IMG = '<img src="x" onerror="window.broken=1">'
PAYLOADS = (
    IMG,
    "<script>window.broken=1</script>",
    '"><svg onload="window.broken=1">',
    "[link](javascript:window.broken=1)",
    "![i](http://192.0.2.1/x.png)",
    "**bold** `code` :red[red] :material/delete: $x^2$",
    "=cmd|' /C calc'!A0",
    "@SUM(1)",
    "\u202eabc\u2066def",
    "bell\u0007and\u001bescape",
    "{v} {n?one|many} %{x} {0}",
    "</script></style><style>body{display:none}</style>",
)
FOUND = """() => {
  const roots = [document, ...[...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)];
  const all = (selector) => roots.flatMap((root) => [...root.querySelectorAll(selector)]);
  const bad = [];
  if (window.broken) bad.push("a script ran");
  if (getComputedStyle(document.body).display === "none") bad.push("a style was taken");
  for (const e of all('img[src="x"], svg[onload], [onerror], a[href^="javascript"], img[src*="192.0.2.1"]'))
    bad.push(e.outerHTML.slice(0, 200));
  for (const e of all("script")) if (e.textContent.includes("window.broken") && !e.type)
    bad.push(e.outerHTML.slice(0, 200));
  for (const e of all("strong, b, code, em, .katex, [class*='stMarkdownColoredText']"))
    if (["bold", "code", "red", "x^2"].includes(e.textContent.trim())) bad.push(e.outerHTML.slice(0, 200));
  return bad;
}"""
FAILED = '[data-testid="stException"]'


def hostile() -> bytes:
    """A molecule whose every name is hostile; its elements are in an attribute of such a name."""
    ids = [*PAYLOADS, "C1", "N1"]
    elements = [("C", "N", "O")[i % 3] for i in range(len(ids))]
    nodes = [
        {
            "id": name,
            "label": f"{name} label",
            IMG: element,
            "=cmd": 1.5,
            "**bold**": PAYLOADS[i % len(PAYLOADS)],
        }
        for i, (name, element) in enumerate(zip(ids, elements, strict=True))
    ]
    links = [
        {"source": ids[i], "target": ids[(i + 1) % len(ids)], IMG: PAYLOADS[i % 5]} for i in range(len(ids))
    ]
    links += [{"source": IMG, "target": IMG}]  # a repair that names it
    graph = {"name": PAYLOADS[0] + PAYLOADS[5] + PAYLOADS[8], "label": PAYLOADS[1]}
    return json.dumps({"graph": graph, "nodes": nodes, "links": links}).encode()


def tu() -> bytes:
    """A data set to train on, its name hostile."""
    name = "=cmd<b>bold"
    pairs, graphs, labels = [], [], []
    for g in range(12):
        first = len(graphs) + 1
        n = 3 + g % 3
        graphs += [g + 1] * n
        pairs += [(first + i, first + (i + 1) % n) for i in range(n)]
        labels.append(g % 2)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        both = pairs + [(v, u) for u, v in pairs]
        archive.writestr(f"{name}/{name}_A.txt", "".join(f"{u}, {v}\n" for u, v in both))
        archive.writestr(f"{name}/{name}_graph_indicator.txt", "".join(f"{g}\n" for g in graphs))
        archive.writestr(f"{name}/{name}_graph_labels.txt", "".join(f"{label}\n" for label in labels))
    return packed.getvalue()


def check(page: Any, *, failed: bool = True) -> None:
    settled(page)
    assert page.evaluate(FOUND) == []
    if failed:
        assert page.locator(FAILED).count() == 0


@pytest.fixture
def watched(app: Any) -> Any:
    dialogs: list[str] = []
    open_page = app.open

    def opened(*args: Any, **options: Any) -> Any:
        page = open_page(*args, **options, own=True)
        page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
        return page

    app.open = opened
    yield app
    assert dialogs == []


@pytest.fixture(scope="module")
def source() -> str:
    made = uploads.keep(hostile(), f"{IMG}.json")
    assert uploads.in_link(made)
    return made


def test_step(watched: Any, source: str) -> None:
    page = watched.open(
        "?" + urlencode({"graph": source, "score": "degree", "labels": "label", "vertex": IMG, "step": 9})
    )
    page.get_by_text("The reduced graph:").wait_for()
    check(page)
    page.get_by_text("made while reading").click()
    page.keyboard.press("Home")
    for _ in range(3):
        page.keyboard.press("ArrowRight")
    check(page)
    page.keyboard.press("End")
    page.get_by_role("tab", name="Table").click()
    page.get_by_role("button", name="Download", exact=True).click()
    page.get_by_role("button", name="Download web page").wait_for()
    check(page)
    assert IMG in page.locator(".cluster").first.inner_text() or IMG in page.locator("p.about").inner_text()


def test_compare(watched: Any, source: str) -> None:
    link = urlencode({"graph": source, "methods": "mivspool,gpool", "vertex": IMG})
    page = watched.open(f"compare?{link}", graph=False)
    page.get_by_text("edges").first.wait_for(timeout=60_000)
    check(page)


def test_classify_one_and_many(watched: Any, source: str) -> None:
    page = watched.open("classify?" + urlencode({"graph": source, "model": "mao-mivspool"}), graph=False)
    said = re.compile("Predicted by|Not classified")
    found = page.locator("h4", has_text=said).or_(page.locator('[data-testid="stAlert"]'))
    found.first.wait_for(timeout=60_000)
    check(page)
    page = watched.open("classify?how=many", graph=False)
    page.locator('input[type="file"]').wait_for(state="attached", timeout=60_000)
    files = [
        {"name": f"{name}.json", "mimeType": "application/json", "buffer": content}
        for name, content in (
            (IMG.replace("/", ""), hostile()),
            ("=cmd", hostile()),
            ("**bold** [a](b)", b"{"),
        )
    ]
    page.locator('input[type="file"]').set_input_files(files)
    page.get_by_role("button", name="Classify 2 graphs").click()
    page.get_by_text(re.compile("graphs classified|could not|outside the domain")).first.wait_for(
        timeout=60_000
    )
    check(page)


def test_train_on_a_data_set_of_such_a_name(watched: Any) -> None:
    page = watched.open("train", graph=False)
    page.get_by_role("heading").or_(page.get_by_role("button")).first.wait_for(timeout=60_000)
    page.wait_for_function(
        "() => !document.querySelector('[data-testid=\"stStatusWidget\"]')", timeout=60_000
    )
    if page.locator('input[type="file"]').count():
        page.locator('input[type="file"]').first.set_input_files(
            {"name": f"{IMG} **bold**.zip", "mimeType": "application/zip", "buffer": tu()}
        )
    check(page)


@pytest.mark.parametrize("name", ["learn", "", "compare", "classify", "train", "results"])
def test_a_link_is_text(watched: Any, name: str) -> None:
    texts = {prop.name: IMG + "**bold**" for prop in PROPERTIES if prop.kind is str and prop.name != "hide"}
    numbers = {prop.name: "-9999999999" for prop in PROPERTIES if prop.kind is int}
    page = watched.open(f"{name}?{urlencode(texts | numbers)}", graph=False)
    page.locator('[data-testid="stMain"]').wait_for()
    check(page)
    if name == "":
        wait_for_graph(page)


@pytest.mark.parametrize("text", PAYLOADS)
def test_markdown_sees_no_mark(text: str) -> None:
    safe = texts.safe(text)
    assert not any(mark in safe for mark in ("\u202e", "\u2066", "\u0007", "\u001b"))
