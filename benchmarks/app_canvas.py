"""How fast the canvas is in Chromium: the first page, opening a graph, repainting a step (software rendering, medians).

The first page (no graph asked for) and a graph are opened in a fresh, empty browser context, of a server that has
already shown one, until the graph is drawn. A repaint is measured from the key press to the end of the frame that
shows it. Always wall time.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from typing import Any

from app.server.start import running
from benchmarks.harness import Rows, document, row
from tests.app.browser import browser_path, chromium, wait_for_graph

SOURCES = ("MAO:3", "karate", "grid-20", "DD:20", "random:10000:15000:7")
FIRST, OPENINGS, ROUNDS = 10, 5, 12

REPAINT = """async (rounds) => {
  const roots = [...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean);
  const store = roots.map((root) => root.querySelector('[data-layout="full"]')).find(Boolean).store;
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const channel = new MessageChannel();
    channel.port1.onmessage = done;
    channel.port2.postMessage(0);
  }));
  const how = { bubbles: true, composed: true, cancelable: true };
  const press = (key) => document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ...how }));
  const rest = (ms) => new Promise((done) => setTimeout(done, ms));
  const times = [];
  for (let round = 0; round < rounds; round++) {
    press('Home');
    await rest(250);
    for (let k = 1; k <= store.state.trace.T; k++) {
      const start = performance.now();
      press('ArrowRight');
      await painted();
      times.push(performance.now() - start);
      if (store.state.step !== k) throw new Error('the key did not step');
      await rest(60);
    }
    for (let k = store.state.trace.T - 1; k >= 0; k--) {
      const start = performance.now();
      press('ArrowLeft');
      await painted();
      times.push(performance.now() - start);
      await rest(60);
    }
  }
  return { times, n: store.state.trace.n, m: store.state.trace.edges.length / 2, T: store.state.trace.T };
}"""


def run(
    cpu_time: bool = False,
    sources: Sequence[str] = SOURCES,
    first: int = FIRST,
    openings: int = OPENINGS,
    rounds: int = ROUNDS,
) -> dict[str, Any]:
    """A row for the first page, and two for each source."""
    if browser_path() is None:
        return document("app_canvas", [], False, ["there is no Chromium here"])
    with running() as address, chromium() as browser:
        opened(browser, address)[0].close()
        seconds = []
        for _ in range(first):
            page, taken = opened(browser, address)
            page.close()
            seconds.append(taken)
        rows = [summary("the first page until its graph is drawn", seconds)]
        for source in sources:
            rows += of_source(browser, address, source, openings, rounds)
    return {**document("app_canvas", rows, False), "others": None}


def of_source(browser: Any, address: str, source: str, openings: int, rounds: int) -> Rows:
    """Opening a graph, and repainting a step of it."""
    seconds = []
    for seed in range(openings):
        page, taken = opened(browser, f"{address}/?graph={source}&score=uniform&seed={seed}")
        seconds.append(taken)
        if seed < openings - 1:
            page.close()
    page.wait_for_timeout(1500)
    found = page.evaluate(REPAINT, rounds)
    page.close()
    times = sorted(found["times"])
    of = f"{source} ({found['n']:,} vertices, {found['m']:,} edges)"
    slow = f"95 % under {times[int(0.95 * (len(times) - 1))]:.0f} ms; {len(times)} repaints"
    return [
        summary(f"opening {of} until it is drawn", seconds),
        row(f"repainting a step of {of}", statistics.median(times), slow),
    ]


def opened(browser: Any, address: str) -> tuple[Any, float]:
    """A page in a context of its own (nothing cached) that shows its graph, and how long it took in seconds."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    start = time.perf_counter()
    page.goto(address)
    wait_for_graph(page, timeout=60)
    return page, time.perf_counter() - start


def summary(what: str, seconds: list[float]) -> dict[str, Any]:
    """The median of some openings, and the slowest."""
    note = f"the slowest of {len(seconds)}: {max(seconds):.2f} s"
    return row(what, 1000 * statistics.median(seconds), note)
