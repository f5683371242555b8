"""What a soak run found goes to docs/soak.md, with the date and the machine."""

from __future__ import annotations

import datetime
import os
import platform
from collections.abc import Sequence
from pathlib import Path

RECORD = Path(__file__).resolve().parents[2] / "docs" / "soak.md"


def record(name: str, command: str, found: Sequence[str]) -> None:
    """Add the findings, a line each, of a command."""
    date = datetime.datetime.now(datetime.UTC).date()
    busy = os.getloadavg()[2]
    machine = (
        f"{os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}, load {busy:.1f}"
    )
    lines = "".join(f"- {line}\n" for line in found)
    with RECORD.open("a", encoding="utf-8") as file:
        file.write(f"\n## {date}: {name}\n\n{machine}; `{command}`\n\n{lines}")
