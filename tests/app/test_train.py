"""The Train page: settings and links, the trajectory of a job, honest estimates, and a training from start to model."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from app import backend
from app.train import form, job_view, jobs, words
from app.ui import run_plots
from app.ui.duration import in_words
from mivspool.cli import parser_for
from mivspool.learning.runs import GRID_RUNS, SETTINGS, RunConfig, plan
from mivspool.service.jobs_schemas import Configuration, EvaluateRequest, JobDocument, Progress, TrainRequest
from tests.app.browser import POLLING


class State:
    """What the form needs of the page's state."""

    def __init__(self, config: str = "", method: str = "mivspool") -> None:
        self.config, self.method, self.score, self.dataset = config, method, "multiview", "MAO"


def test_a_link_without_settings_asks_for_the_papers() -> None:
    asked = form.request(State())
    request = TrainRequest(kind="train", **asked)
    assert request.common() == Configuration(dataset="MAO").common()
    assert form.runs(State()) == 1


def test_a_link_holds_what_differs_and_nothing_impossible() -> None:
    state: Any = State("hidden=32&max_epochs=7&use_diagonal=1&blocks=99&lr=abc&fold=3&dropout=0,25")
    asked = form.request(state)
    assert asked["dropout"] == 0.25, "a decimal comma, as many people type"
    assert (asked["hidden"], asked["max_epochs"], asked["use_diagonal"], asked["fold"]) == (32, 7, True, 3)
    assert asked["blocks"] == 3
    assert asked["lr"] == 1e-3


def test_the_papers_grid_is_the_same_on_the_page_and_on_the_command_line() -> None:
    state: Any = State("kind=evaluate&grid=1&repeats=2", method="gpool")
    request = EvaluateRequest(kind="evaluate", **form.request(state))
    assert request.score is None
    tasks = plan(RunConfig("MAO", method="gpool"), ["gpool"], [0, 1], grid=True)
    assert request.grid is not None
    page = set(itertools.product(*(request.grid[name] for name in ("lr", "weight_decay", "blocks"))))
    command = {(task.config.lr, task.config.weight_decay, task.config.blocks) for task in tasks}
    assert page == command
    assert request.total == form.runs(state) == len(tasks)


def test_what_is_said_of_the_papers_grid_is_how_large_it_is() -> None:
    points = len(plan(RunConfig("MAO"), ["mivspool"], [0], [0], grid=True))
    assert f"{points} combinations" in GRID_RUNS.help
    assert f"{points} combinations" in " ".join(parser_for("evaluate").format_help().split())


def test_an_epoch_that_comes_again_after_a_resume_replaces_what_followed() -> None:
    trajectory = jobs.Trajectory()
    for epoch in (1, 2, 3, 4):
        trajectory.add({"key": "train", "epoch": epoch, "val_loss": float(epoch), "best_epoch": 1})
    trajectory.add({"key": "train", "epoch": 3, "val_loss": 30.0, "best_epoch": 1})
    curve = trajectory.curve()
    assert curve is not None
    assert curve.columns["val_loss"] == [1.0, 2.0, 30.0]
    assert (curve.run, curve.best) == ("train", 1)
    assert jobs.Trajectory().curve() is None


def test_an_estimate_rests_on_what_is_nearest(monkeypatch: pytest.MonkeyPatch) -> None:
    here = jobs.Speed("MAO", "mivspool", 0.5, 40, 100.0, True)
    released = jobs.Speed("MAO", "mivspool", 0.1, 60, 100.0, False)
    other = jobs.Speed("NCI1", "mivspool", 2.0, 50, 400.0, False)
    asked = {"dataset": "MAO", "method": "mivspool", "max_epochs": 1000, "blocks": 3, "hidden": 128}
    monkeypatch.setattr(jobs, "_work", lambda run: 200.0)
    found = {}
    for name, of_jobs, of_results in (
        ("here", [here], [released]), ("results", [], [released, other]), ("scaled", [], [other]), ("none", [], []),
    ):  # fmt: skip
        monkeypatch.setattr(jobs, "_of_jobs", lambda known=of_jobs: known)
        monkeypatch.setattr(jobs, "_of_results", lambda known=of_results: known)
        found[name] = jobs.estimate(asked)
    assert found["none"] is None
    assert found["here"] == jobs.Estimate(40.0, 1000.0, 1.0, "here", 1)
    assert found["results"] is not None
    assert found["results"].source == "results"
    assert found["scaled"] == jobs.Estimate(50.0, 1000.0, 1.0, "scaled", 1)
    cut = jobs.Speed("MAO", "mivspool", 0.5, 2, 100.0, True, whole=False)  # tried with two epochs
    monkeypatch.setattr(jobs, "_of_jobs", lambda: [cut])
    monkeypatch.setattr(jobs, "_of_results", lambda: [released, other])
    assert jobs.estimate(asked) == jobs.Estimate(60.0, 1000.0, 1.0, "here", 1)
    short = jobs.estimate({**asked, "max_epochs": 2})
    assert short is not None
    assert short.usual == 2.0
    monkeypatch.setattr(jobs, "_of_results", lambda: [])
    assert jobs.estimate(asked) == jobs.Estimate(1000.0, 1000.0, 1.0, "here", 1)


