"""The pages of the app, one line each, in the order of the menu. A page is a module here with ``page()``.

The folder is not called ``pages``: Streamlit takes one of that name beside the main script for its older kind of
multi-page app, and on a fresh server a link to a page then shows an empty one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

from app import strings, strings_pages


@dataclass(frozen=True)
class PageEntry:
    """One page: ``name`` is its module in app/views and its place in the URL."""

    name: str
    title: str

    def run(self) -> Callable[[], None]:
        """What shows the page; its module is imported when it is shown first."""

        def show() -> None:
            importlib.import_module(f"app.views.{self.name}").page()

        show.__name__ = self.name
        return show


PAGES: tuple[PageEntry, ...] = (
    PageEntry("step", strings.PAGE_STEP),
    PageEntry("compare", strings_pages.COMPARE),
    PageEntry("classify", strings_pages.CLASSIFY),
    PageEntry("train", strings_pages.TRAIN),
    PageEntry("results", strings_pages.RESULTS),
)

DEFAULT = "step"
