"""Nothing is asked for without end: not a job, not who a browser is."""

from __future__ import annotations

import ast
import json
from pathlib import Path
from typing import Any

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

import app
from app import backend
from app.components import visitor
from mivspool.errors import BackendError, JobError
from mivspool.service.jobs_schemas import JobDocument, Progress
from tests.canvas.node import needs_node, run

FOLDER = Path(app.__file__).parent


def _jobs() -> None:
    from app.state import State
    from app.train import job_view

    job_view.watch(["a1"], State.load("train"))


class Backend:
    """A backend that answers each question for a job with an error, and counts them."""

    def __init__(self, error: Exception) -> None:
        self.error, self.asked = error, 0

    def job(self, name: str) -> Any:
        self.asked += 1
        raise self.error

    def jobs(self, **_: Any) -> Any:
        raise self.error


def watched(monkeypatch: pytest.MonkeyPatch, error: Exception, looks: int) -> list[bool]:
    """Whether the page goes on looking, after each of some looks at a job that answers with this error."""
    every: list[float | None] = []

    def fragment(function: Any, run_every: float | None = None) -> Any:
        every.append(run_every)
        return function

    monkeypatch.setattr(st, "fragment", fragment)
    monkeypatch.setattr(backend, "client", lambda: fake)
    fake = Backend(error)
    page = AppTest.from_function(_jobs, default_timeout=60)
    going = []
    for _ in range(looks):
        page.run()
        assert not page.exception
        assert page.warning, "and the page says why"
        going.append(every[-1] is not None)
    return going


def test_a_deleted_job_is_asked_for_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    assert watched(monkeypatch, JobError("there is no job a1"), 3)[-1] is False


def test_a_backend_that_does_not_come_back_is_asked_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    going = watched(monkeypatch, BackendError("the backend does not answer"), 100)
    assert going[5], "one that is away for a moment is asked again"
    assert not going[-1]


def _counted() -> None:
    import streamlit as st

    from app.state import State
    from app.train import job_view

    st.session_state["runs"] = st.session_state.get("runs", 0) + 1
    job_view.watch(["a1"], State.load("train"))


class Busy(Backend):
    """A backend on which jobs go on; the one that the page shows is gone."""

    def __init__(self) -> None:
        super().__init__(JobError("there is no job a1"))
        self.going: dict[str, dict[str, Any]] = {}

    def jobs(self, **_: Any) -> Any:
        return [
            JobDocument.model_construct(id=name, state=one["state"], progress=Progress.model_validate(one))
            for name, one in self.going.items()
        ]


def test_the_page_is_drawn_again_when_what_its_list_says_of_a_job_changes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whichever job it is, not only the one whose curves are shown; an epoch is no such change."""
    fake = Busy()
    later = fake.going  # what the look finds, after what the page has listed

    def fragment(function: Any, run_every: float | None = None) -> Any:
        def look(*arguments: Any) -> None:
            fake.going = later
            function(*arguments)

        return look

    monkeypatch.setattr(backend, "client", lambda: fake)
    monkeypatch.setattr(st, "fragment", fragment)
    page = AppTest.from_function(_counted, default_timeout=60)
    page.run()

    def draws(**going: dict[str, Any]) -> int:
        """How often a look that finds these jobs draws the page, the look itself left out."""
        nonlocal later
        later = going
        before = page.session_state["runs"]
        page.run()
        assert not page.exception
        return int(page.session_state["runs"]) - before - 1

    waiting = {"state": "queued", "runs_total": 30}
    running = {**waiting, "state": "running"}
    assert draws(b2=waiting) == 1
    assert draws(b2=waiting) == 0
    assert draws(b2=running) == 1
    assert draws(b2={**running, "epoch": 3, "max_epochs": 9}) == 0
    assert draws(b2={**running, "runs_done": 1}) == 1
    assert draws() == 1
    assert draws() == 0


@needs_node
@pytest.mark.parametrize("keeps", [True, False])
def test_a_browser_says_once_who_it_is(keeps: bool, tmp_path: Path) -> None:
    """Also one that keeps nothing: else each answer of the page would make it a new visitor, without end."""
    script = tmp_path / "visitor.mjs"
    script.write_text(visitor._SCRIPT)
    told = run(
        "--input-type=module",
        "-e",
        f"""
        import mount from {json.dumps(script.as_uri())};
        const kept = new Map();
        const refuse = () => {{ throw new Error("SecurityError"); }};
        globalThis.localStorage = {str(keeps).lower()}
          ? {{ getItem: (name) => kept.get(name) ?? null, setItem: (name, value) => kept.set(name, value) }}
          : {{ getItem: refuse, setItem: refuse }};
        const told = [];
        for (let run = 0; run < 20; run++)
          mount({{ data: {{ known: told.at(-1) ?? null }}, setStateValue: (_, name) => told.push(name) }});
        console.log(told.length);
        """,
    )
    assert int(told) == 1


def test_no_loop_of_the_app_is_without_an_end() -> None:
    endless = [
        f"{path.relative_to(FOLDER)}:{node.lineno}"
        for path in sorted(FOLDER.rglob("*.py"))
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.While) and isinstance(node.test, ast.Constant)
    ]
    assert endless == []


def test_only_jobs_are_looked_at_by_a_clock() -> None:
    clocks = {
        path.name
        for path in FOLDER.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.keyword) and node.arg == "run_every"
    }
    assert clocks == {"job_view.py"}, "a page that asks by a clock says when it stops"
