"""The static site: opened from a disk or under any path it steps, asks for nothing outside, and every link leads on."""

from __future__ import annotations

import base64
import io
import re
import time
import zlib
from collections.abc import Iterator
from html import escape
from html.parser import HTMLParser
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import unquote, urldefrag

import numpy as np
import pytest
from PIL import Image

from app.ui import class_plots
from mivspool import site as site_module
from mivspool.content.compare import reductions
from mivspool.errors import DatasetError, InputError, ModelError, ReadError
from mivspool.graphs import load_dataset, open_source
from mivspool.graphs.collections.classics import CLASSICS
from mivspool.graphs.collections.teaching import PRESETS
from mivspool.graphs.fit import fit_graph
from mivspool.graphs.read import read_graphs
from mivspool.learning.models import load_model
from mivspool.lecture import exercises
from mivspool.lecture.chapters import CHAPTERS, Chapter
from mivspool.lecture.markup import markup
from mivspool.messages import sentence
from mivspool.site import PREVIEW, PREVIEW_SIZE, graphs, smiles, strings, write_site
from mivspool.site.models import released
from mivspool.site.pages import chapter_file
from mivspool.site.results import VIEWS, Written, view_file
from tests.app.browser import chromium, serious
from tests.canvas.node import answers, needs_node
from tests.site.smiles import RDKIT, needs_rdkit
from tools import preview
from tools.site import served

RESULTS = [*(view_file(name) for name in VIEWS if name not in ("1", "3")), "results-curves-mao.html"]
PAGES = [
    *(chapter_file(chapter.name) for chapter in CHAPTERS),
    "step.html",
    "compare.html",
    "classify.html",
    *RESULTS,
]
LOOKS = [[(1440, "light"), (390, "dark")], [(390, "light"), (1440, "dark")]]
STORE = "document.querySelector('.canvas').shadowRoot.querySelector('.mivspool').store"
STATE = f"{STORE}.state"
VIEW = "document.querySelector('.canvas').shadowRoot.querySelector('.stage:not(.before)').view"


COMPARED = ("preset:rising-path", "preset:tie", "karate", "MAO:3")  # the whole site's takes long


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("web") / "some" / "where"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graphs.Entry, "compared", property(lambda entry: entry.source in COMPARED))
        rdkit = RDKIT if RDKIT.exists() else None
        written = write_site(made, ["preset:tie"], rdkit=rdkit)
    assert written.size == sum(file.stat().st_size for file in made.rglob("*") if file.is_file())
    return made


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """A site of a few graphs, where only the folder matters."""
    monkeypatch.setattr(graphs, "CHALLENGES", 0)
    monkeypatch.setattr(graphs, "MAO", ("MAO:3",))
    monkeypatch.setattr(graphs, "CLASSICS", {"karate": CLASSICS["karate"]})


class Links(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inline: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.found += [value for name, value in attrs if name in {"href", "src"} and value]
        self.inline += [name for name, _ in attrs if name == "style" or name.startswith("on")]
        if tag == "style" or (tag == "script" and "src" not in given):
            self.inline.append(tag)


@pytest.mark.parametrize("name", PAGES)
def test_every_link_leads_to_a_file_of_the_site(folder: Path, name: str) -> None:
    links = Links((folder / name).read_text(encoding="utf-8"))
    assert links.inline == [], "the policy would refuse it"
    assert len(links.found) >= 10
    for link in links.found:
        path = urldefrag(link).url
        assert not re.match(r"[a-z]+:|/", path), "relative, so that it works under any path"
        assert not path or (folder / path).is_file(), link


def test_it_is_small_and_asks_for_no_other_host(folder: Path) -> None:
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != smiles.FILE]
    size = {file: file.stat().st_size for file in files}
    models = {file for file in files if file.parent.name == "models"}
    assert len(models) == len(released()) > 5
    assert max(size[file] for file in models) < 1_500_000
    picture = preview.PATH.stat().st_size
    assert sum(size.values()) - sum(size[file] for file in models) + picture < 3_000_000
    for file in files:
        text = file.read_bytes().decode("utf-8", "replace")
        hosts = set(re.findall(r"https?://[^/\"'\s<]+", text)) - {"http://www.w3.org"}
        assert not hosts, (file.name, hosts)


def test_a_link_to_a_page_has_a_picture_elsewhere_where_the_sites_address_is_known(
    folder: Path, tmp_path: Path
) -> None:
    text = (folder / "learn-meer.html").read_text(encoding="utf-8")
    assert '<meta property="og:title" content="Meer' in text
    assert f'<meta property="og:description" content="{strings.ABOUT}">' in text
    assert "og:image" not in text, "it needs an absolute address"
    assert not (folder / PREVIEW).exists()
    pages = {name: (folder / name).read_text(encoding="utf-8") for name in PAGES}
    made = site_module._previewed(pages, "https://class.example/pooling")
    assert made.keys() == {*PAGES, PREVIEW}
    for name in PAGES:
        found = re.findall(r'<meta (?:property|name)="([\w:]+)" content="([^"]*)">', made[name].decode())
        tags = dict(found)
        assert tags["og:image"] == f"https://class.example/pooling/{PREVIEW}"
        assert tags["og:url"] == f"https://class.example/pooling/{'' if name == 'index.html' else name}"
        assert (tags["og:image:width"], tags["og:image:height"]) == tuple(map(str, PREVIEW_SIZE))
        assert tags["twitter:card"] == "summary_large_image"
    with pytest.raises(InputError, match="no address of a site"):
        write_site(tmp_path / "other", address='https://x.example/"><script>')


