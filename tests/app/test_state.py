"""What a link holds, what the app says, and what an upload is called."""

from __future__ import annotations

import pytest
import streamlit as st
from streamlit.runtime.state.query_params_proxy import QueryParamsProxy
from streamlit.testing.v1 import AppTest

from app.sources import uploads
from app.state import PROPERTIES, State
from app.step import page
from mivspool.errors import ReadError
from mivspool.graphs import open_source
from mivspool.levels import step
from mivspool.messages import fill, sentence


def state(page: str = "step", **values: str | int | bool) -> State:
    return State(page, {prop.name: prop.default for prop in PROPERTIES} | values)


def test_a_link_holds_only_what_differs_from_the_defaults() -> None:
    assert state("compare").link() == {}
    assert state().link() == {"graph": "MAO:3"}, "Step without a query is what a person sees first"
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


def test_what_one_page_chooses_for_itself_another_keeps() -> None:
    """A model chosen on Classify is not Step's, nor Train's score; the graph is the same everywhere."""
    step = state("step", score="degree", step=2)
    classify, train = step.of("classify"), step.of("train")
    classify.model, classify.step, train.score = "mao-mivspool", 1, "attention"
    classify.graph = "karate"
    assert (step.model, step.score, step.step, step.graph) == ("", "degree", 2, "karate")
    assert (classify.link()["model"], train.link()["score"]) == ("mao-mivspool", "attention")
    assert "model" not in step.link()


@pytest.mark.parametrize(
    "name", ["graph", "score", "seed", "complement", "weights", "level", "block", "model"]
)
def test_what_is_done_to_what_was_shown_before_does_nothing(name: str) -> None:
    """A page shows a graph until the next one is pooled; a click on it meanwhile is not meant for the next."""
    done: list[str] = []
    here = state("classify" if name in {"block", "model"} else "step")
    click = here.while_shown(done.append)
    click("still shown")
    setattr(here, name, {str: "other", int: 7, bool: True}[type(getattr(here, name))])
    click("left")
    assert done == ["still shown"]


def test_a_graph_that_is_changed_goes_on_being_what_is_shown() -> None:
    """Changes, and taking all of them back, lose nothing that is pressed before the page has drawn them."""
    here = state(graph="karate", score="degree", seed=3)
    done: list[str] = []
    click = here.while_shown(done.append)
    origin = here.origin_of()
    for graph in ("upload-1~0", "upload-2~0"):
        here.graph, here.score, here.seed, here.model, here.origin = graph, "given", 3, "", origin
        click(graph)
    here.graph, here.score, here.origin = "karate", "degree", ""
    click("as it was")
    here.choose("MAO:3")
    click("another")
    assert done == ["upload-1~0", "upload-2~0", "as it was"]


def test_a_level_chosen_of_the_graph_before_is_not_one_of_the_next() -> None:
    here = state()
    levels, score = here.bind("level"), here.bind("score")
    here.choose("karate")
    st.session_state[levels["key"]] = 1
    levels["on_change"]()
    assert here.level == 0
    st.session_state[score["key"]] = "degree"  # of any graph
    score["on_change"]()
    assert here.score == "degree"


def test_another_graph_is_shown_at_its_beginning() -> None:
    here = state("classify", level=2, step=3, vertex="7", around="7", block=1)
    here.of("classify").step, here.of("train").level = 4, 1
    here.choose("karate")
    assert (here.of("step").step, here.step, here.level, here.block) == (0, 0, 0, 0)
    assert (here.vertex, here.around) == ("", "")
    assert here.of("train").level == 1, "of a record, which has graphs of its own"


def test_in_the_parts_of_the_last_iteration_nothing_is_told_before_its_end() -> None:
    (level,) = step(open_source("preset:tie"), "uniform", levels=1)
    T = level.num_iterations
    for at, part, stage in (
        (T, 0, page.Stage.SELECTED),
        (T, 1, page.Stage.ITERATING),
        (T, 2, page.Stage.ITERATING),
        (T, 3, page.Stage.SELECTED),
        (T + 1, 3, page.Stage.ASSIGNED),
        (T + 2, 3, page.Stage.POOLED),
    ):
        assert page._stage(level, State("step", {"step": at, "part": part})) == stage, (at, part)


def test_beside_the_iterations_there_are_no_parts() -> None:
    (level,) = step(open_source("preset:tie"), "uniform", levels=1)
    T = level.num_iterations
    asked = [(0, 1), (1, 1), (1, 9), (T, 2), (T + 1, 2), (T, 0), (0, 0), (T, -4)]
    found = [page._part(level, State("step", {"step": at, "part": part})) for at, part in asked]
    assert found == [3, 1, 3, 2, 3, 0, 0, 0]


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
            assert shown.score in pooled.scores_offered(sources.brings_scores(source))
            assert pooled.pool(source, shown.score, shown.seed, shown.complement, False).levels


def _page() -> None:
    import streamlit as st

    from app.state import State

    state = State.load("step")
    if "wanted" in st.session_state:
        state.present = st.session_state["wanted"]
    state.save()
    st.session_state["shown"] = state.present
    st.session_state["opened"] = state.opened


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The links that the browser is told."""
    found: list[dict[str, str]] = []
    write = QueryParamsProxy.from_dict

    def listened(self: QueryParamsProxy, link: dict[str, str]) -> None:
        found.append(link)
        write(self, link)

    monkeypatch.setattr(QueryParamsProxy, "from_dict", listened)
    return found


def asked(app: AppTest, url: dict[str, str]) -> None:
    """A run that a browser asks for which shows this link."""
    app.query_params.clear()
    app.query_params.update(url)
    app.run()
    assert not app.exception


def test_a_link_is_read_when_a_session_begins_and_then_the_state_is_true(told: list[dict[str, str]]) -> None:
    """Whatever link a slow browser still shows: it is told the one there is, each time."""
    app = AppTest.from_function(_page)
    asked(app, {"present": "1"})
    assert app.session_state["shown"]
    assert app.session_state["opened"]
    app.session_state["wanted"] = False
    for url in ({"present": "1"}, {}, {"present": "1"}, {"hide": "menu"}):
        told.clear()
        asked(app, url)
        assert not app.session_state["shown"]
        assert not app.session_state["opened"]
        assert told == [{"graph": "MAO:3"}]


@pytest.mark.parametrize("url", [{"present": "1"}, {}])
def test_back_and_forward_read_the_link(url: dict[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    app = AppTest.from_function(_page)
    asked(app, {} if url else {"present": "1"})
    monkeypatch.setattr("app.state.went_back_or_forward", lambda: True)
    asked(app, url)
    assert app.session_state["shown"] == bool(url)
    assert app.session_state["opened"]
