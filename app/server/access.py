"""Access to the app: what every request passes before Streamlit gets it, its websocket, media and uploads included.

It answers to its own names alone (see ``mivspool.hosts``). It refuses pages of other sites, what a proxy passes on
unless others may come, and, where a token is set, everything without it but the probe of a container. A person enters
the token once; the browser keeps a cookie that is derived from it.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import html
import logging
import time
from urllib.parse import parse_qs, quote

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mivspool.hosts import Hosts, came_by_tls, is_forwarded
from mivspool.settings import STREAMLIT_HEALTH

COOKIE = "mivspool_app"
_YEAR = 365 * 24 * 3600
_MOST_BYTES = 8192  # of the form with the token
_FORM = "application/x-www-form-urlencoded"

log = logging.getLogger("mivspool.app")

# after a link on another site the browser keeps a strict cookie back: asked again by this page, it sends it
_SCRIPT = """
try {
  const last = Number(sessionStorage.getItem("mivspool-asked"));
  sessionStorage.setItem("mivspool-asked", String(Date.now()));
  if (document.body.dataset.again && Date.now() - last > 5000) location.replace(location.href);
} catch { /* a browser that keeps nothing */ }
"""
_HASH = base64.b64encode(hashlib.sha256(_SCRIPT.encode()).digest()).decode()
_POLICY = (
    f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{_HASH}'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>MIVSPool</title>
<style>
:root {{ color-scheme: light dark }}
body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 24rem; margin: 15vh auto; padding: 0 1rem }}
input, button {{ font: inherit; padding: .4rem .6rem; width: 100%; box-sizing: border-box; margin-top: .5rem }}
</style></head>
<body{again}><main><h1>MIVSPool</h1>
<form method="post"><label for="token">Token</label>
<input id="token" name="token" type="password" autocomplete="current-password" required autofocus>
<button>Open</button></form>
<p role="status">{message}</p></main><script>{script}</script></body></html>
"""
ASK = "Whoever started this app can tell you its token. It is asked for once per browser."
WRONG = "That is not the token of this app. Check it and enter it again."


class Access:
    """ASGI middleware.

    ``hosts``: the names it answers to. ``token``: what each person must enter once, None where nobody must.
    ``reached``: others than this machine's users may come. ``frames``: sites, with commas between, whose pages may show
    the app in a frame; ``*`` for all.
    """

    def __init__(
        self, app: ASGIApp, hosts: Hosts, token: str | None, reached: bool, frames: str = ""
    ) -> None:
        self.app, self.hosts, self.reached = app, hosts, reached
        self.headers = [] if frames.strip() == "*" else [_frame_ancestors(frames)]
        self.token = token.encode() if token else None
        self.cookie = hmac.new(self.token, COOKIE.encode(), hashlib.sha256).hexdigest() if self.token else ""
        self._wrong, self._logged = 0, 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a refusal, or pass the request on."""
        if scope["type"] not in {"http", "websocket"}:
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        refusal = self._foreign(headers) or await self._without_token(scope, headers, receive)
        if refusal is None:
            # Origin was looked at: of one that is not Host, Streamlit would ask a server outside whether it is ours
            sends = _with(send, self.headers, secure=came_by_tls(scope["scheme"], headers))
            passed = MutableHeaders(scope=scope)
            del passed["origin"]
            await self.app({**scope, "headers": passed.raw}, receive, sends)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            refusal.headers["Cache-Control"] = "no-store"
            refusal.headers["X-Content-Type-Options"] = "nosniff"
            await refusal(scope, receive, send)

    def _foreign(self, headers: Headers) -> Response | None:
        """A refusal of other names, of pages of other sites, and of what a proxy passes on."""
        names, origins = headers.getlist("host"), headers.getlist("origin")
        if len(names) != 1 or not self.hosts.answer_to(names[0]):
            return _refuse(
                f"This app does not answer to the name {', '.join(names)!r}. If it is the app's own, start it with "
                "MIVSPOOL_ALLOWED_HOSTS set to that name."
            )
        if not all(self.hosts.take_from(origin, names[0]) for origin in origins):
            return _refuse(
                "Pages of other sites may not use this app. If this is its own page behind a proxy, start the app with "
                "MIVSPOOL_ALLOWED_HOSTS set to the name in the browser's address bar."
            )
        if not self.reached and is_forwarded(headers):
            return _refuse(
                "A proxy passed this request on, so others may reach this app: start it with --public, or with a token."
            )
        return None

    async def _without_token(self, scope: Scope, headers: Headers, receive: Receive) -> Response | None:
        """A refusal, or the answer to the form, of who has not shown the token yet."""
        if self.token is None or scope["path"] == STREAMLIT_HEALTH:
            return None
        entering = scope.get("method") == "POST" and headers.get("content-type", "").startswith(_FORM)
        if entering:
            return self._enter(scope, headers, await _token_of(receive))
        given = cookie_parser(headers.get("cookie", "")).get(COOKIE, "")
        if hmac.compare_digest(given.encode(), self.cookie.encode()):
            return None
        return (
            _page(ASK, again=True)
            if scope.get("method") == "GET"
            else _refuse("This app needs its token.", 401)
        )

    def _enter(self, scope: Scope, headers: Headers, given: str) -> Response:
        assert self.token is not None
        if not hmac.compare_digest(given.encode(), self.token):
            self._log_wrong((scope.get("client") or ("",))[0])
            return _page(WRONG)
        path = "/" + quote(scope["path"].lstrip("/\\"))  # // would lead to another site
        query = scope["query_string"].decode("latin-1")
        answer = RedirectResponse(f"{path}?{query}" if query else path, status_code=303)
        answer.set_cookie(
            COOKIE,
            self.cookie,
            max_age=_YEAR,
            httponly=True,
            samesite="strict",
            secure=came_by_tls(scope["scheme"], headers),
            path="/",
        )
        return answer

    def _log_wrong(self, client: str) -> None:
        """At most a line per second, whoever tries however often."""
        self._wrong += 1
        if time.monotonic() - self._logged >= 1:
            log.warning(
                "a wrong token was entered: %d since the last such line, now from %s", self._wrong, client
            )
            self._wrong, self._logged = 0, time.monotonic()


async def _token_of(receive: Receive) -> str:
    """The token in the body of the form; empty if there is none, or more than a form can hold."""
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
        if len(body) > _MOST_BYTES:
            return ""
    return parse_qs(body.decode("utf-8", "replace")).get("token", [""])[0]


def _frame_ancestors(sites: str) -> tuple[bytes, bytes]:
    """The header that lets pages of the app itself and of these sites show it in a frame."""
    listed = " ".join(["'self'", *sites.replace(",", " ").split()])
    return b"content-security-policy", f"frame-ancestors {listed}".encode()


def _with(send: Send, more: list[tuple[bytes, bytes]], secure: bool) -> Send:
    """Sends the same with ``more`` headers and, where it is ``secure``, with every cookie marked as secure.

    Streamlit marks them only where it speaks TLS itself.
    """

    async def sends(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [
                (name, value + b"; Secure")
                if secure and name.lower() == b"set-cookie" and b"; secure" not in value.lower()
                else (name, value)
                for name, value in message.get("headers", ())
            ] + more
        await send(message)

    return sends


def _page(message: str, again: bool = False) -> Response:
    text = _PAGE.format(
        message=html.escape(message), again=' data-again="1"' if again else "", script=_SCRIPT
    )
    return HTMLResponse(text, status_code=401, headers={"Content-Security-Policy": _POLICY})


def _refuse(message: str, status: int = 403) -> Response:
    return PlainTextResponse(message, status_code=status)
