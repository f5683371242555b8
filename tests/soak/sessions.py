"""Browser sessions that step at once: how long an action takes, and what a session costs and gives back.

``python -m tests.soak.sessions [SESSIONS] [SECONDS]``: on one app; tests/soak/replicas.py has several. Fifty pages in a
browser on the same two cores would measure the browser, so most sessions speak Streamlit's own protocol over a web
socket, message for message what a page sends (a script run at the start, the cursor after a step or another vertex,
another link), and wait until the script has answered. One real page in Chromium steps beside them: what a person there
sees is measured too.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.asyncio.client import ClientConnection, connect

from app.server.start import running
from tests.app.browser import browser_path, chromium, wait_for_graph

SESSIONS, SECONDS = 50, 120.0
THINKS = 2.0  # seconds between two actions of one person, on average
FORGETS = 8  # seconds after which the app forgets a session that has gone (Streamlit's own: 120)
WAVES = 3  # of sessions that come and go, to see what stays
MOST_A_SESSION = 12.0  # MB
STREAM = "/_stcore/stream"
GRAPHS = (
    *(f"graph=MAO:{i}" for i in range(12)),
    "graph=karate&score=degree",
    "graph=les-miserables",
    "graph=grid-20&score=uniform",
    "graph=preset:bridge",
    "graph=preset:rising-path",
    "graph=preset:grid",
)


@dataclass
class Seen:
    """What was measured: seconds by kind of action."""

    took: dict[str, list[float]] = field(default_factory=dict)
    wrong: Counter[str] = field(default_factory=Counter)

    def add(self, kind: str, seconds: float) -> None:
        self.took.setdefault(kind, []).append(seconds)

    def lines(self) -> list[str]:
        return [f"{kind}: {spread(seconds)}" for kind, seconds in sorted(self.took.items())]

    @property
    def all(self) -> list[float]:
        return [seconds for kind, some in self.took.items() if kind != "opens a page" for seconds in some]


def spread(seconds: list[float]) -> str:
    """Number, median, 95th and 99th percentile in milliseconds."""
    if len(seconds) < 2:
        return f"{len(seconds)} times"
    cuts = [cut * 1e3 for cut in statistics.quantiles(seconds, n=100, method="inclusive")]
    return f"{len(seconds):,} times, p50 {cuts[49]:.0f} ms, p95 {cuts[94]:.0f} ms, p99 {cuts[98]:.0f} ms"


@dataclass(frozen=True)
class Door:
    """How a page reaches its app, and how often its person acts."""

    address: str
    thinks: float = THINKS  # seconds between two actions, on average
    kinds: Mapping[str, int] = field(default_factory=lambda: {"step": 75, "vertex": 20, "graph": 5})

    async def enter(self) -> dict[str, Any]:
        """What the web socket is opened with, once the page has been fetched."""
        return {"uri": f"{self.address.replace('http', 'ws')}{STREAM}"}


class Person:
    """One session: a web socket, and what its page knows."""

    def __init__(self, door: Door, seen: Seen, chance: random.Random) -> None:
        self.door, self.seen, self.chance = door, seen, chance
        self.canvas = self.fragment = self.script = self.asks = ""
        self.trace: dict[str, Any] = {}
        self.start: dict[str, int] = {}
        self.step = self.vertex = 0
        self.query = self.page = ""

    async def live(self, until: float = float("inf"), most: int = 10**9, wait: float = 0.0) -> None:
        """Wait, come, act and think until the time is over or ``most`` times, and go."""
        await asyncio.sleep(wait)
        opening = await self.door.enter()
        async with connect(subprotocols=["streamlit"], max_size=None, **opening) as socket:
            await self.open(socket, self.chance.choice(GRAPHS), "opens a page")
            for _ in range(most):
                if time.monotonic() > until:
                    break
                await asyncio.sleep(self.chance.expovariate(1 / self.door.thinks))
                await self.act(socket)

    async def act(self, socket: ClientConnection) -> None:
        """One of the door's kinds, as often as it says. From Classify the next action leads back to Step."""
        kind = self.chance.choices(*zip(*self.door.kinds.items(), strict=True))[0]
        if kind == "classify":
            await self.open(
                socket, f"graph=MAO:{self.chance.randrange(68)}", "classifies a graph", "classify"
            )
            return
        if kind == "graph" or self.page:
            await self.open(socket, self.chance.choice(GRAPHS), "another graph")
            return
        n, last = len(self.trace["ids"]), self.trace["T"] + 2
        if kind == "step":
            self.step = (self.step + 1) % (last + 1)
        else:
            self.vertex = self.chance.randrange(n)
        await self.run(socket, "a step" if kind == "step" else "another vertex", cursor=True)

    async def open(self, socket: ClientConnection, query: str, kind: str, page: str = "") -> None:
        self.query, self.page, self.canvas, self.fragment = query, page, "", ""
        await self.run(socket, kind, cursor=False)
        self.step, self.vertex = self.start["step"], self.start["vertex"]

    async def run(self, socket: ClientConnection, kind: str, *, cursor: bool) -> None:
        """Send one message and read until the app has answered it, with the run that it asks for itself."""
        told = {"id": self.trace["id"], "step": self.step, "part": 0, "vertex": self.vertex} if cursor else {}
        begin = time.perf_counter()
        await socket.send(self.message(self.canvas, {"cursor": told}, cursor) if cursor else self.message())
        try:
            while not await self.answered(socket):
                pass
            if self.asks:  # who this browser is
                asks, self.asks = self.asks, ""
                await socket.send(self.message(asks, {"name": f"{self.chance.getrandbits(192):048x}"}))
                while not await self.answered(socket):
                    pass
        except TimeoutError:
            self.seen.wrong[f"no answer: {kind}"] += 1
            return
        self.seen.add(kind, time.perf_counter() - begin)

    def message(
        self, widget: str = "", state: Mapping[str, Any] | None = None, fragment: bool = False
    ) -> bytes:
        """What the page sends: where it is, and the new state of one widget; ``fragment``: only its part runs."""
        message = BackMsg()
        rerun = message.rerun_script
        rerun.query_string = self.query
        rerun.context_info.url = f"{self.door.address}/{self.page}"
        if widget:
            told = rerun.widget_states.widgets.add()
            told.id, told.json_value = widget, json.dumps(state)
            rerun.page_script_hash = self.script
        else:
            rerun.page_name = self.page
        if fragment:
            rerun.fragment_id = self.fragment
        return message.SerializeToString()

    async def answered(self, socket: ClientConnection) -> bool:
        """Read one message; whether it ends the answer."""
        data = await asyncio.wait_for(socket.recv(), 30)
        assert isinstance(data, bytes)
        message = ForwardMsg.FromString(data)
        kind = message.WhichOneof("type")
        if kind == "new_session":
            self.script = message.new_session.page_script_hash
        elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "bidi_component":
            component = message.delta.new_element.bidi_component
            if component.id.endswith("-canvas"):
                self.canvas = component.id
                self.fragment = message.delta.fragment_id or self.fragment
                data = json.loads(component.json)
                self.trace, self.start = data["trace"], data["start"]
            elif component.id.endswith("-visitor:component"):
                self.asks = component.id
        elif kind == "delta" and message.delta.new_element.WhichOneof("type") == "exception":
            self.seen.wrong[message.delta.new_element.exception.message[:80]] += 1
        if kind != "script_finished":
            return False
        status = message.script_finished
        return status in {
            ForwardMsg.FINISHED_SUCCESSFULLY,
            ForwardMsg.FINISHED_FRAGMENT_RUN_SUCCESSFULLY,
            ForwardMsg.FINISHED_WITH_COMPILE_ERROR,
        }


