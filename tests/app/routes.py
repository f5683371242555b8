"""Follows a thing through the code: the files in which its next forms are made, in the order of the calls.

The rule. A thing takes one form after the other (an upload: its name in links, a graph, levels, a pooled graph, what
is drawn of it). When a form is first made, the calls that lead there from the function where one began to follow are on
the route, each by the file that it enters, at the time when it enters it. Calls within a file enter nothing; a call
that makes no new form is not on the route. What a function of the library calls is its own matter: the route shows that
function's file and goes no deeper. Coming back to the caller is no call. A file that is entered again, after another
one was, is a return.

A run of the page's script begins anew, because nothing but the link goes from one to the next.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from itertools import groupby
from types import FrameType
from typing import Any

from tests.test_house import ROOT

Forms = Mapping[str, Callable[[Any], bool]]
"""What to follow: the name of each form, and whether a value is one."""


def file_of(frame: FrameType) -> str | None:
    """The file of ours that a call is in; None for others'."""
    path = frame.f_code.co_filename
    own = path.startswith((f"{ROOT}/app/", f"{ROOT}/mivspool/"))
    return path.removeprefix(f"{ROOT}/") if own else None


class Leg:
    """What is followed from a call of ``start``, a function of ours, on.

    ``end``: the function that takes the last form.
    """

    def __init__(self, start: tuple[str, str], forms: Forms, end: tuple[str, str] | None = None) -> None:
        self.start, self.forms, self.end = start, dict(forms), end
        self.entered: dict[int, str] = {}  # time of a call: the file

    @property
    def files(self) -> list[str]:
        """The files of the route, in order."""
        return [name for name, _ in groupby(self.entered[time] for time in sorted(self.entered))]

    def lead(self, frame: FrameType, times: Mapping[int, int]) -> None:
        """Put the calls on the route that lead to this one."""
        chain = []
        at: FrameType | None = frame
        while at is not None:
            if file_of(at) is not None and id(at) in times:
                chain.append(at)
                if (file_of(at), at.f_code.co_name) == self.start:
                    break
            at = at.f_back
        else:
            return  # not from where this leg starts
        before = None
        for call in reversed(chain):
            file = file_of(call)
            if file != before:
                self.entered[times[id(call)]] = str(file)
            if str(file).startswith("mivspool/"):
                return
            before = file


@contextmanager
def followed(*legs: Leg) -> Iterator[None]:
    """Follow what is called meanwhile, in whatever thread; each call of a leg's ``start`` begins the next leg."""
    times: dict[int, int] = {}
    clock = 0
    current = -1

    def heard(frame: FrameType, event: str, value: Any) -> None:
        nonlocal clock, current
        if event not in {"call", "return"} or file_of(frame) is None:
            return
        place = (str(file_of(frame)), frame.f_code.co_name)
        if event == "call":
            clock += 1
            times[id(frame)] = clock
            if current + 1 < len(legs) and place == legs[current + 1].start:
                current += 1
            if current >= 0 and place == legs[current].end:
                legs[current].lead(frame, times)
                legs[current].end = None
            return
        if current >= 0:
            leg = legs[current]
            for name in [name for name, is_one in leg.forms.items() if is_one(value)]:
                del leg.forms[name]
                leg.lead(frame, times)
        times.pop(id(frame), None)

    threading.setprofile(heard)
    sys.setprofile(heard)
    try:
        yield
    finally:
        threading.setprofile(None)
        sys.setprofile(None)


def returns(leg: Leg) -> list[str]:
    """The files that a leg enters again after it has left them."""
    return [file for k, file in enumerate(leg.files) if file in leg.files[:k]]
