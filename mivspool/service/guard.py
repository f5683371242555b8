"""Who may ask, and how often: token, visitor, origin and rate, before anything else is looked at."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
import time
from collections import OrderedDict
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mivspool.errors import BackendError
from mivspool.hosts import Hosts, is_address, is_forwarded, is_loopback
from mivspool.service.problems import problem
from mivspool.settings import Settings

VISITOR_HEADER = "X-MIVSPool-Visitor"
VISITOR_COOKIE = "mivspool_visitor"
EVERYONE = ""  # the owner of everything where visitors are not told apart
ALIVE = "/healthz"  # for a container's probe: says nothing but that the process answers

_VISITOR = re.compile(r"[A-Za-z0-9_-]{16,128}")
_SAFE = {"GET", "HEAD", "OPTIONS"}
_ROOM_FOR_FORM = 64 * 1024  # what surrounds a file in a multipart body


def check_address(host: str, token: str | None) -> None:
    """Refuse to listen beyond this machine without a token."""
    if not is_loopback(host) and not token:
        raise BackendError(
            f"to listen on {host} a token is needed, or anyone there could use this backend: "
            "set MIVSPOOL_TOKEN or give --token"
        )


def owner_of(visitor: str) -> str:
    """What is stored of a visitor: a digest, so that the database does not hold what gives access."""
    return hashlib.sha256(visitor.encode()).hexdigest()[:32]


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # no address at all
        return ""


class Rate:
    """Token buckets: ``per_minute`` requests at once, refilled evenly; the least recent of ``size`` is forgotten."""

    def __init__(self, per_minute: int, size: int = 10_000) -> None:
        self.per_minute, self.size = per_minute, size
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str, now: float | None = None) -> float:
        """Take one request from ``key``'s bucket; the seconds to wait first, 0 when it is allowed."""
        if not self.per_minute:
            return 0.0
        now = time.monotonic() if now is None else now
        left, then = self._buckets.pop(key, (float(self.per_minute), now))
        left = min(float(self.per_minute), left + (now - then) * self.per_minute / 60)
        allowed = left >= 1
        self._buckets[key] = (left - 1 if allowed else left, now)
        while len(self._buckets) > self.size:
            self._buckets.popitem(last=False)
        return 0.0 if allowed else (1 - left) * 60 / self.per_minute


class Guard:
    """ASGI middleware. Puts the visitor's owner name into ``scope["state"]["owner"]``."""

    def __init__(self, app: ASGIApp, settings: Settings, public: bool) -> None:
        self.app = app
        self.token = settings.token.encode() if settings.token else None
        self.separate = public if settings.separate_visitors is None else settings.separate_visitors
        self.rate = Rate(settings.rate_per_minute)
        self.hosts = Hosts(settings.allowed_hosts, reached=public)
        self.most = settings.limits.bytes + _ROOM_FOR_FORM

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a refusal, or pass the request on."""
        if scope["type"] != "http" or scope["path"] == ALIVE:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._token(headers) or self._origin(scope, headers) or self._size(headers)
        if refusal is None:
            visitor, fresh = self._visitor(headers)
            address = (scope.get("client") or ("",))[0]
            # a new visitor has no bucket yet: until it names itself, its address stands for it
            key = address if fresh or not self.separate else visitor
            seconds = self.rate.wait(key)
            if seconds:
                refusal = problem(
                    "access",
                    f"too many requests: try again in {seconds:.0f} s",
                    status=429,
                    headers={"Retry-After": str(int(seconds) + 1)},
                )
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        scope.setdefault("state", {})["owner"] = owner_of(visitor) if self.separate else EVERYONE

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer["X-Content-Type-Options"] = "nosniff"
                answer.setdefault("Cache-Control", "no-store")
                if self.separate and fresh:
                    answer.append(
                        "Set-Cookie",
                        f"{VISITOR_COOKIE}={visitor}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax",
                    )
            await send(message)

        await self.app(scope, self._counted(receive), send_guarded)

    def _counted(self, receive: Receive) -> Receive:
        """The same body, ended by an error where it is too large, whatever its header said."""
        size = 0

        async def counted() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            if size > self.most:
                raise HTTPException(413)
            return message

        return counted

    def _size(self, headers: Headers) -> ASGIApp | None:
        length = headers.get("content-length", "0")
        if length.isdigit() and int(length) <= self.most:
            return None
        return problem("limit", f"at most {self.most:,} bytes are taken in one request", status=413)

    def _token(self, headers: Headers) -> ASGIApp | None:
        if self.token is None:
            return None
        scheme, _, given = headers.get("authorization", "").partition(" ")
        if scheme.lower() == "bearer" and hmac.compare_digest(given.strip().encode("latin-1"), self.token):
            return None
        detail = "this backend needs its token: send it as 'Authorization: Bearer …'"
        return problem("access", detail, status=401, headers={"WWW-Authenticate": "Bearer"})

    def _origin(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """Refuse names that are not its own; without a token also all but this machine and its pages."""
        host = headers.get("host", "")
        # inside a process the server has no address, and its name is made up
        at = str((scope.get("server") or ("",))[0])
        within = not is_address(at)
        if (self.token is None or self.hosts.allowed) and not within and not self.hosts.answer_to(host):
            detail = f"this backend does not answer to the name {host!r}: set MIVSPOOL_ALLOWED_HOSTS if that is its own"
            return problem("access", detail, status=403)
        if self.token is not None:
            return None
        if not within and (not is_loopback(at) or is_forwarded(headers)):
            detail = "from there, or through a proxy, the backend needs a token (MIVSPOOL_TOKEN)"
            return problem("access", detail, status=403)
        origin = headers.get("origin")
        if scope["method"] not in _SAFE and origin and not is_loopback(_host(origin)):
            return problem("access", "pages of other sites may not use this backend", status=403)
        return None

    def _visitor(self, headers: Headers) -> tuple[str, bool]:
        """The visitor's id, and whether it was made just now (none was given, or not a usable one)."""
        given = headers.get(VISITOR_HEADER) or cookie_parser(headers.get("cookie", "")).get(
            VISITOR_COOKIE, ""
        )
        if _VISITOR.fullmatch(given):
            return given, False
        return secrets.token_urlsafe(24), True
