"""``python -m tools.third_way WHEEL``: times the wheel in a clean environment, and writes README's sentence on it.

From an empty virtual environment to the app's answer: ``pip install WHEEL[app]`` and ``mivspool app``, in a folder and
with a home of their own. pip's cache is this account's: what it lacks is downloaded.
"""

from __future__ import annotations

import datetime
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from app.server.start import free_port, wait
from mivspool.settings import STREAMLIT_HEALTH

README = Path(__file__).resolve().parents[1] / "README.md"
PLACE = re.compile(r"(<!-- timed: python -m tools\.third_way WHEEL -->\n).*?(<!-- /timed -->)", re.S)


def measure(wheel: Path) -> tuple[str, float, float, float]:
    """The version of PyTorch that pip chose; seconds of the installation, of the first start and of the second."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder) / "home"
        home.mkdir()
        ours = ("PYTHON", "MIVSPOOL_", "NUMBA_", "VIRTUAL_ENV", "OMP_")
        environment = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
        environment |= {"HOME": str(home), "PIP_CACHE_DIR": str(Path.home() / ".cache" / "pip")}
        subprocess.run([sys.executable, "-m", "venv", Path(folder) / "made"], check=True)
        programs = Path(folder) / "made" / "bin"
        begin = time.monotonic()
        install = [programs / "pip", "install", "--quiet", f"{wheel.resolve()}[app]"]
        subprocess.run(install, check=True, cwd=folder, env=environment)
        installed = time.monotonic() - begin
        asked = "import importlib.metadata as m; print(m.version('torch'))"
        torch = subprocess.run([programs / "python", "-c", asked], check=True, capture_output=True, text=True)
        return (
            torch.stdout.strip(),
            installed,
            *(_started(programs / "mivspool", folder, environment) for _ in range(2)),
        )


def _started(program: Path, folder: str, environment: dict[str, str]) -> float:
    """Seconds until the app answers."""
    port = free_port()
    begin = time.monotonic()
    app = subprocess.Popen([program, "app", "--no-browser", "--port", str(port)], cwd=folder, env=environment)
    try:
        wait(app, f"http://127.0.0.1:{port}{STREAMLIT_HEALTH}")
        return time.monotonic() - begin
    finally:
        app.terminate()
        app.wait(20)


def written(text: str, torch: str, installed: float, first: float, second: float) -> str:
    """README with what was measured."""
    today = datetime.datetime.now(datetime.UTC)
    said = (
        f"On a machine with {os.cpu_count()} cores, installing the wheel with the app and PyTorch {torch} into an "
        f"empty\nenvironment took {installed:.0f} s. The app's server then answered after {first:.1f} s, and after "
        f"{second:.1f} s at the second\nstart ({today:%-d %B %Y}, `python -m tools.third_way WHEEL`).\n"
    )
    text, times = PLACE.subn(lambda found: f"{found[1]}{said}{found[2]}", text)
    assert times == 1, "README has lost the place of this sentence"
    return text


if __name__ == "__main__":
    times = measure(Path(sys.argv[1]))
    README.write_text(written(README.read_text(encoding="utf-8"), *times), encoding="utf-8")
    print(*times)
