"""``mivspool serve``: the backend over HTTP, on this machine alone unless a token is given."""

from __future__ import annotations

import argparse
import socket
from types import FrameType

from mivspool.errors import BackendError

PORT = 8630
EPILOG = """MIVSPOOL_BACKEND_URL=http://HOST:PORT makes the app and `mivspool classify` use it, with the token in
MIVSPOOL_TOKEN."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``serve`` takes."""
    parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, default=PORT, help=f"port (default: {PORT}; 0: any free port)")
    parser.add_argument("--token", help="token that every request must carry; preferably set MIVSPOOL_TOKEN")
    parser.add_argument("--executor", choices=["local", "ray"], help="where jobs run (default: local)")


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from mivspool.connections import bounded
    from mivspool.hosts import is_loopback
    from mivspool.service.guard import check_address
    from mivspool.service.logs import configure
    from mivspool.settings import check_home, settings

    changes = {"token": args.token, "executor": args.executor}
    use = settings().model_copy(update={name: value for name, value in changes.items() if value})
    check_address(args.host, use.token)
    check_home(use.home)
    connections = bounded(use.limits)
    if use.executor == "local" and use.device not in {"auto", "cpu"}:
        from mivspool.learning.training import pick_device

        pick_device(use.device)
    listening = listen(args.host, args.port)

    import uvicorn

    from mivspool.service.app import create_app

    configure(use.log_format)
    app = create_app(use, public=not is_loopback(args.host))
    app.state.backend.open()  # what is wrong with the database or the cluster is said now, in a sentence
    host, port = listening.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    print(f"MIVSPool backend at http://{shown}:{port} (Ctrl-C ends it)", flush=True)
    config = uvicorn.Config(
        app,
        http=connections,
        log_config=None,
        log_level="warning",
        server_header=False,
        timeout_graceful_shutdown=3,
    )

    class Server(uvicorn.Server):
        """One that tells the backend that it is about to end: streams of events have no end of their own."""

        def handle_exit(self, sig: int, frame: FrameType | None) -> None:
            app.state.backend.ending.set()
            super().handle_exit(sig, frame)

    Server(config).run(sockets=[listening])
    return 0


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there. Raises BackendError when it cannot."""
    if not 0 <= port <= 65535:
        raise BackendError(f"there is no port {port}: choose one from 1 to 65535")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BackendError(
            f"port {port} of {host} cannot be listened on ({reason}): choose another --port"
        ) from error
