"""What goes over the wire: plain documents with an example each, and their way to and from our own objects."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    FailFast,
    Field,
    FiniteFloat,
    PrivateAttr,
    WithJsonSchema,
    model_validator,
)

from mivspool.errors import InputError, LimitError, MIVSPoolError
from mivspool.graphs.graph import Graph, Reading
from mivspool.messages import count
from mivspool.service.arrays import Arrays, GraphArrays, unpack
from mivspool.service.scrub import scrub
from mivspool.settings import Limits

Text = Annotated[str, Field(max_length=1000)]
Scalar = str | int | float | bool | None
_MOST_NAMES = 1000


def _few(given: Any) -> Any:
    """The same dictionary, if its keys can all be looked at: each could be an error of its own."""
    if isinstance(given, dict) and len(given) > _MOST_NAMES:
        raise ValueError(f"has {len(given):,} names: at most {_MOST_NAMES:,} are taken")
    return given


class _FirstError(FailFast):
    """A list is checked up to its first error. Pydantic's own cannot stand in a union: it has no hash."""

    __hash__ = object.__hash__


Few = BeforeValidator(_few)
First = _FirstError()
Values = Annotated[list[Scalar], First]
# JSON Schema says these without prefixItems, which some tools for OpenAPI misread
Edge = Annotated[
    tuple[Text, Text] | tuple[Text, Text, FiniteFloat],
    WithJsonSchema(
        {
            "type": "array",
            "items": {"anyOf": [{"type": "string", "maxLength": 1000}, {"type": "number"}]},
            "minItems": 2,
            "maxItems": 3,
            "description": "two vertex ids, and a weight where the edge has one",
        }
    ),
]
Point = Annotated[
    tuple[FiniteFloat, FiniteFloat],
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]

MOLECULE: dict[str, Any] = {
    "name": "ethanol",
    "nodes": ["0", "1", "2"],
    "edges": [["0", "1"], ["1", "2"]],
    "node_attributes": {"label": ["C", "C", "O"]},
}


class Document(BaseModel):
    """The base of all documents: vertex ids may be given as numbers and are text from there on."""

    model_config = ConfigDict(coerce_numbers_to_str=True)


class ReadingDocument(Document):
    """Another way to read an uploaded file."""

    reading: Text = Field(description="the value of `as` that chooses it")
    title: Text


