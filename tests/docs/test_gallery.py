"""docs/gallery.md is what tools/gallery.py makes, and each picture draws every vertex in every panel."""

from __future__ import annotations

import re

import pytest

from tools import gallery

SVG = "{http://www.w3.org/2000/svg}"


def test_the_page_is_up_to_date() -> None:
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page(), "run `make docs`"
    assert {file.stem for file in gallery.IMAGES.iterdir()} == {preset.name for preset in gallery.drawn()}
    assert sum(file.stat().st_size for file in gallery.IMAGES.iterdir()) < 800_000


def written(svg: str) -> list[str]:
    """Every text of a picture; fonts are those of the machine."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


@pytest.mark.parametrize("name", ["tie", "clique-complement"])
def test_a_picture_is_what_the_preset_gives_now(name: str) -> None:
    preset = next(preset for preset in gallery.drawn() if preset.name == name)
    made = gallery.picture(preset).decode()
    kept = (gallery.IMAGES / f"{name}.svg").read_text(encoding="utf-8")
    assert written(made) == written(kept), "run `make docs`"
    assert made.count("<use") == kept.count("<use")
    assert written(made).count("(a) the graph") == 1
