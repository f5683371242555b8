// A chapter's formulas with the reader's own numbers: an element of the page with data-own="NAME" holds what the formula of
// that name says of the selected vertex here and now. Each vertex and number in it lights its vertex, and the other way round.
import { nodes } from "./panels.js";
import { equation, fill, list, scoreTexts, why } from "./why.js";

const MOST_PARTS = 5; // members or clusters that are written out

// parts (see why.js) for a formula, or null where it says nothing of this vertex
export function own(name, trace, v, step, words) {
  if (v < 0) return null;
  const ref = (u) => ({ vertex: u });
  const survivors = (u) => [...trace.neighbours(u)].filter((w) => trace.survivor[w]).sort((a, b) => trace.rank[a] - trace.rank[b]);
  const head = trace.cluster[v];
  const near = [...trace.neighbours(head)];
  if (name === "eq8") {
    // of a non-survivor's best survivor, so that there is always something to say
    const values = { v: ref(head), list: list(trace, near, words.why, false), n: near.length };
    return fill(near.length ? words.own.eq8 : words.own.eq8_alone, values);
  }
  if (name === "eq9") {
    const out = trace.survivor[v] ? near.find((u) => !trace.survivor[u]) : v;
    if (out === undefined) return fill(words.own.eq9_alone, { v: ref(v) });
    const beside = survivors(out);
    return fill(words.own.eq9, { v: ref(out), list: list(trace, beside, words.why, false), n: beside.length });
  }
  if (name === "eq10") return equation(trace, why(trace, v, step)).flatMap(({ symbols, numbers }) => [...symbols, " ", ...numbers, " "]);
  if (name === "eq11") {
    if (trace.survivor[v]) return fill(words.own.eq11_self, { v: ref(v) });
    return fill(words.own.eq11, { v: ref(v), to: ref(head), list: list(trace, survivors(v), words.why) });
  }
  const members = [head, ...trace.members(head)];
  if (name === "eq12") {
    const sum = members.reduce((total, u) => total + trace.score[u], 0);
    const shown = members.slice(0, MOST_PARTS);
    const texts = scoreTexts(shown.map((u) => trace.score[u]));
    const joined = (term) => shown.flatMap((u, i) => [...(i ? [" + "] : []), ...term(u, i)]);
    const more = members.length > MOST_PARTS ? " + …" : "";
    const x = (u) => ["X", { vertex: u, sub: true }];
    return [
      "X′", { vertex: head, sub: true }, " = (", ...joined((u, i) => [{ number: u, text: texts[i] }, " ", ...x(u)]), `${more}) / `,
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

// fill the elements of the page
export function fillOwn(canvas) {
  const { trace, vertex, step, settings } = canvas;
  const on = { hover: canvas.on.hover, select: (v) => canvas.select(v) };
  for (const place of document.querySelectorAll("[data-own]")) {
    const state = `${canvas.id} ${vertex} ${step}`;
    if (place.dataset.shown === state && place.firstChild) continue;
    place.dataset.shown = state;
    const parts = own(place.dataset.own, trace, vertex, step, settings.strings);
    place.replaceChildren(...nodes(parts || [settings.strings.own.pick], trace, on));
  }
}
