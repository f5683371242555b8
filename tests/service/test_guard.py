"""Who may ask: the token, visitors kept apart, other sites kept out, and limits."""

from __future__ import annotations

import base64
import re
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from anyio.from_thread import start_blocking_portal

from mivspool.errors import BackendError, DatasetError, JobError, LimitError, ModelError
from mivspool.service.app import create_app
from mivspool.service.client import Client
from mivspool.service.guard import VISITOR_HEADER, Rate, check_address
from mivspool.service.scrub import scrub
from mivspool.settings import Limits, Settings
from tests import web
from tests.configured import configured
from tests.service.backends import connected, served, until
from tests.service.conftest import Make
from tests.test_house import ROOT

ANN, BOB = "ann-0123456789abcdef", "bob-0123456789abcdef"
TOKEN = "a-token-of-the-tests"
EDGES = b"a,b\nb,c\n"


def test_beyond_this_machine_a_token_is_needed() -> None:
    check_address("127.0.0.1", None)
    check_address("0.0.0.0", "secret")
    for token in (None, ""):
        with pytest.raises(BackendError, match="MIVSPOOL_TOKEN"):
            check_address("0.0.0.0", token)


def test_the_rate_is_a_minute_s_worth_refilled_evenly() -> None:
    rate = Rate(per_minute=60)
    assert [rate.wait("ann", now=0.0) for _ in range(60)] == [0.0] * 60
    assert rate.wait("ann", now=0.0) == pytest.approx(1.0)
    assert rate.wait("bob", now=0.0) == 0.0
    assert rate.wait("ann", now=1.0) == 0.0
    assert rate.wait("ann", now=1.0) > 0.0
    assert Rate(0).wait("ann") == 0.0


def test_the_rate_forgets_who_is_long_gone() -> None:
    rate = Rate(per_minute=60, size=10)
    for i in range(100):
        rate.wait(str(i), now=0.0)
    assert len(rate._buckets) == 10


@pytest.fixture(scope="module")
def guarded(make_settings: Make) -> Iterator[str]:
    with served(make_settings(token=TOKEN, workers=0), public=True) as address:
        yield address


def paths(address: str) -> list[tuple[str, str]]:
    document = web.get(f"{address}/v1/openapi.json", headers=bearer(TOKEN)).json()
    return [(verb.upper(), path) for path, verbs in document["paths"].items() for verb in verbs]


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_every_route_needs_the_token(guarded: str) -> None:
    found = paths(guarded)
    assert len(found) > 15
    for verb, path in [
        *found,
        ("GET", "/v1/openapi.json"),
        ("GET", "/"),
        ("GET", "/metrics"),
        ("GET", "/nowhere"),
    ]:
        for headers in (
            {},
            bearer("wrong"),
            bearer("x"),
            {"Authorization": f"Basic {TOKEN}"},
            bearer("tokén"),
        ):
            raw = {name: value.encode("latin-1") for name, value in headers.items()}
            answer = web.request(verb, guarded + path, headers=raw)
            assert answer.status_code == 401, (verb, path)
            assert answer.headers["content-type"] == "application/problem+json"
            assert answer.headers["www-authenticate"].startswith("Bearer")
    assert web.get(f"{guarded}/healthz").text == "ok"
    assert web.get(f"{guarded}/readyz").json()["database"] == "ok"


def test_a_hundred_wrong_tokens_lock_nobody_out(guarded: str) -> None:
    with httpx.Client(base_url=guarded) as http:
        assert {http.get("/v1/health", headers=bearer(str(i))).status_code for i in range(100)} == {401}
        assert http.get("/v1/health", headers=bearer(TOKEN)).status_code == 200


