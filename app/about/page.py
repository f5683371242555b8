"""About: what this is, the paper and how to cite it, keyboard shortcuts, and the terms."""

from __future__ import annotations

from html import escape

import streamlit as st

from app import backend
from app.about import words
from app.state import State
from app.ui.texts import safe
from mivspool import __version__
from mivspool.errors import MIVSPoolError
from mivspool.lecture import paper
from mivspool.messages import fill, sentence
from mivspool.settings import settings


def page() -> None:
    """Show the page."""
    state = State.load("about")
    with st.container(width=860):
        st.markdown(words.WHAT)
        st.subheader(words.PAPER)
        authors = f"{', '.join(paper.AUTHORS[:-1])} and {paper.AUTHORS[-1]}"
        st.markdown(
            fill(
                words.PAPER_ABOUT,
                authors=authors, title=paper.TITLE, year=str(paper.YEAR), arxiv=paper.ARXIV, address=paper.ADDRESS,
            )
        )  # fmt: skip
        st.code(paper.BIBTEX, language="bibtex", wrap_lines=True)
        st.subheader(words.SOFTWARE)
        st.markdown(fill(words.SOFTWARE_ABOUT, version=__version__))
        _data()
        st.subheader(words.KEYS)
        st.markdown(words.KEYS_ABOUT)
        st.html(_keys())
        st.subheader(words.GLOSSARY)
        terms = "".join(
            f"<dt>{escape(term)}</dt><dd>{escape(about)}</dd>" for term, about in words.TERMS.items()
        )
        st.html(f"<dl class='terms'>{terms}</dl>")
    state.save()


def _data() -> None:
    """What the backend keeps of this visitor, where it tells visitors apart, and its deletion."""
    if not (settings().separate_visitors or settings().backend_url):
        return
    try:
        if not backend.health().separate_visitors:
            return
        kept = backend.client().kept()
    except MIVSPoolError as error:
        st.subheader(words.DATA)
        st.warning(safe(sentence(error.message)))
        return
    st.subheader(words.DATA)
    st.markdown(
        fill(
            words.DATA_ABOUT, jobs=kept.jobs, uploads=kept.uploads, models=kept.models,
            job_days=kept.keep_jobs_days, upload_days=kept.keep_uploads_days,
        )
    )  # fmt: skip
    with st.popover(words.DATA_DELETE, icon=":material/delete:"):
        if st.button(words.DATA_SURE, icon=":material/delete:"):
            try:
                backend.client().forget()
            except MIVSPoolError as error:
                st.error(safe(sentence(error.message)))
                return
            backend.forget()
            st.toast(words.DATA_DELETED)
            st.rerun()


def _keys() -> str:
    rows = []
    for group, keys in words.KEY_GROUPS.items():
        rows.append(f"<tr><th colspan='2' scope='colgroup'>{escape(group)}</th></tr>")
        for names, does in keys:
            marks = " ".join(f"<kbd>{escape(words.KEY_NAMES.get(name, name))}</kbd>" for name in names)
            rows.append(f"<tr><td>{marks}</td><td>{escape(does)}</td></tr>")
    key, what = words.KEYS_HEADINGS
    head = f"<thead><tr><th scope='col'>{escape(key)}</th><th scope='col'>{escape(what)}</th></tr></thead>"
    return f"<table class='keys'>{head}<tbody>{''.join(rows)}</tbody></table>"
