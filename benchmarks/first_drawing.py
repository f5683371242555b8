"""How long after Start the first drawing of a training on MAO is on the screen, in Chromium (software rendering).

    python -m benchmarks.first_drawing [TRIALS]

Each trial opens Train in a browser context of its own and waits until a process is ready for the job. Measured is from
the press on Start until the record is drawn. Prints one JSON document.
"""

from __future__ import annotations

import json
import os
import sys

from app.server.start import running
from tests.app.browser import chromium

READY_MS = 30_000  # a process that loads what a training needs

WATCH = """() => new Promise((done) => {
  const start = [...document.querySelectorAll("button")].find((button) => button.innerText.endsWith("Start"));
  const from = performance.now();
  const look = () => {
    const roots = [...document.querySelectorAll("*")].map((e) => e.shadowRoot).filter(Boolean);
    const record = roots.map((root) => root.querySelector(".record")).find(Boolean)?.record;
    if (record && location.search.includes(record.job)) done(performance.now() - from);
    else requestAnimationFrame(look);
  };
  start.click();
  look();
})"""


def main(trials: int) -> None:
    """Measure and print."""
    seconds, load = [], []
    with running() as address, chromium() as browser:
        for _ in range(trials):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{address}/train?dataset=MAO")
            page.get_by_role("button", name="Start", exact=True).wait_for()
            page.wait_for_timeout(READY_MS)
            load.append(round(os.getloadavg()[0], 1))
            seconds.append(round(page.evaluate(WATCH) / 1000, 2))
            page.wait_for_timeout(READY_MS)  # until that training has ended
            page.close()
    machine = {"cpus": os.cpu_count(), "load": load}
    print(json.dumps({"name": "first_drawing", "machine": machine, "seconds": seconds}, indent=2))


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 3)
