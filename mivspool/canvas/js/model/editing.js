// Edit: a graph is changed, and its trace follows. A function of a state is here its next state. What Python knows of the
// changes stands here too: it hears of one at a time, and each of its answers names the change that it answers.
import { reported, walked } from "./cursor.js";
import { drawnOf, History, withEdge, withLabel, withoutVertex, withPlace, withScore, withVertex } from "./edits.js";
import { traceData } from "./meer.js";
import { placeOf } from "./parts.js";
import { scaleOf, snapped, unitOf } from "./scale.js";
import { Trace } from "./trace.js";

export const MOST_CHANGED = 20000; // vertices of a graph that is changed here

export const NO_EDIT = {
  on: false,
  possible: false, // whether this graph can be changed here
  complement: false,
  history: null, // of the changes
  original: null, // {graph, data}: what the changes are compared with
  reference: null, // its trace
  sent: null, // the graph that Python heard of last
  pinned: false, // whether the original is another one and Python was not told of it
  told: 0, // the number of the change that told Python of the original
  token: "", // tells Python's answers to these changes
  number: 0, // of the change that was reported last
  answered: 0, // of the change that Python answered last
  linking: -1, // the vertex that an edge is drawn from
  edge: null, // [u, v] that is selected
};

export const editBegun = ({ options, trace }) => ({
  ...NO_EDIT,
  on: options.mode === "edit" && options.layout === "full",
  possible: !trace.outside && (options.levels || [0])[0] === 0 && trace.n > 0 && trace.n <= MOST_CHANGED,
  complement: Boolean(options.complement),
});

export const editing = ({ edit }) => edit.on && edit.possible;

// whether the graph is another one than the original
export const isChanged = ({ edit }) => Boolean(edit.history) && edit.history.graph !== edit.original.graph;

// whether Python has not heard of the latest change
export const unsent = ({ edit }) => Boolean(edit.history) && (edit.sent !== edit.history.graph || edit.pinned);

// whether Python has not answered what told it of the original: of two messages that come at once it hears the second
export const originalUnheard = ({ edit }) => edit.pinned || edit.answered < edit.told;

// whether Python has not heard of the latest change, or not answered it
export const pending = (state) => unsent(state) || state.edit.answered < state.edit.number;

const withEdit = (state, now) => ({ ...state, edit: { ...state.edit, ...now } });

const referred = (original) => ({ original, reference: new Trace({ ...original.data, x: original.graph.x, y: original.graph.y }) });

// Edit begins. x, y: where its vertices stand, moved as they may be; token: of these changes;
// original: the trace to compare with, where Python names one; kept: {history, original} of earlier changes, if any.
function entered(state, { x, y, token, original, kept }) {
  const { data } = state.trace;
  const first = drawnOf(data);
  const known = kept || { history: new History([first]), original: { graph: first, data } };
  const before = known.history.graph;
  const placed = { ...before, x, y }; // vertices that were moved while nothing was changed stay where they are
  let compared = known.original;
  if (original && compared.data.id !== original.id) compared = { graph: drawnOf(original), data: original };
  if (compared.graph === before) compared = { ...compared, graph: placed };
  return withEdit(state, { history: known.history.replace(placed), sent: placed, token, ...referred(compared) });
}

// where the cursor stands in the reference: {step, part}
export const referencePlace = ({ edit: { reference }, place, part }) => placeOf(reference, reference.stepOf(place), part);

// The graph of the history is shown; the cursor stays where it was put. vertex: another one to select.
function shown(state, { dragging = false, vertex } = {}) {
  const { edit, place } = state;
  const { graph } = edit.history;
  const same = { ...edit.original.data, x: graph.x, y: graph.y };
  const trace = new Trace(isChanged(state) ? traceData(graph, { complement: edit.complement }) : same);
  if (dragging) Object.assign(trace, { scoreText: state.trace.scoreText, shortScore: state.trace.shortScore });
  const chosen = state.vertex < 0 ? -1 : graph.ids.indexOf(state.trace.ids[state.vertex]);
  return withEdit(
    {
      ...state,
      ...{ trace, dragging, ...placeOf(trace, trace.stepOf(place), state.part), vertex: vertex ?? chosen },
      hovered: state.trace.ids === trace.ids ? state.hovered : -1,
      scale: dragging ? state.scale : scaleOf(trace),
    },
    { edge: null },
  );
}

// kind: see History.push
function changedTo(state, graph, { kind = null, ...how } = {}) {
  return shown(withEdit(state, { history: state.edit.history.push(graph, kind) }), how);
}

// ---- changes --------------------------------------------------------------------------------------------------------

const when = (act) => (state, action) => (editing(state) && state.edit.history ? act(state, action, state.edit.history.graph) : state);

// the vertex's score; dragging: its bar or handle is being dragged
const scored = when((state, { vertex, value, dragging = false }, graph) => {
  if (vertex < 0) return state;
  const score = snapped(state.scale, value);
  if (score === graph.score[vertex]) return state;
  return changedTo(state, withScore(graph, vertex, score), { kind: `score ${graph.ids[vertex]}`, dragging, vertex });
});

// the selected vertex's score, more or less by so many units
const nudged = when((state, { by }, graph) => {
  const { vertex, scale } = state;
  return vertex < 0 ? state : scored(state, { vertex, value: graph.score[vertex] + by * unitOf(scale) });
});

