// Meer's algorithm in the browser, for graphs that a person changes: what mivspool/meer.py computes, and nothing else.
// The walk from best to worst gives the survivors and the iteration in which each vertex is settled (docs/decisions.md).
import { adjacency } from "./trace.js";

const MOST_DEGREE = 2 ** 12 - 1;
const AROUND = 2 ** 27;

// to the nearest whole number, halves to the even one
export function rint(x) {
  const low = Math.floor(x);
  if (x - low !== 0.5) return Math.round(x);
  return low % 2 === 0 ? low : low + 1;
}

// What the order compares: lists with one value per vertex, the first that differs decides. Of a learned score that is
// what Python rounded (rounded; null: the score itself), the degree, and the sum of the neighbours' rounded values
// (meer.structural_key).
export function keysOf(score, { start, near }, rounded) {
  if (!rounded) return [score];
  const n = score.length;
  const degree = new Float64Array(n);
  const around = new Float64Array(n);
  for (let v = 0; v < n; v++) {
    degree[v] = Math.min(start[v + 1] - start[v], MOST_DEGREE);
    for (let e = start[v]; e < start[v + 1]; e++) around[v] += rounded[near[e]];
    around[v] = ((around[v] % AROUND) + AROUND) % AROUND;
  }
  return [rounded, degree, around];
}

const equal = (keys, a, b) => keys.every((key) => key[a] === key[b]);

// The strict order, best first: the higher key, then the lower index (meer.rank).
export function ordered(keys, n) {
  const order = new Int32Array(n);
  for (let v = 0; v < n; v++) order[v] = v;
  return order.sort((a, b) => {
    for (const key of keys) if (key[a] !== key[b]) return key[b] - key[a];
    return a - b;
  });
}

// The trace of a graph: near = adjacency(n, edges); keys as above. Everything by vertex, as mivspool.meer.Trace has it.
export function walk({ start, near }, keys, complement = false) {
  const n = start.length - 1;
  const order = ordered(keys, n);
  const rank = new Int32Array(n);
  order.forEach((v, place) => {
    rank[v] = place;
  });
  const survivor = new Uint8Array(n);
  const settled = new Int32Array(n);
  let T = 0;
  for (const v of order) {
    let eliminated = Infinity; // by the first better survivor beside it
    let waits = 0; // for the last better neighbour to be eliminated
    for (let e = start[v]; e < start[v + 1]; e++) {
      const u = near[e];
      if (rank[u] > rank[v]) continue;
      if (survivor[u]) eliminated = Math.min(eliminated, settled[u]);
      else waits = Math.max(waits, settled[u]);
    }
    survivor[v] = eliminated === Infinity ? 1 : 0;
    settled[v] = survivor[v] ? waits + 1 : eliminated;
    T = Math.max(T, settled[v]);
  }

  const kept = survivor.slice();
  const added = [];
  if (complement) {
    let missing = Math.ceil(n / 2) - kept.reduce((a, b) => a + b, 0);
    for (const v of order) {
      if (missing <= 0) break;
      if (kept[v]) continue;
      kept[v] = 1;
      added.push(v);
      missing--;
    }
    added.sort((a, b) => a - b);
  }

  const cluster = new Int32Array(n); // Eq. 11
  for (let v = 0; v < n; v++) {
    cluster[v] = kept[v] ? v : -1;
    if (kept[v]) continue;
    for (let e = start[v]; e < start[v + 1]; e++) {
      const u = near[e];
      if (kept[u] && (cluster[v] < 0 || rank[u] < rank[cluster[v]])) cluster[v] = u;
    }
  }
  const found = { order, rank, T, settled, survivor: kept, added, cluster };
  return { ...found, ties: ties({ start, near }, keys, survivor, found) };
}

// How many vertices the index decided: a survivor beside an equal that was still a candidate, a non-survivor
// beside two best survivors that are equal, a vertex that the complement added while an equal was left out.
function ties({ start, near }, keys, walked, { settled, survivor, added, cluster }) {
  let count = 0;
  for (let v = 0; v < walked.length; v++) {
    if (survivor[v] && !walked[v]) continue;
    const one = walked[v] ? v : cluster[v];
    for (let e = start[v]; e < start[v + 1]; e++) {
      const u = near[e];
      if (u === one || !equal(keys, u, one)) continue;
      if (walked[v] ? settled[u] >= settled[v] : survivor[u]) {
        count++;
        break;
      }
    }
  }
  if (!added.length) return count;
  const spelled = (v) => keys.map((key) => key[v]).join();
  const left = new Set();
  survivor.forEach((kept, v) => {
    if (!kept) left.add(spelled(v));
  });
  return count + added.filter((v) => left.has(spelled(v))).length;
}

// SᵀAS without its diagonal: each edge once, in order of its ends.
function contract(n, edges, weight, cluster) {
  const sums = new Map();
  for (let i = 0; i < edges.length / 2; i++) {
    const [a, b] = [cluster[edges[2 * i]], cluster[edges[2 * i + 1]]];
    if (a === b) continue;
    const place = Math.min(a, b) * n + Math.max(a, b);
    sums.set(place, (sums.get(place) || 0) + (weight ? weight[i] : 1));
  }
  const places = Float64Array.from(sums.keys()).sort();
  const ends = [];
  for (const place of places) ends.push(Math.floor(place / n), place % n);
  return { edges: ends, weight: Array.from(places, (place) => sums.get(place)) };
}

// What the canvas is sent of a graph (payload.trace_data), computed here. graph: {ids, labels, x, y, edges, weight,
// score, size}, edges as u0, v0, u1, v1, … with u < v; learned: with rounded as well.
export function traceData(graph, { learned = false, complement = false } = {}) {
  const n = graph.ids.length;
  const near = adjacency(n, graph.edges);
  const rounded = learned ? graph.rounded : null;
  const found = walk(near, keysOf(graph.score, near, rounded), complement);
  const gathered = new Array(n).fill(0);
  for (let v = 0; v < n; v++) gathered[found.cluster[v]] += graph.size ? graph.size[v] : 1;
  const reduced = contract(n, graph.edges, graph.weight, found.cluster);
  return { size: null, ...graph, learned, rounded, ...found, cluster_size: gathered, reduced };
}
