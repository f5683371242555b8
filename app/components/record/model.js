// The record of a training: what the network made of a graph at each epoch, and what changed between two of them.
// Vertices are places in the graph's list of ids; nothing here touches the page.
import { fill } from "canvas/model/text.js";

const MOST_CLAUSES = 3; // of a sentence

// A graph's passes, one per recorded epoch: {epoch, loss, probabilities, levels: [{score, head, edges}]}. Entries hold what
// changed; what did not is shared with the pass before. passes: those known already, of the same graph.
export function unfold(entries, graph, passes = []) {
  for (let i = passes.length; i < entries.length; i++) {
    const before = passes[i - 1];
    const change = entries[i].graphs[graph];
    const levels = (change.levels ?? []).map((level, k) => ({ ...before?.levels[k], ...level }));
    passes.push({ ...before, ...change, epoch: entries[i].epoch, levels });
  }
  return passes;
}

// The vertices of a level, in rising order: those of the graph, or the survivors of the level below.
export function verticesAt(pass, level, n) {
  if (!level) return Array.from({ length: n }, (_, v) => v);
  return survivorsAt(pass, level - 1, n);
}

export function survivorsAt(pass, level, n) {
  const { head } = pass.levels[level];
  return verticesAt(pass, level, n).filter((v, i) => head[i] === v);
}

// A level as it is drawn: vertices, their scores and heads by vertex, who survives, and the level's own edges.
export function levelAt(pass, level, graph) {
  const n = graph.nodes.length;
  const vertices = verticesAt(pass, level, n);
  const own = pass.levels[level];
  const by = (values) => new Map(vertices.map((v, i) => [v, values[i]]));
  const head = by(own.head);
  return {
    vertices,
    head,
    score: own.score ? by(own.score) : null,
    survivors: new Set(vertices.filter((v) => head.get(v) === v)),
    edges: level ? pass.levels[level - 1].edges : graph.edges,
  };
}

// Who became a survivor of a level, who ceased to be one, and who was assigned to another survivor.
export function changes(before, now) {
  const gained = [...now.survivors].filter((v) => !before.survivors.has(v));
  const lost = [...before.survivors].filter((v) => !now.survivors.has(v));
  const both = now.vertices.filter((v) => before.head.has(v) && !now.survivors.has(v) && !before.survivors.has(v));
  return { gained, lost, moved: both.filter((v) => before.head.get(v) !== now.head.get(v)) };
}

// How often each vertex became or ceased to be a survivor of a level, the most often first: [[vertex, times]]
export function changedMost(passes, level, graph) {
  const times = new Map();
  let last = null;
  let before = null;
  for (const pass of passes) {
    const same = last?.levels.slice(0, level + 1).every((own, k) => own.head === pass.levels[k].head);
    last = pass;
    if (same) continue;
    const now = levelAt(pass, level, graph);
    const { gained, lost } = before ? changes(before, now) : { gained: [], lost: [] };
    for (const v of [...gained, ...lost]) times.set(v, (times.get(v) ?? 0) + 1);
    before = now;
  }
  return [...times].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
}

// The last recorded epoch that is no later, by its place; 0 where there is none.
export function placeOf(epochs, epoch) {
  let place = 0;
  while (place + 1 < epochs.length && epochs[place + 1] <= epoch) place++;
  return place;
}

// The least and the highest score of a level over all epochs: one scale for all of them.
export function scoreRange(passes, level) {
  let low = Infinity;
  let high = -Infinity;
  for (const pass of passes) {
    for (const value of pass.levels[level].score ?? []) {
      if (value === null) continue;
      if (value < low) low = value;
      if (value > high) high = value;
    }
  }
  return low <= high ? { low, high } : { low: 0, high: 1 };
}

// What happened at a level between two passes, as a sentence. competes: "neighbours" (a survivor eliminates those beside it) or
// "all" (the best are kept); words: templates; numbers: small numbers in words.
export function sentence({ before, pass, level, graph, competes, words, numbers }) {
  const name = (v) => graph.nodes[v];
  const say = (template, values) => fill(template, values, numbers).join("");
  const now = levelAt(pass, level, graph);
  if (!before) {
    return say(words.first, { n: now.survivors.size, all: now.vertices.length });
  }
  const then = levelAt(before, level, graph);
  const { gained, lost, moved } = changes(then, now);
  const head =
    pass.epoch === before.epoch + 1
      ? say(words.epoch, { epoch: String(pass.epoch) })
      : say(words.epochs, { first: String(before.epoch + 1), last: String(pass.epoch) });
  const n = gained.length + lost.length;
  if (!n) {
    if (!moved.length) return head + words.unchanged;
    const v = moved[0];
    const more = moved.length - 1;
    const told = { v: name(v), u: name(then.head.get(v)), w: name(now.head.get(v)) };
    return head + say(words.reassigned, told) + (more ? say(words.more, { n: more }) : "") + ".";
  }
  const clauses = why({ then, now, gained, lost, competes }).map(({ template, ...values }) =>
    say(words[template], Object.fromEntries(Object.entries(values).map(([key, v]) => [key, name(v)]))),
  );
  const more = clauses.length - MOST_CLAUSES;
  const told = clauses.slice(0, MOST_CLAUSES).join("; ") + (more > 0 ? say(words.more, { n: more }) : "");
  return head + say(words.changed, { n }) + (told ? `; ${told}` : "") + ".";
}

// Each change with its reason: {template, v, u}
function why({ then, now, gained, lost, competes }) {
  const beside = new Map();
  for (const [u, v] of now.edges) {
    if (!beside.has(u)) beside.set(u, new Set());
    if (!beside.has(v)) beside.set(v, new Set());
    beside.get(u).add(v);
    beside.get(v).add(u);
  }
  const rivals = (v, u) => competes === "all" || (beside.get(v)?.has(u) && now.head.get(u) === v);
  const passed = (v, u) =>
    then.score?.has(v) && then.score.has(u) && now.score?.has(u) && then.score.get(v) <= then.score.get(u) && now.score.get(v) > now.score.get(u);
  const left = new Set(lost);
  const found = [];
  const rest = [];
  for (const v of gained) {
    const u = [...left].find((other) => rivals(v, other) && passed(v, other));
    if (u === undefined) {
      rest.push(v);
      continue;
    }
    left.delete(u);
    found.push({ template: "passed", v, u });
  }
  for (const v of rest) {
    const u = then.head.get(v);
    if (!then.head.has(v)) found.push({ template: "arrived", v });
    else if (competes === "neighbours" && lost.includes(u)) found.push({ template: "freed", v, u });
    else found.push({ template: "survives", v });
  }
  for (const u of left) {
    const w = now.head.get(u);
    if (!now.head.has(u)) found.push({ template: "gone", v: u });
    else if (w >= 0 && w !== u) found.push({ template: "eliminated", v: u, u: w });
    else found.push({ template: "dropped", v: u });
  }
  return found;
}
