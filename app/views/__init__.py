"""The pages of the app, one line each, in the order of the menu. A page is a module here with ``page()``.

The folder is not called ``pages``: Streamlit takes one of that name beside the main script for its older kind of
multi-page app, and on a fresh server a link to a page then shows an empty one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass

import streamlit as st
from streamlit.navigation.page import StreamlitPage

from app import strings, strings_learn, strings_pages


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

    def page(self) -> StreamlitPage:
        """The page for Streamlit, to list in the menu or to switch to."""
        first = self.name == DEFAULT
        return st.Page(self.run(), title=self.title, url_path="start" if first else self.name, default=first)


PAGES: tuple[PageEntry, ...] = (
    PageEntry("learn", strings_learn.PAGE_LEARN),
    PageEntry("step", strings.PAGE_STEP),
    PageEntry("compare", strings_pages.COMPARE),
    PageEntry("classify", strings_pages.CLASSIFY),
    PageEntry("train", strings_pages.TRAIN),
    PageEntry("results", strings_pages.RESULTS),
)

DEFAULT = "step"


def page_of(name: str) -> StreamlitPage:
    """A page by its name, to link to."""
    return next(entry for entry in PAGES if entry.name == name).page()


def open_page(name: str) -> None:
    """Leave for another page; what it shows is in the session's state."""
    st.switch_page(page_of(name))
