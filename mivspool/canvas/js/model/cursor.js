// The cursor over a trace: its place (the step and the part of it), its vertex, and the playback. A function of a state is
// here its next state.
import { ELIMINATING, indexOf, placeAt, placeOf, WHOLE } from "./parts.js";
import { SPEEDS } from "./reading.js";

// where the cursor stands has to be reported to Python
export const reported = (state) => ({ ...state, reports: state.reports + 1 });

// what an iteration is shown as when it is through: whole, or the last of its parts
const through = ({ part }) => (part === WHOLE ? WHOLE : ELIMINATING);

// place: what the cursor stands on, for another trace of the same graph (Trace.stepOf)
export function at(state, step, part = through(state)) {
  return { ...state, ...placeOf(state.trace, step, part), place: { kind: state.trace.kinds[step], k: step } };
}

// playing itself reports nothing; its end does
export const paused = (state) => (state.playing ? reported({ ...state, playing: false }) : state);

const samePlace = (a, b) => a.step === b.step && a.part === b.part;

// Any step by hand pauses the playback. quiet: Python asked for it, and need not hear of it.
export function stepped(state, step, { part, quiet = false } = {}) {
  const to = step === Infinity ? state.trace.last : state.trace.clampStep(step);
  const still = paused(state);
  const there = at(still, to, part);
  if (samePlace(there, still)) return still;
  return quiet ? there : reported(there);
}

// so many places on: steps, or parts where the reader goes by parts. Predict asks for whole iterations.
export function moved(state, by) {
  const { trace, predict } = state;
  if (predict.on) return stepped(state, state.step + by);
  const { step, part } = placeAt(trace, indexOf(trace, state) + by, state.part);
  return stepped(state, step, { part });
}

// on: by parts, else by whole iterations; the iteration that is shown is then through
const byParts = (state, { on = state.part === WHOLE }) => {
  const next = at(state, state.step, on ? ELIMINATING : WHOLE);
  return on === (state.part !== WHOLE) || state.predict.on ? state : reported(next);
};

export function selected(state, vertex, quiet = false) {
  if (vertex === state.vertex) return state;
  return quiet ? { ...state, vertex } : reported({ ...state, vertex });
}

// the next vertex by score
export function walked(state, by) {
  const { trace, vertex } = state;
  if (!trace.n) return state;
  const from = vertex < 0 ? (by > 0 ? -1 : trace.n) : trace.rank[vertex];
  return selected(state, trace.order[Math.max(0, Math.min(trace.n - 1, from + by))]);
}

// the playback begins; at the end, from the start
function played(state) {
  if (!state.trace.n) return state;
  return { ...(state.step === state.trace.last ? at(state, 0) : state), playing: true };
}

// the playback goes on, so many places, and stops at the end
function ticked(state, places) {
  if (!state.playing) return state;
  const { trace } = state;
  const { step, part } = placeAt(trace, indexOf(trace, state) + places, state.part);
  const to = at(state, step, part);
  return to.step === trace.last ? paused(to) : to;
}

export const CURSOR = {
  goto: (state, { step, part }) => stepped(state, step, { part }),
  move: (state, { by }) => moved(state, by),
  parts: byParts,
  pause: paused,
  toggle: (state) => (state.playing ? paused(state) : played(state)),
  tick: (state, { steps }) => ticked(state, steps),
  speed: (state, { speed }) => (SPEEDS.includes(speed) ? { ...state, speed } : state),
  select: (state, { vertex }) => selected(state, vertex),
  walk: (state, { by }) => walked(state, by),
  hover: (state, { vertex }) => (vertex === state.hovered ? state : { ...state, hovered: vertex }),
};
