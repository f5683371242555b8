"""The models that can classify: released ones, those trained here, a folder, or an id on a hub.

``load_model("mao-mivspool").classify([graph])`` says the class of any graph that fits the model's input.
"""

from __future__ import annotations

import hashlib
import json
import logging
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from mivspool.errors import InputError, ModelError
from mivspool.graphs.classes import meaning_of
from mivspool.graphs.features import Fit, InputSchema, fit_graph
from mivspool.graphs.given import Given, Several, graphs_of
from mivspool.graphs.graph import Graph
from mivspool.learning import hub
from mivspool.learning.confidence import Assessment, Calibrator
from mivspool.learning.explain import Explanation, explain
from mivspool.learning.inference import (
    Classification,
    Inputs,
    Passed,
    clusters_of,
    portions,
    true_class,
    vertices_of,
    without,
)
from mivspool.learning.inside import inside
from mivspool.learning.layers import NETWORKS
from mivspool.learning.network import Classifier
from mivspool.levels import Level
from mivspool.places import place
from mivspool.settings import private_folder, settings

RECORD = "record.json"
"""Beside a released model: what its training did to a graph of each class (``release.write_record``)."""

log = logging.getLogger(__name__)

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_HUB_ID = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*")


@dataclass(frozen=True)
class ModelInfo:
    """One line of the list of models; ``problem`` says why it cannot be loaded, if it cannot."""

    name: str
    folder: Path
    released: bool
    dataset: str = ""
    classes: tuple[str, ...] = ()
    class_names: Mapping[str, str] = field(default_factory=dict)  # label → published meaning
    class_source: str = ""  # who says so
    method: str = ""
    score: str | None = None
    network: str = ""  # the title of the layers around the pooling
    needs: str = ""
    accuracy: float | None = None
    accuracy_std: float | None = None
    assessment: Assessment | None = None
    version: str = ""  # a digest of configuration and weights
    problem: str | None = None
    job: str | None = None  # the job whose training it comes from, where it comes from one
    recorded: bool = False  # whether the record of a training by its settings lies beside it


@dataclass(frozen=True)
class LeftOut:
    """The class probabilities of a graph without one cluster; ``cluster`` is the id of its survivor."""

    cluster: str
    vertices: tuple[str, ...]
    probabilities: tuple[float, ...]


