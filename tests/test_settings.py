"""A setting that cannot be used is one sentence that names it, and exit status 2."""

from __future__ import annotations

from pathlib import Path

import pytest
from annotated_types import Ge, Gt, Le
from pydantic.fields import FieldInfo

from mivspool.cli import main
from mivspool.errors import InputError
from mivspool.settings import Limits, Settings, settings

FIELDS: dict[str, FieldInfo] = {
    f"{model.model_config['env_prefix']}{name}".upper(): field
    for model in (Settings, Limits)
    for name, field in model.model_fields.items()
}
TEXT = {"MIVSPOOL_LIMITS", *(name for name, field in FIELDS.items() if "str" in str(field.annotation))}
BOUNDS = {
    name: [mark for mark in field.metadata if isinstance(mark, Ge | Gt | Le)]
    for name, field in FIELDS.items()
}
BEYOND = {
    (
        name,
        str(bound.le + 1 if isinstance(bound, Le) else bound.gt if isinstance(bound, Gt) else bound.ge - 1),
    )
    for name, bounds in BOUNDS.items()
    for bound in bounds
}
WRONG = {(name, "none of this") for name in set(FIELDS) - TEXT - {"MIVSPOOL_HOME"}}


@pytest.mark.parametrize(("name", "value"), sorted(BEYOND | WRONG))
def test_a_wrong_setting_is_named(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    settings.cache_clear()
    with pytest.raises(InputError, match=f"the setting {name} cannot be '{value}': "):
        settings()


def test_a_document_of_limits_that_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIVSPOOL_LIMITS", "none of this")
    settings.cache_clear()
    with pytest.raises(InputError, match="MIVSPOOL_LIMITS"):
        settings()


@pytest.mark.parametrize(
    "command", [["serve"], ["app"], ["classify", "MAO:3", "--model", "mao-mivspool"]], ids=str
)
def test_the_command_line_says_it_in_one_line(
    command: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("MIVSPOOL_WORKERS", "many")
    settings.cache_clear()
    assert main(command) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "MIVSPOOL_WORKERS" in said.err


@pytest.mark.parametrize("command", ["serve", "app"])
def test_a_home_that_cannot_be_written_is_said_at_the_start(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home = tmp_path / "home"
    home.write_text("a file stands where the folder should be")
    monkeypatch.setenv("MIVSPOOL_HOME", str(home))
    settings.cache_clear()
    assert main([command, "--port", "0"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert f"cannot write to {home}" in said.err
    assert "MIVSPOOL_HOME" in said.err
