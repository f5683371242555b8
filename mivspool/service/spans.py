"""Spans of OpenTelemetry, where it is installed and set up (``opentelemetry-instrument mivspool serve``)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Protocol

try:
    from opentelemetry import propagate, trace
except ImportError:
    _tracer: Any = None
else:
    _tracer = trace.get_tracer("mivspool")


class Span(Protocol):
    """What is done with a span while it lasts."""

    def update_name(self, name: str) -> None:
        """Give it a better name."""
        ...

    def set_attribute(self, key: str, value: Any) -> None:
        """Say something of it."""
        ...


class _Nothing:
    def update_name(self, name: str) -> None:
        pass

    def set_attribute(self, key: str, value: Any) -> None:
        pass


@contextmanager
def request_span(method: str, headers: Mapping[str, str]) -> Iterator[Span]:
    """The answer to a request, as a part of the trace that its headers name.

    Where the server or FastAPI is instrumented as well, a span has begun already: it is that one.
    """
    if _tracer is None:
        yield _Nothing()
        return
    begun = trace.get_current_span()
    if getattr(begun, "kind", None) is trace.SpanKind.SERVER:
        yield begun
        return
    within = propagate.extract(headers)
    with _tracer.start_as_current_span(method, context=within, kind=trace.SpanKind.SERVER) as span:
        yield span


@contextmanager
def job_span(job: str, attempt: int) -> Iterator[Span]:
    """The work of a job's process."""
    if _tracer is None:
        yield _Nothing()
        return
    about = {"mivspool.job": job, "mivspool.attempt": attempt}
    with _tracer.start_as_current_span("job", attributes=about) as span:
        yield span
