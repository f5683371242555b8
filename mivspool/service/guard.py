"""Who may ask, and how often: token, visitor, origin and rate, before anything else is looked at."""

from __future__ import annotations

import asyncio
import base64
import binascii
import hashlib
import hmac
import logging
import re
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import cookie_parser
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mivspool.errors import BackendError
from mivspool.hosts import Hosts, came_by_tls, check_token, is_address, is_forwarded, is_loopback
from mivspool.messages import count
from mivspool.service.problems import problem
from mivspool.settings import Settings

log = logging.getLogger(__name__)

VISITOR_HEADER = "X-MIVSPool-Visitor"
VISITOR_COOKIE = "mivspool_visitor"
EVERYONE = ""  # the owner of everything where visitors are not told apart
# for probes, without a token
ALIVE = "/healthz"  # says nothing but that the process answers
READY = "/readyz"  # says which part cannot work
# what a person opens in a browser, which asks for a name and a password: any name, and the token
PEOPLE, DOCUMENT = "/", "/v1/openapi.json"
ADMIN = "/v1/admin"  # with the administrator's token

_BASIC = 'Basic realm="MIVSPool: any name, and the token as password", charset="UTF-8"'
_VISITOR = re.compile(r"[A-Za-z0-9_-]{16,128}")
_SAFE = {"GET", "HEAD", "OPTIONS"}
_FORM_OVERHEAD = 64 * 1024  # what surrounds a file in a multipart body
_WRONG_PER_MINUTE = 600  # wrong tokens of one address; with more it is told to wait
LOG_SECONDS = 10.0  # between two lines of the log about wrong tokens
_BODIES_AT_ONCE = 8  # as many of the largest bodies are held in memory, in all


def check_address(host: str, token: str | None) -> None:
    """Refuse to listen beyond this machine without a token."""
    if not is_loopback(host) and not token:
        raise BackendError(
            f"to listen on {host} a token is needed, or anyone there could use this backend: "
            "set MIVSPOOL_TOKEN or give --token"
        )


def check_admin_token(settings: Settings) -> None:
    """Refuse an administrator's token that can be guessed or that others have. Raises BackendError."""
    if not settings.admin_token:
        return
    check_token(settings.admin_token, "MIVSPOOL_ADMIN_TOKEN")
    if settings.admin_token in {settings.token, settings.app_token}:
        raise BackendError(
            "MIVSPOOL_ADMIN_TOKEN is a token that others also have: choose a different one for the administrator"
        )


def owner_of(visitor: str) -> str:
    """What is stored of a visitor: a digest, so that the database does not hold what gives access."""
    return hashlib.sha256(visitor.encode()).hexdigest()[:32]


def _too_many(seconds: float) -> ASGIApp:
    wait = int(seconds) + 1
    detail = f"too many requests: try again in {wait} s"
    return problem("unavailable", detail, status=429, headers={"Retry-After": str(wait)})


def _is_form(headers: Headers) -> bool:
    return headers.get("content-type", "").lower().startswith("multipart/form-data")


def _host(address: str) -> str:
    try:
        return urlsplit(address).hostname or ""
    except ValueError:  # no address at all
        return ""


def _given_token(headers: Headers, basic: bool) -> bytes | None:
    """The token that a request carries, right or wrong; ``basic``: also as the password of a browser."""
    scheme, _, given = headers.get("authorization", "").partition(" ")
    content = given.strip().encode("latin-1")
    if not content:
        return None
    if scheme.lower() == "bearer":
        return content
    if basic and scheme.lower() == "basic":
        try:
            return base64.b64decode(content, validate=True).partition(b":")[2]
        except binascii.Error:
            return b""
    return b""  # no token of ours is empty


def _same(given: bytes | None, token: bytes | None) -> bool:
    return given is not None and token is not None and hmac.compare_digest(given, token)


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


class WrongTokens:
    """Wrong tokens leave a trace in the log, at most a line in ``LOG_SECONDS`` however many there are."""

    def __init__(self) -> None:
        self._count, self._last, self._waits = 0, "", False

    def note(self, address: str) -> None:
        """One more, from there. The first is logged at once, those after it together. Within an event loop."""
        self._count, self._last = self._count + 1, address
        if not self._waits:
            self._log()

    def _log(self) -> None:
        self._waits = self._count > 0
        if self._waits:
            log.warning(
                "refused %s with a wrong token, the last from %s", count(self._count, "request"), self._last
            )
            self._count = 0
            asyncio.get_running_loop().call_later(LOG_SECONDS, self._log)


