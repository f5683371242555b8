"""The commands of the service, as a person starts them."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mivspool.cli import main
from tests import web
from tests.configured import configured
from tests.service.backends import until


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    status = main(arguments)
    out, err = capsys.readouterr()
    return status, out, err


@pytest.fixture(autouse=True)
def _home(home: Path) -> None:
    """The tests' own home."""


def test_classify_prints_one_document(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "classify", "MAO:3", "MAO:4", "--model", "tiny", "--json")
    first, second = json.loads(out)
    assert status == 0
    assert (first["source"], second["source"]) == ("MAO:3", "MAO:4")
    assert set(first) >= {
        "source", "graph", "model", "predicted", "probabilities", "true", "coverage", "levels", "warnings",
    }  # fmt: skip
    assert first["levels"][0]["nodes"] == [str(i) for i in range(first["graph"]["num_nodes"])]


def test_classify_goes_on_after_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    status, out, _ = run(capsys, "classify", "MAO:3", "nowhere", "MAO:99", "--model", "tiny", "--json")
    good, missing, far = json.loads(out)
    assert status == 1
    assert good["predicted"]
    assert set(missing) == set(far) == {"source", "error"}
    status, out, err = run(capsys, "classify", "MAO:3", "karate", "--model", "tiny")
    assert status == 1
    assert out.startswith("MAO:3: ")
    assert "karate: " in out
    assert "1 could not be classified" in err


def test_classify_many(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "some.csv").write_text("smiles,name\nCCO,ethanol\nnot a molecule,x\nCCN,ethylamine\n")
    (tmp_path / "graph.csv").write_text("a,b\nb,c\n")
    status, out, _ = run(capsys, "classify", str(tmp_path), "--model", "tiny", "--json")
    answers = json.loads(out)
    assert status == 1
    assert sum("predicted" in answer for answer in answers) == 2
    assert all(answer["source"].startswith(str(tmp_path)) for answer in answers)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["classify", "nowhere", "--model", "tiny"], "nowhere"),
        (["classify", "MAO:99", "--model", "tiny"], "68 graphs"),
        (["classify", "MAO:3", "--model", "nobody"], "there is no model 'nobody'"),
        (["classify", "MAO:3", "--model", "tiny", "--map", "label"], "NEEDED=ATTRIBUTE"),
        (["serve", "--host", "0.0.0.0"], "a token is needed"),
        (["serve", "--port", "70000"], "there is no port"),
        (["serve", "--host", "no.such.host.invalid", "--token", "t"], "cannot be listened on"),
        (["app", "--port", "-1"], "there is no port"),
        (["app", "--host", "0.0.0.0"], "--public"),
        (["app", "--host", "::"], "MIVSPOOL_PUBLIC"),
        (["app", "--host", "10.1.2.3"], "--token"),
        (["app", "--host", "0.0.0.0", "--token", "abc"], "can be guessed"),
        (["app", "--token", "a" * 40], "can be guessed"),
    ],
)
def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], arguments: list[str], says: str) -> None:
    status, out, err = run(capsys, *arguments)
    assert status == 2
    assert out == ""
    assert says in err
    assert err.count("\n") == 1


