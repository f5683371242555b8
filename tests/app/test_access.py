"""Who is let in to the app, against running servers: names, origins, proxies, the token; and nothing asked outside."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from http.cookies import SimpleCookie
from typing import Any

import httpx
import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin, Subprotocol

from app.train import words as train_words
from mivspool.content import shared
from mivspool.errors import InputError
from mivspool.settings import settings
from tests import web
from tests.app.apps import Started, started
from tests.app.browser import wait_for_graph
from tools.site import served

TOKEN = "a-token-of-the-tests"
# the page, a deep link, and each kind of thing that Streamlit serves beside it
PATHS = (
    "/", "/train", "/_stcore/host-config", "/_stcore/script-health-check", "/_stcore/metrics", "/media/x.png",
    "/component/x/index.html", "/_stcore/bidi-components/x/y.js", "/_stcore/upload_file/x/y", "/static/x.js",
    "/auth/login", "/nowhere",
)  # fmt: skip
HEALTH = "/_stcore/health"


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """For this machine alone."""
    with started(tmp_path_factory.mktemp("own"), MIVSPOOL_ALLOWED_HOSTS="lab.example, class.example") as app:
        yield app


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """For everyone who reaches this machine."""
    with started(
        tmp_path_factory.mktemp("public"), "--host", "0.0.0.0", "--public", MIVSPOOL_WORKERS="0"
    ) as app:
        yield app


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Started]:
    """For whoever has the token."""
    flags = ("--host", "0.0.0.0")
    with started(tmp_path_factory.mktemp("closed"), *flags, MIVSPOOL_APP_TOKEN=TOKEN) as app:
        yield app


def streams(app: Started, host: str | None = None, origin: str | None = "own", **headers: str) -> bool:
    """Whether the websocket opens."""
    host = host or f"127.0.0.1:{app.port}"
    try:
        with connect(
            f"ws://{host}/_stcore/stream",
            sock=socket.create_connection(("127.0.0.1", app.port)),
            origin=Origin(f"http://{host}") if origin == "own" else origin and Origin(origin),
            additional_headers=headers,
            subprotocols=[Subprotocol("streamlit")],
            open_timeout=60,
            proxy=None,
        ):
            return True
    except InvalidStatus:
        return False


def status(app: Started, path: str, method: str = "GET", **headers: str) -> int:
    return web.request(method, app.address + path, headers=headers).status_code


@pytest.mark.parametrize(
    "host", ["rebound.example", "127.0.0.1.rebound.example", "10.1.2.3", "[::", "", "a@localhost"]
)
def test_another_name_is_refused_everywhere(own: Started, host: str) -> None:
    for path in (*PATHS, HEALTH):
        for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
            assert status(own, path, method, Host=host) == 403, (path, method)


def test_another_name_is_refused_at_the_websocket(own: Started) -> None:
    assert not streams(own, host=f"rebound.example:{own.port}")


@pytest.mark.parametrize(
    "host", ["localhost", "127.0.0.1", "[::1]", "LOCALHOST", "lab.example", "class.example:8501"]
)
def test_its_own_names_and_those_allowed_are_answered(own: Started, host: str) -> None:
    assert status(own, "/", Host=host) == 200
    assert streams(own, host=host)


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example"]
)
def test_pages_of_other_sites_are_refused(own: Started, origin: str) -> None:
    assert not streams(own, origin=origin)
    for path in PATHS:
        for method in ("GET", "POST", "PUT", "DELETE", "OPTIONS"):
            assert status(own, path, method, Origin=origin) == 403, (path, method)


def test_its_own_pages_are_answered(own: Started) -> None:
    assert streams(own)
    assert streams(own, origin="https://lab.example"), "a proxy may have rewritten Host"
    assert streams(own, origin=None), "no browser sends none"
    assert status(own, "/", Origin=own.address) == 200


@pytest.mark.parametrize("header", ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Via"])
def test_what_a_proxy_passes_on_is_refused_unless_others_may_come(
    own: Started, public: Started, closed: Started, header: str
) -> None:
    assert status(own, "/", **{header: "10.0.0.1"}) == 403
    assert not streams(own, **{header: "10.0.0.1"})
    assert status(public, "/", **{header: "10.0.0.1"}) == 200
    assert status(closed, "/", **{header: "10.0.0.1"}) == 401


def test_an_address_is_a_name_that_no_site_can_take(public: Started) -> None:
    assert status(public, "/", Host=f"10.1.2.3:{public.port}") == 200
    assert status(public, "/", Host=socket.gethostname()) == 200
    assert status(public, "/", Host="rebound.example") == 403
    assert not streams(public, host="rebound.example")


def test_without_the_token_nothing_is_served_but_the_probe(closed: Started) -> None:
    for path in PATHS:
        for method in ("GET", "PUT", "DELETE", "OPTIONS"):
            for cookie in (
                "",
                "mivspool_app=",
                "mivspool_app=x",
                f"mivspool_app={TOKEN}",
                "mivspool_app=tok\u00e9n",
            ):
                answer = web.request(
                    method, closed.address + path, headers={b"Cookie": cookie.encode("latin-1")}
                )
                assert answer.status_code == 401, (path, method)
                assert answer.headers["cache-control"] == "no-store"
    assert status(closed, HEALTH) == 200
    assert not streams(closed)
    assert not streams(closed, Cookie="mivspool_app=x")


def entered(app: Started, token: str, path: str = "/", **headers: str) -> httpx.Response:
    return web.post(app.address + path, data={"token": token}, headers=headers)


def test_a_wrong_token_is_refused_and_logged(closed: Started) -> None:
    for wrong in ("", "wrong", TOKEN[:-1], TOKEN + "x", "tok\u00e9n", "x" * 100_000):
        answer = entered(closed, wrong)
        assert answer.status_code == 401
        assert "set-cookie" not in answer.headers
    assert "wrong token" in closed.said
    assert TOKEN not in closed.said
    assert entered(closed, TOKEN, Origin="https://evil.example").status_code == 403


def test_the_token_is_entered_once(closed: Started) -> None:
    answer = entered(closed, TOKEN, "/train?job=1", Origin=closed.address)
    assert (answer.status_code, answer.headers["location"]) == (303, "/train?job=1")
    (kept,) = SimpleCookie(answer.headers["set-cookie"]).values()
    assert (kept["httponly"], kept["samesite"].lower(), kept["path"], kept["secure"]) == (
        True,
        "strict",
        "/",
        "",
    )
    assert int(kept["max-age"]) > 10**6
    assert TOKEN not in kept.value
    cookie = f"{kept.key}={kept.value}"
    assert status(closed, "/train", Cookie=cookie) == 200
    assert streams(closed, Cookie=cookie)
    assert entered(closed, TOKEN, "//evil.example/x").headers["location"] == "/evil.example/x"


def test_under_tls_the_cookie_is_secure(tmp_path: Any) -> None:
    with started(
        tmp_path, MIVSPOOL_APP_TOKEN=TOKEN, MIVSPOOL_ALLOWED_HOSTS="lab.example"
    ) as app:  # behind a proxy that ends TLS
        answer = entered(app, TOKEN, Origin="https://lab.example", Host="lab.example")
        (kept,) = SimpleCookie(answer.headers["set-cookie"]).values()
        assert kept["secure"] is True
        headers = {"Host": "lab.example", "Cookie": f"{kept.key}={kept.value}"}
        for proto, secure in (("https", True), ("http", False)):
            answer = web.get(f"{app.address}{HEALTH}", headers={**headers, "X-Forwarded-Proto": proto})
            streamlits = answer.headers.get_list("set-cookie")
            assert [("; secure" in cookie.lower()) for cookie in streamlits] == [secure]


@pytest.mark.browser
@pytest.mark.timeout(900)
def test_a_person_enters_the_token_once(closed: Started, visitor: Callable[[], Any]) -> None:
    context = visitor()
    page = context.new_page()
    page.set_default_timeout(60_000)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{closed.address}/?graph=karate")
    page.get_by_label("Token").fill("wrong")
    page.keyboard.press("Enter")
    page.get_by_text("not the token").wait_for()
    page.get_by_label("Token").fill(TOKEN)
    page.keyboard.press("Enter")
    wait_for_graph(page, timeout=250)
    page.reload()
    wait_for_graph(page, timeout=250)
    assert context.new_page().goto(f"{closed.address}/train").status == 200
    ours = (closed.address, closed.address.replace("http", "ws"), "blob:", "data:")
    assert [url for url in asked if not url.startswith(ours)] == []
    assert closed.asked_outside == ""


@pytest.mark.browser
@pytest.mark.timeout(900)
def test_visitors_of_a_public_app_do_not_see_each_others_jobs(
    public: Started, visitor: Callable[[], Any]
) -> None:
    ann, bob = visitor().new_page(), visitor().new_page()
    for page in (ann, bob):
        page.set_default_timeout(250_000)
        page.goto(f"{public.address}/train")
        page.get_by_role("button", name=train_words.START).wait_for()
    ann.get_by_role("button", name=train_words.START).click()
    ann.wait_for_url("**job=**")
    bob.reload()
    bob.get_by_text(train_words.NO_JOBS).wait_for()
    bob.goto(ann.url)
    bob.get_by_text("there is no job").first.wait_for()
    assert public.asked_outside == ""


def policy(app: Started, path: str = "/") -> str | None:
    return web.get(app.address + path).headers.get("content-security-policy")


def test_which_pages_may_show_it_in_a_frame(
    own: Started, public: Started, closed: Started, tmp_path: Any
) -> None:
    assert policy(own) == policy(own, "/static/x.js") == "frame-ancestors 'self'"
    assert policy(public) is None
    assert policy(closed, HEALTH) == "frame-ancestors 'self'"
    assert "frame-ancestors 'none'" in str(policy(closed)), "the page that asks for the token"
    with started(tmp_path, MIVSPOOL_EMBED="https://lms.example, class.example:8443") as app:
        assert policy(app) == "frame-ancestors 'self' https://lms.example class.example:8443"


def test_a_list_of_sites_holds_nothing_but_sites(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIVSPOOL_EMBED", "lms.example; script-src *")
    settings.cache_clear()
    with pytest.raises(InputError, match="MIVSPOOL_EMBED cannot be"):
        settings()


@pytest.mark.browser
def test_a_page_of_another_origin_shows_it_where_it_may(
    own: Started, public: Started, visitor: Callable[[], Any], tmp_path: Any
) -> None:
    """By the code that Share shows."""
    code = shared.EMBED.replace("{address}", "{}/step?graph=karate&amp;score=degree&amp;step=1")
    for name, app in {"own": own, "public": public}.items():
        (tmp_path / f"{name}.html").write_text(f"<!doctype html>{code.format(app.address)}")
    with served(tmp_path) as address:
        page = visitor().new_page()
        page.set_default_timeout(120_000)
        page.goto(f"{address}/public.html")
        frame = page.frame_locator("iframe")
        frame.locator(".sentence").get_by_text("Iteration 1").wait_for()
        frame.get_by_role("button", name="Next step").click()
        frame.locator(".sentence").get_by_text("Iteration 2").wait_for()
        refused: list[str] = []
        page.on("console", lambda message: refused.append(message.text))
        page.goto(f"{address}/own.html")
        page.wait_for_timeout(1000)
        assert any("frame-ancestors" in text for text in refused)


def test_a_running_app_has_said_where_it_is_and_who_is_let_in(
    own: Started, public: Started, closed: Started
) -> None:
    for app, says in ((own, None), (public, "visitors are kept apart"), (closed, "has the token")):
        first, second, *_ = [*app.said.splitlines(), ""]  # wrong tokens are told after these
        assert first.startswith(f"MIVSPool at {app.address} ")
        assert second == "" if says is None else says in second
        assert TOKEN not in app.said


def test_nothing_is_asked_outside(own: Started, public: Started, closed: Started) -> None:
    for app in (own, public, closed):
        assert status(app, "/", Cookie="x=y") in {200, 401}
        streams(app)
        streams(app, origin="http://10.9.8.7:5")
        assert app.asked_outside == ""
