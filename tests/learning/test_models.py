"""Classifying: a graph's result alone is its result in any batch, whatever its vertices are called."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
import torch

from mivspool.errors import InputError, ModelError
from mivspool.graphs import (
    CLASSICS,
    Dataset,
    Graph,
    InputSchema,
    dataset_features,
    fit_graph,
    open_source,
)
from mivspool.learning import models
from mivspool.learning.inference import MOST_VERTICES, portions
from mivspool.learning.models import (
    Model,
    check_name,
    delete_model,
    list_models,
    load_model,
    model_folder,
    save_model,
)
from mivspool.learning.network import Classifier, NetworkConfig


def molecule(labels: Sequence[str], edges: Sequence[tuple[int, int]], label: str | None = None) -> Graph:
    pairs = np.asarray(edges, dtype=np.int64).reshape(-1, 2).T
    nodes = tuple(f"v{i}" for i in range(len(labels)))
    return Graph("drawn", nodes, pairs, node_attributes={"label": tuple(labels)}, label=label)


def test_alone_is_as_in_a_batch(model: Model, mao: Dataset) -> None:
    graphs = list(mao)
    for graph, together in zip(graphs, model.classify(graphs), strict=True):
        (alone,) = model.classify([graph])
        assert alone.probabilities == pytest.approx(together.probabilities, abs=1e-6)
        assert len(alone.levels) == len(together.levels) == 3
        for one, other in zip(alone.levels, together.levels, strict=True):
            assert one.nodes == other.nodes
            assert torch.equal(one.trace.survivor, other.trace.survivor)
            assert torch.allclose(one.score, other.score, atol=1e-5)


def test_graphs_of_other_packages_are_classified_as_ours(model: Model, mao: Dataset) -> None:
    ours = [one.probabilities for one in model.classify([mao[0], mao[1]])]
    for theirs in ([mao[i].to_data() for i in (0, 1)], [mao[i].to_networkx() for i in (0, 1)]):
        assert [one.probabilities for one in model.classify(theirs)] == ours
        assert [one.probabilities for one in model.classify(theirs[0])] == ours[:1]


def test_the_levels_are_those_that_led_to_the_answer(model: Model, mao: Dataset) -> None:
    graphs = [mao[i] for i in range(5)]
    results = model.classify(graphs)
    out = results[0].passed.out
    for k, pooled in enumerate(out.levels):
        survivor = torch.cat([result.levels[k].trace.survivor for result in results])
        assert torch.equal(survivor, pooled.survivor)
        x = torch.cat([result.levels[k].reduced_x for result in results])
        assert torch.allclose(x, pooled.x, atol=1e-5)


def test_levels_hand_on_to_each_other(model: Model, mao: Dataset) -> None:
    levels = model.step(mao[3])
    for before, after in pairwise(levels):
        assert before.reduced_nodes == after.nodes
        assert torch.equal(before.reduced.col, after.adjacency.col)
    assert levels[0].nodes == mao[3].nodes
    assert len(model.step(mao[3], levels=1)) == 1
    assert [set(scores) for scores in model.scores(mao[3])] == [set(level.nodes) for level in levels]
    with pytest.raises(InputError, match="at least 1"):
        model.step(mao[3], levels=0)


def test_probabilities_are_probabilities_and_the_best_is_predicted(model: Model, mao: Dataset) -> None:
    for result in model.classify(list(mao)):
        assert sum(result.probabilities) == pytest.approx(1)
        assert result.predicted == model.classes[int(np.argmax(result.probabilities))]
        assert result.true in model.classes


def test_small_and_odd_graphs_have_an_answer(model: Model) -> None:
    graphs = [
        molecule(["C"], []),
        molecule(["C", "N"], []),
        molecule(["C", "C", "O", "N"], [(0, 1), (2, 3)]),
        molecule(["C"] * 12, [(i, j) for i in range(12) for j in range(i + 1, 12)]),
    ]
    for result in model.classify(graphs):
        assert np.isfinite(result.probabilities).all()
        assert result.warnings
    assert model.classify([]) == []


def test_a_class_of_another_data_set_is_not_the_models(model: Model, mao: Dataset) -> None:
    graph = mao[0]
    named = Graph("MUTAG:0", graph.nodes, graph.edges, node_attributes=graph.node_attributes, label="1")
    assert model.classify([named])[0].true is None
    assert model.classify([molecule(["C", "C"], [(0, 1)], "1")])[0].true == "1"
    assert model.classify([molecule(["C", "C"], [(0, 1)], "banana")])[0].true is None


def test_an_unfit_graph_is_refused_and_the_others_go_on(model: Model, mao: Dataset) -> None:
    karate = open_source("karate")
    with pytest.raises(ModelError, match="chemical elements"):
        model.classify([mao[0], karate])
    first, second, third = model.classify_each([mao[0], karate, mao[1]])
    assert isinstance(second, ModelError)
    assert not isinstance(first, ModelError)
    assert not isinstance(third, ModelError)
    assert third.probabilities == pytest.approx(model.classify([mao[1]])[0].probabilities, abs=1e-6)


def test_no_graph_that_was_learned_from_is_outside_the_domain(mao: Dataset, toy: Dataset) -> None:
    for dataset, kind in ((mao, "labels"), (mao, "degree"), (toy, "auto"), (toy, "degree")):
        _, of_all = dataset_features(dataset, kind=kind)
        assert not any(fit_graph(graph, of_all).outside for graph in dataset)


def test_a_graph_of_another_kind_is_outside_the_domain_of_every_released_model() -> None:
    """A model that reads degrees takes any graph: friendships were proteins with 99 % once."""
    for info in list_models(kept=False):
        released = load_model(info.name)
        for name in CLASSICS:
            graph = open_source(name)
            (found,) = released.classify_each([graph])
            assert isinstance(found, ModelError) or found.outside, (info.name, name)
        if released.schema.node_labels is None:
            alike = Graph("of nobody", graph.nodes, graph.edges)  # what it is, nobody says
            assert not any("another kind" in reason for reason in fit_graph(alike, released.schema).outside)


def test_a_molecule_with_one_bond_fewer_is_still_a_molecule(model: Model, mao: Dataset) -> None:
    """Labels say what it is: a mean degree that is a little beyond is a note, and a clique's is not."""
    graph = mao[3]
    opened = Graph("opened", graph.nodes, graph.edges[:, 1:], node_attributes=graph.node_attributes)
    found = model.classify([opened])[0]
    assert found.outside == ()
    assert any("mean degree" in reason for reason in found.warnings)
    pairs = np.array([(u, v) for v in range(12) for u in range(v)]).T
    clique = Graph("clique", tuple(map(str, range(12))), pairs, node_attributes={"label": ("C",) * 12})
    assert any("mean degree" in reason for reason in model.classify([clique])[0].outside)


