"""Every finished evaluation as a row: published, from the command line, or from a job; any data set, any settings."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from app.ui import tables
from mivspool.content import shared
from mivspool.content.results import words
from mivspool.content.results.found import settings_in_words
from mivspool.learning.results import Evaluation
from mivspool.learning.runs import GRID, SETTINGS, RunConfig
from mivspool.learning.tables import MARK
from mivspool.service.jobs_schemas import JobDocument
from mivspool.service.states import DONE

KIND = "evaluate"


def rows(
    found: Sequence[Evaluation], jobs: Sequence[JobDocument], titles: Mapping[str, str]
) -> list[dict[str, Any]]:
    """A row for each evaluation; ``titles``: of data sets by name, where they have one."""
    return [
        *(_of_results(one, titles) for one in found),
        *(_of_job(job, titles) for job in jobs if _counts(job)),
    ]


def _counts(job: JobDocument) -> bool:
    return job.kind == KIND and job.state == DONE and (job.result or {}).get("test_accuracy") is not None


def _of_results(one: Evaluation, titles: Mapping[str, str]) -> dict[str, Any]:
    cell = one.cell
    row = _row(
        titles, one.dataset, one.method, one.score, cell.mean, cell.std, cell.folds, cell.repeats, one.grid,
        one.changed, "results",
    )  # fmt: skip
    source = words.EVALUATION_COLUMNS["source"]
    return row | ({source: f"{row[source]} {MARK}"} if one.earlier_order else {})


def _of_job(job: JobDocument, titles: Mapping[str, str]) -> dict[str, Any]:
    request, result = job.request, job.result or {}
    config = RunConfig.from_dict(
        {name: request[name] for name in SETTINGS if name in request and name != "folds"}
    )
    grid, std = bool(request.get("grid")), result.get("test_accuracy_std")
    return _row(
        titles, config.dataset, config.method, config.score, 100 * result["test_accuracy"],
        None if std is None else 100 * std, len(set(request["folds"])), int(request["repeats"]), grid,
        config.changed(GRID if grid else ()), "job",
    )  # fmt: skip


def _row(
    titles: Mapping[str, str],
    dataset: str,
    method: str,
    score: str | None,
    mean: float,
    std: float | None,
    folds: int,
    repeats: int,
    grid: bool,
    changed: Mapping[str, Any],
    source: str,
) -> dict[str, Any]:
    values = {
        "dataset": titles.get(dataset) or shared.dataset_title(dataset),
        "method": shared.method_title(method),
        "score": shared.score_title(score) if score else "",
        "mean": round(mean, 2),
        "std": None if std is None else round(std, 2),
        "folds": folds,
        "repeats": repeats,
        "search": words.SEARCH if grid else words.NO_SEARCH,
        "settings": settings_in_words(changed),
        "source": words.EVALUATION_SOURCES[source],
    }
    return {words.EVALUATION_COLUMNS[name]: tables.harmless(value) for name, value in values.items()}
