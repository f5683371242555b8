"""What is asked for before a training: one table of settings, each with the paper's default and a sentence."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qsl, urlencode

import streamlit as st

from app import strings_pages as words
from app.state import State
from mivspool.learning import paper
from mivspool.pooling import METHODS
from mivspool.service.jobs_schemas import Configuration

Value = int | float | bool | str


@dataclass(frozen=True)
class Setting:
    """One setting of a run: its default is the paper's, its bounds those that the backend takes."""

    name: str
    kind: type[int] | type[float] | type[bool] | type[str]
    options: tuple[Value, ...] = ()  # to choose from; else a number is typed in
    low: float = 0
    high: float = 0

    @property
    def default(self) -> Value:
        """The paper's."""
        value: Value = _EXTRA.get(self.name, 0) if self.name in _EXTRA else _default(self.name)
        return value

    def parse(self, text: str) -> Value:
        """The value a link spells; what cannot be is the default."""
        try:
            if self.kind is bool:
                return text == "1"
            value = self.kind(text)
        except ValueError:
            return self.default
        if self.options and self.kind is str:
            return value if value in self.options else self.default
        if isinstance(value, int | float) and self.high and not self.low <= value <= self.high:
            return self.default
        return value

    def spell(self, value: Value) -> str:
        """A value as the link spells it."""
        return str(int(value)) if self.kind is bool else str(value)


def _default(name: str) -> Any:
    return Configuration.model_fields[name].default


_EXTRA: dict[str, Value] = {"fold": 0, "repeat": 0, "repeats": 1, "grid": False}

# in sight first, the rest under "hyperparameters"
SETTINGS: tuple[Setting, ...] = (
    Setting("blocks", int, low=1, high=10),
    Setting("lr", float, (1e-2, 1e-3, 1e-4, 1e-5)),
    Setting("weight_decay", float, (0.0, 1e-3, 1e-4, 1e-5)),
    Setting("hidden", int, (16, 32, 64, 128, 256)),
    Setting("batch_size", int, (32, 64, 128, 256, 512, 1024)),
    Setting("max_epochs", int, low=1, high=100_000),
    Setting("patience", int, low=1, high=100_000),
    Setting("dropout", float, (0.0, 0.25, 0.5, 0.75)),
    Setting("features", str, ("auto", "labels", "attributes", "degree")),
    Setting("use_weights", bool),
    Setting("use_diagonal", bool),
)
_FOLDS = {
    "train": (Setting("fold", int, low=0, high=9), Setting("repeat", int, low=0, high=10_000)),
    "evaluate": (Setting("repeats", int, low=1, high=100), Setting("grid", bool)),
}


def values(state: State) -> dict[str, Value]:
    """Every setting's value: what the link says, else the paper's."""
    given = dict(parse_qsl(state.config))
    every = (*SETTINGS, *_FOLDS["train"], *_FOLDS["evaluate"])
    return {s.name: s.parse(given[s.name]) if s.name in given else s.default for s in every}


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
        on_change=_take,
        args=(state, "kind", key, "train"),
        help=words.KIND_HELP,
    )
    with st.container(horizontal=True, gap="small"):
        for setting in _FOLDS[chosen]:
            _control(state, setting, 150)
    changed = sum(values(state)[s.name] != s.default for s in SETTINGS)
    title = words.HYPERPARAMETERS + (words.CHANGED.format(n=changed) if changed else words.UNCHANGED)
    with st.expander(title):
        for setting in SETTINGS:
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
        **{setting.name: every[setting.name] for setting in SETTINGS},
    }
    if kind(state) == "evaluate":
        return asked | {"repeats": every["repeats"], "grid": paper.GRID if every["grid"] else None}
    return asked | {"fold": every["fold"], "repeat": every["repeat"]}


def runs(state: State) -> int:
    """How many trainings that is."""
    every = values(state)
    if kind(state) == "train":
        return 1
    points = paper.GRID_POINTS if every["grid"] else 1
    return 10 * int(every["repeats"]) * points


def _control(state: State, setting: Setting, width: int | None = None) -> None:
    key = f"train:{setting.name}"
    value = values(state)[setting.name]
    st.session_state[key] = value
    label, about = words.SETTINGS[setting.name]
    shown = words.PAPERS.format(value=_plain(setting.default)) if setting.name not in _EXTRA else ""
    common: dict[str, Any] = {
        "key": key,
        "help": f"{about} {shown}".strip(),
        "on_change": _take,
        "args": (state, setting.name, key, setting.spell(setting.default)),
    }
    wide: Any = width or "stretch"
    if setting.kind is bool:
        st.toggle(label, **common)
    elif setting.options:
        options = list(setting.options if value in setting.options else (*setting.options, value))
        st.selectbox(label, options, format_func=_plain, width=wide, **common)
    else:
        st.number_input(label, int(setting.low), int(setting.high), step=1, width=wide, **common)


def _plain(value: Value) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _take(state: State, name: str, key: str, default: str) -> None:
    """Into the link, unless it is the default."""
    given = dict(parse_qsl(state.config))
    value = st.session_state[key]
    text = str(int(value)) if isinstance(value, bool) else str(value)
    given.pop(name, None)
    if text != default:
        given[name] = text
    state.config = urlencode(given)


def _restore(state: State) -> None:
    given = dict(parse_qsl(state.config))
    names = {setting.name for setting in SETTINGS}
    state.config = urlencode({name: text for name, text in given.items() if name not in names})
