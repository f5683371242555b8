// The playback: while the state plays, its cursor goes on.
import { pace } from "../model/cursor.js";

const FIRST_MS = 350; // until the first step, at speed 1

export class Playback {
  constructor(store) {
    this.store = store;
    store.subscribe((state, before) => {
      if (state.playing === before.playing) return;
      if (state.playing) this._start();
      else this.stop();
    });
  }

  stop() {
    clearTimeout(this.timer);
  }

  _start() {
    const { store } = this;
    const wait = FIRST_MS / store.state.speed;
    let last = performance.now() + wait - pace(store.state);
    const next = () => {
      const now = performance.now();
      const steps = Math.max(1, Math.floor((now - last) / pace(store.state))); // more than one where drawing cannot keep up
      last = now;
      store.dispatch({ type: "tick", steps });
      if (store.state.playing) this.timer = setTimeout(next, Math.max(16, pace(store.state)));
    };
    this.timer = setTimeout(next, wait);
  }
}
