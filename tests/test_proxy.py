"""deploy/nginx.conf, run as it is but for ports and folders, in front of two small apps and two small backends.

The apps stand behind the real access control; what they answer says which of them was asked, and how.
"""

from __future__ import annotations

import asyncio
import json
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from http.client import HTTPConnection, HTTPSConnection
from typing import Any

import httpx
import pytest
import uvicorn
from websockets.sync.client import connect

from app.server.access import Access
from mivspool.connections import bounded
from mivspool.hosts import Hosts
from mivspool.settings import Limits
from tests.proxy import NAME, NGINX, PAGE, TOKEN, Place, nginx
from tests.test_house import ROOT

pytestmark = pytest.mark.skipif(NGINX is None, reason="nginx is not installed here (`.ci/run` installs it)")


def tells(name: str, go_on: threading.Event) -> Callable[..., Any]:
    """An application that answers with its name and what it was asked."""

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (message := await receive())["type"] == "websocket.receive":
                await send({"type": "websocket.send", "text": f"{name}: {message['text']}"})
            return
        if scope["type"] != "http":
            return
        size, more = 0, True
        while more:
            message = await receive()
            size, more = size + len(message.get("body", b"")), message.get("more_body", False)
        headers = {key.decode(): value.decode() for key, value in scope["headers"]}
        query = scope["query_string"].decode()
        start = [(b"content-type", b"text/event-stream")] if "events" in scope["path"] else []
        if "cookie" in query:
            start.append((b"set-cookie", b"theirs=1; Path=/"))
        await send({"type": "http.response.start", "status": 200, "headers": start})
        if "events" in scope["path"]:
            await send({"type": "http.response.body", "body": b"data: first\n\n", "more_body": True})
            await asyncio.get_running_loop().run_in_executor(None, go_on.wait)
        told = {"name": name, "path": scope["path"], "query": query, "size": size, "headers": headers}
        await send({"type": "http.response.body", "body": json.dumps(told).encode()})

    return application


def served(stack: ExitStack, application: Any) -> str:
    """The address of a server."""
    config = uvicorn.Config(application, http=bounded(Limits()), lifespan="off", log_config=None)
    server = uvicorn.Server(config)
    listening = socket.create_server(("127.0.0.1", 0))
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
    thread.start()

    def end() -> None:
        server.force_exit = server.should_exit = True
        thread.join()

    stack.callback(end)
    return f"127.0.0.1:{listening.getsockname()[1]}"


@pytest.fixture(scope="module")
def go_on() -> threading.Event:
    """What lets an event stream end."""
    return threading.Event()


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory, go_on: threading.Event) -> Iterator[Place]:
    """nginx, with the two apps and two backends behind it."""
    with ExitStack() as stack:
        servers = {}
        for k in (1, 2):
            app = Access(tells(f"app-{k}", go_on), Hosts(NAME, reached=True), TOKEN, reached=True)
            servers[f"app-{k}:8501"] = served(stack, app)
            servers[f"backend-{k}:8630"] = served(stack, tells(f"backend-{k}", go_on))
        yield stack.enter_context(nginx(tmp_path_factory.mktemp("nginx"), servers))
        go_on.set()


def test_everything_leads_to_the_page(place: Place) -> None:
    plain = httpx.get(f"http://127.0.0.1:{place.http}/mivspool/learn?x=1", headers={"Host": NAME})
    assert plain.status_code == 301
    assert plain.headers["location"] == f"https://{NAME}/mivspool/learn?x=1"
    with place.visitor() as visitor:
        for start in ("/", "/mivspool"):
            assert visitor.get(start).headers["location"] == PAGE
        assert "strict-transport-security" in visitor.get(PAGE).headers


def test_the_app_sees_its_own_paths(place: Place) -> None:
    with place.visitor() as visitor:
        told = visitor.get(f"{PAGE}train", params={"job": "7"}).json()
    assert (told["path"], told["query"]) == ("/train", "job=7")
    assert told["headers"]["host"] == NAME


