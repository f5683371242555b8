"""A model's folder: config.json, model.safetensors and README.md, in the form of huggingface_hub's mixin.

Written so that a folder and a hub are read alike. Weights are safetensors and nothing else: a pickle is never
opened, every tensor must be there with its shape, and nothing is printed.
"""

from __future__ import annotations

import json
import shutil
import tempfile
from collections.abc import Collection, Mapping
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

import torch
from huggingface_hub import HfApi, PyTorchModelHubMixin, hf_hub_download
from huggingface_hub.errors import EntryNotFoundError, HfHubHTTPError, HFValidationError
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file

from mivspool.errors import MIVSPoolError, ModelError
from mivspool.graphs.schema import InputSchema
from mivspool.learning.layers import describe
from mivspool.learning.network import Classifier, NetworkConfig
from mivspool.messages import count

SCHEMA_VERSION = 1
CONFIG, WEIGHTS, CARD = "config.json", "model.safetensors", "README.md"
_PICKLES = ("pytorch_model.bin", "model.pt", "model.pth", "model.pkl", "model.ckpt")
# a network larger than this was not made here, and would fill the memory before its weights are looked at
_MOST_BLOCKS, _MOST_CHANNELS, _MOST_CLASSES = 64, 16_384, 10_000


class HubClassifier(Classifier, PyTorchModelHubMixin, library_name="mivspool", license="mit"):
    """The classifier with what must be known to use it; its arguments are the keys of config.json.

    ``architecture``: NetworkConfig as a dict. ``classes``: names in the order of the logits. ``input_schema``:
    InputSchema as a dict. ``run``: how it was trained. ``evaluation``: what was measured of it, where it was.
    """

    def __init__(
        self,
        *,
        schema_version: int,
        architecture: dict[str, Any],
        classes: list[str],
        input_schema: dict[str, Any],
        run: dict[str, Any] | None = None,
        evaluation: dict[str, Any] | None = None,
    ) -> None:
        super().__init__(NetworkConfig.from_dict(architecture))
        self.classes = tuple(classes)
        self.schema = InputSchema.from_dict(input_schema)
        self.run, self.evaluation = run or {}, evaluation or {}

    @classmethod
    def _from_pretrained(
        cls,
        *,
        model_id: str,
        revision: str | None = None,
        cache_dir: str | Path | None = None,
        force_download: bool = False,
        local_files_only: bool = False,
        token: str | bool | None = None,
        **config: Any,
    ) -> HubClassifier:
        """Strict, silent, and from safetensors alone."""
        folder = Path(model_id)
        if not folder.is_dir():
            folder = download(
                model_id,
                revision=revision,
                cache_dir=cache_dir,
                force_download=force_download,
                local_files_only=local_files_only,
                token=token,
            )
        config = check_config(config, str(model_id))
        with torch.device("meta"):
            shapes = {key: tuple(value.shape) for key, value in cls(**config).state_dict().items()}
        state = _read_weights(folder, shapes)
        with torch.random.fork_rng(devices=[]):
            model = cls(**config)
        model.load_state_dict(state, strict=True)
        return model.eval()


def download(
    model_id: str, *, revision: str | None = None, token: str | bool | None = None, **options: Any
) -> Path:
    """The files of a model on a hub, in the local cache; raises ModelError where they cannot be had.

    The hub is asked once what it has, with a short patience; where it cannot be reached, the cache must do.
    """
    offline = bool(options.pop("local_files_only", False))
    if not offline:
        try:
            about = HfApi().model_info(model_id, revision=revision, token=token, timeout=10)
        except (HfHubHTTPError, HFValidationError) as error:
            raise ModelError(
                f"there is no model {model_id!r} here, nor one that the hub lets you have"
            ) from error
        except Exception:  # whichever library the hub's client talks HTTP with: it was not reached
            offline = True
        else:
            revision = about.sha
            files = {file.rfilename for file in about.siblings or ()}
            _check_files(files, model_id)
    options |= {"revision": revision, "token": token, "local_files_only": offline}
    try:
        path = Path(hf_hub_download(model_id, CONFIG, **options))
        hf_hub_download(model_id, WEIGHTS, **options)
    except Exception as error:
        reach = "the hub cannot be reached" if offline else f"the hub does not give it ({error})"
        raise ModelError(f"there is no model {model_id!r} here, and {reach}") from error
    with suppress(EntryNotFoundError):  # a model without a card is a model
        hf_hub_download(model_id, CARD, **options)
    return path.parent


def _check_files(files: Collection[str], name: str) -> None:
    pickles = [file for file in files if file in _PICKLES]
    if WEIGHTS not in files:
        never = f" ({pickles[0]} is a pickle, which is never opened)" if pickles else ""
        raise ModelError(f"{name} has no {WEIGHTS}{never}: it is no MIVSPool model, or fetch it again")
    if CONFIG not in files:
        raise ModelError(f"{name} is no MIVSPool model: it has no {CONFIG}")


def read_config(folder: Path) -> dict[str, Any]:
    """config.json of a model's folder, checked; raises ModelError with what is wrong."""
    path = folder / CONFIG
    if not path.is_file():
        raise ModelError(f"{folder.name} is no MIVSPool model: it has no {CONFIG}")
    try:
        config = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise ModelError(
            f"{CONFIG} of {folder.name} cannot be read ({error}): fetch the model again"
        ) from error
    return check_config(config, folder.name)


