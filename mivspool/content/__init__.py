"""What pages show and say that more than one face has: the app's pages and those of the static site are made of it.

Words, tables and sentences as plain data and HTML. It knows nothing of Streamlit, and nothing of the site.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path


@lru_cache(maxsize=5)
def style(name: str) -> str:
    """A style sheet: "tables", of Results and Compare, "legend", "classes", of Classify, or "inside", its network."""
    return (Path(__file__).parent / f"{name}.css").read_text(encoding="utf-8")
