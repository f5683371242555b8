"""Under which names a server is asked, and by whom: what app and backend check of Host, Origin, proxies, tokens.

A page of another site can have its name point to this machine (DNS rebinding): the browser then asks this server and
takes it for that site. Only the name in the ``Host`` header gives that away.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from mivspool.errors import BackendError

_HOST = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:[0-9]*)?")
_TOKEN_LENGTH = 16
_FORWARDING = {
    "forwarded",
    "via",
    "x-real-ip",
    "x-client-ip",
    "x-original-host",
    "cf-connecting-ip",
    "true-client-ip",
}


def is_loopback(host: str) -> bool:
    """Whether an address or name means this machine alone."""
    name = host.strip("[]").lower()
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False


def is_address(host: str) -> bool:
    """Whether it is an IP address, not a name."""
    try:
        ipaddress.ip_address(host.strip("[]"))
    except ValueError:
        return False
    return True


def is_forwarded(headers: Iterable[str]) -> bool:
    """Whether one of these names of headers is one that a proxy adds to what it passes on."""
    return any(name.lower() in _FORWARDING or name.lower().startswith("x-forwarded-") for name in headers)


def came_by_tls(scheme: str, headers: Mapping[str, str]) -> bool:
    """Whether the browser's connection is encrypted, to this server (its ``scheme``) or to a proxy in front of it."""
    return (
        scheme == "https"
        or headers.get("x-forwarded-proto", "").strip().lower() == "https"
        or headers.get("origin", "").startswith("https:")
    )


def check_token(token: str, setting: str = "MIVSPOOL_TOKEN") -> None:
    """Refuse a token, the value of ``setting``, that can be guessed or that no header carries. Raises BackendError."""
    if len(token) < _TOKEN_LENGTH or len(set(token)) < _TOKEN_LENGTH // 2:
        reason = f"can be guessed: use at least {_TOKEN_LENGTH} characters drawn at random"
    elif not (token.isascii() and token.isprintable() and " " not in token):
        reason = "has characters that no header carries: use letters, digits, '-' and '_'"
    else:
        return
    raise BackendError(
        f'the token ({setting}) {reason}; `python -c "import secrets; print(secrets.token_urlsafe(32))"` makes one'
    )


def host_of(header: str) -> str:
    """The name or address in a ``Host`` header, without its port and in lower case; empty if there is none."""
    found = _HOST.fullmatch(header)
    return found.group(1).strip("[]").lower() if found else ""


class Hosts:
    """The names under which a server answers.

    Always those of the loopback interface, and ``allowed`` (names with commas between, as in
    ``MIVSPOOL_ALLOWED_HOSTS``). ``reached``: other machines reach it too, so that it also answers to the machine's own
    name and to addresses, which no site can have point elsewhere.
    """

    def __init__(self, allowed: str = "", *, reached: bool = False) -> None:
        self.allowed = {name.strip().lower() for name in allowed.split(",")} - {""}
        self._reached = reached

    def answer_to(self, header: str) -> bool:
        """Whether a request with this ``Host`` header is answered."""
        host = host_of(header)
        if is_loopback(host) or host in self.allowed:
            return True
        return self._reached and (is_address(host) or host == socket.gethostname().lower())

    def take_from(self, origin: str, header: str) -> bool:
        """Whether pages of this ``Origin`` may ask under this ``Host``: the server's own, or those of allowed names."""
        try:
            at = urlsplit(origin)
        except ValueError:
            return False
        if at.scheme not in {"http", "https"}:
            return False
        return at.netloc.lower() == header.lower() or host_of(at.netloc) in self.allowed
