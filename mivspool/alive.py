"""``python -m mivspool.alive [PORT]``: whether an app or a backend answers on this machine; the image's health check.

Exit status 0 if one does, else 1. Without a port it tries the default ports of ``mivspool app`` and ``mivspool serve``.
"""

from __future__ import annotations

import http.client
import sys
from collections.abc import Sequence

PROBES = {8501: "/_stcore/health", 8630: "/healthz"}  # the default ports, and what answers there
_SECONDS = 2.0


def is_alive(port: int | None = None) -> bool:
    """Whether the app or the backend answers at ``port``, or at its default one."""
    asked = PROBES.items() if port is None else [(port, path) for path in PROBES.values()]
    return any(_answers(*one) for one in asked)


def _answers(port: int, path: str) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=_SECONDS)
    try:
        connection.request("GET", path)
        return connection.getresponse().status == http.client.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def main(arguments: Sequence[str]) -> int:
    """The exit status."""
    return 0 if is_alive(int(arguments[0]) if arguments else None) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
