"""Trained scores on Step: a model's blocks as levels, and what each of their clusters contributes to the class."""

from __future__ import annotations

import re
from typing import Any

import pytest

from app.components.left_out import bars
from mivspool.service.schemas import Without, WithoutCluster
from tests.app.browser import choose
from tests.app.test_step_page import state_of


def test_bars_stand_from_the_largest_fall_to_the_largest_rise_and_hold_text_only() -> None:
    def left(survivor: str, share: float) -> WithoutCluster:
        return WithoutCluster(
            survivor=survivor, vertices=["a"], probabilities={"1": share, "0": 1 - share}, change=share - 0.8
        )

    clusters = [left("b'><i>", 0.9), left("c", 0.2), left("d", 0.7)]
    found = Without(
        model="m",
        graph="g",
        predicted="1",
        probabilities={"1": 0.8, "0": 0.2},
        level=0,
        clusters=clusters,
    )
    made = bars(clusters, found)
    assert re.findall(r"data-light='cluster:([^']*)'", made) == ["c", "d", "b&#x27;&gt;&lt;i&gt;"]
    assert re.findall(r"class='(falls|rises)'", made) == ["falls", "falls", "rises"]
    assert "--whole:80.00%" in made
    assert "0.200 <small>−60.0</small>" in made
    assert "<bdi>c</bdi> · <bdi>&lt;N&gt;</bdi></span>" in bars(clusters, found, {"c": "<N>"})


@pytest.mark.browser
def test_bars_point_at_clusters_in_the_graph(app: Any) -> None:
    page = app.open("?graph=MAO:3&model=mao-mivspool&step=9")
    bar = page.locator(".left-out [role=button]").first
    bar.wait_for()
    bar.hover()
    head = bar.get_attribute("data-light").partition(":")[2]
    lit = state_of(page, "c.view.marks.map((v) => c.trace.ids[c.trace.cluster[v]])")
    assert lit
    assert set(lit) == {head}
    bar.press("Enter")
    page.wait_for_url(re.compile(f"vertex={head}"))
    page.locator(".cluster", has_text=f"The cluster of {head}").wait_for()
    page.get_by_role("radio", name=re.compile("^1 · ")).click()  # another block
    page.wait_for_url(re.compile("level=1"))
    page.get_by_role("button", name="Go to the result").click()
    page.wait_for_function(  # the canvas is there before the bars of its clusters are
        "(count) => document.querySelectorAll('.left-out [role=button]').length === count",
        arg=state_of(page, "new Set(c.trace.cluster).size"),
    )


@pytest.mark.browser
def test_what_an_answer_rests_on_stands_beside_it_on_the_first_screen(app: Any) -> None:
    page = app.open("classify?graph=MAO:3", width=1280, height=720)
    bars = page.locator(".left-out [role=button]")
    bars.first.wait_for()
    box = bars.last.bounding_box()
    assert 0 < box["y"] < box["y"] + box["height"] <= 720
    assert bars.first.inner_text().startswith("4 · C")


@pytest.mark.browser
def test_a_model_brings_its_score(app: Any) -> None:
    page = app.open("?graph=MAO:3&score=degree")
    choose(page, "mao-mivspool", label="Weights")
    page.wait_for_url(re.compile("model=mao-mivspool"))
    assert "score=" not in page.url
