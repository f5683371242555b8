"""A person who edits a graph on Step over a slow connection, and reloads the page or goes elsewhere meanwhile.

``python -m tests.soak.edits [VISITS] [--first N]``. Each visit is drawn by its number: short series of changes, and
after each the page is left alone, reloaded, left and come back to, shown in another mode or presented, at once or a
moment later. What the person made must be there when the page rests, in the canvas and in the sentence above it, and
after a reload.
"""

from __future__ import annotations

import argparse
import json
import random
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from app.server.start import running
from mivspool.messages import count
from tests.app.browser import chromium, slow, wait_for_graph
from tests.app.test_step_page import STATE

VISITS = 100
SERIES = 5  # of changes in a visit
MOST_MS = 700  # a message takes so long at most
PATIENCE_S = 60.0  # the page rests after that
GRAPHS = ("karate&score=degree", "preset:bridge", "preset:tie", "MAO:3")

# how late a message arrives: drawn, by the number of the visit
LATE = """(() => {
  let seed = %d;
  return () => ((seed = (seed * 1103515245 + 12345) %% 2147483648) / 2147483648) * %d;
})()"""

# what a person has made: the graph and what it is compared with, in no order
MADE = f"""(() => {{
  const c = ({STATE})();
  if (!c || !c.edit.history) return null;
  const told = ({{ ids, labels, edges, score }}) => [
    ids.map((id, v) => [id, labels ? labels[v] : "", score[v]]).sort(),
    Array.from({{ length: edges.length / 2 }}, (_, e) => [ids[edges[2 * e]], ids[edges[2 * e + 1]]].sort()).sort(),
  ];
  return JSON.stringify([c.edit.history.graph, c.edit.original.graph].map(told));
}})()"""

# changes, each by two numbers in [0, 1) that choose vertices, and the milliseconds before it
CHANGE = f"""async (changes) => {{
  const pin = (box) =>
    [...box.querySelectorAll(".edit button")].find((one) => one.textContent === "Set as reference").click();
  for (const [type, first, second, wait] of changes) {{
    if (wait) await new Promise((done) => setTimeout(done, wait));
    const c = ({STATE})();
    const box = c.view.stage.closest(".mivspool");
    const [v, other] = [first, second].map((x) => Math.floor(x * c.trace.n));
    const act = (type, more) => c.store.dispatch({{ type, ...more }});
    if (type === "remove" || type === "nudge") act("select", {{ vertex: v }});
    if (type === "join") act("join", {{ from: v, to: other }});
    else if (type === "add") act("add", {{ x: first, y: second }});
    else if (type === "pin") pin(box);
    else if (type === "nudge") act("nudge", {{ by: second < 0.5 ? -1 : 1 }});
    else act(type);
  }}
  return {MADE};
}}"""

RESTS = f"""() => {{
  const c = ({STATE})();
  const idle = document.querySelector('.stApp')?.dataset.testScriptState === 'notRunning';
  if (!idle || !c || !c.edit.on || !c.edit.history) return null;
  const {{ edit }} = c;
  if (edit.sent !== edit.history.graph || edit.pinned || edit.answered !== edit.number) return null;
  const size = [c.trace.n, c.trace.edges.length / 2];
  return {{ made: {MADE}, size, about: document.querySelector('p.about')?.innerText ?? "" }};
}}"""


class LostError(AssertionError):
    """Something that a person made is not there."""


def drawn(chance: random.Random) -> list[list[Any]]:
    """A short series of changes."""
    kinds = ["remove", "add", "join", "nudge", "nudge", "undo", "redo", "reset", "pin"]
    return [
        [chance.choice(kinds), chance.random(), chance.random(), chance.choice([0, 0, 50, 350, 900])]
        for _ in range(chance.randint(1, 4))
    ]


def _reloaded(page: Any) -> None:
    page.reload()


def _elsewhere(page: Any) -> None:
    page.get_by_role("link", name="Compare", exact=True).click()
    page.locator(".mp-measures").first.wait_for()
    page.get_by_role("link", name="Step", exact=True).click()


