"""A file that a page offers is there as long as a browser may still ask for it, whatever runs end meanwhile."""

from __future__ import annotations

import pytest
from streamlit.runtime.media_file_manager import MediaFileManager
from streamlit.runtime.memory_media_file_storage import MemoryMediaFileStorage

from app.server import streamlit_internals


def is_there(files: MediaFileManager, url: str) -> bool:
    return files.read_file(url.rsplit("/", 1)[1].split(".")[0]) is not None


@pytest.fixture
def files() -> MediaFileManager:
    return MediaFileManager(MemoryMediaFileStorage("/media"))


def another_run(files: MediaFileManager) -> None:
    """A run of the page begins; another session's ends, which takes away what no page refers to."""
    files.clear_session_refs()
    files.remove_orphaned_files()


def test_a_click_on_what_the_page_offered_before_its_latest_run_makes_the_file(
    files: MediaFileManager,
) -> None:
    offered = files.add_deferred(lambda: b"vertex,cluster\n", "text/csv", "1.2", "S.csv")
    another_run(files)
    another_run(files)
    assert is_there(files, files.execute_deferred(offered))


def test_a_file_that_was_made_waits_for_the_browser(files: MediaFileManager) -> None:
    made = files.execute_deferred(files.add_deferred(lambda: b"a", "text/csv", "1.2", "S.csv"))
    offered = files.add(b"b", "text/csv", "1.3", "scores.csv", is_for_static_download=True)
    for _ in range(3):
        another_run(files)
        assert is_there(files, made)
        assert is_there(files, offered)


def test_what_nobody_asks_for_goes_in_the_end(
    files: MediaFileManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = files.add(b"p", "image/png", "1.1")
    offered = files.add(b"b", "text/csv", "1.2", "scores.csv", is_for_static_download=True)
    later = files.add_deferred(lambda: b"a", "text/csv", "1.3", "S.csv")
    assert is_there(files, picture)
    another_run(files)
    assert not is_there(files, picture), "no browser asks for it later"
    now = streamlit_internals.monotonic()
    monkeypatch.setattr(streamlit_internals, "monotonic", lambda: now + 3600)
    another_run(files)
    another_run(files)
    assert not is_there(files, offered)
    with pytest.raises(Exception, match="not found"):
        files.execute_deferred(later)


def test_what_a_page_still_refers_to_is_not_old(
    files: MediaFileManager, monkeypatch: pytest.MonkeyPatch
) -> None:
    offered = files.add_deferred(lambda: b"a", "text/csv", "1.3", "S.csv")
    now = streamlit_internals.monotonic()
    monkeypatch.setattr(streamlit_internals, "monotonic", lambda: now + 3600)
    files.remove_orphaned_files()
    another_run(files)
    assert is_there(files, files.execute_deferred(offered))
