// A graph as a person changes it. A graph is plain lists (ids, labels, x, y, edges, weight, score: see meer.traceData) and
// never changes itself: each change makes another one, so that going back is as cheap as going on. No drawing here.
import { ordered, rint } from "./meer.js";

const MOST_KEPT = 300; // changes that can be undone

// The graph behind a trace (payload.trace_data), its scores as if given by hand.
export function drawnOf(data) {
  const { ids, labels, x, y, edges, weight, size } = data;
  return { ids, labels, x, y, edges, weight, size, score: plainScores(data) };
}

// The scores as a person would write them down, few digits, such that comparing them exactly gives the order the trace
// has: learned scores are compared rounded, before their sigmoid, and by more than themselves where they tie.
export function plainScores({ score, rank, rounded }) {
  const n = score.length;
  const order = new Array(n);
  rank.forEach((place, v) => {
    order[place] = v;
  });
  const own = rounded ? apart(score, order, rounded) : Array.from(score);
  const fits = (values) => ordered([values], n).every((v, place) => v === order[place]);
  const faithful = (values) => order.every((v, i) => i === 0 || (own[v] === own[order[i - 1]]) === (values[v] === values[order[i - 1]]));
  for (const digits of [6, 9, 12]) {
    const values = own.map((s) => Number(s.toFixed(digits)));
    if (values.every((s) => s > 0) && fits(values) && faithful(values)) return values;
  }
  if (fits(own)) return own;
  // tied, but not in order of the index: a little more for each that comes before
  let more = 0;
  const values = own.slice();
  for (let i = n - 2; i >= 0; i--) {
    more = own[order[i]] === own[order[i + 1]] ? more + 2 ** -18 / n : 0;
    values[order[i]] = own[order[i]] + more;
  }
  return values;
}

// A score as a person types it, with a point or a decimal comma; null where it is none.
export function scoreOf(text) {
  const value = Number(text.trim().replace(/^(\d*),(\d+)$/, "$1.$2") || NaN);
  return Number.isFinite(value) && value > 0 ? value : null;
}

// in multiples of 2^-17, equal where rounded is: a sigmoid that has saturated may not make ties
function apart(score, order, rounded) {
  const unit = 2 ** 17;
  const own = new Array(score.length);
  let last = 0;
  for (let i = order.length - 1; i >= 0; i--) {
    const v = order[i];
    if (i === order.length - 1 || rounded[v] !== rounded[order[i + 1]]) last = Math.max(rint(score[v] * unit), last + 1);
    own[v] = last / unit;
  }
  return own;
}

const replaced = (list, at, value) => {
  const copy = list.slice();
  copy[at] = value;
  return copy;
};

export const withScore = (graph, v, score) => ({ ...graph, score: replaced(graph.score, v, score) });

export const withPlace = (graph, v, x, y) => ({ ...graph, x: replaced(graph.x, v, x), y: replaced(graph.y, v, y) });

export function withLabel(graph, v, label) {
  const labels = graph.labels || graph.ids.map(() => "");
  return { ...graph, labels: replaced(labels, v, label) };
}

// the least number that is no vertex yet
export function freshId(graph) {
  const taken = new Set(graph.ids);
  let id = graph.ids.length;
  while (taken.has(String(id))) id++;
  return String(id);
}

// one more vertex, the last by index
export function withVertex(graph, x, y, score) {
  const one = (list, value) => (list ? [...list, value] : list);
  return {
    ...graph,
    ids: [...graph.ids, freshId(graph)],
    labels: one(graph.labels, ""),
    size: one(graph.size, 1),
    score: [...graph.score, score],
    x: [...graph.x, x],
    y: [...graph.y, y],
  };
}