// the selected vertex's score as it was typed: a number above 0
const typed = when((state, { value }, graph) => {
  const { vertex } = state;
  if (vertex < 0 || value === graph.score[vertex]) return state;
  return changedTo(state, withScore(graph, vertex, value), { kind: `typed ${graph.ids[vertex]}` });
});

const labelled = when((state, { label }, graph) => {
  const { vertex } = state;
  return vertex < 0 ? state : changedTo(state, withLabel(graph, vertex, label), { kind: `label ${graph.ids[vertex]}` });
});

const placed = when((state, { vertex, x, y, kind = null }, graph) =>
  changedTo(state, withPlace(graph, vertex, x, y), { kind: kind && `${kind} ${graph.ids[vertex]}`, vertex }),
);

// one more vertex, of a middling score
const added = when((state, { x, y }, graph) => {
  const sorted = Float64Array.from(graph.score).sort();
  const score = Math.max(snapped(state.scale, sorted[sorted.length >> 1]), unitOf(state.scale));
  return changedTo(state, withVertex(graph, x, y, score), { vertex: graph.ids.length });
});

// two vertices are connected, or their edge is cut
const joined = when((state, { from, to }, graph) => {
  const free = withEdit(state, { linking: -1 });
  return from < 0 || to < 0 || from === to ? free : changedTo(free, withEdge(graph, from, to), { vertex: to });
});

// an edge begins at the selected vertex, or that is ended
const linked = when((state) => {
  const { vertex, edit } = state;
  const next = withEdit(state, { linking: edit.linking >= 0 || vertex < 0 ? -1 : vertex });
  return vertex < 0 ? walked(next, 1) : next;
});

// the selected edge, otherwise the selected vertex; a graph keeps one vertex
const removed = when((state, action, graph) => {
  const { vertex, edit } = state;
  if (edit.edge) return changedTo(state, withEdge(graph, ...edit.edge));
  return vertex >= 0 && graph.ids.length > 1 ? changedTo(state, withoutVertex(graph, vertex), { vertex: -1 }) : state;
});

const undone = when((state, { by }) => {
  const history = state.edit.history.move(by);
  return history === state.edit.history ? state : shown(withEdit(state, { history }));
});

const reset = when((state) => (isChanged(state) ? changedTo(state, state.edit.original.graph) : state));

// what is shown is the original from now on
const pinned = when((state, action, graph) =>
  isChanged(state) ? withEdit(state, { pinned: true, ...referred({ graph, data: state.trace.data }) }) : state,
);

// what was changed and not reported before this page was left, within the same history; original: another one, or null
const resumed = when((state, { at, original }) => {
  const pin = original ? { pinned: true, ...referred(original) } : {};
  return shown(withEdit(state, { history: state.edit.history.to(at), ...pin }));
});

const remade = when((state, { graph }) => changedTo(state, graph || state.edit.original.graph));

// a drag has ended: rows find their places
const settled = when((state) => {
  const next = withEdit(state, { history: state.edit.history.separate() });
  return { ...next, dragging: false, scale: scaleOf(state.trace) };
});

// an edge (or null) is selected, and no vertex
function edgeSelected(state, { edge, vertex }) {
  const next = withEdit(state, { edge, linking: -1 });
  return vertex === undefined || vertex === state.vertex ? next : reported({ ...next, vertex });
}

// ---- what Python hears, and answers ---------------------------------------------------------------------------------

// the latest change as Python hears of it; its number is the next one
export function message(state) {
  const { id, step, part, vertex, edit } = state;
  const { ids } = edit.history.graph;
  return {
    token: edit.token,
    n: edit.number + 1,
    id, // of the trace that was changed
    step,
    part,
    vertex: vertex >= 0 ? ids[vertex] : null,
    original: originalUnheard(state) ? described(edit.original.graph) : null, // from now on; null: the one that Python knows
    graph: isChanged(state) ? described(edit.history.graph) : null, // null: the original
  };
}

const described = ({ ids, labels, x, y, edges, score }) => ({ ids, labels, x, y: y.map((value) => -value), edges, score });

const sent = (state) => {
  const { history, pinned, told } = state.edit;
  const number = state.edit.number + 1;
  return withEdit(state, { sent: history.graph, pinned: false, told: pinned ? number : told, number });
};

// Python shows what was changed here: its trace has another name and is what stands here already
export const answers = ({ edit }, answer) =>
  Boolean(edit.history && answer && answer.token === edit.token && answer.n <= edit.number);

// the answer to the latest change
function answered(state, { n, complement }) {
  const { edit } = state;
  const next = withEdit(state, { answered: n });
  if (edit.complement === complement) return next;
  const { graph, data } = edit.original;
  const again = traceData({ ...graph, score: data.score, rounded: data.rounded }, { learned: data.learned, complement });
  return shown(withEdit(next, { complement, ...referred({ graph, data: again }) }));
}

export const EDIT = {
  enter: entered,
  score: scored,
  nudge: nudged,
  type: typed,
  label: labelled,
  put: placed,
  add: added,
  link: linked,
  join: joined,
  remove: removed,
  edge: edgeSelected,
  undo: (state) => undone(state, { by: -1 }),
  redo: (state) => undone(state, { by: 1 }),
  reset,
  pin: pinned,
  settle: settled,
  resume: resumed,
  remake: remade,
  sent,
  answered,
};
