"""Administration: with its own token alone, over all jobs and visitors, from the network and the command line."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from mivspool.cli import main
from mivspool.errors import AccessError, BackendError, InputError, JobError, LimitError
from mivspool.service import administration
from mivspool.service.app import create_app
from mivspool.service.client import Client
from mivspool.service.guard import VISITOR_HEADER, owner_of
from tests import web
from tests.configured import configured
from tests.service.backends import connected, served
from tests.service.conftest import Make

TOKEN, ADMIN = "a-token-of-the-tests", "the-administrator-of-the-tests"
ANN, BOB = "ann-0123456789abcdef", "bob-0123456789abcdef"
EDGES = b"a,b\nb,c\n"


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, make_settings: Make) -> Iterator[str]:
    given = make_settings(request.param, token=TOKEN, admin_token=ADMIN, workers=0)
    with served(given, public=True) as found:
        yield found


@pytest.fixture
def client(address: str, make_settings: Make) -> Iterator[Client]:
    with Client(make_settings(token=TOKEN, backend_url=address)) as made:
        yield made


def bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


def test_no_route_of_it_answers_without_its_token(address: str) -> None:
    document = web.get(f"{address}/v1/openapi.json", headers=bearer(TOKEN)).json()
    found = [
        (verb.upper(), path)
        for path, verbs in document["paths"].items()
        for verb in verbs
        if path.startswith("/v1/admin")
    ]
    assert len(found) >= 6
    for verb, path in [*found, ("GET", "/v1/admin/nothing")]:
        for headers in ({}, bearer(TOKEN), bearer("wrong"), {"Authorization": f"Basic {ADMIN}"}):
            answer = web.request(verb, address + path, headers=headers)
            assert answer.status_code == 401, (verb, path)
            assert "administrator's token" in answer.json()["detail"]
    for path in ("/v1/admin/jobs", "/v1/health", "/metrics", "/"):
        assert web.get(address + path, headers=bearer(ADMIN)).status_code == 200


def test_where_there_is_no_such_token_nobody_administers(make_settings: Make) -> None:
    with served(make_settings(workers=0)) as open_one:
        for headers in ({}, bearer("anything")):
            answer = web.get(f"{open_one}/v1/admin/jobs", headers=headers)
            assert answer.status_code == 403
            assert "MIVSPOOL_ADMIN_TOKEN" in answer.json()["detail"]
    with connected("in-process", make_settings(workers=0)) as client:  # as the app asks its own
        for token in (None, "", "anything"):
            with pytest.raises(AccessError, match="MIVSPOOL_ADMIN_TOKEN"):
                client.administration(token).jobs()


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"admin_token": "short"}, "can be guessed"),
        ({"token": TOKEN, "admin_token": TOKEN}, "others also have"),
        ({"app_token": TOKEN, "admin_token": TOKEN}, "others also have"),
    ],
)
def test_a_token_that_is_none_is_refused(
    make_settings: Make, capsys: pytest.CaptureFixture[str], changes: dict[str, str], says: str
) -> None:
    with pytest.raises(BackendError, match=says):
        create_app(make_settings(**changes))
    with configured(**changes):
        for command in ("serve", "app"):
            assert main([command, "--port", "0"]) == 2
            out, err = capsys.readouterr()
            assert (out, err.count("\n")) == ("", 1)
            assert says in err


def test_jobs_of_all_visitors_are_listed_ended_and_deleted(client: Client) -> None:
    ann, bob, admin = client.for_visitor(ANN), client.for_visitor(BOB), client.administration(ADMIN)
    mine = {one.submit("train", dataset="MAO").id: owner_of(name) for one, name in ((ann, ANN), (bob, BOB))}
    listed = {job.id: job.visitor for job in admin.jobs(states=["queued"])}
    assert mine.items() <= listed.items()
    for job in mine:
        assert admin.cancel(job).state == "interrupted"
    job = next(iter(mine))
    told = ann.job(job)
    assert (told.state, told.error, told.resumable) == (
        "interrupted",
        "an administrator of this backend has ended it",
        True,
    )
    with pytest.raises(JobError, match="nothing to cancel"):
        admin.cancel(job)
    for one in mine:
        admin.delete_job(one)
    for do in (admin.cancel, admin.delete_job):
        with pytest.raises(JobError, match="there is no job"):
            do(job)
    assert not set(mine) & {one.id for one in admin.jobs()}


def test_visitors_their_quotas_and_their_end(client: Client) -> None:
    ann, bob, admin = client.for_visitor(ANN), client.for_visitor(BOB), client.administration(ADMIN)
    for one in (ann, bob):
        one.upload(EDGES, "a.csv")
        one.submit("train", dataset="MAO")
    name = owner_of(ANN)
    found = {one.visitor: one for one in admin.visitors()}
    assert {name, owner_of(BOB)} <= set(found)
    assert (found[name].jobs, found[name].unfinished_jobs, found[name].uploads) == (1, 1, 1)
    assert found[name].bytes == len(EDGES)
    usual = found[name].most_waiting_jobs, found[name].most_bytes
    decided = admin.set_quota(name, waiting_jobs=1, bytes=len(EDGES))
    assert (decided.most_waiting_jobs, decided.most_bytes) == (1, len(EDGES))
    with pytest.raises(JobError, match="of your jobs"):
        ann.submit("train", dataset="MAO")
    with pytest.raises(LimitError, match="delete some first"):
        ann.upload(EDGES, "b.csv")
    bob.upload(EDGES, "b.csv")
    decided = admin.set_quota(name)
    assert (decided.most_waiting_jobs, decided.most_bytes) == usual
    ann.upload(EDGES, "b.csv")
    admin.forget(name)
    assert (ann.kept().jobs, ann.kept().uploads) == (0, 0)
    assert (bob.kept().jobs, bob.kept().uploads) == (1, 2)
    bob.forget()
    assert not {name, owner_of(BOB)} & {one.visitor for one in admin.visitors()}
    with pytest.raises(InputError, match="is not valid"):
        admin.forget("nobody")


@pytest.fixture
def database(make_settings: Make) -> Iterator[Client]:
    """A backend on the database that the command line finds."""
    given = make_settings(workers=0, separate_visitors=True)
    with configured(database_url=given.database_url), connected("in-process", given) as client:
        yield client


def test_the_command_line_uses_the_database_of_a_backend_that_runs(
    database: Client, capsys: pytest.CaptureFixture[str]
) -> None:
    def run(*arguments: str) -> tuple[int, str, str]:
        status = main(["admin", *arguments])
        out, err = capsys.readouterr()
        return status, out, err

    ann = database.for_visitor(ANN)
    job, name = ann.submit("train", dataset="MAO").id, owner_of(ANN)
    status, out, _ = run("jobs", "--json")
    assert (status, [one["id"] for one in json.loads(out)]) == (0, [job])
    assert job in run("jobs", "--state", "queued")[1]
    assert job not in run("jobs", "--state", "done")[1]
    assert "1 of at most 20 unfinished" in run("visitors")[1]
    assert run("quota", name, "--jobs", "1")[1].startswith(f"{name}: at most 1 unfinished job and ")
    with pytest.raises(JobError, match="of your jobs"):
        ann.submit("train", dataset="MAO")
    assert run("cancel", job)[:2] == (0, f"{job}: interrupted\n")
    assert ann.job(job).state == "interrupted"
    assert run("delete", job)[0] == 0
    ann.upload(EDGES, "a.csv")
    assert run("forget", name)[0] == 0
    assert ann.kept().uploads == 0
    for wrong, says in (
        (("cancel",), "needs a JOB"),
        (("jobs", "x"), "takes no name"),
        (("cancel", "nowhere"), "there is no job"),
        (("jobs", "--state", "odd"), "is not valid"),
        (("quota", name, "--jobs", "-1"), "is not valid"),
        (("nothing",), "invalid choice"),
    ):
        status, out, err = run(*wrong)
        assert (status, out) == (2, ""), wrong
        assert says in err, wrong
        assert err.count("\n") == 1, wrong


def test_the_command_line_lists_every_job(
    database: Client, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(administration, "_PAGE", 2)
    made = [database.for_visitor(ANN).submit("train", dataset="MAO").id for _ in range(5)]
    assert main(["admin", "jobs", "--json"]) == 0
    assert [one["id"] for one in json.loads(capsys.readouterr().out)] == made[::-1]


def test_the_command_line_asks_a_backend_elsewhere_with_the_token(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    for token, status, says in (
        ("", 2, "MIVSPOOL_ADMIN_TOKEN"),
        ("another-token-0123456789", 2, "administrator's token"),
        (ADMIN, 0, ""),
    ):
        with configured(backend_url=address, admin_token=token):
            assert main(["admin", "visitors"]) == status
        assert says in capsys.readouterr().err


def test_an_administrator_is_a_visitor_like_any_other_elsewhere(address: str) -> None:
    headers = {**bearer(ADMIN), VISITOR_HEADER: ANN}
    job = web.post(f"{address}/v1/jobs", json={"kind": "train", "dataset": "MAO"}, headers=headers).json()[
        "id"
    ]
    other = {**bearer(ADMIN), VISITOR_HEADER: BOB}
    assert web.get(f"{address}/v1/jobs/{job}", headers=other).status_code == 404
    assert web.request("DELETE", f"{address}/v1/visitor", headers=headers).status_code == 204
