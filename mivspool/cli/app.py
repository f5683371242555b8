"""``mivspool app``: the browser app, on this machine alone unless an address is given."""

from __future__ import annotations

import argparse

PORT = 8501
HOST = "127.0.0.1"
_START_SECONDS = 60.0


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``app`` takes."""
    parser.add_argument("--port", type=int, default=PORT, help=f"port (default: {PORT})")
    parser.add_argument(
        "--host",
        default=HOST,
        help=f"address to listen on (default: {HOST}; 0.0.0.0: every machine that reaches this one)",
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def run(args: argparse.Namespace) -> int:
    """Start Streamlit with the app, and end it with this command."""
    import signal
    import subprocess
    import sys

    from mivspool.cli.serve import listen
    from mivspool.errors import MIVSPoolError
    from mivspool.places import place
    from mivspool.settings import STREAMLIT

    script = place("app") / "main.py"
    if not script.is_file():
        raise MIVSPoolError("this copy of MIVSPool came without its app: install it anew")
    listen(args.host, args.port).close()  # a port that is taken is said now, in a sentence
    options = {"server.address": args.host, "server.port": args.port, **STREAMLIT}
    flags = [f"--{name}={value}" for name, value in options.items()]
    here = HOST if args.host == "0.0.0.0" else args.host  # noqa: S104 - compared, not bound
    address = f"http://{here}:{args.port}"
    print(f"MIVSPool at {address} (Ctrl-C ends it)", flush=True)
    command = [sys.executable, "-m", "streamlit", "run", str(script), *flags]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:  # noqa: S603 - our own interpreter
        signal.signal(signal.SIGTERM, lambda *_: process.terminate())  # as a container is ended
        try:
            if not args.no_browser:
                _open(process, address)
            return process.wait()
        except KeyboardInterrupt:
            process.terminate()
            process.wait()
            return 0


def _open(process: object, address: str) -> None:
    """Open a browser once the app answers, where there is a screen to show it on."""
    import os
    import subprocess
    import sys
    import time
    import urllib.error
    import urllib.request
    import webbrowser

    assert isinstance(process, subprocess.Popen)
    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    deadline = time.monotonic() + _START_SECONDS
    while process.poll() is None and time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(f"{address}/_stcore/health", timeout=2):  # noqa: S310 - our own address
                webbrowser.open(address)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
