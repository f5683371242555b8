"""Large contents in an object store: the same as in the database, whole or not there, and none is forgotten."""

from __future__ import annotations

import stat
import tracemalloc
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from mivspool.cli import main
from mivspool.errors import BackendError, DatasetError, StorageError, UnavailableError
from mivspool.service import objects as objects_module
from mivspool.service import tables
from mivspool.service.backend import Backend
from mivspool.service.backup import backup, restore
from mivspool.service.objects import Objects
from mivspool.service.readiness import Readiness
from mivspool.service.states import DONE
from mivspool.service.store import Claim, Store
from mivspool.service.uploads import Uploads
from mivspool.settings import Settings
from tests.configured import configured
from tests.service.backends import connected
from tests.service.conftest import Make

EDGES = b"a,b\nb,c\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "objects"


@pytest.fixture
def store(settings: Settings, folder: Path) -> Iterator[Store]:
    made = Store(settings.model_copy(update={"store_url": f"file://{folder}"}))
    yield made
    made.close()


def claim(store: Store) -> Claim:
    store.submit("train", {"dataset": "MAO"}, title="a test", owner="ann")
    held = store.claim("tester")
    assert held is not None
    return held


def in_the_store(folder: Path) -> list[bytes]:
    return sorted(path.read_bytes() for path in folder.rglob("*") if path.is_file())


def in_the_database(store: Store) -> int:
    """Bytes of contents."""
    with store.database.read() as db:
        found = [
            content
            for table in (tables.files, tables.contents, tables.models)
            for content in db.execute(select(table.c.content)).scalars()
        ]
    return sum(map(len, found))


def fetched(uploads: Uploads, identity: str, to: Path) -> bytes:
    uploads.fetch(identity, to)
    return to.read_bytes()


def test_contents_lie_there_and_not_in_the_database(store: Store, folder: Path, tmp_path: Path) -> None:
    held, uploads = claim(store), Uploads(store.database, store.settings)
    given = tmp_path / "given"
    given.write_bytes(b"weights")
    store.save(held, "checkpoint", given)
    store.save(held, "model", b"model")
    made = uploads.add(EDGES, "a.csv", "ann")
    assert in_the_store(folder) == sorted([b"weights", b"model", EDGES])
    assert in_the_database(store) == 0
    assert store.load(held.job, "checkpoint") == b"weights"
    assert store.fetch(held.job, "model", tmp_path / "taken")
    assert (tmp_path / "taken").read_bytes() == b"model"
    assert not store.fetch(held.job, "nothing", tmp_path / "nothing")
    assert not (tmp_path / "nothing").exists()
    assert fetched(uploads, made.id, tmp_path / "upload") == EDGES
    assert uploads.add(EDGES, "a.csv", "bob").id == made.id, "the same file is put there once"
    assert len(in_the_store(folder)) == 3
    store.save_log(held.job, b"a line\n")
    assert store.load(held.job, "log") == b"a line\n"


def test_what_lay_in_the_database_stays_readable(store: Store, settings: Settings, tmp_path: Path) -> None:
    before = Store(settings)
    held, uploads = claim(before), Uploads(before.database, settings)
    before.save(held, "checkpoint", b"first")
    made = uploads.add(EDGES, "a.csv", "ann")
    assert store.load(held.job, "checkpoint") == b"first"
    assert fetched(Uploads(store.database, store.settings), made.id, tmp_path / "upload") == EDGES
    store.save(held, "checkpoint", b"second")
    assert store.load(held.job, "checkpoint") == b"second"
    with pytest.raises(UnavailableError, match="MIVSPOOL_STORE_URL"):
        before.load(held.job, "checkpoint")
    before.close()