def test_the_picture_is_small_and_is_what_its_command_draws() -> None:
    data = preview.PATH.read_bytes()
    assert len(data) < 60_000
    with Image.open(preview.PATH) as stored, Image.open(io.BytesIO(preview.picture())) as made:
        assert stored.size == PREVIEW_SIZE
        pixels = [np.asarray(one.convert("RGB"), dtype=int) for one in (stored, made)]
    assert np.mean(np.abs(pixels[0] - pixels[1]).max(-1) > 40) < 0.01  # fonts differ a little


def test_presets_keep_their_own_scores_and_chapters_find_their_graphs() -> None:
    made, _ = graphs.entries()
    by_source = {entry.source: entry for entry in made}
    for scene in graphs.scenes():
        assert scene.score in by_source[scene.source].scores
    given = by_source["preset:tie"]
    assert next(iter(given.scores)) == graphs.GIVEN
    assert given.data()[graphs.GIVEN][0]["trace"]["score"] == list(PRESETS["tie"].score)
    for levels in by_source["karate"].data().values():  # with few digits, and still in their order
        for trace in (
            level["trace"] for level in levels if "score" in level["trace"] and "rank" in level["trace"]
        ):
            best = np.array(trace["score"])[np.argsort(trace["rank"])]
            assert trace.get("learned") or (np.diff(best) <= 0).all()
    assert len({entry.file for entry in made}) == len(made)


@pytest.mark.usefixtures("few")
def test_each_exercise_stands_with_its_answer_below_its_chapter(folder: Path) -> None:
    for chapter in CHAPTERS:
        text = (folder / chapter_file(chapter.name)).read_text(encoding="utf-8")
        for number, one in exercises.of(chapter.name):
            assert f"<summary>{number} · {escape(one.title)}</summary>" in text
            assert f"<p>{markup(one.answer)}</p>" in text