def test_the_token_is_entered_below_the_sub_path(place: Place) -> None:
    with place.visitor(token=None) as visitor:
        assert visitor.get(PAGE).status_code == 401
        entered = visitor.post(f"{PAGE}train?job=7", data={"token": TOKEN})
        assert entered.headers["location"] == "/mivspool/train?job=7"
        for cookie in entered.headers.get_list("set-cookie"):
            assert re.search(r"; path=/mivspool/", cookie, re.I), cookie
        assert visitor.get(PAGE).status_code == 200


def test_every_cookie_is_secure(place: Place) -> None:
    with place.visitor(token=None) as visitor:
        cookies = visitor.post(PAGE, data={"token": TOKEN}).headers.get_list("set-cookie")
        cookies += visitor.get(f"{PAGE}?cookie").headers.get_list("set-cookie")
    assert {cookie.partition("=")[0] for cookie in cookies} == {"mivspool_app", "mivspool_route", "theirs"}
    for cookie in cookies:
        assert "secure" in cookie.lower().split("; "), cookie


def test_a_visitor_stays_with_one_app_and_visitors_are_shared_out(place: Place) -> None:
    asked = set()
    for _ in range(12):  # all with one app: once in 2,048 times
        with place.visitor() as visitor:
            names = {visitor.get(f"{PAGE}page{k}").json()["name"] for k in range(5)}
            upload = visitor.put(f"{PAGE}_stcore/upload_file/1", content=b"x" * 100_000).json()
        assert names == {upload["name"]}
        assert upload["size"] == 100_000
        asked |= names
    assert asked == {"app-1", "app-2"}


def test_a_websocket_passes_to_the_app_of_the_page(place: Place) -> None:
    with place.visitor() as visitor:
        name = visitor.get(PAGE).json()["name"]
        cookies = "; ".join(f"{key}={value}" for key, value in visitor.cookies.items())
    where = f"wss://{NAME}:{place.https}{PAGE}_stcore/stream"
    with (
        socket.create_connection(("127.0.0.1", place.https)) as raw,
        connect(
            where,
            sock=raw,
            ssl=place.trusted,
            server_hostname="127.0.0.1",
            additional_headers={"Cookie": cookies},
            origin=f"https://{NAME}:{place.https}",
        ) as stream,
    ):
        for said in ("one", "two"):
            stream.send(said)
            assert stream.recv() == f"{name}: {said}"


def test_as_much_is_taken_as_the_backend_takes(place: Place) -> None:
    """A larger upload is refused by its length, before it is sent."""
    limit = re.search(r"client_max_body_size (\d+)m;", (ROOT / "deploy" / "nginx.conf").read_text("utf-8"))
    assert limit is not None
    most = int(limit[1]) * 2**20
    assert Limits().bytes + 64 * 1024 <= most < Limits().bytes + 2 * 2**20
    connection = HTTPSConnection("127.0.0.1", place.https, context=place.trusted)
    connection.putrequest("PUT", f"{PAGE}_stcore/upload_file/1")
    connection.putheader("Content-Length", str(most + 1))
    connection.endheaders()
    assert connection.getresponse().status == 413
    connection.close()


def test_an_address_cannot_be_made_up(place: Place) -> None:
    with place.visitor() as visitor:
        told = visitor.get(PAGE, headers={"X-Forwarded-For": "192.0.2.1"}).json()
    assert told["headers"]["x-forwarded-for"] == "127.0.0.1"
    assert told["headers"]["x-forwarded-proto"] == "https"


def test_both_backends_are_asked(place: Place) -> None:
    address = f"http://127.0.0.1:{place.backends}"
    assert {httpx.get(f"{address}/v1/health").json()["name"] for _ in range(8)} == {"backend-1", "backend-2"}


def test_events_are_passed_on_as_they_come(place: Place, go_on: threading.Event) -> None:
    connection = HTTPConnection("127.0.0.1", place.backends)
    connection.request("GET", "/v1/jobs/7/events/stream")
    answer = connection.getresponse()
    assert answer.readline() == b"data: first\n"  # the rest comes once it is read
    go_on.set()
    assert b"backend" in answer.read()
    connection.close()
