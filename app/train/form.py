"""What is asked for before a training: a control for each setting of a run, in its words (mivspool/learning/runs)."""

from __future__ import annotations

import contextlib
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from app.state import State
from app.train import words
from app.ui import common
from mivspool.errors import InputError
from mivspool.learning.runs import GRID, GRID_RUNS, REPEATS, SETTINGS, Setting
from mivspool.learning.runs.setting import FORM
from mivspool.messages import fill, sentence
from mivspool.pooling import METHODS
from mivspool.service.jobs_schemas import EvaluateRequest

# in sight above, with controls of their own
_ABOVE = ("dataset", "method", "score")
_SHOWN = [one for one in SETTINGS.values() if FORM in one.faces and one.name not in _ABOVE]
_HYPERPARAMETERS = [one for one in _SHOWN if not one.of_run]
_OF_RUN = {"train": [one for one in _SHOWN if one.of_run], "evaluate": [REPEATS, GRID_RUNS]}


def values(state: State) -> dict[str, Any]:
    """Every setting's value: what the link says, else the default."""
    given = dict(parse_qsl(state.config))
    found = {one.name: one.default for part in (_HYPERPARAMETERS, *_OF_RUN.values()) for one in part}
    for one in (*_HYPERPARAMETERS, *_OF_RUN["train"], *_OF_RUN["evaluate"]):
        if one.name in given:
            with contextlib.suppress(InputError):  # a link with what cannot be: the default
                found[one.name] = one.parse(given[one.name])
    return found


def kind(state: State) -> str:
    """``train`` one classifier, or ``evaluate`` over all folds."""
    return "evaluate" if dict(parse_qsl(state.config)).get("kind") == "evaluate" else "train"


def controls(state: State) -> None:
    """The settings, but for data set and method."""
    chosen = kind(state)
    key = "train:kind"
    st.session_state[key] = chosen
    st.segmented_control(
        words.KIND,
        list(words.KINDS),
        format_func=lambda name: words.KINDS[name],
        required=True,
        key=key,
        on_change=_take_kind,
        args=(state, key),
        help=words.KIND_HELP,
    )
    with st.container(horizontal=True, gap="small"):
        for setting in _OF_RUN[chosen]:
            _control(state, setting, 150)
    every = values(state)
    changed = sum(every[one.name] != one.default for one in _HYPERPARAMETERS)
    title = words.HYPERPARAMETERS + (fill(common.CHANGED, n=changed) if changed else words.UNCHANGED)
    with st.expander(title):
        for setting in _HYPERPARAMETERS:
            _control(state, setting)
        if changed:
            st.button(words.RESTORE, on_click=_restore, args=(state,), key="train:restore")


def request(state: State) -> dict[str, Any]:
    """What the backend is asked for."""
    every = values(state)
    takes_score = state.method in METHODS and METHODS[state.method].takes_score
    asked: dict[str, Any] = {
        "dataset": state.dataset,
        "method": state.method,
        "score": state.score if takes_score else None,
        **{one.name: every[one.name] for one in _HYPERPARAMETERS},
    }
    if kind(state) == "evaluate":
        grid = {name: list(tried) for name, tried in GRID.items()}
        return asked | {"repeats": every["repeats"], "grid": grid if every["grid"] else None}
    return asked | {one.name: every[one.name] for one in _OF_RUN["train"]}


def runs(state: State) -> int:
    """How many trainings that is."""
    if kind(state) == "train":
        return 1
    return EvaluateRequest.model_validate({"kind": "evaluate", **request(state)}).total


def _control(state: State, one: Setting, width: int | None = None) -> None:
    key = f"train:{one.name}"
    value = values(state)[one.name]
    st.session_state[key] = value
    parts = [one.help]
    if one.name in GRID:
        parts.append(fill(words.SEARCHED, values=", ".join(map(one.show, one.grid))))
    if not one.of_run and one not in _OF_RUN["evaluate"]:
        parts.append(fill(words.PAPERS, value=one.show(one.default)))
    common: dict[str, Any] = {
        "key": key,
        "help": " ".join(parts),
        "on_change": _take,
        "args": (state, one, key),
    }
    wide: Any = width or "stretch"
    offered = one.choices or one.offered
    if one.kind is bool:
        st.toggle(one.label, **common)
    elif offered:
        options = list(offered if value in offered else (*offered, value))
        st.selectbox(one.label, options, format_func=one.show, width=wide, **common)
    elif one.kind is int:
        bounds = {"min_value": one.at_least, "max_value": one.at_most}
        limits: dict[str, Any] = {name: int(bound) for name, bound in bounds.items() if bound is not None}
        st.number_input(one.label, **limits, step=1, width=wide, **common)
    else:  # a decimal too: a field for numbers drops a decimal comma without a word, and 0,5 becomes 5
        _text(state, one, wide, common)


def _text(state: State, one: Setting, width: Any, common: dict[str, Any]) -> None:
    """A setting that is written: what cannot be read stays as it was written, with a sentence."""
    written = dict(parse_qsl(state.config)).get(one.name, one.spell(one.default))
    st.session_state[common["key"]] = written
    st.text_input(one.label, width=width, **common)
    try:
        one.parse(written)
    except InputError as error:
        st.error(sentence(error.message))


def _take(state: State, one: Setting, key: str) -> None:
    """Into the link, unless it is the default."""
    given = dict(parse_qsl(state.config))
    value = st.session_state[key]
    text = value if isinstance(value, str) else one.spell(value)
    with contextlib.suppress(InputError):  # what cannot be read stays as it was written
        text = one.spell(one.parse(text))
    given.pop(one.name, None)
    if text != one.spell(one.default):
        given[one.name] = text
    state.config = urlencode(given)


def _take_kind(state: State, key: str) -> None:
    given = dict(parse_qsl(state.config))
    given.pop("kind", None)
    if st.session_state[key] != "train":
        given["kind"] = st.session_state[key]
    state.config = urlencode(given)


def _restore(state: State) -> None:
    given = dict(parse_qsl(state.config))
    names = {one.name for one in _HYPERPARAMETERS}
    state.config = urlencode({name: text for name, text in given.items() if name not in names})
