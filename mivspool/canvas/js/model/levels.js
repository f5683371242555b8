// What Python says of a graph that a person has changed, said where there is no Python (the static site): its levels with
// their checks and measures, by scores given by hand (mivspool/levels.py), and the change as a link holds it.
import { columnsOf } from "./clusters.js";
import { withoutVertex } from "./edits.js";
import { traceData } from "./meer.js";
import { adjacency } from "./trace.js";

const MOST_LEVELS = 12; // as the site writes of a graph that is not changed
const MOST_VERTICES = 20000; // of a graph that a link describes
const MOST_NAME = 200; // characters
const MOST_COLUMNS = 256; // labels that differ in more ways are names and no classes (mivspool/graphs/labels.py)

// A short name of what can be written as JSON (two FNV-1a sums): the same content, the same name.
function nameOf(content) {
  const text = JSON.stringify(content);
  let [a, b] = [0x811c9dc5, 0xc9dc5118];
  for (let i = 0; i < text.length; i++) {
    a = Math.imul(a ^ text.charCodeAt(i), 0x01000193);
    b = Math.imul(b ^ text.charCodeAt(i), 0x01000197);
  }
  return [a, b].map((sum) => (sum >>> 0).toString(16).padStart(8, "0")).join("");
}

export function componentsOf(n, edges) {
  const root = Int32Array.from({ length: n }, (_, v) => v);
  const find = (v) => {
    while (root[v] !== v) v = root[v] = root[root[v]];
    return v;
  };
  let count = n;
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [find(edges[e]), find(edges[e + 1])];
    if (a !== b) count--;
    root[a] = b;
  }
  return count;
}

// Eq. 8 and Eq. 9 on the final set
function checksOf(survivor, edges) {
  const { start, near } = adjacency(survivor.length, edges);
  const beside = survivor.map((_, v) => near.subarray(start[v], start[v + 1]).some((u) => survivor[u]));
  return { independent: !survivor.some((kept, v) => kept && beside[v]), maximal: survivor.every((kept, v) => kept || beside[v]) };
}

// How hard a graph is to predict (lecture/challenges.py). sizes: the most vertices of each difficulty but the hardest.
export function difficulty({ ids, T, ties }, sizes) {
  const hardest = sizes.length + 1;
  if (ties) return hardest;
  return Math.max(1 + sizes.filter((most) => most < ids.length).length, Math.min(Math.max(T, 1), hardest));
}

// A trace with `drawing`, which says what stands where, and `id`, which says everything.
export function identified(trace, complement = false) {
  const { ids, labels, x, y, edges, weight, score, size } = trace;
  trace.drawing = nameOf([ids, x, y, edges]);
  trace.id = nameOf([ids, labels, x, y, edges, weight, score, size, complement]);
  return trace;
}

// The levels of a graph (see meer.traceData): of each {trace, loops, hard, checks, metrics}, as site/graphs.py writes them.
// rescored(graph, level): its scores on each level; null: those that the graph has, which follow the vertices
export function levelsOf(graph, { complement = false, sizes = [], most = MOST_LEVELS, rescored = null } = {}) {
  const made = [];
  let loops = null; // the diagonal of A
  while (made.length < most && (!made.length || graph.edges.length)) {
    if (rescored) graph = { ...graph, score: rescored(graph, made.length) };
    const trace = traceData(graph, { complement });
    const { ids, labels, x, y, edges, weight, score, size, cluster, reduced } = identified(trace, complement);
    const survivor = Array.from(trace.survivor, Boolean);
    const { kept, column } = columnsOf(trace);
    const next = reduced.edges.map((v) => column[v]);
    const [n, after] = [ids.length, kept.length];
    const round = (value) => Math.round(value * 1e4) / 1e4;
    const metrics = {
      ratio: round(after / Math.max(n, 1)),
      mean_degree_before: round(n && edges.length / n),
      mean_degree_after: round(after && next.length / after),
      components_before: componentsOf(n, edges),
      components_after: componentsOf(after, next),
    };
    made.push({ trace, loops, hard: difficulty(trace, sizes), checks: checksOf(survivor, edges), metrics });
    const inside = new Array(after).fill(0);
    if (loops) loops.forEach((value, v) => (inside[column[v]] += value));
    for (let e = 0; e < edges.length; e += 2) {
      const home = cluster[edges[e]];
      if (home === cluster[edges[e + 1]]) inside[column[edges[e]]] += 2 * (weight ? weight[e / 2] : 1);
    }
    loops = inside.some(Boolean) ? inside : null;
    const of = (list) => (list ? kept.map((v) => list[v]) : null);
    graph = {
      ids: of(ids),
      labels: of(labels),
      x: of(x),
      y: of(y),
      edges: next,
      weight: reduced.weight.every((value) => value === 1) ? null : reduced.weight,
      score: of(score),
      size: of(trace.cluster_size),
    };
  }
  return made;
}

