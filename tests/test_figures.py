"""Figures: every format is what it says, every vertex is in it, and a hostile name stays text."""

from __future__ import annotations

import io
import re
import warnings
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from mivspool import figures, fonts
from mivspool.errors import InputError, MissingPackageError
from mivspool.graphs.collections.teaching import PRESETS
from mivspool.graphs.graph import Graph
from mivspool.levels import Level, step

HOSTILE = ("</text><script>", "$x^2$", r"\input{x}", "a_b & 100%", "مرحبا", "漢字", "\x07bell", "#~{}")


def hostile() -> tuple[Level, np.ndarray]:
    n = len(HOSTILE)
    edges = np.stack([np.arange(n - 1), np.arange(1, n)])
    graph = Graph("hostile", HOSTILE, edges)
    return step(graph, "uniform")[0], np.stack([np.arange(n), np.zeros(n)], axis=1)


def rising(n: int = 12) -> tuple[Level, np.ndarray]:
    graph = PRESETS["rising-path"].graph()
    return step(graph, PRESETS["rising-path"].score)[0], graph.positions


def test_panels_are_the_iterations_and_the_assignment() -> None:
    level, _ = rising()
    shown = figures.panels(level)
    assert len(shown) == level.num_iterations + 2
    for k, panel in enumerate(shown[:-1]):
        course = level.trace
        for state, mask in (
            ("candidate", course.candidates(k)),
            ("survivor", course.survivors(k)),
            ("non_survivor", course.non_survivors(k)),
        ):
            assert [s == state for s in panel.state] == mask.tolist()
    assert len(shown[-1].arrows) == len(level.nodes) - len(level.reduced_nodes)


@pytest.mark.parametrize(
    ("form", "starts"), [("pdf", b"%PDF"), ("png", b"\x89PNG"), ("gif", b"GIF89a"), ("svg", b"<?xml")]
)
def test_each_format_is_what_it_says(form: str, starts: bytes) -> None:
    assert figures.draw(*rising(), form).startswith(starts)


def test_an_animation_has_a_frame_an_iteration() -> None:
    from PIL import Image

    level, at = rising()
    gif = Image.open(io.BytesIO(figures.draw(level, at, "gif")))
    assert gif.n_frames == level.num_iterations + 3  # iteration 0 … T, the assignment, the reduced graph
    assert b"ftyp" in figures.draw(level, at, "mp4")[:16]


def test_the_same_graph_gives_the_same_bytes() -> None:
    for form in ("svg", "pdf", "tex"):
        assert figures.draw(*rising(), form) == figures.draw(*rising(), form)


def test_unless_told_otherwise_a_figure_names_each_vertex_and_writes_its_score() -> None:
    level, at = rising()
    panels = len(figures.panels(level)) + 1
    tex = figures.draw(level, at, "tex").decode()
    for vertex, score in zip(level.nodes, figures.scores(level), strict=True):
        assert tex.count(f"below:{score}}}") >= panels - 1
        assert tex.count(f"{{{vertex}}}") >= panels - 1
        assert score[0].isdigit(), "no bare decimal point"


def test_a_hostile_name_stays_text() -> None:
    level, at = hostile()
    svg = figures.draw(level, at, "svg", "id")
    assert not [e for e in ElementTree.fromstring(svg).iter() if e.tag.endswith("script")]
    tex = figures.tikz(level, at, "id")
    assert r"\input" not in tex
    assert not re.search(r"(?<!\\)[%#]", tex.split(r"\begin{document}")[1])


@pytest.mark.parametrize("form", ["bmp", "", "PNG "])
def test_an_unknown_format_is_refused(form: str) -> None:
    with pytest.raises(InputError, match="svg"):
        figures.draw(*rising(), form)


def test_a_course_too_long_for_a_page_is_refused_with_a_way_out() -> None:
    n = 100
    graph = Graph("path", tuple(map(str, range(n))), np.stack([np.arange(n - 1), np.arange(1, n)]))
    level = step(graph, [float(i + 1) for i in range(n)])[0]
    with pytest.raises(InputError, match="animation"):
        figures.draw(level, np.zeros((n, 2)), "svg")


def test_one_step_alone_is_the_panel_of_the_timeline() -> None:
    level, at = rising()
    for k, panel in enumerate(figures.panels(level)):
        alone = figures.panel_of(level, k)
        assert alone is not None
        assert (alone.caption, alone.state, alone.arrows) == (panel.caption, panel.state, panel.arrows)
    assert figures.panel_of(level, level.num_iterations + 2) is None
    assert figures.draw(level, at, "png", step=3).startswith(b"\x89PNG")
    with pytest.raises(InputError, match="numbered from 0 to 8: there is no step 9"):
        figures.panel_of(level, 9)
    with pytest.raises(InputError, match="one step alone is drawn as"):
        figures.draw(level, at, "mp4", step=1)


