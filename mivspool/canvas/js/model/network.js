// A trained network on one graph: what mivspool/learning/network.py computes, driven by the network's description
// (learning/layers.py), in float32: sums are added up in double precision and kept in single.
import { keysOf, walk } from "./meer.js";
import { connected, roundedOf } from "./poolings.js";
import { adjacency } from "./trace.js";

const STEPS = 10; // of the PageRank in the multiview score
const RESTART = 0.1;
const TINY = 1.1754943508222875e-38; // the least normal number of float32
const EPSILON = 1.1920928955078125e-7;

const sigmoid = (value) => 1 / (1 + Math.exp(-value));
const relu = (value) => (value > 0 ? value : 0);

// rows × columns, row by row
class Matrix {
  constructor(rows, columns, data = new Float32Array(rows * columns)) {
    Object.assign(this, { rows, columns, data });
  }

  row(i) {
    return this.data.subarray(i * this.columns, (i + 1) * this.columns);
  }

  map(change) {
    return new Matrix(this.rows, this.columns, this.data.map((value, i) => change(value, i % this.columns)));
  }
}

// x · w, or x · wᵀ where `turned`
function product(x, w, turned = false) {
  const width = turned ? w.rows : w.columns;
  const out = new Matrix(x.rows, width);
  const sums = new Float64Array(width);
  for (let i = 0; i < x.rows; i++) {
    const row = x.row(i);
    if (turned) {
      for (let j = 0; j < width; j++) sums[j] = w.row(j).reduce((sum, value, k) => sum + value * row[k], 0);
    } else {
      sums.fill(0);
      for (let k = 0; k < x.columns; k++) {
        const value = row[k];
        if (value === 0) continue;
        const weights = w.row(k);
        for (let j = 0; j < width; j++) sums[j] += value * weights[j];
      }
    }
    out.row(i).set(sums);
  }
  return out;
}

// the matrix that a convolution multiplies by: D^(-1/2) (A + I) D^(-1/2) of a GCN, A + I of a GIN. graph: {n, edges, weight,
// loops}; loops: the diagonal of A, null where it is 0. Gives a function of x.
function propagation(graph, { kind, weights, diagonal, own = 1 }) {
  const { n, edges } = graph;
  const weight = weights && graph.weight ? graph.weight : null;
  const loops = new Float64Array(n).fill(own);
  if (diagonal && graph.loops) graph.loops.forEach((value, v) => (loops[v] += value));
  const total = loops.slice();
  for (let e = 0; e < edges.length; e++) total[edges[e]] += weight ? weight[e >> 1] : 1;
  const scale = kind === "gcn" ? total.map((value) => (value > 0 ? 1 / Math.sqrt(value) : 1)) : new Float64Array(n).fill(1);
  return (x) => {
    const sums = new Float64Array(n * x.columns);
    const add = (to, from, factor) => {
      const row = x.row(from);
      for (let j = 0; j < x.columns; j++) sums[to * x.columns + j] += factor * row[j];
    };
    for (let v = 0; v < n; v++) add(v, v, Math.fround(scale[v] * scale[v] * loops[v]));
    for (let e = 0; e < edges.length; e += 2) {
      const [u, v] = [edges[e], edges[e + 1]];
      const factor = Math.fround(scale[u] * scale[v] * (weight ? weight[e / 2] : 1));
      add(u, v, factor);
      add(v, u, factor);
    }
    return new Matrix(n, x.columns, Float32Array.from(sums));
  };
}

// The multiview score (pooling/scores/multiview.py), three views of each vertex, weighed by an attention: {score [n], views,
// largest, parts}, parts(v): of a vertex the scaled views, their gates and weights
function multiview(x, { n, edges }, get) {
  const p = get("projection").data;
  const norm = Math.max(Math.hypot(...p), EPSILON);
  const along = product(x, new Matrix(2, x.columns, Float32Array.from([...p.map((value) => value / norm), ...get("linear.weight").data])), true);
  const { start } = adjacency(n, edges);
  const [alpha, beta, bias] = ["alpha", "beta", "bias"].map((name) => get(name).data[0]);
  const spread = propagation({ n, edges }, { kind: "gcn", weights: false, diagonal: false, own: 0 });
  const column = (values) => new Matrix(n, 1, Float32Array.from(values));
  const degree = Array.from({ length: n }, (_, v) => start[v + 1] - start[v]);
  const alone = (values) => values.map((value, v) => (degree[v] ? value : 0)); // D^(-1/2) of an isolated vertex is 0
  const begin = alone(spread(column(along.data.filter((_, i) => i % 2))).data).map((value) => value + bias);
  let rank = begin;
  for (let step = 0; step < STEPS; step++) {
    const around = alone(spread(column(rank)).data);
    rank = rank.map((_, v) => RESTART * begin[v] + (1 - RESTART) * around[v]);
  }
  const views = [
    degree.map((d) => sigmoid(alpha * Math.log(d + 1e-16) + beta)),
    Array.from({ length: n }, (_, v) => sigmoid(along.data[2 * v])),
    Array.from(rank, sigmoid),
  ].map((view) => Float32Array.from(view));
  const largest = views.map((view) => view.reduce((a, b) => Math.max(a, b), TINY));
  const scaled = views.map((view, k) => view.map((value) => value / largest[k]));
  const [weight, shift] = [get("attention.weight"), get("attention.bias").data];
  const parts = (v) => {
    const seen = scaled.map((view) => view[v]);
    const gates = seen.map((_, k) => sigmoid(shift[k] + seen.reduce((sum, value, j) => sum + weight.row(k)[j] * value, 0)));
    const total = gates.reduce((sum, gate) => sum + Math.exp(gate), 0);
    return { seen, gates, shares: gates.map((gate) => Math.exp(gate) / total) };
  };
  const score = Float32Array.from({ length: n }, (_, v) => {
    const { seen, shares } = parts(v);
    return sigmoid(shares.reduce((sum, share, k) => sum + share * seen[k], 0));
  });
  return { score, views, largest, parts };
}

