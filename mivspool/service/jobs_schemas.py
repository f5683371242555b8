"""The documents of jobs: what can be asked for, and what is told of it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from mivspool.errors import InputError
from mivspool.service.schemas import Document, Text

State = Literal["queued", "running", "done", "failed", "cancelled", "interrupted"]
Kind = Literal["train", "evaluate"]


class Configuration(Document):
    """What a run is made of; the defaults are the paper's."""

    dataset: Text = Field(
        description="a data set's name or an upload that can be trained on", examples=["MAO"]
    )
    method: Text = Field("mivspool", description="a pooling method, none, or structure-blind")
    score: Text | None = Field("multiview", description="for the methods that take one")
    blocks: int = Field(3, ge=1, le=10, description="K: blocks of convolution and pooling")
    hidden: int = Field(128, ge=1, le=1024, description="channels")
    dropout: float = Field(0.5, ge=0, lt=1)
    use_weights: bool = Field(True, description="the next convolution sees the weights of the reduced graph")
    use_diagonal: bool = Field(False, description="it sees the diagonal too")
    lr: float = Field(1e-3, gt=0, lt=10, description="learning rate")
    weight_decay: float = Field(1e-4, ge=0, lt=10)
    batch_size: int = Field(512, ge=1, le=100_000)
    features: Literal["auto", "labels", "attributes", "degree"] = "auto"
    max_epochs: int = Field(1000, ge=1, le=100_000)
    patience: int = Field(100, ge=1, le=100_000, description="epochs without a better validation loss")

    def common(self) -> dict[str, Any]:
        """The fields that are those of a run's configuration."""
        return {name: getattr(self, name) for name in Configuration.model_fields}


class TrainRequest(Configuration):
    """Train one classifier."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"kind": "train", "dataset": "MAO", "score": "multiview", "max_epochs": 50}]
        }
    )

    kind: Literal["train"]
    fold: int | None = Field(0, ge=0, le=9, description="the fold that tests; none: nothing is held out")
    repeat: int = Field(0, ge=0, le=10_000, description="which division into folds")
    seed: int | None = Field(None, ge=0, le=2**31 - 1, description="by default from repeat and fold")
    shared: bool = Field(False, description="let other visitors see it")

    @property
    def title(self) -> str:
        """A line for lists."""
        return f"train {_what(self)} on {self.dataset}, fold {self.fold}"

    @property
    def total(self) -> int:
        """How many runs it is."""
        return 1


class EvaluateRequest(Configuration):
    """Train and test on every fold, as often as wanted: a job of many runs."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"kind": "evaluate", "dataset": "MAO", "repeats": 1, "max_epochs": 50}]
        }
    )

    kind: Literal["evaluate"]
    folds: list[Annotated[int, Field(ge=0, le=9)]] = Field(
        default_factory=lambda: list(range(10)),
        min_length=1,
        max_length=10,
        description="which of the ten folds",
    )
    repeats: int = Field(1, ge=1, le=100)
    grid: dict[Literal["lr", "weight_decay", "blocks"], list[float]] | None = Field(
        None, description="values to choose from, inside each fold by its own validation loss"
    )
    shared: bool = Field(False, description="let other visitors see it")

    @property
    def title(self) -> str:
        """A line for lists."""
        return f"evaluate {_what(self)} on {self.dataset}, {len(set(self.folds))} folds × {self.repeats}"

    @property
    def total(self) -> int:
        """How many runs it is."""
        points = 1
        for values in (self.grid or {}).values():
            points *= max(len(values), 1)
        return len(set(self.folds)) * self.repeats * points


JobRequest = Annotated[TrainRequest | EvaluateRequest, Field(discriminator="kind")]


def _what(request: Configuration) -> str:
    return f"{request.method} ({request.score})" if request.score else request.method


class Progress(BaseModel):
    """How far a job is."""

    model_config = ConfigDict(extra="ignore")

    runs_done: int = 0
    runs_total: int = 1
    epoch: int | None = None
    max_epochs: int | None = None
    seconds_left: float | None = Field(None, description="at most, at the present pace")


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
    cancelling: bool = Field(description="a cancel is asked for and not done yet")
    resumable: bool
    progress: Progress
    last_event: int
    result: dict[str, Any] | None = None
    error: str | None = Field(None, description="why it ended early")


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


class Confusion(Document):
    """How often each class was taken for each, on the graphs held out for the test."""

    classes: list[str]
    matrix: list[list[int]] = Field(description="rows: the true class; columns: the predicted one")
    runs: int = Field(description="the runs added up in it")


def check_run(request: TrainRequest | EvaluateRequest) -> None:
    """Refuse at the door what a run would refuse later. Raises InputError."""
    from mivspool.learning.config import RunConfig

    if isinstance(request, EvaluateRequest):
        for name, values in (request.grid or {}).items():
            if not values or (name == "blocks" and any(v != int(v) or not 1 <= v <= 10 for v in values)):
                raise InputError(f"the grid of {name} has no values, or some that cannot be")
            for value in values:
                RunConfig.from_dict({**request.common(), name: int(value) if name == "blocks" else value})
        if request.total > 20_000:
            raise InputError(f"that is {request.total:,} runs: ask for 20,000 at most")
    RunConfig.from_dict(request.common())
