"""The documents of jobs: what can be asked for, and what is told of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field, create_model

from mivspool.errors import InputError
from mivspool.learning.runs import (
    GRID,
    MOST_WATCHED,
    REPEATS,
    SETTINGS,
    RunConfig,
    Setting,
    Task,
    grid_points,
    plan,
)
from mivspool.learning.runs.setting import API
from mivspool.messages import count
from mivspool.service.schemas import Document, First, GraphDocument, Text
from mivspool.service.states import State
from mivspool.settings import Limits

Kind = Literal["train", "evaluate"]

D = TypeVar("D", bound=Document)
_MOST_RUNS = 20_000


def from_settings(settings: Iterable[Setting], **more: Any) -> Callable[[type[D]], type[D]]:
    """Give a document a field for each setting, with its default, range and help; ``more``: fields as for pydantic."""

    def complete(kind: type[D]) -> type[D]:
        fields: dict[str, Any] = {one.name: (_type(one), _field(one)) for one in settings} | more
        made: type[D] = create_model(
            kind.__name__, __base__=kind, __doc__=kind.__doc__, __module__=kind.__module__, **fields
        )
        return made

    return complete


def _type(one: Setting) -> Any:
    kinds: dict[Any, Any] = {str: Text, dict: dict[str, Any], list: list[Any]}
    kind: Any = Literal[one.choices] if one.choices else kinds.get(one.kind, one.kind)
    return kind | None if one.optional else kind


def _field(one: Setting) -> Any:
    bounds = {"ge": one.at_least, "gt": one.above, "lt": one.below, "le": one.at_most}
    about: dict[str, Any] = {name: bound for name, bound in bounds.items() if bound is not None}
    if one.required:
        return Field(description=one.help, examples=[one.example])
    return Field(one.default, description=one.help, **about)


def _offered(of_run: bool) -> list[Setting]:
    return [
        one for one in SETTINGS.values() if API in one.faces and (one.of_run and not one.required) == of_run
    ]


@from_settings(_offered(of_run=False))
class Configuration(Document):
    """What a run is made of; the defaults are the paper's."""

    def common(self) -> dict[str, Any]:
        """The fields that are those of a run's configuration."""
        return {one.name: getattr(self, one.name) for one in _offered(of_run=False)}

    def config(self, **changes: Any) -> RunConfig:
        """The run that is asked for, with changes. Raises InputError for what cannot be."""
        return RunConfig.from_dict(self.common() | changes)

    @property
    def what(self) -> str:
        """Method and score, for a title."""
        config = self.config()
        return f"{config.method} ({config.score})" if config.score else config.method


@from_settings(_offered(of_run=True))
class TrainRequest(Configuration):
    """Train one classifier."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"kind": "train", "dataset": "MAO", "score": "multiview", "max_epochs": 50}]
        }
    )

    kind: Literal["train"]
    shared: bool = Field(False, description="let other visitors see it")
    watch: list[Annotated[int, Field(ge=0, le=2**31 - 1)]] | None = Field(
        None,
        max_length=MOST_WATCHED,
        description="graphs of the data set, by index, whose passes are recorded at every epoch; by default one "
        "validation graph of each class, an empty list for none",
    )
    own: Annotated[list[GraphDocument], First] = Field(
        default_factory=list,
        max_length=MOST_WATCHED,
        description="graphs of your own that are recorded beside them",
    )

    def run(self, **changes: Any) -> RunConfig:
        """The one run. Raises InputError for what cannot be."""
        return self.config(**{one.name: getattr(self, one.name) for one in _offered(of_run=True)}, **changes)

    @property
    def title(self) -> str:
        """A line for lists."""
        run = self.run()
        return f"train {self.what} on {run.dataset}, fold {run.fold}"

    @property
    def total(self) -> int:
        """How many runs it is."""
        return 1


_FOLDS = [*range(int(SETTINGS["folds"].default))]


@from_settings(
    [REPEATS],
    folds=(
        list[Annotated[int, Field(ge=0, le=_FOLDS[-1])]],
        Field(
            default_factory=lambda: list(_FOLDS),
            min_length=1,
            max_length=len(_FOLDS),
            description="which of the ten folds",
        ),
    ),
    grid=(
        dict[Literal[tuple(GRID)], list[float]] | None,  # type: ignore[misc]
        Field(None, description="values to choose from, inside each fold by its own validation loss"),
    ),
)
class EvaluateRequest(Configuration):
    """Train and test on every fold, as often as wanted: a job of many runs."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"kind": "evaluate", "dataset": "MAO", "repeats": 1, "max_epochs": 50}]
        }
    )

    kind: Literal["evaluate"]
    shared: bool = Field(False, description="let other visitors see it")
    if TYPE_CHECKING:  # made above
        folds: list[int]
        repeats: int
        grid: dict[str, list[float]] | None

    def tasks(self, **changes: Any) -> list[Task]:
        """The runs in their order. Raises InputError for what cannot be."""
        base = self.config(**changes)
        method = f"{base.method}:{base.score}" if base.score else base.method
        return plan(base, [method], range(self.repeats), sorted(set(self.folds)), self.grid or False)

    @property
    def title(self) -> str:
        """A line for lists."""
        dataset = self.config().dataset
        return f"evaluate {self.what} on {dataset}, {count(len(set(self.folds)), 'fold')} × {self.repeats}"

    @property
    def total(self) -> int:
        """How many runs it is."""
        points = math.prod(len(set(values)) for values in (self.grid or {}).values())
        return len(set(self.folds)) * self.repeats * points


