"""How long the first page of an app that has just started takes, until its graph is drawn (Chromium, no GPU).

    python -m benchmarks.first_page [SECONDS ...] [-- COMMAND ...]

Each page is the first of a process of its own, opened so many seconds after the app says that it is alive (0 and 15 by
default), in a browser that has opened nothing before. COMMAND starts the app at a port, which stands in it as PORT; by
default that is ``mivspool app`` of this checkout. Prints one JSON document: seconds, and beside them the processor time
of the app and what it has started.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any

import psutil

from app.server.start import ROOT, free_port, wait
from benchmarks.app_canvas import opened
from mivspool.settings import STREAMLIT_HEALTH
from tests.app.browser import chromium

COMMAND = [sys.executable, "-m", "mivspool", "app", "--no-browser", "--port", "PORT"]


def processor_time(process: psutil.Process) -> float:
    """Seconds of a process and of all that it has started and that still runs."""
    return sum(sum(one.cpu_times()[:2]) for one in (process, *process.children(recursive=True)))


def first(browser: Any, command: list[str], rest: float) -> dict[str, float]:
    """Start the app, open its first page ``rest`` seconds after it is alive, and end it."""
    port = free_port()
    begun = time.perf_counter()
    server = subprocess.Popen(
        [part.replace("PORT", str(port)) for part in command], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    app = psutil.Process(server.pid)
    try:
        wait(server, f"http://127.0.0.1:{port}{STREAMLIT_HEALTH}")
        alive, start_cpu = time.perf_counter() - begun, processor_time(app)
        time.sleep(rest)
        before = processor_time(app)
        page, seconds = opened(browser, f"http://127.0.0.1:{port}")
        spent = processor_time(app) - before
        page.close()
    finally:
        for one in (*app.children(recursive=True), app):  # whatever starts the app, it is the app that ends
            one.terminate()
        server.wait()
    found = {
        "opened_after_s": rest,
        "alive_s": alive,
        "alive_cpu_s": start_cpu,
        "page_s": seconds,
        "page_cpu_s": spent,
    }
    return {name: round(value, 2) for name, value in found.items()}


def main(arguments: list[str]) -> None:
    """Measure and print."""
    at = arguments.index("--") if "--" in arguments else len(arguments)
    rests, command = [float(one) for one in arguments[:at]] or [0.0, 15.0], arguments[at + 1 :] or COMMAND
    rows = []
    for rest in rests:
        with chromium() as browser:
            rows.append(first(browser, command, rest))
    machine = {"cpus": os.cpu_count(), "load": round(os.getloadavg()[0], 1)}
    print(json.dumps({"name": "first_page", "machine": machine, "rows": rows}, indent=2))


if __name__ == "__main__":
    main(sys.argv[1:])