def test_by_parts_each_iteration_is_three_panels_and_its_last_is_the_iteration() -> None:
    level, at = rising(6)
    T = level.num_iterations
    whole, parts = figures.panels(level), figures.panels(level, parts=True)
    assert len(parts) == 3 * T + 2
    assert (parts[0].state, parts[-1].arrows) == (whole[0].state, whole[-1].arrows)
    for k in range(1, T + 1):
        pointing, surviving, through = parts[3 * k - 2 : 3 * k + 1]
        assert pointing.state == whole[k - 1].state
        assert through.state == whole[k].state
        new = {v for v, state in enumerate(surviving.state) if state != pointing.state[v]}
        assert {surviving.state[v] for v in new} == {"survivor"}
        candidates = {v for v, state in enumerate(pointing.state) if state == "candidate"}
        assert {v for v, _ in pointing.arrows} == candidates - new
        assert {v for v, _ in through.arrows} <= new
        for part, panel in enumerate((pointing, surviving, through), 1):
            alone = figures.panel_of(level, k, part)
            assert alone is not None
            assert (alone.caption, alone.state, alone.arrows) == (panel.caption, panel.state, panel.arrows)
    assert figures.draw(level, at, "png", step=1, part=1).startswith(b"\x89PNG")
    with pytest.raises(InputError, match="there is no part 4 of iteration 1"):
        figures.panel_of(level, 1, 4)


def test_the_complement_is_a_step_of_its_own() -> None:
    preset = PRESETS["clique-complement"]
    level = step(preset.graph(), preset.score, complement=True)[0]
    before, after = figures.panel_of(level, 1), figures.panel_of(level, 2)
    assert before is not None
    assert after is not None
    assert before.state.count("survivor") == 1
    assert after.state.count("survivor") == 4
    assert after.arrows == ()


def test_without_an_encoder_a_sentence_says_what_brings_one(monkeypatch: pytest.MonkeyPatch) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "av", None)
    with pytest.raises(MissingPackageError, match=r"pip install .mivspool\[app\]"):
        figures.draw(*rising(), "mp4")


def test_a_long_course_makes_the_frames_that_are_shown_and_no_others(monkeypatch: pytest.MonkeyPatch) -> None:
    """T may be n/2: all states of all iterations are quadratic, and an animation shows 300 of them."""
    n = 3000
    at = np.arange(n - 1)
    path = Graph("path", tuple(str(v) for v in range(n)), np.stack([at, at + 1]))
    level = step(path, [float(v + 1) for v in range(n)])[0]
    assert level.num_iterations == n // 2
    states = 0
    panel = figures.Panel

    def counted(caption: str, state: tuple[str, ...], *rest: Any, **more: Any) -> Any:
        nonlocal states
        states += len(state)
        return panel(caption, state, *rest, **more)

    monkeypatch.setattr(figures, "Panel", counted)
    frames = list(figures._animation_panels(level))
    assert len(frames) <= 302
    assert states <= 302 * n
    states = 0
    figures.panel_of(level, level.num_iterations)
    assert states == n


@pytest.mark.parametrize("form", ["png", "svg", "pdf"])
def test_every_letter_is_drawn_or_named(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the fonts here are: with those that a machine without any more has, all others are named."""
    ids = ("a", "é", "漢字", "мир", "שלום", "กก", "a\u0301", "\U0010fffd")
    graph = Graph("letters", ids, np.stack([np.arange(7), np.arange(1, 8)]))
    level, at = step(graph, "uniform")[0], np.stack([np.arange(8), np.zeros(8)], axis=1)
    for installed in (fonts._installed(), []):
        fonts._chosen.cache_clear()
        monkeypatch.setattr(fonts, "_installed", lambda installed=installed: installed)
        found = fonts.fonts_for(ids)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            figures.draw(level, at, form, "id")
        assert {chr(int(re.search(r"Glyph (\d+)", str(one.message))[1])) for one in said} <= set(
            found.missing
        )
        note = figures.without_font(level, form, "id")
        assert bool(note) == bool(found.missing)
        assert not figures.without_font(level, form, "score")
    assert "漢" in found.missing, "DejaVu Sans alone has no Chinese"
    assert "CJK" in note
    fonts._chosen.cache_clear()
