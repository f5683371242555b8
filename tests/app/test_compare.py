"""The Compare page: levels compose, places agree, sentences say only what is so."""

from __future__ import annotations

from html import escape
from typing import Any

import numpy as np
import pytest
import torch

from app.compare import methods, page, plots
from app.state import State
from mivspool.colours import ACCENT, COLOURS, Theme
from mivspool.compare import compare
from mivspool.content.compare import measure_table, reductions, words
from mivspool.content.compare.legend import legend, style
from mivspool.graphs import open_source
from mivspool.levels import step
from mivspool.pooling import METHODS
from mivspool.pooling.parts.measure import measure

KARATE = open_source("karate")
POSITIONS = np.random.default_rng(0).normal(size=(34, 2))


@pytest.mark.parametrize("name", ["mivspool", "mivspool-comp", "gpool", "ndp", "kmis-1", "diffpool"])
@pytest.mark.parametrize("level", [0, 1])
def test_what_is_drawn_is_what_was_pooled(name: str, level: int) -> None:
    rows = compare(KARATE, [name], 2, 0, renumberings=0)
    made = reductions.reduced(rows, level, KARATE)
    assert made is not None
    count = len(made.row.reduced_nodes)
    assert made.cluster.shape == (34,)
    assert made.cluster.max() < count
    assert len(made.at) == count
    kept = made.at >= 0
    # a reduced vertex that is a vertex stands where it stood, under its own name, in its own cluster
    assert [KARATE.nodes[v] for v in made.at[kept]] == [
        made.row.reduced_nodes[c] for c in np.flatnonzero(kept)
    ]
    drawn = reductions.places(made, POSITIONS)
    np.testing.assert_allclose(drawn[kept], POSITIONS[made.at[kept]])
    np.testing.assert_array_equal(made.cluster[made.at[kept]], np.flatnonzero(kept))
    if made.share is not None:
        np.testing.assert_allclose(made.share.sum(1), 1, rtol=1e-5)


def test_two_levels_compose_like_the_levels_of_step() -> None:
    levels = step(KARATE, "uniform", levels=2)
    expected = levels[1].cluster[levels[0].cluster].numpy()
    made = reductions.reduced(compare(KARATE, ["mivspool:uniform"], 2, 0), 1, KARATE)
    assert made is not None
    np.testing.assert_array_equal(made.cluster, expected)


def test_a_told_score_pools_as_the_model_did() -> None:
    level = step(KARATE, "multiview", seed=3)[0]
    layer = methods.MIVSPool(1, methods._KnownScore()).eval()
    _, made = measure(layer, level.score.unsqueeze(1), level.adjacency, renumberings=0)
    assert made.survivor is not None
    assert torch.equal(made.survivor, level.trace.survivor)


def test_a_panel_leaves_the_weakest_edges_out_and_says_how_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reductions, "MOST_EDGES", 10)
    made = reductions.reduced(compare(KARATE, ["diffpool"], 1, 0), 0, KARATE)
    assert made is not None
    panel = reductions.panel(made, POSITIONS, "DiffPool", [])
    assert len(panel["weight"]) == 10
    assert panel["left_out"] == 36 - 10
    assert all(len(shares) == 3 for shares in panel["shares"])


def test_sentences_say_only_what_is_so_here() -> None:
    kept, dropped = (compare(KARATE, [name], 1, 0)[0].measures for name in ("mivspool", "gpool"))
    assert kept is not None
    assert dropped is not None
    said = " ".join(measure_table.notes(kept))
    assert "keeps every vertex's features" in said
    assert "component" not in said
    assert "complete" not in said
    said = " ".join(measure_table.notes(dropped))
    assert "drops the features of 50 %" in said
    assert f"1 → {dropped.after.components} components" in said


def test_what_differs_comes_first_and_nothing_is_left_out() -> None:
    names = ("mivspool", "kmis-1", "gpool")
    flat = []
    for name in names:
        made = compare(KARATE, [name], 1, 0, renumberings=0)[0].measures
        assert made is not None
        flat.append(made.to_json())
    for several in (flat, flat[:2], flat[:1]):
        differing, equal = measure_table.parted(several)
        assert sorted(differing + equal) == sorted(measure_table.SHOWN)
        for name in equal:
            assert len({measure_table.show(name, one[name]) for one in several}) == 1
        for name in differing if len(several) > 1 else ():
            assert len({measure_table.show(name, one[name]) for one in several}) > 1
    assert measure_table.parted(flat[:1])[1] == []