// The features of a changed graph's vertices: its labels one-hot (zeros where one is missing), otherwise what `known` says of
// a vertex by its id (null where that is nothing), and the degree anew. {names, values}. known: {ids, names, values} of the
// original.
export function featuresOf({ ids, labels, edges }, known) {
  const words = (labels || []).map((label) => label.trim()); // "" where one is missing (graphs/labels.py)
  const names = [...new Set(words.filter(Boolean))].sort();
  if (names.length && names.length <= MOST_COLUMNS) {
    return { names, values: words.map((word) => names.map((name) => (name === word ? 1 : 0))) };
  }
  if (known.names.join() !== "degree") {
    const values = new Map(known.ids.map((id, v) => [id, known.values[v]]));
    return { names: known.names, values: ids.map((id) => values.get(id) ?? null) };
  }
  const { start } = adjacency(ids.length, edges);
  const degree = ids.map((_, v) => start[v + 1] - start[v]);
  const mean = degree.reduce((a, b) => a + b, 0) / degree.length;
  const spread = Math.sqrt(degree.reduce((sum, d) => sum + (d - mean) ** 2, 0) / degree.length) || 1;
  return { names: known.names, values: degree.map((d) => [Math.round(((d - mean) / spread) * 1e3) / 1e3]) };
}

// ---- a change as a link holds it ------------------------------------------------------------------------------------

// first without the vertices `gone` (indices, ascending) and with others after the rest: [id, label, x, y, score] of each
function rebuilt(first, gone, more) {
  let graph = first;
  for (const v of [...gone].reverse()) graph = withoutVertex(graph, v);
  const add = (list, values) => (list ? [...list, ...values] : list);
  const [ids, labels, x, y, score] = [0, 1, 2, 3, 4].map((k) => more.map((vertex) => vertex[k]));
  return {
    ...graph,
    ids: [...graph.ids, ...ids],
    labels: graph.labels || labels.some(Boolean) ? add(graph.labels || graph.ids.map(() => ""), labels) : graph.labels,
    size: add(graph.size, more.map(() => 1)),
    x: [...graph.x, ...x],
    y: [...graph.y, ...y],
    score: [...graph.score, ...score],
  };
}

const pairsOf = (edges) => Array.from({ length: edges.length / 2 }, (_, e) => `${edges[2 * e]} ${edges[2 * e + 1]}`);