@dataclass(eq=False)
class Model:
    """A classifier and what must be known to use it."""

    name: str
    classifier: Classifier
    schema: InputSchema
    classes: tuple[str, ...]
    config: dict[str, Any]
    card: str

    def classify(
        self, graphs: Given | Several, mapping: Mapping[str, str] | None = None
    ) -> list[Classification]:
        """Class and probabilities of each graph; what a graph gets does not depend on the others.

        ``graphs``: a list of graphs (ours, ``Data`` of PyTorch Geometric, networkx's), a ``Batch``, a data set, or one.
        ``mapping``: which attribute of the graphs carries what the model needs (see ``fit_graph``).
        Raises ModelError with the reason where a graph does not fit the model.
        """
        graphs = graphs_of(graphs)
        fits = [fit_graph(graph, self.schema, mapping) for graph in graphs]
        return self._classify(graphs, fits)

    def classify_each(
        self, graphs: Given | Several, mapping: Mapping[str, str] | None = None
    ) -> list[Classification | ModelError]:
        """The same, with the error in the place of a graph that does not fit."""
        fits: list[Fit | ModelError] = []
        graphs = graphs_of(graphs)
        for graph in graphs:
            try:
                fits.append(fit_graph(graph, self.schema, mapping))
            except ModelError as error:
                fits.append(error)
        kept = [(graph, fit) for graph, fit in zip(graphs, fits, strict=True) if isinstance(fit, Fit)]
        results = iter(self._classify([graph for graph, _ in kept], [fit for _, fit in kept]))
        return [next(results) if isinstance(fit, Fit) else fit for fit in fits]

    def step(self, graph: Graph, levels: int | None = None) -> list[Level]:
        """The pooling of each block with the model's own scores, at most ``levels`` of them.

        Raises ModelError where the graph does not fit or the model's pooling is not MIVSPool.
        """
        if levels is not None and levels < 1:
            raise InputError(f"levels must be at least 1, not {levels}")
        made = self.classify([graph])[0].levels
        if not made:
            raise ModelError(f"{self.name} pools by {self.classifier.config.method}, not by MIVSPool")
        return made[:levels]

    def scores(self, graph: Graph) -> list[dict[str, float]]:
        """The score of each vertex at each block, by id."""
        return [dict(zip(level.nodes, level.score.tolist(), strict=True)) for level in self.step(graph)]

    def leave_out(
        self,
        graph: Graph,
        level: int = 0,
        clusters: Sequence[str] | None = None,
        mapping: Mapping[str, str] | None = None,
    ) -> list[LeftOut]:
        """The class probabilities of ``graph`` without each cluster of a block's pooling, one cluster at a time.

        A cluster goes with all the vertices of the graph that were pooled into it; the others keep their features.
        ``clusters``: the survivors whose clusters are left out (default: all). A cluster that is the whole graph is
        not left out. Raises ModelError, or InputError for a level or a survivor that is not there.
        """
        fit = fit_graph(graph, self.schema, mapping)
        made = self._classify([graph], [fit])[0].levels
        if not 0 <= level < len(made):
            raise InputError(f"{self.name} has {len(made)} pooled levels of this graph: there is no {level}")
        survivors = made[level].reduced_nodes
        place = {name: i for i, name in enumerate(survivors)}
        unknown = [name for name in clusters or () if name not in place]
        if unknown:
            raise InputError(f"vertex {unknown[0]!r} is no survivor of level {level}")
        chosen = list(survivors if clusters is None else clusters)
        members = clusters_of(made, graph.num_nodes)[level][[place[name] for name in chosen]]
        return [
            LeftOut(name, vertices_of(graph, inside), tuple(row))
            for name, inside, row in zip(
                chosen, members, without(self.classifier, fit.x, graph.edges, members).tolist(), strict=True
            )
            if not inside.all()
        ]

    def explain(self, graph: Graph, mapping: Mapping[str, str] | None = None) -> Explanation:
        """Why the model predicts a class for ``graph``: what each vertex and each cluster contributes, by two methods.

        Raises ModelError if the graph does not fit, LimitError if it is too large (``explain.check_size``), and
        MissingPackageError if Captum is not installed.
        """
        fit = fit_graph(graph, self.schema, mapping)
        return explain(self._classify([graph], [fit])[0], fit.x)

    def inside(
        self, graph: Graph, vertex: str, mapping: Mapping[str, str] | None = None
    ) -> list[dict[str, Any]]:
        """What each layer computes for a vertex of ``graph``, from its features to the logits (``inside.inside``).

        Raises ModelError if the graph does not fit, and InputError if it has no such vertex.
        """
        fit = fit_graph(graph, self.schema, mapping)
        return inside(self.classifier, Inputs.join([(fit.x, graph.edges)]), graph, vertex)

    @cached_property
    def class_names(self) -> Mapping[str, str]:
        """Label → published meaning of its classes; empty where none is published."""
        return self._meaning[0]

    @cached_property
    def _meaning(self) -> tuple[Mapping[str, str], str]:
        return meaning_of(self.schema.dataset, self.classes)

    @cached_property
    def calibrator(self) -> Calibrator | None:
        """What makes its probabilities calibrated; None where that was not measured."""
        return Calibrator.of(self.config)

    @cached_property
    def assessment(self) -> Assessment | None:
        """Its accuracy with its interval and the baseline; None where it was not measured."""
        return Assessment.of(self.config)

    @cached_property
    def info(self) -> dict[str, Any]:
        """What the model is, as data: architecture, layers, classes, input, the run that made it, what was measured."""
        return {
            "name": self.name,
            **self.config,
            "layers": [layer.to_dict() for layer in self.classifier.layers],
            "class_names": dict(self.class_names),
            "class_source": self._meaning[1],
            "assessment": None if self.assessment is None else self.assessment.to_dict(),
        }

    def _classify(self, graphs: Sequence[Graph], fits: Sequence[Fit]) -> list[Classification]:
        results: list[Classification] = []
        for portion in portions([graph.num_nodes for graph in graphs]):
            pairs = list(zip(graphs[portion], fits[portion], strict=True))
            passed = Inputs.join([(fit.x, graph.edges) for graph, fit in pairs]).forward(self.classifier)
            results += [self._classification(passed, i, *pair) for i, pair in enumerate(pairs)]
        return results

    def _classification(self, passed: Passed, index: int, graph: Graph, fit: Fit) -> Classification:
        raw = tuple(passed.probabilities[index].tolist())
        # the calibration was measured on graphs of the domain, and says nothing of others
        calibrator = None if fit.outside else self.calibrator
        return Classification(
            graph=graph,
            model=self.name,
            classes=self.classes,
            probabilities=raw,
            calibrated=None if calibrator is None else calibrator.probabilities(raw),
            class_names=self.class_names,
            coverage=fit.coverage,
            outside=fit.outside,
            warnings=fit.warnings,
            true=true_class(graph, self.classes, self.schema),
            label_attribute=fit.label_attribute,
            passed=passed,
            index=index,
        )


