"""docs/formats.md is what tools/formats.py makes of the registry, which says of each format what is kept and lost."""

from mivspool.graphs.read import FORMATS
from tools import formats


def test_the_page_is_up_to_date() -> None:
    assert formats.PAGE.read_text(encoding="utf-8") == formats.page(), "run `make docs`"


def test_every_format_says_who_writes_it_and_what_is_kept_and_lost() -> None:
    for format in FORMATS.values():
        assert format.about, format.name
        assert format.kept, format.name
        assert format.lost, format.name
        assert not {"|", "\n"} & set(format.title + format.about + format.kept + format.lost)
