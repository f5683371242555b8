"""Write app/.streamlit/config.toml from the settings and colours of the app: ``python -m tools.streamlit_config``.

``mivspool app`` gives Streamlit the same options itself; the file is for hosts that run ``streamlit run app/main.py``.
"""

from __future__ import annotations

import json
from pathlib import Path

from mivspool.colours import for_streamlit
from mivspool.settings import STREAMLIT

FILE = Path(__file__).resolve().parents[1] / "app" / ".streamlit" / "config.toml"
OPTIONS: dict[str, bool | int | str | list[str]] = {
    "server.maxUploadSize": 64,  # MB
    "client.toolbarMode": "viewer",
    "client.showErrorDetails": "none",
    "theme.baseRadius": "0.4rem",
    "theme.baseFontSize": 15,
    "theme.showWidgetBorder": True,
    "theme.headingFontSizes": ["1.6rem", "1.25rem", "1.05rem", "1rem", "1rem", "1rem"],
}
"""What the file alone says, also to ``mivspool app``."""


def text() -> str:
    """The file."""
    sections: dict[str, list[str]] = {}
    for name, value in {**STREAMLIT, **OPTIONS, **for_streamlit()}.items():
        section, _, key = name.rpartition(".")
        sections.setdefault(section, []).append(f"{key} = {json.dumps(value)}\n")
    parts = [f"[{section}]\n{''.join(lines)}" for section, lines in sorted(sections.items())]
    return "# written by tools/streamlit_config.py\n\n" + "\n".join(parts)


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
    print(FILE)
