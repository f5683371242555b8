"""The errors a person may see: each message is a sentence that says what is wrong, where, and what to do."""

from __future__ import annotations

import errno

_LONGEST = 1000


def _one_line(message: str) -> str:
    """The message as every terminal, page and JSON takes it, whatever of a file it quotes: one line, of bounded length.

    Control characters, overrides of direction and lone surrogates are written as escapes.
    """
    if len(message) > _LONGEST:
        message = f"{message[: _LONGEST - 1]}…"
    if message.isprintable():
        return message
    return "".join(
        _escaped(c) if c < " " or "\x7f" <= c < "\xa0" or c in _ACTING or "\ud800" <= c <= "\udfff" else c
        for c in message.replace("\r\n", " ").replace("\n", " ")
    )


_ACTING = "\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"


def _escaped(c: str) -> str:
    return c.encode("unicode_escape").decode("ascii")


class MIVSPoolError(Exception):
    """Anything that went wrong because of what was given, not because of a bug of ours.

    ``line`` is the 1-based line of the file the message is about, where there is one.
    """

    def __init__(self, message: str, *, line: int | None = None) -> None:
        message = _one_line(message)
        super().__init__(message)
        self.message = message
        self.line = line

    def __str__(self) -> str:
        return self.message


class InputError(MIVSPoolError):
    """An argument, a score or an option that cannot be used."""


class ReadError(MIVSPoolError):
    """A file that cannot be read as a graph."""


class VerticesAloneError(ReadError):
    """A table of vertices without the table of their edges: given together they are a graph."""


class LimitError(ReadError):
    """A file that is larger, deeper or slower than the settings allow."""


class DatasetError(MIVSPoolError):
    """A data set that is not known or cannot be had."""


class ModelError(MIVSPoolError):
    """A model that is not known, cannot be loaded, or does not take this graph."""


class JobError(MIVSPoolError):
    """A job that is not known or cannot do what was asked of it."""


class MissingPackageError(MIVSPoolError, ImportError):
    """A package of an extra that is not installed; the message says how to install it."""


class BackendError(MIVSPoolError):
    """A backend that cannot be reached, refuses the request, or failed at it."""


class AccessError(BackendError):
    """A backend that does not let whoever asks do this: without its token, say, or with another visitor's thing."""


class UnavailableError(BackendError):
    """A backend that cannot answer now and may later: it is busy, or its database does not answer."""


class StorageError(UnavailableError):
    """A backend that has no space left on a disk."""


def is_full(error: BaseException) -> bool:
    """Whether the operating system refuses to write because a disk, or a quota of it, is full."""
    return isinstance(error, OSError) and error.errno in {errno.ENOSPC, errno.EDQUOT}
