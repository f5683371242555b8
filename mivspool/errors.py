"""The errors a person may see: each message is a sentence that says what is wrong, where, and what to do."""

from __future__ import annotations


class MIVSPoolError(Exception):
    """Anything that went wrong because of what was given, not because of a bug of ours.

    ``line`` is the 1-based line of the file the message is about, where there is one.
    """

    def __init__(self, message: str, *, line: int | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.line = line

    def __str__(self) -> str:
        return self.message


class InputError(MIVSPoolError):
    """An argument, a score or an option that cannot be used."""


class ReadError(MIVSPoolError):
    """A file that cannot be read as a graph."""


class LimitError(ReadError):
    """A file that is larger, deeper or slower than the settings allow."""


class DatasetError(MIVSPoolError):
    """A data set that is not known or cannot be had."""


class ModelError(MIVSPoolError):
    """A model that is not known, cannot be loaded, or does not take this graph."""


class JobError(MIVSPoolError):
    """A job that is not known or cannot do what was asked of it."""


class BackendError(MIVSPoolError):
    """A backend that cannot be reached, refuses the request, or failed at it."""
