"""A process that was started to work for another one ends with it, however that one ended.

The one that starts it holds the other end of its standard input (``stdin=subprocess.PIPE``) and writes nothing there:
the pipe ends when its holder does, be it by SIGKILL. That holds on every system, and also while the process starts.
"""

from __future__ import annotations

import os
import signal
import sys
import threading

END_SECONDS = 5.0  # to write down how far it came
LEFT = 3  # the exit status of one that left its job alone: it is another's, or the database was away too long


def end_with_parent() -> None:
    """From now on: as if the process were asked to end (SIGTERM) once its parent has gone, and by force after that."""
    threading.Thread(target=_watch, name="mivspool-parent", daemon=True).start()


def _watch() -> None:
    sys.stdin.buffer.read()
    by_force = threading.Timer(END_SECONDS, os._exit, [1])
    by_force.daemon = True
    by_force.start()
    signal.raise_signal(signal.SIGTERM)
