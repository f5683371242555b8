"""The Ray cluster: whether it is there, the connection to it, and the runs of an evaluation as its tasks."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from mivspool.errors import BackendError, MIVSPoolError
from mivspool.service.patience import PASSING
from mivspool.service.runner import environment
from mivspool.settings import Settings

if TYPE_CHECKING:
    from mivspool.learning.runs import Task
    from mivspool.learning.training import RunResult

REACH_SECONDS = 2.0
# what a client of HTTP/2, which Ray speaks, sends first; a server answers with a frame of the kind SETTINGS
_PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0])
_SETTINGS = bytes([4])
RETRIES = 5  # how often a run is started again after its machine or process has died
_AT_THE_DOOR = {"token", "app_token", "admin_token", "backend_url"}  # of no use to a task


def check_cluster() -> None:
    """Look whether Ray is installed and, where ``RAY_ADDRESS`` names a machine, answers there. Raises BackendError.

    Ray itself tries for minutes, deaf to signals, and then ends the process.
    """
    if importlib.util.find_spec("ray") is None:
        raise BackendError("running on a cluster needs Ray: pip install 'mivspool[ray]'")
    address = os.environ.get("RAY_ADDRESS", "")
    scheme, _, rest = address.rpartition("://")
    if address in {"", "auto", "local"} or scheme not in {"", "ray"}:
        return
    where = f"the Ray cluster at {address} (RAY_ADDRESS)"
    try:
        parts = urlsplit(f"//{rest}")
        host, port = parts.hostname, parts.port
    except ValueError:
        host, port = None, None
    if not host or not port:
        raise BackendError(f"{where} cannot be reached: its address must be HOST:PORT")
    try:
        with socket.create_connection((host, port), timeout=REACH_SECONDS) as connection:
            if os.environ.get("RAY_USE_TLS", "0") == "0":
                connection.sendall(_PREFACE)
                if connection.recv(4)[3:] != _SETTINGS:
                    raise BackendError(f"{where} cannot be reached: another kind of server answers there")
    except (OSError, UnicodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise BackendError(
            f"{where} cannot be reached ({reason}): start it with `ray start --head`, or unset "
            "RAY_ADDRESS to start one on this machine"
        ) from error


def connect() -> Any:
    """Ray, connected to the cluster of ``RAY_ADDRESS``, or to one of this machine alone. Raises BackendError."""
    there = _is_connected()
    if not there:
        check_cluster()  # before the import, which takes seconds
    import ray

    if not there:
        try:
            ray.init(
                configure_logging=False, log_to_driver=False, include_dashboard=False, namespace="mivspool"
            )
        except (ConnectionError, ValueError, RuntimeError) as error:
            raise BackendError(f"the Ray cluster (RAY_ADDRESS) cannot be reached: {error}") from error
    return ray


def _is_connected() -> bool:
    return "ray" in sys.modules and bool(sys.modules["ray"].is_initialized())


@contextlib.contextmanager
def connected() -> Iterator[Any]:
    """The same for a while: a connection that was not there before is closed."""
    before = _is_connected()
    ray = connect()
    try:
        yield ray
    finally:
        if not before:
            ray.shutdown()


def remote(ray: Any, function: Callable[..., Any], gpu_fraction: float) -> Any:
    """The function as a Ray task: one CPU, a share of a GPU where the cluster has any.

    It is started again after a death, and after what another machine or moment may not have.
    """
    gpus = gpu_fraction if ray.cluster_resources().get("GPU") else 0
    return ray.remote(num_cpus=1, num_gpus=gpus, max_retries=RETRIES, retry_exceptions=list(PASSING))(
        function
    )


def task_environment(settings: Settings) -> dict[str, str]:
    """What a task is given of the settings: not who may ask the backend."""
    found = environment(settings.model_copy(update=dict.fromkeys(_AT_THE_DOOR)))
    return {name: value for name, value in found.items() if name.startswith("MIVSPOOL_")}


def run_on_cluster(
    due: Sequence[Task], workers: int, should_stop: Callable[[], bool] | None
) -> Iterator[tuple[Task, RunResult]]:
    """The runs of ``mivspool evaluate --executor ray``, in the order in which they end.

    ``workers`` is not used: Ray knows what its cluster has. Raises what a run raised. Ray says some things on
    standard output, where they would spoil a document: until the last run they go to standard error.
    """
    from mivspool.settings import settings

    with contextlib.redirect_stdout(sys.stderr), connected() as ray:
        task = remote(ray, _train, settings().gpu_fraction)
        own = task_environment(settings())
        sent = {task.remote(own, one.config): one for one in due}
        try:
            while sent:
                ended, _ = ray.wait(list(sent), num_returns=1, timeout=1.0)
                for reference in ended:
                    one = sent.pop(reference)
                    yield one, _result(ray, reference)
                if should_stop is not None and should_stop():
                    return
        finally:
            for reference in sent:
                ray.cancel(reference, force=True)


def _train(settings: dict[str, str], config: Any) -> tuple[Any, MIVSPoolError | None]:
    from mivspool.learning.training import train
    from mivspool.settings import settings as settings_in_use

    os.environ.update(settings)
    settings_in_use.cache_clear()
    try:
        return train(config), None
    except MIVSPoolError as error:
        return None, error


def _result(ray: Any, reference: Any) -> RunResult:
    try:
        result, error = ray.get(reference)
    except ray.exceptions.RayError as lost:
        raise BackendError(f"a run was lost on the cluster: {lost}") from lost
    if error is not None:
        raise error
    return result  # type: ignore[no-any-return]
