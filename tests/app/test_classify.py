"""The Classify page: the answer's levels are the model's, the figure has the graph's sizes, many files at once."""

from __future__ import annotations

import html
import io
import re
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch

from app import backend, pooled, sources
from app.classify import many, page
from app.components import assignment, cluster, mapping, network_figure
from app.pooled import classified
from app.ui import class_plots, common, tables
from mivspool.content import shared
from mivspool.content.classify import words
from mivspool.graphs import load_dataset
from mivspool.graphs.graph import Graph
from mivspool.learning.layers import CHOICES, NETWORKS, describe
from mivspool.learning.models import load_model, save_model
from mivspool.learning.runs import NetworkConfig, RunConfig, architectures
from mivspool.learning.training import train
from mivspool.levels import step
from mivspool.service.schemas import Classified, LevelScores, Scores, WithoutCluster

MOLECULE: Graph = load_dataset("MAO")[3]


@pytest.mark.parametrize("score", ["multiview", "attention", "uniform"])
def test_levels_come_back_from_the_answer_as_they_went_in(score: str) -> None:
    levels = step(MOLECULE, score, levels=3)
    model = next(model for model in backend.models() if model.score is not None)
    answer = Classified(source="MAO:3", levels=[level.to_json() for level in levels])
    made = classified.levels_of("MAO:3", model, (), MOLECULE, answer)
    for ours, theirs in zip(made, levels, strict=True):
        assert torch.equal(ours.trace.survivor, theirs.trace.survivor)
        assert torch.equal(ours.trace.settled_at, theirs.trace.settled_at)
        assert torch.equal(ours.cluster, theirs.cluster)
        assert ours.reduced_nodes == theirs.reduced_nodes
        assert ours.metrics == theirs.metrics


@pytest.mark.parametrize("complement", [False, True])
@pytest.mark.parametrize("score", ["multiview", "uniform"])
def test_scores_alone_make_the_same_levels(score: str, complement: bool) -> None:
    levels = step(MOLECULE, score, levels=3, complement=complement)
    told = [
        LevelScores(
            level=level.level,
            nodes=list(level.nodes),
            score=dict(zip(level.nodes, level.score.tolist(), strict=True)),
            # of a learned score the order compares this: the last bits of the score itself are noise
            rounded=None
            if level.rounded is None
            else dict(zip(level.nodes, level.rounded.tolist(), strict=True)),
        )
        for level in levels
    ]
    scores = Scores(model="m", graph="g", levels=told)
    made = classified.levels_by_scores(MOLECULE, scores, complement)
    for ours, theirs in zip(made, levels, strict=True):
        assert ours.nodes == theirs.nodes
        assert torch.equal(ours.trace.survivor, theirs.trace.survivor)
        assert torch.equal(ours.cluster, theirs.cluster)
        assert torch.equal(ours.reduced.with_diagonal()[1], theirs.reduced.with_diagonal()[1])


def test_the_card_lists_the_network_layer_by_layer() -> None:
    card = backend.card("mao-mivspool")
    text = page.card_text(card).lstrip()
    assert text.startswith("# mao-mivspool")
    assert "pipeline_tag" not in text, "what stands there for model hubs is not for people"
    head, rule, *rows = page.layers_table(card.layers).split("\n")
    assert head.count(" | ") == rule.count(" | ") == len(words.LAYER_COLUMNS) - 1
    kinds = [row.split(" | ")[0].removeprefix("| ") for row in rows]
    blocks = card.config["architecture"]["blocks"]
    assert kinds == ["convolution", "pooling", "readout"] * blocks + ["join", "MLP"]
    assert all(row.count(" | ") == head.count(" | ") for row in rows), "no name is a cell"


def layers(**settings: Any) -> list[dict[str, Any]]:
    """The description of a network as a card has it."""
    return [layer.to_dict() for layer in describe(NetworkConfig(11, 2, **settings))]


DESCRIBED = [
    *({"network": name, "method": method} for name in NETWORKS for method in architectures()),
    *({"network": name, "readout_at": place} for name in NETWORKS for place in CHOICES["readout_at"]),
    *({"network": name, "join": join} for name in NETWORKS for join in CHOICES["join"]),
]


@pytest.mark.parametrize("settings", DESCRIBED, ids=lambda s: "-".join(map(str, s.values())))
def test_the_figure_is_drawn_of_the_description(settings: dict[str, Any]) -> None:
    """Every layer is in it, in its order, whichever network it is; and nothing that is no layer."""
    told = layers(**settings)
    network = network_figure.Network(told, [], 14, 15, {"0": 1.0})
    kinds = {
        "convolution": ("GCN ", "GIN ", "MLP "), "normalisation": ("batch normalisation",),
        "pooling": (shared.method_title(settings.get("method", "mivspool")),), "readout": ("mean", "sum"),
    }  # fmt: skip
    found = [
        next(kind for kind, starts in kinds.items() if text.startswith(starts))
        for box in network_figure.boxes(network)[1:] or network_figure.boxes(network)
        for text in (*box.lines, *([box.readout[0]] if box.readout else []))
        if not text.startswith(("14 ", "11 "))
    ]
    assert found == [layer["kind"] for layer in told if layer["level"] is not None]
    (join,), (mlp,) = network.of("join"), network.of("mlp")
    for tall in (False, True):
        svg = network_figure.drawing(network, 0, tall)
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
        assert (
            texts.count(f"{network.of('readout')[0]['outputs']}-dimensional") == join["options"]["readouts"]
        )
        assert texts.count(str(mlp["inputs"])) == 1
        assert texts.count({"sum": "Σ", "concatenate": "‖"}[join["name"]]) == 1
        assert svg.count("data-block") == len(network.of("pooling"))
    said = network_figure.describe(network)
    assert ("concatenated" in said) == (join["name"] == "concatenate")


