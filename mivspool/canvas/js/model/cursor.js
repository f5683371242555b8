// The cursor over a trace: its step, its vertex, and the playback. A function of a state is here its next state.
const STEP_MS = 1400; // one step at speed 1
const MOST_MS = 60000; // long traces play faster, so that none takes more than about a minute

// where the cursor stands has to be reported to Python
export const reported = (state) => ({ ...state, reports: state.reports + 1 });

// place: what the cursor stands on, for another trace of the same graph (Trace.stepOf)
export const at = (state, step) => ({ ...state, step, place: { kind: state.trace.kinds[step], k: step } });

// playing itself reports nothing; its end does
export const paused = (state) => (state.playing ? reported({ ...state, playing: false }) : state);

// Any step by hand pauses the playback. quiet: Python asked for it, and need not hear of it.
export function stepped(state, step, quiet = false) {
  const to = step === Infinity ? state.trace.last : state.trace.clampStep(step);
  const still = paused(state);
  if (to === still.step) return still;
  return quiet ? at(still, to) : reported(at(still, to));
}

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

// the playback goes on, and stops at the end
function ticked(state, steps) {
  if (!state.playing) return state;
  const to = at(state, Math.min(state.step + steps, state.trace.last));
  return to.step === to.trace.last ? paused(to) : to;
}

// milliseconds per step of the playback
export const pace = ({ trace, speed }) => Math.min(STEP_MS, MOST_MS / (trace.last + 1)) / speed;

export const CURSOR = {
  goto: (state, { step }) => stepped(state, step),
  move: (state, { by }) => stepped(state, state.step + by),
  pause: paused,
  toggle: (state) => (state.playing ? paused(state) : played(state)),
  tick: (state, { steps }) => ticked(state, steps),
  speed: (state, { speed }) => ({ ...state, speed }),
  select: (state, { vertex }) => selected(state, vertex),
  walk: (state, { by }) => walked(state, by),
  hover: (state, { vertex }) => (vertex === state.hovered ? state : { ...state, hovered: vertex }),
};