class GraphDocument(Document):
    """One graph. Each undirected edge once: two vertex ids, and a weight where it has one."""

    model_config = ConfigDict(coerce_numbers_to_str=True, json_schema_extra={"examples": [MOLECULE]})

    name: Text = "graph"
    nodes: Annotated[list[Text], First] = Field(description="vertex ids, all different")
    edges: Annotated[list[Edge], First] = Field(default_factory=list)
    node_attributes: Annotated[dict[Text, Values], Few] = Field(
        default_factory=dict, description="one value per vertex"
    )
    edge_attributes: Annotated[dict[Text, Values], Few] = Field(
        default_factory=dict, description="one value per edge"
    )
    label: Text | None = Field(None, description="the graph's class where it is known")
    positions: Annotated[list[Point], First] | None = Field(None, description="one point per vertex")
    repairs: Annotated[list[str], First] = Field(
        default_factory=list, description="what was repaired when it was read"
    )
    read_as: Text | None = Field(None, description="how its file was read, in one sentence")
    readings: Annotated[list[ReadingDocument], First] = Field(
        default_factory=list, description="how else its file could be read"
    )

    collection: Text | None = Field(
        None, description="the collection of this project that it is a graph of, if it is one"
    )
    _arrays: GraphArrays | None = PrivateAttr(None)

    @classmethod
    def of(cls, graph: Graph) -> GraphDocument:
        """The document of a graph of ours; a missing number is null, a missing weight left out."""
        nodes, weight = graph.nodes, graph.edge_weight
        pairs = [(nodes[u], nodes[v]) for u, v in graph.edges.T.tolist()]
        edges: list[Any] = (
            pairs
            if weight is None
            else [
                (u, v, w) if math.isfinite(w) else (u, v)
                for (u, v), w in zip(pairs, weight.tolist(), strict=True)
            ]
        )
        points = None if graph.positions is None else [(x, y) for x, y in graph.positions.tolist()]
        return cls._of(graph, edges, points)

    @classmethod
    def without_arrays(cls, graph: Graph) -> GraphDocument:
        """The same without what ``GraphArrays.of(graph)`` holds."""
        return cls._of(graph, [], None)

    @classmethod
    def _of(
        cls, graph: Graph, edges: list[Any], positions: list[tuple[float, float]] | None
    ) -> GraphDocument:
        return cls.model_construct(
            name=graph.name,
            nodes=list(graph.nodes),
            edges=edges,
            node_attributes={name: _plain(values) for name, values in graph.node_attributes.items()},
            edge_attributes={name: _plain(values) for name, values in graph.edge_attributes.items()},
            label=graph.label,
            positions=positions,
            repairs=list(graph.repairs),
            collection=graph.collection,
            read_as=graph.read_as,
            readings=[
                ReadingDocument.model_construct(reading=other.as_, title=other.title)
                for other in graph.readings
            ],
        )

    @property
    def num_edges(self) -> int:
        """The number of edges it gives, in the document or as arrays."""
        if self._arrays is None:
            return len(self.edges)
        shape = self._arrays.edges.shape
        return shape[-1] if shape else 0

    def graph(self, limits: Limits) -> Graph:
        """The simple undirected graph of ours, with what was mended. Raises InputError, LimitError."""
        from mivspool.graphs.simplify import simplify

        given = self._arrays
        if len(self.nodes) > limits.vertices or self.num_edges > limits.edges:
            raise LimitError(
                f"the graph {self.name!r} has {count(len(self.nodes), 'vertex')} and {count(self.num_edges, 'edge')}; "
                f"this backend takes {limits.vertices:,} and {limits.edges:,}"
            )
        place = {node: i for i, node in enumerate(self.nodes)}
        if len(place) < len(self.nodes):
            twice = next(node for i, node in enumerate(self.nodes) if place[node] != i)
            raise InputError(f"the vertex id {twice!r} is given twice in the graph {self.name!r}")
        if given is None:
            given = self._listed(place)
        else:
            given.check(self.name, len(place))
        self._check_lengths(given.edges.shape[1])
        source, target = given.edges.astype(np.int64)
        simple = simplify(source, target, len(place))
        first = simple.first.tolist()
        return Graph(
            name=self.name,
            nodes=tuple(self.nodes),
            edges=simple.edges,
            edge_weight=None if given.weights is None else _known(given.weights[simple.first]),
            node_attributes={name: tuple(values) for name, values in self.node_attributes.items()},
            edge_attributes={name: tuple(v[i] for i in first) for name, v in self.edge_attributes.items()},
            label=self.label,
            positions=None if given.positions is None else given.positions.astype(np.float64),
            repairs=(*self.repairs, *simple.repairs),
            read_as=self.read_as,
            collection=self.collection,
            readings=tuple(Reading(other.reading, other.title) for other in self.readings),
        )

    def take(self, arrays: GraphArrays) -> None:
        """Use arrays in place of the lists of edges and positions.

        Raises:
            InputError: where the document lists some itself.
        """
        if self.edges or self.positions is not None:
            raise InputError(
                f"the graph {self.name!r} has its edges or positions twice: in the document and as arrays"
            )
        self._arrays = arrays

    def _listed(self, place: dict[str, int]) -> GraphArrays:
        """The arrays of what is listed. Raises InputError for an edge to a vertex that is not."""
        try:
            ends = np.array([(place[edge[0]], place[edge[1]]) for edge in self.edges], dtype=np.int64)
        except KeyError as error:
            raise InputError(
                f"an edge of the graph {self.name!r} names the vertex {error.args[0]!r}, which is not among its nodes"
            ) from None
        weights = None
        if any(len(edge) == 3 for edge in self.edges):
            weights = np.array(
                [edge[2] if len(edge) == 3 else math.nan for edge in self.edges], dtype=np.float64
            )
        points = None if self.positions is None else np.array(self.positions, dtype=np.float64).reshape(-1, 2)
        return GraphArrays(ends.reshape(-1, 2).T, weights, points)

    def _check_lengths(self, edges: int) -> None:
        for what, values, needed, thing in (
            *(
                (f"vertex attribute {k!r}", v, len(self.nodes), "vertex")
                for k, v in self.node_attributes.items()
            ),
            *((f"edge attribute {k!r}", v, edges, "edge") for k, v in self.edge_attributes.items()),
            ("list of positions", self.positions, len(self.nodes), "vertex"),
        ):
            if values is not None and len(values) != needed:
                raise InputError(
                    f"the {what} of the graph {self.name!r} has {count(len(values), 'value')} for "
                    f"{count(needed, thing)}"
                )


