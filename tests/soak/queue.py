"""A thousand visitors who each submit a job, and one who submits as many as the backend takes: who waits for whom.

``python -m tests.soak.queue [VISITORS]``: each visitor at an address of their own, then all behind one, as behind an
app or a proxy. Jobs are submitted over HTTP; they take their turns in the database, but do not run, so that what
is measured is the queue.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx

from mivspool.service.guard import VISITOR_HEADER
from mivspool.service.states import DONE
from mivspool.service.store import Store
from mivspool.settings import Settings
from tests.service import postgres
from tests.soak.kills import JOB, Server, serving
from tests.soak.sessions import Seen

AT_ONCE = 8  # visitors whose requests are on their way
MANY = 10**5
GREEDY = "127.0.0.2"


class Crowd:
    """The visitors of one backend, by the address that each comes from."""

    def __init__(self, server: Server, store: Store, seen: Seen) -> None:
        self.server, self.store, self.seen = server, store, seen
        self.whose: dict[str, str] = {}  # job → visitor

    def submit(self, visitor: str, address: str) -> int | None:
        """The place of a job that this visitor submits now, as the page tells it; None if it is refused."""
        job = self._ask("submits a job", visitor, address, "POST", "/v1/jobs", json={"kind": "train", **JOB})
        if job is None:
            return None
        self.whose[str(job["id"])] = visitor
        looked = self._ask("looks at its job", visitor, address, "GET", f"/v1/jobs/{job['id']}")
        assert looked is not None
        return int(str(looked["place"]))

    def _ask(
        self, kind: str, visitor: str, address: str, *call: str, **more: Any
    ) -> dict[str, object] | None:
        # plain HTTP: no certificates to load
        transport = httpx.HTTPTransport(local_address=address, verify=False)
        with httpx.Client(base_url=self.server.address, transport=transport, timeout=60) as client:
            begin = time.perf_counter()
            answer = client.request(*call, headers={VISITOR_HEADER: visitor}, **more)
            self.seen.add(kind, time.perf_counter() - begin)
        if answer.status_code == 409:
            return None
        answer.raise_for_status()
        found: dict[str, object] = answer.json()
        return found

    def serve(self) -> str:
        """The visitor whose turn it is; the job is done at once."""
        begin = time.perf_counter()
        claim = self.store.claim("soak")
        self.seen.add("a worker takes a job", time.perf_counter() - begin)
        assert claim is not None
        self.store.finish(claim, DONE)
        return self.whose[claim.job]


def crowded(home: Path, database: str, visitors: int, address_of: Callable[[int], str]) -> str:
    """What became of the visitors. Raises AssertionError where one waits longer than told, or for the greedy one."""
    limits = {
        "MIVSPOOL_DATABASE_URL": database,
        "MIVSPOOL_WORKERS": "0",
        "MIVSPOOL_SEPARATE_VISITORS": "true",
        "MIVSPOOL_MAX_JOBS": str(MANY),
        "MIVSPOOL_MAX_WAITING_JOBS_PER_ADDRESS": str(visitors + 200),
    }
    behind_one = address_of(0) == address_of(1)
    with ExitStack() as stack:
        server = stack.enter_context(serving(home, limits))
        store = Store(Settings(home=home, database_url=database))
        stack.callback(store.close)
        crowd = Crowd(server, store, Seen())
        # under one name it may have 20 jobs, under as many names as it likes those of its address
        names = [f"greedy-{0 if behind_one else i // 20:032}" for i in range(200)]
        greedy = address_of(0) if behind_one else GREEDY
        taken = sum(crowd.submit(name, greedy) is not None for name in names)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            told = list(pool.map(lambda i: crowd.submit(f"visitor-{i:032}", address_of(i)), range(visitors)))
        assert None not in told, "a visitor was refused"
        places = {f"visitor-{i:032}": place for i, place in enumerate(told) if place is not None}
        # the greedy one goes on: a job more for each that is done
        served, between = {}, 0
        for turn in range(1, visitors + taken + 1):
            who = crowd.serve()
            if who.startswith("greedy"):
                between += len(served) < visitors
                crowd.submit(who, greedy)
            else:
                served[who] = turn
            if len(served) == visitors:
                break
        late = max(served[who] - places[who] for who in places)
        assert len(served) == visitors, "somebody still waits"
        assert between <= 1, f"{between} jobs of the greedy one came before others' first"
        assert late <= AT_ONCE, f"somebody waited {late} turns longer than told"
        where = "behind one address" if behind_one else "each at an address of their own"
        return "\n".join(
            [
                f"{visitors:,} visitors {where}, after one who had submitted {taken} jobs and goes on: "
                f"{between} of those were served before all others had been; each waited as long as its place said "
                f"(at most {max(late, 0)} turns longer)",
                *crowd.seen.lines(),
            ]
        )


def main(visitors: int = 1000) -> list[str]:
    """What was found, on PostgreSQL."""
    binaries = postgres.find_binaries()
    assert binaries is not None, "PostgreSQL is not installed here"
    found = []
    with postgres.server(binaries) as folder:
        for name, address_of in (
            ("apart", lambda i: f"127.1.{i // 250}.{i % 250 + 1}"),
            ("together", lambda i: "127.0.0.3"),
        ):
            with tempfile.TemporaryDirectory() as home:
                database = postgres.new_database(folder, name)
                found += crowded(Path(home), database, visitors, address_of).splitlines()
    return found


if __name__ == "__main__":
    print("\n".join(main(*map(int, sys.argv[1:2]))))
