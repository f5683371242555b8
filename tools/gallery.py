"""Draw the gallery: each preset's iterations as one SVG in docs/images/gallery, and docs/gallery.md (`make docs`)."""

from __future__ import annotations

import re
from pathlib import Path

from mivspool.graphs.collections.teaching import PREFIX, PRESETS, Preset

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images" / "gallery"
PAGE = ROOT / "docs" / "gallery.md"
MOST_LABELS = 60  # vertices; beyond, the picture is large and its numbers are not read

HEAD = """# Gallery

The teaching examples (presets): every iteration of each as a panel, in the style of the paper. Open one in the
app by its link (`?graph=preset:NAME`), or draw it with `mivspool draw preset:NAME -o FILE.svg` (also PDF, PNG, TikZ,
GIF, MP4). Candidates are round, survivors large and ringed, non-survivors square.

This page and its pictures are made by `python tools/gallery.py`. Presets from data sets (`molecule`, `protein`) are
left out: their graphs are not ours to ship.
"""


def drawn() -> list[Preset]:
    """The presets whose graphs are made here or come with networkx."""
    return [preset for preset in PRESETS.values() if ":" not in str(preset.source)]


def page() -> str:
    """The text of docs/gallery.md."""
    parts = [HEAD]
    for preset in drawn():
        link = f"http://127.0.0.1:8501/step?graph={PREFIX}{preset.name}"
        parts.append(
            f"\n## {preset.title}\n\n{preset.says}\n\n"
            f"![Every iteration of the preset {preset.name}](images/gallery/{preset.name}.svg)\n\n"
            f"[Open it in the app]({link}) · `mivspool draw {PREFIX}{preset.name} -o {preset.name}.svg`\n"
        )
    return "".join(parts)


def picture(preset: Preset) -> bytes:
    """Its iterations as one SVG, with its text as text."""
    from matplotlib import rc_context

    from mivspool.figures import draw
    from mivspool.graphs import positions
    from mivspool.levels import step

    graph = preset.graph()
    level = step(graph, preset.score, seed=preset.seed, complement=preset.complement)[0]
    labels = "both" if graph.num_nodes <= MOST_LABELS else "none"
    with rc_context({"svg.fonttype": "none"}):
        made = draw(level, positions(graph), "svg", labels).decode()
    # a hundredth of a point is finer than any screen
    return re.sub(r"\d+\.\d{3,}", lambda found: f"{float(found[0]):.2f}", made).encode()


def main() -> None:
    IMAGES.mkdir(parents=True, exist_ok=True)
    for preset in drawn():
        (IMAGES / f"{preset.name}.svg").write_bytes(picture(preset))
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
