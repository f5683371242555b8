"""What Prometheus is told at ``/metrics``: counted while it happens, or looked up when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator

from prometheus_client import CollectorRegistry, Counter, Histogram, Info, PlatformCollector, ProcessCollector
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.exposition import choose_encoder

from mivspool import __version__
from mivspool.errors import MIVSPoolError
from mivspool.service.backend import Backend
from mivspool.service.readiness import Readiness
from mivspool.service.states import STATES

_SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
_METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class Metrics:
    """One backend's. Every label has few values, whatever is asked of the backend."""

    def __init__(self, backend: Backend, readiness: Readiness) -> None:
        self._registry = CollectorRegistry()
        self._requests = Histogram(
            "mivspool_request_seconds",
            "Seconds from a request to the beginning of its answer.",
            ["method", "route", "status"],
            buckets=_SECONDS,
            registry=self._registry,
        )
        self.wrong_tokens = Counter(
            "mivspool_wrong_tokens", "Requests with a wrong token.", registry=self._registry
        )
        Info("mivspool", "The release.", registry=self._registry).info({"version": __version__})
        ProcessCollector(registry=self._registry)  # memory, processor time, open files
        PlatformCollector(registry=self._registry)
        self._registry.register(_Now(backend, readiness))

    def request(self, method: str, route: str, status: int, seconds: float) -> None:
        """Count an answer; ``route`` is the path as the application declares it."""
        known = method if method in _METHODS else "other"
        self._requests.labels(known, route, str(status)).observe(seconds)

    def written(self, accept: str) -> tuple[bytes, str]:
        """All of it in the format that is asked for, with its media type."""
        encode, kind = choose_encoder(accept)
        return encode(self._registry), kind


class _Now:
    """What holds at the moment. Without a database it is ``mivspool_ready`` alone, which says that."""

    def __init__(self, backend: Backend, readiness: Readiness) -> None:
        self._backend, self._readiness = backend, readiness

    def collect(self) -> Iterator[Metric]:
        ready = GaugeMetricFamily("mivspool_ready", "Whether a part of the backend works.", labels=["part"])
        for part, why in self._readiness.ask().items():
            ready.add_metric([part], float(why is None))
        yield ready
        try:
            store = self._backend.store
            counts, waiting = store.counts(), store.longest_wait()
        except MIVSPoolError:
            return
        jobs = GaugeMetricFamily("mivspool_jobs", "Jobs that are kept, by state.", labels=["state"])
        for state in STATES:
            jobs.add_metric([state], counts.get(state, 0))
        yield jobs
        yield GaugeMetricFamily(
            "mivspool_longest_wait_seconds",
            "How long the job that has waited longest has waited; 0 if none waits.",
            value=waiting,
        )
