"""Jobs in the database: submitted, claimed by one worker at a time, watched, cancelled, resumed, deleted.

A job is queued → running → done | failed | cancelled. Each time it is claimed it gets a new *attempt*; whatever a
worker writes carries its attempt, so that one that was given up for dead and comes back can no longer write
(``Lost``). A job whose worker has gone is queued again; one that dies again and again without getting any further is
*interrupted*, with the reason.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Row,
    and_,
    case,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from mivspool.errors import JobError
from mivspool.service.database import Database
from mivspool.service.objects import Content, Objects
from mivspool.service.patience import Patience, patient
from mivspool.service.queue import next_job, places, turns
from mivspool.service.quotas import quota
from mivspool.service.states import (
    CANCELLED,
    DONE,
    INTERRUPTED,
    QUEUED,
    RESUMABLE,
    RUNNING,
    UNFINISHED,
)
from mivspool.service.tables import events, files, jobs, now, runs
from mivspool.settings import Settings

MOST_LOG = 1_000_000  # bytes kept of a job's log: the last ones
AGAIN_SECONDS = 2.0  # before the attempt after a second death in a row; twice as long after each further one
_MOST_COMPARED = 10_000  # events
_MOST_TIMED = 200  # jobs that are done
TIMED = ("dataset", "method", "score", "hidden", "blocks", "max_epochs")  # what says how long a job takes
_DAY = 86_400.0


# with the attempt that runs
_RAN = jobs.c.ran + now() - func.coalesce(jobs.c.begun, now())
_LEFT = (jobs.c.id, jobs.c.cancel, jobs.c.deaths, jobs.c.stop_reason)  # what decides what becomes of a job


class Lost(Exception):  # noqa: N818 - a signal, not a fault
    """The job is no longer this worker's: it was given up, cancelled by force, resumed elsewhere or deleted."""


@dataclass(frozen=True)
class Claim:
    """A worker's right to one job, good for one attempt."""

    job: str
    attempt: int


@dataclass(frozen=True)
class Job:
    """One row of the job table."""

    id: str
    kind: str
    state: str
    title: str
    request: dict[str, Any]
    owner: str
    shared: bool
    created: float
    started: float | None
    finished: float | None
    heartbeat: float | None
    attempt: int
    deaths: int
    due: float | None
    address: str | None
    address_turn: int
    visitor_turn: int
    worker: str | None
    begun: float | None
    ran: float
    stop_reason: str | None
    cancel: bool
    last_event: int
    progress: dict[str, Any]
    result: dict[str, Any] | None
    error: str | None


@dataclass(frozen=True)
class Timed:
    """A job and for how many seconds it has run. ``request`` holds the texts of a few of its settings."""

    id: str
    request: Mapping[str, str | None]
    runs: int
    seconds: float


@dataclass(frozen=True)
class Times:
    """The jobs that wait and run, and the last that are done."""

    waiting: list[Timed]
    running: list[Timed]
    done: list[Timed]


@dataclass(frozen=True)
class Event:
    """One thing that happened to a job; ``n`` counts from 1 without gaps."""

    n: int
    time: float
    kind: str
    data: dict[str, Any]