export function withoutVertex(graph, deleted) {
  const left = (list) => (list ? list.filter((_, v) => v !== deleted) : list);
  const edges = [];
  const weight = graph.weight ? [] : null;
  for (let e = 0; e < graph.edges.length; e += 2) {
    const ends = [graph.edges[e], graph.edges[e + 1]];
    if (ends.includes(deleted)) continue;
    edges.push(...ends.map((v) => (v > deleted ? v - 1 : v)));
    if (weight) weight.push(graph.weight[e / 2]);
  }
  const lists = { ids: left(graph.ids), labels: left(graph.labels), size: left(graph.size), score: left(graph.score) };
  return { ...graph, ...lists, x: left(graph.x), y: left(graph.y), edges, weight };
}

// where the edge of two vertices stands in the list, or would stand: edges are sorted by their ends
function placeOf(graph, u, v) {
  const [a, b] = u < v ? [u, v] : [v, u];
  let [low, high] = [0, graph.edges.length / 2];
  while (low < high) {
    const middle = (low + high) >> 1;
    const before = graph.edges[2 * middle] - a || graph.edges[2 * middle + 1] - b;
    if (before < 0) low = middle + 1;
    else high = middle;
  }
  return { a, b, place: low, there: graph.edges[2 * low] === a && graph.edges[2 * low + 1] === b };
}

export const joined = (graph, u, v) => placeOf(graph, u, v).there;

// with the edge between two vertices where there was none, without it where there was
export function withEdge(graph, u, v) {
  const { a, b, place, there } = placeOf(graph, u, v);
  const edges = Array.from(graph.edges);
  const weight = graph.weight ? Array.from(graph.weight) : null;
  if (there) {
    edges.splice(2 * place, 2);
    if (weight) weight.splice(place, 1);
  } else {
    edges.splice(2 * place, 0, a, b);
    if (weight) weight.splice(place, 0, 1);
  }
  return { ...graph, edges, weight };
}

// All graphs of one session of changes, and which of them is shown. It never changes: each method makes another one.
export class History {
  // last: the kind of the latest change; changes of one kind that follow each other are one
  constructor(graphs, at = graphs.length - 1, last = null) {
    Object.assign(this, { graphs, at, last });
  }

  get graph() {
    return this.graphs[this.at];
  }

  get undoable() {
    return this.at > 0;
  }

  get redoable() {
    return this.at < this.graphs.length - 1;
  }

  // kind: changes of the same kind become one step, as in dragging; null: a step of its own
  push(graph, kind = null) {
    const graphs = this.graphs.slice(0, this.at + 1);
    if (kind !== null && kind === this.last && this.at > 0) graphs[this.at] = graph;
    else graphs.push(graph);
    if (graphs.length > MOST_KEPT) graphs.splice(1, 1); // never the first
    return new History(graphs, graphs.length - 1, kind);
  }

  // the graph that is shown, in another form
  replace(graph) {
    return new History(replaced(this.graphs, this.at, graph), this.at, this.last);
  }

  // the next change is a step of its own
  separate() {
    return this.to(this.at);
  }

  // itself where there is nothing to undo or redo
  move(by) {
    const at = this.at + by;
    return at < 0 || at >= this.graphs.length ? this : this.to(at);
  }

  to(at) {
    return new History(this.graphs, at);
  }
}

// What is different between two traces, in vertices of the newer one; lost: [id] of survivors that were deleted.
export function changes(before, now) {
  const old = new Map(before.ids.map((id, v) => [id, v]));
  const found = { rises: [], falls: [], lost: [], moves: [], T: [before.T, now.T] };
  now.ids.forEach((id, v) => {
    const u = old.get(id);
    if (u === undefined) {
      if (now.survivor[v]) found.rises.push(v);
      return;
    }
    old.delete(id);
    if (now.survivor[v] && !before.survivor[u]) found.rises.push(v);
    else if (!now.survivor[v] && before.survivor[u]) found.falls.push(v);
    else if (before.ids[before.cluster[u]] !== now.ids[now.cluster[v]]) found.moves.push(v);
  });
  for (const [id, u] of old) if (before.survivor[u]) found.lost.push(id);
  return found;
}
