"""docs/settings.md is what tools/settings.py makes of the declarations."""

from __future__ import annotations

from tools import settings


def test_the_page_is_up_to_date() -> None:
    assert settings.PAGE.read_text(encoding="utf-8") == settings.page(), "run `make docs`"
