"""The browser that tests look through."""

from __future__ import annotations

import asyncio

import pytest

from tests.app.browser import chromium

pytestmark = pytest.mark.browser


def test_browsers_of_one_process_live_beside_each_other_and_end_in_any_order() -> None:
    """Which tests a process is given, and in which order, is chance: a module's browser may meet its package's."""
    with chromium() as lasting:
        page = lasting.new_page()
        earlier = chromium()
        other = earlier.__enter__()
        with chromium() as later:
            earlier.__exit__(None, None, None)
            assert not other.is_connected()
            assert later.new_page().evaluate("1 + 1") == 2
        assert page.evaluate("1 + 1") == 2


def test_what_no_browser_needs_any_more_leaves_no_event_loop_behind() -> None:
    with chromium():
        pass

    async def nothing() -> None: ...

    asyncio.run(nothing())