class Store:
    """All jobs of one database. Every method is one transaction; safe from many threads and servers.

    ``patience``: how long the methods that a worker calls wait for a database that is away; none by default.
    """

    def __init__(self, settings: Settings, patience: Patience | None = None) -> None:
        self.settings = settings
        self.patience = patience or Patience()
        self.database = Database(settings)
        self.objects = Objects(self.database, settings)
        self.patience.insist(self.database.migrate)

    def close(self) -> None:
        """Give the database's connections back."""
        self.database.close()

    # -- what visitors do ------------------------------------------------------------------------------

    def submit(
        self,
        kind: str,
        request: dict[str, Any],
        *,
        title: str,
        owner: str = "",
        address: str | None = None,
        shared: bool = False,
        progress: dict[str, Any] | None = None,
    ) -> Job:
        """Queue a job. Raises JobError when too many are not finished yet; finished ones make way."""
        identity = secrets.token_hex(8)
        with self.database.write() as db:
            self._check_unfinished(db, owner, address)
            self._make_way(db)
            db.execute(
                insert(jobs).values(
                    id=identity, kind=kind, state=QUEUED, title=title, request=request, owner=owner,
                    shared=shared, created=now(), attempt=0, cancel=False, last_event=0, progress=progress or {},
                    address=address, **turns(db, address, owner),
                )
            )  # fmt: skip
            self._event(db, identity, QUEUED, {})
            return _job(db.execute(select(jobs).where(jobs.c.id == identity)).one())

    @patient
    def get(self, job: str) -> Job | None:
        """One job, or None."""
        with self.database.read() as db:
            row = db.execute(select(jobs).where(jobs.c.id == job)).one_or_none()
            return None if row is None else _job(row)

    def all(
        self,
        owner: str | None = None,
        *,
        states: Sequence[str] = (),
        kinds: Sequence[str] = (),
        limit: int = 100,
        offset: int = 0,
    ) -> list[Job]:
        """The newest jobs first; with ``owner`` only its own and shared ones."""
        query = select(jobs).order_by(jobs.c.created.desc(), jobs.c.id).limit(limit).offset(offset)
        if owner is not None:
            query = query.where(or_(jobs.c.owner == owner, jobs.c.shared))
        if states:
            query = query.where(jobs.c.state.in_(states))
        if kinds:
            query = query.where(jobs.c.kind.in_(kinds))
        with self.database.read() as db:
            return [_job(row) for row in db.execute(query)]

    def times(self) -> Times:
        """How long the jobs have run that wait, that run, and that were done last."""
        ran = case((jobs.c.state == RUNNING, _RAN), else_=jobs.c.ran)
        chosen = [jobs.c.request[name].as_string().label(name) for name in TIMED]
        query = select(jobs.c.id, jobs.c.state, jobs.c.progress, ran.label("seconds"), *chosen)
        done = query.where(jobs.c.state == DONE, jobs.c.ran > 0).order_by(jobs.c.finished.desc())
        with self.database.read() as db:
            rows = [
                *db.execute(query.where(jobs.c.state.in_(UNFINISHED))),
                *db.execute(done.limit(_MOST_TIMED)),
            ]
        found = Times([], [], [])
        of_state = {QUEUED: found.waiting, RUNNING: found.running, DONE: found.done}
        for row in rows:
            request = {name: getattr(row, name) for name in TIMED}
            runs = max(1, int(row.progress.get("runs_total", 1)))
            of_state[row.state].append(Timed(row.id, request, runs, row.seconds))
        return found

    def places(self) -> dict[str, int]:
        """The place of each job that waits: 1 is next."""
        with self.database.read() as db:
            return places(db)

    def counts(self) -> dict[str, int]:
        """How many jobs are in each state."""
        with self.database.read() as db:
            rows = db.execute(select(jobs.c.state, func.count().label("jobs")).group_by(jobs.c.state))
            return {row.state: row.jobs for row in rows}

    def longest_wait(self) -> float:
        """For how many seconds the job that has waited longest has waited; 0 if none waits."""
        since = func.min(func.coalesce(jobs.c.due, jobs.c.created))  # when it was queued last
        query = select(now() - since).where(jobs.c.state == QUEUED)
        with self.database.read() as db:
            return max(0.0, float(db.execute(query).scalar_one() or 0.0))

    def events(self, job: str, after: int = 0, limit: int = 1000) -> list[Event]:
        """The events numbered after ``after``, in order."""
        query = (
            select(events.c.n, events.c.time, events.c.kind, events.c.data)
            .where(events.c.job == job, events.c.n > after)
            .order_by(events.c.n)
            .limit(limit)
        )
        with self.database.read() as db:
            return [Event(*row) for row in db.execute(query)]

    def cancel(self, job: str, reason: str | None = None) -> Job:
        """Ask for an end: at once when queued, by its worker when running. Raises JobError when finished.

        ``reason``: why, where it is not its visitor who asks; the job is interrupted then, and says so.
        """
        state = CANCELLED if reason is None else INTERRUPTED
        with self.database.write() as db:
            queued = db.execute(
                update(jobs)
                .where(jobs.c.id == job, jobs.c.state == QUEUED)
                .values(state=state, finished=now(), cancel=True, address=None, error=reason)
            )
            if queued.rowcount:
                self._event(db, job, state, {} if reason is None else {"why": reason})
            else:
                asked: dict[str, Any] = {"cancel": True} | ({"stop_reason": reason} if reason else {})
                running = db.execute(
                    update(jobs).where(jobs.c.id == job, jobs.c.state == RUNNING).values(**asked)
                )
                if not running.rowcount:
                    raise JobError(f"the job {job} is not running: there is nothing to cancel")
            return self._one(db, job)

    def resume(self, job: str, address: str | None = None) -> Job:
        """Queue a job again that ended early; it goes on from its last checkpoint. Raises JobError."""
        with self.database.write() as db:
            before = self._one(db, job, hold=True)
            if before.state not in RESUMABLE:
                raise JobError(f"the job {job} is {before.state}: only a job that ended early can be resumed")
            self._check_unfinished(db, before.owner, address)
            db.execute(
                update(jobs)
                .where(jobs.c.id == job)
                .values(
                    state=QUEUED, cancel=False, finished=None, error=None, deaths=0, due=now(), address=address,
                    ran=0.0,
                    **turns(db, address, before.owner),
                )
            )  # fmt: skip
            self._event(db, job, QUEUED, {"resumed": True})
            return self._one(db, job)

    def delete(self, job: str) -> None:
        """Forget a finished job with all it left. Raises JobError while it is running."""
        with self.database.write() as db:
            gone = db.execute(delete(jobs).where(jobs.c.id == job, jobs.c.state != RUNNING))
            if not gone.rowcount:
                raise JobError(f"the job {job} is running: cancel it before you delete it")

    def forget(self, owner: str) -> None:
        """Delete all jobs of a visitor; the workers of those that run find them lost and end."""
        with self.database.write() as db:
            db.execute(delete(jobs).where(jobs.c.owner == owner))

    def delete_old(self) -> int:
        """Forget the jobs that have been finished for ``keep_jobs_days``; how many."""
        past = now() - self.settings.keep_jobs_days * _DAY
        old = and_(jobs.c.state.not_in(UNFINISHED), jobs.c.finished < past)
        with self.database.read() as db:  # a look without a lock: mostly there is nothing to do
            if db.execute(select(jobs.c.id).where(old).limit(1)).one_or_none() is None:
                return 0
        with self.database.write() as db:
            return int(db.execute(delete(jobs).where(old)).rowcount)

    # -- what workers do -------------------------------------------------------------------------------

    def waits(self, job: str | None = None) -> bool:
        """Whether a job (or that one) could be claimed now. Mostly there is none."""
        with self.database.read() as db:
            return db.execute(select(jobs.c.id).where(_waiting(job)).limit(1)).one_or_none() is not None

    def claim(self, worker: str, job: str | None = None) -> Claim | None:
        """Take the job whose turn it is (or that one), for this worker alone; None when there is none."""
        if not self.waits(job):  # a look without a lock
            return None
        with self.database.write() as db:
            identity = next_job(db, _waiting(job))
            if identity is None:
                return None
            attempt = db.execute(
                update(jobs)
                .where(jobs.c.id == identity, jobs.c.state == QUEUED)
                .values(
                    state=RUNNING, attempt=jobs.c.attempt + 1, worker=worker, heartbeat=now(),
                    started=func.coalesce(jobs.c.started, now()), finished=None, cancel=False, error=None,
                    due=None, begun=now(), stop_reason=None,
                )
                .returning(jobs.c.attempt)
            ).scalar_one_or_none()  # fmt: skip
            if attempt is None:
                return None
            self._event(db, identity, "started", {"attempt": attempt})
            return Claim(identity, attempt)

    def beat(self, claim: Claim) -> bool:
        """Say that the worker lives; True when it should stop. Raises Lost."""
        query = update(jobs).where(self._mine(claim)).values(heartbeat=now()).returning(jobs.c.cancel)
        with self.database.write() as db:
            cancel = db.execute(query).scalar_one_or_none()
        if cancel is None:
            raise Lost(claim.job)
        return bool(cancel)

    def asked(self, claim: Claim) -> bool:
        """Whether a cancel is asked for, without a sign of life (a part of a job asks this). Raises Lost."""
        with self.database.read() as db:
            cancel = db.execute(select(jobs.c.cancel).where(self._mine(claim))).scalar_one_or_none()
        if cancel is None:
            raise Lost(claim.job)
        return bool(cancel)

    def append(
        self, claim: Claim, kind: str, data: dict[str, Any], progress: dict[str, Any] | None = None
    ) -> int:
        """Add an event, with the job's new progress in the same transaction; its number. Raises Lost."""
        return self.append_all(claim, kind, [data], progress)

    def append_all(
        self, claim: Claim, kind: str, data: Sequence[dict[str, Any]], progress: dict[str, Any] | None = None
    ) -> int:
        """Add events of one kind in one transaction; the number of the last. Raises Lost."""
        tried = False

        def write() -> int:
            nonlocal tried
            if tried:  # the database may have gone after it had taken them, before it said so
                there = self._find_event(claim, kind, data[-1])
                if there is not None:
                    return there
            tried = True
            with self.database.write() as db:
                last = 0
                for item in data:
                    last = self._write(db, claim, kind, item, progress)
                return last

        return self.patience.insist(write) if data else 0

    @patient
    def record(
        self,
        claim: Claim,
        key: str,
        line: dict[str, Any],
        progress: dict[str, Any] | None = None,
        done_with: str | None = None,
    ) -> bool:
        """Keep one finished run with its event, once and for all; False when it was there before. Raises Lost.

        ``done_with``: a file that is no longer needed then (its checkpoint).
        """
        with self.database.write() as db:
            here = select(runs.c.key).where(runs.c.job == claim.job, runs.c.key == key)
            if db.execute(here).one_or_none() is not None:
                return False
            self._write(db, claim, "run", {"key": key, **line}, progress)
            self._gets_further(db, claim)
            db.execute(insert(runs).values(job=claim.job, key=key, line=line))
            db.execute(delete(files).where(files.c.job == claim.job, files.c.name == done_with))
            return True

    @patient
    def runs(self, job: str) -> dict[str, dict[str, Any]]:
        """The finished runs by key."""
        with self.database.read() as db:
            rows = db.execute(select(runs.c.key, runs.c.line).where(runs.c.job == job).order_by(runs.c.key))
            return {row.key: row.line for row in rows}

    def finish(
        self, claim: Claim, state: str, *, result: dict[str, Any] | None = None, error: str | None = None
    ) -> None:
        """End the job. Raises Lost."""
        progress = None
        values: dict[str, Any] = {"finished": now(), "address": None, "ran": _RAN}
        if result is not None:
            values["result"] = result
            progress = {"runs_done": result.get("runs", 1), "runs_total": result.get("runs", 1)}
        tried = False

        def write() -> None:
            nonlocal tried
            ended = and_(
                jobs.c.id == claim.job, jobs.c.attempt == claim.attempt, jobs.c.state.not_in(UNFINISHED)
            )
            with self.database.write() as db:
                if tried and self._count(db, ended):
                    return
                tried = True
                asked = db.execute(select(jobs.c.stop_reason).where(self._mine(claim))).scalar_one_or_none()
                how, why = (state, error) if state != CANCELLED or asked is None else (INTERRUPTED, asked)
                self._write(db, claim, how, {"error": why} if why else {}, progress)
                db.execute(update(jobs).where(self._mine(claim)).values(state=how, error=why, **values))

        self.patience.insist(write)

    def save(self, claim: Claim, name: str, content: Content) -> None:
        """Keep a file of the job's, whole or not at all; with each the job gets further. Raises Lost."""
        columns = self.patience.insist(lambda: self.objects.columns(content))

        def write() -> None:
            with self.database.write() as db:
                held = select(jobs.c.id).where(self._mine(claim)).with_for_update()
                if db.execute(held).one_or_none() is None:
                    raise Lost(claim.job)
                self._put(db, claim.job, name, columns)
                self._gets_further(db, claim)

        self.patience.insist(write)

    @patient
    def save_record(self, claim: Claim, prefix: str, parts: Mapping[str, bytes], first: str) -> None:
        """Keep parts of a record; those named ``prefix`` … are replaced from the name ``first`` on. Raises Lost."""
        with self.database.write() as db:
            held = select(jobs.c.id).where(self._mine(claim)).with_for_update()
            if db.execute(held).one_or_none() is None:
                raise Lost(claim.job)
            later = and_(files.c.job == claim.job, files.c.name.startswith(prefix), files.c.name >= first)
            db.execute(delete(files).where(later))
            for name, content in parts.items():
                self._put(db, claim.job, name, {"content": content})

    def names(self, job: str, prefix: str) -> list[str]:
        """The job's files whose names begin so, in order."""
        query = select(files.c.name).where(files.c.job == job, files.c.name.startswith(prefix))
        with self.database.read() as db:
            return sorted(db.execute(query).scalars())

    def save_log(self, job: str, content: bytes) -> None:
        """Keep a job's log: also after its worker has died."""
        with self.database.write() as db:
            if db.execute(select(jobs.c.id).where(jobs.c.id == job)).one_or_none() is not None:
                self._put(db, job, "log", {"content": content})

    @patient
    def add_log(self, job: str, text: str, most: int = MOST_LOG) -> None:
        """Add lines to a job's log, which keeps the last ``most`` bytes."""
        if not text:
            return
        mine = and_(files.c.job == job, files.c.name == "log")
        with self.database.write() as db:  # the job's row is held, so that of two that add none is lost
            held = select(jobs.c.id).where(jobs.c.id == job).with_for_update()
            if db.execute(held).one_or_none() is not None:
                before = db.execute(select(files.c.content).where(mine)).scalar_one_or_none() or b""
                self._put(db, job, "log", {"content": (bytes(before) + text.encode())[-most:]})

    @patient
    def load(self, job: str, name: str) -> bytes | None:
        """A file of the job's, or None."""
        row = self._file(job, name)
        return None if row is None else self.objects.read(row)

    @patient
    def fetch(self, job: str, name: str, path: Path) -> bool:
        """Write a file of the job's to a path, which may be large; False where there is none."""
        row = self._file(job, name)
        if row is not None:
            self.objects.fetch(row, path)
        return row is not None

    # -- what supervisors do ---------------------------------------------------------------------------

    def give_back(self, claim: Claim, why: str, *, died: bool = True) -> str | None:
        """Let go of a job whose worker is gone; the job's new state, None if it had ended or was not this one's.

        It is queued again, or cancelled where that was asked for. With the ``job_deaths``-th death in a row after
        which it had not got any further, it is interrupted. ``died=False``: an orderly end, which is not counted.
        """
        with self.database.write() as db:
            query = select(*_LEFT).where(self._mine(claim)).with_for_update()
            row = db.execute(query).one_or_none()
            return None if row is None else self._let_go(db, row, why, died)

    def give_back_stale(self, seconds: float) -> dict[str, str]:
        """Give back the running jobs that have been silent for ``seconds``: the new state of each."""
        stale = and_(jobs.c.state == RUNNING, jobs.c.heartbeat < now() - seconds)
        with self.database.read() as db:  # a look without a lock: mostly there is nothing to do
            if db.execute(select(jobs.c.id).where(stale).limit(1)).one_or_none() is None:
                return {}
        with self.database.write() as db:
            query = select(*_LEFT).where(stale).with_for_update()
            why = f"no sign of life for {seconds:.0f} s"
            return {row.id: self._let_go(db, row, why, died=True) for row in db.execute(query).all()}

    def stop_overtime(self) -> list[str]:
        """Ask the jobs to stop that have run for as long as a job may: which."""
        hours = self.settings.job_hours
        if hours is None:
            return []
        over = and_(jobs.c.state == RUNNING, jobs.c.cancel.is_(False), literal(3600 * hours) < _RAN)
        with self.database.read() as db:  # a look without a lock: mostly there is nothing to do
            if db.execute(select(jobs.c.id).where(over).limit(1)).one_or_none() is None:
                return []
        why = (
            f"it has run for {hours:g} h, the longest that a job may run here (MIVSPOOL_JOB_HOURS): if you "
            "resume it, it continues when its turn comes"
        )
        stop = update(jobs).where(over).values(cancel=True, stop_reason=why).returning(jobs.c.id)
        with self.database.write() as db:
            return list(db.execute(stop).scalars())

    # -- parts -----------------------------------------------------------------------------------------

    def _check_unfinished(self, db: Connection, owner: str, address: str | None) -> None:
        """Raises JobError when a visitor, an address or all together have enough that is not finished."""
        unfinished, use = jobs.c.state.in_(UNFINISHED), self.settings
        waiting = self._count(db, jobs.c.owner == owner, unfinished)
        decided = quota(db, owner).waiting_jobs
        if waiting >= (use.max_waiting_jobs if decided is None else decided):
            raise JobError(f"{waiting} of your jobs are not finished yet: wait for one or cancel one")
        if address is not None:
            waiting = self._count(db, jobs.c.address == address, unfinished)
            if waiting >= use.max_waiting_jobs_per_address:
                raise JobError(
                    f"{waiting} jobs from your network's address are not finished yet: try again later"
                )
        waiting = self._count(db, unfinished)
        if waiting >= use.max_jobs:
            raise JobError(f"{waiting} jobs of all visitors are not finished yet: try again later")

    def _make_way(self, db: Connection) -> None:
        """Where there are ``max_jobs``, forget a finished one: first what never ran, then what did not end well."""
        if self._count(db) < self.settings.max_jobs:
            return
        worth = (jobs.c.started.is_not(None), jobs.c.state == DONE, jobs.c.finished)
        least = select(jobs.c.id).where(jobs.c.state.not_in(UNFINISHED)).order_by(*worth).limit(1)
        db.execute(delete(jobs).where(jobs.c.id == db.execute(least).scalar_one()))

    @staticmethod
    def _mine(claim: Claim) -> Any:
        return and_(jobs.c.id == claim.job, jobs.c.state == RUNNING, jobs.c.attempt == claim.attempt)

    @staticmethod
    def _count(db: Connection, *where: Any) -> int:
        return int(db.execute(select(func.count()).select_from(jobs).where(*where)).scalar_one())

    @staticmethod
    def _one(db: Connection, job: str, *, hold: bool = False) -> Job:
        query = select(jobs).where(jobs.c.id == job)
        row = db.execute(query.with_for_update() if hold else query).one_or_none()
        if row is None:
            raise JobError(f"there is no job {job}")
        return _job(row)

    def _let_go(self, db: Connection, row: Any, why: str, died: bool) -> str:
        deaths = row.deaths + died
        values: dict[str, Any] = {"deaths": deaths, "ran": _RAN}
        if row.cancel:
            state, why = (CANCELLED, why) if row.stop_reason is None else (INTERRUPTED, row.stop_reason)
            values |= {"state": state, "finished": now(), "error": why, "address": None}
        elif died and deaths >= self.settings.job_deaths:
            why = f"it ended {deaths} times in a row without getting further: {why}"
            values |= {"state": INTERRUPTED, "finished": now(), "error": why, "address": None}
        else:
            wait = AGAIN_SECONDS * 2 ** (deaths - 2) if died and deaths > 1 else 0.0
            values |= {"state": QUEUED, "due": now() + wait}
        db.execute(update(jobs).where(jobs.c.id == row.id).values(**values))
        self._event(db, row.id, values["state"], {"why": why})
        return str(values["state"])

    def _gets_further(self, db: Connection, claim: Claim) -> None:
        db.execute(update(jobs).where(self._mine(claim), jobs.c.deaths > 0).values(deaths=0))

    def _find_event(self, claim: Claim, kind: str, data: dict[str, Any]) -> int | None:
        """The number of an event of this attempt, where it is there."""
        query = (
            select(events.c.n, events.c.kind, events.c.data)
            .where(events.c.job == claim.job, events.c.kind.in_([kind, "started"]))
            .order_by(events.c.n.desc())
            .limit(_MOST_COMPARED)
        )
        wanted = json.dumps(data, sort_keys=True)
        with self.database.read() as db:
            for row in db.execute(query):
                if row.kind == kind and json.dumps(row.data, sort_keys=True) == wanted:
                    return int(row.n)
                if row.kind == "started":
                    return None
        return None

    def _write(
        self, db: Connection, claim: Claim, kind: str, data: dict[str, Any], progress: dict[str, Any] | None
    ) -> int:
        values: dict[str, Any] = {"last_event": jobs.c.last_event + 1, "heartbeat": now()}
        if progress is not None:
            values["progress"] = progress
        n = db.execute(
            update(jobs).where(self._mine(claim)).values(**values).returning(jobs.c.last_event)
        ).scalar_one_or_none()
        if n is None:
            raise Lost(claim.job)
        db.execute(insert(events).values(job=claim.job, n=n, time=now(), kind=kind, data=data))
        return int(n)

    @staticmethod
    def _event(db: Connection, job: str, kind: str, data: dict[str, Any]) -> None:
        n = db.execute(
            update(jobs)
            .where(jobs.c.id == job)
            .values(last_event=jobs.c.last_event + 1)
            .returning(jobs.c.last_event)
        ).scalar_one()
        db.execute(insert(events).values(job=job, n=n, time=now(), kind=kind, data=data))

    def _file(self, job: str, name: str) -> Mapping[Any, Any] | None:
        query = select(files.c.content, files.c.object).where(files.c.job == job, files.c.name == name)
        with self.database.read() as db:
            row = db.execute(query).one_or_none()
            return None if row is None else row._mapping

    @staticmethod
    def _put(db: Connection, job: str, name: str, columns: Mapping[str, Any]) -> None:
        changed = db.execute(update(files).where(files.c.job == job, files.c.name == name).values(**columns))
        if not changed.rowcount:
            db.execute(insert(files).values(job=job, name=name, **columns))


def _waiting(job: str | None) -> ColumnElement[bool]:
    """The jobs whose turn may be now; ``job``: that one alone."""
    waiting = and_(jobs.c.state == QUEUED, or_(jobs.c.due.is_(None), jobs.c.due <= now()))
    return waiting if job is None else and_(waiting, jobs.c.id == job)


def _job(row: Row[Any]) -> Job:
    return Job(**row._mapping)
