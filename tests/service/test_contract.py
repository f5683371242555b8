"""The contract of the client: the same in the process and over HTTP, on SQLite and on PostgreSQL."""

from __future__ import annotations

import numpy as np
import pytest

from mivspool.errors import (
    BackendError,
    DatasetError,
    InputError,
    JobError,
    LimitError,
    MIVSPoolError,
    ModelError,
    ReadError,
)
from mivspool.graphs import load_dataset
from mivspool.graphs.collections.classics import CLASSICS
from mivspool.graphs.datasets import DATASETS
from mivspool.graphs.export import WRITERS, write_graph
from mivspool.graphs.graph import Graph
from mivspool.learning.models import load_model
from mivspool.learning.record import Record
from mivspool.service.client import Client
from mivspool.service.jobs_schemas import ModelRecord, RecordDocument
from mivspool.service.problems import raise_problem
from tests.service.backends import until
from tests.service.conftest import COMBINATIONS

# a process for each job takes its time: two of the four have all there is to tell apart
jobs = pytest.mark.parametrize(
    "client", [COMBINATIONS[0], COMBINATIONS[3]], indirect=True, ids="-".join, scope="package"
)
SMALL = {"dataset": "MAO", "blocks": 2, "hidden": 8}
EDGES = b"a,b\nb,c\nc,d\n"


def same(one: Graph, other: Graph) -> bool:
    return (
        one.nodes == other.nodes
        and np.array_equal(one.edges, other.edges)
        and dict(one.node_attributes) == dict(other.node_attributes)
        and one.label == other.label
        and (one.positions is None) == (other.positions is None)
    )


def test_health(client: Client) -> None:
    health = client.health()
    assert health.status == "ok"
    assert health.device == "cpu"
    assert health.training
    assert health.uploads


def test_every_registered_graph_can_be_named(client: Client) -> None:
    names = {document.name for document in client.datasets()}
    assert names >= set(DATASETS) | set(CLASSICS)


def test_a_graph_comes_as_it_is(client: Client) -> None:
    assert same(client.graph("MAO", 3), load_dataset("MAO")[3])
    assert client.graph("karate").num_edges == 78
    some = client.members("MAO", offset=2, limit=3)
    assert some.total == 68
    assert [member.name for member in some.graphs] == ["MAO:2", "MAO:3", "MAO:4"]


def test_a_graph_is_written_in_any_format(client: Client) -> None:
    for format in WRITERS:
        assert (
            client.graph_file("MAO", 3, format=format) == write_graph(load_dataset("MAO")[3], format).encode()
        )
    with pytest.raises(InputError, match="graphml"):
        client.graph_file("MAO", 3, format="drawing")


def test_an_upload_is_kept_and_deleted(client: Client) -> None:
    made = client.upload(EDGES, "folder/../path.csv")
    assert made.title == "path.csv"
    assert made.graphs == 1
    assert made.expires is not None
    assert client.upload(EDGES, "path.csv").name == made.name
    other = client.upload(EDGES, "again.csv").name
    assert other != made.name  # a name can say how the content is read
    client.delete_dataset(other)
    assert client.graph(made.name).nodes == ("a", "b", "c", "d")
    assert [document.name for document in client.datasets() if document.origin == "upload"] == [made.name]
    client.delete_dataset(made.name)
    with pytest.raises(DatasetError, match="upload the file again"):
        client.graph(made.name)


def test_a_file_that_is_no_graph(client: Client) -> None:
    with pytest.raises(ReadError):
        client.upload(b"\x00\x01\x02 nothing", "noise.bin")
    with pytest.raises(ReadError):
        client.upload(b"", "empty.graphml")


def test_models(client: Client) -> None:
    assert "tiny" in {model.name for model in client.models()}
    card = client.model_card("tiny")
    assert card.classes == ["0", "1"]
    assert card.card.startswith("---")
    assert card.config["architecture"]["hidden"] == 8


