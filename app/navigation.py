"""The pages of the app: each folder here that holds a ``page.py`` with ``page()``, in the order of its ``PLACE``.

A page's folder says ``TITLE`` and ``PLACE`` in its ``__init__.py``; its words and its parts lie beside ``page.py``.
No folder is called ``pages``: Streamlit takes one of that name beside the main script for its older kind of multi-page
app, and on a fresh server a link to a page then shows an empty one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import streamlit as st


@dataclass(frozen=True)
class PageEntry:
    """One page: ``name`` is its folder and its place in the URL."""

    name: str
    title: str
    place: int

    def run(self) -> Callable[[], None]:
        """What shows the page; its module is imported when it is shown first."""

        def show() -> None:
            importlib.import_module(f"app.{self.name}.page").page()

        show.__name__ = self.name
        return show

    def page(self) -> st.Page:
        """The page for Streamlit, to list in the menu or to switch to."""
        first = self.name == DEFAULT
        return st.Page(self.run(), title=self.title, url_path="start" if first else self.name, default=first)


def _found() -> tuple[PageEntry, ...]:
    pages = []
    for module in Path(__file__).parent.glob("*/page.py"):
        folder = importlib.import_module(f"app.{module.parent.name}")
        pages.append(PageEntry(module.parent.name, folder.TITLE, folder.PLACE))
    return tuple(sorted(pages, key=lambda entry: entry.place))


PAGES = _found()
"""Every page, in the order of the menu."""

DEFAULT = "step"


def page_of(name: str) -> st.Page:
    """A page by its name, to link to."""
    return next(entry for entry in PAGES if entry.name == name).page()


def open_page(name: str) -> None:
    """Leave for another page; what it shows is in the session's state."""
    st.switch_page(page_of(name))
