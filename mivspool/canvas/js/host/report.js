// Python hears of the cursor when it rests, and never while it plays or of a graph that Python does not know yet.
import { pending } from "../model/editing.js";

const DELAY_MS = 300; // a cursor that rests this long is reported

// How far each trace was stepped, by its key: a canvas that comes back (another page was open) goes on there.
const REMEMBERED = new Map();

// where the cursor of a trace was, or where it begins; command: Python's latest one counts once
export function remembered(key, start, command) {
  const begin = REMEMBERED.get(key) || { ...start, commanded: 0 };
  const newer = command && command.n > begin.commanded ? command : {};
  const { step, part, vertex } = { ...begin, ...newer };
  return { step, part, vertex, commanded: command ? command.n : 0 };
}

export class Report {
  // away(): whether the page was left; tell(cursor)
  constructor(store, away, tell) {
    Object.assign(this, { store, away, tell });
    this.timer = null; // runs as long as the cursor rests and is not reported
    store.subscribe((state, before) => {
      if (state.reports === before.reports || pending(state)) return; // the cursor goes with the graph
      const { step, part, vertex, commanded } = state;
      REMEMBERED.set(state.key, { step, part, vertex, commanded });
      this.cancel();
      this.timer = setTimeout(() => this.now(), DELAY_MS);
    });
  }

  // it goes on: where it was is not reported
  cancel() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  now() {
    if (this.timer === null) return;
    this.cancel();
    const { state } = this.store;
    if (pending(state) || this.away()) return; // a canvas that comes back remembers where it was
    this.tell({ id: state.id, step: state.step, part: state.part, vertex: state.vertex });
  }
}
