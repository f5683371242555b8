"""Finding a graph by typing: every name finds its graph, and what finds none gets a sentence that says what to do."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app import sources
from app.sources import search
from mivspool.graphs.collections.classics import CLASSICS
from mivspool.graphs.collections.teaching import PREFIX, PRESETS
from mivspool.graphs.datasets import DATASETS


@pytest.mark.parametrize("source", search.named())
def test_every_name_and_title_finds_its_graph(source: str) -> None:
    assert search.find(source).source == source
    title = search.name_of(source)
    for typed in (title, title.upper(), f"  {title} ", title.replace("é", "e")):
        found = search.find(typed)
        assert source in {found.source, *found.offers}
    assert search.title(source).startswith(title)


@pytest.mark.parametrize("name", PRESETS)
def test_the_words_of_a_preset_find_it(name: str) -> None:
    found = search.find(PRESETS[name].says)
    assert found.source == f"{PREFIX}{name}"


@pytest.mark.parametrize(
    ("typed", "source"),
    [
        ("zachary", "karate"),
        ("MAO 17", "MAO:17"),
        ("mao:17", "MAO:17"),
        ("D&D 5", "DD:5"),
        ("nci1 #4109", "NCI1:4109"),
        ("nci1", "NCI1:0"),
        ("random:9:12:4", "random:9:12:4"),
        ("blue noise", "preset:grid"),
        ("preset:tie", "preset:tie"),
        ("Grid 8 × 8", "grid"),
    ],
)
def test_what_people_type(typed: str, source: str) -> None:
    assert search.find(typed).source == source
    assert sources.place(source)


@pytest.mark.parametrize("typed", ["karte", "petersn", "Les Miserable", "dodecahedrn"])
def test_a_slip_is_asked_about(typed: str) -> None:
    found = search.find(typed)
    assert found.source or found.offers


@pytest.mark.parametrize("typed", ["xyzzy", "MAO 99", "", "   ", "<img src=x>", "…", "9" * 40, "clique"])
def test_what_finds_nothing_says_what_to_do(typed: str) -> None:
    found = search.find(typed)
    assert found.source in CLASSICS or (found.sentence.endswith((".", "?")) and len(found.sentence) < 300)


def test_the_menu_lists_every_data_set_and_every_name() -> None:
    assert set(DATASETS) <= set(sources.collections())
    assert len(set(map(search.title, search.named()))) == len(CLASSICS) + len(PRESETS)


@pytest.mark.browser
@pytest.mark.parametrize(("page_name", "width"), [("", 390), ("compare", 1280), ("classify", 1280)])
def test_typing_a_name_opens_it_wherever_a_graph_is_chosen(app: Any, page_name: str, width: int) -> None:
    page = app.open(f"{page_name}?graph=MUTAG:4", width=width, graph=False)
    box = page.get_by_role("combobox", name="Graph", exact=True)

    def typed(text: str) -> None:
        box.click(timeout=60_000)
        box.fill(text)
        page.get_by_role("option").first.wait_for()
        page.keyboard.press("Enter")

    typed("petersen")
    page.wait_for_url(re.compile("graph=petersen"))
    typed("xyzzy")
    page.get_by_text("There is no graph called “xyzzy”. Type part of a name").wait_for()
    assert "graph=petersen" in page.url
    typed("karte")
    page.get_by_role("button", name="Karate club").click()
    page.wait_for_url(re.compile("graph=karate"))
    page.get_by_text("There is no graph called").wait_for(state="detached")


@pytest.mark.browser
def test_a_graph_that_is_picked_by_its_picture_opens(app: Any) -> None:
    page = app.open("?graph=MAO:3")
    page.get_by_role("button", name="4 / 68").click()
    page.get_by_role("button", name=re.compile("^MAO:5,")).click()
    page.wait_for_url(re.compile("graph=MAO(:|%3A)5"))
    page.get_by_role("button", name="6 / 68").wait_for()
    page.get_by_text("MAO:5 · 17 vertices").first.wait_for()