def _known(weights: NDArray[Any]) -> NDArray[np.float64] | None:
    """The weights, NaN where one is missing; None where all are."""
    return None if np.isnan(weights).all() else weights.astype(np.float64)


def _plain(values: tuple[Any, ...]) -> list[Scalar]:
    """Attribute values that JSON has a word for."""
    plain: list[Scalar] = []
    for value in values:
        if hasattr(value, "item"):
            value = value.item()
        if isinstance(value, float):
            plain.append(value if math.isfinite(value) else None)
        else:
            plain.append(value if isinstance(value, str | int | bool) or value is None else str(value))
    return plain


class Health(Document):
    """What this backend is and what it allows."""

    status: Literal["ok"] = "ok"
    version: str = Field(examples=["0.1.0"])
    device: str = Field(description="where models run", examples=["cpu", "cuda:0 (NVIDIA H100)"])
    executor: str = Field(description="where jobs run: local or ray", examples=["local"])
    training: bool = Field(description="whether jobs are accepted")
    uploads: bool = Field(description="whether uploads are accepted")
    keep_uploads_days: int = Field(description="days after which an upload is deleted")
    separate_visitors: bool = Field(
        description="whether one visitor's uploads and jobs are hidden from others"
    )
    max_upload_bytes: int
    waiting_jobs: int = Field(description="jobs waiting to run")
    running_jobs: int


class Kept(Document):
    """What a backend keeps of one visitor."""

    jobs: int
    uploads: int
    upload_bytes: int
    models: int = Field(description="models kept from jobs; they stay until they are deleted")
    keep_jobs_days: int = Field(description="days after which a finished job is forgotten")
    keep_uploads_days: int = Field(description="days after which an upload is deleted")


class VisitorDocument(Document):
    """What is kept of one visitor, and how much may be."""

    visitor: str = Field(
        description="a digest of the visitor's name; everyone where visitors are not separated"
    )
    jobs: int
    unfinished_jobs: int
    uploads: int
    models: int = Field(description="models kept from jobs")
    bytes: int = Field(description="of uploads and kept models")
    most_waiting_jobs: int = Field(description="unfinished jobs that this visitor may have")
    most_bytes: int = Field(description="bytes that this visitor may keep")


class QuotaDocument(Document):
    """What one visitor may keep; what is left out is as the settings say."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"waiting_jobs": 2, "bytes": 1000000}]})

    waiting_jobs: int | None = Field(None, ge=0, le=2**31 - 1, description="unfinished jobs")
    bytes: int | None = Field(None, ge=0, le=2**53, description="bytes of uploads and kept models")


class DatasetDocument(Document):
    """A data set that can be named: one of the project's, the classic graphs, or an upload."""

    name: str = Field(examples=["MAO"])
    title: str = Field(examples=["MAO"])
    about: str = Field(examples=["molecules: do they inhibit monoamine oxidase?"])
    origin: str = Field(
        description="data set, upload, or what a graph of a collection is called",
        examples=["data set", "classic"],
    )
    graphs: int | None = Field(None, examples=[68])
    classes: int | None = Field(None, examples=[2])
    class_names: dict[str, str] = Field(
        default_factory=dict, description="what the classes stand for, where its authors say it"
    )
    class_source: str = Field("", description="who says so")
    ready: bool = Field(True, description="can be opened without a network")
    trainable: bool = Field(False, description="its graphs have classes to learn")
    shared: bool = Field(False, description="an upload that others may see")
    expires: float | None = Field(None, description="when an upload is deleted, seconds since 1970")


