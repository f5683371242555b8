"""A person's own graphs: the box for what they upload or paste, and how a link names it.

A small file goes into the link itself, compressed. A larger one is kept by the backend under the hash of its content,
for as many days as its settings say; where the backend takes no uploads, it stays with this session. A link names a
graph as FILE~INDEX, or FILE~INDEX~READING where another reading of the file was chosen.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import zipfile
import zlib
from collections.abc import Callable, Sequence

import streamlit as st

from app import backend
from app.sources import words
from app.state import State
from app.ui.texts import safe
from mivspool.content import shared
from mivspool.errors import MIVSPoolError, ReadError, VerticesAloneError
from mivspool.graphs.graph import Graph
from mivspool.messages import count as counted
from mivspool.messages import sentence

# a compressed file as long as this still makes a link that browsers and mail take
MOST_IN_LINK = 4_000
_MOST_EXPANDED = 2_000_000
_PER_REQUEST = 1_000  # members of an upload
_LARGE = 2_000_000  # bytes of a file whose graphs take so much memory that few are kept
_IN_LINK, _BACKEND, _SESSION, _MARK = "z.", "upload-", "file-", "~"
_LONGEST_READING = 100
_FILES = "uploads"
_MOST_FILES, _MOST_BYTES = 8, 64_000_000  # of one session; the newest is always kept


def box(state: State, key: str, chosen: Callable[[State, str], None], draw: Callable[[], None]) -> None:
    """Upload files, paste text or draw; a mistake gets its sentence here, and the page keeps what it showed.

    ``chosen`` is told of the graph's name; ``draw`` shows the way to a drawing.
    """
    # another popover, and closed, when what was given in it was taken
    taken = st.session_state.setdefault(f"{key}:taken", 0)
    with st.popover(words.UPLOAD, icon=":material/upload_file:", key=f"{key}:own:{taken}"):
        times = st.session_state.setdefault(f"{key}:times", 0)
        files = st.file_uploader(
            words.UPLOAD_FILES,
            help=words.UPLOAD_HELP,
            key=f"{key}:file:{times}",  # another one, and empty, when its files were taken
            accept_multiple_files=True,
        )
        pasted = st.text_area(words.PASTE, placeholder=words.PASTE_PLACEHOLDER, key=f"{key}:text", height=120)
        with st.container(horizontal=True):
            # never disabled: what is typed is told when the field is left, and a button that is pressed for that
            # would take two clicks
            pressed = st.button(words.PASTE_OPEN, key=f"{key}:open")
            draw()
        if pressed and not pasted.strip():
            st.caption(words.PASTE_FIRST)
        tried = [file.file_id for file in files]
        given: tuple[bytes, str] | None = None
        if pressed and pasted.strip():
            given = (pasted.encode("utf-8", "replace"), words.PASTED_NAME)
        elif files and st.session_state.get(f"{key}:tried") != tried:
            given = together([(file.getvalue(), file.name) for file in files])
        if given is not None:
            try:
                source = keep(*given)
            except MIVSPoolError as error:
                where = f" (line {error.line})" if error.line is not None else ""
                st.session_state[f"{key}:error"] = state.graph, f"{sentence(error.message)}{where}"
                if isinstance(error, VerticesAloneError):  # the files stay, and wait for one more
                    st.session_state[f"{key}:tried"] = tried
                elif not pressed:
                    st.session_state[f"{key}:times"] = times + 1
                    st.rerun()
            else:
                chosen(state, source)
                # a run can end early at every touch of the session: the files are taken when all is done
                st.session_state.pop(f"{key}:error", None)
                st.session_state[f"{key}:times"] = times + 1
                st.session_state[f"{key}:taken"] = taken + 1
                st.rerun()
        shown, message = st.session_state.get(f"{key}:error", ("", ""))
        if message and shown == state.graph:  # until there is another graph
            st.error(safe(message))


def is_upload(source: str) -> bool:
    """Whether a graph's name in the URL is that of an upload."""
    return source.startswith((_IN_LINK, _BACKEND, _SESSION)) and _MARK in source


def keep(content: bytes, name: str) -> str:
    """The name, for the URL, of an uploaded file's first graph. Raises ReadError where it cannot be read."""
    _read(content, name, "")
    packed = _pack(content, name)
    if len(packed) <= MOST_IN_LINK:
        return join(f"{_IN_LINK}{packed}", 0)
    try:
        identity = backend.client().upload(content, name).name
    except ReadError:
        raise
    except MIVSPoolError:  # no uploads there: then only this session has it
        named = name.encode("utf-8", "replace") + b"\0" + content  # a name can say how a file is to be read
        identity = f"{_SESSION}{hashlib.sha256(named).hexdigest()[:16]}"
    files: dict[str, tuple[bytes, str]] = st.session_state.setdefault(_FILES, {})
    files.pop(identity, None)
    files[identity] = (content, name)
    while len(files) > 1 and (len(files) > _MOST_FILES or _size(files) > _MOST_BYTES):
        del files[next(iter(files))]
    return join(identity, 0)


