// Predict: before each iteration the reader chooses the candidates that will survive; then which survivor each vertex is
// assigned to, and which clusters the reduced graph connects. A function of a state is here its next state.
import { at, paused, stepped } from "./cursor.js";
import { underway } from "./parts.js";
import { CANDIDATE, SURVIVOR } from "./trace.js";

// guess: the chosen vertices; pairs: the chosen arrows [from, to] or edges [u, v]; from: the vertex that an edge begins at;
// verdict: of what was guessed last, null while a question is open
export const NO_QUESTION = { on: false, guess: [], pairs: [], from: -1, verdict: null };

const QUESTIONS = { iteration: "survivors", assign: "assignment", pool: "edges" }; // by what comes next

// which question is open: what is picked is chosen or not; null for none
export function questionOf({ predict, step, trace }) {
  if (!predict.on || predict.verdict || step >= trace.last) return null;
  return QUESTIONS[trace.kinds[step + 1]] ?? null;
}

export const asking = (state) => questionOf(state) !== null;

const same = ([a, b], [c, d]) => a === c && b === d;
const has = (pairs, pair) => pairs.some((one) => same(one, pair));
const byRank = (trace, pairs) => [...pairs].sort(([a, b], [c, d]) => trace.rank[a] - trace.rank[c] || trace.rank[b] - trace.rank[d]);
const ordered = (trace, [u, v]) => (trace.better(u, v) ? [u, v] : [v, u]);

// the arrows of the assignment; the edges of the reduced graph, between survivors
const arrowsOf = (trace) => Array.from(trace.cluster, (to, v) => [v, to]).filter(([v, to]) => v !== to);
function edgesOf(trace) {
  const { edges, weight } = trace.data.reduced;
  return weight.map((_, i) => ordered(trace, [edges[2 * i], edges[2 * i + 1]]));
}

// What a guess was worth: what is true against what was chosen. step: before it.
export function judge(trace, step, { guess, pairs }) {
  const question = QUESTIONS[trace.kinds[step + 1]];
  const verdict = (hits, missed, wrong) => ({ question, step, hits, missed, wrong, right: hits.length, of: hits.length + missed.length + wrong.length });
  if (question === "survivors") {
    const truth = trace.fresh(step + 1);
    const wrong = guess.filter((v) => !truth.includes(v)).sort((a, b) => trace.rank[a] - trace.rank[b]);
    return verdict(truth.filter((v) => guess.includes(v)), truth.filter((v) => !guess.includes(v)), wrong);
  }
  const truth = byRank(trace, question === "assignment" ? arrowsOf(trace) : edgesOf(trace));
  const hits = truth.filter((pair) => has(pairs, pair));
  const wrong = byRank(trace, pairs.filter((pair) => !has(truth, pair)));
  const answered = ([v]) => question === "assignment" && wrong.some(([u]) => u === v); // wrongly: it was not missed as well
  return verdict(hits, truth.filter((pair) => !has(pairs, pair) && !answered(pair)), wrong);
}

const asked = (state) => ({ ...state, predict: { ...NO_QUESTION, on: state.predict.on } });
const chosen = (state, choice) => ({ ...state, predict: { ...state.predict, ...choice } });

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

const GUESSES = {
  survivors(state, v) {
    if (state.trace.state(v, state.step) !== CANDIDATE) return state;
    const { guess } = state.predict;
    return chosen(state, { guess: guess.includes(v) ? guess.filter((u) => u !== v) : [...guess, v] });
  },
  // its arrow leads to its first surviving neighbour, then to the next, then to none
  assignment(state, v) {
    const { trace, predict } = state;
    const near = Array.from(trace.neighbours(v)).filter((u) => trace.survivor[u]).sort((a, b) => a - b);
    if (trace.survivor[v] || !near.length) return state;
    const [, to] = predict.pairs.find(([from]) => from === v) ?? [v, -1];
    const next = near[near.indexOf(to) + 1];
    const others = predict.pairs.filter(([from]) => from !== v);
    return chosen(state, { pairs: next === undefined ? others : [...others, [v, next]] });
  },
  // two survivors, one after the other, are connected, or no longer
  edges(state, v) {
    const { trace, step, predict } = state;
    const { from, pairs } = predict;
    if (trace.state(v, step) !== SURVIVOR) return state;
    if (from < 0 || from === v) return chosen(state, { from: from < 0 ? v : -1 });
    const pair = ordered(trace, [from, v]);
    return chosen(state, { from: -1, pairs: has(pairs, pair) ? pairs.filter((one) => !same(one, pair)) : [...pairs, pair] });
  },
};

export function guessed(state, v) {
  const question = questionOf(state);
  return question && v >= 0 ? GUESSES[question](state, v) : state;
}

// the answer, then the next question; what the complement adds is not asked
export function answered(state) {
  const { trace, step, predict, tally } = state;
  if (asking(state)) {
    const verdict = judge(trace, step, predict);
    const counted = { right: tally.right + verdict.right, of: tally.of + verdict.of };
    return stepped({ ...state, predict: { ...predict, verdict }, tally: counted }, step + 1);
  }
  if (!predict.verdict || step >= trace.last) return state;
  return trace.kinds[step + 1] === "complement" ? stepped(asked(state), step + 1) : asked(state);
}

const KINDS = { survivors: "marks", assignment: "arrows", edges: "edges" };

// What the graph shows of a guess, or of its verdict: {marks: [[vertex, mark]], arrows and edges: [[from, to, mark]], from};
// a mark is right, wrong or missed, "" before the check.
export function sketch(state) {
  const { verdict, pairs, from } = state.predict;
  const question = verdict ? verdict.question : questionOf(state);
  const found = { marks: [], arrows: [], edges: [], from };
  if (!question) return found;
  const put = (mark, list) => found[KINDS[question]].push(...list.map((one) => [one, mark].flat()));
  if (verdict) for (const [mark, list] of [["right", verdict.hits], ["missed", verdict.missed], ["wrong", verdict.wrong]]) put(mark, list);
  else put("", pairs);
  return found;
}

export const PREDICT = {
  guess: (state, { vertex }) => guessed(state, vertex),
  answer: answered,
  again: (state) => stepped(asked(state), 0),
  tally: (state, { right, of }) => ({ ...state, tally: { right, of } }),
};
