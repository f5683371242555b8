"""The About page: whose idea it is, how it is cited, and every key that the canvas answers."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from streamlit.testing.v1 import AppTest

from app import backend
from app.about import words
from app.components import visitor
from mivspool.lecture import paper
from tests.test_house import ROOT

JS = ROOT / "mivspool" / "canvas" / "js"
# a key in the tables of the modules that answer keys: ArrowUp: …, " ": …, "+": …, p: …
_KEY = re.compile(
    r"""(?:^|[\s{,])(?:"([^"\n]{1,10})"|([A-Z][A-Za-z]{2,}|[a-z_0]))\s*:\s*(?:\(|on\(|shift|pan|more|less|add|remove|present\b|act)"""
)
_COMPARED = re.compile(r"""key === "([^"]+)\"""")


def _page() -> None:
    from app.about.page import page

    page()


def test_the_page_names_the_paper_and_every_page_cites_it() -> None:
    about = AppTest.from_function(_page).run()
    assert not about.exception
    text = " ".join(str(part.value) for part in [*about.markdown, *about.code, *about.get("html")])
    for part in (*paper.AUTHORS, paper.TITLE, str(paper.YEAR), paper.ARXIV, "MIT", "@misc{"):
        assert part in text
    main = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=120).run()
    assert not main.exception
    foot = next(str(part.value) for part in main.get("html") if "class=paper" in str(part.value))
    assert "MIVSPool" in foot
    assert paper.TITLE in foot
    assert f"arXiv:{paper.ARXIV}" in foot


def test_a_visitor_reads_what_is_kept_and_deletes_it(
    own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MIVSPOOL_SEPARATE_VISITORS", "true")
    monkeypatch.setattr(visitor, "known", lambda: "a-visitor-of-the-tests")
    own_backend()
    mine, other = backend.client(), backend._client().for_visitor("another-visitor-of-the-tests")
    for client in (mine, other):
        client.upload(b"a,b\n", "a.csv")
    about = AppTest.from_function(_page, default_timeout=60).run()
    assert any("0 jobs, 1 upload and 0 models of yours" in part.value for part in about.markdown)
    about.button[0].click().run()
    assert not about.exception
    assert any("0 jobs, 0 uploads and 0 models of yours" in part.value for part in about.markdown)
    assert (mine.kept().uploads, other.kept().uploads) == (0, 1)


def test_the_citation_file_says_the_same() -> None:
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert paper.TITLE in citation
    assert f"year: {paper.YEAR}" in citation
    assert paper.ADDRESS in citation
    for author in paper.AUTHORS:
        given, family = author.rsplit(" ", 1)
        assert f"family-names: {family}\n      given-names: {given}" in citation


def test_every_key_that_the_canvas_answers_is_listed() -> None:
    answered: set[str] = set()
    for name in ("input/keys.js", "modes/present.js", "modes/predict.js", "modes/edit.js"):
        source = (JS / name).read_text(encoding="utf-8")
        answered |= {a or b for a, b in _KEY.findall(source)} | set(_COMPARED.findall(source))
    listed = {key for keys in words.KEY_GROUPS.values() for names, _ in keys for key in names}
    for key in listed:  # as it stands on the keyboard
        shown = words.KEY_NAMES.get(key, key)
        assert not shown.rpartition("+")[2].strip().islower() or shown.endswith("arrow"), shown
    letters = {key.rpartition("+")[2] or key for key in listed}
    known = {
        "ArrowRight",
        "ArrowLeft",
        "Home",
        "End",
        " ",
        "Escape",
        "PageDown",
        "p",
        "f",
        "a",
        "Delete",
        "z",
        "y",
    }
    assert known <= answered, "the tables are found"
    assert answered <= listed | letters, "what the page does not name"