def test_own_graphs_come_along_with_their_names_as_data(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(site_module, "results_pages", Written)
    monkeypatch.setattr(graphs.Entry, "compared", property(lambda entry: entry.source == "preset:tie"))
    hostile = "</script><img src=x onerror=alert(1)>"
    own = tmp_path / "my own.csv"
    own.write_text(f'source,target\n"{hostile}",b\nb,c\n', encoding="utf-8")
    written = write_site(tmp_path, [str(own), "karate"], overwrite=True)
    assert written.graphs == len(graphs.entries()[0]) + 1
    assert own.is_file(), "files of other names stay"
    page = (tmp_path / "step.html").read_text(encoding="utf-8")
    assert page.count("<img") == 0
    assert "my own" in page


@pytest.mark.usefixtures("few")
def test_a_data_set_that_is_not_here_is_left_out_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    opened = graphs.open_source
    needs = {f"preset:{name}" for name, preset in PRESETS.items() if ":" in str(preset.source)}
    assert needs == {"preset:molecule", "preset:protein"}

    def absent(source: str) -> Any:
        if source in needs:
            raise DatasetError("it is not on this machine")
        return opened(source)

    monkeypatch.setattr(graphs, "open_source", absent)
    made, missing = graphs.entries()
    assert sorted(missing) == [f"{source}: it is not on this machine" for source in sorted(needs)]
    assert not needs & {entry.source for entry in made}


@pytest.mark.usefixtures("few")
def test_a_folder_that_cannot_be_used_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = tmp_path / "mine.txt"
    kept.write_text("mine")
    with pytest.raises(InputError, match=r"is not empty.*--overwrite"):
        write_site(tmp_path)
    with pytest.raises(InputError, match="is a file"):
        write_site(kept)
    with pytest.raises(InputError, match=r"cannot be (written|used)"):
        write_site(kept / "below")
    monkeypatch.setattr(graphs, "MOST_VERTICES", 5)
    with pytest.raises(InputError, match=r"at most 5$"):
        write_site(tmp_path / "new")
    assert not (tmp_path / "new").exists()


@pytest.mark.usefixtures("few")
def test_an_archive_that_is_not_rdkits_is_refused(tmp_path: Path) -> None:
    for archive, says in (
        ("absent.tgz", r"cannot be read \(No such file"),
        ("other.tgz", "another checksum"),
    ):
        (tmp_path / "other.tgz").write_bytes(b"\x1f\x8b")
        with pytest.raises(InputError, match=rf"{says}.*npm pack @rdkit/rdkit@{smiles.VERSION}"):
            write_site(tmp_path / "new", rdkit=tmp_path / archive)
    assert not (tmp_path / "new").exists()


def test_the_version_that_is_fetched_is_the_one_whose_checksum_is_known() -> None:
    root = Path(__file__).resolve().parents[2]
    for name in ("Makefile", ".github/workflows/site.yml"):
        text = (root / name).read_text(encoding="utf-8")
        assert f" {smiles.PACKAGE}@{smiles.VERSION}" in text
        assert smiles.ARCHIVE in text


@needs_node
def test_a_link_says_again_what_it_was_made_of() -> None:
    """Whatever an id or a source holds; what is empty and what no link knows is left out."""
    hostile = 'a&b=c#d %3A é\u202e"<b>'
    values = [
        {"graph": "preset:tie", "vertex": hostile, "step": "2"},
        {"graph": hostile},
        {},
        {"mode": "", "else": "x"},
    ]
    numbers = ["3", "", None, "-1", "1e3", "1234567", "12 "]
    found = answers(Path(__file__).parent / "link.mjs", {"values": values, "numbers": numbers})
    assert found["links"][0].startswith("#graph=preset:tie&step=2&vertex=")
    assert found["read"] == [*values[:3], {}]
    assert found["links"][2:] == ["", ""]
    assert found["numbers"] == [3, 0, 0, 0, 0, 0, 0]


# ---- in a browser -----------------------------------------------------------------------------------------------


def until(page: Any, expression: str) -> None:
    """Wait for JavaScript to be true; asked from outside, since the site's own pages evaluate no strings."""
    end = time.monotonic() + 30
    while not page.evaluate(expression):
        assert time.monotonic() < end, expression
        time.sleep(0.05)


class Site:
    """Pages of the site that watch what they ask for."""

    def __init__(self, context: Any, root: str) -> None:
        self.context, self.root = context, root
        self.asked: list[str] = []
        self.errors: list[str] = []

    def open(self, link: str, *, width: int = 1280, scheme: str = "light") -> Any:
        page = self.context.new_page()
        page.set_viewport_size({"width": width, "height": 850})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.set_default_timeout(20_000)
        page.on("request", lambda request: self.asked.append(request.url))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("console", lambda m: self.errors.append(m.text) if m.type in {"error", "warning"} else None)
        page.goto(f"{self.root}/{link}")
        kind = re.match(r"\w+", link)
        page.locator(READY.get(kind[0] if kind else "", ".sentence")).first.wait_for()
        return page


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with chromium() as found:
        yield found


@pytest.fixture(scope="module")
def disk(folder: Path, browser: Any) -> Iterator[Site]:
    """From a disk alone, where it makes no difference."""
    yield from watched(browser, folder.as_uri())


@pytest.fixture(scope="module", params=["file", "http"])
def site(request: pytest.FixtureRequest, folder: Path, browser: Any) -> Iterator[Site]:
    """From a disk, and from a web server below a path of its own."""
    if request.param == "file":
        yield from watched(browser, folder.as_uri())
        return
    with served(folder.parent.parent) as root:
        yield from watched(browser, f"{root}/some/where")


def watched(browser: Any, root: str) -> Iterator[Site]:
    """Pages of the site, which may ask for nothing but the site, and complain of nothing."""
    found = Site(browser.new_context(), root)
    yield found
    assert [url for url in found.asked if not url.startswith(root)] == []
    assert found.errors == []


def said(page: Any) -> str:
    return str(page.locator(".sentence").inner_text())


@pytest.mark.browser
def test_chapters_step_follow_each_other_and_open_in_step(site: Site) -> None:
    page = site.open("index.html")
    for chapter in CHAPTERS[1:]:
        page.locator("a[rel=next]").click()
        page.get_by_role("heading", level=1, name=chapter.title).wait_for()
        page.locator(".sentence").wait_for()
    page = site.open("learn-mivs.html")
    page.keyboard.press("End")
    assert said(page).startswith("Reduced graph")
    page.locator("[data-light='vertex:0']").hover()
    assert page.evaluate(f"{VIEW}.marks") == [0]
    assert page.locator("math").count() == 2
    page.get_by_role("link", name="Open in Step").click()
    page.get_by_role("button", name="Level 0 · 9 vertices").wait_for()
    assert said(page).startswith("Reduced graph")
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (390, "dark")])
def test_a_link_opens_what_was_seen(site: Site, width: int, scheme: str) -> None:
    link = "step.html#graph=karate&score=degree&level=1&step=1&vertex=33"
    page = site.open(link, width=width, scheme=scheme)
    assert said(page).startswith("Iteration 1")
    assert page.get_by_role("button", name="1 · 4").get_attribute("aria-pressed") == "true"
    assert page.locator("#graph").input_value() == "karate"
    page.get_by_role("heading", name="vertex 33").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator("#graph").select_option("preset:tie")
    page.get_by_text("Vertices 1 and 2 have equal scores").wait_for()
    assert page.locator("#score").input_value() == "given"
    page.go_back()
    page.get_by_text("Friendships in a club").wait_for()
    theme = page.get_by_role("button", name=re.compile("Switch to the"))
    before = page.evaluate("getComputedStyle(document.body).backgroundColor")
    theme.click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before
    page.reload()
    page.locator(".sentence").wait_for()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != before, "the choice is kept"
    page.evaluate("localStorage.clear()")
    page.close()


@pytest.mark.browser
def test_what_is_said_of_the_vertex_under_the_pointer_follows_the_steps(disk: Site) -> None:
    page = disk.open("step.html#graph=preset:bridge")
    x, y = page.evaluate(f"[{VIEW}.sx(6), {VIEW}.sy(6)]")
    page.locator(".stage").hover(position={"x": x, "y": y})
    assert page.locator(".tip").inner_text() == "6 · 0.85 · candidate"
    page.keyboard.press("ArrowRight")
    assert page.locator(".tip").inner_text() == "6 · 0.85 · survivor"
    page.close()