def test_classify(client: Client) -> None:
    graph = load_dataset("MAO")[3]
    given, named = client.classify([graph, "MAO:3"], "tiny")
    assert given.probabilities == pytest.approx(named.probabilities)
    assert given.probabilities is not None
    assert sum(given.probabilities.values()) == pytest.approx(1)
    assert given.predicted == max(given.probabilities, key=given.probabilities.__getitem__)
    assert given.true == graph.label
    assert given.coverage == 1
    assert given.levels is not None
    assert [level["level"] for level in given.levels] == [0, 1]
    assert client.classify(graph, "tiny", levels=False)[0].levels is None


def test_a_graph_alone_equals_itself_among_others(client: Client) -> None:
    names = [f"MAO:{i}" for i in range(12)]
    together = client.classify(names, "tiny", levels=False)
    alone = [client.classify(name, "tiny", levels=False)[0] for name in names]
    assert [answer.source for answer in together] == names
    for one, other in zip(together, alone, strict=True):
        assert one.probabilities == pytest.approx(other.probabilities, abs=1e-6)


def test_one_that_fails_stops_nobody(client: Client) -> None:
    good, far, foreign, unknown = client.classify(
        ["MAO:1", "MAO:999", "karate", "nowhere:1"], "tiny", levels=False
    )
    assert good.predicted is not None
    assert all(answer.predicted is None and answer.error for answer in (far, foreign, unknown))
    assert "68 graphs" in (far.error or "")


def test_a_file_is_classified_without_being_kept(client: Client) -> None:
    smiles = b"smiles,name\nCCO,ethanol\nc1ccccc1,benzene\n"
    answers = client.classify_file(smiles, "some.csv", "tiny")
    assert len(answers) == 2
    assert all(answer.predicted for answer in answers)
    assert not [document for document in client.datasets() if document.origin == "upload"]


def test_scores_and_clusters_left_out(client: Client) -> None:
    graph = load_dataset("MAO")[3]
    scores = client.scores(graph, "tiny")
    assert tuple(scores.levels[0].nodes) == graph.nodes
    assert set(scores.levels[1].nodes) < set(graph.nodes)
    for level in scores.levels:
        assert set(level.score) == set(level.nodes)
    without = client.without("MAO:3", "tiny")
    assert [cluster.survivor for cluster in without.clusters] == scores.levels[1].nodes
    assert sorted(v for cluster in without.clusters for v in cluster.vertices) == sorted(graph.nodes)
    for cluster in without.clusters:
        assert cluster.probabilities is not None
        expected = cluster.probabilities[without.predicted] - without.probabilities[without.predicted]
        assert cluster.change == pytest.approx(expected)
    with pytest.raises(InputError, match="there is no 7"):
        client.without("MAO:3", "tiny", 7)


def test_a_released_model_has_the_record_of_its_training(client: Client) -> None:
    found = ModelRecord.model_validate(client.model_record("mao-mivspool"))
    assert found.best in {entry.epoch for entry in found.entries}
    assert {graph.label for graph in found.graphs} == set(found.classes)
    with pytest.raises(ModelError, match="there is no training record"):
        client.model_record("tiny")


def test_the_network_opens_as_the_librarys_does(client: Client) -> None:
    graph = load_dataset("MAO")[3]
    found = client.inside("MAO:3", "tiny", "4")
    ours = load_model("tiny").inside(graph, "4")
    assert [one["kind"] for one in found.layers] == [one["kind"] for one in client.model_card("tiny").layers]
    assert found.layers[0]["after"] == pytest.approx(ours[0]["after"])
    answer = client.classify("MAO:3", "tiny")[0]
    assert found.layers[-1]["probabilities"] == pytest.approx(list((answer.probabilities or {}).values()))
    with pytest.raises(InputError, match="no vertex"):
        client.inside("MAO:3", "tiny", "nobody")