JobRequest = Annotated[TrainRequest | EvaluateRequest, Field(discriminator="kind")]


class Progress(BaseModel):
    """How far a job is."""

    model_config = ConfigDict(extra="ignore")

    runs_done: int = 0
    runs_total: int = 1
    epoch: int | None = None
    max_epochs: int | None = None
    seconds_left: float | None = Field(None, description="at most, at the current pace")


class JobDocument(Document):
    """A job as its watchers see it."""

    id: str = Field(examples=["b5e1c6a2d0f34a7e"])
    kind: Kind
    state: State
    title: str
    request: dict[str, Any] = Field(description="what was asked for")
    mine: bool = Field(description="whether this visitor may cancel, resume and delete it")
    shared: bool
    created: float = Field(description="seconds since 1970")
    started: float | None = None
    finished: float | None = None
    attempt: int = Field(description="how often it was started")
    place: int | None = Field(None, description="its place among the waiting jobs; 1 is next")
    expected_start: float | None = Field(
        None, description="estimated seconds until it starts, from how long similar jobs ran"
    )
    cancelling: bool = Field(description="a cancellation was requested and has not taken effect yet")
    resumable: bool
    progress: Progress
    last_event: int
    result: dict[str, Any] | None = None
    error: str | None = Field(None, description="why it ended early")


class AdminJob(JobDocument):
    """A job as an administrator sees it. ``mine`` says nothing here."""

    visitor: str = Field(
        description="a digest of the visitor's name; everyone where visitors are not separated"
    )
    address: str | None = Field(description="where it was submitted from, until it has ended")


class EventDocument(Document):
    """One thing that happened to a job; numbers count from 1 without gaps."""

    n: int
    time: float = Field(description="seconds since 1970")
    kind: str = Field(description="queued, started, epoch, run, done, failed, cancelled, interrupted")
    data: dict[str, Any]


class Events(Document):
    """Events after a number; ask again after ``last``."""

    events: list[EventDocument]
    last: int
    state: State


class RecordedGraph(Document):
    """A graph whose passes are recorded. Vertices are places in ``nodes``."""

    name: str
    index: int | None = Field(description="its place in the data set; none for a graph of one's own")
    part: Literal["test", "validation", "training", "own"]
    label: str | None = Field(description="its class")
    nodes: list[str]
    edges: list[list[int]]
    positions: list[list[float]] | None


class RecordedLevel(Document):
    """A pooling of a graph at an epoch; what is missing is as in the epoch before."""

    score: list[float | None] | None = Field(
        None, description="one per vertex of the level; nine digits, which restore the float32"
    )
    head: list[int] | None = Field(
        None,
        description="the vertex that each is assigned to: itself where it survives, −1 where it is dropped",
    )
    edges: list[list[int]] | None = Field(None, description="of the reduced graph")


class RecordedPass(Document):
    """What the network makes of one graph at an epoch."""

    loss: float | None = Field(None, description="none for a graph without a class")
    probabilities: list[float | None] = Field(description="in the order of the classes")
    levels: list[RecordedLevel] = Field(default_factory=list, description="one per pooling, up to a soft one")


class RecordedEpoch(Document):
    """One epoch; 0 is the untrained network."""

    epoch: int
    graphs: list[RecordedPass]


class RecordDocument(Document):
    """What the network makes of a few graphs at each epoch, in evaluation mode. Ask again after ``last``."""

    attempt: int = Field(description="after a resume, ask from the beginning: epochs may come again")
    classes: list[str]
    graphs: list[RecordedGraph]
    every: int = Field(description="which epochs are kept, beside the best one; more than 1 in a long record")
    entries: list[RecordedEpoch]
    last: int = Field(description="the last epoch returned; −1 before the first")
    state: State


class ModelRecord(Document):
    """What training by a released model's settings did to a few graphs, thinned out."""

    classes: list[str]
    graphs: list[RecordedGraph]
    every: int = Field(description="which epochs are kept, beside the best one")
    entries: list[RecordedEpoch]
    best: int = Field(description="the epoch whose weights the model has")
    curves: dict[str, list[float]] = Field(
        description="losses and accuracies of all epochs, from the first on"
    )
    apart: float = Field(
        description="the largest difference between a weight of this training and of the model; 0 if it made the model"
    )


class Confusion(Document):
    """How often each class was taken for each, on the graphs held out for the test."""

    classes: list[str]
    matrix: list[list[int]] = Field(description="rows: the true class; columns: the predicted one")
    runs: int = Field(description="how many runs it sums")


def check_run(request: TrainRequest | EvaluateRequest, limits: Limits) -> None:
    """Refuse at once what a run would refuse later. Raises InputError."""
    if isinstance(request, TrainRequest):
        request.run()
        for one in request.own:
            one.graph(limits)
        return
    if request.total > _MOST_RUNS:
        raise InputError(f"that is {count(request.total, 'run')}: ask for {_MOST_RUNS:,} at most")
    grid_points(request.grid or {}, visitor=True)
    request.config()
