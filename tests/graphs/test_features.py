"""Features: the columns are what the schema says, and a graph alone gets what it got in its data set."""

import json
from dataclasses import replace

import numpy as np
import pytest

from mivspool.errors import InputError, ModelError
from mivspool.graphs import dataset_features, fit_graph, load_dataset, open_source
from mivspool.graphs.dataset import Dataset
from mivspool.graphs.features import label_candidates
from mivspool.graphs.graph import Graph
from mivspool.graphs.read import read_graph
from mivspool.graphs.schema import InputSchema
from mivspool.learning.models import load_model


def graph(label=("C", "C", "O"), edges=((0, 1), (1, 2)), **attributes):
    columns = ({"label": label} if label else {}) | attributes
    return Graph(
        name="mine",
        nodes=tuple(str(i) for i in range(len(next(iter(columns.values()), (0, 0, 0))))),
        edges=np.asarray(edges, dtype=np.int64).reshape(-1, 2).T,
        node_attributes=columns,
    )


def schema_of(name, tu=None, **options):
    return dataset_features((tu or load_dataset)(name), **options)[1]


@pytest.mark.parametrize(
    ("name", "columns"),
    [
        ("MAO", 3),
        ("MUTAG", 7),
        ("NCI1", 37),
        ("PROTEINS", 4),
        ("ENZYMES", 21),
        ("DD", 82),
        ("IMDB-BINARY", 136),
    ],
)
def test_columns(tu, name, columns):
    x, schema = dataset_features(tu(name))
    assert x.shape == (int(tu(name).ptr[-1]), columns)
    assert x.dtype == np.float32
    assert schema.num_features == columns
    labels = len(schema.node_labels or ())
    if labels:
        np.testing.assert_array_equal(x[:, :labels].sum(axis=1), 1)


def test_standardised_with_the_training_graphs(tu):
    dataset = tu("ENZYMES")
    train = np.arange(0, 600, 2)
    x, schema = dataset_features(dataset, train)
    inside = np.repeat(np.isin(np.arange(600), train), dataset.num_nodes)
    attributes = x[:, 3:].astype(np.float64)
    np.testing.assert_allclose(attributes[inside].mean(axis=0), 0, atol=1e-4)
    np.testing.assert_allclose(attributes[inside].std(axis=0), 1, atol=1e-4)
    assert np.abs(attributes[~inside].mean(axis=0)).max() > 1e-3
    assert schema.training.graphs == 300


@pytest.mark.parametrize("name", ["MAO", "ENZYMES", "IMDB-BINARY"])
@pytest.mark.parametrize("kind", ["auto", "degree"])
def test_a_graph_alone_gets_what_it_got_in_its_data_set(tu, name, kind):
    dataset = tu(name)
    x, schema = dataset_features(dataset, np.arange(0, len(dataset), 2), kind)
    stored = InputSchema.from_dict(json.loads(json.dumps(schema.to_dict())))
    assert stored == schema
    for i in range(0, len(dataset), 13):
        fit = fit_graph(dataset[i], stored)
        np.testing.assert_allclose(fit.x, x[dataset.ptr[i] : dataset.ptr[i + 1]], atol=1e-6)
        assert fit.coverage == 1


def test_degree_beyond_the_largest_shares_the_last_column():
    schema = schema_of("MAO", kind="degree")
    fit = fit_graph(open_source("star"), schema)
    assert schema.max_degree == 3
    np.testing.assert_array_equal(fit.x[0], [0, 0, 0, 1])
    np.testing.assert_array_equal(fit.x[1], [0, 1, 0, 0])


def test_kinds_that_a_data_set_does_not_have():
    for kind, words in (("attributes", "no vertex attributes"), ("colours", "auto")):
        with pytest.raises(InputError, match=words):
            dataset_features(load_dataset("MAO"), kind=kind)
    with pytest.raises(InputError, match="at least one"):
        dataset_features(load_dataset("MAO"), [])


