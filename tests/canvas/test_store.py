"""The canvas's one store: what its state holds after what a person, the clock and Python do, without a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from mivspool.canvas.payload import trace_data
from mivspool.graphs.graph import Graph
from mivspool.levels import step
from tests.canvas.node import HERE, answers, needs_node, run

pytestmark = needs_node
State = dict[str, Any]


def trace_of(graph: Graph, score: str = "degree", places: int = 0) -> dict[str, Any]:
    """The first level of a graph, its vertices on a line."""
    (level, *_) = step(graph, score, seed=places)
    return trace_data(level, np.column_stack([np.arange(len(graph.nodes)), np.zeros(len(graph.nodes))]))


def path(n: int, first: int = 0) -> Graph:
    edges = np.asarray([[v, v + 1] for v in range(n - 1)], dtype=np.int64).reshape(-1, 2)
    return Graph("path", tuple(f"v{first + v}" for v in range(n)), edges.T.copy())


@pytest.fixture(scope="module")
def traces() -> list[dict[str, Any]]:
    """Two traces of a path of nine by random scores, of three iterations and of another number; one of a path of four;
    one of a graph without vertices."""
    empty = Graph("empty", (), np.zeros((2, 0), dtype=np.int64))
    drawn = [trace_of(path(9), "uniform", seed) for seed in range(30)]
    three, other = (next(trace for trace in drawn if (trace["T"] == 3) == same) for same in (True, False))
    return [three, other, trace_of(path(4)), trace_of(empty)]


def after(traces: list[dict[str, Any]], *actions: dict[str, Any]) -> list[State]:
    """What the store holds after each action; the first trace is shown before them."""
    (found,) = answers("store.mjs", [{"traces": traces, "actions": [show(), *actions]}])
    return list(found)


def act(kind: str, **more: Any) -> dict[str, Any]:
    return {"type": kind, **more}


def show(i: int = 0, mode: str = "", **more: Any) -> dict[str, Any]:
    return act("show", i=i, options={"mode": mode}, **more)


def moves(states: list[State]) -> list[tuple[State, State]]:
    return list(pairwise(states))


# ---- the store --------------------------------------------------------------------------------------------------


def test_all_hear_of_an_action_before_what_a_listener_does_about_it() -> None:
    found = json.loads(run(str(HERE / "heard.mjs")))
    assert found["heard"] == [
        ["first", 0, 1],
        ["second", 0, 1],
        ["first", 1, 11],
        ["second", 1, 11],
        ["second", 11, 111],  # the first one has ended, and of an action that changes nothing nobody hears
    ]
    assert (found["error"], found["n"]) == ("RangeError", 111), "an error leaves the state as it was"
    assert (found["first"], found["same"]) == (True, False)


# ---- the cursor -------------------------------------------------------------------------------------------------


def test_any_step_lands_within_the_trace(traces: list[dict[str, Any]]) -> None:
    asked = [-3, 0, 1, 2.4, 99, None, -1]
    states = after(traces, *(act("goto", step=k) for k in asked), *(act("move", by=k) for k in (-50, 1, 50)))
    assert all(0 <= state["step"] <= state["last"] for state in states)
    assert [state["step"] for state in states[1:5]] == [0, 0, 1, 2]
    assert states[-1]["step"] == states[-1]["last"]


def test_python_hears_of_what_a_person_moved_and_of_nothing_else(traces: list[dict[str, Any]]) -> None:
    actions = [
        act("goto", step=2),
        act("goto", step=2),
        act("select", vertex=3),
        act("select", vertex=3),
        act("pick", vertex=3),
        act("walk", by=1),
        act("hover", vertex=2),
        act("speed", speed=4),
        act("word", word="survivors"),
        act("command", n=1, step=1, vertex=4),
        act("move", by=1),
    ]
    states = after(traces, *actions)
    for (before, now), action in zip(moves(states), actions, strict=True):
        moved = (before["step"], before["vertex"]) != (now["step"], now["vertex"])
        assert now["reports"] - before["reports"] == (moved and action["type"] != "command"), action


def test_a_click_on_what_is_selected_lets_it_go(traces: list[dict[str, Any]]) -> None:
    states = after(traces, act("pick", vertex=3), act("pick", vertex=3), act("pick", vertex=-1))
    assert [state["vertex"] for state in states] == [-1, 3, -1, -1]


def test_walking_goes_by_score_and_stays_at_the_ends(traces: list[dict[str, Any]]) -> None:
    states = after(
        traces,
        *[act("walk", by=1)] * 10,
        *[act("walk", by=-1)] * 10,
        act("select", vertex=-1),
        act("walk", by=-1),
    )
    order = states[0]["order"]
    assert [state["vertex"] for state in states[1:21]] == [
        *order,
        order[-1],
        *order[-2::-1],
        order[0],
        order[0],
    ]
    assert states[-1]["vertex"] == order[-1]


def test_a_command_counts_once(traces: list[dict[str, Any]]) -> None:
    states = after(
        traces,
        act("command", n=1, step=2),
        act("goto", step=0),
        act("command", n=1, step=2),
        act("command", n=2, vertex=1),
    )
    assert [(state["step"], state["vertex"]) for state in states[1:]] == [(2, -1), (0, -1), (0, -1), (0, 1)]


# ---- the parts of an iteration ----------------------------------------------------------------------------------


def places(states: list[State]) -> list[tuple[int, int]]:
    return [(state["step"], state["part"]) for state in states]


def test_by_parts_the_cursor_passes_three_of_each_iteration_on_and_back(traces: list[dict[str, Any]]) -> None:
    T, last = 3, 5
    way = [(0, 3), *((k, part) for k in range(1, T + 1) for part in (1, 2, 3)), (T + 1, 3), (last, 3)]
    on, back = [act("move", by=1)] * (len(way) - 1), [act("move", by=-1)] * (len(way) - 1)
    states = after(traces, act("parts"), *on, act("move", by=1), *back, act("move", by=-1))
    assert places(states) == [(0, 0), *way, way[-1], *reversed(way[:-1]), way[0]]
    assert places(after(traces, act("parts"), act("move", by=99), act("move", by=-99)))[2:] == [
        way[-1],
        way[0],
    ]


def test_the_playback_passes_the_same_places_and_a_remote_too(traces: list[dict[str, Any]]) -> None:
    moved = after(traces, act("parts"), *[act("move", by=1)] * 11)
    played = after(traces, act("parts"), act("toggle"), *[act("tick", steps=1)] * 11)
    remote = after(traces, act("parts"), *[act("remote", by=1)] * 11)
    assert places(played)[3:] == places(moved)[2:] == places(remote)[2:]
    assert not played[-1]["playing"], "it stops at the end"


def test_a_part_shows_what_has_happened_so_far(traces: list[dict[str, Any]]) -> None:
    """Before its end an iteration has changed its survivors alone; at its end it is the whole iteration."""
    states = after(traces, act("parts"), *[act("move", by=1)] * 9)
    wholes = after(traces, *[act("move", by=1)] * 3)
    for k in range(1, 4):
        pointing, surviving, through = states[3 * k - 1 : 3 * k + 2]
        before, whole = wholes[k - 1], wholes[k]
        assert pointing["states"] == before["states"]
        new = set(before["fresh"])
        assert surviving["states"] == [1 if v in new else s for v, s in enumerate(before["states"])]
        assert through["states"] == whole["states"]
        for state in (pointing, surviving, through):
            assert state["counts"] == [state["states"].count(kind) for kind in range(3)]


def test_the_choice_of_parts_stays_and_a_link_names_the_part(traces: list[dict[str, Any]]) -> None:
    states = after(
        traces,
        act("parts"),
        act("goto", step=2),
        act("goto", step=2, part=1),
        act("command", n=1, step=3, part=2),
        act("parts"),
        act("move", by=-1),
        show(1, step=1, part=2),
        show(1, step=0, part=2),
        show(1, step=99, part=1),
        show(1, step=1, part=9),
        show(1, step=1, part=-4),
    )
    assert places(states)[1:7] == [(0, 3), (2, 3), (2, 1), (3, 2), (3, 0), (2, 0)]
    assert places(states)[7:9] == [(1, 2), (0, 3)]
    assert states[9]["part"] == 3, "beside the iterations there are no parts"
    assert places(states)[10:] == [(1, 3), (1, 0)], "whatever a link says"
    heard = after(traces, act("parts"), act("move", by=1), act("move", by=1))
    assert [state["reports"] for state in heard] == [0, 1, 2, 3]


def test_predict_asks_for_whole_iterations(traces: list[dict[str, Any]]) -> None:
    states = after(
        traces,
        act("parts"),
        act("goto", step=2, part=1),
        act("options", options={"mode": "predict"}),
        act("answer"),
        act("parts"),
        act("answer"),
        act("answer"),
        act("options", options={"mode": ""}),
        act("move", by=1),
    )
    assert places(states)[3:] == [(1, 3), (2, 3), (2, 3), (2, 3), (3, 3), (3, 3), (4, 3)]


# ---- the playback -----------------------------------------------------------------------------------------------


def test_playing_goes_on_to_the_end_stops_there_and_begins_again(traces: list[dict[str, Any]]) -> None:
    states = after(traces, act("toggle"), *[act("tick", steps=1)] * 20, act("toggle"), act("tick", steps=500))
    last = states[0]["last"]
    assert [state["step"] for state in states[1:22]] == [*range(last), *[last] * (21 - last)]
    assert [state["playing"] for state in states[1:22]] == [True] * last + [False] * (21 - last)
    assert states[21]["reports"] == 1, "of the end alone"
    assert (states[22]["step"], states[22]["playing"], states[22]["reports"]) == (0, True, 1)
    assert (states[23]["step"], states[23]["playing"], states[23]["reports"]) == (last, False, 2)


@pytest.mark.parametrize(
    "action", [act("goto", step=0), act("goto", step=3), act("move", by=1), act("pause"), act("toggle")]
)
def test_any_step_by_hand_pauses(traces: list[dict[str, Any]], action: dict[str, Any]) -> None:
    states = after(traces, act("toggle"), act("tick", steps=1), action, act("tick", steps=1))
    assert states[2]["playing"]
    assert not states[3]["playing"]
    assert states[3]["reports"] > states[2]["reports"], "where it was stopped"
    assert states[4] == states[3], "the clock of a playback that was stopped moves nothing"


def test_nothing_plays_where_there_is_no_vertex(traces: list[dict[str, Any]]) -> None:
    states = after(
        traces,
        show(3),
        act("toggle"),
        act("walk", by=1),
        act("goto", step=5),
        show(3, "predict"),
        act("answer"),
    )
    assert all((state["playing"], state["step"], state["vertex"]) == (False, 0, -1) for state in states[1:])


# ---- another trace ----------------------------------------------------------------------------------------------


def test_another_trace_begins_where_it_is_told_to(traces: list[dict[str, Any]]) -> None:
    states = after(
        traces, act("hover", vertex=8), show(2, step=1, vertex=3), show(2, step=99, vertex=4), show(0)
    )
    assert [(s["step"], s["vertex"], s["hovered"]) for s in states[2:4]] == [
        (1, 3, -1),
        (states[3]["last"], -1, -1),
    ]
    assert [state["shown"] for state in states] == [1, 1, 2, 3, 4]


def test_options_begin_the_modes_anew_only_where_the_mode_is_another(traces: list[dict[str, Any]]) -> None:
    plain = {"layout": "full", "mode": "predict"}
    chosen = after(traces, show(0, "predict"))[1]["states"].index(0)
    states = after(
        traces,
        show(0, "predict"),
        act("pick", vertex=chosen),
        act("options", options={**plain, "height": 500}),
        act("options", options={**plain, "mode": ""}),
        act("options", options=plain),
    )
    assert [state["guess"] for state in states[2:]] == [[chosen], [chosen], [], []]
    assert [state["begun"] for state in states[1:]] == [2, 2, 2, 3, 4]


# ---- Predict ----------------------------------------------------------------------------------------------------


def test_predict_asks_before_each_iteration_and_counts(traces: list[dict[str, Any]]) -> None:
    states = after(traces, show(0, "predict", step=99))
    assert states[-1]["step"] == 0, "there is something to predict"
    actions: list[dict[str, Any]] = []
    right = of = 0
    for k in range(states[-1]["T"]):
        state = after(traces, show(0, "predict"), *actions)[-1]
        truth, candidates = state["fresh"], [v for v, s in enumerate(state["states"]) if s == 0]
        wrong = [v for v in candidates if v not in truth][:1]
        settled = [v for v, s in enumerate(state["states"]) if s]
        actions += [act("pick", vertex=v) for v in [*truth[1:], *wrong, *settled, -1]]
        chosen = after(traces, show(0, "predict"), *actions)[-1]
        assert sorted(chosen["guess"]) == sorted([*truth[1:], *wrong]), "only candidates can be chosen"
        assert chosen["marks"] == chosen["guess"]
        assert chosen["vertex"] == -1
        actions.append(act("answer"))
        answer = after(traces, show(0, "predict"), *actions)[-1]
        right, of = right + len(truth) - 1, of + len(truth) + len(wrong)
        assert answer["tally"] == {"right": right, "of": of}
        assert (answer["verdict"]["missed"], answer["verdict"]["wrong"]) == (truth[:1], wrong)
        assert answer["step"] == k + 1
        actions.append(act("answer"))
    end = after(traces, show(0, "predict"), *actions, act("again"))
    assert (end[-2]["verdict"], end[-2]["question"]) == (None, "assignment"), "after the last iteration"
    assert settled, "or only candidates were ever picked"
    assert (end[-1]["step"], end[-1]["verdict"], end[-1]["tally"]) == (0, None, {"right": right, "of": of})


def predicted(
    traces: list[dict[str, Any]], chosen: Callable[[State], list[dict[str, Any]]], which: int = 0
) -> list[State]:
    """Predict to the end, choosing what ``chosen`` says at each question; what is held after each check."""
    actions: list[dict[str, Any]] = [show(which, "predict")]
    verdicts = []
    for _ in range(99):
        state = after(traces, *actions)[-1]
        if state["question"] is None and state["step"] == state["last"]:
            return verdicts
        if state["question"]:
            actions += [*chosen(state), act("answer")]
            verdicts.append(after(traces, *actions)[-1])
        actions.append(act("answer"))
    raise AssertionError("it does not end")


def answers_of(state: State) -> list[tuple[int, ...]]:
    """What is true of the question that is open: vertices, arrows, or edges with the better end first."""
    if state["question"] == "survivors":
        return [(v,) for v in state["fresh"]]
    if state["question"] == "assignment":
        return [(v, to) for v, to in enumerate(state["cluster"]) if v != to]
    rank = {v: place for place, v in enumerate(state["order"])}
    ends = state["reduced"]
    return [tuple(sorted(ends[i : i + 2], key=rank.__getitem__)) for i in range(0, len(ends), 2)]


def picks(state: State, answer: tuple[int, ...]) -> list[dict[str, Any]]:
    """The clicks that choose an answer: an arrow goes through the surviving neighbours, in order."""
    if state["question"] != "assignment":
        return [act("pick", vertex=v) for v in answer]
    vertex, to = answer
    options = sorted(u for u in state["near"][vertex] if state["survivor"][u])
    return [act("pick", vertex=vertex)] * (options.index(to) + 1)


def test_what_is_true_is_right_what_is_left_out_is_missed(traces: list[dict[str, Any]]) -> None:
    def all_but_the_first(state: State) -> list[dict[str, Any]]:
        return [one for answer in answers_of(state)[1:] for one in picks(state, answer)]

    verdicts = predicted(traces, all_but_the_first)
    questions = [state["verdict"]["question"] for state in verdicts]
    assert questions == ["survivors"] * 3 + ["assignment", "edges"]
    right = of = 0
    for state in verdicts:
        verdict = state["verdict"]
        assert (len(verdict["missed"]), verdict["wrong"]) == (1, [])
        assert verdict["of"] == verdict["right"] + 1
        right, of = right + verdict["right"], of + verdict["of"]
        assert state["tally"] == {"right": right, "of": of}
        drawn = [mark[-1] for marks in ("marks", "arrows", "edges") for mark in state["sketch"][marks]]
        assert sorted(drawn) == ["missed"] + ["right"] * verdict["right"], (
            "the graph shows what the check says"
        )
    assert predicted(
        traces, lambda state: [one for answer in answers_of(state) for one in picks(state, answer)]
    )[-1]["tally"] == {"right": of, "of": of}


def test_an_arrow_goes_round_the_surviving_neighbours_and_an_edge_goes_on_and_off(
    traces: list[dict[str, Any]],
) -> None:
    answer = [act("answer")] * 6
    state = after(traces, show(0, "predict"), *answer)[-1]
    assert state["question"] == "assignment"
    vertex = next(v for v, near in enumerate(state["near"]) if not state["survivor"][v] and len(near) == 2)
    options = sorted(u for u in state["near"][vertex] if state["survivor"][u])
    survivor = state["survivor"].index(1)
    clicks = [
        act("pick", vertex=survivor),
        *[act("pick", vertex=vertex)] * (len(options) + 1),
        act("guess", vertex=-1),
    ]
    found = [one["pairs"] for one in after(traces, show(0, "predict"), *answer, *clicks)[-len(clicks) :]]
    assert found == [[], *([[vertex, to]] for to in options), [], []]
    wrong = [u for u in options if u != state["cluster"][vertex]]
    for to in wrong:
        clicks = [*picks(state, (vertex, to)), act("answer")]
        verdict = after(traces, show(0, "predict"), *answer, *clicks)[-1]["verdict"]
        assert verdict["wrong"] == [[vertex, to]]
        assert all(v != vertex for v, _ in verdict["missed"]), "one vertex is one answer"
    first, second = [v for v, kept in enumerate(state["survivor"]) if kept][:2]
    out = state["survivor"].index(0)
    there = [*answer, act("answer"), act("answer")]
    clicks = [act("pick", vertex=v) for v in (out, first, first, first, second, second, first)]
    states = after(traces, show(0, "predict"), *there, *clicks)[-len(clicks) :]
    assert states[0]["question"] == "edges"
    assert [len(one["pairs"]) for one in states] == [0, 0, 0, 0, 1, 1, 0]
    assert [one["marks"] for one in states] == [[], [first], [], [first], [], [second], []]


def test_a_remote_steps_or_answers(traces: list[dict[str, Any]]) -> None:
    states = after(
        traces,
        act("remote", by=1),
        act("remote", by=-1),
        show(0, "predict"),
        act("remote", by=-1),
        act("remote", by=1),
    )
    assert [state["step"] for state in states] == [0, 1, 0, 0, 0, 1]
    assert states[-1]["verdict"] is not None


def test_what_is_asked_of_the_page_waits_for_its_answer(traces: list[dict[str, Any]]) -> None:
    present = act("request", value={"present": True})
    options = {"layout": "full", "mode": ""}
    states = after(
        traces,
        present,
        act("options", options=options),
        act("options", options={**options, "present": True, "requested": 1}),
        act("request", value={"another": "harder"}),
        act("request", value={"another": "harder"}),
    )
    assert [state["asked"] for state in states] == [None, True, True, None, None, None]
    assert [state["request"]["n"] for state in states] == [0, 1, 1, 1, 2, 3], "each time it is asked"


def test_an_answer_to_what_was_asked_earlier_is_not_the_one_that_is_waited_for(
    traces: list[dict[str, Any]],
) -> None:
    def ask(present: bool) -> dict[str, Any]:
        return act("request", value={"present": present})

    def answer(present: bool, requested: int) -> dict[str, Any]:
        return act("options", options={"layout": "full", "present": present, "requested": requested})

    keys = (ask(True), ask(False), ask(True))
    states = after(traces, *keys, answer(True, 1), answer(False, 2), answer(True, 3), ask(False))
    assert [state["asked"] for state in states[3:]] == [True, True, True, None, False]


# ---- Edit -------------------------------------------------------------------------------------------------------

EDIT = (show(0, "edit"), act("enter"))
RESULT = ("ids", "score", "edges", "survivor", "settled", "cluster")


def result(state: State) -> list[Any]:
    return [state[name] for name in RESULT]


CHANGES = [
    act("score", vertex=2, value=0.9),
    act("nudge", by=-1),
    act("put", vertex=4, x=7, y=3),
    act("label", label="C"),
    act("add", x=1, y=1),
    act("join", **{"from": 0, "to": 9}),
    act("join", **{"from": 0, "to": 1}),
    act("edge", edge=[2, 3], vertex=-1),
    act("remove"),
    act("select", vertex=5),
    act("remove"),
    act("type", value=3),
]


def test_changes_are_undone_one_by_one_and_done_again(traces: list[dict[str, Any]]) -> None:
    states = after(traces, *EDIT, *CHANGES, *[act("undo")] * 20, *[act("redo")] * 20)
    first, changed = states[2], states[2 + len(CHANGES)]
    assert result(changed) != result(first)
    undone = states[2 + len(CHANGES) + 20]
    assert result(undone) == result(first)
    assert not undone["changed"]
    assert result(states[-1]) == result(changed)
    reset = after(traces, *EDIT, *CHANGES, act("reset"), act("undo"))
    assert result(reset[-2]) == result(first)
    assert result(reset[-1]) == result(changed)


def test_the_cursor_stays_where_it_was_put_while_the_trace_changes(traces: list[dict[str, Any]]) -> None:
    moved = after(traces, *EDIT, act("goto", step=99), act("move", by=-1), *CHANGES)[4:]
    assert {state["kind"] for state in moved} == {"assign"}
    assert all(state["step"] == state["T"] + 1 for state in moved)
    assert len({state["T"] for state in moved}) > 1, "or there was nothing to hold it against"


def test_a_change_of_one_kind_is_one_step_and_the_next_one_another(traces: list[dict[str, Any]]) -> None:
    drag = [act("score", vertex=1, value=value, dragging=True) for value in (0.5, 0.6, 0.7)]
    states = after(
        traces, *EDIT, *drag, act("settle"), act("score", vertex=1, value=0.8), act("undo"), act("undo")
    )
    assert [state["dragging"] for state in states[3:]] == [True, True, True, False, False, False, False]
    assert len({json.dumps(state["scale"]) for state in states[2:6]}) == 1, (
        "the bars keep their scale under the pointer"
    )
    assert states[-2]["score"] == states[5]["score"]
    assert states[-1]["score"] == states[2]["score"]


def test_what_cannot_be_changed_is_not(traces: list[dict[str, Any]]) -> None:
    changes = [
        *CHANGES,
        act("undo"),
        act("reset"),
        act("pin"),
        act("settle"),
        act("link"),
        act("remake", graph=None),
    ]
    plain = after(traces, *changes)
    assert all(result(state) == result(plain[0]) for state in plain)
    small = after(traces, act("show", i=0, options={"mode": "edit", "levels": [1, 2]}), *changes)
    assert all(result(state) == result(small[0]) for state in small)
    assert not small[-1]["editing"]
    alone = after(traces, *EDIT, *[act("select", vertex=0), act("remove")] * 12)
    assert len(alone[-1]["ids"]) == 1, "a graph keeps one vertex"


def test_an_edge_is_drawn_from_the_selected_vertex(traces: list[dict[str, Any]]) -> None:
    states = after(traces, *EDIT, act("link"), act("link"), act("link"), act("select", vertex=0), act("link"))
    best = states[0]["order"][0]
    assert [(state["linking"], state["vertex"]) for state in states[3:6]] == [
        (-1, best),
        (best, best),
        (-1, best),
    ]
    assert states[-1]["linking"] == 0
    joined = after(traces, *EDIT, act("select", vertex=0), act("link"), act("join", **{"from": 0, "to": 5}))[
        -1
    ]
    assert (joined["linking"], joined["vertex"]) == (-1, 5)
    assert [0, 5] in np.reshape(joined["edges"], (-1, 2)).tolist()


def test_python_hears_of_one_change_at_a_time_and_its_answer_sets_nothing_back(
    traces: list[dict[str, Any]],
) -> None:
    change, later = act("nudge", by=1), act("nudge", by=2)
    states = after(
        traces,
        *EDIT,
        act("select", vertex=2),
        change,
        act("sent"),
        later,
        act("answered", n=1, complement=False),
        act("name", id="another", key="another 1"),
        act("sent"),
        act("answered", n=2, complement=False),
    )
    assert [state["pending"] for state in states[2:]] == [
        False,
        False,
        True,
        True,
        True,
        True,
        True,
        True,
        False,
    ]
    first, second = states[4]["message"], states[6]["message"]
    assert (first["n"], second["n"], first["vertex"]) == (1, 2, "v2")
    assert first["graph"]["score"] != second["graph"]["score"]
    assert result(states[6]) == result(states[7]) == result(states[10])
    assert states[8]["message"]["id"] == "another"


def test_the_original_is_told_as_nothing_and_a_new_original_as_a_graph_of_its_own(
    traces: list[dict[str, Any]],
) -> None:
    states = after(
        traces,
        *EDIT,
        act("pin"),
        act("select", vertex=2),
        act("nudge", by=1),
        act("pin"),
        act("undo"),
        act("redo"),
        act("sent"),
        act("undo"),
        act("answered", n=1, complement=False),
    )
    told = [state["message"] for state in states[2:]]
    nothing, graph = False, True
    assert [(bool(one["original"]), bool(one["graph"])) for one in told] == [
        (nothing, nothing),
        (nothing, nothing),
        (nothing, nothing),
        (nothing, graph),
        (graph, nothing),
        (graph, graph),  # undone: another graph than the new original
        (graph, nothing),
        (graph, nothing),  # until it is answered: the next message may take the place of this one
        (graph, graph),
        (nothing, graph),
    ]
    assert told[4]["original"] == told[5]["original"] == told[3]["graph"] != told[5]["graph"]
    assert states[5]["score"] == states[6]["reference"] == states[7]["reference"] != states[7]["score"]
    assert [state["changed"] for state in states[5:8]] == [True, False, True]
