// Meer's algorithm (Eq. 10), the assignment and the reduction as pseudocode: its lines, which of them are carried out at a
// place, and what each says there of the selected vertex.
import { ELIMINATING, parted, POINTING, SURVIVING, WHOLE } from "./parts.js";
import { MOST_LISTED, scoreTexts } from "./text.js";
import { why } from "./why.js";

// the lines of a trace, in order
export const linesOf = (trace) => ["start", "while", "best", "survive", "eliminate", ...(trace.hasComplement ? ["complement"] : []), "assign", "pool"];

// those that are carried out at a place: by whole iterations three at once
export function current(trace, { step, part }) {
  const kind = trace.kinds[step];
  if (kind !== "iteration") return [kind];
  if (!parted(trace, step)) return ["start"];
  const inPart = { [WHOLE]: ["best", "survive", "eliminate"], [POINTING]: ["best"], [SURVIVING]: ["survive"], [ELIMINATING]: ["eliminate"] };
  return inPart[part];
}

const truth = (value) => ({ result: value, text: value ? "true" : "false" });

// What the current lines say of a vertex: {line: parts}, nothing where a line does nothing with it.
export function valuesOf(trace, place, v, words) {
  if (v < 0) return {};
  const said = {};
  for (const line of current(trace, place)) {
    const parts = VALUES[line](trace, place.step, v, words);
    if (parts) said[line] = parts;
  }
  return said;
}

const ref = (v) => ({ vertex: v, sub: true });
const p = (v) => ({ unit: ["p", ref(v)] });
const q = (v) => ({ unit: ["q", ref(v)] });

// the vertex and its candidate neighbours before an iteration, best first; null where it was settled by then, or where a sample
// lacks some of them
function compared(trace, step, v) {
  if (trace.settled[v] < step || trace.outside?.[v]) return null;
  return why(trace, v, step - 1).open;
}

const VALUES = {
  start: (trace, step, v) => [p(v), " = ", truth(false), ", ", q(v), " = ", truth(true)],
  best(trace, step, v) {
    const open = compared(trace, step, v);
    if (!open) return null;
    const all = [v, ...open].sort((a, b) => trace.rank[a] - trace.rank[b]);
    const shown = all.slice(0, MOST_LISTED);
    const texts = scoreTexts(shown.map((u) => trace.score[u]));
    const terms = shown.flatMap((u, i) => [i ? ", " : "", { number: u, text: texts[i] }]);
    return [{ unit: ["m", ref(v)] }, " = max{", ...terms, all.length > shown.length ? ", …" : "", "} = ", { number: all[0], text: texts[0] }, " (", { vertex: all[0] }, ")"];
  },
  survive(trace, step, v) {
    if (!compared(trace, step, v)) return null;
    return [p(v), " = ", truth(trace.fresh(step).includes(v))];
  },
  eliminate(trace, step, v, words) {
    if (trace.settled[v] < step) return null;
    const settled = trace.settled[v] === step;
    const by = settled ? why(trace, v, step).eliminatedBy : -1;
    return [q(v), " = ", truth(!settled), ...(by >= 0 ? [" ", words.by, " ", { vertex: by }] : [])];
  },
  complement: (trace, step, v) => [p(v), " = ", truth(Boolean(trace.survivor[v]))],
  assign: (trace, step, v) => [{ vertex: v }, " → ", { vertex: trace.cluster[v] }],
  pool(trace, step, v) {
    const head = trace.cluster[v];
    const { edges, weight } = trace.data.reduced;
    const ends = weight.flatMap((value, i) => {
      const [a, b] = [edges[2 * i], edges[2 * i + 1]];
      return a === head ? [[b, value]] : b === head ? [[a, value]] : [];
    });
    const [first] = ends.sort(([a], [b]) => trace.rank[a] - trace.rank[b]);
    if (!first) return [{ vertex: head }];
    return ["A′(", { vertex: head }, ", ", { vertex: first[0] }, `) = ${Math.round(first[1] * 100) / 100}`, ends.length > 1 ? ", …" : ""];
  },
};
