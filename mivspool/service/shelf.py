"""Inference: models loaded once and shared; requests that arrive together run as one batch.

One thread runs the models. While it works, requests wait; when it is done, it takes all that wait, up to
``BATCH_VERTICES`` vertices, as the next batch; after a batch of several it first waits a moment for as long as more
keep coming. So a lone request waits for nobody, and many share the cost of a pass. A request that cannot be
classified does not spoil the others of its batch.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Protocol

from mivspool.errors import LimitError, MIVSPoolError
from mivspool.graphs.graph import Graph
from mivspool.messages import count

log = logging.getLogger(__name__)

BATCH_VERTICES = 50_000
GATHER_SECONDS = 0.02  # what a request waits for company at most, when there was company just before
STEP_SECONDS = 0.002


class Classifies(Protocol):
    """What the shelf needs of a model."""

    def classify_each(
        self, graphs: Sequence[Graph], mapping: Mapping[str, str] | None = None
    ) -> Sequence[Any]:
        """One result a graph, in order; the error in its place where a graph does not fit."""
        ...


Outcome = Any | MIVSPoolError  # one graph's result, or why there is none


@dataclass
class _Request:
    model: str
    graphs: list[Graph]
    mapping: Mapping[str, str] | None
    future: Future[list[Outcome]] = field(default_factory=Future)

    @property
    def group(self) -> tuple[str, tuple[tuple[str, str], ...] | None]:
        """Requests of one group can run as one batch."""
        return self.model, None if self.mapping is None else tuple(sorted(self.mapping.items()))


@dataclass
class _Shelved:
    model: Classifies
    stamp: Any
    checked: float  # when its files were last checked


class Shelf:
    """``load(name)`` gives a model; ``stamp(name)`` a value that changes when the model's files do."""

    def __init__(
        self, load: Callable[[str], Classifies], stamp: Callable[[str], Any], recheck_seconds: float = 1.0
    ) -> None:
        self._load, self._stamp, self.recheck_seconds = load, stamp, recheck_seconds
        self._models: dict[str, _Shelved] = {}
        self._loading = threading.Lock()
        self._waiting: deque[_Request] = deque()
        self._work = threading.Condition()
        self._closed = False
        self._thread: threading.Thread | None = None
        self.batches = 0  # passes so far, for tests and measurements

    def model(self, name: str) -> Classifies:
        """The model of that name, loaded and warmed once, and again after its files have changed."""
        if self.fresh(name):
            return self._models[name].model
        with self._loading:
            stamp = self._stamp(name)
            known = self._models.get(name)
            if known is None or known.stamp != stamp:
                known = self._models[name] = _Shelved(self._load(name), stamp, time.monotonic())
            return known.model

    def fresh(self, name: str) -> bool:
        """Whether a model is loaded and its files have not changed; at most once per second are they compared."""
        known = self._models.get(name)
        if known is None:
            return False
        if time.monotonic() - known.checked > self.recheck_seconds:
            if known.stamp != self._stamp(name):
                return False
            known.checked = time.monotonic()
        return True

    def names(self) -> set[str]:
        """The models that are loaded."""
        return set(self._models)

    def forget(self, names: Iterable[str]) -> None:
        """Drop models that were deleted."""
        for name in names:
            self._models.pop(name, None)

    def classify(
        self, model: str, graphs: list[Graph], mapping: Mapping[str, str] | None = None
    ) -> Future[list[Outcome]]:
        """Queue graphs; the future gives a result or a MIVSPoolError for each. Unknown models fail at once."""
        self.model(model)
        request = _Request(model, graphs, mapping)
        with self._work:
            if self._closed:
                raise RuntimeError("the shelf is closed")
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="mivspool-shelf", daemon=True)
                self._thread.start()
            self._waiting.append(request)
            self._work.notify()
        return request.future

    def close(self) -> None:
        """Finish what waits and stop."""
        with self._work:
            self._closed = True
            self._work.notify()
        if self._thread is not None:
            self._thread.join()

    def _serve(self) -> None:
        crowd = False  # whether the last batch was of more than one request
        while True:
            with self._work:
                self._work.wait_for(lambda: self._waiting or self._closed)
                if not self._waiting:
                    return
                if crowd:
                    self._gather()
                batch = self._take()
            crowd = len(batch) > 1
            self._run(batch)

    def _gather(self) -> None:
        """Wait while requests keep coming in, for a moment at most: one pass for all costs less than many for few."""
        deadline = time.monotonic() + GATHER_SECONDS
        before = 0
        while before < len(self._waiting) and time.monotonic() < deadline and not self._closed:
            before = len(self._waiting)
            self._work.wait(STEP_SECONDS)

    def _take(self) -> list[_Request]:
        """The request that has waited longest and all of its group that fit beside it."""
        first = self._waiting.popleft()
        taken, rest = [first], []
        left = BATCH_VERTICES - _vertices(first.graphs)
        while self._waiting:
            request = self._waiting.popleft()
            size = _vertices(request.graphs)
            if request.group == first.group and size <= left:
                taken.append(request)
                left -= size
            else:
                rest.append(request)
        self._waiting.extend(rest)
        return taken

    def _run(self, batch: list[_Request]) -> None:
        taken = [request for request in batch if request.future.set_running_or_notify_cancel()]
        if not taken:
            return
        graphs = [graph for request in taken for graph in request.graphs]
        self.batches += 1
        try:
            outcomes = self._outcomes(self.model(taken[0].model), graphs, taken[0].mapping)
        except Exception as error:
            for request in taken:
                request.future.set_exception(error)
            if not isinstance(error, MIVSPoolError):
                log.exception("classifying failed")
            return
        start = 0
        for request in taken:
            request.future.set_result(outcomes[start : start + len(request.graphs)])
            start += len(request.graphs)

    def _outcomes(
        self, model: Classifies, graphs: list[Graph], mapping: Mapping[str, str] | None
    ) -> list[Outcome]:
        """Batches of bounded size; one that cannot be classified or does not fit into memory is halved."""
        if len(graphs) > 1 and _vertices(graphs) > BATCH_VERTICES:
            return self._halves(model, graphs, mapping)
        import torch

        try:
            return list(model.classify_each(graphs, mapping))
        except (torch.OutOfMemoryError, MemoryError):
            pass  # leave the handler first: it holds on to the memory
        if torch.cuda.is_available():
            torch.cuda.empty_cache()
        if len(graphs) > 1:
            return self._halves(model, graphs, mapping)
        graph = graphs[0]
        return [
            LimitError(
                f"the graph {graph.name!r} with {count(graph.num_nodes, 'vertex')} and "
                f"{count(graph.num_edges, 'edge')} does not fit into this device's memory: use a smaller graph, or "
                "MIVSPOOL_DEVICE=cpu"
            )
        ]

    def _halves(
        self, model: Classifies, graphs: list[Graph], mapping: Mapping[str, str] | None
    ) -> list[Outcome]:
        middle = len(graphs) // 2
        first = self._outcomes(model, graphs[:middle], mapping)
        return first + self._outcomes(model, graphs[middle:], mapping)


def _vertices(graphs: Sequence[Graph]) -> int:
    return sum(graph.num_nodes for graph in graphs)
