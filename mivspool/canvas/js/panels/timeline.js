// The counts by state in every step, as stacked columns: a column is the button for its step.
import { changed } from "../model/store.js";
import { fillText } from "../model/text.js";
import { element, glyph, iconButton, setIcon } from "./element.js";

const MANY_STEPS = 22; // columns that get a button each

// whether two traces have the same columns
const sameSteps = (a, b) => JSON.stringify([a.kinds, a.total]) === JSON.stringify([b.kinds, b.total]);

export class Timeline {
  constructor(strings, store) {
    this.strings = strings;
    const goto = (step) => store.dispatch({ type: "goto", step });
    const move = (by) => store.dispatch({ type: "move", by });
    this.goto = goto;
    this.columns = element("div", { class: "columns" });
    this.slider = element("input", { type: "range", min: 0, step: 1, class: "slider" });
    this.slider.addEventListener("input", () => goto(Number(this.slider.value)));
    this.buttons = {};
    const add = (name, act) => (this.buttons[name] = iconButton(name, strings[name], act));
    this.transport = element(
      "div",
      { class: "transport", role: "group" },
      add("first", () => goto(0)),
      add("previous", () => move(-1)),
      (this.buttons.play = iconButton("play", strings.play, () => store.dispatch({ type: "toggle" }), "primary")),
      add("next", () => move(1)),
      add("last", () => goto(Infinity)),
    );
    this.speed = element("select", { class: "speed", "aria-label": strings.speed, title: strings.speed });
    for (const speed of [0.5, 1, 2, 4, 8]) this.speed.append(element("option", { value: speed }, `${speed}×`));
    this.speed.value = "1";
    this.speed.addEventListener("change", () => store.dispatch({ type: "speed", speed: Number(this.speed.value) }));
    this.counts = element("div", { class: "counts" });
    this.root = element(
      "div",
      { class: "controls" },
      element("div", { class: "row" }, this.transport, this.speed, this.counts),
      element("div", { class: "track" }, this.columns, this.slider),
    );
  }

  _build(trace) {
    const steps = trace.last + 1;
    this.slider.max = String(Math.max(0, trace.last));
    this.slider.setAttribute("aria-label", this.strings.slider);
    this.columns.replaceChildren();
    this.root.style.setProperty("--steps", String(steps));
    this.many = steps > MANY_STEPS;
    this.columns.classList.toggle("many", this.many);
    if (this.many) return this._wide();
    this.cells = trace.kinds.map((kind, step) => {
      const [c, s, x] = trace.counts(step);
      const stack = element("span", { class: "stack" });
      [[2, x], [0, c], [1, s]].forEach(([state, count]) => {
        const part = element("i", { class: `state-${state}` });
        part.style.flexGrow = String(count);
        if (count) stack.append(part);
      });
      const attributes = { type: "button", class: `cell ${kind}`, tabindex: -1 };
      const name = kind === "iteration" ? String(step) : this.strings[`step_${kind}`];
      const cell = element("button", attributes, stack, element("span", { class: "name" }, name));
      cell.addEventListener("click", () => this.goto(step));
      this.columns.append(cell);
      return cell;
    });
  }

  // a step in words, with its counts once it has happened
  _spoken(step, ahead = false) {
    const { trace, strings } = this;
    const kind = trace.kinds[step];
    const name = kind === "iteration" ? fillText(strings.step_iteration, { k: String(step) }) : strings[`step_${kind}`];
    if (ahead) return name;
    const [c, s, x] = trace.counts(step).map(String);
    return `${name}: ${fillText(strings.counts, { c, s, x })}`;
  }

  // long traces: the same columns as one picture
  _wide() {
    this.cells = [];
    const canvas = element("canvas", { class: "wide", width: 1200, height: 80 });
    this.marker = element("span", { class: "marker" });
    this.cover = element("span", { class: "cover" }); // what lies ahead
    this.columns.append(canvas, this.cover, this.marker);
    canvas.addEventListener("click", (event) => {
      const box = canvas.getBoundingClientRect();
      this.goto(Math.round(((event.clientX - box.left) / box.width) * this.trace.last));
    });
    this._paintWide();
  }

  _paintWide() {
    const canvas = this.columns.querySelector("canvas");
    if (!canvas || !this.theme) return;
    const c = canvas.getContext("2d");
    const { width, height } = canvas;
    const { trace } = this;
    for (let px = 0; px < width; px++) {
      const counts = trace.counts(Math.round((px / (width - 1)) * trace.last));
      let y = height;
      for (const state of [1, 0, 2]) {
        const h = (counts[state] / trace.n) * height;
        c.fillStyle = this.theme.states[state].fill;
        c.fillRect(px, y - h, 1, h);
        y -= h;
      }
    }
  }

  setTheme(theme) {
    this.theme = theme;
    if (this.many) this._paintWide();
  }

  render(state, before) {
    const { trace, step, playing } = state;
    if (!changed(state, before, "trace", "step", "playing")) return;
    const { strings } = this;
    const old = before && before.trace;
    this.trace = trace;
    if (trace !== old && !(old && sameSteps(old, trace))) this._build(trace);
    this.slider.value = String(step);
    const counts = trace.counts(step);
    this.slider.setAttribute("aria-valuetext", this._spoken(step));
    this.cells.forEach((cell, i) => {
      cell.classList.toggle("now", i === step);
      cell.classList.toggle("ahead", i > step); // nothing is told before it has happened
      cell.title = this._spoken(i, i > step);
      cell.setAttribute("aria-label", cell.title);
      if (i === step) cell.setAttribute("aria-current", "step");
      else cell.removeAttribute("aria-current");
    });
    if (this.many) this.marker.style.left = this.cover.style.left = `${(100 * step) / Math.max(1, trace.last)}%`;
    this.root.style.setProperty("--at", String(step));
    setIcon(this.buttons.play, playing ? "pause" : "play", playing ? strings.pause : strings.play);
    for (const name of ["first", "previous"]) this.buttons[name].disabled = step === 0;
    for (const name of ["next", "last"]) this.buttons[name].disabled = step === trace.last;
    this.counts.replaceChildren(
      ...counts.map((count, state) => {
        const word = strings[count === 1 ? "states" : "states_many"][state];
        return element("span", { class: "count" }, glyph(state), element("b", {}, String(count)), ` ${word}`);
      }),
    );
  }
}
