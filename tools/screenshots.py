"""``python -m tools.screenshots``: the pictures of the README anew, from the app as it is (needs Chromium)."""

from __future__ import annotations

from pathlib import Path

from app.server.start import running
from tests.app.browser import chromium, settled, wait_for_graph

IMAGES = Path(__file__).resolve().parent.parent / "docs" / "images"
# name → what the app opens with
PICTURES = {
    "step": "?graph=MAO:3&model=mao-mivspool&step=1",
    "change": "?graph=MAO:3&mode=edit&step=2",
    "classify": "classify?graph=MAO:3",
}


def main() -> None:
    """Write every picture of ``PICTURES``."""
    with running() as address, chromium() as browser:
        for name, link in PICTURES.items():
            page = browser.new_page(viewport={"width": 1280, "height": 860})
            page.goto(f"{address}/{link}")
            wait_for_graph(page, timeout=60)
            page.wait_for_timeout(1500)  # what pulses has come to rest
            settled(page)
            page.screenshot(path=IMAGES / f"{name}.png")
            page.close()


if __name__ == "__main__":
    main()