def test_the_better_model_of_a_data_set_is_offered_first() -> None:
    known = backend.models()
    some = next(model for model in known if model.accuracy is not None)
    better = some.model_copy(update={"name": "zz-better", "accuracy": 99.9, "network": "Multilevel network"})
    listed = [model.name for model in mapping.offered([*known, better])]
    assert sorted(listed) == sorted(model.name for model in [*known, better])
    assert listed.index("zz-better") == listed.index(some.name) - 1
    uploaded = replace(MOLECULE, name=f"{some.dataset}:0", collection=None)  # in a zip of that data set
    for graph in (replace(MOLECULE, collection=some.dataset), uploaded):
        assert mapping.best_model([*known, better], graph) == "zz-better"
    assert some.network == "The paper's network"


MULTILEVEL = "small-multilevel"


@pytest.fixture
def multilevel(own_backend: Any) -> None:
    """A small model of the network `multilevel` on the shelf, as the page meets one."""
    own_backend()
    config = RunConfig("MAO", network="multilevel", hidden=8, blocks=2, max_epochs=1, fold=None, threads=1)
    result = train(config)
    save_model(MULTILEVEL, result.network, result.schema, result.classes, {"dataset": "MAO"})


@pytest.mark.usefixtures("multilevel")
def test_a_network_with_sums_is_shown_as_it_computes(monkeypatch: Any) -> None:
    """From the answer and from the scores alone; the calculation of a cluster says what the network does."""
    (ours,) = load_model(MULTILEVEL).classify([MOLECULE])
    graph = sources.load("MAO:3")
    answer = backend.classified("MAO:3", MULTILEVEL, (), graph)
    model = next(model for model in backend.models() if model.name == MULTILEVEL)
    scores = backend.scores(graph, MULTILEVEL, ())
    for levels in (
        pooled.of_answer("MAO:3", model, (), graph, answer).levels,
        classified.levels_by_scores(graph, scores, False),
        pooled.pool("MAO:3", "", 0, False, False, MULTILEVEL).levels,
    ):
        assert [level.reduction for level in levels] == ["sum", "sum"]
        for level, theirs in zip(levels, ours.levels, strict=True):
            assert torch.allclose(level.factor, theirs.factor)
    network = network_figure.network_of(graph, backend.card(MULTILEVEL), answer, ours.levels)
    assert f"14 → {len(ours.levels[0].reduced_nodes)} vertices" in network_figure.drawing(network, 0, False)
    written: list[str] = []
    monkeypatch.setattr("app.components.cluster.st.html", written.append)
    pooling = pooled.pool("MAO:3", "", 0, False, False, MULTILEVEL)
    cluster.show(pooling, pooling.levels[0], 0, MULTILEVEL)
    assert common.EQ12["sum"] in html.unescape(written[0])
    assert common.SHARE_OF_SUM not in html.unescape(written[0])
    assert common.S_COLUMNS_TABLE["factor"] in assignment.as_csv(pooling.levels[0]).decode()


def test_the_figure_has_this_graphs_sizes_and_names_stay_text() -> None:
    network = network_figure.Network(
        layers=layers(blocks=2), sizes=[network_figure.Sizes(14, 15, 6, 6)],
        vertices=14, edges=15, probabilities={"<b>active</b>": 0.75, "0": 0.25},
    )  # fmt: skip
    for tall in (False, True):
        svg = network_figure.drawing(network, 0, tall)
        assert "14 → 6 vertices" in svg
        assert "GCN 11 → 128" in svg
        assert "GCN 128 → 128" in svg
        assert svg.count("data-block") == 2
        assert "<b>" not in svg
        assert ">256<" in svg  # the MLP takes mean and max of 128 channels
    assert "0.75" in svg


def test_a_left_out_cluster_is_spoken_of_by_its_sign() -> None:
    def left(survivor: str, change: float) -> WithoutCluster:
        return WithoutCluster(survivor=survivor, vertices=[survivor], probabilities={}, change=change)

    said = class_plots.left_out_sentence([left("a", -0.2), left("b", 0.001), left("c", 0.1)], "1")
    assert "drops most when cluster a is removed (−20.0 percentage points)" in said
    assert "rises most when cluster c is removed (+10.0 percentage points)" in said
    assert "rises" not in class_plots.left_out_sentence([left("a", -0.2), left("b", 0.001)], "1")
    assert "No single cluster" in class_plots.left_out_sentence([left("a", -0.001)], "1")


