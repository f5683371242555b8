// Predict: before each iteration the reader chooses the candidates that will survive. A function of a state is here its
// next state.
import { at, paused, stepped } from "./cursor.js";
import { underway } from "./parts.js";
import { CANDIDATE } from "./trace.js";

// guess: the chosen vertices; verdict: of the iteration that was guessed last, null while a question is open
export const NO_QUESTION = { on: false, guess: [], verdict: null };

// a question is open: what is picked is chosen or not
export const asking = ({ predict, step, trace }) => predict.on && !predict.verdict && step < trace.T;

// What a guess was worth: the vertices that survive in the next iteration against those that were chosen. step: before it.
export function judge(trace, step, guess) {
  const truth = trace.fresh(step + 1);
  const hits = truth.filter((v) => guess.includes(v));
  const missed = truth.filter((v) => !guess.includes(v));
  const wrong = guess.filter((v) => !truth.includes(v)).sort((a, b) => trace.rank[a] - trace.rank[b]);
  return { step, hits, missed, wrong, right: hits.length, of: hits.length + missed.length + wrong.length };
}

const asked = (state) => ({ ...state, predict: { ...NO_QUESTION, on: state.predict.on } });

// another trace is shown, or another mode: the first question, if it is this mode
export function predictBegun(state) {
  const on = state.options.mode === "predict" && state.trace.n > 0;
  const open = { ...state, predict: { ...NO_QUESTION, on } };
  if (!on) return open;
  const still = paused(open);
  const { trace, step, part } = still;
  if (step >= trace.T) return at(still, 0);
  return underway(part) ? at(still, step - 1) : still;
}

export function guessed(state, v) {
  if (!asking(state) || v < 0 || state.trace.state(v, state.step) !== CANDIDATE) return state;
  const { guess } = state.predict;
  return { ...state, predict: { ...state.predict, guess: guess.includes(v) ? guess.filter((u) => u !== v) : [...guess, v] } };
}

// the answer, then the next question
export function answered(state) {
  const { trace, step, predict, tally } = state;
  if (!predict.on) return state;
  if (!asking(state)) return step < trace.T ? asked(state) : state;
  const verdict = judge(trace, step, predict.guess);
  const counted = { right: tally.right + verdict.right, of: tally.of + verdict.of };
  return stepped({ ...state, predict: { ...predict, verdict }, tally: counted }, step + 1);
}

export const PREDICT = {
  guess: (state, { vertex }) => guessed(state, vertex),
  answer: answered,
  again: (state) => stepped(asked(state), 0),
  tally: (state, { right, of }) => ({ ...state, tally: { right, of } }),
};
