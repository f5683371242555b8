"""The scripts' modules: who imports whom, and the one script that is made of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import mivspool
from mivspool.canvas import modules, notebook, settings, style
from mivspool.canvas.modules import FOLDER, imports, joined, ordered
from mivspool.canvas.payload import trace_data
from tests.app.browser import chromium
from tests.canvas.node import needs_node, run

FILES = sorted(FOLDER.rglob("*.js"))
# folder → the folders of which it may import
MAY: dict[str, set[str]] = {
    "model": set(),
    "read": {"model"},
    "draw": {"model"},
    "input": {"model"},
    "panels": {"model"},
    "modes": {"model", "draw", "input", "panels"},
    "host": {"model", "draw", "input", "panels", "modes"},
}
# outside a module of the model: what only a page has
PAGE = re.compile(
    r"\b(document|window|location|navigator|performance|requestAnimationFrame|setTimeout|\w*Element)\b"
)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.relative_to(FOLDER).as_posix())
def test_a_folder_knows_only_those_below_it(path: Path) -> None:
    folder = path.relative_to(FOLDER).parts[0]
    known = {other.relative_to(FOLDER).parts[0] for other in imports(path)}
    assert known <= MAY[folder] | ({folder} - {"modes"}), "modes know the store and not each other"


@pytest.mark.parametrize(
    "path",
    [path for path in FILES if path.parent.name in ("model", "read")],
    ids=lambda path: path.name,
)
def test_the_model_and_the_readers_know_no_page(path: Path) -> None:
    code = re.sub(r"//.*", "", path.read_text(encoding="utf-8"))
    of_json = {"document"} if path.parent.name == "read" else set()  # a parsed one
    assert set(PAGE.findall(code)) <= of_json
    assert not re.search(r"\bdocument\.(body|head|[a-z]+[A-Z])", code)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(modules, "FOLDER", tmp_path)
    return tmp_path


def test_each_module_comes_once_after_what_it_needs(folder: Path) -> None:
    (folder / "a.js").write_text('import { b } from "./b.js";\nimport {\n  c,\n} from "canvas/c.js";\n')
    (folder / "b.js").write_text('import { c } from "./c.js";\nexport const b = 1;\n')
    (folder / "c.js").write_text("export const c = 1;\n")
    assert [path.name for path in ordered("a.js")] == ["c.js", "b.js", "a.js"]
    assert [path.name for path in ordered("c.js", "b.js")] == ["c.js", "b.js"]


def test_a_circle_of_imports_is_refused(folder: Path) -> None:
    (folder / "a.js").write_text('import { b } from "./b.js";\n')
    (folder / "b.js").write_text('import { c } from "./c.js";\n')
    (folder / "c.js").write_text('import { b } from "./b.js";\n')
    with pytest.raises(ValueError, match=r"circle: b\.js → c\.js → b\.js"):
        joined("a.js")


@pytest.mark.parametrize(
    "line",
    [
        'import { b } from "./gone.js";',
        'import * as all from "./b.js";',
        'import b from "./b.js";',
        "export default 1;",
        "export let b = 1;",
        "export { b };",
    ],
)
def test_what_cannot_be_joined_is_refused(folder: Path, line: str) -> None:
    (folder / "a.js").write_text(f"{line}\n")
    (folder / "b.js").write_text("export const b = 1;\n")
    with pytest.raises(
        ValueError, match=r"a\.js (imports \./gone\.js|has an import or export of another form)"
    ):
        joined("a.js")


@needs_node
def test_private_names_of_two_modules_do_not_meet(folder: Path) -> None:
    (folder / "a.js").write_text(
        'import { b as other } from "./b.js";\nconst own = 1;\nexport const a = () => [own, other()];\n'
    )
    (folder / "b.js").write_text("const own = 2;\nexport function b() {\n  return own;\n}\n")
    script = f"{joined('a.js', 'b.js')}process.stdout.write(JSON.stringify([a(), b()]));"
    assert run("--eval", script) == "[[1,2],2]"


def test_the_joined_script_has_no_module_left_in_it() -> None:
    script = joined()
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert all(
        f'MODULES["{path.relative_to(FOLDER).as_posix()}"]' in script for path in ordered(modules.ENTRY)
    )


_PAGE = """<!doctype html><meta charset="utf-8"><style>{style}</style><body><main></main>{script}"""
_START = """
{settings}
const parentElement = document.querySelector("main");
mount({{ parentElement, data: {data}, setStateValue() {{}}, setTriggerValue() {{}} }}, SETTINGS);
"""
_SHOWN = """() => {
  const box = document.querySelector(".mivspool");
  const text = (kind) => box.querySelector(kind).innerText;
  return [text(".sentence"), text(".why"), text(".bars"), box.querySelectorAll("canvas").length];
}"""


@pytest.mark.browser
def test_the_modules_and_the_one_script_are_the_same_canvas() -> None:
    level = mivspool.step(mivspool.open_source("karate"), "degree")[0]
    trace = trace_data(level, notebook._places(level))
    options = {"layout": "full", "height": 300, "labels": "id", "scores": True, "keys": True}
    data = {"trace": trace, "options": options, "start": {"step": 0, "vertex": 33, "n": 1}}
    start = _START.format(settings=settings(), data=json.dumps(data).replace("</", "<\\/"))
    forms = {
        "modules": f'<script type="module">import {{ mount }} from "/js/{modules.ENTRY}";{start}</script>',
        "one script": f"<script>(() => {{ {joined()}{start} }})();</script>",
    }
    asked = []

    def answer(route: Any) -> None:
        path = route.request.url.removeprefix("http://canvas.test/")
        if path.startswith("js/"):
            asked.append(path)
            route.fulfill(body=(FOLDER.parent / path).read_text("utf-8"), content_type="text/javascript")
        else:
            form = path.replace("%20", " ")
            route.fulfill(body=_PAGE.format(style=style(), script=forms[form]), content_type="text/html")

    shown = {}
    with chromium() as browser:
        context = browser.new_context()
        context.route("**", answer)
        for form in forms:
            page = context.new_page()
            page.goto(f"http://canvas.test/{form}")
            page.locator(".sentence", has_text="Iteration 0").wait_for()
            page.keyboard.press("ArrowRight")
            shown[form] = page.evaluate(_SHOWN)
            page.close()
    assert shown["modules"] == shown["one script"]
    assert shown["modules"][0].startswith("Iteration 1 of 2")
    assert len(asked) == len(ordered(modules.ENTRY))
