// A chapter's formulas with the reader's own numbers, as parts (see text.js): what the formula of that name says of the
// selected vertex here and now.
import { equation } from "./sentences.js";
import { beside, left, surviving } from "./symbols.js";
import { fill, list, scoreTexts } from "./text.js";
import { why } from "./why.js";

const MOST_PARTS = 5; // members or clusters that are written out

// parts (see why.js) for a formula, or null where it says nothing of this vertex
export function own(name, trace, v, { step, part }, words) {
  if (v < 0) return null;
  const ref = (u) => ({ vertex: u });
  const head = trace.cluster[v];
  const near = beside(trace, head);
  if (name === "eq8") {
    // of a non-survivor's best survivor, so that there is always something to say
    const values = { v: ref(head), list: list(trace, near, words.why, false), n: near.length };
    return fill(near.length ? words.own.eq8 : words.own.eq8_alone, values);
  }
  if (name === "eq9") {
    const out = left(trace, v);
    if (out === undefined) return fill(words.own.eq9_alone, { v: ref(v) });
    const by = surviving(trace, out);
    return fill(words.own.eq9, { v: ref(out), list: list(trace, by, words.why, false), n: by.length });
  }
  if (name === "eq10") return equation(trace, why(trace, v, step, part)).flatMap(({ symbols, numbers }) => [...symbols, " ", ...numbers, " "]);
  if (name === "eq11") {
    if (trace.survivor[v]) return fill(words.own.eq11_self, { v: ref(v) });
    return fill(words.own.eq11, { v: ref(v), to: ref(head), list: list(trace, surviving(trace, v), words.why) });
  }
  const members = [head, ...trace.members(head)];
  if (name === "eq12") {
    const sum = members.reduce((total, u) => total + trace.score[u], 0);
    const shown = members.slice(0, MOST_PARTS);
    const texts = scoreTexts(shown.map((u) => trace.score[u]));
    const joined = (term) => shown.flatMap((u, i) => [...(i ? [" + "] : []), ...term(u, i)]);
    const more = members.length > MOST_PARTS ? " + …" : "";
    const x = (u) => [{ unit: ["X", { vertex: u, sub: true }] }];
    return [
      { unit: ["X′", { vertex: head, sub: true }] }, " = (", ...joined((u, i) => [{ number: u, text: texts[i] }, " ", ...x(u)]), `${more}) / `,
      sum.toFixed(2), " = ", ...joined((u) => [{ number: u, text: (trace.score[u] / sum).toFixed(2) }, " ", ...x(u)]), more,
    ];
  }
  if (name !== "eq3") return null;
  const counted = new Map(); // cluster → edges of the head's cluster to it; those inside are counted twice
  for (const u of members) for (const w of trace.neighbours(u)) counted.set(trace.cluster[w], (counted.get(trace.cluster[w]) || 0) + 1);
  const entries = [...counted].sort(([a], [b]) => (a === head ? -1 : b === head ? 1 : trace.rank[a] - trace.rank[b]));
  const parts = entries.slice(0, MOST_PARTS).flatMap(([to, edges], i) => [
    ...(i ? ["; "] : []), "A′(", { vertex: head }, ", ", { vertex: to }, `) = ${edges}`,
    ...(to === head ? [words.own.inside] : []),
  ]);
  return entries.length ? [...parts, entries.length > MOST_PARTS ? "; …" : ""] : fill(words.own.eq3_alone, { v: ref(head) });
}
