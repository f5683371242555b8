"""A setting is one line: declared in a copy of the code, it is on the command line, in the API, on the form.

And nothing declares one a second time.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from mivspool.learning.runs import SETTINGS, RunConfig, settings_of
from mivspool.learning.runs.setting import FACES

ROOT = Path(__file__).resolve().parents[3]
PLACE = "    def __post_init__(self) -> None:\n        for name, one in settings_of"
LINES = """\
    colour: str = setting("blue", "Colour label", "A sentence on colours.", choices=("blue", "red"))
    layers: list[Any] = setting([], "Layers label", "A sentence on layers.")
"""
SCRIPT = """
import json
from streamlit.testing.v1 import AppTest

from mivspool.cli import parser_for
from mivspool.cli.run_settings import configuration
from mivspool.errors import InputError
from mivspool.learning.runs import ResultLine, RunConfig
from mivspool.service.jobs_schemas import EvaluateRequest, TrainRequest
from tools.settings import page

FORM = '''
import streamlit as st
from app.train import form
class State:
    config = "colour=red&layers=%5B1%2C+2%5D"
    method, score, dataset = "mivspool", "multiview", "MAO"
form.controls(State())
st.json(form.request(State()))
'''
form = AppTest.from_string(FORM, default_timeout=250).run()
assert not form.exception, form.exception
given = ["MAO", "--colour", "red", "--layers", '["a"]', "--device", "cpu"]
command = configuration(parser_for("train").parse_args(given))
try:
    RunConfig("MAO", colour="green")
except InputError as error:
    refused = error.message
print(json.dumps({
    "help": {name: parser_for(name).format_help() for name in ("train", "evaluate")},
    "command": [command.colour, command.layers],
    "schemas": [kind.model_json_schema()["properties"] for kind in (TrainRequest, EvaluateRequest)],
    "before": TrainRequest(kind="train", dataset="MAO").run().to_dict(),
    "form": [[one.label, one.help] for one in (*form.selectbox, *form.text_input)],
    "asked": json.loads(form.json[0].value),
    "network": command.architecture(3, 2).to_dict(),
    "refused": refused,
    "page": page(),
    "ids": [RunConfig("MAO").config_id, command.config_id],
    "stated": [RunConfig("MAO").stated(), command.stated()],
}))
"""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_setting_that_is_declared_is_on_every_face(tmp_path: Path) -> None:
    for name in ("mivspool", "app", "tools"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "_data"))
    config = tmp_path / "mivspool" / "learning" / "runs" / "config.py"
    text = config.read_text(encoding="utf-8")
    assert text.count(PLACE) == 1
    config.write_text(text.replace(PLACE, f"{LINES}\n{PLACE}"), encoding="utf-8")
    (tmp_path / "script.py").write_text(SCRIPT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "script.py"], cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])

    for help in found["help"].values():
        assert "--colour {blue,red}" in help
        assert "--layers JSON" in help
        assert "A sentence on colours (default: blue)" in " ".join(help.split())
    assert found["command"] == ["red", ["a"]]
    for properties in found["schemas"]:
        assert properties["colour"]["enum"] == ["blue", "red"]
        assert properties["colour"]["default"] == "blue"
        assert properties["layers"]["type"] == "array"
        assert properties["layers"]["description"] == "A sentence on layers."
    labels = dict(found["form"])
    assert labels["Colour label"].startswith("A sentence on colours.")
    assert labels["Layers label"].startswith("A sentence on layers.")
    assert (found["asked"]["colour"], found["asked"]["layers"]) == ("red", [1, 2])
    assert (found["network"]["colour"], found["network"]["layers"]) == ("red", ["a"])
    assert "blue, red" in found["refused"]
    assert "| `colour` | A sentence on colours. | `blue` |" in found["page"]
    # what was asked for, published and written before is as it was
    assert found["before"]["colour"] == "blue"
    assert found["ids"][0] == RunConfig("MAO").config_id != found["ids"][1]
    assert "colour" not in found["stated"][0]
    assert found["stated"][1]["colour"] == "red"


def test_no_setting_is_declared_twice() -> None:
    """Method and score are words of many things; the others belong to runs alone."""
    names = {name for name, one in SETTINGS.items() if one.faces == FACES and not one.of_run} - {
        "method",
        "score",
    }
    assert len(names) > 8
    options = {f"--{name.replace('_', '-')}" for name in names}
    twice = []
    for path in [*(ROOT / "mivspool").rglob("*.py"), *(ROOT / "app").rglob("*.py")]:
        if path.relative_to(ROOT).as_posix() == "mivspool/learning/runs/config.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            field = isinstance(node, ast.ClassDef) and {
                part.target.id
                for part in node.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            }
            table = isinstance(node, ast.Dict) and {
                key.value for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)
            }
            option = isinstance(node, ast.Constant) and isinstance(node.value, str) and {node.value}
            if len((field or table or set()) & names) > 2 or (option or set()) & options:
                twice.append(f"{path.relative_to(ROOT)}:{node.lineno}")
    assert twice == []


def test_every_setting_says_what_it_is() -> None:
    for name, one in settings_of(RunConfig).items():
        assert one.label, name
        assert one.help.endswith("."), name
        assert set(one.faces) <= set(FACES), name
        for value in (*one.choices, *one.offered, *one.grid, *(() if one.required else (one.default,))):
            assert one.convert(value, visitor=True) == value
            assert one.parse(one.spell(value)) == value
