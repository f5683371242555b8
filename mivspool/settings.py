"""Every setting of the project, read once from the environment (prefix ``MIVSPOOL_``)."""

from __future__ import annotations

import os
import tempfile
from functools import lru_cache
from pathlib import Path
from typing import Literal

import platformdirs
from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from mivspool.errors import InputError

STREAMLIT: dict[str, bool | int | str] = {  # its options wherever it runs the app; not from the environment
    "server.headless": True,
    "server.fileWatcherType": "none",
    "server.showEmailPrompt": False,
    "browser.gatherUsageStats": False,
    "logger.hideWelcomeMessage": True,  # for which it would ask a server outside for this machine's address
    "runner.postScriptGC": False,  # the app does that itself: app/server/garbage.py
    # one run of a session at a time; else Streamlit begins the next in a thread beside one that still changes the state
    "runner.fastReruns": False,
    # a browser keeps a large message that so many runs did without
    "global.maxCachedMessageAge": 10,
}
STREAMLIT_HEALTH = "/_stcore/health"
"""Where Streamlit says that it answers."""


class Limits(BaseSettings):
    """What an uploaded file may cost (bytes, counts, seconds) before it is refused."""

    model_config = SettingsConfigDict(env_prefix="MIVSPOOL_LIMIT_")

    bytes: int = Field(64 * 1024**2, gt=0, description="bytes of one uploaded file")
    body_bytes: int = Field(16 * 1024**2, gt=0, description="bytes of one request that is not a file")
    readers: int = Field(2, gt=0, description="files, and requests as large as files, that are read at once")
    waiting: int = Field(16, ge=0, description="files and requests that wait to be read; more are refused")
    wait_seconds: float = Field(10.0, ge=0, description="seconds that one of them waits before it is refused")
    expanded_bytes: int = Field(256 * 1024**2, gt=0, description="bytes a zip may expand to")
    members: int = Field(10_000, gt=0, description="files in one zip")
    vertices: int = Field(1_000_000, gt=0, description="vertices of all graphs in a file")
    edges: int = Field(5_000_000, gt=0, description="edges of all graphs in a file")
    graphs: int = Field(100_000, gt=0, description="graphs in a file")
    depth: int = Field(100, gt=0, description="nesting of JSON, XML and the like")
    seconds: float = Field(30.0, gt=0, description="seconds a reader may take")
    connections: int = Field(
        4096, ge=16, description="connections at once; who waits longest for its client is closed"
    )
    request_seconds: float = Field(
        20.0,
        gt=0,
        description="seconds in which a request must arrive, or an answer be read, beside its bytes' time",
    )
    request_rate: int = Field(
        1024, gt=0, description="bytes per second at which a long request must arrive, or an answer be read"
    )


