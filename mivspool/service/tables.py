"""The tables of the job database. Times are seconds since 1970 by the database's own clock."""

from __future__ import annotations

from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)
from sqlalchemy.ext.compiler import compiles
from sqlalchemy.sql.functions import FunctionElement

metadata = MetaData()

jobs = Table(
    "jobs",
    metadata,
    Column("id", String(32), primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("state", String(16), nullable=False),
    Column("title", Text, nullable=False),
    Column("request", JSON, nullable=False),
    Column("owner", String(32), nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("created", Float(53), nullable=False),
    Column("started", Float(53)),
    Column("finished", Float(53)),
    Column("heartbeat", Float(53)),
    Column("attempt", Integer, nullable=False, default=0),
    Column(
        "deaths", Integer, nullable=False, default=0, server_default="0"
    ),  # in a row, without getting further
    Column("due", Float(53)),  # queued again: not claimed before
    Column("address", String(64)),  # of whoever asked for it, until it has ended
    Column("address_turn", Integer, nullable=False, default=0, server_default="0"),  # see queue.py
    Column("visitor_turn", Integer, nullable=False, default=0, server_default="0"),
    Column("worker", String(128)),
    Column("begun", Float(53)),  # this attempt
    Column(
        "ran", Float(53), nullable=False, default=0.0, server_default="0"
    ),  # seconds of the attempts before it
    Column("stop_reason", Text),  # why it is asked to stop, where its visitor did not ask
    Column("cancel", Boolean, nullable=False, default=False),
    Column("last_event", Integer, nullable=False, default=0),
    Column("progress", JSON, nullable=False),
    Column("result", JSON),
    Column("error", Text),
    Index("jobs_by_state", "state", "created"),
)

events = Table(
    "events",
    metadata,
    Column("job", String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("time", Float(53), nullable=False),
    Column("kind", String(16), nullable=False),
    Column("data", JSON, nullable=False),
)

# a job's finished runs: an evaluation has many, and none of them twice
runs = Table(
    "runs",
    metadata,
    Column("job", String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(200), primary_key=True),
    Column("line", JSON, nullable=False),
)

# a job's files: checkpoint, model, log; where any server and any machine can go on with them
files = Table(
    "files",
    metadata,
    Column("job", String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Column("name", String(200), primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("object", String(64)),  # where the content lies in an object store: see objects.py
)

uploads = Table(
    "uploads",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("owner", String(32), primary_key=True),
    Column("name", Text, nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("created", Float(53), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("summary", JSON, nullable=False),
)

contents = Table(
    "contents",
    metadata,
    Column("id", String(64), primary_key=True),
    Column("content", LargeBinary, nullable=False),
    Column("object", String(64)),
)

# models that were kept from jobs, with their files: every server of one database has them
models = Table(
    "models",
    metadata,
    Column("name", String(64), primary_key=True),
    Column("owner", String(32), nullable=False),
    Column("shared", Boolean, nullable=False),
    Column("job", String(32)),
    Column("created", Float(53), nullable=False),
    Column("size", BigInteger, nullable=False, default=0, server_default="0"),
    Column("content", LargeBinary, nullable=False),
    Column("object", String(64)),
)

# what was put into an object store; written down before it is, so that nothing there is forgotten
objects = Table(
    "objects",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("unused_since", Float(53)),  # no row names it
)

# what an administrator has decided for one visitor; nothing: as the settings say
quotas = Table(
    "quotas",
    metadata,
    Column("owner", String(32), primary_key=True),
    Column("waiting_jobs", Integer),
    Column("bytes", BigInteger),
)


class now(FunctionElement[float]):  # noqa: N801 - an SQL function
    """The database's clock in seconds since 1970, so that servers with different clocks agree."""

    type = Float(53)
    inherit_cache = True


@compiles(now, "sqlite")
def _now_sqlite(element: now, compiler: Any, **kw: Any) -> str:
    return "((julianday('now') - 2440587.5) * 86400.0)"


@compiles(now, "postgresql")
def _now_postgresql(element: now, compiler: Any, **kw: Any) -> str:
    return "extract(epoch from clock_timestamp())::float8"
