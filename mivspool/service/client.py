"""The one way to the backend, for the app and the command line.

Without an address it is the application inside this process; with ``MIVSPOOL_BACKEND_URL`` a server elsewhere.
Same requests, same answers, same errors: what the backend refuses is raised here as the error it was there.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

import httpx
from pydantic import BaseModel, TypeAdapter

from mivspool.graphs.graph import Graph
from mivspool.service.administration import Administration
from mivspool.service.arrays import LARGE, MEDIA_TYPE, GraphArrays, pack
from mivspool.service.jobs_schemas import Confusion, EventDocument, Events, JobDocument
from mivspool.service.problems import raise_problem
from mivspool.service.schemas import (
    Classified,
    DatasetDocument,
    ExplanationDocument,
    GraphDocument,
    Health,
    Inside,
    Kept,
    Members,
    ModelCard,
    ModelDocument,
    Scores,
    UploadDocument,
    Without,
    scores_of,
)
from mivspool.service.states import UNFINISHED
from mivspool.service.transport import Closing, Local, Remote, Transport, path_part
from mivspool.settings import Settings, settings

Source = Graph | str
M = TypeVar("M", bound=BaseModel)


class Client(Closing):
    """``visitor`` tells visitors apart where the backend does so: 16 to 128 letters, digits, ``-`` or ``_``.

    ``run_jobs``: whether a backend inside this process also runs jobs (a short command need not).
    ``administers``: whether whoever asks one inside this process administers it (its database is theirs).
    Every method raises a MIVSPoolError: BackendError when the backend cannot be reached or refuses, else the error
    of the thing itself (ModelError, DatasetError, JobError, ReadError, InputError, LimitError).
    """

    def __init__(
        self,
        given: Settings | None = None,
        *,
        visitor: str | None = None,
        run_jobs: bool = True,
        administers: bool = False,
    ) -> None:
        use = given or settings()
        headers = {"Authorization": f"Bearer {use.token}"} if use.token else {}
        self._transport: Transport
        if use.backend_url:
            self._transport = Remote(use.backend_url, headers)
        else:
            from mivspool.service.app import create_app

            self._transport = Local(create_app(use, run_jobs=run_jobs, administers=administers), headers)
        self._visitor = visitor
        self._limits = use.limits

    def for_visitor(self, visitor: str | None) -> Client:
        """The same backend for another visitor; closing it does nothing."""
        other = object.__new__(Client)
        other._transport, other._visitor, other._limits = self._transport, visitor, self._limits
        return other

    def administration(self, token: str | None) -> Administration:
        """The same backend for whoever has the administrator's token."""

        def send(method: str, path: str, **parts: Any) -> httpx.Response:
            headers = (
                {"Authorization": f"Bearer {token}".encode()} if token else {}
            )  # whatever a person types
            return self._send(method, path, headers=headers, **parts)

        return Administration(send)

    def close(self) -> None:
        """End the connection, and a backend inside this process with its jobs (they can be resumed)."""
        self._transport.close()

    # -- graphs ------------------------------------------------------------------------------------------

    def health(self) -> Health:
        """What the backend is and what it allows."""
        return self._one(Health, "GET", "/health")

    def datasets(self) -> list[DatasetDocument]:
        """Data sets, classics and this visitor's uploads."""
        return self._many(DatasetDocument, "GET", "/datasets")

    def graph(self, name: str, index: int = 0, *, as_: str | None = None) -> Graph:
        """One graph of a data set, classic or upload; ``as_``: another reading of an upload."""
        chosen = {} if as_ is None else {"as": as_}
        where = f"/datasets/{path_part(name)}/graphs/{index}"
        return self._one(GraphDocument, "GET", where, params=chosen).graph(self._limits)

    def graph_file(self, name: str, index: int = 0, *, format: str, as_: str | None = None) -> bytes:
        """One graph as a file in a format that is written (a key of ``mivspool.graphs.export.WRITERS``)."""
        chosen = {"format": format} if as_ is None else {"format": format, "as": as_}
        return self._send("GET", f"/datasets/{path_part(name)}/graphs/{index}/file", params=chosen).content

    def members(self, name: str, offset: int = 0, limit: int = 100, *, as_: str | None = None) -> Members:
        """What is in a data set or upload; ``as_``: another reading of an upload."""
        chosen = {} if as_ is None else {"as": as_}
        return self._one(
            Members,
            "GET",
            f"/datasets/{path_part(name)}/graphs",
            params={"offset": offset, "limit": limit, **chosen},
        )

    def upload(self, content: bytes, name: str, *, shared: bool = False) -> UploadDocument:
        """Keep a file on the backend for its number of days."""
        return self._one(
            UploadDocument, "POST", "/datasets", files={"file": (name, content)}, params={"shared": shared}
        )

    def delete_dataset(self, name: str) -> None:
        """Delete an upload."""
        self._send("DELETE", f"/datasets/{path_part(name)}")

    # -- models ------------------------------------------------------------------------------------------

    def models(self) -> list[ModelDocument]:
        """The models that can classify."""
        return self._many(ModelDocument, "GET", "/models")

    def model_card(self, name: str) -> ModelCard:
        """A model with its card and configuration."""
        return self._one(ModelCard, "GET", f"/models/{path_part(name)}")

    def keep_model(self, job: str, name: str, *, shared: bool = False) -> ModelDocument:
        """Keep what a finished job has learned as a model."""
        return self._one(ModelDocument, "POST", "/models", json={"job": job, "name": name, "shared": shared})

    def delete_model(self, name: str) -> None:
        """Delete a kept model."""
        self._send("DELETE", f"/models/{path_part(name)}")

    def classify(
        self,
        graphs: Source | Sequence[Source],
        model: str,
        *,
        mapping: Mapping[str, str] | None = None,
        levels: bool = True,
    ) -> list[Classified]:
        """Classify one graph or many, given or named (``MAO:3``); in the order given, each a class or its error."""
        sources = [graphs] if isinstance(graphs, Graph | str) else list(graphs)
        found: list[Classified | None] = [None] * len(sources)
        for wanted in (Graph, str):
            places = [i for i, source in enumerate(sources) if isinstance(source, wanted)]
            if not places:
                continue
            chosen = [sources[i] for i in places]
            body: dict[str, Any] = {
                "model": model,
                "levels": levels,
                "mapping": dict(mapping) if mapping else None,
            }
            if wanted is str:
                parts: dict[str, Any] = {"json": {**body, "references": chosen}}
            else:
                parts = _with_graphs(body, [graph for graph in chosen if isinstance(graph, Graph)])
            answers = self._many(Classified, "POST", "/classify", **parts)
            for place, answer in zip(places, answers, strict=True):
                found[place] = answer
        return [answer for answer in found if answer is not None]

    def classify_file(
        self, content: bytes, name: str, model: str, *, levels: bool = True
    ) -> list[Classified]:
        """Classify every graph of a file, without keeping it."""
        return self._many(
            Classified,
            "POST",
            "/classify/file",
            files={"file": (name, content)},
            params={"model": model, "levels": levels},
        )

    def scores(self, graph: Source, model: str, *, mapping: Mapping[str, str] | None = None) -> Scores:
        """The learned scores of every block."""
        answer = self._send("POST", "/classify/scores", **_choice(graph, model, mapping))
        if answer.headers.get("content-type") == MEDIA_TYPE:
            assert isinstance(graph, Graph)
            return scores_of(answer.content, graph.nodes)
        return Scores.model_validate_json(answer.content)

    def without(
        self, graph: Source, model: str, level: int = 0, *, mapping: Mapping[str, str] | None = None
    ) -> Without:
        """What the class probabilities do when each cluster of a level is left out in turn."""
        parts = _choice(graph, model, mapping, level=level)
        return self._one(Without, "POST", "/classify/without", **parts)

    def explain(
        self, graph: Source, model: str, *, mapping: Mapping[str, str] | None = None
    ) -> ExplanationDocument:
        """What each vertex and each cluster brings to the predicted class, and whether that explanation is faithful."""
        return self._one(ExplanationDocument, "POST", "/classify/explain", **_choice(graph, model, mapping))

    def inside(
        self, graph: Source, model: str, vertex: str, *, mapping: Mapping[str, str] | None = None
    ) -> Inside:
        """What each layer of the network makes of a vertex, from its features to the logits."""
        return self._one(Inside, "POST", "/classify/inside", **_choice(graph, model, mapping, vertex=vertex))

    def model_record(self, model: str) -> dict[str, Any]:
        """What the training of a released model did to one graph of each class: a ``ModelRecord``."""
        document: dict[str, Any] = self._send("GET", f"/models/{path_part(model)}/record").json()
        return document

    # -- jobs --------------------------------------------------------------------------------------------

    def submit(self, kind: str, **request: Any) -> JobDocument:
        """Queue a job: ``submit("train", dataset="MAO", score="attention", max_epochs=50)``."""
        return self._one(JobDocument, "POST", "/jobs", json={"kind": kind, **request})

    def prepare(self) -> None:
        """Say that a job is likely to come, so that it begins sooner."""
        self._send("POST", "/jobs/prepare")

    def jobs(
        self, *, states: Sequence[str] = (), kinds: Sequence[str] = (), limit: int = 100, offset: int = 0
    ) -> list[JobDocument]:
        """The newest jobs first."""
        params = {"state": list(states), "kind": list(kinds), "limit": limit, "offset": offset}
        return self._many(JobDocument, "GET", "/jobs", params=params)

    def job(self, job: str) -> JobDocument:
        """One job."""
        return self._one(JobDocument, "GET", f"/jobs/{path_part(job)}")

    def cancel(self, job: str) -> JobDocument:
        """End a job."""
        return self._one(JobDocument, "POST", f"/jobs/{path_part(job)}/cancel")

    def resume(self, job: str) -> JobDocument:
        """Go on with a job that ended early."""
        return self._one(JobDocument, "POST", f"/jobs/{path_part(job)}/resume")

    def delete_job(self, job: str) -> None:
        """Forget a job."""
        self._send("DELETE", f"/jobs/{path_part(job)}")

    def log(self, job: str) -> str:
        """What the job has written."""
        return self._send("GET", f"/jobs/{path_part(job)}/log").text

    def runs(self, job: str) -> list[dict[str, Any]]:
        """The finished runs of a job, a results line each."""
        found: list[dict[str, Any]] = self._send("GET", f"/jobs/{path_part(job)}/runs").json()
        return found

    def record(self, job: str, after: int = -1) -> dict[str, Any]:
        """What the network made of the watched graphs after an epoch: a ``RecordDocument`` as plain data."""
        found: dict[str, Any] = self._send(
            "GET", f"/jobs/{path_part(job)}/record", params={"after": after}
        ).json()
        return found

    def confusion(self, job: str) -> Confusion:
        """The confusion matrix of the test graphs."""
        return self._one(Confusion, "GET", f"/jobs/{path_part(job)}/confusion")

    def events(self, job: str, after: int = 0, limit: int = 1000) -> Events:
        """What happened after event number ``after``."""
        params = {"after": after, "limit": limit}
        return self._one(Events, "GET", f"/jobs/{path_part(job)}/events", params=params)

    def watch(self, job: str, after: int = 0, *, every: float = 0.3) -> Iterator[EventDocument]:
        """The events as they come, until the job has ended."""
        while True:
            found = self.events(job, after)
            yield from found.events
            after = found.last
            if not found.events:
                if found.state not in UNFINISHED:
                    return
                time.sleep(every)

    # -- the visitor -------------------------------------------------------------------------------------

    def kept(self) -> Kept:
        """What the backend keeps of this visitor."""
        return self._one(Kept, "GET", "/visitor")

    def forget(self) -> None:
        """Delete all of it: jobs, uploads and kept models."""
        self._send("DELETE", "/visitor")

    # -- parts -------------------------------------------------------------------------------------------

    def _send(self, method: str, path: str, **parts: Any) -> httpx.Response:
        if self._visitor is not None:
            parts["headers"] = {**parts.get("headers", {}), "X-MIVSPool-Visitor": self._visitor}
        answer = self._transport.send(method, f"/v1{path}", **parts)
        if answer.is_success:
            return answer
        try:
            body = answer.json()
        except ValueError:
            body = None
        raise_problem(answer.status_code, body)

    def _one(self, kind: type[M], method: str, path: str, **parts: Any) -> M:
        return kind.model_validate_json(self._send(method, path, **parts).content)

    def _many(self, kind: type[M], method: str, path: str, **parts: Any) -> list[M]:
        return _list_of(kind).validate_json(self._send(method, path, **parts).content)


