// The parts of an iteration: each candidate points to its best candidate neighbour if that ranks above it; those that
// point to none survive; they eliminate their neighbours. A place is {step, part}: by whole iterations the part is WHOLE, by
// parts it is one of three in the iterations 1 … T, and the last of them everywhere else.
export const WHOLE = 0;
export const POINTING = 1;
export const SURVIVING = 2;
export const ELIMINATING = 3;

// whether an iteration is not through yet
export const underway = (part) => part === POINTING || part === SURVIVING;

export const parted = ({ T }, step) => step >= 1 && step <= T;

// the place that the trace has at a step, whatever part is asked for: beside the iterations there are no parts
export function placeOf(trace, step, part) {
  if (part <= WHOLE) return { step, part: WHOLE };
  return { step, part: parted(trace, step) ? Math.min(part, ELIMINATING) : ELIMINATING };
}

// Places in order, from 0. part: of any place of the kind that is counted, whole iterations or parts
export const lastIndex = ({ T, last }, part) => (part ? last + 2 * T : last);

export function indexOf({ T }, { step, part }) {
  if (!part) return step;
  return step > T ? 2 * T + step : step && 3 * step - (ELIMINATING - part);
}

export function placeAt(trace, index, part) {
  const i = Math.max(0, Math.min(lastIndex(trace, part), index));
  if (!part) return { step: i, part: WHOLE };
  if (i > 3 * trace.T) return { step: i - 2 * trace.T, part: ELIMINATING };
  return { step: Math.ceil(i / 3), part: i % 3 || ELIMINATING };
}

// how far a place is on the timeline, in steps: a part is a third of one
export const progress = ({ step, part }) => (underway(part) ? step - (ELIMINATING - part) / 3 : step);

// The arrows before an iteration's end: for each vertex the one it points to, −1 for none. A vertex of a sample some of
// whose neighbours are outside is left out: the best of them may be there.
export function pointers(trace, step) {
  const to = new Int32Array(trace.n).fill(-1);
  const open = (u) => trace.settled[u] >= step;
  for (let v = 0; v < trace.n; v++) {
    if (!open(v) || trace.outside?.[v]) continue;
    const best = trace.bestNeighbour(v, open);
    if (best >= 0 && trace.better(best, v)) to[v] = best;
  }
  return to;
}

// The edges along which an iteration eliminates: [[survivor, eliminated], …]
export function eliminations(trace, step) {
  return trace.fresh(step).flatMap((v) => {
    const gone = Array.from(trace.neighbours(v)).filter((u) => trace.settled[u] === step);
    return gone.map((u) => [v, u]);
  });
}
