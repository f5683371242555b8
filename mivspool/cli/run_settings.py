"""The settings of a run as options: what ``train`` and ``evaluate`` share."""

from __future__ import annotations

import argparse
import shlex
from collections.abc import Iterable, Mapping
from typing import Any

from mivspool.learning.runs import GRID, SETTINGS, RunConfig, Setting
from mivspool.learning.runs.setting import COMMAND_LINE

# where a command decides otherwise than a run made in Python
DEFAULTS = {"device": "auto", "threads": 1}


def add_settings(
    parser: argparse.ArgumentParser,
    *,
    without: Iterable[str] = (),
    defaults: Mapping[str, Any] = DEFAULTS,
    grid: bool = False,
    **more: str,
) -> None:
    """An option for each setting that the command line has; the data set comes first, without a name.

    ``without``: settings the command decides itself. ``defaults``: where it differs from a run's. ``grid``: it has
    ``--grid``. ``more``: what is added to the help of a setting.
    """
    run, configuration = (parser.add_argument_group(title) for title in ("run", "configuration"))
    for one in _settings(without):
        if one.required:
            parser.add_argument(one.name, metavar=one.name.upper(), help=one.help)
            continue
        searched = "; --grid searches it" if grid and one.name in GRID else ""
        default = one.show(defaults.get(one.name, one.default))
        help = f"{one.help.rstrip('.')}{more.get(one.name, '')}{searched} (default: {default})"
        group = run if one.of_run else configuration
        flag, help = f"--{_option(one)}", help.replace("%", "%%")
        group.add_argument(flag, dest=_dest(one), default=None, help=help, **_kind(one))


def configuration(
    args: argparse.Namespace, *, without: Iterable[str] = (), defaults: Mapping[str, Any] = DEFAULTS
) -> RunConfig:
    """The run that the command line asks for; arguments as in :func:`add_settings`. Raises InputError."""
    from mivspool.learning.training import pick_device

    asked = {**defaults, **_given(args, without)}
    if "device" in asked:
        asked["device"] = str(pick_device(asked["device"]))
    return RunConfig.from_dict(asked)


def spelled(args: argparse.Namespace, *, without: Iterable[str] = ()) -> list[str]:
    """The options that were given and differ from a run's default, as they are written."""
    given = {name: value for name, value in _given(args, without).items() if value != SETTINGS[name].default}
    return [_flag(SETTINGS[name], value) for name, value in given.items()]


def _given(args: argparse.Namespace, without: Iterable[str]) -> dict[str, Any]:
    found = {one.name: getattr(args, _dest(one)) for one in _settings(without)}
    return {name: value for name, value in found.items() if value is not None}


def _flag(one: Setting, value: Any) -> str:
    if one.kind is bool:
        return f"--{_option(one)}" if value else f"--no-{_option(one)}"
    return f"--{_option(one)} {shlex.quote(one.spell(value))}"


def _settings(without: Iterable[str]) -> list[Setting]:
    left_out = set(without)
    return [one for one in SETTINGS.values() if COMMAND_LINE in one.faces and one.name not in left_out]


def _option(one: Setting) -> str:
    return one.option or one.name.replace("_", "-")


def _dest(one: Setting) -> str:
    return _option(one).replace("-", "_")


def _kind(one: Setting) -> dict[str, Any]:
    if one.kind is bool:
        return {"action": argparse.BooleanOptionalAction}
    if one.choices:
        return {"choices": list(one.choices)}
    if one.kind in (int, float):
        return {"type": one.kind, "metavar": "N" if one.kind is int else "X"}
    if one.kind is str:
        return {"metavar": "NAME"}
    return {"type": one.parse, "metavar": "JSON"}