def load_model(name: str | Path) -> Model:
    """A trained model.

    Args:
        name: of a released model or one of your own, its folder, or its id on a hub (``owner/name``).

    Returns:
        The model, ready to classify.

    Raises:
        ModelError: with a sentence that says what is wrong: not known, damaged, foreign, too new.
    """
    called, folder = _find(str(name))
    return _load(called, folder, _stamps(folder))


def list_models(*, kept: bool = True) -> list[ModelInfo]:
    """Every model on the shelf: the released ones, then those trained here; also those that cannot be loaded.

    ``kept``: with those that the backend of this machine has unpacked from its database.
    """
    found: dict[str, ModelInfo] = {}
    for shelf, released in _shelves(kept):
        folders = sorted(path for path in shelf.glob("*") if path.is_dir() and _NAME.fullmatch(path.name))
        for folder in folders:
            found.setdefault(folder.name, describe(folder, released))
    return list(found.values())


def save_model(
    name: str | Path,
    classifier: Classifier,
    schema: InputSchema,
    classes: Sequence[str],
    run: Mapping[str, Any],
    evaluation: Mapping[str, Any] | None = None,
    *,
    overwrite: bool = False,
) -> Path:
    """Keep a model under a name on the shelf of this machine, or in a folder given as a Path; returns the folder.

    ``run``: how it was trained (plain data, ``dataset`` at least). ``evaluation``: what ``calibration.evaluate``
    measured. The card is written from both. Raises ModelError for a name that is taken or cannot be one.
    """
    from mivspool.learning.cards import model_card

    folder = free_folder(name, overwrite=overwrite)
    config: dict[str, Any] = {
        "schema_version": hub.SCHEMA_VERSION,
        "architecture": classifier.config.to_dict(),
        "classes": list(classes),
        "input_schema": schema.to_dict(),
        "run": dict(run),
        "evaluation": dict(evaluation or {}),
    }
    if not isinstance(name, Path):
        private_folder(folder.parent)
    hub.write_folder(folder, classifier, config, model_card(folder.name, config), overwrite=overwrite)
    return folder


def free_folder(name: str | Path, *, overwrite: bool = False) -> Path:
    """Where a model of that name would be written; raises ModelError where it must not be."""
    folder = name if isinstance(name, Path) else _own_shelf() / check_name(name)
    if not isinstance(name, Path) and (_released_shelf() / name).exists():
        raise ModelError(f"{name} is the name of a released model: choose another")
    hub.check_free(folder, overwrite)
    return folder


def delete_model(name: str) -> None:
    """Delete a model that was trained here; raises ModelError for a released one or one that is not there."""
    folder = _own_shelf() / check_name(name)
    if not folder.is_dir():
        if (kept_shelf() / name).is_dir():
            raise ModelError(f"{name} was kept from a job: its backend deletes it (Client.delete_model)")
        if (_released_shelf() / name).is_dir():
            raise ModelError(f"{name} is a released model and is not deleted")
        raise _unknown(name)
    shutil.rmtree(folder)


def model_folder(name: str) -> Path | None:
    """Where the model of that name lies on a shelf, or None: never a path or a hub, whatever the name says."""
    if not _NAME.fullmatch(name):
        return None
    return next((shelf / name for shelf, _ in _shelves(True) if (shelf / name).is_dir()), None)