class Watcher:
    """The memory and the processor time of processes of ours: those whose command lines hold these words."""

    def __init__(self, words: str = "mivspool app") -> None:
        children = psutil.Process().children(recursive=True)
        self.processes = [child for child in children if words in " ".join(child.cmdline())]
        assert self.processes, words

    @property
    def memory(self) -> float:
        """Resident, in MB."""
        return sum(float(one.memory_info().rss) for one in self.processes) / 1e6

    @property
    def cpu(self) -> float:
        """Seconds."""
        return sum(float(times.user + times.system) for times in (one.cpu_times() for one in self.processes))


async def wave(
    door: Door, sessions: int, seconds: float, seed: int, watch: Watcher, opened_over: float = 0.0
) -> tuple[Seen, float]:
    """Sessions that act at once for that long, and the memory while all of them are there.

    ``opened_over``: seconds over which they come, one after the other.
    """
    seen = Seen()
    until = time.monotonic() + seconds
    people = [Person(door, seen, random.Random(seed * 1000 + i)) for i in range(sessions)]
    tasks = [
        asyncio.create_task(person.live(until, wait=opened_over * i / sessions))
        for i, person in enumerate(people)
    ]
    await asyncio.sleep(max(until - time.monotonic() - 1, 0))
    held = watch.memory
    await asyncio.gather(*tasks)
    return seen, held