@pytest.mark.browser
def test_predict_asks_answers_and_offers_another_graph(site: Site) -> None:
    page = site.open("step.html#graph=preset:bridge&mode=predict")
    assert page.locator("header nav [aria-current=page]").inner_text() == "Predict"
    assert page.locator(".below").inner_text() == "", "it would give the answer away"
    stage = page.locator(".stage")
    x, y = page.evaluate(f"[{VIEW}.sx(6), {VIEW}.sy(6)]")
    stage.click(position={"x": x, "y": y})
    page.get_by_role("button", name="Check").click()
    page.get_by_text("1 of 2 correct", exact=False).first.wait_for()
    page.get_by_role("button", name="Harder").click()
    page.get_by_role("button", name="Check").wait_for()
    assert "graph=preset:bridge" not in page.url
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("chapter", [chapter for chapter in CHAPTERS if "own:" in str(chapter.text)])
def test_formulas_hold_the_numbers_of_the_selected_vertex(disk: Site, chapter: Chapter) -> None:
    page = disk.open(chapter_file(chapter.name), width=390, scheme="dark")
    places = page.locator("[data-own]")
    names = [paragraph[4:] for paragraph in chapter.text if paragraph.startswith("own:")]
    assert places.evaluate_all("all => all.map((one) => one.dataset.own)") == names
    for place in places.all():
        assert place.evaluate("one => getComputedStyle(one).display") == "block"
        button = place.get_by_role("button").last
        vertex = int(button.get_attribute("data-vertex"))
        button.hover()
        assert page.evaluate(f"{STATE}.hovered") == vertex
        assert "lit" in button.get_attribute("class")
        button.focus()
        page.keyboard.press("Enter")
        assert page.evaluate(f"{STATE}.vertex") == vertex
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("chapter", [chapter for chapter in CHAPTERS if "$$" in str(chapter.text)])
def test_symbols_and_vertices_light_each_other(disk: Site, chapter: Chapter) -> None:
    page = disk.open(chapter_file(chapter.name))
    symbols = page.locator("math [data-light]")
    assert symbols.count() > 3
    for symbol in symbols.all():
        symbol.hover()
        marks = page.evaluate(f"{VIEW}.marks")
        assert marks
        assert "lit" in symbol.get_attribute("class")
        page.locator("h1").hover()
        assert page.evaluate(f"{VIEW}.marks") == []
        page.evaluate(f"{STORE}.dispatch({{type: 'hover', vertex: {marks[0]}}})")  # pointed at in the graph
        assert "lit" in symbol.get_attribute("class")
        page.evaluate(f"{STORE}.dispatch({{type: 'hover', vertex: -1}})")
        assert "lit" not in symbol.get_attribute("class")
    reached = page.locator("math [tabindex]")
    reached.first.focus()
    for symbol in reached.all()[1:5]:
        page.keyboard.press("Tab")
        while page.evaluate("!document.activeElement.closest('math')"):  # numbers below a formula
            page.keyboard.press("Tab")
        assert symbol.evaluate("one => one === document.activeElement && one.matches(':focus-visible')")
        assert page.evaluate(f"{VIEW}.marks")
    page.close()


@pytest.mark.browser
def test_a_graph_is_changed_without_python_and_its_link_holds_the_change(site: Site) -> None:
    page = site.open("step.html#graph=preset:bridge")
    page.get_by_role("button", name="Edit", exact=True).click()
    bar = page.locator(".bars [role=option]").filter(has_text="0.31")  # 2, between its clique and the other
    end = bar.locator("i").bounding_box()
    assert end is not None
    page.mouse.move(end["x"] + end["width"] - 2, end["y"] + 4)
    page.mouse.down()
    page.mouse.move(end["x"] + 3 * end["width"], end["y"] + 4, steps=5)
    page.mouse.up()
    page.get_by_text("2 now survives instead of 1").wait_for()
    page.wait_for_url("**change=**")
    page.get_by_text("Two cliques and a bridge, edited").wait_for()
    page.keyboard.press("End")
    survivors = page.evaluate(f"{STATE}.trace.data.ids.filter((_, v) => {STATE}.trace.survivor[v])")
    heads = "[...document.querySelector('.below .S').tHead.rows[0].cells].slice(1).map((th) => th.innerText).join()"
    until(page, f"{heads} === '{','.join(survivors)}'")  # S is the changed graph's
    assert page.locator(".below .badges").inner_text().count("independent") == 1
    page.locator(".stage").focus()
    page.keyboard.press("a")  # a vertex of its own
    page.get_by_text("11 vertices", exact=False).first.wait_for()
    until(page, "document.querySelector('.below .badges').textContent.includes('11 →')")
    page.keyboard.press("ArrowLeft")
    page.wait_for_timeout(500)  # the cursor rests
    link, shown = page.url, page.evaluate(f"JSON.stringify([{STATE}.trace.data.score, {STATE}.step])")
    page.close()

    page = site.open(link.removeprefix(f"{site.root}/"), width=390, scheme="dark")
    page.locator(".edit .change").get_by_text("2", exact=True).first.wait_for()
    assert page.evaluate(f"JSON.stringify([{STATE}.trace.data.score, {STATE}.step])") == shown
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Side by side").click()
    page.locator(".stage.before").wait_for()
    page.get_by_role("button", name="Step through").click()
    page.get_by_role("button", name="Level 0 · 11 vertices").wait_for()
    page.locator("#levels button").last.click()
    page.get_by_role("button", name="Edit", exact=True).click()
    page.get_by_role("button", name="Reset").click()
    until(page, "!location.hash.includes('change=')")
    assert page.get_by_role("button", name="Back to the original graph").count() == 0
    page.get_by_role("button", name=re.compile("^Undo")).click()
    until(page, "location.hash.includes('change=')")
    page.get_by_role("button", name="Set as reference").click()
    until(page, "location.hash.includes('origin=')")
    page.get_by_role("button", name="Back to the original graph").click()
    page.get_by_role("button", name="Level 0 · 10 vertices").wait_for()
    assert "change=" not in page.url
    page.close()


