"""A Python that has every package but this one: a checkout of it must do, as on a host of Streamlit apps."""

from __future__ import annotations

import site
import subprocess
import sys
from pathlib import Path


def python_without_us(folder: Path) -> Path:
    """The interpreter of a new environment in the folder, in which ``mivspool`` is not installed."""
    made = folder / "environment"
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", made], check=True)
    (own,) = made.glob("lib/python*/site-packages")
    # the folder alone: its .pth files, one of which names this checkout, are not read
    (own / "packages.pth").write_text("\n".join(site.getsitepackages()))
    return made / "bin" / "python"
