"""What a link holds, what the app says, and what an upload is called."""

from __future__ import annotations

import pytest
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from app.sources import uploads
from app.state import PROPERTIES, State
from app.ui.texts import fill, sentence
from mivspool.errors import ReadError


def state(page: str = "step", **values: str | int | bool) -> State:
    return State(page, {prop.name: prop.default for prop in PROPERTIES} | values)


def test_a_link_holds_only_what_differs_from_the_defaults() -> None:
    assert state().link() == {}
    assert state(graph="karate", seed=3, complement=True).link() == {
        "graph": "karate",
        "seed": "3",
        "complement": "1",
    }


def test_a_link_holds_only_what_the_page_knows() -> None:
    assert "complement" not in state("classify", complement=True).link()


def test_every_property_reads_what_it_spells() -> None:
    for prop in PROPERTIES:
        other = {str: "a&b=ü ?", int: 7, bool: not prop.default}[prop.kind]
        for value in (prop.default, other):
            assert prop.parse(prop.spell(value)) == value


def test_what_cannot_be_read_is_the_default() -> None:
    for prop in PROPERTIES:
        if prop.kind is int:
            for text in ("", "x", "1e3", "9" * 40, "²"):
                assert prop.parse(text) == prop.default


def test_names_are_unique_and_unknown_ones_are_refused() -> None:
    names = [prop.name for prop in PROPERTIES]
    assert len(names) == len(set(names))
    with pytest.raises(AttributeError):
        state().nothing = 1


def test_templates_are_filled_by_name_and_by_number() -> None:
    assert fill("{n} {n?vertex|vertices}", n=1) == "1 vertex"
    assert fill("{n} {n?vertex|vertices}", n=0) == "0 vertices"
    assert sentence("no such graph") == "No such graph."
    assert sentence("file.csv is empty") == "file.csv is empty."


@pytest.mark.parametrize("name", ["g.csv", "größe·图.csv", ""])
def test_a_small_upload_comes_back_from_its_link(name: str) -> None:
    source = uploads.keep(b"a,b\nb,c\n", name)
    assert uploads.is_upload(source)
    assert uploads.in_link(source)
    file, index = uploads.split(source)
    assert index == 0
    assert uploads.content(file) == (b"a,b\nb,c\n", name)
    assert uploads.join(file, 2).endswith("2")


@pytest.mark.parametrize("damaged", ["z.", "z.AAAA", "z.!!!", "z.eJwDAAAAAAE", "file-0123"])
def test_a_damaged_link_gets_a_sentence(damaged: str) -> None:
    with pytest.raises(ReadError, match="link"):
        uploads.content(damaged)


def test_a_link_that_expands_without_end_is_refused() -> None:
    bomb = uploads._IN_LINK + uploads._pack(b"0" * 10_000_000, "bomb.txt")
    assert len(bomb) < 20_000
    with pytest.raises(ReadError, match="damaged"):
        uploads.content(bomb)


def test_a_preset_brings_its_score_and_takes_it_along_again() -> None:
    seen = state(graph="karate", score="degree", seed=3)
    seen.choose("preset:bridge")
    assert (seen.score, seen.seed, seen.complement) == ("given", 0, False)
    assert seen.link() == {"graph": "preset:bridge"}
    seen.choose("preset:clique-complement")
    assert (seen.score, seen.complement) == ("uniform", True)
    seen.score = "degree"
    assert seen.link() == {"graph": "preset:clique-complement", "score": "degree"}
    seen.choose("karate")
    assert seen.link() == {"graph": "karate"}


def test_every_preset_made_here_pools_by_its_own_scores() -> None:
    from app import pooled, sources
    from mivspool.graphs.collections.teaching import PRESETS

    for name, preset in PRESETS.items():
        source = f"preset:{name}"
        assert sources.place(source).collection == "presets"
        if callable(preset.source):
            shown = state()
            shown.choose(source)
            assert shown.score in pooled.scores_for(source)
            assert pooled.pool(source, shown.score, shown.seed, shown.complement, False).levels


def _page() -> None:
    import streamlit as st

    from app.state import State

    state = State.load("step")
    state.present = st.session_state["wanted"]
    state.save()


def test_a_browser_that_was_told_another_link_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two wishes in a row: the second is asked from a URL that does not show the first one's answer yet."""
    told: list[dict[str, str]] = []
    write = QueryParamsProxy.from_dict

    def listened(self: QueryParamsProxy, link: dict[str, str]) -> None:
        told.append(link)
        write(self, link)

    monkeypatch.setattr(QueryParamsProxy, "from_dict", listened)
    app = AppTest.from_function(_page)
    for wanted, shown, expected in [
        (True, {}, [{"present": "1"}]),
        (False, {}, [{}]),  # nothing differs from what the browser shows, but it was told otherwise
        (False, {}, []),
        (True, {}, [{"present": "1"}]),
        (True, {"present": "1"}, []),
        (False, {"present": "1"}, [{}]),
    ]:
        told.clear()
        app.session_state["wanted"] = wanted
        app.query_params.clear()
        app.query_params.update(shown)
        app.run()
        assert not app.exception
        assert told == expected


class _Stopped(BaseException):
    pass


def _two_pages() -> None:
    import streamlit as st

    from app.state import State
    from tests.app.test_state import _Stopped

    old = State.load("step")
    old.seed = st.session_state["seed"]
    try:
        old.save()
    except _Stopped:
        st.session_state["was_stopped"] = True
    st.session_state["read"] = State.load("compare").methods


def test_what_a_stopped_run_wrote_last_is_no_wish(monkeypatch: pytest.MonkeyPatch) -> None:
    """A run that is stopped where it writes its link has written it: the next page must not read it as a link."""
    app = AppTest.from_function(_two_pages)
    app.session_state["seed"] = 0
    app.run()
    write = QueryParamsProxy.from_dict

    def stopped(self: QueryParamsProxy, link: dict[str, str]) -> None:
        write(self, link)
        raise _Stopped

    monkeypatch.setattr(QueryParamsProxy, "from_dict", stopped)
    app.session_state["seed"] = 5
    app.session_state["state"]["methods"] = "gpool,none"
    app.run()
    assert not app.exception
    assert app.session_state["was_stopped"]
    assert app.session_state["read"] == "gpool,none"


def test_a_link_is_read_while_another_run_writes_it(monkeypatch: pytest.MonkeyPatch) -> None:
    read = QueryParamsProxy.to_dict
    failing = [KeyError("mode"), RuntimeError("changed size during iteration")]

    def raced(self: QueryParamsProxy) -> dict[str, str]:
        if failing:
            raise failing.pop()
        return read(self)

    monkeypatch.setattr(QueryParamsProxy, "to_dict", raced)
    app = AppTest.from_function(_page)
    app.session_state["wanted"] = False
    app.query_params["present"] = "1"
    app.run()
    assert not app.exception
    assert not failing
