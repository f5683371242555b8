// The sentence on what happens in the step.
import { lastIndex, placeAt, POINTING, WHOLE } from "../model/parts.js";
import { sentence } from "../model/sentences.js";
import { changed } from "../model/store.js";
import { Steady } from "./steady.js";

const MOST_PLACES = 12; // from either end of a trace; in between its sentences differ in numbers only

export class Sentence {
  constructor(strings) {
    this.strings = strings;
    this.place = new Steady({ class: "sentence", role: "status", "aria-live": "polite" });
    this.root = this.place.root;
  }

  // all that may be said of a trace
  _all(trace) {
    return [WHOLE, POINTING].flatMap((part) => {
      const places = Array.from({ length: lastIndex(trace, part) + 1 }, (_, i) => i);
      const ends = places.length > 2 * MOST_PLACES ? [...places.slice(0, MOST_PLACES), ...places.slice(-MOST_PLACES)] : places;
      return ends.map((i) => placeAt(trace, i, part)).map((at) => sentence(trace, at.step, this.strings, at.part));
    });
  }

  render(state, before) {
    if (!changed(state, before, "trace", "step", "part")) return;
    if (changed(state, before, "trace")) this.place.reserve(this._all(state.trace));
    const text = sentence(state.trace, state.step, this.strings, state.part);
    if (this.place.shown.textContent !== text) this.place.put(text);
  }
}
