// Meer's algorithm as pseudocode: the lines that are carried out now are lit, with the values of the selected vertex in them.
import { current, linesOf, valuesOf } from "../model/code.js";
import { changed } from "../model/store.js";
import { element, nodes } from "./element.js";

export class CodePanel {
  constructor(strings, store) {
    this.words = strings.code;
    this.store = store;
    this.list = element("ol", { "aria-label": this.words.title });
    this.root = element("section", { class: "code" }, this.list, element("p", { class: "quiet" }, this.words.letters));
  }

  render(state, before) {
    if (!changed(state, before, "trace", "step", "part", "vertex")) return;
    const { trace, step, part, vertex } = state;
    const now = current(trace, { step, part });
    const values = valuesOf(trace, { step, part }, vertex, this.words);
    this.list.replaceChildren(
      ...linesOf(trace).map((line) => {
        const lit = now.includes(line);
        const said = values[line] ? [element("span", { class: "numbers" }, ...nodes(values[line], this.store))] : [];
        const attributes = { class: `line ${line}${lit ? " now" : ""}`, "aria-current": lit ? "step" : null };
        return element("li", attributes, this.words[line], ...said);
      }),
    );
  }
}