def test_no_cell_is_a_formula() -> None:
    assert tables.harmless("=cmd|' /C calc'!A0") == "'=cmd|' /C calc'!A0"
    assert tables.harmless("-1+1") == "'-1+1"
    assert tables.harmless(-0.5) == -0.5
    assert tables.harmless("ethanol") == "ethanol"
    by_row, by_column = tables.frame([{"=a": "@b", "c": 1}]), tables.frame({"=a": ["@b"], "c": [1]})
    assert by_row.to_csv(index=False) == by_column.to_csv(index=False) == "'=a,c\n'@b,1\n"


def test_probabilities_are_text_whatever_the_classes_are_called() -> None:
    answer = Classified(source="x", predicted="<i>", probabilities={"<i>": 0.9, "0": 0.1}, true="0")
    html = class_plots.probabilities(answer, "#00f")
    assert "<i>" not in html
    assert html.index("0.900") < html.index("0.100")


@pytest.mark.parametrize("n", [2, 3, 6, 12])
def test_no_two_classes_have_the_same_swatch(n: int) -> None:
    """In a legend a bar has its colour and its pattern, and no opacity."""
    answers = [Classified(source="x", predicted=str(k), probabilities={str(k): 0.9}) for k in range(n)]
    for theme in ("light", "dark"):
        bars = class_plots.histogram(answers, theme).data
        swatches = {(bar.marker.color, bar.marker.pattern.shape) for bar in bars}
        assert len(swatches) == len(bars) == n
        assert all(bar.marker.opacity is None for bar in bars)


def test_files_that_cannot_be_read_are_listed_beside_those_that_can() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("good.csv", "a,b\nb,c\nc,a\n")
        archive.writestr("bad.json", "{")
        archive.writestr("also.csv", "1 2\n2 3\n")
    graphs, unread = many._read(packed.getvalue(), "three.zip")
    assert [graph.num_nodes for _, graph in graphs] == [3, 3]
    assert len(unread) == 1
    assert unread[0][1]


def test_each_of_several_files_is_read_by_itself() -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("in.csv", "a,b\n")
        archive.writestr("old.pkl", b"\x80\x04N.")
    files = [
        ("one.csv", b"a,b\nb,c\n"),
        ("zip.zip", packed.getvalue()),
        ("model.pt", b"\x80\x02N."),
        ("empty.csv", b""),
        ("list.smi", b"CCO\nC1C\nO\n"),
    ]
    graphs, unread = many._read_all("several", files)
    assert [graph.num_nodes for _, graph in graphs] == [3, 2, 3, 1]
    assert [which.partition("#")[0] for which, _ in unread] == [
        "zip.zip",
        "model.pt",
        "empty.csv",
        "list.smi",
    ]
    parts = {"T_A.txt": b"1, 2\n2, 1\n", "T_graph_indicator.txt": b"1\n1\n", "T_graph_labels.txt": b"1\n"}
    graphs, unread = many._read_all("parts", list(parts.items()))
    assert [graph.num_nodes for _, graph in graphs] == [2]
    assert not unread


@pytest.mark.browser
def test_a_molecule_is_classified_and_its_network_opened(app: Any) -> None:
    page = app.open("classify?graph=MAO:3", graph=False)
    page.locator("h4", has_text="Predicted by").wait_for(timeout=60_000)
    page.locator(".figure .wide [data-block]").nth(1).click()
    page.wait_for_url("**block=1**")
    page.get_by_text("What each cluster of this block contributes").wait_for()
    page.locator('.mivspool[data-layout="full"] .stage canvas').first.wait_for()


@pytest.mark.browser
def test_a_whole_data_set_at_once(app: Any) -> None:
    page = app.open("classify?how=many&source=dataset&dataset=MAO", graph=False)
    page.get_by_role("button", name="Classify 68 graphs").click(timeout=60_000)
    page.get_by_text("graphs classified:").first.wait_for(timeout=60_000)


@pytest.mark.browser
def test_a_folder_with_folders_in_it(app: Any, tmp_path: Path) -> None:
    inner = tmp_path / "molecules" / "more"
    inner.mkdir(parents=True)
    (tmp_path / "molecules" / "two.csv").write_text("smiles\nCCO\nCCN\n", encoding="utf-8")
    (inner / "one.smi").write_text("c1ccccc1 benzene\n", encoding="utf-8")
    (inner / "notes.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    page = app.open("classify?how=many&source=folder", graph=False)
    page.locator('input[type="file"]').set_input_files(tmp_path / "molecules", timeout=60_000)
    page.get_by_role("button", name="Classify 3 graphs").click(timeout=60_000)
    page.get_by_text("3 graphs lie outside the domain of the model").wait_for(
        timeout=60_000
    )  # they are small
    page.get_by_text("1 could not be read").or_(page.get_by_text("notes.png")).first.wait_for()
