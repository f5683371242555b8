"""The record of a training in the browser: the same states as the library's, and sentences that are true of them."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from app.components import record
from app.components.record import words
from app.train import watched
from app.train.records import Known, left_out
from mivspool.canvas.modules import joined
from mivspool.canvas.strings import NUMBERS
from mivspool.errors import InputError
from mivspool.learning.record import Record
from tests.canvas.node import needs_node, run

ANSWER = """
import { readFileSync } from "node:fs";
const { entries, graphs, graph, level, competes, words, numbers } = JSON.parse(readFileSync(0, "utf8"));
const passes = unfold(entries.slice(0, 1), graph);
unfold(entries, graph, passes); // read on
const own = graphs[graph];
const told = passes.map((pass, i) =>
  sentence({ before: passes[i - 1], pass, level, graph: own, competes, words, numbers }));
const shown = passes.map((pass) => {
  const { vertices, survivors, edges } = levelAt(pass, level, own);
  return { vertices, survivors: [...survivors], edges };
});
const places = [0, 2, 3, 99].map((epoch) => placeOf(passes.map((pass) => pass.epoch), epoch));
console.log(JSON.stringify({ passes, told, shown, often: changedMost(passes, level, own), places,
  range: scoreRange(passes, level) }));
"""

# a path a – b – c – d: first b and d survive, then a and c, whose score passed b's; then d is assigned to nobody else
GRAPH = {"name": "path", "nodes": ["a", "b", "c", "d"], "edges": [[0, 1], [1, 2], [2, 3]], "label": None}


def entry(epoch: int, *levels: dict[str, Any]) -> dict[str, Any]:
    return {"epoch": epoch, "graphs": [{"loss": 0.5, "probabilities": [0.5, 0.5], "levels": list(levels)}]}


ENTRIES = [
    entry(
        0,
        {"score": [0.3, 0.6, 0.5, 0.4], "head": [1, 1, 1, 3], "edges": [[1, 3]]},
        {"score": [0.9, 0.1], "head": [1, 1], "edges": []},
    ),
    entry(
        1,
        {"score": [0.4, 0.5, 0.6, 0.3], "head": [0, 2, 2, 2], "edges": [[0, 2]]},
        {"score": [0.2, 0.8], "head": [2, 2]},
    ),
    entry(2, {"score": [0.55, 0.5, 0.4, 0.3], "head": [0, 0, 2, 2]}, {}),
    entry(5, {}, {}),
    entry(6, {"score": [0.3, 0.6, 0.5, 0.4], "head": [1, 1, 1, 3], "edges": [[1, 3]]}, {"head": [1, 1]}),
]


def asked(level: int = 0, competes: str = "neighbours", entries: list[dict[str, Any]] = ENTRIES) -> Any:
    question = {
        "entries": entries, "graphs": [GRAPH], "graph": 0, "level": level, "competes": competes,
        "words": words.RECORD["sentences"], "numbers": NUMBERS,
    }  # fmt: skip
    script = joined(Path(record.__file__).with_name("model.js")) + ANSWER
    return json.loads(run("--input-type=module", "--eval", script, given=json.dumps(question)))


@needs_node
def test_the_browser_unfolds_changes_as_the_library_does() -> None:
    whole = Record([GRAPH], ["0", "1"], ENTRIES)
    states = [(epoch, json.loads(json.dumps(state[0]))) for epoch, state in whole.states()]
    passes = asked()["passes"]
    assert [(one.pop("epoch"), one) for one in passes] == states


@needs_node
def test_each_sentence_says_who_changed_and_why() -> None:
    assert asked()["told"] == [
        "Epoch 0: with untrained weights, two of four vertices survive.",
        "Epoch 1: four vertices changed; c survives instead of b, because its score passed b’s; "
        "a survives, because b no longer does; d no longer survives and is assigned to c.",
        "Epoch 2: the same vertices survive; b is assigned to a instead of c.",
        "Epochs 3 to 5: no vertex changed.",
        "Epoch 6: four vertices changed; b survives instead of a, because its score passed a’s; "
        "d survives, because c no longer does; c no longer survives and is assigned to b.",
    ]


@needs_node
def test_a_level_has_the_survivors_of_the_one_below() -> None:
    answer = asked(level=1)
    assert answer["shown"][0] == {"vertices": [1, 3], "survivors": [1], "edges": [[1, 3]]}
    assert answer["shown"][2] == {"vertices": [0, 2], "survivors": [2], "edges": [[0, 2]]}
    assert answer["told"][1] == (
        "Epoch 1: two vertices changed; c has reached this level and survives; b no longer reaches this level."
    )
    assert answer["range"] == {"low": 0.1, "high": 0.9}


@needs_node
def test_how_often_each_vertex_changed_and_where_an_epoch_stands() -> None:
    answer = asked()
    assert answer["often"] == [[0, 2], [1, 2], [2, 2], [3, 2]]
    assert answer["places"] == [0, 2, 2, 4], "an epoch that is not recorded: the one before it"


@needs_node
def test_where_the_best_are_kept_every_vertex_is_a_rival() -> None:
    first = {"score": [0.3, 0.6, 0.5, 0.4], "head": [-1, 1, 2, -1], "edges": []}
    then = {"score": [0.7, 0.6, 0.5, 0.4], "head": [0, 1, -1, -1]}
    told = asked(competes="all", entries=[entry(0, first), entry(1, then)])["told"]
    assert told[1] == "Epoch 1: two vertices changed; a survives instead of c, because its score passed c’s."


@pytest.mark.parametrize(
    ("method", "competes"), [("mivspool", "neighbours"), ("gpool", "all"), ("", "neighbours")]
)
def test_learn_and_train_say_the_same_of_a_record(method: str, competes: str) -> None:
    """The classes as the data set and as people call them, and whose scores a vertex competes with."""
    made = record.document(
        graphs=[], entries=ENTRIES, classes=["0", "1"], dataset="MAO", method=method, curves={}, best=2
    )
    assert made["names"] == ["0", "1"]
    assert made["classes"] == ["MAO inhibitor (class 0)", "not an MAO inhibitor (class 1)"]
    assert (made["competes"], made["best"], made["running"]) == (competes, 2, False)


@pytest.mark.parametrize("running", [True, False])
def test_a_long_record_is_sent_when_it_has_grown_by_a_tenth(running: bool) -> None:
    known = Known(1)
    sent = []
    for epoch in range(100):
        document = {
            "every": 1,
            "classes": [],
            "graphs": [],
            "last": epoch,
            "entries": [{"epoch": epoch, "graphs": ["x" * 30_000]}],
        }
        known.add(document)
        sent.append(len(known.due(running)))
    if running:
        assert sent[:13] == list(range(1, 14)), "a short one at every look"
        assert sum(map(len, (known.entries[:n] for n in sorted(set(sent))))) < 12 * 100
        assert sent[-1] >= 90
    else:
        assert sent == list(range(1, 101))


def test_what_a_record_leaves_out_is_said() -> None:
    known = Known(1, classes=["a", "b", "c"], graphs=[{"label": "a"}])
    assert left_out(known, chosen=True)[0].startswith("2 classes have no graph here")
    assert left_out(known, chosen=False) == []
    known.graphs, known.every = [{"label": name} for name in "abc"], 4
    assert "divisible by 4" in left_out(known, chosen=True)[0]


@pytest.mark.parametrize(("text", "read"), [("", None), (" 3, 40;7 ", [3, 40, 7]), (",", None)])
def test_the_graphs_to_record_are_named_by_numbers(text: str, read: list[int] | None) -> None:
    assert watched.numbers(text) == read


@pytest.mark.parametrize("text", ["MAO:3", "-1", "1.5", ",".join(map(str, range(13)))])
def test_what_names_no_graphs_to_record_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        watched.numbers(text)


# what the component shows and holds
SHOWN = """() => {
  const hosts = [...document.querySelectorAll('*')].filter((e) => e.shadowRoot);
  const box = hosts.map((e) => e.shadowRoot.querySelector('.record')).find(Boolean);
  if (!box || !box.record.epochs?.length) return null;
  const { record } = box;
  const stage = box.querySelector('figure:last-child');
  return {
    epochs: record.epochs, running: record.data.running, epoch: record.epochs[record.place],
    survivors: [...stage.querySelectorAll('.vertex.survivor title')].map((title) => title.textContent),
    sentence: box.querySelector('.sentence').textContent,
  };
}"""


def until(page: Any, condition: Any, what: str, seconds: int = 90) -> dict[str, Any]:
    """What is shown, once the condition holds of it."""
    for _ in range(10 * seconds):
        shown = page.evaluate(SHOWN)
        if shown and condition(shown):
            return dict(shown)
        page.wait_for_timeout(100)
    raise AssertionError(f"{what}: {page.evaluate(SHOWN)}")


@pytest.mark.browser
@pytest.mark.slow
def test_survivors_move_while_the_network_learns_and_nothing_is_lost(app: Any) -> None:
    settings = "max_epochs%3D90000%26patience%3D90000%26lr%3D0.01%26hidden%3D16"
    page = app.open(f"train?dataset=MAO&config={settings}", graph=False)
    page.get_by_role("button", name="Start", exact=True).click()
    # without a job in its link, the page shows the last one, which another test may have trained to its end
    first = until(page, lambda shown: shown["running"], "the record begins")
    moved = until(page, lambda shown: shown["survivors"] != first["survivors"], "survivors change")
    assert moved["running"], "on screen while the network learns"
    page.wait_for_url("**job=**")
    page.reload()
    again = until(page, lambda shown: len(shown["epochs"]) > len(moved["epochs"]), "all of it is there again")
    assert again["epochs"] == list(range(len(again["epochs"])))
    page.get_by_role("button", name="Cancel", exact=True).click()
    page.get_by_role("button", name="Resume", exact=True).click()
    more = until(page, lambda shown: len(shown["epochs"]) > len(again["epochs"]) + 20, "it goes on")
    assert more["epochs"] == list(range(len(more["epochs"])))
    page.get_by_role("button", name="Cancel", exact=True).click()
    ended = until(page, lambda shown: not shown["running"], "it ends")
    slider = page.get_by_role("slider", name="Epoch")
    slider.focus()
    page.keyboard.press("Home")
    page.keyboard.press("ArrowRight")
    told = until(page, lambda shown: shown["epoch"] == 1, "the slider moves everything")
    assert told["sentence"].startswith("Epoch 1: ")
    page.wait_for_url(re.compile(r"[?&]epoch=1(&|$)"))
    link = app.open(page.url.removeprefix(f"{app.address}/"), graph=False)
    same = until(link, lambda shown: shown["epoch"] == 1, "a link holds the epoch")
    assert (same["survivors"], same["sentence"]) == (told["survivors"], told["sentence"])
    assert len(same["epochs"]) == len(ended["epochs"])


@pytest.mark.browser
@pytest.mark.slow
def test_on_a_phone_the_graph_is_on_the_screen_after_start(app: Any) -> None:
    page = app.open("train?dataset=MAO&config=max_epochs%3D5", graph=False, width=390, height=844)
    page.get_by_text("Hyperparameters: 1 changed").click()  # so that Start is far below
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**job=**")
    until(page, lambda shown: shown["epochs"][-1] <= 5, "the record begins")  # and no earlier one is shown
    place = page.locator(".record .drawing").bounding_box()
    assert 0 <= place["y"] < place["y"] + place["height"] <= 844
