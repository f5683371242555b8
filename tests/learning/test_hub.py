"""A model's folder: what is written is read bit for bit, and what is not ours is refused with a sentence."""

from __future__ import annotations

import json
import pickle
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
import torch
from huggingface_hub.errors import LocalEntryNotFoundError
from safetensors.torch import load_file, save_file

from mivspool.errors import ModelError
from mivspool.graphs import InputSchema
from mivspool.learning import hub
from mivspool.learning.models import load_model, save_model
from mivspool.learning.network import Classifier


@pytest.fixture
def copy(folder: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(folder, tmp_path / "copy"))


def change(folder: Path, alter: Callable[[dict], object]) -> None:
    path = folder / hub.CONFIG
    config = json.loads(path.read_text())
    alter(config)
    path.write_text(json.dumps(config))


def test_a_model_is_read_as_it_was_written(
    folder: Path, network: Classifier, schema: InputSchema, capfd: pytest.CaptureFixture[str]
) -> None:
    model = load_model(folder)
    assert capfd.readouterr().out == ""
    assert (model.name, model.classes, model.schema) == ("small", ("0", "1"), schema)
    assert model.classifier.config == network.config
    assert not model.classifier.training
    written, read = network.state_dict(), model.classifier.state_dict()
    assert list(written) == list(read)
    assert all(torch.equal(written[key], read[key]) for key in written)
    assert {path.name for path in folder.iterdir()} == {hub.CONFIG, hub.WEIGHTS, hub.CARD}


def test_loading_and_saving_leave_the_random_state_alone(
    folder: Path, network: Classifier, schema: InputSchema, tmp_path: Path
) -> None:
    before = torch.get_rng_state()
    save_model(tmp_path / "again", network, schema, ["0", "1"], {"dataset": "MAO"})
    hub.HubClassifier.from_pretrained(folder)
    assert torch.equal(before, torch.get_rng_state())


def test_the_card_is_ours(folder: Path) -> None:
    card = (folder / hub.CARD).read_text()
    assert card.startswith("---\nlibrary_name: mivspool")
    assert "must not be used for" in card


def test_a_folder_is_not_overwritten_unasked(
    copy: Path, network: Classifier, schema: InputSchema, tmp_path: Path
) -> None:
    save = (network, schema, ["0", "1"], {"dataset": "MAO"})
    with pytest.raises(ModelError, match="already"):
        save_model(copy, *save)
    save_model(copy, *save, overwrite=True)
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.tex").touch()
    with pytest.raises(ModelError, match="already"):
        save_model(tmp_path / "foreign", *save, overwrite=True)
    assert (tmp_path / "foreign" / "thesis.tex").exists()
    assert not list(tmp_path.glob(".*"))


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (lambda c: c.update(schema_version=2), "newer MIVSPool"),
        (lambda c: c.update(schema_version="one"), "schema version 'one'"),
        (lambda c: c.pop("schema_version"), "not a MIVSPool model"),
        (lambda c: c.pop("input_schema"), "lacks input_schema"),
        (lambda c: c.update(classes=["a"]), "1 class for 2 outputs"),
        (lambda c: c.update(classes=["a", "a"]), "2 classes"),
        (lambda c: c.update(classes="ab"), "does not list its classes"),
        (lambda c: c["architecture"].update(method="magic"), "no pooling method 'magic'"),
        (lambda c: c["architecture"].update(hidden="many"), "no network this version can build"),
        (lambda c: c["architecture"].update(hidden=10**9), "too large"),
        (lambda c: c["architecture"].update(blocks=10**9), "too large"),
        (lambda c: c["architecture"].update(in_channels=5), "input columns"),
        (lambda c: c["architecture"].update(blocks=2), "does not fit"),
        (lambda c: c["input_schema"].update(attributes=7), "input schema"),
        (lambda c: c.update(architecture=None), "no network this version can build"),
    ],
)
def test_a_config_that_is_not_ours_is_refused(
    copy: Path,
    alter: Callable[[dict], object],
    says: str,
) -> None:
    change(copy, alter)
    with pytest.raises(ModelError, match=says):
        load_model(copy)