class Failure(Document):
    """A part of a file that could not be read."""

    source: str
    error: str


class UploadDocument(DatasetDocument):
    """An upload, with the parts that could not be read (the first hundred)."""

    failures: list[Failure]


class Member(Document):
    """One graph of a data set or upload; ``error`` says why it could not be read."""

    index: int
    name: str
    label: str | None = None
    num_nodes: int | None = None
    num_edges: int | None = None
    error: str | None = None


class Members(Document):
    """Some of the graphs of a data set or upload."""

    total: int = Field(description="graphs in all")
    graphs: list[Member]


class AssessmentDocument(Document):
    """A model's accuracy on test graphs, as shares from 0 to 1."""

    accuracy: float = Field(examples=[0.797])
    graphs: int = Field(description="different test graphs", examples=[68])
    repeats: int = Field(description="how often each was predicted, by networks trained on other graphs")
    low: float = Field(description="of Wilson's 95 % interval")
    high: float
    majority: float = Field(description="the accuracy of always predicting the most frequent class")
    majority_class: str = Field(examples=["0"])


class ModelDocument(Document):
    """A model that can classify."""

    name: str = Field(examples=["mao-mivspool"])
    dataset: str | None = Field(None, examples=["MAO"])
    method: str | None = Field(None, examples=["mivspool"])
    score: str | None = Field(None, examples=["multiview"])
    network: str = Field("", description="the layers around the pooling", examples=["The paper's network"])
    classes: list[str] = Field(examples=[["0", "1"]])
    class_names: dict[str, str] = Field(
        default_factory=dict, description="what the classes stand for, where the data set's authors say it"
    )
    class_source: str = Field("", description="who says so")
    assessment: AssessmentDocument | None = Field(None, description="its accuracy, where it was measured")
    needs: str = Field("", description="the labels and attributes it needs, in words")
    accuracy: float | None = Field(None, description="cross-validated, where it was measured")
    accuracy_std: float | None = None
    released: bool = Field(description="comes with the project")
    job: str | None = Field(None, description="the job that made it")
    recorded: bool = Field(False, description="whether the record of a training by its settings is kept")
    version: str = Field(
        "", description="a digest of the model; it changes when the name comes to mean another one"
    )


class ModelCard(ModelDocument):
    """A model with its card: what it was trained on, how good it is, what it is not for."""

    card: str = Field(description="Markdown")
    config: dict[str, Any] = Field(description="the model's config.json")
    layers: list[dict[str, Any]] = Field(
        description="the layers of its network, from the features to the logits, each with the shape after it"
    )


