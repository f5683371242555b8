"""``make soak``: what takes too long for CI. Findings are added to docs/soak.md with the date and the machine.

``python -m tests.soak [PART …]``: those parts of ``PARTS``, or all.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from tests.soak.record import record

KEPT = Path("build/soak/readers.json")  # the progress of a run of the readers that was stopped


def readers() -> str:
    """Fuzzing of the readers."""
    from tests.soak import fuzz_readers

    progress = fuzz_readers.run(0, 100_000, kept=KEPT)
    assert not progress.failures, "the inputs that failed are above"
    KEPT.unlink()
    return str(progress)


def passes() -> str:
    """Training of every method in every precision."""
    from mivspool.pooling import METHODS
    from tests.pooling.passes import PRECISIONS, passes

    for name in METHODS:
        for precision in PRECISIONS:
            passes(name, precision, 200)
    said = ", ".join(str(one).removeprefix("torch.") for one in PRECISIONS)
    made = f"{len(METHODS)} methods, 200 passes forward and backward of each in {said}"
    return f"{made}: all gradients and weights finite"


def threads() -> str:
    """Selection by several threads, a thousand times on every shape of graph."""
    from tests.arrays.test_threads import NUMBERS, again_and_again

    graphs = again_and_again(1000)
    numbers = ", ".join(map(str, NUMBERS))
    return f"{graphs} graphs, each 1,000 times by {numbers} threads: the same to the bit"


def api() -> str:
    """Requests drawn from the OpenAPI document."""
    from tests.soak import api

    return api.main()


def bodies() -> str:
    """Hostile bodies."""
    from tests.soak import bodies

    return "\n".join(bodies.main())


def slow() -> str:
    """Requests that are left half open."""
    from tests.soak import slow

    return "\n".join(slow.main())


def kills() -> str:
    """Kills of workers and backends."""
    from tests.soak import kills

    return str(kills.main())


def outages() -> str:
    """A database and a disk that are away for a while."""
    from tests.soak import outages

    return "\n".join(outages.main())


def ray() -> str:
    """Kills on a Ray cluster."""
    from tests.soak import ray

    return str(ray.main())


def load() -> str:
    """Many clients at once."""
    from tests.soak import load

    return "\n".join(load.main())


def sessions() -> str:
    """Browser sessions that step at once."""
    from tests.soak import sessions

    return "\n".join(sessions.main())


def replicas() -> str:
    """Sessions on two apps and two backends behind a proxy."""
    from tests.soak import replicas

    return "\n".join(replicas.main())


def queue() -> str:
    """A thousand visitors' jobs, and a greedy visitor's."""
    from tests.soak import queue

    return "\n".join(queue.main())


def small() -> str:
    """The app and a training in 2 GB."""
    from tests.soak import small

    return "\n".join(small.main())


def edits() -> str:
    """A person who edits a graph over a slow connection."""
    from tests.soak import edits

    return "\n".join(edits.main([]))


def browser() -> str:
    """The browser tests, ten rounds as they are and ten beside a load on every core."""
    from tests.soak import browser

    return "\n".join([*browser.main(["10"]), *browser.main(["10", "--load"])])


PARTS: dict[str, Callable[[], str]] = {
    "readers": readers,
    "passes": passes,
    "threads": threads,
    "api": api,
    "bodies": bodies,
    "slow": slow,
    "kills": kills,
    "outages": outages,
    "ray": ray,
    "load": load,
    "queue": queue,
    "small": small,
    "sessions": sessions,
    "replicas": replicas,
    "edits": edits,
    "browser": browser,
}


def main(names: list[str]) -> int:
    """Run the parts and write down what each found."""
    for name in names or list(PARTS):
        print(f"== {name}: {PARTS[name].__doc__}", flush=True)
        found = PARTS[name]()
        print(found, flush=True)
        record(name, f"python -m tests.soak {name}", found.splitlines())
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
