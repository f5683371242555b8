// What stands around the graph: the sentence, the timeline with its buttons, the counts, the score bars, the why.
// Each panel has render(…) and knows nothing of the others; user text only ever becomes text nodes.
import { equation, explain, fill, question, sentence, why } from "./why.js";

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const SHAPES = [
  '<circle cx="8" cy="8" r="5"/>',
  '<circle cx="8" cy="8" r="4.4"/><circle cx="8" cy="8" r="7" fill="none"/>',
  '<rect x="3.5" y="3.5" width="9" height="9" rx="1.5"/>',
];

// the shape of a state, as in the graph
export function glyph(state) {
  const box = element("span", { class: `glyph state-${state}`, "aria-hidden": "true" });
  box.innerHTML = `<svg viewBox="0 0 16 16">${SHAPES[state]}</svg>`; // ours alone, no user text
  return box;
}

const ICONS = {
  first: '<path d="M4 3v10M13 3.5v9L6 8z"/>',
  previous: '<path d="M11.5 3.5v9L4.5 8z"/>',
  play: '<path d="M4.5 2.8v10.4L13 8z"/>',
  pause: '<path d="M5 3v10M11 3v10" stroke-width="3"/>',
  next: '<path d="M4.5 3.5v9l7-4.5z"/>',
  last: '<path d="M12 3v10M3 3.5v9L10 8z"/>',
  fit: '<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" fill="none"/>',
  zoom_in: '<path d="M8 3v10M3 8h10"/>',
  zoom_out: '<path d="M3 8h10"/>',
  undo: '<path d="M6.5 3 3 6.5 6.5 10M3.5 6.5H10a3 3 0 0 1 0 6.5H7" fill="none"/>',
  redo: '<path d="M9.5 3 13 6.5 9.5 10M12.5 6.5H6a3 3 0 0 0 0 6.5h3" fill="none"/>',
};

export function iconButton(name, label, onclick, className = "") {
  const attributes = { type: "button", class: `icon ${className}`, title: label, "aria-label": label, onclick };
  const button = element("button", attributes);
  button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true">${ICONS[name]}</svg>`;
  return button;
}

export function setIcon(button, name, label) {
  button.querySelector("svg").innerHTML = ICONS[name];
  button.title = label;
  button.setAttribute("aria-label", label);
}

// parts (see why.js) as nodes; a vertex becomes a button that points at it and selects it
export function nodes(parts, trace, on) {
  return parts.map((part) => {
    if (typeof part === "string") return document.createTextNode(part);
    if (part.unit) return element("span", { class: "unit" }, ...nodes(part.unit, trace, on));
    if (part.sup !== undefined) return element("sup", {}, part.sup);
    if (part.result !== undefined) return element("b", { class: part.result ? "true" : "false" }, part.text);
    const v = part.number ?? part.vertex;
    const button = element("button", {
      type: "button",
      class: part.number !== undefined ? "number" : "vertex",
      onclick: () => on.select(v),
      onpointerenter: () => on.hover(v),
      onpointerleave: () => on.hover(-1),
      onfocus: () => on.hover(v),
      onblur: () => on.hover(-1),
    });
    button.dataset.vertex = v;
    button.textContent = part.text ?? trace.ids[v];
    button.dir = "auto";
    if (trace.ids[v].length > 18) button.title = trace.ids[v];
    return part.sub ? element("sub", {}, button) : button;
  });
}

export class Sentence {
  constructor(strings) {
    this.strings = strings;
    this.root = element("p", { class: "sentence", role: "status", "aria-live": "polite" });
  }

  render(trace, step) {
    const text = sentence(trace, step, this.strings);
    if (this.root.textContent !== text) this.root.textContent = text;
  }
}

const MANY_STEPS = 22; // columns that get a button each

// The counts by state in every step, as stacked columns: a column is the button for its step.
export class Timeline {
  constructor(strings, on) {
    this.strings = strings;
    this.on = on;
    this.columns = element("div", { class: "columns" });
    this.slider = element("input", { type: "range", min: 0, step: 1, class: "slider" });
    this.slider.addEventListener("input", () => on.step(Number(this.slider.value)));
    this.buttons = {};
    const add = (name, act) => (this.buttons[name] = iconButton(name, strings[name], act));
    this.transport = element(
      "div",
      { class: "transport", role: "group" },
      add("first", () => on.step(0)),
      add("previous", () => on.move(-1)),
      (this.buttons.play = iconButton("play", strings.play, () => on.toggle(), "primary")),
      add("next", () => on.move(1)),
      add("last", () => on.step(Infinity)),
    );
    this.speed = element("select", { class: "speed", "aria-label": strings.speed, title: strings.speed });
    for (const speed of [0.5, 1, 2, 4, 8]) this.speed.append(element("option", { value: speed }, `${speed}×`));
    this.speed.value = "1";
    this.speed.addEventListener("change", () => on.speed(Number(this.speed.value)));
    this.counts = element("div", { class: "counts" });
    this.root = element(
      "div",
      { class: "controls" },
      element("div", { class: "row" }, this.transport, this.speed, this.counts),
      element("div", { class: "track" }, this.columns, this.slider),
    );
  }