def test_an_explanation_is_the_librarys(client: Client) -> None:
    found = client.explain("MAO:3", "tiny")
    graph = load_dataset("MAO")[3]
    ours = load_model("tiny").explain(graph)
    assert found.predicted == ours.predicted == client.classify("MAO:3", "tiny")[0].predicted
    assert found.nodes == list(graph.nodes)
    assert found.leaving_out == pytest.approx(ours.leaving_out)
    assert found.gradients == pytest.approx(ours.gradients)
    assert found.gap == pytest.approx(ours.gap, abs=1e-9)
    assert {name: one.gain for name, one in found.faithful.items()} == pytest.approx(
        {name: one.gain for name, one in ours.faithful.items()}
    )
    assert [len(clusters) for clusters in found.clusters] == [len(clusters) for clusters in ours.clusters]
    with pytest.raises(ModelError):
        client.explain("karate", "tiny")


@pytest.mark.parametrize(
    ("call", "error", "says"),
    [
        (lambda c: c.classify("MAO:1", "nobody"), ModelError, "there are: .*tiny"),
        (lambda c: c.classify("MAO:1", "../home/models/tiny"), ModelError, "there is no model"),
        (lambda c: c.classify("MAO:1", "someone/on-a-hub"), ModelError, "there is no model"),
        (lambda c: c.model_card("nobody"), ModelError, "there is no model"),
        (lambda c: c.delete_model("tiny"), ModelError, "not kept from a job"),
        (lambda c: c.graph("nothing"), DatasetError, "there is no data set"),
        (lambda c: c.graph("/etc/passwd"), BackendError, "nothing at this address"),
        (lambda c: c.graph("MAO", 99), InputError, "68 graphs"),
        (lambda c: c.graph("karate", 1), InputError, "one graph"),
        (lambda c: c.scores("karate", "tiny"), ModelError, "label"),
        (lambda c: c.job("0"), JobError, "there is no job"),
        (lambda c: c.events("0"), JobError, "there is no job"),
        (lambda c: c.record("0"), JobError, "there is no job"),
        (lambda c: c.submit("train", **SMALL, watch=[-1]), InputError, "watch"),
        (lambda c: c.submit("train", **SMALL, own=[{"nodes": ["a", "a"]}]), InputError, "given twice"),
        (lambda c: c.submit("train", **SMALL, lr=-1), InputError, r"lr.*greater than 0"),
        (lambda c: c.submit("train", **SMALL, method="magic"), InputError, "magic"),
        (lambda c: c.submit("evaluate", **SMALL, grid={"lr": []}), InputError, "grid of lr"),
        (lambda c: c.submit("dance", **SMALL), InputError, "kind"),
        (lambda c: c.submit("train", dataset="upload-0"), DatasetError, "upload the file again"),
        (lambda c: c.keep_model("0", "x"), JobError, "there is no job"),
    ],
)
def test_each_error_is_of_its_kind(
    client: Client, call: object, error: type[MIVSPoolError], says: str
) -> None:
    with pytest.raises(error, match=says):
        call(client)


def test_a_graph_that_is_none(client: Client) -> None:
    for nodes, edges, says in (
        (["a", "b"], [["a", "z"]], "names the vertex 'z'"),
        (["a", "a"], [], "given twice"),
        (["a", "b"], [["a", "b", "heavy"]], "is not valid"),
    ):
        body = {"model": "tiny", "graph": {"nodes": nodes, "edges": edges}}
        answer = client._transport.send("POST", "/v1/classify/scores", json=body)
        with pytest.raises(InputError, match=says):
            raise_problem(answer.status_code, answer.json())


