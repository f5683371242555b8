// The state of a canvas, and what each action makes of it. Nothing here knows the page; whoever measures time dispatches.
import { CURSOR, moved, reported, selected, stepped } from "./cursor.js";
import { EDIT, editBegun, NO_EDIT } from "./editing.js";
import { placeOf, WHOLE } from "./parts.js";
import { answered, asking, guessed, NO_QUESTION, PREDICT, predictBegun } from "./predict.js";
import { scaleOf } from "./scale.js";
import { meant } from "./symbols.js";
import { CANDIDATE } from "./trace.js";
import { why } from "./why.js";

export const EMPTY = {
  trace: null,
  id: null, // of the trace, as Python calls it
  key: null, // of the trace and where its cursor began: a canvas that comes back finds its cursor by it
  options: {}, // see mivspool/canvas/payload.py
  shown: 0, // how many traces were shown, one after another
  begun: 0, // how often the modes began anew: with another trace, or another mode
  commanded: 0, // the number of Python's latest command
  // the cursor
  step: 0,
  part: WHOLE, // of the iteration; WHOLE as long as the reader goes by whole iterations (parts.js)
  place: { kind: "iteration", k: 0 }, // what it stands on, for another trace of the same graph (Trace.stepOf)
  vertex: -1, // the selected one
  hovered: -1,
  playing: false,
  speed: 1,
  reports: 0, // cursor positions that Python is to hear of
  // what the panels show
  scale: { from: 0, best: 1, close: false }, // of the score bars
  dragging: false, // a score is being dragged: rows keep their places
  word: null, // the word of the page that is pointed at
  // the modes
  predict: NO_QUESTION,
  tally: { right: 0, of: 0 }, // of Predict
  edit: NO_EDIT,
  asked: null, // whether to present, as long as the page has not answered the latest request
  request: { n: 0, value: null }, // what was asked of the page last: another graph, another level, to present
};

// another trace is shown, or another mode
const modesBegun = (state) => predictBegun({ ...state, edit: editBegun(state), begun: state.begun + 1 });

// requested: the number of the request that the page has answered last. An answer to an earlier one than the last changes
// nothing: p, Escape and p again, faster than the page, would end with the answer to the first.
const withOptions = (state, options) => ({ ...state, options, asked: options.requested >= state.request.n ? null : state.asked });

const ACTIONS = {
  ...CURSOR,
  ...PREDICT,
  ...EDIT,

  // ---- from Python
  show(state, { trace, id, key, options, step, part = WHOLE, vertex, commanded }) {
    const first = trace.clampStep(step);
    return modesBegun({
      ...withOptions(state, options),
      ...{ trace, id, key, commanded, shown: state.shown + 1, ...placeOf(trace, first, part), vertex: vertex < trace.n ? vertex : -1 },
      ...{ place: { kind: trace.kinds[first], k: first }, hovered: -1, scale: scaleOf(trace), dragging: false },
    });
  },
  options(state, { options }) {
    const next = withOptions(state, options);
    if (!state.trace) return next;
    const same = predictBegun(next).predict.on === state.predict.on && editBegun(next).on === state.edit.on;
    return same ? next : modesBegun(next);
  },
  command(state, { n, step, part, vertex }) {
    if (n === state.commanded) return state;
    const there = step === undefined ? state : stepped(state, step, { part, quiet: true });
    return { ...(vertex === undefined ? there : selected(there, vertex, true)), commanded: n };
  },
  // Python's name for what is shown
  name: (state, { id, key }) => reported({ ...state, id, key }),

  // ---- from the reader
  // a vertex (or none: -1) was clicked, in the graph or beside it: what is selected already is let go
  pick(state, { vertex }) {
    if (asking(state)) return guessed(state, vertex);
    return selected(state, vertex === state.vertex ? -1 : vertex);
  },
  word: (state, { word }) => (word === state.word ? state : { ...state, word }),
  // a presenter's remote
  remote(state, { by }) {
    if (!state.predict.on) return moved(state, by);
    return by > 0 ? answered(state) : state;
  },
  // value: {another: "same" or "harder"}, {level} or {present}
  request(state, { value }) {
    const request = { n: state.request.n + 1, value };
    return { ...state, request, asked: "present" in value ? value.present : state.asked };
  },
};

export function reduce(state, action) {
  const act = ACTIONS[action.type];
  if (!act) throw new TypeError(`no action is called ${action.type}`);
  return act(state, action);
}

// ---- what the graph shows of it -------------------------------------------------------------------------------------

// the vertices that a mode or a word of the page points at
export function marks({ predict, word, options, trace, step, part, vertex }) {
  if (predict.on && predict.verdict) return predict.verdict.question === "survivors" ? [...predict.verdict.missed, ...predict.verdict.wrong] : [];
  if (predict.on) return predict.from < 0 ? predict.guess : [predict.from];
  return options.words && word !== null ? meant(trace, word, step, vertex, part) : [];
}

// the two vertices that explain the selected one: its rival, and the survivor that eliminated it
export function evidence(state) {
  const { trace, step, part, vertex } = state;
  if (vertex < 0 || asking(state)) return { rival: -1, by: -1 };
  const data = why(trace, vertex, step, part);
  return { rival: data.rival, by: data.state === CANDIDATE ? -1 : data.eliminatedBy };
}
