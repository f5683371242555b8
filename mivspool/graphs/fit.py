"""One graph as a model's input: which attribute carries the label, what is unknown, what is unlike."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import ModelError
from mivspool.graphs import columns
from mivspool.graphs.collection import COLLECTIONS, origin_of
from mivspool.graphs.elements import element
from mivspool.graphs.graph import Graph
from mivspool.graphs.labels import label_text
from mivspool.graphs.schema import InputSchema
from mivspool.messages import fill

LABEL = "label"  # the key of a mapping that says which attribute carries the label
_ALIKE = 1.25  # a molecule with one ring fewer is a molecule: labels say so, and its mean degree may lie beyond by this
_HONEST = 0.5  # the share of vertices whose label must be known
_LABEL_NAMES = (
    "label", "labels", "node_label", "vertex_label", "element", "symbol", "atom_symbol", "atom",
    "atom_type", "type", "species", "name",
)  # fmt: skip
_ATOMIC_NUMBER = {"atomic_num", "atomic_number", "atomicnum", "atomicnumber", "atomic number", "z"}
# what is said of a graph; a page without Python says it too (canvas/js/model/fit.js)
WORDS = {
    "empty": "the graph has no vertices: there is nothing to classify",
    "unknown": "{share} of the vertices have a label the model does not know ({labels}) and count as having none",
    "missing": "{n:,} attribute values are missing and are taken as the training mean",
    "meaning": "its labels are taken to mean what they mean in {dataset}",
    "origin": "the vertex labels of {own} and those of {dataset}, which the model was trained on, are both bare "
    "numbers whose meaning is not published, so nothing is guessed: choose another model",
    "unlabelled": "the model needs a label at each vertex ({vocabulary}), but the graph has no vertex attributes: add "
    "them, or choose a model that needs only degrees",
    "elements": "the model needs chemical elements ({vocabulary}) as vertex labels, and no attribute of the graph "
    "holds them ({attribute} holds {has}): choose the attribute that does, or another model",
    "own": "the model needs the vertex labels of its own data set ({vocabulary}), and what they mean is not published, "
    "so nothing is guessed ({attribute} of the graph holds {has}): choose the attribute that carries them, or a model "
    "that needs only degrees",
    "coverage": "its vertex labels do not match the model's: only {coverage} of the vertices have a recognised label, "
    "and at least {least} must. {attribute} holds {unknown}; the model recognises {vocabulary}.",
    "hydrogens": " Its training graphs leave hydrogens out: leave them out too.",
    "lacks": "the model needs {n} numbers per vertex, and the graph lacks {names}: add them, name the attributes that "
    "hold them, or choose a model that needs only labels or degrees",
    "bare": "the attribute {attribute} has no number at more than half of the vertices, and the model needs one",
    "size": "the graph has {n:,} {n?vertex|vertices}; the model has learned from graphs of {low:,.0f} to {high:,.0f} "
    "(half of them below {middle:,.0f})",
    "mean_degree": "its mean degree is {mean:.2f}; that of the graphs the model has learned from is {low:.2f} to "
    "{high:.2f}",
    "degree": "it has a vertex of degree {degree:,}; the highest degree that the model tells apart is {most:,}",
    "kind": "it is a graph of another kind: it comes from {title} ({about}), and the model has learned from {learned} "
    "alone",
    "unseen": "no training graph has a vertex labelled {labels}",
    "unusual": "its labels are unusual: {own} of the vertices are {label}, against {share} in the graphs the model has "
    "learned from",
    "more": " and {n:,} more",
    "no_label": "no label",
    "nothing": "nothing",
    "none": "none",
}
_FROM_DATASET = re.compile(r"(DD|PROTEINS|ENZYMES|NCI1):\d+")


@dataclass(frozen=True, eq=False)
class Fit:
    """One graph as a model's input.

    - ``x`` float32 [n, d]
    - ``coverage``: share of the vertices whose label the model knows (1 where it needs none)
    - ``label_attribute``: the attribute taken for the label; ``unknown``: its values the model does not know
    - ``mapping``: what the model needs → the attribute of the graph it was taken from
    - ``outside``: why the graph lies outside the model's domain: what it has and no training graph had
    - ``warnings``: these, and what else is to be known of the answer
    """

    x: NDArray[np.float32]
    coverage: float
    label_attribute: str | None
    unknown: tuple[str, ...]
    outside: tuple[str, ...]
    warnings: tuple[str, ...]
    mapping: Mapping[str, str]


@dataclass(frozen=True)
class Candidate:
    """An attribute that may carry the label, the share of vertices it covers, whether it is proposed."""

    attribute: str
    coverage: float
    proposed: bool


def label_candidates(graph: Graph, schema: InputSchema) -> list[Candidate]:
    """The graph's attributes by how well they fit the model's vocabulary, the best first.

    An attribute is proposed by its name and by how many of its values the vocabulary has. Where the labels
    are bare numbers, nearly any attribute of small integers would overlap: then only one that is called
    label is proposed, and only where all its values are known.
    """
    if schema.node_labels is None:
        return []
    numbers = all(label.lstrip("-").isdigit() for label in schema.node_labels)
    ranked = []
    for name, values in graph.node_attributes.items():
        codes = _label_codes(name, values, schema)
        coverage = float(np.mean([code >= 0 for code in codes])) if codes else 0.0
        plain = name.strip().lower().replace("-", "_").replace(" ", "_")
        named = plain in _LABEL_NAMES or (schema.elements and name.strip().lower() in _ATOMIC_NUMBER)
        rank = _LABEL_NAMES.index(plain) if plain in _LABEL_NAMES else len(_LABEL_NAMES)
        proposed = (named and rank < 4 and coverage == 1) if numbers else coverage > (0 if named else _HONEST)
        ranked.append((not proposed, -coverage, rank, Candidate(name, coverage, proposed)))
    return [candidate for *_, candidate in sorted(ranked, key=lambda entry: entry[:3])]


def fit_graph(graph: Graph, schema: InputSchema, mapping: Mapping[str, str] | None = None) -> Fit:
    """The graph as input of a model with this schema.

    ``mapping`` overrides what is proposed: "label" or the name of an attribute the model needs → an attribute
    of the graph. Raises ModelError with the reason where the graph does not fit the model.
    """
    chosen = dict(mapping or {})
    _check_mapping(graph, schema, chosen)
    if graph.num_nodes == 0:
        raise ModelError(WORDS["empty"])
    code = None
    unknown: tuple[str, ...] = ()
    coverage = 1.0
    warnings: list[str] = []
    outside: list[str] = []
    used: dict[str, str] = {}
    if schema.node_labels is not None:
        _check_origin(graph, schema, chosen)
        attribute = chosen.get(LABEL) or _propose(graph, schema)
        codes = _label_codes(attribute, graph.node_attributes[attribute], schema)
        code = np.asarray(codes, dtype=np.int64)
        coverage = float((code >= 0).mean())
        unknown = _unknown(graph.node_attributes[attribute], codes)
        used[LABEL] = attribute
        _check_coverage(schema, attribute, coverage, unknown)
        if unknown:
            outside.append(fill(WORDS["unknown"], share=f"{1 - coverage:.0%}", labels=_some(unknown)))
    attributes = None
    if schema.attributes:
        attributes, names, missing = _attribute_table(graph, schema, chosen)
        used |= names
        if missing:
            warnings.append(fill(WORDS["missing"], n=missing))
    if schema.node_labels is not None and not schema.elements and graph.collection != schema.dataset:
        warnings.append(fill(WORDS["meaning"], dataset=schema.dataset))
    beyond, unusual = _compare(graph, schema, code)
    outside += beyond
    warnings += unusual
    return Fit(
        x=columns.fill(schema, code, attributes, graph.degree),
        coverage=coverage,
        label_attribute=used.get(LABEL),
        unknown=unknown,
        outside=tuple(outside),
        warnings=(*outside, *warnings),
        mapping=used,
    )


def _check_mapping(graph: Graph, schema: InputSchema, mapping: Mapping[str, str]) -> None:
    needs = {name for name, _, _ in schema.attributes}
    if schema.node_labels is not None:
        needs.add(LABEL)
    for need, attribute in mapping.items():
        if need not in needs:
            raise ModelError(
                f"the model does not ask for {need!r}: it needs {_some(sorted(needs)) or 'nothing'}"
            )
        if attribute not in graph.node_attributes:
            has = _some(list(graph.node_attributes)) or "none"
            raise ModelError(f"the graph has no vertex attribute {attribute!r}: it has {has}")


def _check_origin(graph: Graph, schema: InputSchema, mapping: Mapping[str, str]) -> None:
    """A bare number means one thing in one data set and another in the next."""
    match = _FROM_DATASET.fullmatch(graph.name)
    if match and LABEL not in mapping and not schema.elements and match[1] != schema.dataset:
        raise ModelError(fill(WORDS["origin"], own=match[1], dataset=schema.dataset))


def _propose(graph: Graph, schema: InputSchema) -> str:
    """The attribute taken for the label, or the reason why there is none."""
    candidates = label_candidates(graph, schema)
    if candidates and candidates[0].proposed:
        return candidates[0].attribute
    vocabulary = _some(schema.node_labels or ())
    if not candidates:
        raise ModelError(fill(WORDS["unlabelled"], vocabulary=vocabulary))
    best = candidates[0]
    has = _some(sorted(_texts(graph.node_attributes[best.attribute])), most=3)
    said = WORDS["elements" if schema.elements else "own"]
    raise ModelError(fill(said, vocabulary=vocabulary, attribute=repr(best.attribute), has=has))


def _label_codes(name: str, values: Sequence[Any], schema: InputSchema) -> list[int]:
    """Index of each value in the vocabulary, -1 where it is not there."""
    place = {label: k for k, label in enumerate(schema.node_labels or ())}
    numbers = schema.elements and name.strip().lower() in _ATOMIC_NUMBER
    memo: dict[Any, int] = {}
    codes = []
    for value in values:
        key = (type(value), value) if isinstance(value, (str, int, float, bool)) else None
        code = memo.get(key) if key is not None else None
        if code is None:
            code = place.get(_label_text(value, schema.elements, numbers), -1)
            if key is not None:
                memo[key] = code
        codes.append(code)
    return codes


def _label_text(value: Any, elements: bool, numbers: bool) -> str:
    text = label_text(value)
    if numbers:
        return element(int(text) if text.isascii() and text.isdigit() and len(text) < 4 else 0) or ""
    return text.capitalize() if elements else text


def _texts(values: Sequence[Any]) -> set[str]:
    return {label_text(value) or WORDS["nothing"] for value in values}


def _unknown(values: Sequence[Any], codes: Sequence[int]) -> tuple[str, ...]:
    found = Counter(label_text(v) or WORDS["no_label"] for v, c in zip(values, codes, strict=True) if c < 0)
    return tuple(text for text, _ in found.most_common())


def _check_coverage(schema: InputSchema, attribute: str, coverage: float, unknown: tuple[str, ...]) -> None:
    if coverage >= _HONEST:
        return
    hydrogens = schema.elements and "H" in unknown and "H" not in (schema.node_labels or ())
    said = fill(
        WORDS["coverage"],
        coverage=f"{coverage:.0%}",
        least=f"{_HONEST:.0%}",
        attribute=repr(attribute),
        unknown=_some(unknown),
        vocabulary=_some(schema.node_labels or ()),
    )
    raise ModelError(said + (WORDS["hydrogens"] if hydrogens else ""))


def _attribute_table(
    graph: Graph, schema: InputSchema, mapping: Mapping[str, str]
) -> tuple[NDArray[np.float64], dict[str, str], int]:
    """float64 [n, A] (NaN where missing), where each column came from, and how many values are missing."""
    own = {name.strip().lower(): name for name in graph.node_attributes}
    used, lacking = {}, []
    for name, _, _ in schema.attributes:
        found = mapping.get(name) or own.get(name.strip().lower())
        if found is None:
            lacking.append(name)
        else:
            used[name] = found
    if lacking:
        raise ModelError(fill(WORDS["lacks"], n=len(schema.attributes), names=_some(lacking)))
    columns = [[_number(v) for v in graph.node_attributes[used[name]]] for name, _, _ in schema.attributes]
    table = np.asarray(columns, dtype=np.float64).T.reshape(graph.num_nodes, len(columns))
    missing = ~np.isfinite(table)
    bare = [
        name for (name, *_), gone in zip(schema.attributes, missing.T, strict=True) if gone.mean() > _HONEST
    ]
    if bare:
        raise ModelError(fill(WORDS["bare"], attribute=repr(used[bare[0]])))
    return table, used, int(missing.sum())


def _number(value: Any) -> float:
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return float("nan")


def _compare(
    graph: Graph, schema: InputSchema, code: NDArray[np.int64] | None
) -> tuple[list[str], list[str]]:
    """Sentences on what lies outside everything the model was trained on, and on what is merely unusual."""
    training = schema.training
    outside: list[str] = []
    unusual: list[str] = []
    low, _, middle, _, high = training.vertices
    if not low <= graph.num_nodes <= high:
        outside.append(fill(WORDS["size"], n=graph.num_nodes, low=low, high=high, middle=middle))
    mean, (low, _, _, _, high) = 2 * graph.num_edges / graph.num_nodes, training.mean_degree
    factor = _beyond(mean, low, high)
    if factor > 1.0:
        alike = factor <= _ALIKE and not schema.reads_degrees_alone
        (unusual if alike else outside).append(fill(WORDS["mean_degree"], mean=mean, low=low, high=high))
    if schema.reads_degrees_alone:
        outside += _foreign(graph, schema)
    if code is not None and training.label_share and (code >= 0).any():
        labels, share = schema.node_labels or (), np.asarray(training.label_share)
        own = np.bincount(code[code >= 0], minlength=len(labels)) / int((code >= 0).sum())
        unseen = [labels[k] for k in np.flatnonzero((own > 0) & (share == 0)).tolist()]
        if unseen:
            outside.append(fill(WORDS["unseen"], labels=_some(unseen)))
        if (
            np.abs(own - share).sum() / 2 > training.label_distance + 1e-9
        ):  # of 100 training graphs, 99 come closer
            k = int(np.abs(own - share).argmax())
            unusual.append(
                fill(WORDS["unusual"], own=f"{own[k]:.0%}", label=labels[k], share=f"{share[k]:.0%}")
            )
    return outside, unusual


def _beyond(value: float, low: float, high: float) -> float:
    """By which factor a value lies beyond a range; 1: it does not."""
    if value > high + 1e-9:
        return value / high if high else math.inf
    if value < low - 1e-9:
        return low / value if value else math.inf
    return 1.0


def _foreign(graph: Graph, schema: InputSchema) -> list[str]:
    """A model of degrees alone takes any graph: one that is known to be another thing is outside all the same."""
    found = []
    if schema.max_degree is not None and int(graph.degree.max(initial=0)) > schema.max_degree:
        found.append(fill(WORDS["degree"], degree=int(graph.degree.max()), most=schema.max_degree))
    origin = origin_of(graph)
    if origin is not None and schema.dataset and origin.name != schema.dataset:
        said = fill(
            WORDS["kind"], title=origin.title, about=origin.about, learned=collection_title(schema.dataset)
        )
        found.append(said)
    return found


def collection_title(name: str) -> str:
    """What a collection is called; one that is not known, by its name."""
    return COLLECTIONS[name].title if name in COLLECTIONS else name


def _some(names: Sequence[str], most: int = 6) -> str:
    """A few names in words, long ones cut."""
    shown = [name if len(name) <= 30 else name[:29] + "…" for name in names[:most]]
    return ", ".join(shown) + (fill(WORDS["more"], n=len(names) - most) if len(names) > most else "")