def test_what_is_outside_is_a_warning_too_and_stays_answered(model: Model, mao: Dataset) -> None:
    found = model.classify([molecule(["C", "Zn", "C"], [(0, 1), (1, 2)])])[0]
    assert any("Zn" in reason for reason in found.outside)
    assert any("3 vertices" in reason for reason in found.outside)
    assert set(found.outside) <= set(found.warnings)
    assert found.to_json()["outside"] == list(found.outside)
    assert sum(found.probabilities) == pytest.approx(1)
    assert not model.classify([mao[3]])[0].outside


def test_answers_are_calibrated_where_the_model_was_measured(model: Model, mao: Dataset) -> None:
    assert model.classify([mao[3]])[0].calibrated is None
    assert model.assessment is None
    for result in load_model("mao-mivspool").classify(list(mao)):
        document = result.to_json(levels=False)
        assert sum(document["calibrated"].values()) == pytest.approx(1)
        assert max(document["calibrated"].values()) == document["calibrated"][document["predicted"]]
        assert document["class_names"][document["predicted"]]


def test_the_calibration_says_nothing_of_a_graph_outside_the_domain() -> None:
    (found,) = load_model("mao-mivspool").classify([molecule(["C", "Zn", "C"], [(0, 1), (1, 2)])])
    assert found.outside
    assert found.calibrated is None
    assert sum(found.probabilities) == pytest.approx(1)


def test_json_is_the_designs(model: Model, mao: Dataset) -> None:
    document = model.classify([mao[3]])[0].to_json()
    assert {"graph", "model", "predicted", "probabilities", "true", "coverage", "levels", "warnings"} <= set(
        document
    )
    assert document["model"] == "small"
    assert set(document["probabilities"]) == {"0", "1"}
    assert [level["level"] for level in document["levels"]] == [0, 1, 2]
    assert "levels" not in model.classify([mao[3]])[0].to_json(levels=False)


def test_leaving_a_cluster_out_is_classifying_the_rest(model: Model, mao: Dataset) -> None:
    graph = mao[3]
    for level in (0, 1):
        left = model.leave_out(graph, level)
        assert [one.cluster for one in left] == list(model.step(graph)[level].reduced_nodes)
        gone = [vertex for one in left for vertex in one.vertices]
        assert sorted(gone, key=int) == list(graph.nodes)
    one = model.leave_out(graph, 0, [left[0].cluster])[0]
    kept = [i for i, node in enumerate(graph.nodes) if node not in one.vertices]
    number = {old: new for new, old in enumerate(kept)}
    rest = molecule(
        [graph.node_attributes["label"][i] for i in kept],
        [(number[u], number[v]) for u, v in graph.edges.T.tolist() if u in number and v in number],
    )
    assert one.probabilities == pytest.approx(model.classify([rest])[0].probabilities, abs=1e-6)


def test_leaving_out_refuses_what_is_not_there(model: Model, mao: Dataset) -> None:
    with pytest.raises(InputError, match="3 pooled levels"):
        model.leave_out(mao[3], 3)
    with pytest.raises(InputError, match="no survivor"):
        model.leave_out(mao[3], 0, ["nobody"])
    assert model.leave_out(molecule(["C", "C"], [(0, 1)])) == []


