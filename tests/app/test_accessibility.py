"""Every page under axe-core, which comes with a package and is not fetched: nothing serious, nothing critical. And by
the Tab key, in both themes: what has the focus shows it, the key leaves again, and nothing moves where a reader asked
for no motion.

Under axe, each page is looked at in one theme and width, those that students see in a lecture in both. The chapters of
Learn have the same controls: one of them is walked through in each theme.
"""

from __future__ import annotations

from typing import Any

import pytest

from mivspool.lecture.chapters import CHAPTERS
from tests.app.browser import serious
from tests.app.keyboard import walk

pytestmark = pytest.mark.browser
pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe is not installed")

WIDE, PHONE = (1440, "light"), (390, "dark")
WIDE_DARK, PHONE_LIGHT = (1440, "dark"), (390, "light")
GRAPH = "graph=karate&score=degree"
WALKED = {"meer", "assignment"}  # chapters
# page, what stands there when it is ready, and how it is looked at
PAGES: list[tuple[str, str, list[tuple[int, str]]]] = [
    ("?graph=MAO:3&model=mao-mivspool&step=9", ".left-out", [WIDE, PHONE]),
    (f"?{GRAPH}&present=1&step=1", ".presenter", [WIDE, PHONE]),
    (f"?{GRAPH}&mode=predict", ".predict .hard", [PHONE_LIGHT, WIDE_DARK]),
    (f"?{GRAPH}&mode=edit", ".edit", [WIDE_DARK]),
    *(
        (f"learn?chapter={chapter.name}", ".lesson", [(WIDE, PHONE, WIDE_DARK, PHONE_LIGHT)[i % 4]])
        for i, chapter in enumerate(CHAPTERS)
    ),
    ("compare?graph=karate", ".mp-measures", [WIDE, PHONE]),
    ("compare?view=dataset&dataset=MAO&graphs=3", ".stMain [data-testid=stPlotlyChart]", [PHONE_LIGHT]),
    ("compare?view=pyramid&graph=karate", ".stMain [data-testid=stPlotlyChart]", [WIDE_DARK]),
    ("classify?graph=MAO:3", ".left-out", [WIDE_DARK, PHONE_LIGHT]),
    ("classify?how=many", ".stMain [data-testid=stFileUploader]", [PHONE]),
    ("train", ".stMain button[data-testid=stBaseButton-primary]", [WIDE, PHONE]),
    # without the data sets, a sentence says how to have them
    ("results?table=1", ".mp-table, .stMain [data-testid=stAlert]", [WIDE_DARK]),
    ("results?table=4", ".mp-table", [WIDE]),
    (
        "results?table=claims",
        ".stMain [data-testid=stCaptionContainer], .stMain [data-testid=stAlert]",
        [PHONE_LIGHT],
    ),
    ("about", ".terms", [PHONE_LIGHT]),
    ("results?table=curves", ".stMain [data-testid=stPlotlyChart]", [PHONE]),
]


# what of the page's beginning lies under the header
COVERED = """() => {
  if (document.querySelector('.presenter')) return [];
  const { bottom } = document.querySelector('[data-testid=stHeader]').getBoundingClientRect();
  const main = document.querySelector('[data-testid=stMainBlockContainer]');
  const parts = [...main.querySelectorAll('button, p, h1, h2, h3, h4, h5, label, [role=alert]')];
  return parts.filter((part) => {
    const box = part.getBoundingClientRect();
    return box.width && box.bottom > 0 && box.top < bottom;
  }).map((part) => part.outerHTML.slice(0, 100));
}"""


@pytest.mark.slow
@pytest.mark.parametrize(("link", "ready", "looks"), PAGES, ids=[page[0] for page in PAGES])
def test_axe_finds_nothing_serious_and_every_focus_shows(
    app: Any, link: str, ready: str, looks: list[tuple[int, str]]
) -> None:
    width, scheme = looks[0]
    page = app.open(link, width=width, height=1000, scheme=scheme, graph=False, still=False)
    page.locator(ready).first.wait_for(timeout=120_000)  # tables are counted once
    assert page.evaluate(COVERED) == [], "nothing lies under the header"
    for width, scheme in looks:
        page.set_viewport_size({"width": width, "height": 1000})
        page.emulate_media(color_scheme=scheme, reduced_motion="reduce")
        page.wait_for_timeout(700)
        found = serious(page)
        if found:  # Streamlit may still be putting on the other theme: what is wrong is wrong for good
            page.wait_for_timeout(2500)
            found = serious(page)
        assert found == [], (width, scheme)
    if link.startswith("learn") and link.partition("=")[2] not in WALKED:
        return
    # in the theme of the last look: over all pages, each kind of control is walked to in both
    reached, unmarked, moved = walk(page)
    if unmarked or moved:  # the other theme again
        page.wait_for_timeout(2500)
        reached, unmarked, moved = walk(page)
    assert reached
    assert unmarked == [], f"what has the focus shows it, {scheme}"
    assert moved == [], f"nothing moves where no motion was asked for, {scheme}"


def test_the_walk_sees_what_is_not_marked(app: Any) -> None:
    page = app.open("about", graph=False, still=False)
    page.locator(".terms").wait_for()
    page.add_style_tag(content="*:focus { outline: none !important; box-shadow: none !important; }")
    page.add_style_tag(
        content="@keyframes turn { to { rotate: 1turn; } } .terms { animation: turn 1s infinite; }"
    )
    _, unmarked, moved = walk(page)
    assert any("Main menu" in name for name in unmarked)
    assert any(name.startswith("turn of") for name in moved)