def test_molecules_go_by_element():
    schema = schema_of("MAO")
    fit = fit_graph(read_graph(b"CC(=O)Nc1ccccc1", name="x.smi"), schema)
    assert (fit.coverage, fit.label_attribute, fit.unknown) == (1, "label", ())
    by_number = graph(label=None, atomic_num=(6, 6, 8))
    np.testing.assert_array_equal(fit_graph(by_number, schema).x, fit_graph(graph(), schema).x)
    np.testing.assert_array_equal(fit_graph(graph(("c", "c", "o")), schema).x, fit_graph(graph(), schema).x)


def test_unknown_labels_are_listed_and_count_as_none():
    fit = fit_graph(graph(("C", "Zn", "O", "Zn", "C")), schema_of("MAO"))
    assert fit.unknown == ("Zn",)
    assert fit.coverage == pytest.approx(0.6)
    np.testing.assert_array_equal(fit.x[1], 0)
    assert any("Zn" in warning for warning in fit.warnings)


def test_a_label_that_is_missing_is_unknown():
    fit = fit_graph(graph(("C", None, "O")), schema_of("MAO"))
    assert fit.unknown == ("no label",)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (graph(("Zn", "Zn", "C")), "33%"),
        (graph(("H", "H", "C")), "hydrogens"),
        (graph(None), "no vertex attributes"),
        (graph(None, colour=("red", "red", "blue")), "chemical elements"),
    ],
)
def test_refused_with_the_reason(given, words):
    with pytest.raises(ModelError, match=words):
        fit_graph(given, schema_of("MAO"))


def test_refused_without_vertices():
    with pytest.raises(ModelError, match="no vertices"):
        fit_graph(
            Graph(name="none", nodes=(), edges=np.zeros((2, 0), dtype=np.int64)),
            schema_of("MAO", kind="degree"),
        )


def test_the_best_attribute_is_proposed_by_name_and_overlap():
    given = graph(("C", "Zn", "O"), name=("x", "y", "z"), kind=("C", "N", "O"))
    ranked = label_candidates(given, schema_of("MAO"))
    assert [candidate.attribute for candidate in ranked] == ["kind", "label", "name"]
    assert [candidate.proposed for candidate in ranked] == [True, True, False]
    assert fit_graph(given, schema_of("MAO")).label_attribute == "kind"


def test_a_person_may_choose_another():
    given = graph(("C", "C", "O"), other=("O", "O", "O"))
    fit = fit_graph(given, schema_of("MAO"), {"label": "other"})
    assert fit.label_attribute == "other"
    assert fit.mapping == {"label": "other"}
    for mapping, words in (({"label": "none"}, "no vertex attribute"), ({"colour": "label"}, "does not ask")):
        with pytest.raises(ModelError, match=words):
            fit_graph(given, schema_of("MAO"), mapping)


def test_nothing_is_guessed_where_labels_are_bare_numbers(tu):
    schema = schema_of("NCI1", tu)
    for given in (graph(("C", "C", "O")), graph(None, group=(1, 2, 3)), open_source("karate")):
        with pytest.raises(ModelError, match="published"):
            fit_graph(given, schema)
    with pytest.raises(ModelError, match="PROTEINS"):
        fit_graph(tu("PROTEINS")[0], schema)
    fit = fit_graph(graph(("1", "2", "3")), schema)
    assert any("NCI1" in warning for warning in fit.warnings)
    assert fit_graph(graph(None, group=(1, 2, 3)), schema, {"label": "group"}).coverage == 1


def test_a_plain_graph_goes_to_a_model_of_degrees(tu):
    schema = schema_of("PROTEINS", tu, kind="degree")
    assert fit_graph(open_source("karate"), schema).coverage == 1