def check_config(found: Any, name: str) -> dict[str, Any]:
    """The same config, if this version can build a network from it."""
    if not isinstance(found, dict) or "schema_version" not in found:
        raise ModelError(f"{name} is not a MIVSPool model: its {CONFIG} has no schema_version")
    config: dict[str, Any] = found
    version = config["schema_version"]
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise ModelError(f"{name} has the schema version {version!r}, which is none")
    if version > SCHEMA_VERSION:
        raise ModelError(
            f"{name} was made by a newer MIVSPool (its schema is {version}, this one reads up to {SCHEMA_VERSION}): "
            "upgrade mivspool"
        )
    missing = [key for key in ("architecture", "classes", "input_schema") if key not in config]
    if missing:
        raise ModelError(f"{CONFIG} of {name} lacks {', '.join(missing)}: fetch the model again")
    known = {"schema_version", "architecture", "classes", "input_schema", "run", "evaluation"}
    config = {key: value for key, value in config.items() if key in known}
    try:
        architecture = NetworkConfig.from_dict(config["architecture"])
        schema = InputSchema.from_dict(config["input_schema"])
        classes = config["classes"]
    except (MIVSPoolError, TypeError, ValueError, AttributeError) as error:
        raise ModelError(
            f"{CONFIG} of {name} describes no network this version can build: {error}"
        ) from error
    if not isinstance(classes, list) or not all(isinstance(label, str) for label in classes):
        raise ModelError(f"{CONFIG} of {name} does not list its classes by name")
    if len(set(classes)) != len(classes) or len(classes) != architecture.num_classes:
        raise ModelError(
            f"{name} names {count(len(classes), 'class')} for {architecture.num_classes} outputs"
        )
    if schema.num_features != architecture.in_channels:
        raise ModelError(
            f"{name} describes {schema.num_features} input columns for a network of {architecture.in_channels}"
        )
    largest = max(architecture.hidden, architecture.in_channels)
    if (
        architecture.blocks > _MOST_BLOCKS
        or largest > _MOST_CHANNELS
        or architecture.num_classes > _MOST_CLASSES
    ):
        raise ModelError(f"{name} describes a network too large to be one of ours")
    return config


def write_folder(
    folder: Path, classifier: Classifier, config: Mapping[str, Any], card: str, *, overwrite: bool = False
) -> None:
    """Write a model's folder, at once or not at all.

    Raises ModelError where the folder is there already (unless ``overwrite``) or holds something else.
    """
    config = dict(config) | {"schema_version": SCHEMA_VERSION, "architecture": classifier.config.to_dict()}
    check_config(config, folder.name)
    check_free(folder, overwrite)
    with torch.random.fork_rng(devices=[]):
        model = HubClassifier(**config)
    model.load_state_dict(classifier.state_dict())
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=folder.parent))
    try:
        # the card first: the mixin would make one of its own
        (made / CARD).write_text(card, encoding="utf-8")
        model.save_pretrained(made, config=with_layers(config))
        made.chmod(0o755)
        (made / WEIGHTS).chmod(0o644)
        if folder.exists():
            shutil.rmtree(folder)
        made.rename(folder)
    finally:
        shutil.rmtree(made, ignore_errors=True)


def write_config(folder: Path, config: Mapping[str, Any]) -> None:
    """Write config.json anew in a model's folder; the weights stay."""
    text = json.dumps(with_layers(config), sort_keys=True, indent=2)
    (folder / CONFIG).write_text(text, encoding="utf-8")


def with_layers(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config with its network's layers, for those who read the file; a network is built from its architecture."""
    layers = describe(NetworkConfig.from_dict(config["architecture"]))
    return {**config, "layers": [layer.to_dict() for layer in layers]}


def check_free(folder: Path, overwrite: bool) -> None:
    """Refuse a folder that is there already, unless it is a model's and may be overwritten."""
    if folder.exists() and not (overwrite and (folder / CONFIG).is_file()):
        raise ModelError(f"there is a {folder.name} already: choose another name, or delete it first")


def _read_weights(folder: Path, shapes: Mapping[str, tuple[int, ...]]) -> dict[str, torch.Tensor]:
    """The tensors of a folder, all those of ``shapes`` and no other."""
    path, name = folder / WEIGHTS, folder.name
    _check_files({file.name for file in folder.iterdir()}, name)
    try:
        with safe_open(path, framework="pt") as file:
            found = {key: tuple(file.get_slice(key).get_shape()) for key in file.keys()}  # noqa: SIM118
        _compare(found, shapes, name)
        state: dict[str, torch.Tensor] = load_file(path)
    except (SafetensorError, OSError) as error:
        raise ModelError(f"{WEIGHTS} of {name} is damaged ({error}): fetch the model again") from error
    wrong = [key for key, value in state.items() if not bool(torch.isfinite(value).all())]
    if wrong:
        raise ModelError(f"the weights {wrong[0]!r} of {name} hold values that are no numbers")
    return state


def _compare(
    found: Mapping[str, tuple[int, ...]], expected: Mapping[str, tuple[int, ...]], name: str
) -> None:
    for key in chain(expected, found):
        if found.get(key) != expected.get(key):
            raise ModelError(
                f"{WEIGHTS} of {name} does not fit its {CONFIG}: {key!r} is {_shape(found.get(key))} where "
                f"{_shape(expected.get(key))} is expected"
            )


def _shape(shape: tuple[int, ...] | None) -> str:
    return "missing" if shape is None else "×".join(map(str, shape)) or "a number"
