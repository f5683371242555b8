"""The backend as a Ray Serve application: ``serve run mivspool.service.ray_serve:app``.

Replicas are started and ended by Ray as requests come; each has the models on its own shelf, where requests that
arrive together run as one batch. All share one database (``MIVSPOOL_DATABASE_URL``), so they tell the same of
uploads, jobs and kept models. Jobs are run by ``mivspool serve --executor ray`` on the same database.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

from ray import serve

from mivspool.errors import BackendError
from mivspool.service.runner import environment
from mivspool.settings import Settings, settings

ONGOING = 32  # requests in progress that one replica should have; Ray adds replicas beyond that


def builder(own: dict[str, str]) -> Callable[[], Any]:
    """What makes the application of one replica where the replica runs, with these settings.

    They travel within the function: Ray writes a task's ``runtime_env`` into its logs, and they hold the token.
    """

    def build() -> Any:
        from mivspool.service.app import create_app

        os.environ.update(own)
        settings.cache_clear()
        return create_app(Settings(), run_jobs=False, public=True)

    return build


def application(most: int = 8, gpu_fraction: float = 0.0) -> serve.Application:
    """From one to ``most`` replicas, each with a share of a GPU. Raises BackendError without a token."""
    if not settings().token:
        raise BackendError("other machines can reach a cluster: set MIVSPOOL_TOKEN before serving on it")
    own = {name: value for name, value in environment(settings()).items() if name.startswith("MIVSPOOL_")}
    deployment = serve.deployment(
        name="mivspool",
        max_ongoing_requests=4 * ONGOING,
        autoscaling_config={"min_replicas": 1, "max_replicas": most, "target_ongoing_requests": ONGOING},
        ray_actor_options={"num_cpus": 1, "num_gpus": gpu_fraction},
    )
    return deployment(serve.ingress(builder(own))()).bind()


def app(arguments: dict[str, str]) -> serve.Application:
    """What ``serve run mivspool.service.ray_serve:app most=4 gpu_fraction=0.25`` asks for."""
    most, share = int(arguments.get("most", 8)), float(arguments.get("gpu_fraction", 0))
    return application(most, share)
