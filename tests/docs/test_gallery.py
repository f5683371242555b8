"""docs/gallery.md is what tools/gallery.py makes, and each picture draws every vertex in every panel."""

from __future__ import annotations

import pytest

from tools import gallery

SVG = "{http://www.w3.org/2000/svg}"


def test_the_page_is_up_to_date() -> None:
    assert gallery.PAGE.read_text(encoding="utf-8") == gallery.page(), "run `make docs`"
    assert {file.stem for file in gallery.IMAGES.iterdir()} == {preset.name for preset in gallery.drawn()}
    assert sum(file.stat().st_size for file in gallery.IMAGES.iterdir()) < 800_000


@pytest.mark.parametrize("name", ["tie", "clique-complement"])
def test_a_picture_is_what_the_preset_gives_now(name: str) -> None:
    preset = next(preset for preset in gallery.drawn() if preset.name == name)
    made = gallery.picture(preset).decode()
    kept = (gallery.IMAGES / f"{name}.svg").read_text(encoding="utf-8")
    assert made.count("<text") == kept.count("<text")
    assert made.count("<use") == kept.count("<use")
    assert made.count("(a) the graph") == kept.count("(a) the graph") == 1
