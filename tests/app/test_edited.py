"""What a changed graph was made from: it stays so while a backend cannot say what it is, and goes with what it was."""

from __future__ import annotations

from typing import Any

import pytest

from app import pooled
from app.sources import edited
from app.state import State
from mivspool.errors import BackendError, DatasetError, ModelError

ORIGIN = "graph=MAO%3A3&model=mao-mivspool"


@pytest.mark.parametrize(
    ("error", "kept"),
    [(BackendError, ORIGIN), (ModelError, ""), (DatasetError, "")],
    ids=("unreachable", "no model", "no data set"),
)
def test_an_original_is_forgotten_where_it_is_gone_and_not_where_the_backend_is(
    monkeypatch: pytest.MonkeyPatch, error: type[Exception], kept: str
) -> None:
    def fails(*key: Any) -> None:
        raise error("not now")

    monkeypatch.setattr(pooled, "pool", fails)
    state = State("step", {})
    state.mode, state.origin = edited.MODE, ORIGIN
    assert edited.original(state) is None
    assert state.origin == kept