@lru_cache(maxsize=1)
def default_client() -> Client:
    """The client of this process, by the settings in use; ``default_client.cache_clear()`` after they change."""
    return Client()


@lru_cache
def _list_of(kind: type[M]) -> TypeAdapter[list[M]]:
    return TypeAdapter(list[kind])  # type: ignore[valid-type]


def _choice(graph: Source, model: str, mapping: Mapping[str, str] | None, **more: Any) -> dict[str, Any]:
    body = {"model": model, "mapping": dict(mapping) if mapping else None, **more}
    if isinstance(graph, str):
        return {"json": {**body, "reference": graph}}
    return _with_graphs(body, [graph], alone=True)


def _with_graphs(body: dict[str, Any], graphs: Sequence[Graph], *, alone: bool = False) -> dict[str, Any]:
    """What is sent of a body and its graphs (``alone``: the one graph of it): JSON, or arrays where they are large."""
    large = sum(graph.num_nodes + graph.num_edges for graph in graphs) > LARGE
    make = GraphDocument.without_arrays if large else GraphDocument.of
    documents = [make(graph).model_dump() for graph in graphs]
    body = {**body, **({"graph": documents[0]} if alone else {"graphs": documents})}
    if not large:
        return {"json": body}
    arrays = {
        name: array
        for i, graph in enumerate(graphs)
        for name, array in GraphArrays.of(graph).names(i).items()
    }
    return {"content": pack(body, arrays), "headers": {"Content-Type": MEDIA_TYPE}}
