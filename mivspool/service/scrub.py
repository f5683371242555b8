"""What leaves the backend names no path of the server: the last part of a path is enough for a reader."""

from __future__ import annotations

import re
from typing import Any

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
