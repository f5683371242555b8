"""A link to an upload names the same graph in this session and in every other, and says so where it is gone."""

from __future__ import annotations

import io
import random
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import streamlit as st

from app import backend, pooled, sources
from app.sources import picker, uploads
from app.state import PROPERTIES, State
from app.step import page
from mivspool.errors import MIVSPoolError, ReadError
from mivspool.service.client import Client
from mivspool.settings import Settings
from tests.service.backends import connected


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Client]:
    settings = Settings(
        home=tmp_path, database_url=f"sqlite:///{tmp_path / 'jobs.sqlite'}", workers=0, device="cpu"
    )
    with connected("in-process", settings) as client:
        monkeypatch.setattr(backend, "client", lambda: client)
        monkeypatch.setattr(backend, "visitor", lambda: None)
        for kept in (uploads._readable, uploads._remote_graph):
            kept.clear()
        yield client


def mixed() -> bytes:
    """Graphs of 3, 4, 5 … vertices, and between them what is none; too large for a link."""
    noise = random.Random(5)
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(8):
            rows = "".join(f"v{i},v{i + 1}\n" for i in range(number + 2))
            archive.writestr(f"{number}-a.json", "{")
            archive.writestr(f"{number}-b.csv", rows)
            archive.writestr(f"{number}-c.graphml", "<graphml><graph>")
        archive.writestr("padding.xyz", bytes(noise.randrange(256) for _ in range(6000)))
    return packed.getvalue()


def another_session() -> None:
    st.session_state.pop(uploads._FILES, None)


def test_parts_that_cannot_be_read_do_not_shift_the_numbers(service: Client) -> None:
    source = uploads.keep(mixed(), "mixed.zip")
    file, index = uploads.split(source)
    assert index == 0
    assert not uploads.in_link(source)
    here = [uploads.graph(file, i).num_nodes for i in range(uploads.count(file))]
    assert here == list(range(3, 11))
    another_session()
    assert uploads.count(file) == len(here)
    assert [uploads.graph(file, i).num_nodes for i in range(len(here))] == here
    assert sources.place(uploads.join(file, 3)) == sources.Place(sources.FILE, 3, 8)
    with pytest.raises(ReadError, match="8 graphs"):
        uploads.graph(file, 8)


def test_the_same_content_under_another_name_is_another_upload(
    service: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "MOST_IN_LINK", 10)
    table = b"1,2,5\n2,3,1\n3,1,2\n"  # three weighted edges, unless the name says that it is a matrix
    matrix, edges = (uploads.split(uploads.keep(table, name))[0] for name in ("m.adjacency.csv", "m.csv"))
    assert matrix != edges
    for _ in ("this session", "another"):
        assert uploads.graph(matrix, 0).nodes == ("0", "1", "2")
        assert uploads.graph(edges, 0).nodes == ("1", "2", "3")
        another_session()


def test_a_session_does_not_keep_every_file(monkeypatch: pytest.MonkeyPatch, service: Client) -> None:
    monkeypatch.setattr(uploads, "MOST_IN_LINK", 10)
    monkeypatch.setattr(uploads, "_MOST_BYTES", 1_000)
    kept = [uploads.keep(b"a,b\n" * 200 + f"b,c{k}\n".encode(), f"{k}.csv") for k in range(4)]
    assert len(uploads._here()) == 1
    assert [uploads.graph(uploads.split(source)[0], 0).nodes[2] for source in kept] == [
        "c0",
        "c1",
        "c2",
        "c3",
    ]


@pytest.fixture
def state() -> Iterator[State]:
    before = dict(st.session_state)
    yield State("step", {prop.name: prop.default for prop in PROPERTIES})
    for name in [name for name in st.session_state if name not in before]:
        del st.session_state[name]


@pytest.mark.parametrize("model", ["", "mao-mivspool"])
def test_what_is_shown_stays_when_its_upload_goes(
    state: State, service: Client, monkeypatch: pytest.MonkeyPatch, model: str
) -> None:
    said: list[str] = []
    notice: Any = type("Notice", (), {"warning": lambda self, text, icon: said.append(text)})()
    monkeypatch.setattr(uploads, "MOST_IN_LINK", 10)
    state.graph = uploads.keep(b"a,b\nb,c\n", "mine.csv")
    state.score = "degree"
    shown = page._shown(state, notice)
    assert shown.graph.nodes == ("a", "b", "c")
    assert picker.load(state) is shown.graph
    another_session()  # the server forgot it: the session's files and the backend's
    service.delete_dataset(uploads.split(state.graph)[0])
    for kept in (uploads._readable, uploads._remote_graph, pooled._kept_small):
        kept.clear()
    state.model = model
    assert page._shown(state, notice) is shown
    assert len(said) == 1
    assert "upload the file again" in said[0]
    assert picker.load(state) is shown.graph
    with pytest.raises(MIVSPoolError):
        sources.load(state.graph)


def test_a_new_session_says_what_is_gone_and_shows_a_graph(state: State, service: Client) -> None:
    said: list[str] = []
    notice: Any = type("Notice", (), {"warning": lambda self, text, icon: said.append(text)})()
    for gone in (
        f"upload-{'0' * 32}~0",
        "file-0123456789abcdef~0",
        "z.AAAA~0",
        f"upload-{'0' * 32}~999999999",
    ):
        st.session_state.pop(page._SHOWN, None)
        state.graph = gone
        assert page._shown(state, notice).graph.num_nodes == 14
        assert state.graph == "MAO:3"
    assert len(said) == 4
    assert all("upload" in text or "link" in text for text in said)