def test_a_network_without_pooling_classifies_but_has_no_levels(
    schema: InputSchema, mao: Dataset, tmp_path: Path
) -> None:
    for method in ("none", "structure-blind"):
        network = Classifier(NetworkConfig(schema.num_features, 2, method=method, hidden=8)).eval()
        made = load_model(save_model(tmp_path / method, network, schema, ["0", "1"], {"dataset": "MAO"}))
        assert made.classify([mao[0]])[0].levels == []
        with pytest.raises(ModelError, match=method):
            made.step(mao[0])


def test_portions_hold_every_graph_once_and_no_more_than_allowed() -> None:
    sizes = [4, 5, 1, 20, 3, 3, 3]
    parts = list(portions(sizes, most=10))
    assert [i for part in parts for i in range(len(sizes))[part]] == list(range(len(sizes)))
    assert all(sum(sizes[part]) <= 10 or len(sizes[part]) == 1 for part in parts)
    assert list(portions([])) == []
    assert len(list(portions([MOST_VERTICES * 2]))) == 1


def test_the_shelf_lists_what_was_saved_and_forgets_what_was_deleted(
    own_home: Path, network: Classifier, schema: InputSchema
) -> None:
    save_model("my-model", network, schema, ["0", "1"], {"dataset": "MAO"})
    (info,) = [one for one in list_models() if not one.released]
    assert (info.name, info.dataset, info.classes, info.problem) == ("my-model", "MAO", ("0", "1"), None)
    assert info.needs == "chemical elements as vertex labels (C, N, O)"
    assert load_model("my-model").name == "my-model"
    with pytest.raises(ModelError, match="already"):
        save_model("my-model", network, schema, ["0", "1"], {"dataset": "MAO"})
    (own_home / "models" / "my-model" / "config.json").write_text("[]")
    (info,) = [one for one in list_models() if not one.released]
    assert info.problem is not None
    delete_model("my-model")
    assert [one for one in list_models() if not one.released] == []
    with pytest.raises(ModelError, match="there is no model 'my-model'"):
        delete_model("my-model")


def test_a_released_model_is_neither_deleted_nor_replaced(
    own_home: Path, folder: Path, network: Classifier, schema: InputSchema, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "_released_shelf", lambda: folder.parent)
    assert [one.name for one in list_models() if one.released] == ["small"]
    with pytest.raises(ModelError, match="not deleted"):
        delete_model("small")
    with pytest.raises(ModelError, match="released model"):
        save_model("small", network, schema, ["0", "1"], {"dataset": "MAO"}, overwrite=True)


@pytest.mark.parametrize("name", ["", "..", "../x", "Über", "a/b", "a" * 65, ".hidden", "a\0b", "CON:"])
def test_a_name_is_never_a_path(name: str, own_home: Path) -> None:
    with pytest.raises(ModelError, match="cannot be a model's name"):
        check_name(name)
    assert model_folder(name) is None


@pytest.mark.parametrize("name", ["nothing-of-the-kind", "../nowhere/at/all", "a\0b", "x" * 5000])
def test_an_unknown_model_is_a_sentence(name: str, own_home: Path) -> None:
    with pytest.raises(ModelError):
        load_model(name)


def test_a_model_is_loaded_and_answers_without_scipys_statistics() -> None:
    """scipy.stats was half of the time that a model took to load; its tests and quantiles are for tables."""
    code = (
        "import sys; from mivspool.graphs import load_dataset; from mivspool.learning import models; "
        "graph = load_dataset('MAO')[3]; assert models.list_models(kept=False); "
        "assert models.load_model('mao-mivspool').classify([graph])[0].calibrated; "
        "print([name for name in ('scipy.stats', 'scipy.optimize') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_model_that_changed_on_disk_is_read_again(
    own_home: Path, network: Classifier, schema: InputSchema
) -> None:
    save = (network, schema)
    save_model("mine", *save, ["0", "1"], {"dataset": "MAO"})
    assert load_model("mine") is load_model("mine")
    save_model("mine", *save, ["no", "yes"], {"dataset": "MAO"}, overwrite=True)
    assert load_model("mine").classes == ("no", "yes")


def test_a_saved_model_holds_its_layers_and_is_loaded_with_its_network(
    tmp_path: Path, schema: InputSchema, mao: Dataset
) -> None:
    torch.manual_seed(0)
    config = NetworkConfig(schema.num_features, 2, network="multilevel", hidden=8, blocks=2)
    made = Classifier(config).eval()
    folder = save_model(tmp_path / "levels", made, schema, ["0", "1"], {"dataset": "MAO"})
    saved = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert saved["layers"] == [layer.to_dict() for layer in made.layers]
    model = load_model(folder)
    assert model.info["layers"] == saved["layers"]
    for name, value in made.state_dict().items():
        assert torch.equal(model.classifier.state_dict()[name], value), name
    for layer in made.layers:
        assert f"{layer.kind} `{layer.name}`" in model.card
    (result,) = model.classify([mao[0]])
    for level, pooled in zip(result.levels, result.passed.out.levels, strict=True):
        assert torch.allclose(level.reduced_x, pooled.x, atol=1e-4, rtol=1e-4)