@jobs
def test_a_job_from_start_to_model(client: Client) -> None:
    job = client.submit("train", **SMALL, max_epochs=4)
    assert job.state == "queued"
    assert job.mine
    events = list(client.watch(job.id))
    assert [event.n for event in events] == list(range(1, len(events) + 1))
    assert [event.kind for event in events] == ["queued", "started", *["epoch"] * 4, "run", "done"]
    assert [event.data["epoch"] for event in events if event.kind == "epoch"] == [1, 2, 3, 4]
    done = client.job(job.id)
    assert done.result is not None
    assert done.progress.runs_done == done.progress.runs_total == 1
    record = client.record(job.id)
    RecordDocument.model_validate(record)
    assert [entry["epoch"] for entry in record["entries"]] == [0, 1, 2, 3, 4]
    assert client.record(job.id, 2)["entries"] == record["entries"][3:]
    assert client.record(job.id, 4)["entries"] == []
    confusion = client.confusion(job.id)
    tested = sum(map(sum, confusion.matrix))
    right = sum(confusion.matrix[i][i] for i in range(2))
    assert right / tested == pytest.approx(done.result["test_accuracy"])
    assert "run train" in client.log(job.id)
    name = f"kept-{job.id}"
    kept = client.keep_model(job.id, name)
    assert kept.job == job.id
    assert client.classify("MAO:3", name)[0].model == name
    names = [graph["name"] for graph in record["graphs"]]
    best = Record.from_dict(record).at(client.runs(job.id)[0]["best_epoch"])
    for answer, one in zip(client.classify(names, name), best, strict=True):
        assert list((answer.probabilities or {}).values()) == pytest.approx(one["probabilities"])
        kept = [str(v) for v, head in enumerate(one["levels"][0]["head"]) if v == head]
        assert kept == (answer.levels or [])[0]["survivors"]
    with pytest.raises(ModelError, match="already"):
        client.keep_model(job.id, name)
    client.delete_model(name)
    with pytest.raises(ModelError, match="there is no model"):
        client.classify("MAO:3", name)
    client.delete_job(job.id)
    with pytest.raises(JobError):
        client.job(job.id)


@jobs
def test_an_evaluation_is_many_runs(client: Client) -> None:
    job = client.submit("evaluate", **SMALL, folds=[0, 1], max_epochs=2, grid={"lr": [0.01, 0.001]})
    assert job.progress.runs_total == 4
    events = list(client.watch(job.id))
    done = client.job(job.id)
    assert done.state == "done", done.error
    assert [event.kind for event in events].count("run") == 4
    assert done.progress.runs_done == 4
    runs = client.runs(job.id)
    assert {(run["fold"], run["lr"]) for run in runs} == {(0, 0.01), (0, 0.001), (1, 0.01), (1, 0.001)}
    assert done.result is not None
    for fold in (0, 1):
        best = min((run for run in runs if run["fold"] == fold), key=lambda run: run["val_loss"])
        assert f"r0-f{fold}-lr{best['lr']:g}" in done.result["chosen"]
    assert client.confusion(job.id).runs == 2
    with pytest.raises(JobError, match="only that produces a model"):
        client.keep_model(job.id, "x")


@jobs
def test_cancel_and_resume(client: Client) -> None:
    job = client.submit("train", **SMALL, max_epochs=100_000, patience=100_000)
    until(lambda: client.job(job.id).progress.epoch)
    client.cancel(job.id)
    ended = until(lambda: (found := client.job(job.id)).state == "cancelled" and found)
    assert ended.resumable
    assert ended.finished is not None
    cancelled = next(
        event for event in client.events(job.id, limit=10_000).events if event.kind == "cancelled"
    )
    assert cancelled.time <= ended.finished + 0.1
    with pytest.raises(JobError):
        client.cancel(job.id)
    assert client.resume(job.id).state == "queued"
    until(lambda: client.job(job.id).state == "running")
    with pytest.raises(JobError, match="cancel it"):
        client.delete_job(job.id)
    client.cancel(job.id)
    until(lambda: client.job(job.id).state == "cancelled")
    client.delete_job(job.id)


def test_limits_are_told(client: Client) -> None:
    limit = client.health().max_upload_bytes
    with pytest.raises((LimitError, BackendError)):
        client.upload(b" " * (limit + 10**6), "big.csv")
