"""What holds for every test: it neither reads nor writes what is the person's own, and fetches nothing from outside.

A test that needs a real data set takes it from ``tu``, one of the sample files from ``tests/beside.py``: where they are
not, it is skipped with the reason. Both are marked ``needs_data``, so that CI can run them alone.
"""

from __future__ import annotations

import gc
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.app.browser import browser_path

# the first example of a test may compile: a time limit for each example would fail on that
settings.register_profile("mivspool", deadline=None)
settings.load_profile("mivspool")

_KEPT = {"MIVSPOOL_TU_URL", "MIVSPOOL_CHROMIUM"}  # where this machine keeps what tests may use


def pytest_configure(config: pytest.Config) -> None:
    """Settings of the tests' own, before anything reads them; each process of pytest-xdist has a home to itself."""
    gc.disable()  # until the tests are collected
    home = Path(tempfile.mkdtemp(prefix="mivspool-tests-"))
    config.add_cleanup(lambda: shutil.rmtree(home, ignore_errors=True))
    for name in [name for name in os.environ if name.startswith("MIVSPOOL_") and name not in _KEPT]:
        del os.environ[name]
    os.environ["MIVSPOOL_HOME"] = str(home)
    os.environ.setdefault("MIVSPOOL_TU_URL", str(home / "no-data-sets"))


@pytest.hookimpl(tryfirst=True)  # before -m selects
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    without = pytest.mark.skip(reason="no Chromium on the PATH (MIVSPOOL_CHROMIUM names one elsewhere)")
    browserless = browser_path() is None
    for item in items:
        if browserless and item.get_closest_marker("browser"):
            item.add_marker(without)
        if "tu" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.needs_data)
        if _of_its_module(item) and item.get_closest_marker("xdist_group") is None:
            item.add_marker(pytest.mark.xdist_group(item.nodeid.partition("::")[0]))


def pytest_collection_finish() -> None:
    """Thousands of tests and their modules stay to the end: no collection of garbage looks at them again."""
    gc.enable()
    gc.freeze()


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """A file's content is no part of a test's name: it may hold the time, and each process must find the same names."""
    long = isinstance(val, bytes) or (isinstance(val, str) and len(val) > 60)
    return argname if long else None


def _of_its_module(item: pytest.Item) -> bool:
    """Whether a test uses a fixture that is made once per module: one process runs them all, or each would make it."""
    definitions = item._fixtureinfo.name2fixturedefs.values() if isinstance(item, pytest.Function) else ()
    return any(made.scope == "module" for several in definitions for made in several)


@pytest.fixture(autouse=True)
def _settings_are_read_anew() -> Iterator[None]:
    """What a test sets is not what the next one finds."""
    yield
    from mivspool.settings import settings

    settings.cache_clear()


@pytest.fixture
def tu() -> Callable[[str], object]:
    """A function that loads a registered data set by name, or skips the test and says what it needs."""
    from mivspool.errors import DatasetError
    from mivspool.graphs import load_dataset

    def load(name: str) -> object:
        try:
            return load_dataset(name)
        except DatasetError as error:
            pytest.skip(error.message)

    return load
