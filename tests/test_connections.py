"""A client that leaves requests half open costs nobody else anything, and is given up; whoever moves is served."""

from __future__ import annotations

import asyncio
import socket
import sys
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection
from typing import Any

import pytest
import uvicorn
from uvicorn.server import ServerState

from mivspool import connections
from mivspool.connections import RESERVED_FILES, bounded
from mivspool.errors import BackendError
from mivspool.settings import Limits

SECONDS, RATE = 20.0, 1000  # of the limits below
App = Callable[[Any, Any, Any], Awaitable[None]]


async def answer(send: Any, body: bytes = b"ok") -> None:
    await send(
        {"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"%d" % len(body))]}
    )
    await send({"type": "http.response.body", "body": body})


async def read_and_answer(_: Any, receive: Any, send: Any) -> None:
    while (await receive()).get("more_body"):
        pass
    await answer(send)


async def answer_unread(_: Any, receive: Any, send: Any) -> None:
    await answer(send)


async def work_and_answer(_: Any, receive: Any, send: Any) -> None:
    await asyncio.sleep(50 * SECONDS)
    await read_and_answer(_, receive, send)


class Clockwork(asyncio.SelectorEventLoop):
    """An event loop that waits for nothing: where there is nothing to do, its clock goes on to what comes next."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        select = self._selector.select

        def skip(timeout: float | None) -> Any:
            self.now += max(timeout or 0.0, 0.0)
            return select(0)

        self._selector.select = skip

    def time(self) -> float:
        return self.now


@dataclass
class Wire:
    """The transport of a connection that exists in memory alone."""

    loop: Clockwork
    unread: int = 0  # bytes that the client does not read
    protocol: Any = None
    sent: bytearray = field(default_factory=bytearray)
    gone: float | None = None  # when it was closed
    kind: str = ""

    def _end(self, kind: str) -> None:
        if self.gone is None:
            self.gone, self.kind = self.loop.time(), kind
            self.loop.call_soon(self.protocol.connection_lost, None)

    def abort(self) -> None:
        self._end("given up")

    def close(self) -> None:
        if not self.unread:
            self._end("closed")

    def is_closing(self) -> bool:
        return self.gone is not None

    def write(self, data: bytes) -> None:
        self.sent += data

    def get_write_buffer_size(self) -> int:
        return self.unread

    def get_protocol(self) -> Any:
        return self.protocol

    def set_protocol(self, protocol: Any) -> None:
        self.protocol = protocol

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default

    def pause_reading(self) -> None: ...

    def resume_reading(self) -> None: ...


def loaded(app: App, limits: Limits) -> uvicorn.Config:
    config = uvicorn.Config(app, http=bounded(limits), ws="none", lifespan="off", log_config=None)
    config.load()
    return config


def connect(loop: Clockwork, config: uvicorn.Config, state: ServerState, unread: int = 0) -> Wire:
    """A connection of this server, which it has not been told of yet."""
    wire = Wire(loop, unread)
    wire.protocol = config.http_protocol_class(config=config, server_state=state, app_state={}, _loop=loop)
    return wire


def conversation(pieces: Iterator[tuple[float, bytes]], app: App, unread: int = 0) -> Wire:
    """What became of a connection whose client sends each piece so many seconds after the one before."""
    loop = Clockwork()
    limits = Limits(request_seconds=SECONDS, request_rate=RATE)
    wire = connect(loop, loaded(app, limits), ServerState(), unread)

    async def talk() -> None:
        wire.protocol.connection_made(wire)
        if unread:
            wire.protocol.pause_writing()
        for pause, piece in pieces:
            await asyncio.sleep(pause)
            if wire.gone is not None:
                return
            wire.protocol.data_received(piece)
        await asyncio.sleep(100 * SECONDS)

    try:
        loop.run_until_complete(talk())
    finally:
        loop.close()
    return wire


def head(length: int) -> bytes:
    return b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: %d\r\n\r\n" % length


def trickle(text: bytes, seconds: float = 1.0) -> Iterator[tuple[float, bytes]]:
    return ((seconds, text[i : i + 1]) for i in range(len(text)))


GET = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
HALF_OPEN: dict[str, tuple[list[tuple[float, bytes]], App, int]] = {
    "sends nothing": ([], read_and_answer, 0),
    "half a head": ([(0, GET[:10])], read_and_answer, 0),
    "a head byte by byte": (list(trickle(GET, 3.0)), read_and_answer, 0),
    "no body": ([(0, head(10))], read_and_answer, 0),
    "a body byte by byte": ([(0, head(10**6)), *trickle(b"x" * 1000)], read_and_answer, 0),
    "another head byte by byte": ([(0, GET), *trickle(GET, 3.0)], read_and_answer, 0),
    "a body that nobody asks for": ([(0, head(10**6)), *trickle(b"x" * 1000)], answer_unread, 0),
    "does not read the answer": ([(0, GET)], read_and_answer, 100_000),
}


@pytest.mark.parametrize("kind", HALF_OPEN)
def test_a_client_that_does_not_move_is_given_up(kind: str) -> None:
    pieces, app, unread = HALF_OPEN[kind]
    wire = conversation(iter(pieces), app, unread)
    assert wire.kind == "given up"
    assert wire.gone is not None
    moved = unread + sum(len(piece) for _, piece in pieces if len(piece) == 1)
    assert SECONDS <= wire.gone <= SECONDS + moved / RATE + 2 * SECONDS


STEADY: dict[str, tuple[list[tuple[float, bytes]], App]] = {
    "twice the least rate": ([(0, head(200 * RATE)), *[(0.5, b"x" * RATE)] * 200], read_and_answer),
    "the server works": ([(0, GET)], work_and_answer),
    "the server works before it reads": ([(0, head(200 * RATE)), (0, b"x" * 200 * RATE)], work_and_answer),
    "one request after another": ([(4.0, GET)] * 20, read_and_answer),
}


@pytest.mark.parametrize("kind", STEADY)
def test_a_client_that_moves_is_answered_however_long_it_takes(kind: str) -> None:
    pieces, app = STEADY[kind]
    wire = conversation(iter(pieces), app)
    requests = sum(piece.startswith((b"GET", b"POST")) for _, piece in pieces)
    assert wire.sent.count(b"200 OK") == requests
    assert wire.kind in {"", "closed"}, "uvicorn closes a connection that is kept alive in vain"


@pytest.mark.parametrize("sent", [b"", GET[:10], head(10)], ids=["nothing", "half a head", "no body"])
def test_half_open_requests_make_way(sent: bytes) -> None:
    """Two hundred of them, before the first is given up: at most forty stay, and others are answered."""
    most = 40
    config = uvicorn.Config(
        read_and_answer,
        http=bounded(Limits(connections=most, request_seconds=600)),
        lifespan="off",
        log_config=None,
    )
    server = uvicorn.Server(config)
    with ExitStack() as stack:
        listening = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()

        def end() -> None:
            server.force_exit = server.should_exit = True
            thread.join()

        stack.callback(end)
        address = listening.getsockname()
        idle = []
        for _ in range(200):
            one = stack.enter_context(socket.create_connection(address))
            one.sendall(sent)
            idle.append(one)
            if len(idle) % 20 == 0:
                asked = HTTPConnection(*address)
                asked.request("GET", "/")
                assert asked.getresponse().read() == b"ok"
                asked.close()
        first = idle[:-most]
        for one in first:  # each is closed by the server, or this waits until the test's time is over
            with suppress(ConnectionResetError):
                assert one.recv(100) == b""
        assert len(server.server_state.connections) <= most


def test_each_of_many_new_connections_has_another_one_make_way() -> None:
    """Those that come in one round of the event loop, in which none that was closed is gone yet."""
    most, more = 20, 5
    loop, state = Clockwork(), ServerState()
    config = loaded(read_and_answer, Limits(connections=most, request_seconds=600))
    wires = [connect(loop, config, state) for _ in range(most + more)]

    async def come() -> None:
        for wire in wires[:most]:
            wire.protocol.connection_made(wire)
            await asyncio.sleep(1)
        for wire in wires[most:]:
            wire.protocol.connection_made(wire)
        await asyncio.sleep(1)

    try:
        loop.run_until_complete(come())
    finally:
        loop.close()
    assert [wire.kind for wire in wires] == ["given up"] * more + [""] * most
    assert len(state.connections) == most


def test_a_process_that_may_open_few_files_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_open_files", lambda: RESERVED_FILES + 10)
    with pytest.raises(BackendError, match="ulimit -n"):
        bounded(Limits())


@pytest.mark.skipif(sys.platform == "win32", reason="sockets are no files there")
def test_as_many_connections_as_files_allow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections, "_open_files", lambda: RESERVED_FILES + 100)
    assert bounded(Limits()).most == 100
    assert bounded(Limits(connections=50)).most == 50