@pytest.mark.browser
def test_a_change_that_does_not_fit_gets_a_sentence(disk: Site) -> None:
    page = disk.open("step.html#graph=preset:bridge&mode=edit&change=AAAA")
    assert "do not fit this graph" in page.locator(".notice:visible").inner_text()
    assert page.evaluate(f"{STATE}.trace.n") == 10
    page.close()


@pytest.mark.browser
def test_compare_shows_methods_side_by_side_and_its_link_again(site: Site) -> None:
    page = site.open("compare.html#graph=karate&methods=mivspool,gpool&level=1&vertex=5")
    heads = page.locator(".panels .head")
    assert heads.all_inner_texts() == ["MIVSPool, multiview", "gPool"]
    assert page.locator(".measures thead th").all_inner_texts()[2:] == ["MIVSPool, multiview", "gPool"]
    assert page.locator(".panels .say").last.inner_text() == "5 is dropped; its features are lost"
    does = page.locator(".does li").all_inner_texts()
    assert [f"- {one}" for one in does] == [
        line.replace("**", "") for line in reductions.what_each_does(["mivspool", "gpool"])
    ]
    page.get_by_role("button", name="DiffPool").click()
    heads.nth(2).wait_for()
    link = page.url
    page.get_by_role("button", name="level 3").click()
    page.get_by_role("button", name="All methods").click()
    heads.nth(14).wait_for()
    page.go_back()
    page.go_back()
    until(page, "document.querySelectorAll('.panels figure').length === 3")
    assert page.url == link
    page.locator("#graph").select_option("preset:tie")
    page.get_by_text("4 vertices", exact=False).first.wait_for()
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize(("width", "seen"), [(1280, True), (390, False)])
def test_the_list_of_methods_does_not_fill_a_phones_screen(site: Site, width: int, seen: bool) -> None:
    page = site.open("compare.html#graph=karate&methods=gpool,diffpool", width=width)
    assert page.locator("#methods").is_visible() is seen
    summary = page.locator(".which summary")
    assert summary.inner_text() == ("Methods" if seen else "Methods: gPool, DiffPool")
    if not seen:
        assert page.locator(".panels .head").first.bounding_box()["y"] < 850
        summary.click()
    page.get_by_role("button", name="MIVSPool, degree").click()
    assert page.locator(".chosen").text_content() == ": gPool, DiffPool, MIVSPool, degree"
    page.close()


@pytest.mark.browser
def test_what_is_done_while_a_reload_is_on_its_way_is_there_after_it(folder: Path, browser: Any) -> None:
    """A server may take a while to answer, and the page goes on until it does."""
    held: list[Any] = []
    with served(folder.parent.parent) as root:
        for site in watched(browser, f"{root}/some/where"):
            page = site.open("step.html#graph=MAO:3&mode=edit")
            page.route("**/step.html", lambda route: held.append(route))
            with page.expect_console_message(lambda message: message.text == "done"):
                page.evaluate(
                    f"""() => void setTimeout(() => {{
                      location.reload();
                      setTimeout(() => {STORE}.dispatch({{ type: "add", x: 0, y: 0 }}), 100);
                      setTimeout(() => console.log("done"), 1500);
                    }}, 0)"""
                )
            with page.expect_event("domcontentloaded"):
                held[0].continue_()
            page.get_by_text("MAO:3, edited").wait_for()


@pytest.mark.browser
def test_an_edited_graph_is_compared_in_the_page(disk: Site) -> None:
    page = disk.open("step.html#graph=MAO:3&mode=edit")
    page.locator(".stage").focus()
    page.keyboard.press("a")  # a vertex of its own
    until(page, "location.hash.includes('change=')")
    page.get_by_role("link", name="Compare").click()
    page.locator(".measures td").first.wait_for()
    assert page.locator(".about").inner_text().startswith("MAO:3, edited · 15 vertices")
    assert page.locator("#methods button").count() == 5
    assert page.locator(".panels .head").all_inner_texts() == [
        "MIVSPool, the graph's scores",
        "gPool, the graph's scores",
    ]
    page.get_by_role("link", name="Step").click()
    page.get_by_text("MAO:3, edited").wait_for()
    page.goto(f"{disk.root}/compare.html#graph=MAO:3&change=AAAA")
    page.get_by_text("do not fit this graph", exact=False).wait_for()
    page.close()