def test_a_config_that_is_no_json_is_refused(copy: Path) -> None:
    (copy / hub.CONFIG).write_text("{")
    with pytest.raises(ModelError, match="cannot be read"):
        load_model(copy)
    (copy / hub.CONFIG).unlink()
    with pytest.raises(ModelError, match="no MIVSPool model"):
        load_model(copy)


def test_what_a_newer_patch_adds_is_ignored(copy: Path) -> None:
    change(copy, lambda c: c.update(colour="green"))
    assert load_model(copy).classes == ("0", "1")


class Bomb:
    def __reduce__(self) -> tuple[object, tuple[str]]:
        return print, ("a pickle was opened",)


def test_a_pickle_is_never_opened(copy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (copy / hub.WEIGHTS).unlink()
    (copy / "pytorch_model.bin").write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ModelError, match="is a pickle, which is never opened"):
        load_model(copy)
    (copy / hub.WEIGHTS).write_bytes(pickle.dumps(Bomb()))
    with pytest.raises(ModelError, match="damaged"):
        load_model(copy)
    assert "opened" not in capsys.readouterr().out


@pytest.mark.parametrize("keep", [0, 7, 100, -1])
def test_weights_cut_short_are_refused(copy: Path, keep: int) -> None:
    path = copy / hub.WEIGHTS
    path.write_bytes(path.read_bytes()[:keep])
    with pytest.raises(ModelError, match="damaged"):
        load_model(copy)


@pytest.mark.parametrize(
    ("alter", "says"),
    [
        (lambda s, key: s.pop(key), "missing where"),
        (lambda s, key: s.update(extra=torch.zeros(1)), "where missing is expected"),
        (lambda s, key: s.update({key: torch.zeros(3)}), "is expected"),
        (lambda s, key: s.update({key: s[key] * float("nan")}), "no numbers"),
    ],
)
def test_every_tensor_must_be_there_and_fit(
    copy: Path, alter: Callable[[dict[str, torch.Tensor], str], object], says: str
) -> None:
    path = copy / hub.WEIGHTS
    state = load_file(path)
    alter(state, next(iter(state)))
    save_file(state, path)
    with pytest.raises(ModelError, match=says):
        load_model(copy)


class Hub:
    """A hub that holds one folder, or cannot be reached."""

    def __init__(self, folder: Path | None, sha: str = "0123abc") -> None:
        self.folder, self.sha, self.asked = folder, sha, list[str]()

    def model_info(self, model_id: str, **options: object) -> SimpleNamespace:
        if self.folder is None:
            raise ConnectionError("no network")
        files = [SimpleNamespace(rfilename=path.name) for path in self.folder.iterdir()]
        return SimpleNamespace(sha=self.sha, siblings=files)

    def fetch(self, model_id: str, file: str, **options: object) -> str:
        if self.folder is None:
            assert options["local_files_only"]
            raise LocalEntryNotFoundError("not in the cache")
        assert options["revision"] == self.sha
        self.asked.append(file)
        return str(self.folder / file)


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch) -> Callable[[Path | None], Hub]:
    """Puts a hub on the other end."""

    def put(folder: Path | None) -> Hub:
        made = Hub(folder)
        monkeypatch.setattr(hub, "HfApi", lambda: made)
        monkeypatch.setattr(hub, "hf_hub_download", made.fetch)
        return made

    return put


def test_a_hub_that_cannot_be_reached_is_a_sentence(put: Callable[[Path | None], Hub]) -> None:
    put(None)
    with pytest.raises(ModelError, match="cannot be reached"):
        load_model("somebody/something")


def test_a_hub_is_read_like_a_folder(folder: Path, put: Callable[[Path | None], Hub]) -> None:
    made = put(folder)
    model = load_model("somebody/small")
    assert model.name == "somebody/small"
    assert model.classes == ("0", "1")
    assert set(made.asked) == {hub.CONFIG, hub.WEIGHTS, hub.CARD}


def test_a_pickle_on_a_hub_is_not_even_fetched(copy: Path, put: Callable[[Path | None], Hub]) -> None:
    (copy / hub.WEIGHTS).rename(copy / "pytorch_model.bin")
    made = put(copy)
    with pytest.raises(ModelError, match="is a pickle, which is never opened"):
        load_model("somebody/small")
    assert made.asked == []
