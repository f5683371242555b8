"""``mivspool app``: the browser app, on this machine alone unless an address is given."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mivspool.errors import MIVSPoolError

if TYPE_CHECKING:
    from mivspool.settings import Settings

PORT = 8501
HOST = "127.0.0.1"
EPILOG = """Where others reach the app, its visitors are kept apart: none sees another's uploads, jobs and models
(MIVSPOOL_SEPARATE_VISITORS=false lets them). MIVSPOOL_ALLOWED_HOSTS holds the names under which it is reached."""
_START_SECONDS = 180.0
_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 - compared, not bound


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``app`` takes."""
    parser.add_argument("--port", type=int, default=PORT, help=f"port (default: {PORT}; 0: any free port)")
    parser.add_argument(
        "--host",
        default=HOST,
        help=f"address to listen on (default: {HOST}; 0.0.0.0: every machine that can reach this one)",
    )
    parser.add_argument(
        "--public", action="store_true", help="serve everyone who can reach the app (MIVSPOOL_PUBLIC=1)"
    )
    parser.add_argument(
        "--token", help="token that each person enters once; preferably set MIVSPOOL_APP_TOKEN"
    )
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")


def run(args: argparse.Namespace) -> int:
    """Run Streamlit with the app in this process, so that nothing is left when it ends, however it ends."""
    import contextlib
    import importlib
    import signal
    import sys
    import threading

    from mivspool.cli.serve import listen
    from mivspool.extras import need
    from mivspool.hosts import Hosts, check_token, is_loopback
    from mivspool.places import place
    from mivspool.settings import check_home, keep_visitors_apart, settings

    need("`mivspool app`", "streamlit", "plotly", "pandas")
    folder = place("app")
    if not (folder / "main.py").is_file():
        raise MIVSPoolError("this copy of MIVSPool has no app: reinstall the package")
    use = settings()
    if use.log_format == "json":  # Streamlit's own lines stay as they are
        from mivspool.service.logs import configure

        configure(use.log_format)
    beyond = not is_loopback(args.host)
    public = args.public or use.public
    token = _token(args.token, use, beyond and not public)
    if beyond and not (public or token):
        raise MIVSPoolError(
            f"others reach the app at {args.host}: say who may use it, with --public (or MIVSPOOL_PUBLIC=1) everyone, "
            "or with --token (or MIVSPOOL_APP_TOKEN) whoever enters that token"
        )
    if token:
        check_token(token, "MIVSPOOL_APP_TOKEN")
    if not use.backend_url:
        check_home(use.home)
    if use.admin_token:
        from mivspool.service.guard import check_admin_token

        check_admin_token(use)
    reached = bool(beyond or public or token)
    if reached:
        keep_visitors_apart()  # also in the backend inside the app
    with listen(args.host, args.port) as listening:  # a port that is taken is said now, in a sentence
        port = listening.getsockname()[1]
    here = _EVERYWHERE.get(args.host, args.host)
    address = f"http://[{here}]:{port}" if ":" in here else f"http://{here}:{port}"
    print(f"MIVSPool at {address} (Ctrl-C ends it)", flush=True)
    if reached:
        print(_who(token is not None, settings().separate_visitors), flush=True)
    if not args.no_browser:
        threading.Thread(target=_open, args=(address,), daemon=True).start()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))  # as a container is ended
    sys.path.insert(0, str(folder.parent))
    server = importlib.import_module("app.server.run")  # not part of this package: it lies where the data lie
    with contextlib.suppress(KeyboardInterrupt):
        # of a token's cookie, and on this machine alone, a page of another site could make a person press what it likes
        frames = use.embed if use.embed is not None else "*" if public and not token else ""
        server.serve(args.host, port, Hosts(use.allowed_hosts, reached=beyond), token, reached, frames)
    return 0


def _token(given: str | None, use: Settings, needed: bool) -> str | None:
    """The app's token. The backend's serves where one is needed, unless that backend is elsewhere."""
    backends = use.token if needed and not use.backend_url else None
    return given or use.app_token or backends


def _who(by_token: bool, separate: bool | None) -> str:
    who = "Whoever has the token" if by_token else "Everyone who reaches it"
    if separate:
        return f"{who} may use it; visitors are kept apart."
    return f"{who} may use it; visitors see each other's uploads, jobs and models (MIVSPOOL_SEPARATE_VISITORS=false)."


def _open(address: str) -> None:
    """Open a browser once the app answers, where there is a screen to show it on."""
    import os
    import sys
    import time
    import urllib.error
    import urllib.request
    import webbrowser

    from mivspool.settings import STREAMLIT_HEALTH

    if sys.platform == "linux" and not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return
    deadline = time.monotonic() + _START_SECONDS
    while time.monotonic() < deadline:
        try:
            with urllib.request.urlopen(address + STREAMLIT_HEALTH, timeout=2):  # noqa: S310 - our own address
                webbrowser.open(address)
                return
        except (urllib.error.URLError, OSError):
            time.sleep(0.2)
