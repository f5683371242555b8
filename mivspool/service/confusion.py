"""The confusion matrix of a job: the matrices of its finished runs added up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mivspool.errors import JobError
from mivspool.service.jobs_schemas import Confusion
from mivspool.service.store import Job


def confusion(runs: Mapping[str, Mapping[str, Any]], job: Job) -> Confusion:
    """Only runs that the grid chose count, where there is a grid. Raises JobError when there are none yet."""
    chosen = (job.result or {}).get("chosen")
    lines = [line for key, line in runs.items() if chosen is None or key in chosen]
    matrices = [line["confusion"] for line in lines if line.get("confusion")]
    if not matrices:
        raise JobError(f"no run of the job {job.id} has been tested yet")
    classes = [str(name) for name in lines[0].get("classes") or range(len(matrices[0]))]
    size = range(len(classes))
    total = [[sum(int(matrix[i][j]) for matrix in matrices) for j in size] for i in size]
    return Confusion(classes=classes, matrix=total, runs=len(matrices))
