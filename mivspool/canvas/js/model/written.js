// What the site writes of a graph (mivspool/site/graphs.py), of one that is read in the page: its levels by each score that can be
// computed there. A graph is what the readers give (read/build.js).
import { byPoint, labelText } from "./fit.js";
import { layout } from "./layout.js";
import { levelsOf } from "./levels.js";
import { adjacency } from "./trace.js";

const MOST_COLUMNS = 256; // labels that differ in more ways are names (mivspool/graphs/labels.py)
const MOST_NUMBERS = 4000;
const GOLDEN = 0x9e3779b97f4a7c15n;

const round = (value) => Math.round(value * 1e3) / 1e3;
const wrap = (value) => BigInt.asUintN(64, value);

// splitmix64's finaliser (mivspool/pooling/scores/uniform.py)
function mix(value) {
  let z = wrap(value + GOLDEN);
  z = wrap((z ^ (z >> 30n)) * 0xbf58476d1ce4e5b9n);
  z = wrap((z ^ (z >> 27n)) * 0x94d049bb133111ebn);
  return z ^ (z >> 31n);
}

// the scores of n vertices by name, new on each level
const SCORES = {
  uniform: ({ ids }, level) => {
    const start = mix(mix(0n) + BigInt(level));
    return ids.map((_, v) => (Number(mix(start + BigInt(v) * GOLDEN) >> 11n) + 0.5) * 2 ** -53);
  },
  degree: ({ ids, edges }) => {
    const { start } = adjacency(ids.length, edges);
    return ids.map((_, v) => Math.max(start[v + 1] - start[v], 0.5));
  },
};

// the scores that a graph brings, null where one is missing
function ownScores({ node_attributes: { score } }) {
  return score?.every((value) => typeof value === "number" && value > 0 && Number.isFinite(value)) ? score : null;
}

// the features of the vertices (mivspool/levels.py): {names, values}
export function featuresOf(graph) {
  const labels = (graph.node_attributes.label ?? []).map(labelText);
  const classes = [...new Set(labels.filter(Boolean))].sort(byPoint);
  if (classes.length && classes.length <= MOST_COLUMNS) return { names: classes, values: labels.map((label) => classes.map((name) => Number(name === label))) };
  const numeric = ([name, values]) => {
    const given = values.filter((value) => labelText(value));
    return name !== "score" && 2 * given.length >= values.length && given.every((value) => typeof value === "number");
  };
  let columns = Object.entries(graph.node_attributes).filter(numeric);
  if (!columns.length) {
    const { start } = adjacency(graph.nodes.length, graph.edges);
    columns = [["degree", graph.nodes.map((_, v) => start[v + 1] - start[v])]];
  }
  const standard = columns.map(([, values]) => {
    const known = values.filter((value) => typeof value === "number");
    const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
    const spread = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / known.length) || 1;
    return values.map((value) => (typeof value === "number" ? round((value - mean) / spread) : 0));
  });
  return { names: columns.map(([name]) => name), values: graph.nodes.map((_, v) => standard.map((column) => column[v])) };
}

// score → levels, as Entry.data of Python has them
export function written(graph, sizes) {
  const labels = graph.node_attributes.label?.map(labelText);
  const at = graph.positions ? { x: graph.positions.map(([x]) => x), y: graph.positions.map(([, y]) => -y) } : layout(graph.nodes.length, graph.edges);
  const first = { ids: graph.nodes, labels: labels?.some(Boolean) ? labels : null, ...at, edges: graph.edges, weight: null, size: null };
  const features = featuresOf(graph);
  const shown = features.names.length * graph.nodes.length <= MOST_NUMBERS ? { features } : {};
  const own = ownScores(graph);
  const scored = Object.entries({ ...(own && { given: null }), ...SCORES });
  return Object.fromEntries(
    scored.map(([name, rescored]) => {
      const levels = levelsOf({ ...first, score: own }, { sizes, rescored });
      Object.assign(levels[0], shown);
      return [name, levels];
    }),
  );
}