def test_whoever_guesses_is_told_to_wait_and_nobody_else(
    make_settings: Make, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("mivspool.service.guard.LOG_SECONDS", 0.5)
    monkeypatch.setattr("mivspool.service.guard.Rate.wait", lambda rate, key: 7.5 * (key == "127.0.0.1"))
    with (
        served(make_settings(token=TOKEN, workers=0), public=True) as address,
        httpx.Client(base_url=address) as http,
        caplog.at_level("WARNING", "mivspool.service.guard"),
    ):
        for i in range(200):
            answer = http.get("/v1/health", headers=bearer(f"guess-{i}"))
            assert answer.status_code == 429
            assert answer.headers["retry-after"] == "8"
            assert answer.headers["content-type"] == "application/problem+json"
        assert http.get("/v1/health").status_code == 401  # says what is needed to whoever did not guess
        assert http.get("/v1/health", headers={**bearer(TOKEN), VISITOR_HEADER: ANN}).status_code == 200

        def counted() -> int:
            return sum(int(text.split()[1]) for text in caplog.messages)

        until(lambda: counted() >= 200)
    assert "refused 1 request with a wrong token, the last from 127.0.0.1" in caplog.messages
    assert len(caplog.messages) < 100
    assert "guess" not in "".join(caplog.messages)


@pytest.mark.parametrize(
    "token",
    [
        "abc",
        "secret",
        "0123456789abcde",
        "a" * 64,
        "0101" * 16,
        "with spaces in it, long",
        "schlüssel-zum-glück-0123",
    ],
)
def test_a_token_that_can_be_guessed_is_refused(make_settings: Make, token: str) -> None:
    with pytest.raises(BackendError, match=r"token_urlsafe\(32\)"):
        create_app(make_settings(token=token))


def test_a_token_drawn_at_random_is_taken(make_settings: Make) -> None:
    for _ in range(20):
        create_app(make_settings(token=secrets.token_urlsafe(32), workers=0)).state.backend.close()
        create_app(make_settings(token=secrets.token_hex(16), workers=0)).state.backend.close()


def test_the_client_sends_its_token(guarded: str, make_settings: Make) -> None:
    with Client(make_settings(token=TOKEN, backend_url=guarded)) as client:
        assert client.health().separate_visitors
    with (
        Client(make_settings(token="other", backend_url=guarded)) as client,
        pytest.raises(BackendError, match="needs its token"),
    ):
        client.health()


def test_a_new_visitor_gets_a_cookie_and_is_known_by_it(guarded: str) -> None:
    with httpx.Client(base_url=guarded, headers=bearer(TOKEN)) as http:
        cookie = http.get("/v1/health").headers["set-cookie"]
        assert "HttpOnly" in cookie
        assert "SameSite=Lax" in cookie
        made = http.post("/v1/datasets", files={"file": ("a.csv", EDGES)}).json()
        assert "set-cookie" not in http.get("/v1/health").headers
        assert http.get(f"/v1/datasets/{made['name']}/graphs/0").status_code == 200
    assert web.get(f"{guarded}/v1/datasets/{made['name']}/graphs/0", headers=bearer(TOKEN)).status_code == 404


def test_a_visitors_cookie_is_secure_under_tls_alone(guarded: str) -> None:
    def cookie(**headers: str) -> set[str]:
        answer = web.get(f"{guarded}/v1/health", headers={**bearer(TOKEN), **headers})
        return set(answer.headers["set-cookie"].split("; "))

    assert "Secure" not in cookie()
    assert "Secure" in cookie(**{"X-Forwarded-Proto": "https"})


def test_a_new_visitor_cannot_be_guessed(guarded: str) -> None:
    names = set()
    for _ in range(20):
        answer = web.get(f"{guarded}/v1/health", headers=bearer(TOKEN))
        names.add(answer.headers["set-cookie"].partition(";")[0].partition("=")[2])
    assert len(names) == 20
    assert {len(base64.urlsafe_b64decode(name)) * 8 for name in names} == {192}
    # the browser's own: as many random bytes, in hexadecimal
    asked = re.search(
        r"getRandomValues\(new Uint8Array\((\d+)\)\)",
        (ROOT / "app" / "components" / "visitor.py").read_text("utf-8"),
    )
    assert asked is not None
    assert int(asked[1]) * 8 >= 128


@pytest.fixture(scope="module", params=["in-process", "http"])
def shared(request: pytest.FixtureRequest, make_settings: Make) -> Iterator[Client]:
    with connected(request.param, make_settings(separate_visitors=True, workers=0)) as client:
        yield client


def test_visitors_do_not_see_each_other(shared: Client) -> None:
    ann, bob = shared.for_visitor(ANN), shared.for_visitor(BOB)
    mine = ann.upload(EDGES, "mine.csv").name
    job = ann.submit("train", dataset="MAO")
    assert ann.graph(mine).num_nodes == 3
    for look in (
        lambda: bob.graph(mine), lambda: bob.members(mine), lambda: bob.delete_dataset(mine),
        lambda: bob.scores(f"{mine}:0", "tiny"),
    ):  # fmt: skip
        with pytest.raises(DatasetError):
            look()
    for look in (
        lambda: bob.job(job.id), lambda: bob.cancel(job.id), lambda: bob.log(job.id), lambda: bob.events(job.id),
        lambda: bob.delete_job(job.id), lambda: bob.keep_model(job.id, "stolen"), lambda: bob.runs(job.id),
    ):  # fmt: skip
        with pytest.raises(JobError, match="there is no job"):
            look()
    assert bob.jobs() == []
    assert not [document for document in bob.datasets() if document.origin == "upload"]
    assert [found.id for found in ann.jobs()] == [job.id]
    ann.cancel(job.id)
    ann.delete_job(job.id)
    ann.delete_dataset(mine)


def test_a_visitor_s_data_are_told_and_deleted_at_once_and_nobody_else_s(shared: Client) -> None:
    ann, bob = (shared.for_visitor(secrets.token_urlsafe(24)) for _ in range(2))
    for one in (ann, bob):
        one.upload(EDGES, f"{secrets.token_hex(4)}.csv")
        one.submit("train", dataset="MAO", shared=True)
    job = ann.submit("train", dataset="MAO").id
    before = ann.kept()
    assert (before.jobs, before.uploads, before.upload_bytes, before.models) == (2, 1, len(EDGES), 0)
    ann.forget()
    after = ann.kept()
    assert (after.jobs, after.uploads, after.upload_bytes, after.models) == (0, 0, 0, 0)
    with pytest.raises(JobError, match="there is no job"):
        ann.job(job)
    left = bob.kept()
    assert (left.jobs, left.uploads) == (1, 1)
    bob.forget()


def test_what_is_everyone_s_is_not_deleted_by_one(make_settings: Make) -> None:
    with connected("in-process", make_settings(workers=0)) as client:
        for call in (client.kept, client.forget):
            with pytest.raises(BackendError, match="does not separate visitors"):
                call()


def test_what_is_shared_is_seen_and_not_changed(shared: Client) -> None:
    ann, bob = shared.for_visitor(ANN), shared.for_visitor(BOB)
    given = ann.upload(EDGES, "given.csv", shared=True).name
    job = ann.submit("train", dataset="MAO", shared=True)
    assert bob.graph(given).num_nodes == 3
    seen = bob.job(job.id)
    assert not seen.mine
    for change in (bob.cancel, bob.delete_job, bob.resume):
        with pytest.raises(BackendError, match="another visitor"):
            change(job.id)
    with pytest.raises(DatasetError, match="you have no upload"):
        bob.delete_dataset(given)
    ann.upload(EDGES, "given.csv")
    with pytest.raises(DatasetError):
        bob.graph(given)
    ann.cancel(job.id)
    ann.delete_job(job.id)
    ann.delete_dataset(given)


def test_switches_and_limits(make_settings: Make) -> None:
    closed = make_settings(allow_training=False, allow_uploads=False)
    with connected("in-process", closed) as client:
        health = client.health()
        assert not health.training
        assert not health.uploads
        for call in (
            lambda: client.submit("train", dataset="MAO"), lambda: client.upload(EDGES, "a.csv"),
            lambda: client.classify_file(EDGES, "a.csv", "tiny"), lambda: client.keep_model("0", "x"),
            lambda: client.resume("0"),
        ):  # fmt: skip
            with pytest.raises(BackendError, match="switched off"):
                call()
        assert client.classify("MAO:1", "tiny", levels=False)[0].predicted is not None
    narrow = make_settings(
        max_waiting_jobs=1, rate_per_minute=20, workers=0, limits=Limits(bytes=10_000, vertices=50)
    )
    with connected("http", narrow) as client:
        client.submit("train", dataset="MAO")
        with pytest.raises(JobError, match="not finished yet"):
            client.submit("train", dataset="MAO")
        with pytest.raises(LimitError):
            client.upload(b"a,b\n" * 4000, "wide.csv")
        with pytest.raises(LimitError, match="a request may have at most"):
            client.upload(b"a,b\n" * 40_000, "huge.csv")
        path = [f"{i},{i + 1}" for i in range(100)]
        with pytest.raises(LimitError):
            client.upload("\n".join(path).encode(), "many.csv")
        with pytest.raises(BackendError, match="too many requests"):
            [client.health() for _ in range(30)]


def test_a_body_that_hides_its_size(make_settings: Make) -> None:
    with served(make_settings(workers=0, limits=Limits(bytes=1000, body_bytes=1000))) as address:
        body = (b"x" * 10_000 for _ in range(20))
        answer = web.post(
            f"{address}/v1/classify", content=body, headers={"Content-Type": "application/json"}
        )
        assert answer.status_code == 413
        assert answer.headers["content-type"] == "application/problem+json"


def test_uploads_go_after_their_days(make_settings: Make) -> None:
    with connected("in-process", make_settings(keep_uploads_days=0, stale_seconds=0.4)) as client:
        name = client.upload(EDGES, "short.csv").name

        def gone() -> bool:
            return not [document for document in client.datasets() if document.name == name]

        until(gone, seconds=20)
        with pytest.raises(DatasetError, match="0 days"):
            client.graph(name)


def test_other_sites_are_kept_out_without_a_token(make_settings: Make) -> None:
    with served(make_settings(workers=0)) as address, httpx.Client(base_url=address) as http:
        assert http.get("/v1/health").status_code == 200
        body: dict[str, Any] = {"model": "tiny", "references": ["MAO:1"]}
        own = {"Origin": "http://127.0.0.1:8501"}
        assert http.post("/v1/classify", json=body, headers=own).status_code == 200
        for headers in (
            {"Origin": "https://evil.example"},
            {"Origin": "null"},
            {"Host": "rebound.example"},
            {"Host": "[::"},
        ):
            answer = http.post("/v1/classify", json=body, headers=headers)
            assert answer.status_code == 403
            assert answer.headers["content-type"] == "application/problem+json"
        text = {"Content-Type": "text/plain"}
        assert http.post("/v1/classify", content=b'{"model": "tiny"}', headers=text).status_code in {415, 422}


@pytest.mark.parametrize(
    "header", ["Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-IP", "Via"]
)
def test_what_a_proxy_passes_on_needs_a_token(make_settings: Make, guarded: str, header: str) -> None:
    """A proxy on this machine that rewrites Host would otherwise open the backend to whomever it serves."""
    with served(make_settings(workers=0)) as address:
        answer = web.get(f"{address}/v1/health", headers={header: "10.0.0.1"})
        assert answer.status_code == 403
        assert "MIVSPOOL_TOKEN" in answer.json()["detail"]
        assert web.get(f"{address}/healthz", headers={header: "10.0.0.1"}).text == "ok"
    assert web.get(f"{guarded}/v1/health", headers={**bearer(TOKEN), header: "10.0.0.1"}).status_code == 200


def test_names_that_are_allowed(make_settings: Make) -> None:
    names = "lab.example, Class.Example"
    with served(make_settings(workers=0, allowed_hosts=names)) as address:
        for host in ("lab.example", "class.example:80", "localhost"):
            assert web.get(f"{address}/v1/health", headers={"Host": host}).status_code == 200
        assert web.get(f"{address}/v1/health", headers={"Host": "rebound.example"}).status_code == 403
    with served(make_settings(workers=0, allowed_hosts=names, token=TOKEN), public=True) as address:
        for host, status in (
            ("lab.example", 200),
            ("10.1.2.3:80", 200),
            ("localhost", 200),
            ("other.example", 403),
        ):
            answer = web.get(f"{address}/v1/health", headers={**bearer(TOKEN), "Host": host})
            assert answer.status_code == status, host


def test_a_server_that_listens_to_everyone_still_needs_a_token(make_settings: Make) -> None:
    app = create_app(make_settings(workers=0))

    async def ask(server: str) -> int:
        transport = httpx.ASGITransport(app)
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{server}") as http:
            return (await http.get("/v1/health")).status_code

    with start_blocking_portal() as portal:
        assert portal.call(ask, "10.1.2.3") == 403
        assert portal.call(ask, "127.0.0.1") == 200
        assert portal.call(ask, "testserver") == 200
    app.state.backend.close()


def test_an_unreachable_backend_is_a_sentence(make_settings: Make) -> None:
    for address in ("http://127.0.0.1:9", "http://[::1", "nonsense", "ftp://127.0.0.1", "http://"):
        with pytest.raises(BackendError, match="backend"):
            Client(make_settings(backend_url=address)).health()
    client = Client(make_settings(workers=0))
    client.close()
    client.close()
    with pytest.raises(BackendError, match="closed"):
        client.health()


def test_a_database_that_cannot_be_used_is_a_sentence(home: object) -> None:
    for url in (
        "mysql://x",
        "nonsense",
        "postgresql://nobody@127.0.0.1:9/none",
        "sqlite:////proc/none/x.sqlite",
    ):
        with pytest.raises(BackendError, match="database"):
            Client(Settings(database_url=url)).health()


def test_answers_name_no_path() -> None:
    assert scrub("in /home/ann/a/b.txt: bad") == "in …/b.txt: bad"
    assert scrub('File "/usr/lib/python3/x.py", line 3') == 'File "…/x.py", line 3'
    assert scrub("C:\\Users\\ann\\x.csv is gone") == "…/x.csv is gone"
    for fine in ("https://example.org/a/b", "and/or", "1/2", "/v1", "a / b"):
        assert scrub(fine) == fine


def test_a_name_of_a_model_is_no_path(shared: Client) -> None:
    for name in ("../tiny", "/etc", "owner/model", "tiny/..", "TINY", "x" * 200):
        with pytest.raises((ModelError, BackendError)):
            shared.classify("MAO:1", name)


def test_no_answer_names_a_path_of_the_server(shared: Client, home: Path) -> None:
    with configured(tu_url=home / "nowhere" / "data"):
        with pytest.raises(DatasetError, match="MIVSPOOL_TU_URL") as told:
            shared.graph("PROTEINS", 1)
        answer = shared.classify("PROTEINS:1", "tiny", levels=False)[0]
    for text in (told.value.message, answer.error or ""):
        assert "MIVSPOOL_TU_URL" in text
        assert str(home) not in text