// What turns `first` into `now` (both as edits.js has them), as text for a link; "" where nothing does.
export function spellChange(first, now) {
  const place = new Map(first.ids.map((id, v) => [id, v]));
  let kept = 0; // vertices that stay keep their order, and new ones come after them
  let last = -1;
  while (kept < now.ids.length && place.get(now.ids[kept]) > last) last = place.get(now.ids[kept++]);
  const stay = new Set(now.ids.slice(0, kept));
  const gone = first.ids.map((_, v) => v).filter((v) => !stay.has(first.ids[v]));
  const more = now.ids.slice(kept).map((id, i) => [id, now.labels ? now.labels[kept + i] : "", now.x[kept + i], now.y[kept + i], now.score[kept + i]]);
  const base = rebuilt(first, gone, more);
  const all = now.ids.map((_, v) => v);
  const label = (graph, v) => (graph.labels ? graph.labels[v] : "");
  const [was, is] = [base, now].map((graph) => new Set(pairsOf(graph.edges)));
  const change = {
    gone,
    more,
    score: all.filter((v) => now.score[v] !== base.score[v]).map((v) => [v, now.score[v]]),
    at: all.filter((v) => now.x[v] !== base.x[v] || now.y[v] !== base.y[v]).map((v) => [v, now.x[v], now.y[v]]),
    label: all.filter((v) => label(now, v) !== label(base, v)).map((v) => [v, now.labels ? now.labels[v] : ""]),
    edge: [...[...was].filter((pair) => !is.has(pair)), ...[...is].filter((pair) => !was.has(pair))].flatMap((pair) => pair.split(" ").map(Number)),
  };
  const said = Object.fromEntries(Object.entries(change).filter(([, list]) => list.length));
  if (!Object.keys(said).length) return "";
  const bytes = new TextEncoder().encode(JSON.stringify(said));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

// The graph that `spellChange` described. Throws RangeError where the text, which may come from anyone, describes none.
export function readChange(first, text) {
  if (!text) return first;
  const wrong = () => new RangeError("this is no change of this graph");
  let said;
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    said = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.from(binary, (c) => c.charCodeAt(0))));
  } catch {
    throw wrong(); // not base64, not UTF-8, not JSON
  }
  const need = (right) => {
    if (!right) throw wrong();
  };
  need(said !== null && typeof said === "object");
  const lists = ["gone", "more", "score", "at", "label", "edge"].map((name) => said[name] ?? []);
  need(lists.every(Array.isArray));
  const [gone, more, score, at, label, edge] = lists;
  const whole = (v, n) => Number.isInteger(v) && v >= 0 && v < n;
  const name = (value) => typeof value === "string" && value.length <= MOST_NAME;
  need(gone.every((v, i) => whole(v, first.ids.length) && (!i || v > gone[i - 1])));
  const n = first.ids.length - gone.length + more.length;
  need(n > 0 && n <= MOST_VERTICES);
  need(more.every((vertex) => Array.isArray(vertex) && vertex.length === 5 && name(vertex[0]) && vertex[0] && name(vertex[1])));
  need(more.every(([, , ...numbers]) => numbers.every(Number.isFinite) && numbers[2] > 0));
  need([...score, ...at, ...label].every((entry) => Array.isArray(entry) && whole(entry[0], n)));
  need(score.every((entry) => Number.isFinite(entry[1]) && entry[1] > 0));
  need(at.every((entry) => Number.isFinite(entry[1]) && Number.isFinite(entry[2])));
  need(label.every((entry) => name(entry[1])));
  need(edge.length % 2 === 0 && edge.every((v) => whole(v, n)));
  const base = rebuilt(first, gone, more);
  need(new Set(base.ids).size === n);
  const graph = { ...base, x: base.x.slice(), y: base.y.slice(), score: base.score.slice() };
  for (const [v, value] of score) graph.score[v] = value;
  for (const [v, x, y] of at) [graph.x[v], graph.y[v]] = [x, y];
  if (label.length) graph.labels = (base.labels || base.ids.map(() => "")).slice();
  for (const [v, value] of label) graph.labels[v] = value;
  const weights = new Map(pairsOf(base.edges).map((pair, e) => [pair, base.weight ? base.weight[e] : 1]));
  for (let e = 0; e < edge.length; e += 2) {
    const [a, b] = edge[e] < edge[e + 1] ? [edge[e], edge[e + 1]] : [edge[e + 1], edge[e]];
    need(a !== b);
    if (!weights.delete(`${a} ${b}`)) weights.set(`${a} ${b}`, 1);
  }
  const ends = [...weights].map(([pair, value]) => [...pair.split(" ").map(Number), value]).sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  graph.edges = ends.flatMap(([a, b]) => [a, b]);
  graph.weight = base.weight ? ends.map(([, , value]) => value) : null;
  return graph;
}
