"""Settings for a part of a test."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from mivspool.settings import settings


@contextmanager
def configured(**values: object) -> Iterator[None]:
    """Within it the environment has these settings (``home=…`` is ``MIVSPOOL_HOME``), and they are in use."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in values.items():
            patch.setenv(f"MIVSPOOL_{name.upper()}", str(value))
        settings.cache_clear()
        try:
            yield
        finally:
            patch.undo()
            settings.cache_clear()
