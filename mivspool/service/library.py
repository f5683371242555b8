"""The models of a backend: released ones, those made on this machine, and those kept from jobs with their owners."""

from __future__ import annotations

import io
import logging
import tempfile
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlalchemy import delete, insert, select
from sqlalchemy.exc import IntegrityError

from mivspool.errors import BackendError, JobError, MIVSPoolError, ModelError
from mivspool.service.database import Database
from mivspool.service.problems import Refusal
from mivspool.service.schemas import ModelCard, ModelDocument
from mivspool.service.scrub import scrub, scrub_all
from mivspool.service.shelf import Shelf
from mivspool.service.tables import models as table
from mivspool.service.tables import now
from mivspool.settings import Settings

if TYPE_CHECKING:
    from mivspool.learning.models import Model, ModelInfo

log = logging.getLogger(__name__)


class Library:
    """``database`` gives the database of kept models; without visitors to tell apart it is asked only when needed."""

    def __init__(self, settings: Settings, database: Callable[[], Database], separate: bool) -> None:
        self.settings, self._database, self.separate = settings, database, separate
        self.shelf = Shelf(self._load, self._stamp)
        self._closing = threading.Event()
        self._warming: threading.Thread | None = None

    def close(self) -> None:
        """Stop the shelf, and loading models ahead of it."""
        self._closing.set()
        if self._warming is not None:
            self._warming.join()  # a thread that computes while Python ends takes the process down with it
        self.shelf.close()

    def start_warm(self) -> None:
        """``warm`` beside the requests."""
        if self._warming is None:
            self._warming = threading.Thread(target=self.warm, name="mivspool-warm", daemon=True)
            self._warming.start()

    def warm(self) -> None:
        """Load every model, so that the first request does not wait; one that cannot be loaded says so in the log."""
        from mivspool.learning.models import list_models

        try:
            for info in list_models():
                if self._closing.is_set():
                    return
                if info.problem is None:
                    self.shelf.model(info.name)
        except (MIVSPoolError, OSError) as error:
            log.warning("not all models could be loaded: %s", error)

    def all(self, owner: str) -> list[ModelDocument]:
        """The models this visitor may use; those that cannot be loaded are left out (the log says why)."""
        from mivspool.learning.models import list_models

        kept = self._kept()
        for name in kept:
            self._unpack(name)
        return [
            _document(info, kept.get(info.name))
            for info in list_models()
            if info.problem is None and self._may(kept.get(info.name), owner)
        ]

    def card(self, name: str, owner: str) -> ModelCard:
        """A model's card. Raises Refusal (404)."""
        self.check(name, owner)
        known = {document.name: document for document in self.all(owner)}
        if name not in known:
            raise self._unknown(name, owner)
        model = self._model(name)
        return ModelCard(**known[name].model_dump(), card=scrub(model.card), config=scrub_all(model.config))

    def check(self, name: str, owner: str) -> None:
        """Refuse (404) a model that is not there or not this visitor's to use."""
        from mivspool.learning.models import check_name

        try:
            check_name(name)  # a path or an address of a hub is nothing that may come over the network
        except ModelError:
            raise self._unknown(name, owner) from None
        if not self._folder(name):
            self._unpack(name)
        if not self._folder(name) or (self.separate and not self._may(self._kept().get(name), owner)):
            raise self._unknown(name, owner)

    def ready(self, name: str) -> bool:
        """Whether a model is loaded, unchanged, and anyone's to use: then nothing is left to ask or wait for."""
        return not self.separate and self.shelf.fresh(name)

    def prepare(self, name: str, owner: str) -> None:
        """Check that this visitor may use a model, and load it. Raises Refusal (404), ModelError."""
        self.check(name, owner)
        self.shelf.model(name)

    def keep(self, job: str, content: bytes, name: str, owner: str, shared: bool) -> ModelDocument:
        """Keep what a job learned under a name, for this visitor or for all. Raises ModelError."""
        from mivspool.learning.models import check_name, list_models, load_model, save_model

        check_name(name)
        if any(info.name == name for info in list_models()):
            raise Refusal(409, ModelError(f"there is a model {name!r} already: choose another name"))
        with tempfile.TemporaryDirectory() as folder:
            _extract(content, Path(folder) / "job")
            made = load_model(Path(folder) / "job")
            kept = Path(folder) / name
            config = made.config
            save_model(
                kept, made.classifier, made.schema, made.classes, config["run"], config.get("evaluation")
            )
            packed = pack(kept)
        row = {
            "name": name,
            "owner": owner,
            "shared": shared,
            "job": job,
            "created": now(),
            "content": packed,
        }
        try:
            with self._database().write() as db:
                db.execute(insert(table).values(**row))
        except IntegrityError as error:
            raise Refusal(
                409, ModelError(f"there is a model {name!r} already: choose another name")
            ) from error
        self._unpack(name)
        return next(document for document in self.all(owner) if document.name == name)

    def delete(self, name: str, owner: str) -> None:
        """Delete a kept model of one's own. Raises Refusal."""
        from mivspool.learning.models import delete_model

        self.check(name, owner)
        kept = self._kept().get(name)
        if kept is None:
            raise Refusal(
                403, ModelError(f"{name} was not kept from a job here: it is not deleted over the network")
            )
        if kept["owner"] != owner:
            raise Refusal(403, BackendError("this model belongs to another visitor"), kind="access")
        with self._database().write() as db:
            db.execute(delete(table).where(table.c.name == name))
        if self._folder(name):
            delete_model(name)
        self.shelf.forget(name)

    # -- parts -------------------------------------------------------------------------------------------

    def _kept(self) -> dict[str, dict[str, Any]]:
        columns = (table.c.name, table.c.owner, table.c.shared, table.c.job)
        with self._database().read() as db:
            return {row.name: dict(row._mapping) for row in db.execute(select(*columns))}

    def _may(self, kept: dict[str, Any] | None, owner: str) -> bool:
        return kept is None or kept["owner"] == owner or kept["shared"] or not self.separate

    def _unknown(self, name: str, owner: str) -> Refusal:
        names = ", ".join(document.name for document in self.all(owner)) or "none"
        return Refusal(404, ModelError(f"there is no model {name[:80]!r}; there are: {names}"))

    def _folder(self, name: str) -> Path | None:
        from mivspool.learning.models import model_folder

        return model_folder(name)

    def _unpack(self, name: str) -> None:
        """Put a kept model where this machine's models lie: another server may have kept it."""
        if self._folder(name):
            return
        with self._database().read() as db:
            content = db.execute(select(table.c.content).where(table.c.name == name)).scalar_one_or_none()
        if content is None:
            return
        target = self.settings.home / "models" / name
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{name}-") as folder:
            made = Path(folder) / name
            _extract(bytes(content), made)
            try:
                made.rename(target)
            except OSError:
                if not target.is_dir():  # another server of this machine was faster
                    raise

    def _stamp(self, name: str) -> Any:
        folder = self._folder(name)
        if folder is None:
            return None
        return tuple(
            (folder / file).stat().st_mtime_ns
            for file in ("config.json", "model.safetensors")
            if (folder / file).exists()
        )

    def _load(self, name: str) -> Model:
        from mivspool.learning.models import load_model
        from mivspool.learning.training import pick_device

        model = load_model(name)
        model.classifier.to(pick_device(self.settings.device))
        _warm(model)
        return model

    def _model(self, name: str) -> Model:
        from mivspool.learning.models import Model

        model = self.shelf.model(name)
        assert isinstance(model, Model)
        return model


