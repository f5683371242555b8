// Where the vertices of a graph stand that brings no places of its own: by their distances in the graph (stress by stochastic
// gradient descent, Zheng, Pawar and Goodman 2019), components side by side. The same graph, the same places.
import { adjacency } from "./trace.js";

const ROUNDS = 20;
const MOST_ALL = 600; // vertices of a component all of whose distances count
const PIVOTS = 40; // of a larger one: the distances to so many, and the edges
const GAP = 1.6; // between components, in edges
const RATIO = 1.5; // width to height
const TURN = Math.PI * (3 - Math.sqrt(5)); // so that vertices begin apart

// distances from one vertex, -1 where there is no way
function distances({ start, near }, from) {
  const far = new Int32Array(start.length - 1).fill(-1);
  const queue = [from];
  far[from] = 0;
  for (const v of queue) {
    for (let e = start[v]; e < start[v + 1]; e++) {
      if (far[near[e]] >= 0) continue;
      far[near[e]] = far[v] + 1;
      queue.push(near[e]);
    }
  }
  return { far, reached: queue };
}

// numbers in [0, 1), the same each time
function drawn() {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

// the pairs of vertices of a component whose distance counts: [u, v, distance]
function pairsOf(near, part) {
  const whole = part.length <= MOST_ALL;
  const pairs = [];
  let [pivot, nearest] = [part[0], null];
  for (let k = 0; k < (whole ? part.length : PIVOTS); k++) {
    const from = whole ? part[k] : pivot;
    const { far } = distances(near, from);
    for (const v of part) if (whole ? v > from : v !== from) pairs.push([from, v, far[v]]);
    if (whole) continue;
    nearest = nearest ? nearest.map((value, v) => Math.min(value, far[v])) : far; // the next one is far from all before
    pivot = part.reduce((best, v) => (nearest[v] > nearest[best] ? v : best), part[0]);
  }
  if (!whole) for (const u of part) for (let e = near.start[u]; e < near.start[u + 1]; e++) if (u < near.near[e]) pairs.push([u, near.near[e], 1]);
  return pairs;
}

// places one component; x, y: of all vertices
function place(near, part, x, y, random) {
  part.forEach((v, i) => {
    const radius = 0.6 * Math.sqrt(i);
    [x[v], y[v]] = [radius * Math.cos(i * TURN), radius * Math.sin(i * TURN)];
  });
  const pairs = pairsOf(near, part);
  const farthest = pairs.reduce((most, [, , far]) => Math.max(most, far), 1);
  const falls = Math.log(10 * farthest ** 2) / (ROUNDS - 1);
  for (let round = 0; round < ROUNDS; round++) {
    const rate = farthest ** 2 * Math.exp(-falls * round);
    for (let i = pairs.length - 1; i > 0; i--) {
      const j = Math.floor(random() * (i + 1));
      [pairs[i], pairs[j]] = [pairs[j], pairs[i]];
    }
    for (const [u, v, far] of pairs) {
      const [dx, dy] = [x[u] - x[v], y[u] - y[v]];
      const now = Math.hypot(dx, dy) || 1e-3;
      const move = (Math.min(1, rate / far ** 2) * (now - far)) / (2 * now);
      x[u] -= move * dx;
      y[u] -= move * dy;
      x[v] += move * dx;
      y[v] += move * dy;
    }
  }
}

// {x, y} of the n vertices, an edge about one long; y counts downwards
export function layout(n, edges) {
  const near = adjacency(n, edges);
  const [x, y] = [new Array(n).fill(0), new Array(n).fill(0)];
  const seen = new Uint8Array(n);
  const parts = [];
  for (let v = 0; v < n; v++) {
    if (seen[v]) continue;
    const { reached } = distances(near, v);
    reached.forEach((u) => (seen[u] = 1));
    parts.push(reached);
  }
  parts.sort((a, b) => b.length - a.length || a[0] - b[0]);
  const random = drawn();
  const sizes = parts.map((part) => {
    if (part.length > 1) place(near, part, x, y, random);
    const span = (values) => {
      const low = part.reduce((least, v) => Math.min(least, values[v]), Infinity);
      part.forEach((v) => (values[v] -= low));
      return part.reduce((most, v) => Math.max(most, values[v]), 0) + GAP;
    };
    return [span(x), span(y)];
  });
  const area = sizes.reduce((sum, [w, h]) => sum + w * h, 0);
  const width = Math.max(Math.sqrt(area * RATIO), sizes[0]?.[0] ?? 0);
  let [left, top, row] = [0, 0, 0];
  parts.forEach((part, k) => {
    const [w, h] = sizes[k];
    if (left > 0 && left + w > width + 1e-9) [left, top, row] = [0, top + row, 0];
    for (const v of part) [x[v], y[v]] = [x[v] + left, y[v] + top];
    [left, row] = [left + w, Math.max(row, h)];
  });
  return { x, y };
}
