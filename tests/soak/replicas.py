"""Two apps and two backends behind nginx, with PostgreSQL and a shared store: what 200 sessions at once see.

``python -m tests.soak.replicas [SESSIONS] [SECONDS]``. The sessions (tests/soak/sessions.py) come over a minute,
through TLS, below the sub-path and with the cookie that keeps each on its app; each acts once in ten seconds. They
share the machine's processors with all that they use. The store is a folder, or what MIVSPOOL_STORE_URL names.
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from contextlib import ExitStack
from dataclasses import dataclass, field
from http.cookiejar import DefaultCookiePolicy
from pathlib import Path
from statistics import quantiles
from typing import Any
from urllib.parse import urlsplit

import httpx

from app.server.start import free_port, running
from tests.proxy import NAME, PAGE, TOKEN, Place, nginx
from tests.service import postgres
from tests.soak import sessions
from tests.soak.kills import serving
from tests.soak.sessions import STREAM, Door, Watcher, spread

OPENED_OVER = 60.0  # seconds
THINKS = 10.0
QUICK = 1.0  # seconds within which 95 of 100 actions are answered
KINDS = {"step": 60, "vertex": 20, "graph": 10, "classify": 10}


@dataclass(frozen=True)
class Proxied(Door):
    """Through the proxy, as a browser: the page gives the cookie that keeps its web socket on the same app."""

    place: Place = field(kw_only=True)
    client: httpx.AsyncClient = field(kw_only=True)

    async def enter(self) -> dict[str, Any]:
        """Fetch the page, and open its web socket with the cookies."""
        answer = await self.client.get(PAGE)
        answer.raise_for_status()
        cookies = "; ".join(one.partition(";")[0] for one in answer.headers.get_list("set-cookie"))
        return {
            "uri": f"{self.address.replace('http', 'ws')}{STREAM}",
            "host": "127.0.0.1",
            "port": self.place.https,
            "ssl": self.place.trusted,
            "server_hostname": "127.0.0.1",
            "origin": f"https://{NAME}:{self.place.https}",
            "additional_headers": {"Cookie": cookies},
        }


async def _people(place: Place, count: int, seconds: float, watch: Watcher) -> tuple[sessions.Seen, float]:
    client = httpx.AsyncClient(
        base_url=f"https://127.0.0.1:{place.https}",
        verify=place.trusted,
        headers={"Host": f"{NAME}:{place.https}"},
        timeout=30,
    )
    client.cookies.jar.set_policy(_NoCookies())
    address = f"https://{NAME}:{place.https}{PAGE.rstrip('/')}"
    async with client:
        door = Proxied(address, THINKS, KINDS, place=place, client=client)
        return await sessions.wave(door, count, seconds, 1, watch, opened_over=_opened_over(seconds))


def _opened_over(seconds: float) -> float:
    return min(OPENED_OVER, seconds / 3)


class _NoCookies(DefaultCookiePolicy):
    """Each page of this client is another browser's."""

    def set_ok(self, *_: Any) -> bool:
        return False


def measure(home: Path, count: int, seconds: float) -> list[str]:
    """The findings, a line each. Raises AssertionError where something failed or an action took too long."""
    binaries = postgres.find_binaries()
    assert binaries is not None, "PostgreSQL is not installed here"
    with ExitStack() as stack:
        objects = os.environ.get("MIVSPOOL_STORE_URL", f"file://{home / 'objects'}")
        database = postgres.new_database(stack.enter_context(postgres.server(binaries)), "jobs")
        shared = {
            "MIVSPOOL_TOKEN": TOKEN,
            "MIVSPOOL_DATABASE_URL": database,
            "MIVSPOOL_STORE_URL": objects,
            "MIVSPOOL_SEPARATE_VISITORS": "true",
        }
        port, servers = free_port(), {}
        for k in (1, 2):
            (home / f"backend-{k}").mkdir()
            server = stack.enter_context(serving(home / f"backend-{k}", shared))
            servers[f"backend-{k}:8630"] = urlsplit(server.address).netloc
        for k in (1, 2):
            own = {
                "MIVSPOOL_HOME": str(home / f"app-{k}"),
                "MIVSPOOL_BACKEND_URL": f"http://127.0.0.1:{port}",
                "MIVSPOOL_TOKEN": TOKEN,
                "MIVSPOOL_PUBLIC": "1",
                "MIVSPOOL_ALLOWED_HOSTS": NAME,
                "OMP_NUM_THREADS": "1",
            }
            app = stack.enter_context(running(own, log=home / f"app-{k}.log"))
            servers[f"app-{k}:8501"] = urlsplit(app).netloc
        place = stack.enter_context(nginx(home, servers, backends=port))
        apps, backends = Watcher("mivspool app"), Watcher("mivspool serve")
        asyncio.run(_people(place, 6, 20, apps))  # what happens once has happened
        before = (apps.cpu, backends.cpu)
        seen, held = asyncio.run(_people(place, count, seconds, apps))
        actions = len(seen.all)
        spent = [
            (one.cpu - start) / actions * 1e3 for one, start in zip((apps, backends), before, strict=True)
        ]
        found = [
            f"{count} sessions, opened over {_opened_over(seconds):.0f} s, an action each {THINKS:.0f} s, "
            f"for {seconds:.0f} s; 2 apps, 2 backends, nginx with TLS, PostgreSQL, objects in {objects.split(':')[0]}://",
            *seen.lines(),
            f"all actions: {spread(seen.all)}",
            f"{spent[0]:.0f} ms of the apps' processor time and {spent[1]:.0f} ms of the backends' per action",
            f"both apps together {held:.0f} MB with all sessions, both backends {backends.memory:.0f} MB",
        ]
    assert not seen.wrong, (seen.wrong, found)
    assert quantiles(seen.all, n=20)[-1] < QUICK, found
    return found


def main(count: int = 200, seconds: float = 240.0) -> list[str]:
    """The whole measurement."""
    with tempfile.TemporaryDirectory() as home:
        return measure(Path(home), count, seconds)


if __name__ == "__main__":
    print("\n".join(main(*map(int, sys.argv[1:3]))))