class Guard:
    """ASGI middleware. Puts the visitor's owner name and address into ``scope["state"]``."""

    def __init__(
        self,
        app: ASGIApp,
        settings: Settings,
        public: bool,
        administers: bool = False,
        on_wrong_token: Callable[[], None] = lambda: None,
    ) -> None:
        self.app, self.on_wrong_token = app, on_wrong_token
        self.administers = administers
        self.admin_token = settings.admin_token.encode() if settings.admin_token else None
        self.token = settings.token.encode() if settings.token else None
        self.separate = public if settings.separate_visitors is None else settings.separate_visitors
        self.rate = Rate(settings.rate_per_minute)
        self.hosts = Hosts(settings.allowed_hosts, reached=public)
        self.wrong_rate, self.wrong = Rate(_WRONG_PER_MINUTE), WrongTokens()
        self.limits = settings.limits
        self._held = 0  # bytes of bodies that are no files: those are put on the disk while they arrive
        self._most_held = _BODIES_AT_ONCE * settings.limits.body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a refusal, or pass the request on."""
        if scope["type"] != "http" or scope["path"] in {ALIVE, READY}:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._token(scope, headers) or self._origin(scope, headers) or self._size(headers)
        if refusal is None:
            visitor, fresh = self._visitor(headers)
            address = (scope.get("client") or ("",))[0]
            # a new visitor has no bucket yet: until it names itself, its address stands for it
            key = address if fresh or not self.separate else visitor
            seconds = self.rate.wait(key)
            if seconds:
                refusal = _too_many(seconds)
        if refusal is not None:
            await refusal(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state["owner"] = owner_of(visitor) if self.separate else EVERYONE
        state["address"] = address if is_address(address) else None  # none within one process

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer["X-Content-Type-Options"] = "nosniff"
                answer.setdefault("Cache-Control", "no-store")
                if self.separate and fresh:
                    secure = "; Secure" if came_by_tls(scope["scheme"], headers) else ""
                    answer.append(
                        "Set-Cookie",
                        f"{VISITOR_COOKIE}={visitor}; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax{secure}",
                    )
            await send(message)

        most, size = self._most(headers), 0
        in_memory = not _is_form(headers)

        async def counted() -> Message:
            """The same body, ended by an error where it is too large, whatever its header said."""
            nonlocal size
            message = await receive()
            more = len(message.get("body", b""))
            size += more
            self._held += more * in_memory
            if size > most:
                raise HTTPException(413)
            if in_memory and self._held > self._most_held:
                raise HTTPException(503, "the backend is busy with other requests: try again in a moment")
            return message

        try:
            await self.app(scope, counted, send_guarded)
        finally:
            self._held -= size * in_memory

    def _most(self, headers: Headers) -> int:
        """Bytes that a request may have: a file's, or a body's that is no file."""
        return self.limits.bytes + _FORM_OVERHEAD if _is_form(headers) else self.limits.body_bytes

    def _size(self, headers: Headers) -> ASGIApp | None:
        length, most = headers.get("content-length", "0"), self._most(headers)
        if length.isdigit() and int(length) <= most:
            return None
        advice = "" if _is_form(headers) else ": upload a larger graph as a file and classify it by its name"
        return problem("limit", f"a request may have at most {most:,} bytes{advice}", status=413)

    def _token(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """Refuse whoever has not the token that is needed; note whether it is the administrator's."""
        person = scope["path"] in {PEOPLE, DOCUMENT} and scope["method"] in _SAFE
        given = _given_token(headers, basic=person)
        administers = self.administers or _same(given, self.admin_token)
        scope.setdefault("state", {})["admin"] = administers
        to_administer = scope["path"].startswith(f"{ADMIN}/")
        may_use = administers or self.token is None or _same(given, self.token)
        if administers or (may_use and not to_administer):
            return None
        if may_use and self.admin_token is None:
            detail = "nobody administers this backend over the network: set MIVSPOOL_ADMIN_TOKEN there"
            return problem("access", detail, status=403)
        if given is not None:
            address = (scope.get("client") or ("",))[0]
            self.wrong.note(address)
            self.on_wrong_token()
            seconds = self.wrong_rate.wait(
                address
            )  # the right token is never asked to wait: many may share one
            if seconds:
                return _too_many(seconds)
        alone = to_administer and self.admin_token is not None
        whose = "this needs the administrator's token" if alone else "this backend needs its token"
        detail = f"{whose}: send it as 'Authorization: Bearer …'"
        if person:
            detail += ", or in a browser as the password, with any name"
        ways = f"Bearer, {_BASIC}" if person else "Bearer"
        return problem("access", detail, status=401, headers={"WWW-Authenticate": ways})

    def _origin(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        """Refuse names that are not its own; without a token also all but this machine and its pages."""
        host = headers.get("host", "")
        # inside a process the server has no address, and its name is made up
        at = str((scope.get("server") or ("",))[0])
        within = not is_address(at)
        if (self.token is None or self.hosts.allowed) and not within and not self.hosts.answer_to(host):
            detail = f"this backend does not answer to the name {host!r}: if it is its own, set MIVSPOOL_ALLOWED_HOSTS"
            return problem("access", detail, status=403)
        if self.token is not None:
            return None
        if not within and (not is_loopback(at) or is_forwarded(headers)):
            detail = "requests from other machines or through a proxy need a token: set MIVSPOOL_TOKEN on the backend"
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
