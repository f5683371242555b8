// What a pooling step did to a graph, and how it is written: mivspool/pooling/parts/measure.py and
// content/compare/measure_table.py, for pages without Python. A graph is {n, edges} here, edges u0, v0, u1, v1, …
import { componentsOf } from "./levels.js";
import { fillText, fixed } from "./text.js";
import { adjacency } from "./trace.js";

const MOST_SOURCES = 256; // survivors whose distances are measured; of more, none
const COMPLETE = 0.9; // density from which a graph of more than a few vertices is called almost complete

export function structureOf(n, edges) {
  const entries = edges.length;
  return {
    num_nodes: n,
    num_edges: entries / 2,
    density: n > 1 ? entries / (n * (n - 1)) : 0,
    mean_degree: n ? entries / n : 0,
    components: componentsOf(n, edges),
  };
}

// how many edges lie between a vertex and every other; Infinity where there is no way
function distances({ start, near }, from) {
  const far = new Float64Array(start.length - 1).fill(Infinity);
  far[from] = 0;
  const queue = [from];
  for (const v of queue) {
    for (let e = start[v]; e < start[v + 1]; e++) {
      if (far[near[e]] !== Infinity) continue;
      far[near[e]] = far[v] + 1;
      queue.push(near[e]);
    }
  }
  return far;
}

// how far apart survivors are after, divided by before, and the share of pairs that are no longer connected
function stretchOf(before, after, kept) {
  if (kept.length > MOST_SOURCES) return { mean_stretch: null, pairs_lost: null };
  let [connected, lost, total] = [0, 0, 0];
  kept.forEach((v, i) => {
    const [was, is] = [distances(before, v), distances(after, i)];
    kept.forEach((u, j) => {
      if (was[u] === Infinity || was[u] === 0) return;
      connected++;
      if (is[j] === Infinity) lost++;
      else total += is[j] / was[u];
    });
  });
  if (!connected) return { mean_stretch: null, pairs_lost: null };
  return { mean_stretch: connected > lost ? total / (connected - lost) : null, pairs_lost: lost / connected };
}

// The measures of one pooling step of hard clusters. before, after: {n, edges}; kept: the survivors in order; cluster: the
// reduced vertex of each vertex, -1 where it is dropped; iterations: T, null where nothing iterates. What a page cannot tell
// (how sensitive the method is to the order of the vertices) is null.
export function measuresOf(before, after, kept, cluster, iterations) {
  const near = adjacency(before.n, before.edges);
  const survivor = new Uint8Array(before.n);
  for (const v of kept) survivor[v] = 1;
  const beside = Array.from(survivor, (_, v) => near.near.subarray(near.start[v], near.start[v + 1]).some((u) => survivor[u]));
  const named = Object.entries(structureOf(before.n, before.edges)).map(([name, value]) => [`${name}_before`, value]);
  return {
    ...structureOf(after.n, after.edges),
    ...Object.fromEntries(named),
    ratio: before.n ? after.n / before.n : 1,
    information_kept: before.n ? cluster.filter((c) => c >= 0).length / before.n : 1,
    assignment_entropy: 0,
    ...stretchOf(near, adjacency(after.n, after.edges), kept),
    independent: !beside.some((near, v) => near && survivor[v]),
    maximal: beside.every((near, v) => near || survivor[v]),
    iterations,
    order_sensitivity: null,
  };
}

const COUNTS = new Set(["num_nodes", "num_edges", "components", "iterations"]);
const SHARES = new Set(["information_kept", "pairs_lost", "order_sensitivity"]);
const grouped = (value) => value.toLocaleString("en");

// a value with the digits it deserves; what has no meaning is a dash
export function show(name, value, words) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? words.yes : words.no;
  if (COUNTS.has(name)) return grouped(value);
  if (SHARES.has(name)) return value === 0 || value === 1 ? `${100 * value} %` : `${fixed(100 * value, 1)} %`;
  return fixed(value, value < 1 ? 3 : 2);
}

// which columns have the best value of a measure; none where there is no better and worse, or all are alike
function bestOf(measure, columns, words) {
  const { name, better } = measure;
  const values = columns.map((column) => column[name]);
  let goal;
  if (name === "components") goal = columns.map((column) => -Math.abs(column[name] - column.components_before));
  else if (!better) return new Set();
  else goal = values.map((value) => (show(name, value, words) === "–" ? null : (better === "higher" ? 1 : -1) * Number(value)));
  const known = goal.filter((value) => value !== null);
  const most = Math.max(...known);
  if (known.length < 2 || most === Math.min(...known)) return new Set();
  const shown = new Set(values.filter((_, k) => goal[k] === most).map((value) => show(name, value, words)));
  const alike = values.map((_, k) => k).filter((k) => shown.has(show(name, values[k], words)));
  return new Set(alike.length < columns.length ? alike : []);
}

// The rows of the table of measures: those in which the columns differ first. measures: [{name, title, text, better}].
export function rowsOf(measures, columns, words) {
  const rows = measures.map((measure) => {
    const before = columns[0][`${measure.name}_before`];
    return {
      ...measure,
      before: before === undefined ? "" : show(measure.name, before, words),
      shown: columns.map((column) => show(measure.name, column[measure.name], words)),
      best: bestOf(measure, columns, words),
    };
  });
  const alike = ({ shown }) => columns.length > 1 && new Set(shown).size === 1;
  return { differing: rows.filter((row) => !alike(row)), equal: rows.filter(alike) };
}

// What a pooling step did, in a few words; only what is so on this graph.
export function notesOf(m, words) {
  const sizes = { kept: m.num_nodes, edges: m.num_edges };
  const said = [
    fillText(words.size, {
      vertices: `${grouped(m.num_nodes_before)} → ${grouped(m.num_nodes)}`,
      links: `${grouped(m.num_edges_before)} → ${grouped(m.num_edges)}`,
      ...sizes,
    }),
  ];
  if (m.information_kept === 1) said.push(words.keeps);
  else said.push(fillText(words.drops, { share: fixed(100 * (1 - m.information_kept), 0) }));
  if (m.components !== m.components_before) said.push(fillText(words.components, { before: m.components_before, after: m.components }));
  if (m.density > COMPLETE && m.num_nodes > 3 && m.density_before < COMPLETE) {
    said.push(m.density === 1 ? words.complete : fillText(words.dense, { density: fixed(m.density, 2) }));
  }
  if (m.maximal === false) said.push(words.not_maximal);
  return said;
}
