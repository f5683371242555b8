"""The whole way of a person with graphs of their own: upload, train, watch, save, classify, and send the link."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Callable
from typing import Any

import pytest

from tests.app.browser import settled, upload_box
from tests.app.conftest import Watched
from tests.app.test_record import until

MODEL = "rings-and-stars"
SETTINGS = "hidden%3D16%26blocks%3D2%26lr%3D0.01%26max_epochs%3D30%26patience%3D30"


def ring(first: int, size: int) -> list[tuple[int, int]]:
    """The edges of a cycle whose vertices are numbered from ``first``."""
    return [(first + i, first + (i + 1) % size) for i in range(size)]


def star(first: int, size: int) -> list[tuple[int, int]]:
    """The edges of a star with its centre at ``first``."""
    return [(first, first + i) for i in range(1, size)]


def shapes() -> bytes:
    """Twelve rings and twelve stars of 6 to 17 vertices in TU layout, whose classes have names."""
    edges: list[tuple[int, int]] = []
    graph_of: list[int] = []
    labels: list[int] = []
    for size in range(6, 18):
        for label, draw in enumerate((ring, star), start=1):
            edges += draw(len(graph_of) + 1, size)
            labels.append(label)
            graph_of += size * [len(labels)]
    parts: dict[str, list[Any]] = {
        "A": [f"{u}, {v}" for pair in edges for u, v in (pair, pair[::-1])],
        "graph_indicator": graph_of,
        "graph_labels": labels,
        "graph_label_names": ["1, ring", "2, star"],
    }
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, rows in parts.items():
            archive.writestr(f"SHAPES/SHAPES_{part}.txt", "".join(f"{row}\n" for row in rows))
    return packed.getvalue()


@pytest.mark.browser
@pytest.mark.slow
def test_from_a_data_set_of_ones_own_to_a_link_that_others_open(
    app: Any, visitor: Callable[[], Any], address: str
) -> None:
    page = app.open(f"train?config={SETTINGS}", graph=False)
    page.get_by_role("button", name="Your own").click()
    page.locator('input[type="file"]').set_input_files(
        {"name": "shapes.zip", "mimeType": "application/zip", "buffer": shapes()}
    )
    page.wait_for_url(re.compile("dataset=upload-"))

    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**job=**")
    watched = until(page, lambda shown: not shown["running"], "the training ends", seconds=180)
    assert watched["epochs"] == list(range(31))
    page.get_by_role("slider", name="Epoch").focus()
    page.keyboard.press("End")
    last = until(page, lambda shown: shown["epoch"] == 30, "the slider reaches the last epoch")
    page.get_by_role("button", name="ring", exact=False).first.wait_for()
    page.wait_for_url(re.compile(r"[?&]epoch=30(&|$)"))
    training = page.url.removeprefix(f"{address}/")

    name = page.get_by_role("textbox", name="Name of the model")
    name.fill(MODEL)
    name.press("Tab")
    page.get_by_role("button", name="Save model").click()
    page.get_by_role("button", name="Classify with this model").click()
    page.wait_for_url(re.compile(f"classify.*model={MODEL}"))

    upload_box(page)
    rows = "".join(f"v{u},v{v}\n" for u, v in ring(1, 9))
    page.locator('input[type="file"]').last.set_input_files(
        {"name": "nine.csv", "mimeType": "text/csv", "buffer": f"source,target\n{rows}".encode()}
    )
    page.wait_for_url(re.compile("graph=z"))
    headline = page.locator("h4", has_text=f"Predicted by {MODEL}: class ring")
    headline.wait_for()
    settled(page)
    answer = page.url.removeprefix(f"{address}/")

    other = Watched(visitor(), address)
    assert (
        other.open(answer, graph=False).locator("h4", has_text="Predicted by").inner_text()
        == headline.inner_text()
    )
    there = until(
        other.open(training, graph=False), lambda shown: shown["epoch"] == 30, "a link holds the epoch"
    )
    assert there == last
    other.close()
    assert other.errors == other.outside == []
