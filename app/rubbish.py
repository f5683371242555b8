"""What is looked through for rubbish after each run of a page.

Streamlit collects all cyclic rubbish after every run, also after a step that told Python nothing but a number. With
PyTorch, numba and RDKit loaded that looks at some 400,000 objects, which never are rubbish: 0.2 s a step, more than all
the rest. What was imported is therefore put aside (``gc.freeze``); what a session makes is collected as before.
"""

from __future__ import annotations

import gc
import sys

_MANY = 20  # modules: so many new ones are worth another look
_aside = 0  # modules that were there when objects were last put aside


def put_imports_aside() -> None:
    """Put aside what is there, if much was imported since the last time; called at the end of a run."""
    global _aside
    if len(sys.modules) < _aside + _MANY:
        return
    _aside = len(sys.modules)
    gc.collect()  # rubbish must not be kept
    gc.freeze()
