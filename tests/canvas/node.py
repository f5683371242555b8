"""JavaScript in the tests: node from the PATH, or the one that Playwright's package carries."""

from __future__ import annotations

import json
import shutil
import subprocess
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent


def carried() -> str | None:
    """The node of Playwright's package, where that is installed."""
    spec = find_spec("playwright")
    node = Path(spec.origin).parent / "driver" / "node" if spec and spec.origin else None
    return str(node) if node is not None and node.exists() else None


NODE = shutil.which("node") or carried()
needs_node = pytest.mark.skipif(NODE is None, reason="neither node nor playwright is installed")


def run(*arguments: str, given: str = "") -> str:
    """What node writes on standard output."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, *arguments], input=given, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def answers(script: str | Path, question: Any) -> Any:
    """What a script (beside this file, or elsewhere) answers to a JSON document."""
    return json.loads(run(str(HERE / script), given=json.dumps(question)))