def together(files: Sequence[tuple[bytes, str]]) -> tuple[bytes, str]:
    """Files that were given at once as one, a zip of them: a table of vertices and one of edges are one graph."""
    if len(files) == 1:
        return files[0]
    packed = io.BytesIO()
    names = [name for _, name in files]
    apart = len(set(names)) == len(names)
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (content, name) in enumerate(
            files, start=1
        ):  # without the time: the same bytes each time
            archive.writestr(
                zipfile.ZipInfo(name if apart else f"{number}/{name}"), content, zipfile.ZIP_DEFLATED
            )
    return packed.getvalue(), f"{names[0]} + {len(names) - 1}.zip"


def lasts(source: str) -> bool:
    """Whether a link brings this upload back, in this session and the next."""
    return not source.startswith(_SESSION)


def in_link(source: str) -> bool:
    """Whether a link alone brings this upload back."""
    return source.startswith(_IN_LINK)


def split(source: str) -> tuple[str, int]:
    """A name in the URL: the file's part, and the graph's index in it."""
    name, index, _ = _parts(source)
    return name, int(index) if index.isdecimal() and len(index) < 10 else 0


def reading(source: str) -> str:
    """The reading of the file that was chosen, as ``read_graphs`` takes it; "" where it is left to the reader."""
    return _parts(source)[2][:_LONGEST_READING]


def read_otherwise(source: str, as_: str) -> str:
    """The name of the file's first graph in another reading."""
    return join(split(source)[0], 0, as_)


def _parts(source: str) -> tuple[str, str, str]:
    name, _, rest = source.partition(_MARK)
    index, _, as_ = rest.partition(_MARK)
    return name, index, as_


def content(file: str) -> tuple[bytes, str]:
    """The bytes and name of a file in a link or of this session. Raises ReadError if it is gone or damaged."""
    if file.startswith(_IN_LINK):
        return _unpack(file.removeprefix(_IN_LINK))
    kept: tuple[bytes, str] | None = _here().get(file)
    if kept is None:
        raise ReadError(shared.UPLOAD_GONE)
    return kept


def count(file: str, as_: str = "") -> int:
    """How many graphs of an upload can be read, in the reading ``as_``. Raises an error with a sentence."""
    if _is_remote(file):
        return len(_readable(_visitor(), file, as_))
    return len(_read(*content(file), as_))


def graph(file: str, index: int, as_: str = "") -> Graph:
    """One graph of an upload, counted among those that can be read. Raises an error with a sentence."""
    there = count(file, as_)
    if index >= there:
        raise ReadError(f"this file has {counted(there, 'graph')}: there is no number {index}")
    if _is_remote(file):
        return _remote_graph(_visitor(), file, _readable(_visitor(), file, as_)[index], as_)
    return _read(*content(file), as_)[index]


def _size(files: dict[str, tuple[bytes, str]]) -> int:
    return sum(len(kept) for kept, _ in files.values())


def _here() -> dict[str, tuple[bytes, str]]:
    files: dict[str, tuple[bytes, str]] = st.session_state.get(_FILES, {})
    return files


def _is_remote(file: str) -> bool:
    return file.startswith(_BACKEND) and file not in _here()


def _visitor() -> str | None:
    return backend.visitor()


@st.cache_data(ttl=60, max_entries=32, show_spinner=False)
def _readable(visitor: str | None, file: str, as_: str) -> tuple[int, ...]:
    """The backend's numbers of the graphs that can be read: it counts those that cannot as well."""
    found: list[int] = []
    offset, total = 0, 1
    while offset < total:
        members = backend.client().members(file, offset, _PER_REQUEST, as_=as_ or None)
        total, offset = members.total, offset + _PER_REQUEST
        found += [member.index for member in members.graphs if member.error is None]
    return tuple(found)


@st.cache_resource(ttl=600, max_entries=8, show_spinner=words.UPLOAD_BACK)
def _remote_graph(visitor: str | None, file: str, number: int, as_: str) -> Graph:
    return backend.client().graph(file, number, as_=as_ or None)


def join(file: str, index: int, as_: str = "") -> str:
    """The name in the URL of one graph of a file, in the reading ``as_``."""
    return f"{file}{_MARK}{index}{_MARK}{as_}" if as_ else f"{file}{_MARK}{index}"


def _read(content: bytes, name: str, as_: str) -> list[Graph]:
    return (_read_small if len(content) < _LARGE else _read_large)(content, name, as_)


@st.cache_resource(max_entries=16, show_spinner=False)
def _read_small(content: bytes, name: str, as_: str) -> list[Graph]:
    from mivspool.graphs import read_graphs

    return read_graphs(content, name, as_=as_ or None)


@st.cache_resource(max_entries=3, show_spinner=words.READING_LARGE)
def _read_large(content: bytes, name: str, as_: str) -> list[Graph]:
    from mivspool.graphs import read_graphs

    return read_graphs(content, name, as_=as_ or None)


def _pack(content: bytes, name: str) -> str:
    packed = zlib.compress(name.encode("utf-8", "replace") + b"\0" + content, 9)
    return base64.urlsafe_b64encode(packed).decode("ascii").rstrip("=")


def _unpack(text: str) -> tuple[bytes, str]:
    damaged = ReadError(shared.LINK_DAMAGED)
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