def _elsewhere_at_once(page: Any) -> None:
    page.get_by_role("link", name="Compare", exact=True).click()
    page.wait_for_url("**/compare*", wait_until="commit")  # nothing of it is there yet
    page.get_by_role("link", name="Step", exact=True).click()


def _in_another_mode(page: Any) -> None:
    page.get_by_role("radio", name="Step through").click()
    page.get_by_role("radio", name="Edit").click()


def _presented(page: Any) -> None:
    page.keyboard.press("p")
    page.keyboard.press("Escape")


ENDINGS: dict[str, Callable[[Any], None]] = {
    "nothing": lambda page: None,
    "reload": _reloaded,
    "elsewhere": _elsewhere,
    "elsewhere at once": _elsewhere_at_once,
    "another mode": _in_another_mode,
    "presented": _presented,
}


def visit(page: Any, address: str, number: int, endings: Counter[str]) -> None:
    """One visit. Raises LostError with what was done."""
    chance = random.Random(number)
    most = chance.choice([0, 200, MOST_MS])
    page.add_init_script(slow(LATE % (number + 1, most), LATE % (number + 7, most)))
    page.goto(f"{address}/?graph={chance.choice(GRAPHS)}&mode=edit")
    done: list[Any] = []
    for _ in range(SERIES):
        wait_for_graph(page, timeout=PATIENCE_S)
        page.wait_for_function(f"() => {MADE} !== null")
        changes = drawn(chance)
        done.append(changes)
        made = page.evaluate(CHANGE, changes)
        wait, ending = chance.choice([0, 0, 100, 400, 1000]), chance.choice([*ENDINGS, "reload"])
        done.append([wait, ending])
        endings[ending] += 1
        page.wait_for_timeout(wait)
        ENDINGS[ending](page)
        _there(page, made, f"visit {number}: {json.dumps(done)}")
    page.reload()
    _there(page, made, f"visit {number}, reloaded: {json.dumps(done)}")


def _there(page: Any, made: str, done: str) -> None:
    last, right = None, 0
    for _ in range(int(PATIENCE_S)):
        seen = _seen(page)
        right = right + 1 if seen and seen["made"] == made and _says(seen) else 0
        if right == 3:  # and it stays
            return
        last = seen or last
        page.wait_for_timeout(1000)
    raise LostError(f"{done}\nmade:  {made}\nthere: {last or 'the page does not rest'}, at {page.url}")


def _seen(page: Any) -> dict[str, Any] | None:
    from playwright.sync_api import Error

    try:
        seen: dict[str, Any] | None = page.evaluate(RESTS)
    except Error as error:  # it is reloaded
        if "context was destroyed" not in error.message:
            raise
        return None
    return seen


def _says(seen: dict[str, Any]) -> bool:
    vertices, edges = seen["size"]
    return f"{count(vertices, 'vertex')}, {count(edges, 'edge')}" in seen["about"]


def main(arguments: list[str]) -> list[str]:
    """Make the visits that are asked for; what came of them."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak.edits", description=__doc__)
    parser.add_argument("visits", type=int, nargs="?", default=VISITS)
    parser.add_argument("--first", type=int, default=0, help="number of the first visit")
    given = parser.parse_args(arguments)
    endings: Counter[str] = Counter()
    home = Path(tempfile.mkdtemp(prefix="mivspool-soak-"))
    with running({"MIVSPOOL_HOME": str(home)}, log=home / "app.log") as address, chromium() as browser:
        for number in range(given.first, given.first + given.visits):
            page = browser.new_page()
            errors: list[str] = []
            page.on("pageerror", lambda error, errors=errors: errors.append(str(error)))
            visit(page, address, number, endings)
            assert not errors, f"visit {number}: {errors}"
            page.close()
            print(f"visit {number}: all there", flush=True)
    told = ", ".join(f"{times} × {name}" for name, times in endings.items())
    return [
        f"{count(given.visits, 'visit')} with {SERIES} series of changes each ({told}): all of it was there"
    ]


if __name__ == "__main__":
    import sys

    print("\n".join(main(sys.argv[1:])))
