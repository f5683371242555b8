"""``mivspool admin``: all jobs and visitors of a backend, and what one visitor may keep."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mivspool.errors import InputError

if TYPE_CHECKING:
    from mivspool.service.administration import Administration

EPILOG = """jobs                list the jobs of all visitors
cancel JOB          end a job; it is interrupted, and its visitor can resume it
delete JOB          forget a job that is not running
visitors            list what is kept of whom
forget VISITOR      delete all that is kept of a visitor
quota VISITOR       decide what one visitor may keep (--jobs, --bytes; neither: as the settings say)

With MIVSPOOL_BACKEND_URL it asks that backend, which needs MIVSPOOL_ADMIN_TOKEN; else it uses the database of
MIVSPOOL_HOME or MIVSPOOL_DATABASE_URL. A backend may run meanwhile."""
_WITH_NAME = {"cancel": "JOB", "delete": "JOB", "forget": "VISITOR", "quota": "VISITOR"}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What ``admin`` takes."""
    actions = ["jobs", "visitors", *_WITH_NAME]
    parser.add_argument("action", choices=actions, metavar="ACTION", help=", ".join(actions))
    parser.add_argument("name", nargs="?", metavar="NAME", help="the job or visitor, as the lists name them")
    parser.add_argument("--state", action="append", metavar="STATE", help="jobs: only those in this state")
    parser.add_argument("--jobs", type=int, metavar="N", help="quota: unfinished jobs")
    parser.add_argument("--bytes", type=int, metavar="N", help="quota: bytes of uploads and kept models")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(args: argparse.Namespace) -> int:
    """Do one thing."""
    from mivspool.service.client import Client
    from mivspool.settings import settings

    wanted = _WITH_NAME.get(args.action)
    if (args.name is None) != (wanted is None):
        says = f"needs a {wanted}" if wanted else "takes no name"
        raise InputError(f"`mivspool admin {args.action}` {says}; `mivspool admin --help` says more")
    use = settings()
    if use.backend_url and not use.admin_token:
        raise InputError(
            "set MIVSPOOL_ADMIN_TOKEN to the administrator's token of the backend at MIVSPOOL_BACKEND_URL"
        )
    with Client(use, run_jobs=False, administers=True) as client:
        _do(client.administration(use.admin_token), args)
    return 0


def _do(admin: Administration, args: argparse.Namespace) -> None:
    from mivspool.cli.output import print_json
    from mivspool.messages import count

    if args.action == "jobs":
        jobs = admin.all_jobs(states=args.state or ())
        if args.json:
            print_json([job.model_dump() for job in jobs])
            return
        for job in jobs:
            print(f"{job.id}  {job.state:<11}  {job.visitor}  {job.title}")
        print(count(len(jobs), "job"))
    elif args.action == "visitors":
        visitors = admin.visitors()
        if args.json:
            print_json([one.model_dump() for one in visitors])
            return
        for one in visitors:
            print(
                f"{one.visitor}  {count(one.jobs, 'job')} ({one.unfinished_jobs} of at most {one.most_waiting_jobs} "
                f"unfinished), {count(one.uploads, 'upload')}, {count(one.models, 'kept model')}, {one.bytes:,} of at "
                f"most {one.most_bytes:,} bytes"
            )
        print(count(len(visitors), "visitor"))
    elif args.action == "cancel":
        print(f"{args.name}: {'ends' if admin.cancel(args.name).cancelling else 'interrupted'}")
    elif args.action == "delete":
        admin.delete_job(args.name)
        print(f"{args.name}: deleted")
    elif args.action == "forget":
        admin.forget(args.name)
        print(f"{args.name}: all data deleted")
    else:
        found = admin.set_quota(args.name, args.jobs, args.bytes)
        jobs_text = count(found.most_waiting_jobs, "unfinished job")
        print(f"{args.name}: at most {jobs_text} and {found.most_bytes:,} bytes")