@pytest.mark.browser
def test_a_graph_of_ones_own_is_read_in_the_page(site: Site) -> None:
    table = "source,target,score\na,b,1\nb,c,2\nc,a,1\nc,d,2\n"
    page = site.open("step.html")
    page.locator(".upload summary").click()
    page.locator(".upload button").click()
    page.get_by_text("Paste or type a graph").wait_for()
    page.locator(".upload textarea").fill("a b\nb c\na b c d e f\n")
    page.locator(".upload button").click()
    with pytest.raises(ReadError) as refused:
        read_graphs(b"a b\nb c\na b c d e f\n", "pasted.txt")
    page.get_by_text(f"{sentence(refused.value.message)} (line 3)").wait_for()
    if find_spec("axe_playwright_python"):
        assert serious(page) == []
    page.locator(".upload textarea").fill(table)
    page.locator(".upload button").click()
    page.get_by_text("pasted · 4 vertices · 4 edges").wait_for()
    (graph,) = read_graphs(table.encode(), "pasted.txt")
    assert page.locator(".read-as p").inner_text().startswith(graph.read_as)
    assert page.evaluate(f"{STATE}.trace.edges") == graph.edges.T.ravel().tolist()
    packed = unquote(page.url.split("graph=z.")[1]).partition("~")[0].partition("&")[0]
    whole = zlib.decompress(base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)))
    assert whole == b"pasted.txt\0" + table.encode(), "the app reads the same link"
    page.get_by_role("link", name="Compare").click()
    page.locator(".measures td").first.wait_for()
    assert page.locator(".about").inner_text() == "pasted · 4 vertices · 4 edges"
    assert page.locator("#methods button").count() == 5
    page.get_by_role("link", name="Classify").click()
    page.locator(".refused h2, .predicted").first.wait_for()
    assert page.locator("p.about").inner_text() == "pasted · 4 vertices, 4 edges"
    page.get_by_role("link", name="Step").click()
    page.get_by_role("button", name="The first line is not a heading").click()
    page.get_by_text("pasted · 6 vertices · 5 edges").wait_for()
    page.get_by_role("button", name="Detect automatically").wait_for()
    page.goto(f"{site.root}/step.html#graph=z.AAAA~0")
    page.get_by_text("this link is damaged").wait_for()
    page.close()


@pytest.mark.browser
def test_files_are_dropped_and_large_ones_stay_with_the_tab(disk: Site) -> None:
    page = disk.open("classify.html")
    carbons = "".join(f'<node id="{v}"><data key="s">C</data></node>' for v in range(30))
    edges = "".join(f'<edge source="{v}" target="{v + 1}"/>' for v in range(29))
    text = (
        '<graphml><key id="s" for="node" attr.name="label" attr.type="string"/>'
        f"<graph>{carbons}{edges}</graph></graphml>"
    )
    noise = "".join(map(str, np.random.default_rng(0).integers(0, 10**9, 2000)))  # so that no link holds it
    files = [{"name": "chain.graphml", "mimeType": "text/xml", "buffer": f"{text}<!--{noise}-->".encode()}]
    page.locator(".upload input").set_input_files(files)
    page.get_by_text("chain · 30 vertices, 29 edges").wait_for()
    until(page, "location.hash.includes('file-')")
    page.get_by_role("link", name="Step").click()
    page.get_by_text("chain · 30 vertices · 29 edges").wait_for()
    dropped = """() => {
      const carried = new DataTransfer();
      carried.items.add(new File(["id,name\\na,x\\nb,y\\nc,z\\n"], "nodes.csv"));
      carried.items.add(new File(["source,target\\na,b\\n"], "edges.csv"));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
    }"""
    page.evaluate(dropped)
    page.get_by_text("edges · 3 vertices · 1 edge").wait_for()
    assert "the vertices are those of nodes.csv" in page.locator(".read-as").inner_text()
    page.goto(f"{disk.root}/step.html#graph=file-0~0")
    page.get_by_text("no longer kept").wait_for()
    page.close()


@pytest.mark.browser
@pytest.mark.parametrize("name", ["step", "compare", "classify"])
def test_no_name_makes_a_page_wider_than_a_phone(disk: Site, name: str) -> None:
    ids = [f"{'v' * 58}{i:02d}" for i in range(40)]
    edges = "\n".join(f"{v} {ids[(7 * i + 1) % 40]}" for i, v in enumerate(ids))
    page = disk.open(f"{name}.html", width=390)
    file = {"name": f"{'n' * 3000}.edgelist", "mimeType": "text/plain", "buffer": edges.encode()}
    page.locator(".upload input").set_input_files([file])
    page.get_by_text("40 vertices").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    page.close()


@pytest.mark.browser
def test_classify_says_what_the_library_says(site: Site) -> None:
    model, graph = load_model("mao-mivspool"), load_dataset("MAO")[3]
    (answer,) = model.classify([graph])
    assert answer.calibrated is not None
    page = site.open("classify.html#graph=MAO:3&block=1")
    share = max(answer.calibrated)
    assert page.locator(".predicted").inner_text() == (
        f"Predicted by mao-mivspool: MAO inhibitor (class 0), p = {share:.3f}. Correct."
    )
    assert page.locator(".mp-classes .share").first.inner_text().split()[0] == f"{share:.3f}"
    left = model.leave_out(graph, 1)
    bars = page.locator(".left-out [role=button]")
    assert bars.count() == len(left)
    whole = max(answer.probabilities)
    best = answer.classes.index(answer.predicted)
    expected = {one.cluster: f"{one.probabilities[best]:.3f}" for one in left}
    for bar in bars.all():
        survivor = bar.locator("bdi").first.inner_text()
        assert bar.locator(".value").inner_text().split()[0] == expected[survivor]
    assert page.locator(".left-out .all .value").inner_text() == f"{whole:.3f}"
    changes = [
        SimpleNamespace(survivor=one.cluster, change=one.probabilities[best] - whole)
        for one in sorted(left, key=lambda one: one.probabilities[best])
    ]
    said = class_plots.left_out_sentence(changes, "MAO inhibitor (class 0)")
    assert page.locator(".contributions p").first.inner_text() == said
    level = answer.levels[1]
    assert page.evaluate(f"{STATE}.trace.ids") == list(level.nodes)
    assert page.evaluate(f"Array.from({STATE}.trace.survivor)") == level.trace.survivor.int().tolist()
    bars.first.hover()
    assert len(page.evaluate(f"{VIEW}.marks")) > 0, "a bar lights its cluster"
    page.get_by_text("Open the network at the selected vertex").click()
    for vertex in level.nodes[:2]:
        page.evaluate(f"{STORE}.dispatch({{type: 'select', vertex: {level.nodes.index(vertex)}}})")
        page.locator(".mp-inside h4").filter(has_text=f"Pooling of vertex {vertex}").wait_for()
        (score,) = [layer["score"] for layer in model.inside(graph, vertex) if layer["kind"] == "pooling"][
            1:2
        ]
        assert f"{score:.4f}, the sigmoid" in page.locator(".mp-inside").inner_text()
    page.get_by_text("The network, layer by layer").click()
    assert page.locator(".layers tbody tr").count() == len(model.classifier.layers)
    page.get_by_role("button", name=re.compile("^Block 1")).click()
    until(page, "!location.hash.includes('block=')")
    page.close()


