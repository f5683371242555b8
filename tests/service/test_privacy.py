"""What other accounts of the machine can read: nothing of the service's."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mivspool.service.backend import Backend
from mivspool.service.library import pack
from mivspool.service.store import Store
from mivspool.service.tracking import TensorBoard
from mivspool.settings import Settings
from tests.configured import configured

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes are POSIX's")
OTHERS = stat.S_IRWXG | stat.S_IRWXO


@pytest.fixture
def careless() -> Iterator[None]:
    """A umask that gives everyone everything."""
    before = os.umask(0)
    yield
    os.umask(before)


def open_to_others(path: Path, home: Path) -> bool:
    """Whether another account can reach and read it, where it can reach the home."""
    between = [path, *(parent for parent in path.parents if home in parent.parents)]
    return all(part.stat().st_mode & OTHERS for part in between)


@pytest.mark.usefixtures("careless")
def test_no_other_account_reads_what_the_service_writes(home: Path, tmp_path: Path) -> None:
    mine = tmp_path / "home"
    mine.mkdir(mode=0o755)  # as an earlier version, or an operator, has made it
    with configured(home=mine):
        backend = Backend(Settings(workers=0))
        backend.uploads.add(b"a,b\n", "a.csv", "ann")
        job = backend.store.submit("train", {"dataset": "MAO"}, title="a test")
        claim = backend.store.claim("tester")
        assert claim is not None
        backend.store.save(claim, "checkpoint", b"weights")
        backend.library.keep(job.id, pack(home / "models" / "tiny"), "mine", "ann", shared=False)
        written = {path for path in mine.rglob("*") if path.is_file()}
        assert {"jobs.sqlite", "jobs.sqlite-wal", "jobs.sqlite-shm", "model.safetensors"} <= {
            p.name for p in written
        }
        backend.close()
    for path in written:
        assert not (path.exists() and open_to_others(path, mine)), path


@pytest.mark.usefixtures("careless")
def test_the_curves_of_jobs_are_private(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Path] = []

    class Writer:
        SummaryWriter = staticmethod(lambda folder: made.append(Path(folder)))

    monkeypatch.setattr("mivspool.service.tracking._module", lambda *_: Writer)
    home = tmp_path / "home"

    class Named:
        id = key = "name"

    TensorBoard(Settings(home=home), Named(), Named())
    assert made
    for folder in (home, home / "tensorboard"):
        assert not folder.stat().st_mode & OTHERS


@pytest.mark.usefixtures("careless")
def test_a_home_that_is_made_is_private_and_an_old_database_becomes_so(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path / "new" / "home")
    Store(settings).close()
    assert not settings.home.stat().st_mode & OTHERS
    database = settings.home / "jobs.sqlite"
    database.chmod(0o644)
    store = Store(settings)
    for path in settings.home.glob("jobs.sqlite*"):
        assert not path.stat().st_mode & OTHERS
    store.close()
