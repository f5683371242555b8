"""A PostgreSQL server of the tests' own: in a temporary folder, on a socket there, gone afterwards."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg


def find_binaries() -> Path | None:
    """The folder of the newest initdb and pg_ctl."""
    folders = sorted(
        Path("/usr/lib/postgresql").glob("*/bin"), key=lambda p: int(p.parent.name.split(".")[0])
    )
    found = shutil.which("pg_ctl")
    folders = folders or ([Path(found).resolve().parent] if found else [])
    return folders[-1] if folders else None


def other_user() -> str | None:
    """The server refuses to run as root: then it runs as this user. None: as the present one."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


@contextmanager
def server(binaries: Path) -> Iterator[str]:
    """The folder of the socket of a running server."""
    user = other_user()
    folder = Path(tempfile.mkdtemp(prefix="mivspool-pg-"))
    if user is not None:
        shutil.chown(folder, user)

    def run(command: str, *arguments: str) -> None:
        _run(binaries, folder, command, *arguments)

    data = folder / "data"
    try:
        run(
            "initdb",
            "-D",
            str(data),
            "-U",
            "mivspool",
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "--no-sync",
        )
        options = (
            f"-c listen_addresses= -c unix_socket_directories={folder} -c fsync=off -c max_connections=200"
        )
        (folder / "options").write_text(options)
        run("pg_ctl", "-D", str(data), "-w", "-l", str(folder / "log"), "-o", options, "start")
        try:
            yield str(folder)
        finally:
            run("pg_ctl", "-D", str(data), "-w", "-m", "immediate", "stop")
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(binaries: Path, folder: Path, command: str, *arguments: str) -> None:
    subprocess.run(
        [binaries / command, *arguments], user=other_user(), cwd=folder, check=True, timeout=120,
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def stop(folder: str, mode: str = "fast") -> None:
    """Stop the server of this folder; its clients lose their connections."""
    _control(folder, "-m", mode, "stop")


def start(folder: str) -> None:
    """Start it again as it was."""
    _control(folder, "start", "-o", (Path(folder) / "options").read_text())


def restart(folder: str) -> None:
    """Both at once."""
    _control(folder, "-m", "fast", "restart")


def _control(folder: str, *arguments: str) -> None:
    binaries = find_binaries()
    assert binaries is not None
    where = ("-D", str(Path(folder) / "data"), "-w", "-l", str(Path(folder) / "log"))
    _run(binaries, Path(folder), "pg_ctl", *where, *arguments)


def new_database(folder: str, name: str) -> str:
    """The address of a new, empty database."""
    with psycopg.connect(f"host={folder} user=mivspool dbname=postgres", autocommit=True) as connection:
        connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"postgresql://mivspool@/{name}?host={folder}"
