"""What leaves the backend names no path of the server, and nothing of what a driver says: that is for its log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from mivspool.errors import UnavailableError

# an absolute POSIX path of two parts or more, or a Windows one; not the path of a web address
_PATH = re.compile(r"(?<![\w:/.\\])(?:/(?:[^\s/'\"<>|:;,()\[\]]+/)+|[A-Za-z]:\\(?:[^\s\\'\"<>|:;,()]+\\)+)")


def scrub(text: str) -> str:
    """``text`` with every absolute path cut down to its last part.

    >>> scrub("cannot read /home/ann/data/MAO.zip (see https://example.org/a/b)")
    'cannot read …/MAO.zip (see https://example.org/a/b)'
    """
    return _PATH.sub("…/", text)


def scrub_all(value: Any) -> Any:
    """The same document with every text in it scrubbed."""
    if isinstance(value, str):
        return scrub(value)
    if isinstance(value, dict):
        return {key: scrub_all(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [scrub_all(item) for item in value]
    return value


def in_full(error: BaseException) -> str:
    """An error with what its cause says, which may name addresses and accounts: for the log alone."""
    cause = error.__cause__
    if cause is None:
        return str(error)
    said = " ".join(
        str(getattr(cause, "orig", cause)).split()
    )  # without SQLAlchemy's statement and its values
    return f"{error}: {said or type(cause).__name__}"


@contextmanager
def told_in_full() -> Iterator[None]:
    """Within it whoever runs the backend is asked: what cannot be reached is told with its cause."""
    try:
        yield
    except UnavailableError as error:
        raise type(error)(in_full(error)) from error.__cause__
