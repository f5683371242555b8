// Reads canvases as JSON on standard input ({traces, actions}), lets each store hear its actions, and answers with what it
// holds after each. {"type": "show"} shows traces[i] of the question; {"type": "enter"} begins an edit where the vertices are.
import { readFileSync } from "node:fs";
import { editing, isChanged, message, pending } from "../../mivspool/canvas/js/model/editing.js";
import { questionOf, sketch } from "../../mivspool/canvas/js/model/predict.js";
import { EMPTY, evidence, marks, reduce } from "../../mivspool/canvas/js/model/state.js";
import { Store } from "../../mivspool/canvas/js/model/store.js";
import { Trace } from "../../mivspool/canvas/js/model/trace.js";

const plain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);

function held(state) {
  const { step, part, vertex, hovered, playing, reports, shown, begun, tally, asked, request, dragging, scale } = state;
  const { trace, predict, edit } = state;
  const told = edit.history ? message(state) : null;
  return {
    ...{ step, part, vertex, hovered, playing, reports, shown, begun, tally, asked, request, dragging, scale },
    ...{ kind: trace.kinds[step], last: trace.last, T: trace.T, ids: trace.ids, score: trace.score, edges: trace.edges },
    ...{ survivor: trace.survivor, settled: trace.settled, cluster: trace.cluster, order: trace.order },
    ...{ states: trace.ids.map((_, v) => trace.state(v, step, part)), counts: trace.counts(step, part), fresh: trace.fresh(step + 1) },
    ...{ question: questionOf(state), sketch: sketch(state), pairs: predict.pairs, reduced: trace.data.reduced.edges, near: trace.ids.map((_, v) => trace.neighbours(v)) },
    ...{ guess: predict.guess, verdict: predict.verdict, predicting: predict.on },
    ...{ editing: editing(state), pending: pending(state), changed: isChanged(state), linking: edit.linking, edge: edit.edge },
    ...{ reference: edit.reference && edit.reference.score, x: edit.history && edit.history.graph.x, message: told },
    ...{ marks: marks(state), evidence: evidence(state) },
  };
}

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ traces, actions }) => {
  const store = new Store(reduce, EMPTY);
  return actions.map(({ type, ...more }) => {
    const action = { type, ...more };
    if (type === "show") {
      action.trace = new Trace(traces[more.i]);
      Object.assign(action, { id: `trace ${more.i}`, key: `trace ${more.i} 1`, step: more.step ?? 0, part: more.part ?? 0, vertex: more.vertex ?? -1 });
      Object.assign(action, { commanded: 0, options: { layout: "full", ...more.options } });
    }
    if (type === "enter") {
      const { x, y } = store.state.trace.data;
      Object.assign(action, { x, y, token: "a", kept: null });
    }
    store.dispatch(action);
    return held(store.state);
  });
});
process.stdout.write(JSON.stringify(answers, plain));