def record_of(name: str) -> dict[str, Any] | None:
    """What the training of a model on a shelf did to a graph of each class; None where no record was kept of it."""
    folder = model_folder(name)
    path = None if folder is None else folder / RECORD
    if path is None or not path.is_file():
        return None
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def folder_at(path: str) -> Path | None:
    """The folder that a path names, or None where there is none; ModelError for what can be no path."""
    try:
        return Path(path).resolve() if Path(path).is_dir() else None
    except (OSError, ValueError) as error:
        raise ModelError(f"{path[:60]!r} is no model: {error}") from error


def check_name(name: str) -> str:
    """The same name, if a model may have it: lower case, digits, ``.``, ``_`` and ``-``, at most 64; or ModelError."""
    if not _NAME.fullmatch(name):
        raise ModelError(
            f"{name[:80]!r} cannot be a model's name: use up to 64 lower-case letters, digits, '.', '_' and '-'"
        )
    return name


def _find(name: str) -> tuple[str, Path]:
    """What the model is called, and its folder."""
    folder = model_folder(name)
    if folder is not None:
        return name, folder.resolve()
    folder = folder_at(name)
    if folder is not None:
        return folder.name, folder
    if _HUB_ID.fullmatch(name):
        return name, hub.download(name)
    raise _unknown(name)


def _unknown(name: str) -> ModelError:
    names = ", ".join(info.name for info in list_models()) or "none"
    shown = name if len(name) <= 80 else name[:79] + "…"
    return ModelError(
        f"there is no model {shown!r}; there are: {names}. A folder, or owner/name on a hub, will do too"
    )


def _stamps(folder: Path) -> tuple[int, ...]:
    """When the files of a model were changed."""
    paths = [folder / file for file in (hub.CONFIG, hub.WEIGHTS)]
    return tuple(path.stat().st_mtime_ns if path.exists() else 0 for path in paths)


@lru_cache(maxsize=256)
def _version(folder: Path, stamps: tuple[int, ...]) -> str:
    digest = hashlib.sha256()
    for file in (hub.CONFIG, hub.WEIGHTS):
        path = folder / file
        digest.update(path.read_bytes() if path.exists() else b"")
    return digest.hexdigest()[:32]


@lru_cache(maxsize=16)
def _load(name: str, folder: Path, stamps: tuple[int, ...]) -> Model:
    config = hub.read_config(folder)
    classifier = hub.HubClassifier.from_pretrained(folder)
    card = folder / hub.CARD
    return Model(
        name=name,
        classifier=classifier,
        schema=classifier.schema,
        classes=classifier.classes,
        config=config,
        card=card.read_text(encoding="utf-8") if card.is_file() else "",
    )


def describe(folder: Path, released: bool = False) -> ModelInfo:
    """What the list of models says of a model's folder; ``problem`` where it cannot be loaded."""
    from mivspool.learning.cards import input_needed

    try:
        config = hub.read_config(folder)
    except ModelError as error:
        log.warning("%s", error)
        return ModelInfo(folder.name, folder, released, problem=error.message)
    accuracy = config.get("evaluation", {}).get("accuracy", {})
    schema = InputSchema.from_dict(config["input_schema"])
    names, source = meaning_of(schema.dataset, config["classes"])
    return ModelInfo(
        name=folder.name,
        folder=folder,
        released=released,
        dataset=str(config.get("run", {}).get("dataset", "")),
        classes=tuple(config["classes"]),
        class_names=names,
        class_source=source,
        method=str(config["architecture"].get("method", "mivspool")),
        score=config["architecture"].get("score"),
        network=NETWORKS[config["architecture"].get("network", "paper")].title,
        needs=input_needed(schema),
        accuracy=accuracy.get("mean"),
        accuracy_std=accuracy.get("std"),
        assessment=Assessment.of(config),
        job=config.get("run", {}).get("job"),
        recorded=(folder / RECORD).is_file(),
        version=_version(folder, _stamps(folder)),
    )


def _shelves(kept: bool) -> list[tuple[Path, bool]]:
    return [(_released_shelf(), True), (_own_shelf(), False), *([(kept_shelf(), False)] if kept else [])]


def _released_shelf() -> Path:
    """``models/`` of the repository, or what a wheel carries."""
    return place("models")


def _own_shelf() -> Path:
    return settings().home / "models"


def kept_shelf() -> Path:
    """Where the backend unpacks models kept from jobs; which there are, and whose, its database says."""
    return settings().home / "kept"
