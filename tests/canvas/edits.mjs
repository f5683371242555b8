// Reads traces with changes to make to them as JSON on standard input; answers with the graphs and traces of each change, and
// with what undoing and redoing all of them gives.
import { readFileSync } from "node:fs";
import { changes, drawnOf, History, withEdge, withLabel, withoutVertex, withPlace, withScore, withVertex } from "../../mivspool/canvas/js/model/edits.js";
import { traceData } from "../../mivspool/canvas/js/model/meer.js";
import { Trace } from "../../mivspool/canvas/js/model/trace.js";

const acts = {
  score: withScore,
  place: withPlace,
  label: withLabel,
  vertex: withVertex,
  remove: withoutVertex,
  edge: withEdge,
};
const plain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const same = (a, b) => JSON.stringify(a, plain) === JSON.stringify(b, plain);

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ trace, edits, complement }) => {
  let history = new History([drawnOf(trace)]);
  const before = JSON.stringify(history.graph, plain);
  for (const [name, ...values] of edits) history = history.push(acts[name](history.graph, ...values));
  const last = history.graph;
  let steps = 0;
  for (; history.undoable; steps++) history = history.move(-1);
  const undone = JSON.stringify(history.graph, plain) === before && steps === edits.length;
  const first = traceData(history.graph, { complement });
  while (history.redoable) history = history.move(1);
  const now = traceData(last, { complement });
  return {
    plain: drawnOf(trace).score,
    undone,
    redone: same(history.graph, last),
    first,
    graph: last,
    trace: now,
    changes: changes(new Trace(first), new Trace(now)),
  };
});
process.stdout.write(JSON.stringify(answers, plain));
