"""A short sample of the soak (tests/soak/sessions.py): sessions that act at once are all answered."""

from __future__ import annotations

import asyncio
import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.soak.sessions import Door, Person, Seen


@pytest.mark.slow
def test_sessions_at_once_are_all_answered(address: str) -> None:
    seen = Seen()
    door = Door(address, thinks=0.2, kinds={"step": 3, "vertex": 1, "graph": 1, "classify": 1})

    async def people() -> None:
        some = [Person(door, seen, random.Random(i)) for i in range(6)]
        await asyncio.gather(*(person.live(most=4) for person in some))

    # in a thread of its own: a browser of another test may have left its event loop running in this one
    with ThreadPoolExecutor(1) as pool:
        pool.submit(lambda: asyncio.run(people())).result()
    assert not seen.wrong
    assert len(seen.took["opens a page"]) == 6
    assert len(seen.all) == 24
