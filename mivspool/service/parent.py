"""A process that was started to work for another one ends with it, however that one ended.

The one that starts it holds the other end of its standard input (``stdin=subprocess.PIPE``) and writes nothing there:
the pipe ends when its holder does, be it by SIGKILL. That holds on every system, and also while the process starts.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sys
import threading

END_SECONDS = 5.0  # to write down how far it came
LEFT = 3  # the exit status of one that left its job alone: it is another's, or the database was away too long
FOLDER = "MIVSPOOL_JOB_FOLDER"  # in its environment: the folder for what it writes, which is gone after it


def end_with_parent(folder: str | None = None) -> None:
    """From now on: as if the process were asked to end (SIGTERM) once its parent has gone, and by force after that.

    ``folder``: removed then, because the parent cannot.
    """
    threading.Thread(target=_watch, args=[folder], name="mivspool-parent", daemon=True).start()


def _watch(folder: str | None) -> None:
    def clear() -> None:
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)

    def end() -> None:
        clear()
        os._exit(1)

    sys.stdin.buffer.read()
    atexit.register(clear)
    by_force = threading.Timer(END_SECONDS, end)
    by_force.daemon = True
    by_force.start()
    signal.raise_signal(signal.SIGTERM)