def test_the_best_is_marked_where_there_is_one() -> None:
    columns = [
        (name, compare(KARATE, [name], 1, 0, renumberings=0)[0].measures) for name in ("mivspool", "gpool")
    ]
    html = measure_table.html([(name, one) for name, one in columns if one is not None])
    row = html.split("vertices represented")[1].split("</tr>")[0]
    assert row.count("mp-best") == 1
    assert "100 % ✓" in row
    assert "mp-best" not in html.split(">ratio<")[1].split("</tr>")[0]  # smaller is neither better nor worse
    assert measure_table.show("mean_stretch", None) == "–"


def test_every_method_can_be_compared_at_once() -> None:
    known = reductions.names()
    state = State("compare", {"graph": "karate", "view": "graph", "methods": ",".join(known)})
    assert page._chosen(state, known) == known
    assert len(known) > 6


def test_each_method_says_once_what_it_does() -> None:
    lines = reductions.what_each_does(["mivspool:degree", "gpool:given", "mivspool:uniform", "kmis-2"])
    assert [line.partition("**:")[0] for line in lines] == ["- **MIVSPool", "- **gPool", "- **k-MIS (k = 2)"]
    assert "Top-k" in lines[1]
    assert "Gao & Ji 2019" in lines[1]
    every = reductions.what_each_does(reductions.names())
    for name in reductions.names():
        assert METHODS[name.partition(":")[0]].about.removesuffix(".") in "\n".join(every)


def test_the_legend_explains_every_mark_in_the_colours_of_the_states() -> None:
    shown = legend()
    assert all(escape(text) in shown for text in words.LEGEND.values())
    for state in ("survivor", "non_survivor"):
        assert COLOURS[state].fill in style()


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_pyramid_has_the_colours_and_shapes_of_the_states(theme: Theme) -> None:
    rows = compare(KARATE, ["mivspool"], 2, 0, renumberings=0)
    figure = plots.pyramid(rows, POSITIONS, [0, 1, 2], KARATE.nodes, KARATE, theme)
    marks = {
        (mark.marker.color, mark.marker.symbol, mark.marker.line.color)
        for mark in figure.data
        if mark.type == "scatter3d" and mark.mode == "markers"
    }
    kept, gone = COLOURS["survivor"], COLOURS["non_survivor"]
    states = {(kept.fill, "circle", kept.border(theme)), (gone.fill, "square", gone.border(theme))}
    assert states <= marks
    assert {fill for fill, *_ in marks} == {
        kept.fill,
        gone.fill,
        ACCENT[theme],
    }  # the last level has no states


@pytest.mark.browser
def test_whatever_is_pointed_at_is_lit_in_every_panel(app: Any) -> None:
    page = app.open("compare?graph=karate&methods=mivspool,gpool,diffpool", graph=False)
    page.locator(".panels figure canvas").nth(2).wait_for()
    page.locator(".panels figure canvas").first.focus()
    page.keyboard.press("ArrowRight")
    page.wait_for_url("**vertex=0**")
    said = page.locator(".panels .say").all_inner_texts()
    assert len(said) == 3
    assert all(text.startswith("0 ") for text in said)
    page.get_by_text("What each method did").wait_for()
    page.get_by_text("Pyramid", exact=True).click()
    page.get_by_text("Visible levels").wait_for()


@pytest.mark.browser
def test_on_a_phone_the_methods_have_a_line_of_their_own_and_all_can_be_chosen(app: Any) -> None:
    page = app.open("compare?graph=karate", graph=False, width=390, height=844)
    everything = page.get_by_role("button", name="All methods")
    everything.wait_for()
    page.get_by_text("Karate club · 34 vertices").wait_for()  # as on Step
    chosen = page.locator("[data-testid=stMultiSelect]").bounding_box()
    assert chosen["y"] + chosen["height"] <= everything.bounding_box()["y"]
    assert chosen["width"] > 330
    everything.click()
    page.wait_for_url("**methods=**")
    page.get_by_role("button", name="All methods", disabled=True).wait_for()
    assert page.get_by_role("button", name="Weights").count() == 1