def test_a_port_that_is_taken(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for command in ("serve", "app"):
            status, _, err = run(capsys, command, "--port", port)
            assert status == 2
            assert "another --port" in err


def test_an_unreachable_backend(capsys: pytest.CaptureFixture[str]) -> None:
    with configured(backend_url="http://127.0.0.1:9"):
        status, out, err = run(capsys, "classify", "MAO:3", "--model", "tiny", "--json")
    assert (status, out) == (2, "")
    assert "cannot be reached" in json.loads(err)["error"]["message"]


@pytest.fixture
def served(home: Path) -> Iterator[tuple[str, subprocess.Popen[str]]]:
    environment = {
        **os.environ,
        "MIVSPOOL_HOME": str(home),
        "MIVSPOOL_TOKEN": "a-token-of-the-tests",
        "PYTHONUNBUFFERED": "1",
    }
    command = [sys.executable, "-m", "mivspool", "serve", "--port", "0"]
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(command, env=environment, text=True, **streams) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        yield line.split()[3], process
        process.kill()


def test_serve_until_interrupted(served: tuple[str, subprocess.Popen[str]]) -> None:
    address, process = served
    bearer = {"Authorization": "Bearer a-token-of-the-tests"}
    until(lambda: web.get(f"{address}/healthz").text == "ok")
    assert web.get(f"{address}/v1/health").status_code == 401
    assert web.get(f"{address}/v1/health", headers=bearer).json()["status"] == "ok"
    assert "OpenAPI" in web.get(address, headers=bearer).text
    body = {
        "kind": "train",
        "dataset": "MAO",
        "blocks": 2,
        "hidden": 8,
        "max_epochs": 10**5,
        "patience": 10**5,
    }
    job = web.post(f"{address}/v1/jobs", json=body, headers=bearer).json()["id"]
    look = f"{address}/v1/jobs/{job}"
    until(lambda: web.get(look, headers=bearer).json()["progress"].get("epoch"))
    with web.stream("GET", f"{look}/events/stream", headers=bearer) as stream:
        seen = []
        for line in stream.iter_lines():
            if line.startswith("event: "):
                seen.append(line.removeprefix("event: "))
                if len(seen) == 4:
                    process.send_signal(signal.SIGINT)
    assert seen[:3] == ["queued", "started", "epoch"]
    assert seen[-1] == "stopping"
    assert process.wait(30) in {0, -signal.SIGINT, 130}
    assert process.stderr is not None
    assert "Traceback" not in process.stderr.read()
    from mivspool.service.store import Store
    from mivspool.settings import settings

    store = Store(settings())
    left = store.get(job)
    assert left is not None
    assert left.state == "queued"
    store.delete(job)
    store.close()


@pytest.fixture
def silent() -> Iterator[int]:
    """A port whose connections are taken and never answered."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        yield int(listening.getsockname()[1])


@pytest.mark.parametrize(
    "address", ["127.0.0.1:9", "127.0.0.1:{silent}", "ray://127.0.0.1:{silent}", "nonsense"]
)
def test_serve_without_its_cluster_is_one_line(home: Path, silent: int, address: str) -> None:
    """Ray itself would wait for minutes, deaf to signals."""
    pytest.importorskip("ray", reason="Ray is an extra: pip install 'mivspool[ray]'")
    environment = {**os.environ, "MIVSPOOL_HOME": str(home), "RAY_ADDRESS": address.format(silent=silent)}
    command = [sys.executable, "-m", "mivspool", "serve", "--port", "0", "--executor", "ray"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "RAY_ADDRESS" in ended.stderr
    assert ended.stderr.count("\n") == 1


def test_serve_without_its_database_is_one_line(home: Path, silent: int) -> None:
    pytest.importorskip("psycopg", reason="psycopg is an extra: pip install 'mivspool[postgres]'")
    url = f"postgresql://someone@127.0.0.1:{silent}/jobs"
    environment = {**os.environ, "MIVSPOOL_HOME": str(home), "MIVSPOOL_DATABASE_URL": url}
    command = [sys.executable, "-m", "mivspool", "serve", "--port", "0"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert "database" in ended.stderr
    assert ended.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "value"), [("log_format", "xml"), ("job_hours", "-1"), ("visitor_bytes", "0")]
)
def test_a_setting_that_cannot_be_used_is_one_line(
    capsys: pytest.CaptureFixture[str], name: str, value: str
) -> None:
    with configured(**{name: value}):
        for command in ("serve", "app"):
            status, out, err = run(capsys, command, "--port", "0")
            assert (status, out) == (2, "")
            assert f"the setting MIVSPOOL_{name.upper()} cannot be '{value}'" in err
            assert err.count("\n") == 1