@pytest.mark.browser
def test_a_graph_that_is_no_models_gets_the_librarys_sentences(disk: Site) -> None:
    page = disk.open("classify.html#graph=karate&model=mao-mivspool")
    with pytest.raises(ModelError) as refused:
        fit_graph(open_source("karate"), load_model("mao-mivspool").schema)
    said = page.locator(".refused .notice").inner_text()
    assert said == f"mao-mivspool cannot classify this graph: {refused.value.message}"
    page.locator("#model").select_option("dd-structure")
    page.get_by_role("button", name="Classify anyway").click()
    page.locator(".predicted").wait_for()
    assert "its probability does not hold here" in page.locator(".notes").inner_text()
    assert "not calibrated" in page.locator(".shares").inner_text()
    page.close()


@pytest.mark.browser
@needs_rdkit
def test_a_pasted_smiles_is_classified_in_the_page(site: Site) -> None:
    text = "CN1CCC2=C(C1)C1=CC=CC=C1N2 carboline"
    (graph,) = read_graphs(text.encode(), "pasted.txt")
    (answer,) = load_model("mao-mivspool").classify([graph])
    assert answer.calibrated is not None
    page = site.open("classify.html#model=mao-mivspool")
    assert not [url for url in site.asked if url.endswith(smiles.FILE)], "it is loaded when it is used"
    page.locator(".upload summary").click()
    assert "SMILES" in page.locator(".upload").inner_text()
    page.locator(".upload textarea").fill("C(=O)=(C)")
    page.locator(".upload button").click()
    with pytest.raises(ReadError) as refused:
        read_graphs(b"C(=O)=(C)", "pasted.txt")
    page.get_by_text(f"{sentence(refused.value.message)} (line 1)").wait_for()
    page.locator(".upload textarea").fill(text)
    page.locator(".upload button").click()
    page.get_by_text("carboline · 14 vertices, 16 edges").wait_for()
    page.locator(".contributions p").first.wait_for()
    share = max(answer.calibrated)
    assert page.locator(".predicted").inner_text().endswith(f"p = {share:.3f}.")
    assert page.evaluate(f"{STATE}.trace.edges") == graph.edges.T.ravel().tolist()
    assert page.evaluate(f"{STATE}.trace.ids") == list(graph.nodes)
    assert page.locator("#graph option:checked").inner_text() == "carboline"
    page.close()


@pytest.mark.browser
@needs_rdkit
def test_smiles_are_read_without_a_network_once_they_were(folder: Path, browser: Any) -> None:
    with served(folder.parent.parent) as root:
        context = browser.new_context()
        first = Site(context, f"{root}/some/where")
        first.open("classify.html").evaluate("navigator.serviceWorker.ready")
        page = first.open("step.html")
        page.locator(".upload summary").click()
        page.locator(".upload textarea").fill("CCOC(=O)C ester")
        page.locator(".upload button").click()
        page.get_by_text("ester · 6 vertices").wait_for()
        link = page.url.rpartition("/")[2]
        context.set_offline(True)
    first.open(link).get_by_text("ester · 6 vertices").wait_for()
    assert first.errors == []
    context.close()


@pytest.mark.browser
def test_an_edited_molecule_is_classified_in_the_page(disk: Site) -> None:
    page = disk.open("step.html#graph=MAO:3&mode=edit")
    page.locator(".stage").focus()
    page.keyboard.press("a")  # an atom of its own, without a label
    until(page, "location.hash.includes('change=')")
    page.get_by_role("link", name="Classify").click()
    page.locator(".refused h2").wait_for()
    assert "7% of the vertices have a label the model does not know" in page.locator(".refused").inner_text()
    page.get_by_role("button", name="Classify anyway").click()
    page.locator(".predicted").wait_for()
    assert page.locator("p.about").inner_text() == "MAO:3, edited · 15 vertices, 15 edges"
    page.close()


@pytest.mark.browser
def test_a_served_site_is_there_without_a_network(folder: Path, browser: Any) -> None:
    with served(folder.parent.parent) as root:
        context = browser.new_context()
        first = Site(context, f"{root}/some/where")
        first.open("classify.html#graph=MAO:3").evaluate("navigator.serviceWorker.ready")
        context.set_offline(True)
    for link in (
        "classify.html#graph=MAO:3",
        "index.html",
        "step.html#graph=karate",
        "compare.html#graph=karate",
        "results-claims.html",
    ):
        first.open(link).close()
    assert first.errors == []
    context.close()