  setTrace(trace) {
    this.trace = trace;
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
      const label = this._spoken(step);
      const attributes = { type: "button", class: `cell ${kind}`, tabindex: -1, title: label, "aria-label": label };
      const name = kind === "iteration" ? String(step) : this.strings[`step_${kind}`];
      const cell = element("button", attributes, stack, element("span", { class: "name" }, name));
      cell.addEventListener("click", () => this.on.step(step));
      this.columns.append(cell);
      return cell;
    });
  }

  // a step in words, with its counts
  _spoken(step) {
    const { trace, strings } = this;
    const kind = trace.kinds[step];
    const name = kind === "iteration" ? fill(strings.step_iteration, { k: String(step) }).join("") : strings[`step_${kind}`];
    const [c, s, x] = trace.counts(step).map(String);
    return `${name}: ${fill(strings.counts, { c, s, x }).join("")}`;
  }

  // long traces: the same columns as one picture
  _wide() {
    this.cells = [];
    const canvas = element("canvas", { class: "wide", width: 1200, height: 80 });
    this.marker = element("span", { class: "marker" });
    this.columns.append(canvas, this.marker);
    canvas.addEventListener("click", (event) => {
      const box = canvas.getBoundingClientRect();
      this.on.step(Math.round(((event.clientX - box.left) / box.width) * this.trace.last));
    });
    this._paintWide();
  }

  _paintWide() {
    const canvas = this.columns.querySelector("canvas");
    if (!canvas || !this.look) return;
    const c = canvas.getContext("2d");
    const { width, height } = canvas;
    const { trace } = this;
    for (let px = 0; px < width; px++) {
      const counts = trace.counts(Math.round((px / (width - 1)) * trace.last));
      let y = height;
      for (const state of [1, 0, 2]) {
        const h = (counts[state] / trace.n) * height;
        c.fillStyle = this.look.states[state].fill;
        c.fillRect(px, y - h, 1, h);
        y -= h;
      }
    }
  }

  setLook(look) {
    this.look = look;
    if (this.many) this._paintWide();
  }

  render(step, playing) {
    const { trace, strings } = this;
    this.slider.value = String(step);
    const counts = trace.counts(step);
    this.slider.setAttribute("aria-valuetext", this._spoken(step));
    this.cells.forEach((cell, i) => {
      cell.classList.toggle("now", i === step);
      if (i === step) cell.setAttribute("aria-current", "step");
      else cell.removeAttribute("aria-current");
    });
    if (this.many) this.marker.style.left = `${(100 * step) / Math.max(1, trace.last)}%`;
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

const ROW = 22;

// The scores, best first, each bar in its vertex's colour; only the rows in sight exist.
export class Bars {
  constructor(strings, on) {
    this.strings = strings;
    this.on = on;
    this.list = element("div", { class: "rows", role: "presentation" });
    const attributes = { class: "scroll", role: "listbox", tabindex: 0, "aria-label": strings.bars_label };
    this.box = element("div", attributes, this.list);
    this.box.addEventListener("scroll", () => this._rows(), { passive: true });
    this.box.addEventListener("keydown", (event) => {
      const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
      if (!move) return on.barKey?.(event);
      event.preventDefault();
      event.stopPropagation();
      on.walk(move);
    });
    this.note = element("small");
    this.root = element("section", { class: "bars" }, element("h3", {}, strings.bars, this.note), this.box);
    this.resizer = new ResizeObserver(() => this._rows());
    this.resizer.observe(this.box);
    this.pool = [];
  }

  setTrace(trace) {
    this.trace = trace;
    Object.assign(this, { order: trace.order, rank: trace.rank });
    this.list.style.height = `${trace.n * ROW}px`;
    this.best = trace.n ? trace.score[trace.order[0]] : 1;
    const widest = trace.ids.slice(0, 4000).reduce((m, id) => Math.max(m, Array.from(id).length), 1);
    this.root.style.setProperty("--name", `${Math.min(13, widest + 0.6)}ch`);
    this.text = trace.scoreText;
    // scores that lie close together: bars from 0 would all look the same, so they start near the least, and say so
    const least = trace.n ? trace.score[trace.order[trace.n - 1]] : 0;
    const close = trace.n > 1 && least > 0.6 * this.best && this.best > least;
    this.from = close ? Math.max(0, least - 0.3 * (this.best - least)) : 0;
    this.most = this._most();
    this.note.textContent = close ? fill(this.strings.bars_from, { from: this.text(this.from) }).join("") : "";
    this.box.scrollTop = 0;
    this.pool.forEach((row) => row.remove());
    this.pool = [];
  }

  // The same vertices with other scores. still: the rows keep their places and the bars their scale, so that nothing
  // moves away from under the pointer while one is dragged.
  retrace(trace, still) {
    if (still) {
      this.trace = trace;
      for (const row of this.pool) row.vertex = -1;
      return;
    }
    const { scrollTop } = this.box;
    this.setTrace(trace);
    this.box.scrollTop = scrollTop;
  }

  // whether bars can be dragged
  setEditing(editing) {
    this.editing = editing;
    this.root.classList.toggle("editing", editing);
    this.most = this._most();
    for (const row of this.pool) row.vertex = -1;
  }

  // the score of a bar that fills its rail: above the best where bars can be dragged to more
  _most() {
    return this.best + (this.editing ? 0.15 * (this.best - this.from) : 0);
  }

  // a bar is dragged by its end: on.score hears of each value, on.rest of the end
  _drags(row, rail) {
    let drag = null;
    let dragged = false;
    rail.addEventListener("pointerdown", (event) => {
      dragged = false;
      if (!this.editing || event.button) return;
      const { left, width } = rail.getBoundingClientRect();
      drag = { v: row.vertex, x: event.clientX, left, width };
      rail.setPointerCapture(event.pointerId);
    });
    rail.addEventListener("pointermove", (event) => {
      if (!drag || (!dragged && Math.abs(event.clientX - drag.x) < 3)) return;
      dragged = true;
      const share = (event.clientX - drag.left) / drag.width;
      this.on.score(drag.v, this.from + share * (this.most - this.from));
    });
    const end = () => {
      if (drag && dragged) this.on.rest();
      drag = null;
    };
    rail.addEventListener("pointerup", end);
    rail.addEventListener("pointercancel", end);
    rail.addEventListener("click", (event) => {
      if (dragged) event.stopPropagation(); // that was no choice of a vertex
    });
  }

  render(step, selected, hovered, reveal) {
    Object.assign(this, { step, selected, hovered });
    if (reveal && selected >= 0) {
      const top = this.rank[selected] * ROW;
      const { scrollTop, clientHeight } = this.box;
      if (top < scrollTop || top + ROW > scrollTop + clientHeight) this.box.scrollTop = top - clientHeight / 2 + ROW / 2;
    }
    this._rows();
  }

  _rows() {
    const { trace, pool } = this;
    if (!trace || this.step === undefined) return;
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - 1);
    const count = Math.min(Math.ceil((this.box.clientHeight || 200) / ROW) + 3, trace.n - first);
    while (pool.length < count) pool.push(this._row());
    pool.forEach((row, i) => {
      const place = first + i;
      row.hidden = i >= count;
      if (row.hidden) return;
      const v = this.order[place];
      const state = trace.state(v, this.step);
      row.style.transform = `translateY(${place * ROW}px)`;
      row.className = `bar state-${state}`;
      row.classList.toggle("selected", v === this.selected);
      row.classList.toggle("hovered", v === this.hovered);
      row.setAttribute("aria-selected", String(v === this.selected));
      if (row.vertex !== v) {
        row.vertex = v;
        row.id = `bar-${v}`;
        const [name, rail, value] = row.children;
        name.textContent = trace.ids[v];
        name.title = trace.ids[v];
        const share = (trace.score[v] - this.from) / (this.most - this.from);
        rail.firstChild.style.width = `${100 * Math.max(0.01, Math.min(1, share))}%`;
        value.textContent = this.text(trace.score[v]);
        row.title = String(trace.score[v]);
      }
      row.setAttribute("aria-label", `${trace.ids[v]}: ${this.text(trace.score[v])}, ${this.strings.states[state]}`);
    });
    if (this.selected >= 0) this.box.setAttribute("aria-activedescendant", `bar-${this.selected}`);
    else this.box.removeAttribute("aria-activedescendant");
  }

  _row() {
    const row = element(
      "div",
      { class: "bar", role: "option" },
      element("span", { class: "name", dir: "auto" }),
      element("span", { class: "rail" }, element("i")),
      element("span", { class: "value" }),
    );
    this._drags(row, row.children[1]);
    row.addEventListener("click", () => this.on.select(row.vertex));
    row.addEventListener("pointerenter", () => this.on.hover(row.vertex));
    row.addEventListener("pointerleave", () => this.on.hover(-1));
    this.list.append(row);
    return row;
  }
}

// Why the selected vertex is what it is now, and what the next step does with it.
export class WhyPanel {
  constructor(strings, on) {
    this.strings = strings;
    this.on = on;
    this.root = element("section", { class: "why" });
  }

  render(trace, v, step) {
    const s = this.strings.why;
    if (v < 0 || !trace.n) {
      this.root.replaceChildren(element("p", { class: "quiet" }, s.pick));
      return;
    }
    const data = why(trace, v, step);
    const { now, next } = explain(trace, data, this.strings);
    const put = (parts) => nodes(parts, trace, this.on);
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
