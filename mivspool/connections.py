"""Connections of a server: so many at once, and none that a client leaves half open for long.

Somebody who opens thousands of connections and sends a byte now and then costs nothing and, without a limit, takes all
the files that a process may open. Here a request must arrive within some seconds, a long one at a least rate, an answer
must be read at that rate, and where there are too many connections the one that has waited longest for its client makes
way. Both servers, the backend and the app, speak HTTP by this class.
"""

from __future__ import annotations

import asyncio
import logging
import sys
from typing import Any, cast

from mivspool.errors import BackendError
from mivspool.extras import need
from mivspool.settings import Limits

need("the backend", "uvicorn")

from uvicorn.protocols.http.h11_impl import H11Protocol  # noqa: E402 - after the sentence on what to install

RESERVED_FILES = 256  # for the database, models, data sets and job processes
FEWEST = 16  # connections; with fewer a single browser waits for itself
_LOOKS = 4  # at a connection, in the time that its client has
_LOG_SECONDS = 10.0  # between two lines of the log about connections that made way

log = logging.getLogger(__name__)


class Bounded(H11Protocol):
    """A connection whose client is given up where it neither sends nor reads. ``bounded`` makes the class in use."""

    limits: Limits
    most: int  # connections
    _leaves = False  # it was chosen to make way; it is lost in the event loop's next round
    _logged = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Make way for it where there are too many."""
        super().connection_made(cast("asyncio.Transport", transport))
        self._since, self._received = self.loop.time(), 0
        self._watch = self.loop.call_later(self.limits.request_seconds / _LOOKS, self._look)
        if len(self.connections) > self.most:
            self._make_way()

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._watch.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """A new request begins a new time."""
        before = self.cycle
        super().data_received(data)
        if self.cycle is not before:
            self._since, self._received = self.loop.time(), 0
        self._received += len(data)

    def _waits(self) -> bool:
        """Whether it is the client's turn: to send the rest of a request, or to read an answer."""
        cycle = self.cycle
        if cycle is None or cycle.response_complete or self.flow.write_paused:
            return True
        return bool(cycle.more_body) and not self.flow.read_paused

    def _look(self) -> None:
        """Give the client up if its time is over; else look again."""
        if self.transport.get_protocol() is not self:  # it has become a websocket
            return
        now = self.loop.time()
        if not self._waits():
            self._since, self._received = now, 0
        moved = self._received + self.transport.get_write_buffer_size()
        if now > self._since + self.limits.request_seconds + moved / self.limits.request_rate:
            self.transport.abort()
        else:
            self._watch = self.loop.call_later(self.limits.request_seconds / _LOOKS, self._look)

    def _make_way(self) -> None:
        """Close the connection that has waited longest for its client: this one, where all others are at work."""
        ours = [one for one in self.connections if isinstance(one, Bounded)]
        if len(self.connections) - sum(one._leaves for one in ours) <= self.most:
            return
        chosen = min((one for one in ours if not one._leaves and one._waits()), key=lambda one: one._since)
        chosen._leaves = True
        chosen.transport.abort()
        now = self.loop.time()
        if now > Bounded._logged + _LOG_SECONDS or not Bounded._logged:
            Bounded._logged = now
            log.warning(
                "more than %d connections at once: those that wait longest for their clients are closed "
                "(MIVSPOOL_LIMIT_CONNECTIONS)",
                self.most,
            )


def bounded(limits: Limits) -> type[Bounded]:
    """The class of a server's connections under these limits, for ``uvicorn.Config(http=…)``.

    Raises BackendError where this process may not open enough files.
    """
    made: dict[str, Any] = {"limits": limits, "most": min(limits.connections, _open_files() - RESERVED_FILES)}
    if made["most"] < FEWEST:
        raise BackendError(
            f"this process may open {made['most'] + RESERVED_FILES} files, which is too few to serve: raise the limit "
            f"(`ulimit -n`) to {RESERVED_FILES + FEWEST} or more"
        )
    return cast("type[Bounded]", type("BoundedConnection", (Bounded,), made))


def _open_files() -> int:
    """How many files this process may open, once it has asked for as many as it may."""
    if sys.platform == "win32":
        return sys.maxsize  # sockets are no files there
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, 65_536, 10_240):  # a system may take less than what it calls its limit
        if wanted == resource.RLIM_INFINITY or wanted <= soft:
            continue
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        except (OSError, ValueError):
            continue
        return wanted
    return sys.maxsize if soft == resource.RLIM_INFINITY else soft
