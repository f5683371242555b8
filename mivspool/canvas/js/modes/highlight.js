// Words of the page beside a graph: an element with data-light="WHAT" lights those vertices while it is pointed at or has
// the focus, and is lit itself while one of them is pointed at in the graph. With data-choose as well, it selects them.
// A symbol within a formula (MathML) is such an element too.
import { fillOwn } from "../panels/formula.js";
import { meant } from "../model/symbols.js";

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
