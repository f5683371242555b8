"""When it is looked for cyclic rubbish, and in what.

Streamlit's own way, a full collection after every run of a page, looks at all that lives, also after a step that told
Python nothing but a number: with PyTorch, numba and RDKit loaded 0.2 s, and with fifty sessions still 22 ms when those
were put aside, more than all the rest. It is switched off (``mivspool.settings.STREAMLIT``). Here, what was imported is
put aside (``gc.freeze``), and the rest, what sessions make, is looked through every few seconds of use.
"""

from __future__ import annotations

import gc
import sys
import time

_MANY = 20  # modules: so many new ones are worth another look
_EVERY = 5.0  # seconds
_aside = 0  # modules that were there when objects were last put aside
_last = 0.0  # when it was last looked for rubbish


def collect() -> None:
    """Look for rubbish if that is due, and put imports aside; called at the end of a run."""
    global _aside, _last
    much = len(sys.modules) >= _aside + _MANY
    if not much and time.monotonic() < _last + _EVERY:
        return
    _last = time.monotonic()
    gc.collect()  # rubbish must not be kept
    if much:
        _aside = len(sys.modules)
        gc.freeze()