async def visitor(door: Door) -> None:
    """One more session: the app forgets those that have gone when the next one comes."""
    await Person(door, Seen(), random.Random(0)).live(most=1)


def page_beside(address: str, seconds: float) -> list[str]:
    """A real page that steps meanwhile: until the picture has changed, and until the link has."""
    picture, link = [], []
    with chromium() as browser:
        page = browser.new_page()
        page.goto(f"{address}/step?graph=MAO:3")
        wait_for_graph(page, timeout=120)
        sentence = page.locator(".sentence").first
        end = time.monotonic() + seconds
        for step in itertools.cycle((1, 2, 1, 0)):
            if time.monotonic() > end:
                break
            before = sentence.inner_text()
            forward = (step, before[:11]) in {(1, "Iteration 0"), (2, "Iteration 1")}
            begin = time.perf_counter()
            page.keyboard.press("ArrowRight" if forward else "ArrowLeft")
            while sentence.inner_text() == before:
                pass
            picture.append(time.perf_counter() - begin)
            page.wait_for_url(lambda url, s=step: (f"step={s}" in url) if s else "&step=" not in url)
            link.append(time.perf_counter() - begin)
            page.wait_for_timeout(1000)
    return [
        f"a page in Chromium beside them, until the picture has changed: {spread(picture)}",
        f"a page in Chromium beside them, until the link has (0.3 s of rest included): {spread(link)}",
    ]


def measure(home: Path, sessions: int, seconds: float, *, browser: bool = True) -> list[str]:
    """The findings, a line each. Raises AssertionError where something failed or stayed."""
    environment = {
        "MIVSPOOL_HOME": str(home),
        "OMP_NUM_THREADS": "1",
        "STREAMLIT_SERVER_DISCONNECTED_SESSION_TTL": str(FORGETS),
    }
    lines: list[str] = []
    with running(environment, log=home / "app.log") as address:
        watch, door = Watcher(), Door(address)
        # what happens once has happened: every graph was seen by somebody
        asyncio.run(wave(door, 6, max(seconds / 6, 4), 0, watch))
        time.sleep(2 * FORGETS)
        asyncio.run(visitor(door))
        empty = watch.memory
        after, held = [], 0.0
        for turn in range(1, WAVES + 1):
            before, cpu = watch.memory, watch.cpu
            asking = [asyncio.to_thread(page_beside, address, seconds)] if browser and turn == 1 else []
            seen, held, said = asyncio.run(_beside(wave(door, sessions, seconds, turn, watch), asking))
            if turn == 1:
                actions = len(seen.all)
                lines += [
                    f"{sessions} sessions for {seconds:.0f} s, an action each {THINKS:.0f} s",
                    *seen.lines(),
                ]
                lines.append(f"all actions: {spread(seen.all)}")
                lines.append(
                    f"{(watch.cpu - cpu) / max(actions, 1) * 1e3:.0f} ms of the app's processor time an action"
                )
                lines += said
            assert not seen.wrong, (seen.wrong, lines)
            time.sleep(2 * FORGETS)
            asyncio.run(visitor(door))
            after.append(watch.memory)
            each = (held - before) / sessions
            lines.append(
                f"wave {turn}: {before:.0f} MB before, {held:.0f} MB with {sessions} sessions "
                f"({each:.1f} MB each), {after[-1]:.0f} MB when they had gone"
            )
            assert each < MOST_A_SESSION, lines
        lines.append(f"without a session, every graph seen: {empty:.0f} MB")
        # what the waves leave behind must not grow from wave to wave
        assert after[-1] - after[0] < 0.5 * sessions, lines
    return lines


async def _beside(waves: Any, others: list[Any]) -> tuple[Seen, float, list[str]]:
    (seen, held), *said = await asyncio.gather(waves, *others)
    return seen, held, [line for some in said for line in some]


def main(sessions: int = SESSIONS, seconds: float = SECONDS) -> list[str]:
    """The whole measurement."""
    with tempfile.TemporaryDirectory() as home:
        return measure(Path(home), sessions, seconds, browser=browser_path() is not None)


if __name__ == "__main__":
    given = [float(word) for word in sys.argv[1:3]]
    print("\n".join(main(*(int(given[0]), *given[1:]) if given else ())))
    print(f"{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
