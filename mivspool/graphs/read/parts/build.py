"""A graph under construction: what every reader fills and what mends and checks it."""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mivspool.errors import LimitError, ReadError
from mivspool.graphs.graph import Graph, Reading
from mivspool.graphs.mended import different, left_out
from mivspool.graphs.read.parts.context import Context
from mivspool.graphs.simplify import Simple, simplify
from mivspool.graphs.text import MISSING, number, plain, readable, shown, typed
from mivspool.messages import fill

# a page without Python says it too (canvas/js/read)
WORDS = {
    "no_id": "{name} has a vertex with an empty id: give each vertex one",
    "long_id": "a vertex id has more than {n:,} characters: shorten it",
    "attributes": "{name} has more than {n:,} different attributes",
    "no_type": "kept the attribute {attribute} as text: its type {kind} is not known",
    "not_of_type": "kept {value}{at} as text: the attribute {attribute} should be of type {kind}",
    "line": " on line {line:,}",
    "no_vertices": "{name} has no vertices: a graph needs at least one",
    "listed_again": "{n:,} {n?vertex|vertices} listed more than once, taken as one each",
    "unsaid": "and {n:,} more {n?repair|repairs} like these",
    "awaited": "an edge of {name} leads to {id}, which is not among the vertices{others}: add the vertex or take the "
    "edge out",
    "others": " (nor are {n:,} others)",
    "cells": "{name} has too many attributes for its size: leave some out",
    "renamed": "{n:,} {n?vertex|vertices} renamed: their ids differ in the file but read the same",
    "bad_weight": "{n:,} {n?weight|weights} read as missing: the weight {value}{at} {what}",
    "is_missing": "is missing",
    "no_number": "is no number",
    "no_weight": "{n:,} {n?edge|edges} without a weight: read as missing",
    "negative": "{n:,} negative {n?weight|weights} kept{at}: a convolution cannot use them, so leave weights off when "
    "pooling",
}

_MOST_ATTRIBUTES = 1000
_MOST_CELLS = 50_000_000
_FEW_CELLS = 5_000_000
_MOST_EMPTY = 50  # cells for each that holds something, where there are more than a few
_MOST_REPAIRS = 100
_CHECK_EVERY = 4096
LONGEST_ID = 10_000


class Column:
    """An attribute, kept for the vertices or edges that have it."""

    def __init__(self) -> None:
        self.place = array("q")
        self.values: list[Any] = []

    def extend(self, places: Iterable[int], values: Iterable[Any]) -> None:
        """Take up many values at once; each is text, a number, a truth value or None."""
        self.place.extend(places)
        self.values.extend(values)

    def spread(self, length: int) -> list[Any]:
        """One value each, None where there is none; the last one given counts."""
        full: list[Any] = [None] * length
        for i, value in zip(self.place, self.values, strict=True):
            full[i] = value
        return full