def test_a_job_that_runs_always_says_how_far_it_is() -> None:
    def said(state: str, **progress: Any) -> str:
        job = JobDocument.model_construct(state=state, progress=Progress.model_validate(progress))
        return " · ".join(job_view.goes_on(job))

    assert said("running") == words.PREPARING
    assert said("queued") == "", "its place in the queue is said"
    assert said("running", epoch=3, max_epochs=9) == "epoch 3 of at most 9"
    assert said("running", runs_done=1, runs_total=30) == "1 of 30 runs"


def test_folds_count_from_0_in_the_chart_and_in_the_numbers_behind_it() -> None:
    tested = [{"repeat": r, "fold": f, "test_accuracy": 0.5} for r in range(2) for f in range(3)]
    places = [(one["repeat"], one["fold"], 0.5) for one in tested]
    shown = run_plots.folds(places, "light").data[0].text
    rows = job_view.run_rows(tested)
    assert [f"repeat {row['repeat']}, fold {row['fold']}: 50.0 %" for row in rows] == list(shown)
    assert {row["fold"] for row in rows} == {0, 1, 2}
    assert SETTINGS["fold"].at_least == 0, "as the setting counts"


def _train() -> None:
    from app.train.page import page

    page()


def test_what_the_page_says_of_jobs_is_what_they_are_now(own_backend: Callable[[], None]) -> None:
    """The numbers beside Start, and the list's state, though what the backend allows is asked for once in a while."""
    own_backend()
    page = AppTest.from_function(_train, default_timeout=120)

    def said() -> tuple[str | None, list[str]]:
        page.run()
        assert not page.exception
        told = [one.value for one in page.caption if one.value.endswith("waiting.")]
        listed = [str(state) for frame in page.dataframe for state in frame.value[words.COLUMN_STATE]]
        return (told[0] if told else None), listed

    assert said() == (None, [])
    job = backend.client().submit("train", dataset="MAO")
    assert said() == ("0 running, 1 waiting.", ["waiting"])
    own: Any = backend._client()._transport
    store = own._app.state.backend.store
    claim = store.claim("this test")
    assert said() == ("1 running, 0 waiting.", ["running"])
    assert claim is not None
    assert claim.job == job.id
    store.finish(claim, "failed", error="this test")
    assert said() == (None, ["failed"])


def test_a_job_that_is_new_to_the_page_is_shown_by_the_run_that_finds_it(
    own_backend: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another run of the page, only for what the list shows anyway, would let the first drawing wait."""
    own_backend()
    again: list[bool] = []
    monkeypatch.setattr("streamlit.rerun", lambda: again.append(True))
    page = AppTest.from_function(_train, default_timeout=120)
    for number in (1, 2):
        backend.client().submit("train", dataset="MAO")
        page.run()
        assert not page.exception
        assert len(page.dataframe[0].value) == number
    assert not again


@pytest.mark.parametrize(("seconds", "said"), [(0.2, "1 s"), (42, "42 s"), (600, "10 min"), (7200, "2.0 h")])
def test_times_are_as_exact_as_they_deserve(seconds: float, said: str) -> None:
    assert in_words(seconds) == said


def test_a_job_that_waits_shows_its_place_and_when_it_is_expected_to_start() -> None:
    waits = JobDocument(
        id="0", kind="train", state="queued", title="a test", request={}, mine=True, shared=False, created=0.0,
        attempt=0, place=3, cancelling=False, resumable=False, progress=Progress(), last_event=1,
    )  # fmt: skip
    for seconds, said in ((600.0, "expected to start in about 10 min"), (0.0, None), (None, None)):
        text = job_view._state(waits.model_copy(update={"expected_start": seconds}))
        assert "number 3 in the queue" in text
        assert ("expected to start" in text) == (said is not None)
        assert said is None or said in text


@pytest.mark.browser
def test_a_training_runs_to_a_model_and_survives_a_reload(app: Any) -> None:
    page = app.open("train?dataset=MAO&config=hidden%3D16%26max_epochs%3D4%26blocks%3D2", graph=False)
    page.get_by_text("Hyperparameters: 3 changed").wait_for(timeout=60_000)
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**job=**", timeout=60_000)
    page.wait_for_function(  # the job has begun where one looks, however far the settings were scrolled
        """() => {
          const box = document.querySelector(".st-key-job-state")?.getBoundingClientRect();
          return box && box.top >= 0 && box.bottom <= window.innerHeight;
        }""",
        polling=POLLING,
    )
    page.reload()
    page.get_by_text("Save model").first.wait_for(timeout=120_000)
    page.get_by_text(re.compile(r"Test accuracy: .* on \d+ test graphs")).wait_for()
    name = page.get_by_role("textbox", name="Name of the model")
    name.fill("a-test-model")
    name.press("Tab")
    page.get_by_role("button", name="Save model").click()
    page.get_by_text("with its model card").wait_for(timeout=30_000)
    page.goto(f"{app.address}/classify?graph=MAO:3&model=a-test-model")
    page.locator("h4", has_text="a-test-model").first.wait_for(timeout=60_000)
