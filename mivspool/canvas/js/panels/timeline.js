// The counts by state in every step, as stacked columns: a column is the button for its step. By parts, three marks below it say
// how far its iteration is.
import { ELIMINATING, parted, progress, underway, WHOLE } from "../model/parts.js";
import { SPEEDS } from "../model/reading.js";
import { changed } from "../model/store.js";
import { fillText } from "../model/text.js";
import { element, glyph, iconButton, setIcon } from "./element.js";
import { kept } from "./kept.js";

const MANY_STEPS = 22; // columns that get a button each
const SPEED = "mivspool:reading-speed"; // how the browser keeps it

// whether two traces have the same columns
const sameSteps = (a, b) => JSON.stringify([a.kinds, a.total]) === JSON.stringify([b.kinds, b.total]);

export class Timeline {
  constructor(strings, store) {
    this.strings = strings;
    const goto = (step, part) => store.dispatch({ type: "goto", step, part });
    const move = (by) => store.dispatch({ type: "move", by });
    this.goto = goto;
    this.columns = element("div", { class: "columns" });
    this.slider = element("input", { type: "range", min: 0, step: 1, class: "slider" });
    this.slider.addEventListener("input", () => this._slid(Number(this.slider.value), move));
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
    this.by = this._select("by", [["", strings.by_whole], ["parts", strings.by_parts]]);
    this.by.addEventListener("change", () => store.dispatch({ type: "parts", on: Boolean(this.by.value) }));
    this.speed = this._select("speed", SPEEDS.map((speed) => [speed, `${speed}×`]));
    this.speed.addEventListener("change", () => {
      kept("localStorage", (storage) => storage.setItem(SPEED, this.speed.value));
      store.dispatch({ type: "speed", speed: Number(this.speed.value) });
    });
    store.dispatch({ type: "speed", speed: Number(kept("localStorage", (storage) => storage.getItem(SPEED))) });
    this.counts = element("div", { class: "counts" });
    this.root = element(
      "div",
      { class: "controls" },
      element("div", { class: "row" }, this.transport, this.by, this.speed, this.counts),
      element("div", { class: "track" }, this.columns, this.slider),
    );
  }

  // options: [[value, text], …]
  _select(name, options) {
    const attributes = { class: `choice ${name}`, "aria-label": this.strings[name], title: this.strings[`${name}_help`] };
    return element("select", attributes, ...options.map(([value, text]) => element("option", { value }, text)));
  }

  // The slider counts steps, or thirds of a step where the reader goes by parts. Beside the iterations these are no places of
  // their own: the next one goes on to the next place.
  _slid(value, move) {
    const { part, at } = this;
    if (part === WHOLE) return this.goto(value);
    if (Math.abs(value - at) === 1) return move(value - at);
    const step = Math.ceil(value / 3);
    this.goto(step, value % 3 || ELIMINATING);
  }

  _build(trace) {
    const steps = trace.last + 1;
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
      const parts = parted(trace, step) ? [element("span", { class: "parts" }, element("i"), element("i"), element("i"))] : [];
      const cell = element("button", attributes, stack, element("span", { class: "name" }, name), ...parts);
      cell.addEventListener("click", () => this.goto(step));
      this.columns.append(cell);
      return cell;
    });
  }

  // a step in words, or a part of it, with its counts once it has happened
  _spoken(step, part = WHOLE, ahead = false) {
    const { trace, strings } = this;
    const kind = trace.kinds[step];
    const values = { k: String(step), part: String(part) };
    const form = underway(part) ? strings.step_part : strings.step_iteration;
    const name = kind === "iteration" ? fillText(form, values) : strings[`step_${kind}`];
    if (ahead) return name;
    const [c, s, x] = trace.counts(step, part).map(String);
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
    if (!changed(state, before, "trace", "step", "part", "playing", "speed")) return;
    const { trace, step, part, playing, speed } = state;
    const { strings } = this;
    const old = before && before.trace;
    this.trace = trace;
    if (trace !== old && !(old && sameSteps(old, trace))) this._build(trace);
    const thirds = part === WHOLE ? 1 : 3;
    Object.assign(this, { part, at: Math.round(thirds * progress(state)) });
    this.slider.max = String(Math.max(0, thirds * trace.last));
    this.slider.value = String(this.at);
    this.by.value = part === WHOLE ? "" : "parts";
    this.speed.value = String(speed);
    this.root.toggleAttribute("data-parts", part !== WHOLE);
    const counts = trace.counts(step, part);
    this.slider.setAttribute("aria-valuetext", this._spoken(step, part));
    this.cells.forEach((cell, i) => {
      const ahead = i > step || (i === step && underway(part)); // nothing is told before it has happened
      cell.classList.toggle("now", i === step);
      cell.classList.toggle("ahead", ahead);
      cell.querySelectorAll(".parts i").forEach((mark, p) => mark.classList.toggle("done", i < step || (i === step && p < part)));
      cell.title = this._spoken(i, WHOLE, ahead);
      cell.setAttribute("aria-label", cell.title);
      if (i === step) cell.setAttribute("aria-current", "step");
      else cell.removeAttribute("aria-current");
    });
    if (this.many) this.marker.style.left = this.cover.style.left = `${(100 * progress(state)) / Math.max(1, trace.last)}%`;
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
