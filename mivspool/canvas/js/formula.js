// A chapter's formulas with the reader's own numbers: an element of the page with data-own="NAME" holds what the formula of
// that name says of the selected vertex here and now. Each vertex and number in it lights its vertex, and the other way round.
import { nodes } from "./panels.js";
import { equation, fill, list, scoreTexts, why } from "./why.js";

const MOST_PARTS = 5; // members or clusters that are written out

const every = (trace) => Array.from({ length: trace.n }, (_, v) => v);
const beside = (trace, v) => Array.from(trace.neighbours(v));
// the survivors beside a vertex, best first
const surviving = (trace, v) => beside(trace, v).filter((u) => trace.survivor[u]).sort((a, b) => trace.rank[a] - trace.rank[b]);
// the vertex that Eq. 9 speaks of: the selected one, or one beside it where that survives; undefined where there is none
const left = (trace, v) => (trace.survivor[v] ? beside(trace, v).find((u) => !trace.survivor[u]) : v);
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
  open: (trace, v, step) => why(trace, v, step).open,
  best: (trace, v, step) => {
    const { rival, beatsRival } = why(trace, v, step);
    return [beatsRival ? v : rival];
  },
  row: (trace, v) => [...new Set([v, trace.cluster[v]])],
  "near-survivors": (trace, v) => (trace.survivor[v] ? [v] : surviving(trace, v)),
};

// null: no symbol is called so
export function symbol(what, trace, v, step) {
  if (what in SETS) return SETS[what](trace);
  if (!(what in SYMBOLS)) return null;
  return v < 0 ? [] : SYMBOLS[what](trace, v, step);
}

// parts (see why.js) for a formula, or null where it says nothing of this vertex
export function own(name, trace, v, step, words) {
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
  if (name === "eq10") return equation(trace, why(trace, v, step)).flatMap(({ symbols, numbers }) => [...symbols, " ", ...numbers, " "]);
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
