// One state that only actions change. What an action makes of it is pure (state.js); who listens hears of each change.
export class Store {
  // reduce(state, action): the next state, or the same object where nothing changes
  constructor(reduce, state) {
    this.reduce = reduce;
    this.state = state;
    this.listeners = new Set();
    this.waiting = []; // actions; the first one is under way
  }

  // action: {type, …}. What a listener dispatches is done when all have heard of the action before it.
  dispatch(action) {
    this.waiting.push(action);
    if (this.waiting.length > 1) return;
    try {
      for (; this.waiting.length; this.waiting.shift()) {
        const before = this.state;
        this.state = this.reduce(before, this.waiting[0]);
        if (this.state !== before) for (const hear of [...this.listeners]) hear(this.state, before);
      }
    } finally {
      this.waiting = []; // after an error the next action begins anew
    }
  }

  // hear(state, before); returns what ends it
  subscribe(hear) {
    this.listeners.add(hear);
    return () => this.listeners.delete(hear);
  }
}

// whether one of the named parts is another one; before: null at the first time
export const changed = (state, before, ...names) => !before || names.some((name) => state[name] !== before[name]);
