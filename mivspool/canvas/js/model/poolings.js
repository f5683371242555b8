// Pooling methods on a graph that has no Python beside it, by scores that are given: MIVSPool, its complement, Top-k and
// k-MIS (mivspool/compare.py, `given`). Each is a function of a level {n, edges, weight, score} that gives {kept, cluster, T}:
// the survivors in order, the reduced vertex of each vertex (-1: dropped), the iterations (null where nothing iterates).
import { measuresOf } from "./measures.js";
import { keysOf, ordered, rint, walk } from "./meer.js";
import { adjacency } from "./trace.js";

const UNIT = 2 ** 17;
const MOST = (2 ** 24 - 1) / UNIT;

// what is compared of a value as a method that learns its scores compares it (keys.rounded)
export function roundedOf(value) {
  const size = Math.abs(value);
  return rint(Math.sign(value) * Math.min(size <= 1 ? size : 1 + Math.log(size), MOST) * UNIT);
}

// SᵀAS without its diagonal: each edge once, in order of its ends; cluster: as above
export function connected({ edges, weight }, cluster, count) {
  const sums = new Map();
  for (let i = 0; i < edges.length / 2; i++) {
    const [a, b] = [cluster[edges[2 * i]], cluster[edges[2 * i + 1]]];
    if (a < 0 || b < 0 || a === b) continue;
    const place = Math.min(a, b) * count + Math.max(a, b);
    sums.set(place, (sums.get(place) || 0) + (weight ? weight[i] : 1));
  }
  const places = Float64Array.from(sums.keys()).sort();
  return { edges: Array.from(places).flatMap((place) => [Math.floor(place / count), place % count]), weight: Array.from(places, (place) => sums.get(place)) };
}

const placesOf = (kept, n) => {
  const place = new Array(n).fill(-1);
  kept.forEach((v, i) => (place[v] = i));
  return place;
};

// of a walk on another graph of the same vertices
function clustered(n, { survivor, cluster, T }) {
  const kept = [...survivor.keys()].filter((v) => survivor[v]);
  const place = placesOf(kept, n);
  return { kept, cluster: Array.from(cluster, (v) => place[v]), T };
}

const mivspool = (complement) => ({ n, edges, score }) => {
  const near = adjacency(n, edges);
  return clustered(n, walk(near, keysOf(score, near, null), complement));
};

// the half of the vertices with the highest scores
function topK({ n, edges, score }) {
  const keys = keysOf(score, adjacency(n, edges), score.map(roundedOf));
  const kept = Array.from(ordered(keys, n).subarray(0, Math.ceil(n / 2))).sort((a, b) => a - b);
  return { kept, cluster: placesOf(kept, n), T: null };
}

// the pairs of vertices that lie at most k edges apart
function within(n, edges, k) {
  if (k === 1) return edges;
  const { start, near } = adjacency(n, edges);
  const pairs = [];
  for (let v = 0; v < n; v++) {
    let front = [v];
    const seen = new Set(front);
    for (let hop = 0; hop < k; hop++) {
      front = front.flatMap((u) => Array.from(near.subarray(start[u], start[u + 1]))).filter((u) => !seen.has(u) && seen.add(u));
    }
    for (const u of [...seen].sort((a, b) => a - b)) if (u > v) pairs.push(v, u);
  }
  return pairs;
}

// a maximal set of vertices more than k edges apart, in the order of s / (A + I)ᵏ1
const kmis = (k) => ({ n, edges, score }) => {
  const { start, near } = adjacency(n, edges);
  let around = new Float64Array(n).fill(1);
  for (let hop = 0; hop < k; hop++) {
    around = around.map((own, v) => near.subarray(start[v], start[v + 1]).reduce((sum, u) => sum + around[u], own));
  }
  return clustered(n, walk(adjacency(n, within(n, edges, k)), [score.map((s, v) => s / around[v])]));
};

export const POOLINGS = {
  mivspool: mivspool(false),
  "mivspool-comp": mivspool(true),
  gpool: topK,
  "kmis-1": kmis(1),
  "kmis-2": kmis(2),
};

// The steps of one method on a graph {ids, edges, weight, score}, as many as `most` while an edge is left: of each what the
// method gives, and its measures.
export function pooled(name, graph, most) {
  let level = { n: graph.ids.length, edges: Array.from(graph.edges), weight: graph.weight, score: Array.from(graph.score) };
  const steps = [];
  while (steps.length < most && (!steps.length || level.edges.length)) {
    const { kept, cluster, T } = POOLINGS[name](level);
    const next = { n: kept.length, ...connected(level, cluster, kept.length), score: kept.map((v) => level.score[v]) };
    steps.push({ kept, cluster, measures: measuresOf(level, next, kept, cluster, T) });
    level = next;
  }
  return steps;
}

// The levels that steps make of a graph {ids, edges, weight}: of each {cluster, at, edges, weight, …}, the reduced vertex that
// each vertex of the graph is in (-1: dropped), the vertex of the graph that each reduced vertex is (-1: none), and A'. A
// step holds its own A' where that is not SᵀAS. A step of a soft S says of the graph's own vertices where they are.
export function stacked(graph, steps) {
  let level = { edges: graph.edges, weight: graph.weight };
  let cluster = graph.ids.map((_, v) => v);
  let at = cluster;
  return steps.map((step) => {
    if (step.kept) {
      cluster = cluster.map((c) => (c >= 0 ? step.cluster[c] : -1));
      at = step.kept.map((v) => at[v]);
      level = step.edges ? { edges: step.edges, weight: step.weight } : connected(level, step.cluster, step.kept.length);
    } else {
      at = step.x.map(() => -1);
      [cluster, level] = [step.cluster, { edges: step.edges, weight: step.weight }];
    }
    return { ...step, cluster, at, ...level };
  });
}