def test_an_object_goes_when_no_row_names_it_and_not_before(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, uploads = claim(store), Uploads(store.database, store.settings)
    store.save(held, "checkpoint", b"first")
    store.save(held, "checkpoint", b"second")
    made = uploads.add(EDGES, "a.csv", "ann")
    store.objects.columns(b"of a worker that has died before it wrote the row")
    assert store.objects.sweep() == 0
    assert len(in_the_store(folder)) == 4, "whoever has just read a row can still read the object"
    monkeypatch.setattr(objects_module, "GRACE_SECONDS", 0.0)
    assert store.objects.sweep() == 2
    assert in_the_store(folder) == sorted([b"second", EDGES])
    uploads.delete(made.id, "ann")
    assert store.objects.sweep() == 1
    store.finish(held, DONE)
    store.delete(held.job)
    assert store.objects.sweep() == 1
    assert in_the_store(folder) == []
    with store.database.read() as db:
        assert db.execute(select(tables.objects)).all() == []
    with pytest.raises(DatasetError):
        uploads.fetch(made.id, folder / "x")


def test_what_cannot_be_deleted_is_tried_again_and_is_in_nobody_s_way(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(objects_module, "GRACE_SECONDS", 0.0)
    for i in range(4):
        store.objects.columns(b"%d" % i)
    stuck = next(path for path in folder.rglob("*") if path.is_file() and path.read_bytes() == b"1")
    remove = type(store.objects._fs).rm_file

    def refuse(fs: Any, path: str) -> None:
        if path.endswith(stuck.name):
            raise PermissionError("not now")
        remove(fs, path)

    with monkeypatch.context() as patch:
        patch.setattr(type(store.objects._fs), "rm_file", refuse)
        assert store.objects.sweep() == 3
        assert in_the_store(folder) == [b"1"]
        assert "not now" in caplog.text
        patch.setattr(objects_module, "GRACE_SECONDS", 3600.0)
        assert store.objects.sweep() == 0, "not at once"
    assert store.objects.sweep() == 1
    assert in_the_store(folder) == []


def test_a_sweep_that_finds_nothing_locks_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    held = claim(store)
    store.save(held, "checkpoint", b"weights")
    store.objects.sweep()

    def locked() -> Any:
        raise AssertionError("it locks the database")

    monkeypatch.setattr(store.database, "write", locked)
    assert store.objects.sweep() == 0


def test_a_sweep_ends_after_some_seconds(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread that sweeps is the one that looks after jobs."""
    monkeypatch.setattr(objects_module, "GRACE_SECONDS", 0.0)
    for i in range(3):
        store.objects.columns(b"%d" % i)
    with monkeypatch.context() as patch:
        patch.setattr(objects_module, "SWEEP_SECONDS", 0.0)
        assert store.objects.sweep() == 1
    assert store.objects.sweep() == 2


@pytest.mark.parametrize("transport", ["in-process", "http"])
def test_what_a_driver_says_is_for_the_log(
    store: Store, transport: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object, **__: object) -> Any:
        raise ConnectionError("no route to https://key:secret@10.0.0.7/bucket")

    with connected(transport, store.settings.model_copy(update={"workers": 0})) as client:
        made = client.upload(EDGES, "a.csv")
        monkeypatch.setattr(type(store.objects._fs), "get_file", away)
        answer = client._transport.send("GET", f"/v1/datasets/{made.name}/graphs/0")
    assert answer.status_code == 503
    assert answer.json()["detail"] == "the object store does not answer"
    assert "/v1/datasets/{name}/graphs/{index}: the object store does not answer: no route to" in caplog.text


def test_large_files_are_not_read_whole(store: Store, tmp_path: Path) -> None:
    held, size = claim(store), 32 * 2**20
    large = tmp_path / "large"
    with large.open("wb") as file:
        file.truncate(size)
    tracemalloc.start()
    store.save(held, "checkpoint", large)
    store.fetch(held.job, "checkpoint", tmp_path / "back")
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (tmp_path / "back").stat().st_size == size
    assert most < size / 4


def test_a_backup_holds_them_and_is_restored_anywhere(
    store: Store, make_settings: Make, tmp_path: Path
) -> None:
    held = claim(store)
    store.save(held, "checkpoint", b"weights")
    made = Uploads(store.database, store.settings).add(EDGES, "a.csv", "ann")
    backup(store.settings, tmp_path / "backup.sqlite")
    elsewhere = make_settings()
    restore(elsewhere, tmp_path / "backup.sqlite")
    there = Store(elsewhere)
    assert there.load(held.job, "checkpoint") == b"weights"
    assert fetched(Uploads(there.database, elsewhere), made.id, tmp_path / "upload") == EDGES
    there.close()


def test_no_other_account_reads_them(store: Store, folder: Path, tmp_path: Path) -> None:
    folder.chmod(0o755)  # as an operator has made it
    given = tmp_path / "given"
    given.write_bytes(b"weights")
    held = claim(store)
    store.save(held, "checkpoint", given)
    store.save(held, "model", b"model")
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.rglob("*") if path.is_file()}
    assert modes == {0o600}


def test_a_full_store_is_told_as_a_full_disk(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> Any:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(type(store.objects._fs), "pipe_file", full)
    with pytest.raises(StorageError, match="no space left"):
        store.objects.columns(b"x")


def test_any_store_that_fsspec_knows_will_do(settings: Settings) -> None:
    store = Store(settings.model_copy(update={"store_url": "memory://mivspool-tests"}))
    held = claim(store)
    store.objects.check()
    store.save(held, "checkpoint", b"weights")
    assert store.load(held.job, "checkpoint") == b"weights"
    assert in_the_database(store) == 0
    store.close()


@pytest.mark.parametrize("url", ["nonsense://x", "file:///proc/none/here", "s3://"])
def test_a_store_that_cannot_be_used_is_one_line(
    url: str, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with configured(store_url=url):
        status = main(["serve", "--port", "0"])
    out, err = capsys.readouterr()
    assert (status, out) == (2, "")
    assert "MIVSPOOL_STORE_URL" in err
    assert err.count("\n") == 1


def test_one_that_does_not_answer_is_given_up(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    over = threading.Event()
    monkeypatch.setattr(objects_module, "REACH_SECONDS", 0.05)
    monkeypatch.setattr(type(store.objects._fs), "pipe_file", lambda *_: over.wait())
    for _ in range(3):
        with pytest.raises(BackendError, match="no answer within"):
            store.objects.check()
    trying = [one for one in threading.enumerate() if one.name == "mivspool-objects"]
    over.set()
    assert len(trying) == 1, "each look would leave a thread behind"
    trying[0].join()


def test_backends_that_try_it_at_once_are_in_nobody_s_way(
    store: Store, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store.objects.check()
    assert in_the_store(folder) == []
    remove = type(store.objects._fs).rm_file

    def taken(fs: Any, path: str) -> None:
        remove(fs, path)  # as the other one does
        remove(fs, path)

    monkeypatch.setattr(type(store.objects._fs), "rm_file", taken)
    store.objects.check()


def test_readiness_names_it(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    backend = Backend(store.settings, run_jobs=False)
    assert Readiness(backend).ask()["objects"] is None
    monkeypatch.setattr(Objects, "check", lambda _: _broken())
    assert Readiness(backend).ask()["objects"] == "the object store cannot be written"
    backend.close()


def test_readiness_does_not_take_the_database_for_the_store(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    backend = Backend(store.settings, run_jobs=False)

    def away(_: Backend) -> Any:
        raise UnavailableError("the job database does not answer")

    monkeypatch.setattr(Backend, "store", property(away))
    assert Readiness(backend).ask()["objects"] == "the job database does not answer"


def _broken() -> None:
    raise BackendError("s3://somewhere is away")
