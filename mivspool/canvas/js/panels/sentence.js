// The sentence on what happens in the step.
import { sentence } from "../model/sentences.js";
import { changed } from "../model/store.js";
import { element } from "./element.js";

export class Sentence {
  constructor(strings) {
    this.strings = strings;
    this.root = element("p", { class: "sentence", role: "status", "aria-live": "polite" });
  }

  render(state, before) {
    if (!changed(state, before, "trace", "step", "part")) return;
    const text = sentence(state.trace, state.step, this.strings, state.part);
    if (this.root.textContent !== text) this.root.textContent = text;
  }
}
