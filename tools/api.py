"""Write the API reference, made from the docstrings: ``python tools/api.py [FOLDER]`` (`make docs`).

``MODULES`` is what a person imports; what is not listed is how it is done. tests/docs/test_api.py holds these modules
to their docstrings: every public name has one, with shapes where arrays go in or out and the errors it raises.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "api"
MODULES = (
    "mivspool",
    "mivspool.meer",
    "mivspool.keys",
    "mivspool.trace",
    "mivspool.sparse",
    "mivspool.levels",
    "mivspool.compare",
    "mivspool.figures",
    "mivspool.errors",
    "mivspool.extras",
    "mivspool.settings",
    "mivspool.graphs",
    "mivspool.graphs.graph",
    "mivspool.graphs.dataset",
    "mivspool.graphs.datasets",
    "mivspool.graphs.collections.classics",
    "mivspool.graphs.collections.teaching",
    "mivspool.graphs.source",
    "mivspool.graphs.given",
    "mivspool.graphs.features",
    "mivspool.graphs.schema",
    "mivspool.graphs.layout",
    "mivspool.graphs.export",
    "mivspool.pooling",
    "mivspool.pooling.base",
    "mivspool.pooling.method",
    "mivspool.pooling.score",
    "mivspool.pooling.methods.mivspool",
    "mivspool.pooling.methods.diffpool",
    "mivspool.pooling.methods.gpool",
    "mivspool.pooling.methods.kmis_1",
    "mivspool.pooling.methods.kmis_2",
    "mivspool.pooling.methods.mewispool",
    "mivspool.pooling.methods.mivspool_comp",
    "mivspool.pooling.methods.mvpool",
    "mivspool.pooling.methods.mvpool_sl",
    "mivspool.pooling.methods.ndp",
    "mivspool.pooling.methods.none",
    "mivspool.pooling.methods.sagpool",
    "mivspool.pooling.parts.kmis",
    "mivspool.pooling.parts.made",
    "mivspool.pooling.parts.topk",
    "mivspool.pooling.scores.uniform",
    "mivspool.pooling.scores.degree",
    "mivspool.pooling.scores.projection",
    "mivspool.pooling.scores.attention",
    "mivspool.pooling.scores.multiview",
    "mivspool.pyg",
    "mivspool.pyg.pooling",
    "mivspool.pyg.transform",
    "mivspool.pyg.graphgym",
    "mivspool.learning.models",
    "mivspool.learning.network",
    "mivspool.learning.record",
    "mivspool.learning.training",
    "mivspool.learning.runs",
    "mivspool.service.client",
    "mivspool.canvas",
    "mivspool.canvas.payload",
    "mivspool.canvas.notebook",
    "mivspool.canvas.network",
    "mivspool.pyvis",
    "mivspool.lecture.chapters",
    "mivspool.site",
)


def main(folder: Path) -> None:
    """Write HTML that asks for nothing outside: index.html and a page a module."""
    import pdoc

    others = "!(?!(?:" + "|".join(map(re.escape, MODULES)) + ")$).*"  # pdoc takes submodules along
    pdoc.render.configure(docformat="restructuredtext", show_source=False, search=False)
    pdoc.pdoc("mivspool", others, output_directory=folder)
    print(f"{folder / 'index.html'}")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