AXE = [
    *((chapter_file(chapter.name), LOOKS[i % 2]) for i, chapter in enumerate(CHAPTERS)),
    ("step.html#graph=karate&score=degree&step=1", LOOKS[0]),
    ("step.html#graph=MAO:3&level=1", LOOKS[1]),
    ("step.html#graph=preset:bridge&mode=predict", LOOKS[0]),
    ("step.html#graph=preset:tie&mode=edit", LOOKS[1]),
    ("step.html#graph=preset:tie&mode=edit&level=1", LOOKS[0]),
    ("step.html#graph=karate&score=degree&present=1&step=1", LOOKS[1]),
    ("step.html#graph=nowhere", LOOKS[0]),
    *((name, LOOKS[i % 2]) for i, name in enumerate(RESULTS)),
    ("compare.html#graph=karate&level=1", LOOKS[0]),
    ("classify.html", LOOKS[0]),
    ("classify.html#graph=karate", LOOKS[1]),
]
READY = {
    "results": "main h1",
    "compare": ".measures td",
    "classify": ".contributions p, .refused h2, .refused .notice",
}  # what a page has when it is there


@pytest.mark.browser
@pytest.mark.parametrize(("link", "looks"), AXE, ids=[link for link, _ in AXE])
def test_axe_finds_nothing_serious(disk: Site, link: str, looks: list[tuple[int, str]]) -> None:
    pytest.importorskip("axe_playwright_python", reason="axe is not installed")
    page = disk.open(link)
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 1000})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(200)
        assert serious(page) == [], (width, scheme)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.close()


STOPS = """() => {
  const found = [];
  for (const root of [document, ...[...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)]) {
    for (const one of root.querySelectorAll('a[href], button, select, input, summary, [tabindex]')) {
      if (one.tabIndex >= 0 && !one.disabled && one.getClientRects().length && one.checkVisibility()) found.push(one);
    }
  }
  return found.length;
}"""
FOCUSED = """() => {
  let one = document.activeElement;
  while (one.shadowRoot?.activeElement) one = one.shadowRoot.activeElement;
  if (one === document.body) return null;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  window.seen ??= new Map();
  if (!window.seen.has(one)) window.seen.set(one, window.seen.size);
  const box = one.getBoundingClientRect();
  const inSight = box.bottom > 0 && box.top < innerHeight;
  const name = `${one.localName} ${one.className} ${one.textContent.trim().slice(0, 30)}`;
  const marked = outlineStyle !== 'none' && parseFloat(outlineWidth) >= 1;
  return { seen: window.seen.get(one), name, marked, inSight };
}"""


@pytest.mark.browser
@pytest.mark.parametrize(
    "link",
    [
        "learn-meer.html",
        "step.html#graph=preset:bridge&mode=edit",
        "step.html",
        "compare.html#graph=karate",
        "classify.html",
        "results.html",
    ],
)
def test_tab_reaches_everything_and_is_seen(disk: Site, link: str) -> None:
    page = disk.open(link)
    page.wait_for_timeout(300)
    many = page.evaluate(STOPS)
    assert many > 20
    seen = {}
    for _ in range(many + 20):
        page.keyboard.press("Tab")
        found = page.evaluate(FOCUSED)
        if found is None:
            break
        seen[found["seen"]] = found
    unmarked = [one["name"] for one in seen.values() if not one["marked"] or not one["inSight"]]
    assert unmarked == []
    assert len(seen) >= many
    page.close()


@pytest.mark.browser
def test_its_code_shows_it_in_another_page(site: Site, browser: Any, tmp_path: Path) -> None:
    page = site.open("step.html#graph=karate&score=degree&step=1")
    page.get_by_text(strings.EMBED, exact=True).click()
    page.wait_for_function("() => document.querySelector('#embed textarea').value")
    code = page.get_by_label(strings.EMBED_ABOUT).input_value()
    page.close()
    (tmp_path / "class.html").write_text(f"<!doctype html>{code}")
    other = browser.new_page()
    other.goto((tmp_path / "class.html").as_uri())
    frame = other.frame_locator("iframe")
    frame.locator(".sentence").get_by_text("Iteration 1").wait_for()
    frame.get_by_role("button", name="Next step").click()
    frame.locator(".sentence").get_by_text("Iteration 2").wait_for()
    other.close()


@pytest.mark.browser
def test_nothing_moves_where_motion_is_not_wanted(disk: Site) -> None:
    page = disk.open("step.html#graph=preset:bridge")
    page.keyboard.press("End")
    assert page.evaluate(f"{VIEW}.animation") is None
    moving = page.evaluate(
        """() => {
          const roots = [document, ...[...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)];
          return roots.flatMap((root) => [...root.querySelectorAll('*')])
            .filter((one) => parseFloat(getComputedStyle(one).transitionDuration) > 0).map((one) => one.className);
        }"""
    )
    assert moving == []
    page.close()


@pytest.mark.browser
def test_a_graph_that_is_not_there_gets_a_sentence(site: Site) -> None:
    page = site.open("step.html#graph=nowhere")
    assert "There is no graph “nowhere” on this site" in page.get_by_role("alert").inner_text()
    page.close()
