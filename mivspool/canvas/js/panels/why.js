// Why the selected vertex is what it is now, and what the next step does with it.
import { equation, explain, question } from "../model/sentences.js";
import { changed } from "../model/store.js";
import { why } from "../model/why.js";
import { element, glyph, nodes } from "./element.js";

export class WhyPanel {
  constructor(strings, store) {
    this.strings = strings;
    this.store = store;
    this.root = element("section", { class: "why" });
  }

  render(state, before) {
    const written = changed(state, before, "trace", "vertex", "step", "part");
    if (written) this._write(state);
    if (written || changed(state, before, "hovered")) this._point(state.hovered);
  }

  // what is pointed at in the graph is lit here
  _point(vertex) {
    for (const button of this.root.querySelectorAll("[data-vertex]")) {
      button.classList.toggle("lit", Number(button.dataset.vertex) === vertex);
    }
  }

  _write({ trace, vertex: v, step, part }) {
    const s = this.strings.why;
    if (v < 0 || !trace.n) {
      this.root.replaceChildren(element("p", { class: "quiet" }, s.pick));
      return;
    }
    const data = why(trace, v, step, part);
    const { now, next } = explain(trace, data, this.strings);
    const put = (parts) => nodes(parts, this.store);
    const named = trace.labels && trace.labels[v] !== trace.ids[v];
    const label = named ? element("span", { class: "label" }, trace.labels[v]) : "";
    const head = element(
      "h3",
      {},
      element("span", {}, ...put(question(data, s))),
      " ",
      label,
      element("span", { class: "chip" }, glyph(data.state), this.strings.states[data.state]),
    );
    const lines = equation(trace, data);
    const letters = lines.some((line) => line.ties) ? `${s.letters}. ${s.places}` : s.letters;
    const rows = lines.map(({ symbols, numbers }) => {
      const above = element("div", { class: "symbols" }, ...put(symbols));
      return element("div", { class: "equation" }, above, element("div", { class: "numbers" }, ...put(numbers)));
    });
    this.root.replaceChildren(
      head,
      element("p", {}, ...put(now)),
      element("p", { class: "next" }, ...put(next)),
      rows.length ? element("div", { class: "formula" }, element("span", { class: "tag" }, s.then), ...rows, element("p", { class: "letters" }, letters)) : "",
    );
  }
}
