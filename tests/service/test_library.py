"""Models kept from jobs: they are where their row in the database is, for whom it says, and nowhere else."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mivspool.errors import ModelError
from mivspool.learning import models
from mivspool.learning.models import delete_model, load_model
from mivspool.service.backend import Backend
from mivspool.service.library import pack
from mivspool.service.problems import Refusal
from mivspool.settings import Settings
from tests.configured import configured

ANN, BOB = "ann", "bob"


@pytest.fixture
def here(settings: Settings) -> Iterator[Backend]:
    backend = Backend(settings.model_copy(update={"separate_visitors": True, "workers": 0}))
    yield backend
    backend.close()


@pytest.fixture
def there(here: Backend, tmp_path: Path) -> Iterator[Backend]:
    """A backend elsewhere on the same database; what is done where ``home`` is its own is done there."""
    backend = Backend(here.settings.model_copy(update={"home": tmp_path}))
    yield backend
    backend.close()


def keep(backend: Backend, home: Path, name: str, owner: str, job: str = "b5e1") -> None:
    """As if ``owner`` had kept what ``job`` learned."""
    backend.library.keep(job, pack(home / "models" / "tiny"), name, owner, shared=False)


def names(backend: Backend, owner: str) -> set[str]:
    return {model.name for model in backend.library.all(owner)}


def copies(home: Path, name: str) -> list[Path]:
    return [path for path in home.rglob(f"{name}*") if path.is_dir()]


def refused(call: Callable[[], object]) -> None:
    with pytest.raises(Refusal) as told:
        call()
    assert told.value.status == 404
    assert "there is no model" in told.value.error.message


def test_a_private_model_is_its_owner_s_on_every_backend_and_gone_with_its_row(
    here: Backend, there: Backend, home: Path, tmp_path: Path
) -> None:
    keep(here, home, "private", ANN)
    with configured(home=tmp_path):
        there.library.prepare("private", ANN)
        assert "private" in names(there, ANN)
        assert "private" not in names(there, BOB)
        refused(lambda: there.library.prepare("private", BOB))
    here.library.delete("private", ANN)
    with configured(home=tmp_path):
        for owner in (ANN, BOB):
            assert "private" not in names(there, owner)
            refused(lambda owner=owner: there.library.prepare("private", owner))
    assert copies(home, "private") == copies(tmp_path, "private") == []


def test_what_is_kept_is_described_before_and_not_after(
    here: Backend, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An error after the row is written would say of a model that is kept that it is not."""

    def refuse(*_: object) -> None:
        raise ModelError("it cannot be unpacked now")

    content = pack(home / "models" / "tiny")
    with monkeypatch.context() as patch:
        patch.setattr(here.library, "_unpacked", refuse)
        told = here.library.keep("b5e1", content, "described", ANN, shared=False)
    assert [told] == [model for model in here.library.all(ANN) if model.name == "described"]
    here.library.delete("described", ANN)


def test_a_model_that_cannot_be_described_is_not_kept(
    here: Backend, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged(folder: Path, released: bool = False) -> models.ModelInfo:
        return models.ModelInfo(folder.name, folder, released, problem="its settings are damaged")

    with monkeypatch.context() as patch:
        patch.setattr(models, "describe", damaged)
        with pytest.raises(ModelError, match="its settings are damaged"):
            keep(here, home, "damaged", ANN)
    assert "damaged" not in names(here, ANN)


def test_a_name_that_is_given_again_means_the_new_model_alone(
    here: Backend, there: Backend, home: Path, tmp_path: Path
) -> None:
    keep(here, home, "again", ANN, job="first")
    with configured(home=tmp_path):
        first = there.library.prepare("again", ANN)
    here.library.delete("again", ANN)
    keep(here, home, "again", BOB, job="second")
    with configured(home=tmp_path):
        refused(lambda: there.library.prepare("again", ANN))
        assert there.library.card("again", BOB).job == "second"
        assert there.library.prepare("again", BOB) != first
        assert not there.library.shelf.fresh(first)
    here.library.delete("again", BOB)


def test_a_deleted_model_is_gone_where_visitors_are_not_told_apart(settings: Settings, home: Path) -> None:
    one, other = (
        Backend(settings.model_copy(update={"separate_visitors": False, "workers": 0})) for _ in range(2)
    )
    keep(one, home, "common", ANN)
    other.library.prepare("common", BOB)
    one.library.delete("common", ANN)
    assert not other.library.ready("common")
    refused(lambda: other.library.prepare("common", BOB))
    one.close()
    other.close()


def test_a_folder_that_a_job_left_among_the_machine_s_models_is_not_the_machine_s(
    here: Backend, home: Path
) -> None:
    """Versions before 0.2 unpacked kept models there, and left them there."""
    left = home / "models" / "left-behind"
    shutil.copytree(home / "models" / "tiny", left)
    config = json.loads((left / "config.json").read_text())
    config["run"]["job"] = "b5e1"
    (left / "config.json").write_text(json.dumps(config))
    try:
        assert "left-behind" not in names(here, ANN)
        refused(lambda: here.library.check("left-behind", ANN))
    finally:
        shutil.rmtree(left)


def test_a_model_of_the_machine_is_not_hidden_by_one_kept_elsewhere(
    here: Backend, there: Backend, home: Path, tmp_path: Path
) -> None:
    shutil.copytree(home / "models" / "tiny", tmp_path / "models" / "mine")
    keep(here, home, "mine", ANN)
    with configured(home=tmp_path):
        assert "mine" in names(there, BOB)
        assert there.library.prepare("mine", BOB) == "mine"
        assert there.library.card("mine", ANN).job is None
    here.library.delete("mine", ANN)


def test_who_sits_at_the_machine_finds_a_kept_model_by_its_name(here: Backend, home: Path) -> None:
    keep(here, home, "at-hand", ANN)
    assert load_model("at-hand").classes == ("0", "1")
    with pytest.raises(ModelError, match="kept from a job"):
        delete_model("at-hand")
    here.library.delete("at-hand", ANN)
    with pytest.raises(ModelError, match="there is no model"):
        load_model("at-hand")
