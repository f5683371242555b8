// Why a vertex is what it is at a step, as data: the same as mivspool.meer.why.

import { underway, WHOLE } from "./parts.js";

// Data only. part: of the iteration; before its end all is as it was, but for those that survive. rival: best candidate neighbour before the update that settles v (or the next one while it is a
// candidate); eliminatedBy: the best survivor that eliminated it out; -1 where there is none.
export function why(trace, v, step, part = WHOLE) {
  const k = trace.iteration(underway(part) ? step - 1 : step);
  const settled = trace.settled[v];
  const before = Math.min(k, settled - 1);
  const open = (u) => trace.settled[u] > before;
  const rival = trace.bestNeighbour(v, open);
  const walks = trace.survivor[v] && !trace.added[v]; // survives by the iterations
  const survivedBy = (u) => trace.survivor[u] && !trace.added[u] && trace.settled[u] <= settled;
  return {
    vertex: v,
    iteration: k,
    step,
    part,
    state: trace.state(v, step, part),
    settledAt: settled,
    rival,
    beatsRival: rival < 0 || trace.better(v, rival),
    eliminatedBy: walks ? -1 : trace.bestNeighbour(v, survivedBy),
    assignedTo: trace.cluster[v],
    added: Boolean(trace.added[v]),
    open: Array.from(trace.neighbours(v)).filter(open).sort((a, b) => trace.rank[a] - trace.rank[b]),
  };
}