class KeepModel(Document):
    """Keep what a finished job has learned as a model with a name."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"job": "b5e1c6a2d0f34a7e", "name": "my-enzymes"}]}
    )

    job: str = Field(pattern=r"^[0-9a-z]{1,32}$")
    name: str = Field(
        pattern=r"^[a-z0-9][a-z0-9._-]{0,63}$", description="lower-case letters, digits, '.', '_' and '-'"
    )
    shared: bool = Field(False, description="let every visitor use it")


class GraphChoice(Document):
    """One graph: given in full, or named as DATASET:INDEX or as a classic."""

    _in_arrays: bool = PrivateAttr(False)

    graph: GraphDocument | None = None
    reference: Text | None = Field(None, examples=["MAO:3"])

    @model_validator(mode="after")
    def _one_of_both(self) -> GraphChoice:
        if (self.graph is None) == (self.reference is None):
            raise ValueError("give either graph or reference")
        return self

    def take(self, arrays: Arrays) -> None:
        """Use these arrays for its graph. Raises InputError where there are none for it, or others."""
        graphs = [] if self.graph is None else [self.graph]
        self._in_arrays = bool(graphs)
        for graph, own in zip(graphs, GraphArrays.of_body(arrays, len(graphs)), strict=True):
            graph.take(own)

    @property
    def in_arrays(self) -> bool:
        """Whether its graph came with arrays."""
        return self._in_arrays


class ClassifyRequest(Document):
    """Graphs to classify: in full (graphs), by name (references), or both."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"model": "mao-mivspool", "references": ["MAO:3"]},
                {"model": "mao-mivspool", "graphs": [MOLECULE], "levels": False},
            ]
        }
    )

    model: Text
    graphs: Annotated[list[GraphDocument], First] = Field(default_factory=list, max_length=10_000)
    references: Annotated[list[Text], First] = Field(default_factory=list, max_length=10_000)
    mapping: Annotated[dict[Text, Text], Few] | None = Field(
        None, description="the graph's own label or attribute for each that the model needs"
    )
    levels: bool = Field(True, description="with each block's scores, survivors and reduced graph")

    @model_validator(mode="after")
    def _some(self) -> ClassifyRequest:
        if not self.graphs and not self.references:
            raise ValueError("give at least one graph or reference")
        return self

    def take(self, arrays: Arrays) -> None:
        """Use these arrays for its graphs. Raises InputError where there are none for one of them, or others."""
        for graph, own in zip(self.graphs, GraphArrays.of_body(arrays, len(self.graphs)), strict=True):
            graph.take(own)


class Classified(Document):
    """The answer for one graph, as `mivspool classify --json` prints it: a class, or the reason why not."""

    source: str
    graph: dict[str, Any] | None = Field(None, description="name, num_nodes, num_edges, repairs")
    model: str | None = None
    predicted: str | None = Field(None, description="the most probable class")
    class_names: dict[str, str] | None = Field(
        None, description="what the classes stand for, where the data set's authors say it"
    )
    probabilities: dict[str, float] | None = Field(None, description="by class, as the network gives them")
    calibrated: dict[str, float] | None = Field(
        None,
        description="by class: of 100 predictions with a calibrated probability of 0.83, about 83 are correct; none "
        "if the model's calibration was not measured, or the graph lies outside its domain",
    )
    true: str | None = Field(None, description="the class that the graph came with")
    coverage: float | None = Field(None, description="share of vertices whose label the model knows")
    label_attribute: str | None = Field(None, description="the attribute that was taken for the label")
    levels: list[dict[str, Any]] | None = Field(None, description="as in `mivspool step --json`")
    outside: list[str] | None = Field(
        None, description="why the graph lies outside the model's domain, so that its answer means nothing"
    )
    warnings: list[str] | None = Field(
        None, description="these reasons, and what else is to be known of the answer"
    )
    error: str | None = Field(None, description="why this graph was not classified")


class ScoresRequest(GraphChoice):
    """A graph whose learned scores are wanted."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"model": "mao-mivspool", "reference": "MAO:3"}]}
    )

    model: Text
    mapping: Annotated[dict[Text, Text], Few] | None = None


class LevelScores(Document):
    """The scores one block of the network gives to the vertices of its level."""

    level: int
    nodes: list[str]
    score: dict[str, float]
    rounded: dict[str, int] | None = Field(
        None,
        description="what the order compares of a learned score first, in multiples of 2^-17; none: the score",
    )
    reduction: Literal["mean", "sum"] = Field(
        "mean", description="how Eq. 12 reduces the features of a cluster: by their mean or their sum"
    )


class Scores(Document):
    """A model's scores for one graph, block by block."""

    model: str
    graph: str
    levels: list[LevelScores]