class Builder:
    """Collects vertices and edges by the ids of the file; ``finish`` gives the simple graph.

    With ``declared``, an edge may only join vertices that are listed somewhere in the file.
    """

    def __init__(self, context: Context, name: str, format: str, *, declared: bool) -> None:
        self.context, self.name, self.format, self.declared = context, name, format, declared
        self.index: dict[Hashable, int] = {}
        self.ids: list[str] = []
        self.source, self.target = array("q"), array("q")
        self.arrow = bytearray()
        self.line = array("q")
        self.node_columns: dict[str, Column] = {}
        self.edge_columns: dict[str, Column] = {}
        self.position: dict[int, tuple[float, float]] = {}
        self.awaited: dict[int, int | None] = {}
        self.listed_again = 0
        self.label: str | None = None
        self.repairs: dict[str, None] = {}
        self.unsaid = 0
        self.read_as: str | None = None
        self.readings: tuple[Reading, ...] = ()
        self.comma = False
        self.left_out: dict[str, None] = {}

    def node(self, key: Hashable, line: int | None = None, text: str | None = None) -> int:
        """List a vertex; ``text`` is its id outside where that is not ``key`` itself."""
        i = self.index.get(key)
        if i is None:
            return self._new(key, line, text)
        if i in self.awaited:
            del self.awaited[i]
        else:
            self.listed_again += 1
        return i

    def mention(self, key: Hashable, line: int | None = None, text: str | None = None) -> int:
        """The vertex at an end of an edge, which may be listed later."""
        i = self.index.get(key)
        if i is None:
            i = self._new(key, line, text)
            if self.declared:
                self.awaited[i] = line
        return i

    def _new(self, key: Hashable, line: int | None, text: str | None) -> int:
        name = str(key) if text is None else text
        if not name:
            raise ReadError(fill(WORDS["no_id"], name=self.context.name), line=line)
        if len(name) > LONGEST_ID:
            raise LimitError(fill(WORDS["long_id"], n=LONGEST_ID), line=line)
        i = len(self.ids)
        self.index[key] = i
        self.ids.append(readable(name))
        if i % _CHECK_EVERY == 0:
            self.context.check_size(i, len(self.source))
        return i

    def edge(self, u: int, v: int, line: int | None = None, *, directed: bool = False) -> int:
        """Join two vertices; returns the number of the listed edge."""
        k = len(self.source)
        self.source.append(u)
        self.target.append(v)
        self.arrow.append(directed)
        self.line.append(line or 0)
        if k % _CHECK_EVERY == 0:
            self.context.check_size(len(self.ids), k)
        return k

    def edges(
        self, sources: Sequence[int], targets: Sequence[int], lines: Sequence[int], directed: bytearray
    ) -> None:
        """Join many pairs of vertices; ``directed`` has a 1 for each arrow."""
        self.source.extend(sources)
        self.target.extend(targets)
        self.line.extend(lines)
        self.arrow.extend(directed)
        self.context.check_size(len(self.ids), len(self.source))

    def node_value(self, i: int, name: str, value: Any) -> None:
        """Set an attribute of a vertex."""
        self._set(self.node_columns, i, name, value)

    def edge_value(self, k: int, name: str, value: Any) -> None:
        """Set an attribute of a listed edge; "weight" becomes the edge's weight."""
        self._set(self.edge_columns, k, name, value)

    def edge_column(self, name: str) -> Column:
        """The column of an attribute of the listed edges, for many values at once."""
        return self._column(self.edge_columns, name)

    def _column(self, columns: dict[str, Column], name: str) -> Column:
        column = columns.get(name)
        if column is None:
            if len(columns) >= _MOST_ATTRIBUTES:
                raise LimitError(fill(WORDS["attributes"], name=self.context.name, n=_MOST_ATTRIBUTES))
            column = columns[name] = Column()
        return column

    def _set(self, columns: dict[str, Column], place: int, name: str, value: Any) -> None:
        column = self._column(columns, name)
        column.place.append(place)
        column.values.append(plain(value))

    def node_values(self, i: int, values: Mapping[str, Any]) -> None:
        """Set several attributes of a vertex."""
        for name, value in values.items():
            self.node_value(i, readable(str(name)), value)

    def edge_values(self, k: int, values: Mapping[str, Any]) -> None:
        """Set several attributes of a listed edge."""
        for name, value in values.items():
            self.edge_value(k, readable(str(name)), value)

    def typed(self, name: str, kind: str | None, text: str, line: int | None) -> Any:
        """The text as a declared type; where it is not of that type it stays text, and that is said."""
        try:
            return typed(text, kind)
        except LookupError:
            self.say(fill(WORDS["no_type"], attribute=shown(name), kind=shown(kind)))
        except ValueError:
            at = fill(WORDS["line"], line=line) if line else ""
            self.say(
                fill(WORDS["not_of_type"], value=shown(text), at=at, attribute=shown(name), kind=shown(kind))
            )
        return text

    def say(self, sentence: str) -> None:
        """Report a repair, once; of more than a person reads only the number is said."""
        if len(self.repairs) < _MOST_REPAIRS:
            self.repairs[sentence] = None
        elif sentence not in self.repairs:
            self.unsaid += 1

    def leave_out(self, name: str) -> None:
        """Report something of the file that the graph has no place for."""
        if len(self.left_out) < _MOST_ATTRIBUTES:
            self.left_out[name] = None

    def finish(self) -> Graph:
        """The simple undirected graph. Raises ReadError where it has no vertices or an edge ends nowhere."""
        self._check_awaited()
        n, m = len(self.ids), len(self.source)
        if n == 0:
            raise ReadError(fill(WORDS["no_vertices"], name=self.context.name))
        self.context.count(n, m)
        self._check_cells(n, m)
        if self.left_out:
            self.say(left_out(self.left_out))
        simple = simplify(
            np.frombuffer(self.source, dtype=np.int64) if m else np.zeros(0, dtype=np.int64),
            np.frombuffer(self.target, dtype=np.int64) if m else np.zeros(0, dtype=np.int64),
            n,
            np.frombuffer(self.arrow, dtype=np.bool_) if m else False,
        )
        weight, weight_repairs = self._weights(simple)
        if self.listed_again:
            self.say(fill(WORDS["listed_again"], n=self.listed_again))
        names = self._names()
        further = [fill(WORDS["unsaid"], n=self.unsaid)] if self.unsaid else []
        return Graph(
            name=self.name,
            nodes=names,
            edges=simple.edges,
            edge_weight=weight,
            node_attributes={name: tuple(c.spread(n)) for name, c in self._node_columns(n).items()},
            edge_attributes={name: self._first(c, simple) for name, c in self.edge_columns.items()},
            label=self.label,
            positions=self._positions(n),
            repairs=(*self.context.repairs, *self.repairs, *simple.repairs, *weight_repairs, *further),
            format=self.format,
            encoding=self.context.encoding,
            read_as=self.read_as,
            readings=self.readings,
        )

    def _check_awaited(self) -> None:
        if not self.awaited:
            return
        i, line = next(iter(self.awaited.items()))
        more = len(self.awaited) - 1
        others = fill(WORDS["others"], n=more) if more else ""
        said = fill(WORDS["awaited"], name=self.context.name, id=shown(self.ids[i]), others=others)
        raise ReadError(said, line=line)

    def _check_cells(self, n: int, m: int) -> None:
        cells = len(self.node_columns) * n + len(self.edge_columns) * m
        columns = (*self.node_columns.values(), *self.edge_columns.values())
        held = sum(len(column.place) for column in columns)
        if cells > _MOST_CELLS or cells > max(_FEW_CELLS, _MOST_EMPTY * held):
            raise LimitError(fill(WORDS["cells"], name=self.context.name))

    def _names(self) -> tuple[str, ...]:
        """The ids, made different where two keys of the file read the same."""
        names, renamed = different(self.ids)
        if renamed:
            self.say(fill(WORDS["renamed"], n=renamed))
        return names

    def _first(self, column: Column, simple: Simple) -> tuple[Any, ...]:
        """For each edge the value of the first listed one that has any."""
        merged: list[Any] = [None] * simple.edges.shape[1]
        group = simple.group[np.frombuffer(column.place, dtype=np.int64)].tolist() if column.place else []
        for e, value in zip(group, column.values, strict=True):
            if e >= 0 and merged[e] is None:
                merged[e] = value
        return tuple(merged)

    def _weights(self, simple: Simple) -> tuple[NDArray[np.float64] | None, list[str]]:
        column = self.edge_columns.pop("weight", None)
        if column is None:
            return None, []
        if len(column.values) == len(self.source) and set(map(type, column.values)) == {float}:
            given_all = np.array(column.values, dtype=np.float64)
            if np.isfinite(given_all).all() and (given_all >= 0).all():  # as in nearly every file
                at = simple.group[np.frombuffer(column.place, dtype=np.int64)][::-1]
                first = np.zeros(simple.edges.shape[1])
                first[at[at >= 0]] = given_all[::-1][at >= 0]  # of several, the first one listed
                return first, []
        weight: list[float | None] = [None] * simple.edges.shape[1]
        group = simple.group.tolist()
        bad, negative = [], []
        for k, given in zip(column.place, column.values, strict=True):
            value = number(given, comma=self.comma)
            if value is None:
                bad.append((k, given))
                continue
            if value < 0:
                negative.append(k)
            e = group[k]
            if e >= 0 and weight[e] is None:
                weight[e] = value
        repairs = []
        if bad:
            k, given = bad[0]
            missing = str(given).strip().lower() in MISSING or given is None
            what = WORDS["is_missing" if missing else "no_number"]
            repairs.append(
                fill(WORDS["bad_weight"], n=len(bad), value=shown(given), at=self._at(k), what=what)
            )
        absent = len(self.source) - len(set(column.place))
        empty = all(value is None for value in weight)
        if absent and not empty:
            repairs.append(fill(WORDS["no_weight"], n=absent))
        if negative:
            repairs.append(fill(WORDS["negative"], n=len(negative), at=self._at(negative[0])))
        return None if empty else np.array(weight, dtype=np.float64), repairs  # None becomes NaN

    def _at(self, k: int) -> str:
        return fill(WORDS["line"], line=self.line[k]) if self.line[k] else ""

    def _node_columns(self, n: int) -> dict[str, Column]:
        """The attributes; x and y that every vertex has as numbers are its position instead."""
        columns = dict(self.node_columns)
        if len(self.position) < n and {"x", "y"} <= set(columns):
            x, y = columns["x"].spread(n), columns["y"].spread(n)
            places = [(number(a), number(b)) for a, b in zip(x, y, strict=True)]
            if all(a is not None and b is not None for a, b in places):
                self.position = dict(enumerate(places))  # type: ignore[arg-type]
                del columns["x"], columns["y"]
        return columns

    def _positions(self, n: int) -> NDArray[np.float64] | None:
        if len(self.position) < n:
            return None
        return np.asarray([self.position[i] for i in range(n)], dtype=np.float64)
