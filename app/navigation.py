"""The pages of the app: each folder here that holds a ``page.py`` with ``page()``, in the order of its ``PLACE``.

A page's folder says ``TITLE`` and ``PLACE`` in its ``__init__.py``, and ``HIDDEN`` where the menu does not list it; its
words and its parts lie beside ``page.py``.
Another distribution adds such a package by an entry point of ``mivspool.pages``.
No folder is called ``pages``: Streamlit takes one of that name beside the main script for its older kind of multi-page
app, and on a fresh server a link to a page then shows an empty one.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import entry_points
from pathlib import Path

import streamlit as st


@dataclass(frozen=True)
class PageEntry:
    """One page: ``name`` is its place in the URL, ``package`` holds its module ``page``."""

    name: str
    title: str
    place: int
    package: str
    hidden: bool = False

    def run(self) -> Callable[[], None]:
        """What shows the page; its module is imported when it is shown first."""

        def show() -> None:
            importlib.import_module(f"{self.package}.page").page()

        show.__name__ = self.name
        return show

    def page(self) -> st.Page:
        """The page for Streamlit, to list in the menu or to switch to."""
        first = self.name == DEFAULT
        return st.Page(
            self.run(),
            title=self.title,
            url_path="start" if first else self.name,
            default=first,
            visibility="hidden" if self.hidden else "visible",
        )


def _found() -> tuple[PageEntry, ...]:
    packages = [f"app.{module.parent.name}" for module in Path(__file__).parent.glob("*/page.py")]
    packages += [point.value for point in entry_points(group="mivspool.pages")]
    pages: dict[str, PageEntry] = {}
    for package in packages:
        folder, name = importlib.import_module(package), package.rpartition(".")[2]
        if name in pages:
            raise ImportError(f"{package} adds the page {name!r}, which is {pages[name].package} already")
        hidden = getattr(folder, "HIDDEN", False)
        pages[name] = PageEntry(name, folder.TITLE, folder.PLACE, package, hidden)
    return tuple(sorted(pages.values(), key=lambda entry: (entry.place, entry.name)))


PAGES = _found()
"""Every page, in the order of the menu."""

DEFAULT = "step"


def page_of(name: str) -> st.Page:
    """A page by its name, to link to."""
    return next(entry for entry in PAGES if entry.name == name).page()


def open_page(name: str) -> None:
    """Leave for another page; what it shows is in the session's state."""
    st.switch_page(page_of(name))