const SCORES = { multiview };

// Eq. 12, or without its denominator where the reduction is "sum"
function reduced(x, score, cluster, count, reduction) {
  const sums = new Float64Array(count * x.columns);
  const total = new Float64Array(count);
  for (let v = 0; v < x.rows; v++) {
    total[cluster[v]] += score[v];
    const [row, at] = [x.row(v), cluster[v] * x.columns];
    for (let j = 0; j < x.columns; j++) sums[at + j] += score[v] * row[j];
  }
  if (reduction === "mean") for (let i = 0; i < sums.length; i++) sums[i] /= total[Math.floor(i / x.columns)];
  return new Matrix(count, x.columns, Float32Array.from(sums));
}

// mean, maximum and scaled sum of the rows; [sum] alone: the sum as it is
function readout(x, of) {
  const columns = Array.from({ length: x.columns }, (_, j) => Array.from({ length: x.rows }, (_, v) => x.data[v * x.columns + j]));
  const sum = (values) => values.reduce((a, b) => a + b, 0);
  const kinds = {
    mean: (values) => sum(values) / x.rows,
    max: (values) => values.reduce((a, b) => Math.max(a, b), -Infinity),
    sum: (values) => (of.length === 1 ? sum(values) : sum(values) / Math.sqrt(x.rows)),
  };
  return new Matrix(1, of.length * x.columns, Float32Array.from(of.flatMap((kind) => columns.map(kinds[kind]))));
}

function joined(name, read) {
  if (name === "concatenate") return new Matrix(1, read.reduce((sum, one) => sum + one.columns, 0), Float32Array.from(read.flatMap((one) => Array.from(one.data))));
  return read[0].map((_, j) => read.reduce((sum, one) => sum + one.data[j], 0));
}

export class Network {
  // layers: the description; config: {use_weights, use_diagonal}; tensors: name → [offset, rows, columns] in `weights`
  constructor({ layers, config, tensors }, weights) {
    Object.assign(this, { layers, config });
    this.tensors = new Map(Object.entries(tensors).map(([name, [at, rows, columns]]) => [name, new Matrix(rows, columns, weights.subarray(at, at + rows * columns))]));
  }

  get(name) {
    return this.tensors.get(name);
  }

  // What it computes of a graph {n, edges, weight} with features x (Float32Array, a row per vertex): {logits, probabilities,
  // levels}, of each pooling {n, edges, weight, score, rounded, cluster, kept}. watch(layer, told): hears what each layer made:
  // {before, after} (Matrix), and the level {n, edges, …} or what else it is made of.
  forward(features, graph, watch = () => {}) {
    let level = { n: graph.n, edges: Array.from(graph.edges), weight: graph.weight ?? null, loops: null };
    let x = new Matrix(graph.n, features.length / graph.n, features);
    const levels = [];
    const read = [];
    const count = { convolutions: 0, poolings: 0, normalisations: 0 };
    for (const layer of this.layers) {
      const { kind, name, options } = layer;
      const told = { before: x, level, steps: [] };
      if (kind === "convolution") x = this.convolve(x, level, name, options, `convolutions.${count.convolutions++}`);
      else if (kind === "normalisation") x = this.normalise(x, `normalisations.${count.normalisations++}`);
      else if (kind === "pooling") [x, level, told.scored] = this.pool(x, level, name, options, `poolings.${count.poolings++}.scorer`, levels);
      else if (kind === "readout") read.push((told.read = readout(x, options.of)));
      else if (kind === "join") x = joined(name, read);
      else x = this.decide(x, told.steps);
      watch(layer, { ...told, after: x, pooled: levels.at(-1) });
    }
    const logits = Array.from(x.data);
    const most = Math.max(...logits);
    const exp = logits.map((value) => Math.exp(value - most));
    const total = exp.reduce((a, b) => a + b, 0);
    return { logits, probabilities: exp.map((value) => value / total), levels };
  }

  linear(x, name, spread = null) {
    const [weight, bias] = [this.get(`${name}.weight`), this.get(`${name}.bias`).data];
    const before = weight.rows > weight.columns; // aggregated where it is narrower
    const moved = spread && !before ? spread(x) : x;
    const made = product(moved, weight);
    return (spread && before ? spread(made) : made).map((value, j) => relu(value + bias[j]));
  }

