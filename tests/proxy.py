"""nginx with deploy/nginx.conf, as it is but for ports and folders."""

from __future__ import annotations

import os
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from app.server.start import free_port
from tests.test_certificates import certificate
from tests.test_house import ROOT

NGINX = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
NAME, TOKEN = "class.example", "a-token-of-the-tests"
PAGE = "/mivspool/"


@dataclass
class Place:
    """Where the proxy is reached."""

    http: int
    https: int
    backends: int
    trusted: ssl.SSLContext
    log: Path  # of requests

    @contextmanager
    def visitor(self, token: str | None = TOKEN) -> Iterator[httpx.Client]:
        """Somebody's browser, which has entered the token if the app asks for one."""
        with httpx.Client(
            base_url=f"https://127.0.0.1:{self.https}",
            verify=self.trusted,
            headers={"Host": NAME},
            timeout=60,
        ) as client:
            if token:
                entered = client.post(f"{PAGE}train?job=7", data={"token": token})
                assert entered.status_code == 303, entered.text
            yield client


@contextmanager
def nginx(folder: Path, servers: Mapping[str, str], backends: int | None = None) -> Iterator[Place]:
    """The proxy, as long as the block runs.

    ``servers``: the address of each server that the file names, as in ``{"app-1:8501": "127.0.0.1:4711"}``.
    ``backends``: the port at which it passes on to the backends, else a free one.
    """
    authority = certificate(folder, "An authority of our own")
    own = certificate(folder, "127.0.0.1", authority)
    trusted = ssl.create_default_context(cafile=str(authority))
    found = Place(free_port(), free_port(), backends or free_port(), trusted, folder / "access.log")
    text = (ROOT / "deploy" / "nginx.conf").read_text("utf-8")
    changes = {
        " /tmp/": f" {folder}/",
        "listen 80;": f"listen 127.0.0.1:{found.http};",
        "listen 443 ssl;": f"listen 127.0.0.1:{found.https} ssl;",
        "listen 8630;": f"listen 127.0.0.1:{found.backends};",
        "/etc/nginx/tls/fullchain.pem": str(own),
        "/etc/nginx/tls/privkey.pem": str(own),
        "/dev/stdout": str(found.log),
        **servers,
    }
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    path = folder / "nginx.conf"
    path.write_text(text)
    first = ["-g", "daemon off;" + (" user root;" if os.getuid() == 0 else "")]
    with ExitStack() as stack:
        log = stack.enter_context((folder / "error.log").open("w"))
        server = subprocess.Popen([str(NGINX), "-p", str(folder), "-c", str(path), *first], stderr=log)
        stack.callback(server.wait)
        stack.callback(server.terminate)
        while True:
            assert server.poll() is None, (folder / "error.log").read_text()
            try:
                socket.create_connection(("127.0.0.1", found.https)).close()
                break
            except ConnectionRefusedError:
                time.sleep(0.05)
        yield found
