"""Names, origins and proxies: by what the app and the backend decide who may come."""

from __future__ import annotations

import socket

import pytest

from mivspool.hosts import Hosts, host_of, is_forwarded, is_loopback


@pytest.mark.parametrize(("host", "loopback"), [
    ("127.0.0.1", True), ("127.8.9.1", True), ("localhost", True), ("::1", True), ("[::1]", True),
    ("0.0.0.0", False), ("10.0.0.1", False), ("example.org", False), ("localhost.example.org", False), ("", False),
])  # fmt: skip
def test_what_is_this_machine(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(("header", "host"), [
    ("localhost:8501", "localhost"), ("[::1]:8501", "::1"), ("LAB.example", "lab.example"), ("10.0.0.1:", "10.0.0.1"),
    ("", ""), ("a@localhost", ""), ("localhost/x", ""), ("[::", ""), ("localhost:80:80", ""), ("localhost,evil", ""),
    ("localhost evil", ""),
])  # fmt: skip
def test_the_host_of_a_header(header: str, host: str) -> None:
    assert host_of(header) == host


def test_names_that_are_answered() -> None:
    own, reached = Hosts("lab.example, Class.Example,"), Hosts("", reached=True)
    for header in ("localhost", "x.localhost:1", "127.1.2.3", "[::1]:5", "lab.example:8501", "CLASS.example"):
        assert own.answer_to(header), header
    for header in (
        "rebound.example",
        "x.lab.example",
        "10.1.2.3",
        "",
        "127.0.0.1.evil.example",
        socket.gethostname(),
    ):
        assert not own.answer_to(header), header
    for header in ("10.1.2.3:8501", "[fe80::1]", socket.gethostname(), "localhost"):
        assert reached.answer_to(header), header
    for header in ("rebound.example", "lab.example", ""):
        assert not reached.answer_to(header), header


def test_origins_that_are_taken() -> None:
    hosts = Hosts("lab.example")
    assert hosts.take_from("http://127.0.0.1:8501", "127.0.0.1:8501")
    assert hosts.take_from("https://lab.example", "127.0.0.1:8501"), "a proxy may rewrite Host"
    for origin in (
        "null",
        "",
        "http://127.0.0.1:1",
        "https://evil.example",
        "file://",
        "http://[::",
        "ws://127.0.0.1:8501",
    ):
        assert not hosts.take_from(origin, "127.0.0.1:8501"), origin


def test_headers_of_a_proxy() -> None:
    for name in ("Forwarded", "X-Forwarded-For", "x-forwarded-anything", "X-Real-IP", "VIA"):
        assert is_forwarded(["Host", name])
    assert not is_forwarded(["Host", "Origin", "User-Agent", "Cookie"])
