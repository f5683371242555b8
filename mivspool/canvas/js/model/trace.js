// A trace of Meer's algorithm as the app holds it, and the cursor's view of it. No drawing here.
//
// Two numbers per vertex say everything: when it was settled, and as what. A *step* is a place on the timeline:
// iterations 0 … T, then the complement where it added a vertex, then the assignment, then the reduced graph.
import { SURVIVING, underway, WHOLE } from "./parts.js";
import { scoreFormat, shortFormat } from "./text.js";

export const CANDIDATE = 0;
export const SURVIVOR = 1;
export const ELIMINATED = 2;

// The neighbours of each vertex: those of v are near[start[v]] … near[start[v + 1] - 1]. edges: u0, v0, u1, v1, …
export function adjacency(n, edges) {
  const start = new Int32Array(n + 1);
  for (const v of edges) start[v + 1]++;
  for (let v = 0; v < n; v++) start[v + 1] += start[v];
  const fill = start.slice(0, n);
  const near = new Int32Array(edges.length);
  for (let e = 0; e < edges.length; e += 2) {
    near[fill[edges[e]]++] = edges[e + 1];
    near[fill[edges[e + 1]]++] = edges[e];
  }
  return { start, near };
}

export class Trace {
  // data: see mivspool/canvas/payload.py
  constructor(data) {
    this.data = data;
    this.n = data.ids.length;
    this.T = data.T;
    this.ids = data.ids;
    this.labels = data.labels || null;
    this.score = Float64Array.from(data.score);
    this.rank = Int32Array.from(data.rank);
    this.settled = Int32Array.from(data.settled);
    this.survivor = Uint8Array.from(data.survivor); // 1: survives, in the iterations or by the complement
    this.added = new Uint8Array(this.n);
    for (const v of data.added) this.added[v] = 1;
    this.cluster = Int32Array.from(data.cluster);
    this.edges = Int32Array.from(data.edges); // u0, v0, u1, v1, …
    this.weight = data.weight ? Float64Array.from(data.weight) : null;
    this.size = data.size ? Float64Array.from(data.size) : null; // original vertices behind each vertex
    this.outside = data.outside ? Int32Array.from(data.outside) : null; // of a sample: neighbours that are not in it
    this.order = new Int32Array(this.n); // best first
    for (let v = 0; v < this.n; v++) this.order[this.rank[v]] = v;
    Object.assign(this, adjacency(this.n, this.edges));
    this._count();
    this.hasComplement = data.added.length > 0;
    this.kinds = []; // what each step is
    for (let k = 0; k <= this.T; k++) this.kinds.push("iteration");
    if (this.hasComplement) this.kinds.push("complement");
    if (this.n) this.kinds.push("assign", "pool");
    this.last = this.kinds.length - 1;
    this.scoreText = scoreFormat(this);
    this.shortScore = shortFormat(this);
  }

  _count() {
    const newS = new Int32Array(this.T + 2);
    const newX = new Int32Array(this.T + 2);
    for (let v = 0; v < this.n; v++) {
      if (this._survives(v)) newS[this.settled[v]]++;
      else newX[this.settled[v]]++;
    }
    this.newSurvivors = newS;
    this.newEliminated = newX;
    this.total = [];
    let s = 0;
    let x = 0;
    for (let k = 0; k <= this.T; k++) {
      s += newS[k];
      x += newX[k];
      this.total.push([this.n - s - x, s, x]);
    }
  }

  neighbours(v) {
    return this.near.subarray(this.start[v], this.start[v + 1]);
  }

  clampStep(step) {
    return Math.max(0, Math.min(this.last, Math.round(step) || 0));
  }

  // where a place of another trace of the same graph is in this one: {kind, k}, k the step
  stepOf({ kind, k }) {
    const at = this.kinds.indexOf(kind);
    if (kind === "iteration") return Math.min(k, this.T);
    return at < 0 ? this.T : at;
  }

  // the iteration that a step shows
  iteration(step) {
    return Math.min(step, this.T);
  }

  withComplement(step) {
    return this.hasComplement && step > this.T;
  }

  // part: of the iteration (parts.js), as in what follows
  state(v, step, part = WHOLE) {
    if (underway(part) && this.settled[v] === step) return part === SURVIVING && this._survives(v) ? SURVIVOR : CANDIDATE;
    if (this.settled[v] > step) return CANDIDATE;
    if (!this.survivor[v]) return ELIMINATED;
    return this.added[v] && step <= this.T ? ELIMINATED : SURVIVOR;
  }

  // whether the iterations make it a survivor
  _survives(v) {
    return Boolean(this.survivor[v] && !this.added[v]);
  }

  // [candidates, survivors, non-survivors] at a step
  counts(step, part = WHOLE) {
    if (underway(part)) {
      const [c, s, x] = this.total[step - 1];
      const fresh = part === SURVIVING ? this.newSurvivors[step] : 0;
      return [c - fresh, s + fresh, x];
    }
    const [c, s, x] = this.total[this.iteration(step)] || [0, 0, 0];
    const added = this.withComplement(step) ? this.data.added.length : 0;
    return [c, s + added, x - added];
  }

  // vertices that became survivors in this step: they pulse
  fresh(step) {
    const fresh = [];
    if (step === 0) return fresh;
    for (let v = 0; v < this.n; v++) {
      if (!this.survivor[v]) continue;
      if (this.added[v] ? this.hasComplement && step === this.T + 1 : this.settled[v] === step) fresh.push(v);
    }
    return fresh;
  }

  // do two vertices score the same, as the order compares them first, or as a reader sees them?
  tied(a, b) {
    const { rounded } = this.data;
    return this.score[a] === this.score[b] || Boolean(rounded && rounded[a] === rounded[b]);
  }

  better(a, b) {
    return this.rank[a] < this.rank[b];
  }

  // the best neighbour of v that passes the test, or -1
  bestNeighbour(v, test) {
    let best = -1;
    for (const u of this.neighbours(v)) if (test(u) && (best < 0 || this.better(u, best))) best = u;
    return best;
  }

  members(v) {
    const members = [];
    for (const u of this.neighbours(v)) if (this.cluster[u] === v && u !== v) members.push(u);
    return members.sort((a, b) => this.rank[a] - this.rank[b]);
  }
}