def scores_of(content: bytes, nodes: Sequence[str]) -> Scores:
    """The scores of an answer in arrays, to a request for a graph with these vertices."""
    text, arrays = unpack(content)
    told = json.loads(text)
    levels = []
    for k, level in enumerate(told.pop("levels")):
        kept = [nodes[place] for place in arrays[f"nodes_{k}"].tolist()]
        score = dict(zip(kept, arrays[f"score_{k}"].tolist(), strict=True))
        whole = arrays.get(f"rounded_{k}")
        rounded = None if whole is None else dict(zip(kept, whole.tolist(), strict=True))
        levels.append(LevelScores.model_construct(**level, nodes=kept, score=score, rounded=rounded))
    return Scores.model_construct(**told, levels=levels)


class WithoutRequest(ScoresRequest):
    """A graph and the level whose clusters are left out in turn."""

    level: int = Field(0, ge=0, le=20)


class WithoutCluster(Document):
    """The class probabilities when one cluster's vertices are missing."""

    survivor: str
    vertices: list[str] = Field(description="the vertices of the given graph that were left out")
    probabilities: dict[str, float] | None = None
    change: float | None = Field(
        None, description="of the probability of the class predicted for the whole graph"
    )
    error: str | None = None


class Without(Document):
    """What each cluster contributes to the class."""

    model: str
    graph: str
    predicted: str
    probabilities: dict[str, float]
    level: int
    clusters: list[WithoutCluster]


class FaithfulnessDocument(Document):
    """Whether vertices matter in the order of an explanation: the area between deletion curves, above 0 if they do."""

    area: float = Field(description="mean probability of the predicted class while vertices go in this order")
    random: float = Field(description="the same of random orders")
    gain: float = Field(description="random minus area")
    low: float = Field(description="of the 95 % interval of the gain over the random orders")
    high: float
    orders: int = Field(description="random orders")


class ClusterImportanceDocument(Document):
    """What a cluster brings to the predicted class."""

    survivor: str
    vertices: list[str]
    leaving_out: float | None = Field(None, description="none for a cluster that is the whole graph")
    gradients: float | None = None


class ExplanationDocument(Document):
    """Why a class; lists of vertices in the order of `nodes`."""

    model: str
    graph: str
    predicted: str
    probability: float = Field(description="of the predicted class, as the network gives it")
    nodes: list[str]
    leaving_out: list[float] | None = Field(
        None, description="by how much that probability falls without each vertex; none for a single vertex"
    )
    gradients: list[float] | None = Field(
        None,
        description="integrated gradients of the log-odds, the selection held; none for a method without clusters",
    )
    log_odds: float | None = Field(None, description="of the predicted class")
    baseline: float | None = Field(None, description="the same of the graph without features")
    gap: float | None = Field(
        None, description="completeness: log_odds minus baseline minus the sum of the gradients"
    )
    agreement: float | None = Field(None, description="Spearman's rank correlation of both methods")
    faithful: dict[str, FaithfulnessDocument] = Field(description="by the method's name")
    clusters: list[list[ClusterImportanceDocument]] = Field(description="of each level")


class InsideRequest(ScoresRequest):
    """A graph and one of its vertices, at which the network is opened."""

    model_config = ConfigDict(
        json_schema_extra={"examples": [{"model": "mao-mivspool", "reference": "MAO:3", "vertex": "4"}]}
    )

    vertex: Text


class Inside(Document):
    """What each layer of the network makes of a vertex and, from the first pooling on, of its cluster."""

    model: str
    graph: str
    vertex: str
    layers: list[dict[str, Any]] = Field(
        description="one per layer of the model's card, with `kind`, `name`, `level` and what went in and came out: "
        "features before and after, neighbours with weights, the score's views, the members of the cluster, the vertex "
        "that gives each maximum of a readout, the activations of the MLP, logits and probabilities"
    )


def classified_json(outcomes: Sequence[tuple[str, Any]], levels: bool) -> bytes:
    """The answer of a classification as JSON: a Classification or its error for each source."""
    documents = [
        {"source": source, "error": scrub(outcome.message)}
        if isinstance(outcome, MIVSPoolError)
        else {"source": source, **outcome.to_json(levels=levels)}
        for source, outcome in outcomes
    ]
    return json.dumps(documents, ensure_ascii=False, allow_nan=False).encode()
