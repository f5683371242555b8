// The playback: while the state plays, its cursor goes on as soon as the sentence of where it stands has been read.
import { pace } from "../model/reading.js";
import { sentence } from "../model/sentences.js";

const FIRST_MS = 350; // until the first step where Play was pressed: what is shown has been read
const KEEPS_UP_MS = 200; // playing faster than that, more than one step is taken where drawing cannot keep up

export class Playback {
  constructor(store, strings) {
    this.store = store;
    this.strings = strings;
    store.subscribe((state, before) => {
      if (state.playing === before.playing) return;
      if (state.playing) this._start(before);
      else this.stop();
    });
  }

  stop() {
    clearTimeout(this.timer);
  }

  // milliseconds that the playback stays where it is
  _pace() {
    const { state } = this.store;
    const { trace, step, part, options } = state;
    const read = !options.hide?.includes("sentence");
    return pace(state, read ? sentence(trace, step, this.strings, part) : "");
  }

  // before: the state in which Play was pressed
  _start(before) {
    const { store } = this;
    let stays = before.step === store.state.step ? FIRST_MS / store.state.speed : this._pace();
    let since = performance.now();
    const next = () => {
      const now = performance.now();
      store.dispatch({ type: "tick", steps: stays < KEEPS_UP_MS ? Math.max(1, Math.floor((now - since) / stays)) : 1 });
      if (!store.state.playing) return;
      since = now;
      stays = this._pace();
      this.timer = setTimeout(next, Math.max(16, stays));
    };
    this.timer = setTimeout(next, stays);
  }
}