def _warm(model: Model) -> None:
    """Classify three vertices in a row, so that the first visitor does not wait for what happens once."""
    import numpy as np

    from mivspool.graphs.graph import Graph

    schema = model.schema
    attributes: dict[str, tuple[Any, ...]] = {name: (mean,) * 3 for name, mean, _ in schema.attributes}
    if schema.node_labels is not None:
        attributes["label"] = (schema.node_labels[0],) * 3
    path = Graph("warm-up", ("0", "1", "2"), np.array([[0, 1], [1, 2]]), node_attributes=attributes)
    for result in model.classify([path]):
        result.to_json()


def pack(folder: Path) -> bytes:
    """A model's folder as a zip."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in sorted(folder.iterdir()):
            archive.write(file, file.name)
    return buffer.getvalue()


def _extract(content: bytes, folder: Path) -> None:
    """What ``pack`` made, and only plain files beside each other."""
    folder.mkdir(parents=True)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            for name in archive.namelist():
                (folder / Path(name).name).write_bytes(archive.read(name))
    except zipfile.BadZipFile as error:
        raise JobError("what the job has learned is damaged: train it again") from error


def _document(info: ModelInfo, kept: dict[str, Any] | None) -> ModelDocument:
    return ModelDocument(
        name=info.name,
        dataset=scrub(info.dataset) or None,
        method=info.method or None,
        score=info.score,
        classes=list(info.classes),
        needs=info.needs,
        accuracy=info.accuracy,
        accuracy_std=info.accuracy_std,
        released=info.released,
        job=None if kept is None else kept["job"],
    )