def test_attributes_a_model_needs(tu):
    schema = schema_of("ENZYMES", tu, kind="attributes")
    with pytest.raises(ModelError, match="18 numbers"):
        fit_graph(open_source("karate"), schema)
    own = tu("ENZYMES")[0]
    renamed = Graph(
        name="renamed",
        nodes=own.nodes,
        edges=own.edges,
        node_attributes={
            f"c{k}": values for k, (_, values) in enumerate(list(own.node_attributes.items())[1:])
        },
    )
    mapping = {name: f"c{k}" for k, (name, _, _) in enumerate(schema.attributes)}
    np.testing.assert_array_equal(fit_graph(renamed, schema, mapping).x, fit_graph(own, schema).x)


def test_missing_attribute_values_are_the_mean(tu):
    schema = schema_of("PROTEINS", tu, kind="attributes")
    given = graph(None, **{"attribute 0": (1.0, None, 3.0)})
    fit = fit_graph(given, schema)
    assert fit.x[1, 0] == 0
    assert any("missing" in warning for warning in fit.warnings)
    with pytest.raises(ModelError, match="half"):
        fit_graph(graph(None, **{"attribute 0": ("x", None, 3.0)}), schema)


def test_warned_of_a_graph_unlike_the_training_graphs():
    schema = schema_of("MAO")
    assert fit_graph(load_dataset("MAO")[5], schema).warnings == ()
    assert any("3 vertices" in w for w in fit_graph(graph(), schema).warnings)
    clique = graph(("C",) * 12, [(u, v) for u in range(12) for v in range(u)])
    assert any("mean degree" in w for w in fit_graph(clique, schema).warnings)
    odd = graph(("O",) * 20, [(u, u + 1) for u in range(19)])
    assert any("100% of the vertices are O" in w for w in fit_graph(odd, schema).warnings)


def test_whose_labels_are_meant_is_asked_of_the_graph_and_not_of_its_name():
    schema = load_model("dd-mivspool").schema
    own = replace(graph(schema.node_labels[:2], [(0, 1)]), name="DD:3")
    assert any("taken to mean" in warning for warning in fit_graph(own, schema).warnings)
    theirs = replace(own, collection="DD")
    assert not any("taken to mean" in warning for warning in fit_graph(theirs, schema).warnings)


@pytest.mark.parametrize(
    "change",
    [
        {"node_labels": ["C", "C"]},
        {"attributes": [{"name": "a", "mean": 0, "std": 0}]},
        {"attributes": [{"name": "a"}]},
        {"max_degree": -1},
        {"max_degree": "many"},
        {"node_labels": None},
        {"training": None},
        {"training": {"graphs": 1, "vertices": [1, 2], "mean_degree": [0] * 5}},
    ],
)
def test_a_schema_that_cannot_be(change):
    document = schema_of("MAO").to_dict() | change
    with pytest.raises(ModelError):
        InputSchema.from_dict(document)


def named(count):
    """A data set of two graphs whose vertices have ``count`` different labels."""
    return Dataset(
        name="NAMED",
        ptr=np.array([0, count, 2 * count]),
        edges=np.array([[0, count], [1, count + 1]]),
        edge_ptr=np.array([0, 1, 2]),
        node_label=np.tile(np.arange(count), 2),
        label_names=tuple(f"name {k}" for k in range(count)),
        node_attributes=None,
        attribute_names=(),
        target=np.array([0, 1]),
        classes=("0", "1"),
    )


def test_a_one_hot_code_has_at_most_256_columns():
    x, schema = dataset_features(named(256))
    assert x.shape == (512, 256)
    assert schema.node_labels is not None
    x, schema = dataset_features(named(257))
    assert schema.node_labels is None
    assert x.shape == (514, 2), "the degree stands in for labels that are names"
    with pytest.raises(InputError, match=r"257 different vertex labels.*at most 256.*attributes or degree"):
        dataset_features(named(257), kind="labels")


@pytest.mark.parametrize(
    ("part", "value"), [("max_degree", 256), ("node_labels", [str(k) for k in range(257)])]
)
def test_a_schema_cannot_ask_for_more_columns_than_that(part, value):
    data = schema_of("MAO").to_dict() | {part: value}
    data["training"]["label_share"] = []
    with pytest.raises(ModelError, match="at most 256"):
        InputSchema.from_dict(data)