  // x times the matrix of a convolution
  spread(level, kind) {
    const { use_weights: weights, use_diagonal: diagonal } = this.config;
    return propagation(level, { kind, weights, diagonal });
  }

  // the neighbours of a vertex in a convolution, itself included: [vertex, weight] of each
  neighbours(level, { name: kind, options: { edges } }, v) {
    if (!edges) return [[v, 1]];
    const unit = new Matrix(level.n, 1);
    unit.data[v] = 1;
    return [...this.spread(level, kind)(unit).data.entries()].filter(([, weight]) => weight);
  }

  convolve(x, level, kind, { edges, residual }, name) {
    const spread = edges ? this.spread(level, kind) : null;
    if (kind === "gcn") return this.linear(x, name, spread);
    const out = this.linear(this.linear(x, `${name}.first`, spread), `${name}.second`);
    return residual ? added(out, x) : out;
  }

  normalise(x, name) {
    const [weight, bias, mean, variance] = ["weight", "bias", "running_mean", "running_var"].map((part) => this.get(`${name}.${part}`).data);
    return x.map((value, j) => ((value - mean[j]) / Math.sqrt(variance[j] + 1e-5)) * weight[j] + bias[j]);
  }

  pool(x, level, name, { score: kind, reduction }, scorer, levels) {
    const { n, edges, weight, loops } = level;
    const scored = SCORES[kind](x, level, (part) => this.get(`${scorer}.${part}`));
    const { score } = scored;
    const rounded = Array.from(score, roundedOf);
    const found = walk(adjacency(n, edges), keysOf(score, adjacency(n, edges), rounded), name === "mivspool-comp");
    const kept = [...found.survivor.keys()].filter((v) => found.survivor[v]);
    const place = new Map(kept.map((v, i) => [v, i]));
    const cluster = Array.from(found.cluster, (v) => place.get(v));
    levels.push({ n, edges, weight, score: Array.from(score), rounded, cluster, kept });
    const inside = new Array(kept.length).fill(0);
    if (loops) loops.forEach((value, v) => (inside[cluster[v]] += value));
    for (let e = 0; e < edges.length; e += 2) {
      if (cluster[edges[e]] === cluster[edges[e + 1]]) inside[cluster[edges[e]]] += 2 * (weight ? weight[e / 2] : 1);
    }
    const next = { n: kept.length, ...connected(level, cluster, kept.length), loops: inside };
    return [reduced(x, score, cluster, kept.length, reduction), next, scored];
  }

  // steps: gets {name, value} of each
  decide(x, steps) {
    const did = (name, made) => {
      steps.push({ name, value: Array.from(made.data) });
      return made;
    };
    for (const [at, last] of [[0, false], [3, false], [5, true]]) {
      const [weight, bias] = [this.get(`mlp.${at}.weight`), this.get(`mlp.${at}.bias`).data];
      x = did("linear", product(x, weight, true).map((value, j) => value + bias[j]));
      if (!last) x = did("relu", x.map(relu));
    }
    return x;
  }
}

const added = (x, y) => new Matrix(x.rows, x.columns, x.data.map((value, i) => value + y.data[i]));

// The weights of a model as its file holds them: float32, little-endian, in base64.
export function decoded(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => view.getFloat32(4 * i, true));
}

// A graph without some of its vertices, which keep their features: keep bool per vertex, d columns of features
export function without(features, { n, edges, weight }, keep) {
  const d = features.length / n;
  const number = [];
  let count = 0;
  for (let v = 0; v < n; v++) number.push(keep[v] ? count++ : -1);
  const kept = Array.from({ length: edges.length / 2 }, (_, e) => e).filter((e) => keep[edges[2 * e]] && keep[edges[2 * e + 1]]);
  return {
    features: features.filter((_, i) => keep[Math.floor(i / d)]),
    graph: { n: count, edges: kept.flatMap((e) => [number[edges[2 * e]], number[edges[2 * e + 1]]]), weight: weight ? kept.map((e) => weight[e]) : null },
  };
}

// Calibrated probabilities (learning/confidence.py): Platt's line for the largest, the others share the rest as before
export function calibrated(raw, { slope, shift, predictions }) {
  const best = raw.indexOf(Math.max(...raw));
  if (raw.length < 2) return [1];
  const rest = raw.reduce((sum, value, k) => (k === best ? sum : sum + value), 0);
  const share = raw.map((value) => (rest > 0 ? value / rest : 1 / (raw.length - 1)));
  const most = (predictions + 1) / (predictions + 2);
  const sure = Math.min(Math.max(raw[best], 1e-6), 1 - 1e-6);
  const second = Math.max(...share.filter((_, k) => k !== best));
  const top = Math.max(Math.min(most, sigmoid(slope * Math.log(sure / (1 - sure)) + shift)), second / (1 + second));
  return raw.map((_, k) => (k === best ? top : (1 - top) * share[k]));
}
