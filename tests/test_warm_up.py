"""Nothing that is compiled is left for a person to wait for."""

from __future__ import annotations

import json
import subprocess
import sys

SCRIPT = """
import importlib, json, pkgutil
import mivspool
from mivspool.warm_up import warm_up

warm_up()
ours, inner = {}, set()
for info in pkgutil.walk_packages(mivspool.__path__, "mivspool."):
    if info.name.startswith(("mivspool.arrays", "mivspool.pooling", "mivspool.learning")):
        module = importlib.import_module(info.name)
        for name, value in vars(module).items():
            if hasattr(value, "py_func") and value.__module__ == info.name:
                ours[name] = len(value.signatures)
                inner |= set(value.py_func.__code__.co_names)
print(json.dumps({"ours": ours, "inner": sorted(inner & set(ours))}))
"""


def test_everything_that_is_compiled_is_compiled_ahead() -> None:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert len(found["ours"]) > 30
    # what only compiled loops call is compiled with them
    assert [name for name, count in found["ours"].items() if not count and name not in found["inner"]] == []
