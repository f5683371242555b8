"""How an upload was read stands beside the graph, and each other reading is a click away and lies in the link."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app import sources
from app.sources import uploads
from tests.app.browser import upload_box
from tests.graphs.read.cases import zipped

SQUARE = b"0,1,0,1\n1,0,1,0\n0,1,0,1\n1,0,1,0\n"
TABLE = b"source,destination\nann,bob\nbob,eve\n"
NODES, EDGES = b"id,kind\na,1\nb,2\nc,3\nalone,4\n", b"source,target\na,b\nb,c\n"


def give(page: Any, *files: tuple[str, bytes]) -> None:
    upload_box(page)
    page.locator('input[type="file"]').first.set_input_files(
        [{"name": name, "mimeType": "application/octet-stream", "buffer": content} for name, content in files]
    )


def size(page: Any, n: int, m: int) -> None:
    page.locator(".about").get_by_text(f"{n} vertices, {m} edge").wait_for()


@pytest.mark.browser
def test_how_a_file_was_read_stands_beside_the_graph(app: Any) -> None:
    page = app.open("?graph=karate&score=degree")
    said = page.locator(".st-key-read-as")
    for files, words, n, m in (
        ([("cytoscape.sif", b"a\tpp\tb\nb\tpd\tc\td\nlone\n")], "SIF", 5, 3),
        ([("nodes-edges.zip", zipped({"nodes.csv": NODES, "edges.csv": EDGES}))], "those of nodes.csv", 4, 2),
        ([("people.csv", NODES), ("friends.csv", EDGES)], "those of people.csv", 4, 2),
        ([("source-destination.csv", TABLE)], "first line as its heading", 3, 2),
        ([("square.csv", SQUARE)], "adjacency matrix of 4 × 4", 4, 4),
    ):
        give(page, *files)
        said.get_by_text(words).wait_for()
        size(page, n, m)
        page.keyboard.press("Escape")
    said.get_by_role("button", name="Read each line as an edge instead").click()
    said.get_by_text("Read as a list of edges").wait_for()
    size(page, 2, 1)
    page.wait_for_url(re.compile(r"graph=z\.[^&]*edges"))
    again = app.open(f"?{page.url.partition('/?')[2]}")
    again.locator(".st-key-read-as").get_by_role("button", name="Read as an adjacency matrix instead").click()
    size(again, 4, 4)


@pytest.mark.browser
def test_classify_takes_uploads_too_and_a_mistake_names_the_format(app: Any) -> None:
    page = app.open("classify?graph=MAO:3")
    give(page, ("broken.graphml", b"<graphml><graph><node"))
    page.locator('[data-testid="stAlert"]').get_by_text("broken.graphml is not well-formed XML").wait_for()
    page.get_by_text("MAO:3").first.wait_for()  # the graph that was there
    give(page, ("source-destination.csv", TABLE))
    page.locator(".st-key-read-as").get_by_role("button", name="The first line is not a heading").click()
    page.get_by_text("5 vertices, 3 edges").wait_for()


def test_a_reading_is_part_of_a_graphs_name() -> None:
    source = uploads.keep(SQUARE, "square.csv")
    assert (sources.load(source).num_nodes, uploads.reading(source)) == (4, "")
    other = uploads.read_otherwise(source, "no heading, columns 1 3")
    assert uploads.is_upload(other)
    assert uploads.split(other) == uploads.split(source)
    assert uploads.reading(other) == "no heading, columns 1 3"
    assert "'0'" not in str(sources.load(other).read_as)
    assert "column 3" in str(sources.load(other).read_as)
    place = sources.place(other)
    assert sources.named(place, 0, other) == other


def test_files_given_together_are_one_upload() -> None:
    assert uploads.together([(EDGES, "edges.csv")]) == (EDGES, "edges.csv")
    source = uploads.keep(*uploads.together([(NODES, "people.csv"), (EDGES, "friends.csv")]))
    assert sources.load(source).nodes == ("a", "b", "c", "alone")
    twice = uploads.keep(*uploads.together([(EDGES, "x.csv"), (EDGES, "x.csv")]))
    assert sources.place(twice).count == 2
