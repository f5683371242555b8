// Words of the page beside a graph: an element with data-light="WHAT" lights those vertices while it is pointed at or has
// the focus, and is lit itself while one of them is pointed at in the graph. With data-choose as well, it selects them.
// A symbol within a formula (MathML) is such an element too.
import { CANDIDATE, STRUCK, SURVIVOR } from "./trace.js";
import { fillOwn, symbol } from "./formula.js";
import { why } from "./why.js";

const STATES = { candidates: CANDIDATE, survivors: SURVIVOR, "non-survivors": STRUCK };

// the vertices that a word means at a step, with a vertex selected (-1: none)
export function meant(trace, what, step, selected) {
  if (what in STATES) {
    const all = Array.from({ length: trace.n }, (_, v) => v);
    return all.filter((v) => trace.state(v, step) === STATES[what]);
  }
  if (what.startsWith("vertex:")) return [trace.ids.indexOf(what.slice(7))].filter((v) => v >= 0);
  if (what.startsWith("cluster:")) {
    const head = trace.ids.indexOf(what.slice(8));
    return head < 0 ? [] : [head, ...trace.members(head)];
  }
  const meaning = symbol(what, trace, selected, step);
  if (meaning) return meaning;
  if (selected < 0) return [];
  if (what === "selected") return [selected];
  if (what === "neighbours") return Array.from(trace.neighbours(selected));
  if (what === "rival") return [why(trace, selected, step).rival].filter((v) => v >= 0);
  if (what === "cluster") {
    const head = trace.cluster[selected];
    return [head, ...trace.members(head)];
  }
  return [];
}

export class Light {
  constructor(canvas) {
    this.canvas = canvas;
    this.what = null;
    this.on = (event) => this._set(event.target.closest?.("[data-light]")?.dataset.light ?? null);
    this.off = (event) => this._set(event.relatedTarget?.closest?.("[data-light]")?.dataset.light ?? null);
    this.choose = (event) => this._choose(event);
    document.addEventListener("click", this.choose);
    document.addEventListener("keydown", this.choose);
    document.addEventListener("pointerover", this.on);
    document.addEventListener("focusin", this.on);
    document.addEventListener("focusout", this.off);
  }

  destroy() {
    document.removeEventListener("click", this.choose);
    document.removeEventListener("keydown", this.choose);
    document.removeEventListener("pointerover", this.on);
    document.removeEventListener("focusin", this.on);
    document.removeEventListener("focusout", this.off);
    for (const word of document.querySelectorAll("[data-light].lit")) word.classList.remove("lit");
  }

  get active() {
    return Boolean(this.canvas.trace && this.canvas.options && this.canvas.options.words);
  }

  _set(what) {
    if (!this.active || what === this.what) return;
    this.what = what;
    this.render();
  }

  _choose(event) {
    const word = this.active && event.target.closest?.("[data-choose][data-light]");
    if (!word || (event.type === "keydown" && event.key !== "Enter" && event.key !== " ")) return;
    event.preventDefault();
    const { trace, step, vertex } = this.canvas;
    const [first] = meant(trace, word.dataset.light, step, vertex);
    if (first !== undefined) this.canvas.select(first);
  }

  render() {
    if (!this.active) return;
    const { trace, step, vertex, hovered, view } = this.canvas;
    view.mark(this.what === null ? [] : meant(trace, this.what, step, vertex));
    for (const word of document.querySelectorAll("[data-light]")) {
      const { light } = word.dataset;
      const lit = hovered >= 0 ? meant(trace, light, step, vertex).includes(hovered) : light === this.what;
      word.classList.toggle("lit", lit);
    }
    fillOwn(this.canvas);
    for (const part of document.querySelectorAll("[data-own] [data-vertex]")) {
      part.classList.toggle("lit", Number(part.dataset.vertex) === hovered);
    }
  }
}
