"""``python -m tools.space FOLDER``: what a Hugging Face Space is built from, to upload (docs/hosting.md).

The Dockerfile with what it copies, and deploy/space.md as the README, whose first lines configure the Space.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "deploy" / "space.md"


def files() -> list[Path]:
    """The files that git has of what .dockerignore lets through, with it and the Dockerfile."""
    lines = (ROOT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    sent = [line.removeprefix("!") for line in lines if line.startswith("!")]
    command = ["git", "ls-files", "-z", "--", "Dockerfile", ".dockerignore", *sent]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [Path(name) for name in listed.stdout.split("\0") if name]


def write(folder: Path) -> None:
    """Write the Space's files into a folder that is empty or not there yet."""
    if folder.exists() and any(folder.iterdir()):
        raise SystemExit(f"{folder} is not empty")
    for path in files():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / path, folder / path)
    shutil.copy2(README, folder / "README.md")


if __name__ == "__main__":
    write(Path(sys.argv[1]))
    print(sys.argv[1])
