"""A runner in a process of its own that is started again whenever it ends, so that its end ends nothing else."""

from __future__ import annotations

import logging
import subprocess
import threading
from collections.abc import Callable, Sequence

from mivspool.errors import BackendError
from mivspool.service.parent import END_SECONDS
from mivspool.service.runner import environment_here
from mivspool.settings import Settings

log = logging.getLogger(__name__)

AGAIN_SECONDS = 3.0


class Keeper:
    """``command``: the process, which ends when its standard input does.

    ``check()`` raises BackendError where the process could do nothing. Then it is not started yet; where that is so
    from the beginning, the error is raised.
    """

    def __init__(self, command: Sequence[str], settings: Settings, check: Callable[[], None]) -> None:
        check()
        self._command, self._settings, self._check = list(command), settings, check
        self._process: subprocess.Popen[bytes] | None = None
        self._changing = threading.Lock()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._live, name="mivspool-keeper", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def prepare(self) -> None:
        """Nothing: the process is there."""

    def stop(self) -> None:
        """Ask the process to end, and end it if it does not."""
        with self._changing:
            self._over.set()
            process = self._process
        if process is not None:
            process.terminate()
            try:
                process.wait(3 * END_SECONDS)  # it waits for others itself
            except subprocess.TimeoutExpired:
                process.kill()
        if self._thread.is_alive():
            self._thread.join()

    def works(self) -> bool:
        """Whether its process runs."""
        process = self._process
        return process is not None and process.poll() is None

    def _live(self) -> None:
        told = ""
        while not self._over.is_set():
            try:
                self._check()
            except BackendError as error:
                if error.message != told:
                    log.warning("%s", error)
                told = error.message
            else:
                told = ""
                self._run()
            self._over.wait(AGAIN_SECONDS)

    def _run(self) -> None:
        with self._changing:
            if self._over.is_set():
                return
            self._process = process = subprocess.Popen(  # noqa: S603 - our own interpreter and module
                self._command,
                stdin=subprocess.PIPE,
                env=environment_here(self._settings),
                start_new_session=True,
            )
        with process:
            status = process.wait()
        if not self._over.is_set():
            log.warning("the process that runs jobs ended with status %s and is started again", status)