class Settings(BaseSettings):
    """Where things lie and what is allowed. ``settings()`` gives the one instance in use."""

    model_config = SettingsConfigDict(env_prefix="MIVSPOOL_")

    home: Path = Field(
        default_factory=lambda: Path(platformdirs.user_data_dir("mivspool")),
        description="data sets, jobs and trained models",
    )
    tu_url: str | None = Field(None, description="folder or address that holds the TU data sets as NAME.zip")
    backend_url: str | None = Field(None, description="address of a backend; none: inside this process")
    token: str | None = Field(None, description="bearer token of the backend")
    admin_token: str | None = Field(None, description="bearer token of whoever administers the backend")
    public: bool = Field(False, description="the app is for everyone who reaches it")
    app_token: str | None = Field(None, description="token that each person enters once to use the app")
    allowed_hosts: str = Field(
        "", description="names, with commas between, under which app and backend are reached beside their own"
    )
    embed: str | None = Field(
        None,
        pattern=r"^[A-Za-z0-9.*:/, \[\]-]*$",
        description="sites, with commas between, whose pages may show the app in a frame; *: all; "
        "none: all where the app is public, else its own alone",
    )
    database_url: str | None = Field(None, description="SQLAlchemy URL of the jobs; none: SQLite under home")
    store_url: str | None = Field(
        None,
        description="fsspec URL where uploads, checkpoints and kept models lie, a folder or S3; none: in the database",
    )
    database_seconds: float = Field(
        10.0, gt=0, description="seconds to wait for the database before a request is refused"
    )
    log_format: Literal["text", "json"] = Field(
        "text", description="lines for people, or one JSON document per event, requests included"
    )
    device: str = Field("auto", description="cpu, cuda, cuda:N or auto")
    allow_training: bool = True
    allow_uploads: bool = True
    keep_uploads_days: int = Field(7, ge=0)
    visitor_bytes: int = Field(
        256 * 1024**2, gt=0, description="bytes of all uploads and kept models of one visitor"
    )
    upload_bytes: int = Field(
        8 * 1024**3, gt=0, description="bytes of all uploads and kept models of all visitors"
    )
    separate_visitors: bool | None = Field(
        None, description="hide one visitor's uploads and jobs from another; none: only on a public address"
    )
    executor: Literal["local", "ray"] = Field("local", description="where jobs run")
    gpu_free_bytes: int = Field(
        2 * 1024**3,
        ge=0,
        description="bytes of GPU memory that must be free before a job begins; 0: it never waits",
    )
    workers: int = Field(1, ge=0, description="jobs this backend runs at once; 0: it only takes them in")
    gpu_fraction: float = Field(0.25, gt=0, le=1, description="share of a GPU one run takes on a cluster")
    max_jobs: int = Field(1000, gt=0, description="jobs kept in all; the oldest finished ones make way")
    max_waiting_jobs: int = Field(20, gt=0, description="unfinished jobs of one visitor")
    max_waiting_jobs_per_address: int = Field(
        200,
        gt=0,
        description="unfinished jobs from one address: of a class behind a proxy, or of one machine",
    )
    job_hours: float | None = Field(
        None, gt=0, description="hours that a job may run before it is interrupted; none: no limit"
    )
    keep_jobs_days: int = Field(90, gt=0, description="days after which a finished job is forgotten")
    rate_per_minute: int = Field(12_000, ge=0, description="requests of one visitor per minute; 0: no limit")
    tracking: str = Field(
        "",
        description="tensorboard, mlflow, or both separated by a comma: where runs of jobs are logged as well",
    )
    checkpoint_seconds: float = Field(10.0, ge=0, description="between two checkpoints of a training job")
    stale_seconds: float = Field(20.0, gt=0, description="silence after which a running job is queued again")
    job_deaths: int = Field(
        5,
        gt=0,
        description="ends of a job's process in a row, before it gets any further, that interrupt the job",
    )
    patience_seconds: float = Field(
        600.0,
        ge=0,
        description="seconds that a running job waits for a database that is away, or a disk that is full",
    )
    limits: Limits = Field(default_factory=Limits)


def private_folder(path: Path) -> Path:
    """Make a folder, with those above it that are missing, that no other account can read; the same path."""
    missing = [path, *path.parents]
    for folder in reversed(missing[: next(i for i, one in enumerate(missing) if one.is_dir())]):
        folder.mkdir(mode=0o700, exist_ok=True)
    return path


def check_home(home: Path) -> None:
    """Raise InputError where the home folder cannot be made or written."""
    try:
        private_folder(home)
        with tempfile.TemporaryFile(dir=home):
            pass
    except OSError as error:
        account = f"account {os.getuid()}" if hasattr(os, "getuid") else "this account"
        raise InputError(
            f"{account} cannot write to {home} ({error.strerror}): set MIVSPOOL_HOME to a folder that it can write to, "
            "or, in a container, mount one there that its user or group 0 can write to"
        ) from error


def keep_visitors_apart() -> None:
    """In this process and those that it starts, where MIVSPOOL_SEPARATE_VISITORS does not say otherwise."""
    if settings().separate_visitors is None:
        os.environ["MIVSPOOL_SEPARATE_VISITORS"] = "true"
        settings.cache_clear()


@lru_cache(maxsize=1)
def settings() -> Settings:
    """The settings in use; ``settings.cache_clear()`` reads the environment again.

    Raises InputError with the first variable whose value cannot be used.
    """
    try:
        return Settings()
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        prefix = (Limits if error.title == Limits.__name__ else Settings).model_config["env_prefix"]
        name = prefix + "_".join(map(str, first["loc"])).upper()
        should = first["msg"].replace("Input", "it", 1)
        raise InputError(f"the setting {name} cannot be {str(first['input'])[:60]!r}: {should}") from None
    except SettingsError:  # a document that is none
        raise InputError("the setting MIVSPOOL_LIMITS is no JSON: set the single limits instead") from None
