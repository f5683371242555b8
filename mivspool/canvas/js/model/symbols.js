// The vertices that a word or a symbol of the page means, at a step and with a vertex selected.
import { WHOLE } from "./parts.js";
import { CANDIDATE, ELIMINATED, SURVIVOR } from "./trace.js";
import { why } from "./why.js";

const every = (trace) => Array.from({ length: trace.n }, (_, v) => v);
export const beside = (trace, v) => Array.from(trace.neighbours(v));
// the survivors beside a vertex, best first
export const surviving = (trace, v) => beside(trace, v).filter((u) => trace.survivor[u]).sort((a, b) => trace.rank[a] - trace.rank[b]);
// the vertex that Eq. 9 speaks of: the selected one, or one beside it where that survives; undefined where there is none
export const left = (trace, v) => (trace.survivor[v] ? beside(trace, v).find((u) => !trace.survivor[u]) : v);
const ofLeft = (find) => (trace, v) => {
  const out = left(trace, v);
  return out === undefined ? [] : find(trace, out);
};

// The vertices that a symbol of a formula means (lecture/chapters.py): the survivors are those of the end, as in own(). Those
// that need none selected come first.
const SETS = {
  all: (trace) => every(trace),
  kept: (trace) => every(trace).filter((v) => trace.survivor[v]),
  gone: (trace) => every(trace).filter((v) => !trace.survivor[v]),
};
const SYMBOLS = {
  head: (trace, v) => [trace.cluster[v]],
  "head-neighbours": (trace, v) => beside(trace, trace.cluster[v]),
  "other-survivors": (trace, v) => SETS.kept(trace).filter((u) => u !== trace.cluster[v]),
  left: ofLeft((trace, v) => [v]),
  "left-neighbours": ofLeft(beside),
  "left-survivors": ofLeft(surviving),
  open: (trace, v, step, part) => why(trace, v, step, part).open,
  best: (trace, v, step, part) => {
    const { rival, beatsRival } = why(trace, v, step, part);
    return [beatsRival ? v : rival];
  },
  row: (trace, v) => [...new Set([v, trace.cluster[v]])],
  "near-survivors": (trace, v) => (trace.survivor[v] ? [v] : surviving(trace, v)),
};

// null: no symbol is called so
function symbol(what, trace, v, step, part) {
  if (what in SETS) return SETS[what](trace);
  if (!(what in SYMBOLS)) return null;
  return v < 0 ? [] : SYMBOLS[what](trace, v, step, part);
}

const STATES = { candidates: CANDIDATE, survivors: SURVIVOR, "non-survivors": ELIMINATED };

// the vertices that a word means at a place, with a vertex selected (-1: none)
export function meant(trace, what, step, selected, part = WHOLE) {
  if (what in STATES) {
    const all = Array.from({ length: trace.n }, (_, v) => v);
    return all.filter((v) => trace.state(v, step, part) === STATES[what]);
  }
  if (what.startsWith("vertex:")) return [trace.ids.indexOf(what.slice(7))].filter((v) => v >= 0);
  if (what.startsWith("cluster:")) {
    const head = trace.ids.indexOf(what.slice(8));
    return head < 0 ? [] : [head, ...trace.members(head)];
  }
  const meaning = symbol(what, trace, selected, step, part);
  if (meaning) return meaning;
  if (selected < 0) return [];
  if (what === "selected") return [selected];
  if (what === "neighbours") return Array.from(trace.neighbours(selected));
  if (what === "rival") return [why(trace, selected, step, part).rival].filter((v) => v >= 0);
  if (what === "cluster") {
    const head = trace.cluster[selected];
    return [head, ...trace.members(head)];
  }
  return [];
}
