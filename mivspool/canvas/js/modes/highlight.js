// Words of the page beside a graph: an element with data-light="WHAT" lights those vertices while it is pointed at or has
// the focus, and is lit itself while one of them is pointed at in the graph. With data-choose as well, it selects them.
// A symbol within a formula (MathML) is such an element too.
import { changed } from "../model/store.js";
import { meant } from "../model/symbols.js";
import { fillOwn } from "../panels/formula.js";

const wordAt = (target) => target?.closest?.("[data-light]")?.dataset.light ?? null;

export class Highlight {
  constructor(store, strings) {
    this.store = store;
    this.strings = strings;
    this.listening = new AbortController();
    const { signal } = this.listening;
    const listen = (name, act) => document.addEventListener(name, act, { signal });
    listen("click", (event) => this._choose(event));
    listen("keydown", (event) => this._choose(event));
    listen("pointerover", (event) => this._point(wordAt(event.target)));
    listen("focusin", (event) => this._point(wordAt(event.target)));
    listen("focusout", (event) => this._point(wordAt(event.relatedTarget)));
  }

  destroy() {
    this.listening.abort();
    for (const word of document.querySelectorAll("[data-light].lit")) word.classList.remove("lit");
  }

  // whether the page has words for this canvas
  get active() {
    const { trace, options } = this.store.state;
    return Boolean(trace && options.words);
  }

  _point(word) {
    if (this.active) this.store.dispatch({ type: "word", word });
  }

  _choose(event) {
    const word = this.active && event.target.closest?.("[data-choose][data-light]");
    if (!word || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const { trace, step, part, vertex } = this.store.state;
    const [first] = meant(trace, word.dataset.light, step, vertex, part);
    if (first !== undefined) this.store.dispatch({ type: "select", vertex: first });
  }

  render(state, before) {
    if (!this.active || !changed(state, before, "trace", "step", "part", "vertex", "hovered", "word", "options")) return;
    const { trace, step, part, vertex, hovered } = state;
    for (const word of document.querySelectorAll("[data-light]")) {
      const { light } = word.dataset;
      const lit = hovered >= 0 ? meant(trace, light, step, vertex, part).includes(hovered) : light === state.word;
      word.classList.toggle("lit", lit);
    }
    fillOwn(this.store, this.strings);
    for (const part of document.querySelectorAll("[data-own] [data-vertex]")) {
      part.classList.toggle("lit", Number(part.dataset.vertex) === hovered);
    }
  }
}
