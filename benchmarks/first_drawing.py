"""How long after Start the first drawing of a training on MAO is on the screen, in Chromium (software rendering).

Each trial opens Train in a browser context of its own and waits until a process is ready for the job. Measured is from
the press on Start until the record is drawn, always in wall time.
"""

from __future__ import annotations

import statistics
from typing import Any

from app.server.start import running
from benchmarks.harness import document, row
from tests.app.browser import browser_path, chromium

TRIALS = 4
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


def run(cpu_time: bool = False, trials: int = TRIALS) -> dict[str, Any]:
    """One row."""
    if browser_path() is None:
        return document("first_drawing", [], False, ["there is no Chromium here"])
    seconds = []
    with running() as address, chromium() as browser:
        for _ in range(trials):
            page = browser.new_page(viewport={"width": 1440, "height": 900})
            page.goto(f"{address}/train?dataset=MAO")
            page.get_by_role("button", name="Start", exact=True).wait_for()
            page.wait_for_timeout(READY_MS)
            seconds.append(page.evaluate(WATCH) / 1000)
            page.wait_for_timeout(READY_MS)  # until that training has ended
            page.close()
    note = ", ".join(f"{value:.2f}" for value in seconds) + " s"
    what = "the first drawing of a training on MAO on the screen after Start"
    made = document("first_drawing", [row(what, 1000 * statistics.median(seconds), note)], False)
    return {**made, "others": None}
