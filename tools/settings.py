"""Write docs/settings.md, the settings of a run, made from their declarations: ``python -m tools.settings``."""

from __future__ import annotations

from pathlib import Path

from mivspool.learning.runs import SETTINGS, Setting

PAGE = Path(__file__).resolve().parents[1] / "docs" / "settings.md"
ABOUT = """# The settings of a run

Made by `make docs` from `mivspool/learning/runs/config.py`, where each setting is declared once. The options of
`mivspool train` and `evaluate`, the API's fields and the Train page come from the same declarations. The defaults are
the paper's reference configuration; a service takes no more than the limits in brackets.

"""
HEAD = ("setting", "what it is", "default", "values", "the paper searches", "set on")


def page() -> str:
    """The page."""
    rows = [HEAD, ("---",) * len(HEAD), *map(_row, SETTINGS.values())]
    return ABOUT + "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _row(one: Setting) -> tuple[str, ...]:
    return (
        f"`{one.name}`",
        one.help,
        "" if one.required else f"`{one.show(one.default)}`",
        _values(one),
        ", ".join(map(one.show, one.grid)),
        ", ".join(one.faces) or "Python",
    )


def _values(one: Setting) -> str:
    if one.choices:
        return ", ".join(f"`{choice}`" for choice in one.choices)
    limit = "" if one.at_most is None else f"(at most {one.at_most:,})"
    return " ".join(filter(None, (one.range(), limit)))


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(PAGE)
