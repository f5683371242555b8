"""How fast the canvas is in Chromium: the first page, opening a graph, repainting a step (software rendering, medians).

    python -m benchmarks.app_canvas [SOURCE ...]

The first page (no graph asked for) and a graph are opened in a fresh, empty browser context, of a server that has
already shown one, until the graph is drawn. A repaint is measured from the key press to the end of the frame that
shows it. Prints one JSON document.
"""

from __future__ import annotations

import json
import os
import platform
import statistics
import sys
import time
from typing import Any

from app.server.start import running
from tests.app.browser import chromium, wait_for_graph

SOURCES = ("MAO:3", "karate", "grid-20", "DD:20")
ROUNDS = 12

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


def opened(browser: Any, address: str) -> tuple[Any, float]:
    """A page in a context of its own (nothing cached) that shows its graph, and how long it took in seconds."""
    page = browser.new_page(viewport={"width": 1440, "height": 1000})
    start = time.perf_counter()
    page.goto(address)
    wait_for_graph(page, timeout=60)
    return page, time.perf_counter() - start


def summary(seconds: list[float]) -> dict[str, Any]:
    """Median, slowest and all of some openings, in seconds."""
    rounded = [round(value, 2) for value in seconds]
    return {
        "open_median_s": round(statistics.median(seconds), 2),
        "open_slowest_s": max(rounded),
        "open_s": rounded,
    }


def main(sources: list[str]) -> None:
    """Measure every source and print the rows."""
    rows = []
    with running() as address, chromium() as browser:
        opened(browser, address)[0].close()
        first = []
        for _ in range(10):
            page, seconds = opened(browser, address)
            page.close()
            first.append(seconds)
        rows.append({"what": "first page", **summary(first)})
        for source in sources:
            opening = []
            for seed in range(5):
                page, seconds = opened(browser, f"{address}/?graph={source}&score=uniform&seed={seed}")
                opening.append(seconds)
                if seed < 4:
                    page.close()
            page.wait_for_timeout(1500)
            measured = page.evaluate(REPAINT, ROUNDS)
            page.close()
            times = sorted(measured["times"])
            rows.append(
                {
                    "what": source,
                    "vertices": measured["n"],
                    "edges": measured["m"],
                    **summary(opening),
                    "repaint_median_ms": round(statistics.median(times), 1),
                    "repaint_p95_ms": round(times[int(0.95 * (len(times) - 1))], 1),
                    "repaints": len(times),
                }
            )
            print(f"{source}: {rows[-1]}", file=sys.stderr)
    machine = {
        "cpus": os.cpu_count(),
        "load": round(os.getloadavg()[0], 1),
        "platform": platform.platform(),
        "python": platform.python_version(),
    }
    print(json.dumps({"name": "app_canvas", "machine": machine, "rows": rows}, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:] or list(SOURCES))
