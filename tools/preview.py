"""``python -m tools.preview``: the picture that a link to the static site shows elsewhere (site/files/preview.png)."""

from __future__ import annotations

import io
from pathlib import Path

import matplotlib
from PIL import Image, ImageDraw, ImageFont, ImageOps

from mivspool.colours import PAGE
from mivspool.figures import draw
from mivspool.graphs import open_source, positions
from mivspool.levels import step
from mivspool.site import PREVIEW, PREVIEW_SIZE, strings

PATH = Path(__file__).resolve().parent.parent / "mivspool" / "site" / "files" / PREVIEW
SOURCE, SCORE = "karate", "degree"
GAP = 40  # pixels between the parts
_HEAD = 160  # pixels of the title
_COLOURS = 64


def picture() -> bytes:
    """The title above a graph, its survivors and the reduced graph, as one PNG."""
    graph = open_source(SOURCE)
    level = step(graph, SCORE)[0]
    page = PAGE["light"]
    made = Image.new("RGB", PREVIEW_SIZE, page.background)
    pen = ImageDraw.Draw(made)
    pen.text((GAP, 28), strings.TITLE, page.text, _font(64))
    pen.text((GAP, 112), strings.ABOUT, page.text, _font(30))
    at = positions(graph)
    steps = (0, level.num_iterations, level.num_iterations + 2)  # the graph, its survivors, the reduced graph
    panels = [_without_caption(draw(level, at, "png", "none", number)) for number in steps]
    left, top, right, bottom = ImageOps.invert(
        panels[1].convert("L")
    ).getbbox()  # survivors are the largest vertices
    box = (left - 4, top - 4, right + 4, bottom + 4)
    width = (PREVIEW_SIZE[0] - 4 * GAP) // 3
    for place, panel in enumerate(panels):
        shown = ImageOps.contain(panel.crop(box), (width, PREVIEW_SIZE[1] - _HEAD - 2 * GAP))
        made.paste(
            shown, (GAP + place * (width + GAP), _HEAD + (PREVIEW_SIZE[1] - _HEAD - shown.height) // 2)
        )
    out = io.BytesIO()
    made.quantize(_COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()


def _without_caption(picture: bytes) -> Image.Image:
    drawn = Image.open(io.BytesIO(picture)).convert("RGB")
    return drawn.crop((0, drawn.height // 12, drawn.width, drawn.height))


def _font(size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(Path(matplotlib.get_data_path()) / "fonts" / "ttf" / "DejaVuSans.ttf", size)


if __name__ == "__main__":
    PATH.write_bytes(picture())
    print(PATH)
