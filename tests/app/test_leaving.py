"""A page can be left whatever is open on it: the next page is what is asked for."""

from __future__ import annotations

from typing import Any

import pytest

pytestmark = pytest.mark.browser

# what stands on a page alone
MARKS = {"Step": ".st-key-title", "Compare": ".mp-measures", "Classify": 'h4:has-text("Predicted by")'}
POPOVERS = '[data-testid="stPopoverButton"]:visible'
OPEN = '[data-testid="stPopoverButton"][aria-expanded="true"]'


@pytest.mark.parametrize(
    ("page_name", "to"), [("Step", "Compare"), ("Compare", "Step"), ("Classify", "Step")]
)
def test_a_page_is_left_with_any_popover_open(app: Any, page_name: str, to: str) -> None:
    page = app.open("?graph=MAO:3", still=False)

    def arrived(name: str) -> None:
        page.locator(MARKS[name]).first.wait_for(timeout=60_000)
        assert page.url.partition("?")[0].endswith("/" if name == "Step" else f"/{name.lower()}")

    def go(name: str) -> None:
        page.get_by_role("link", name=name, exact=True).click()
        arrived(name)

    if page_name != "Step":
        go(page_name)
    count = page.locator(POPOVERS).count()
    assert count
    for i in range(count):
        page.locator(POPOVERS).nth(i).click()
        page.locator(OPEN).first.wait_for()
        page.wait_for_timeout(300)  # it opens by a motion
        go(to)
        go(page_name)
        assert page.locator(OPEN).count() == 0
