"""A person's own graphs: what they upload or paste, and how a link names it.

A small file goes into the link itself, compressed. A larger one is kept by the backend under the hash of its content,
for as many days as its settings say; where the backend takes no uploads, it stays with this session.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import zlib

import streamlit as st

from mivspool.errors import MIVSPoolError, ReadError
from mivspool.graphs.graph import Graph

# a compressed file as long as this still makes a link that browsers and mail take
MOST_IN_LINK = 4_000
_MOST_EXPANDED = 2_000_000
_IN_LINK, _BACKEND, _SESSION, _MARK = "z.", "upload-", "file-", "~"
_FILES = "uploads"
_MOST_FILES = 8


def is_upload(source: str) -> bool:
    """Whether a graph's name in the URL is that of an upload."""
    return source.startswith((_IN_LINK, _BACKEND, _SESSION)) and _MARK in source


def keep(content: bytes, name: str) -> str:
    """The name, for the URL, of an uploaded file's first graph. Raises ReadError where the backend cannot read it."""
    packed = _pack(content, name)
    if len(packed) <= MOST_IN_LINK:
        return join(f"{_IN_LINK}{packed}", 0)
    from app import backend  # not before it is needed: the backend takes a second to import

    try:
        identity = backend.client().upload(content, name).name
    except ReadError:
        raise
    except MIVSPoolError:  # no uploads there: then only this session has it
        identity = f"{_SESSION}{hashlib.sha256(content).hexdigest()[:16]}"
    files: dict[str, tuple[bytes, str]] = st.session_state.setdefault(_FILES, {})
    files[identity] = (content, name)
    while len(files) > _MOST_FILES:
        del files[next(iter(files))]
    return join(identity, 0)


def lasts(source: str) -> bool:
    """Whether a link brings this upload back, in this session and the next."""
    return not source.startswith(_SESSION)


def in_link(source: str) -> bool:
    """Whether a link alone brings this upload back."""
    return source.startswith(_IN_LINK)


def split(source: str) -> tuple[str, int]:
    """A name in the URL in two: the file's part, and the graph's index in it."""
    name, _, index = source.rpartition(_MARK)
    return name, int(index) if index.isdecimal() and len(index) < 10 else 0


def content(file: str) -> tuple[bytes, str]:
    """The bytes and name of a file in a link or of this session. Raises ReadError if it is gone or damaged."""
    if file.startswith(_IN_LINK):
        return _unpack(file.removeprefix(_IN_LINK))
    kept: tuple[bytes, str] | None = _here().get(file)
    if kept is None:
        raise ReadError("this link names an uploaded file that is no longer kept: upload it again")
    return kept


def count(file: str) -> int:
    """How many graphs an upload holds. Raises an error with a sentence."""
    return _remote_count(file) if _is_remote(file) else len(_read(*content(file)))


def graph(file: str, index: int) -> Graph:
    """One graph of an upload. Raises an error with a sentence."""
    if _is_remote(file):
        return _remote_graph(file, index)
    found = _read(*content(file))
    if index >= len(found):
        raise ReadError(f"this file has {len(found)} graphs: there is no number {index}")
    return found[index]


def _here() -> dict[str, tuple[bytes, str]]:
    files: dict[str, tuple[bytes, str]] = st.session_state.get(_FILES, {})
    return files


def _is_remote(file: str) -> bool:
    return file.startswith(_BACKEND) and file not in _here()


@st.cache_data(ttl=60, max_entries=32, show_spinner=False)
def _remote_count(file: str) -> int:
    from app import backend

    return backend.client().members(file, limit=1).total


@st.cache_resource(ttl=600, max_entries=32, show_spinner=False)
def _remote_graph(file: str, index: int) -> Graph:
    from app import backend

    return backend.client().graph(file, index)


def join(file: str, index: int) -> str:
    """The name in the URL of one graph of a file."""
    return f"{file}{_MARK}{index}"


@st.cache_resource(max_entries=16, show_spinner=False)
def _read(content: bytes, name: str) -> list[Graph]:
    from mivspool.graphs import read_graphs

    return read_graphs(content, name)


def _pack(content: bytes, name: str) -> str:
    packed = zlib.compress(name.encode("utf-8", "replace") + b"\0" + content, 9)
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _unpack(text: str) -> tuple[bytes, str]:
    damaged = ReadError("this link is damaged: the graph inside it cannot be unpacked")
    try:
        packed = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
        unpacking = zlib.decompressobj()
        whole = unpacking.decompress(packed, _MOST_EXPANDED)
    except (binascii.Error, ValueError, zlib.error) as error:
        raise damaged from error
    name, mark, content = whole.partition(b"\0")
    if not mark or unpacking.unconsumed_tail:
        raise damaged
    return content, name.decode("utf-8", "replace")
