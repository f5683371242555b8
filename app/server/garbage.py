"""When the garbage collector runs, and over which objects.

Streamlit's own way, a full collection after every run of a page, visits all objects that live, also after a step that
told Python nothing but a number: with PyTorch, numba and RDKit loaded that takes 0.2 s, and with fifty sessions still
22 ms when the libraries' objects are set aside, more than all the rest of a run. It is switched off
(``mivspool.settings.STREAMLIT``). Here, what was imported is set aside (``gc.freeze``), and what sessions make is
collected every few seconds of use.
"""

from __future__ import annotations

import gc
import sys
import time

_MANY = 20  # modules: so many new ones are worth another collection
_EVERY = 5.0  # seconds
_aside = 0  # modules that were there when objects were last set aside
_last = 0.0  # when the collector last ran


def collect() -> None:
    """Collect if that is due, and set imports aside; called at the end of a run."""
    global _aside, _last
    much = len(sys.modules) >= _aside + _MANY
    if not much and time.monotonic() < _last + _EVERY:
        return
    _last = time.monotonic()
    gc.collect()  # before freezing, or garbage would be kept for ever
    if much:
        _aside = len(sys.modules)
        gc.freeze()
