// The scores, best first, each bar in its vertex's colour; only the rows in sight exist.
import { editing } from "../model/editing.js";
import { most } from "../model/scale.js";
import { changed } from "../model/store.js";
import { fillText } from "../model/text.js";
import { element } from "./element.js";

const ROW = 22;

export class Bars {
  // on: where scores can be changed, {score(v, value), end(), key(event)}: a bar is dragged, it is let go, a key is pressed here
  constructor(strings, store, on) {
    this.strings = strings;
    this.store = store;
    this.on = on;
    this.list = element("div", { class: "rows", role: "presentation" });
    const attributes = { class: "scroll", role: "listbox", tabindex: 0, "aria-label": strings.bars_label };
    this.box = element("div", attributes, this.list);
    this.box.addEventListener("scroll", () => this._rows(), { passive: true });
    this.box.addEventListener("keydown", (event) => {
      const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
      if (!move) return on.key(event);
      event.preventDefault();
      event.stopPropagation();
      store.dispatch({ type: "walk", by: move });
    });
    this.note = element("small");
    this.root = element("section", { class: "bars" }, this.box, this.note);
    this.resizer = new ResizeObserver(() => this._rows());
    this.resizer.observe(this.box);
    this.pool = [];
    this.editing = false;
  }

  _setTrace(trace, scale) {
    this.trace = trace;
    Object.assign(this, { order: trace.order, rank: trace.rank });
    this.list.style.height = `${trace.n * ROW}px`;
    const widest = trace.ids.slice(0, 4000).reduce((m, id) => Math.max(m, Array.from(id).length), 1);
    this.root.style.setProperty("--name", `${Math.min(13, widest + 0.6)}ch`);
    this.text = trace.scoreText;
    this.from = scale.from;
    this.most = most(scale, this.editing);
    this.note.textContent = scale.close ? fillText(this.strings.bars_from, { from: this.text(this.from) }) : "";
    this.box.scrollTop = 0;
    this.pool.forEach((row) => row.remove());
    this.pool = [];
  }

  // Another trace. While a score is dragged the rows keep their places and the bars their scale, so that nothing moves away
  // from under the pointer.
  _retrace(trace, scale, dragging) {
    if (dragging) {
      this.trace = trace;
      this._stale();
      return;
    }
    const { scrollTop } = this.box;
    this._setTrace(trace, scale);
    this.box.scrollTop = scrollTop;
  }

  // every row has to be rewritten
  _stale() {
    for (const row of this.pool) row.vertex = -1;
  }

  // whether bars can be dragged
  _setEditing(editing, scale) {
    this.editing = editing;
    this.root.classList.toggle("editing", editing);
    this.most = most(scale, editing);
    this._stale();
  }

  // a bar is dragged by its end: on.score hears of each value, on.end of the end
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
      if (drag && dragged) this.on.end();
      drag = null;
    };
    rail.addEventListener("pointerup", end);
    rail.addEventListener("pointercancel", end);
    rail.addEventListener("click", (event) => {
      if (dragged) event.stopPropagation(); // that was no choice of a vertex
    });
  }

  render(state, before) {
    if (!changed(state, before, "trace", "step", "part", "vertex", "hovered", "dragging", "edit")) return;
    const { trace, step, part, vertex: selected, hovered, dragging, scale } = state;
    Object.assign(this, { step, part, selected, hovered });
    const shown = changed(state, before, "shown");
    if (shown) this._setTrace(trace, scale);
    else if (changed(state, before, "trace", "dragging")) this._retrace(trace, scale, dragging);
    if (editing(state) !== this.editing) this._setEditing(editing(state), scale);
    const rearranged = changed(state, before, "begun", "vertex", "dragging");
    const reveal = rearranged || (!dragging && changed(state, before, "trace"));
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
      const state = trace.state(v, this.step, this.part);
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
    row.addEventListener("click", () => this.store.dispatch({ type: "pick", vertex: row.vertex }));
    row.addEventListener("pointerenter", () => this.store.dispatch({ type: "hover", vertex: row.vertex }));
    row.addEventListener("pointerleave", () => this.store.dispatch({ type: "hover", vertex: -1 }));
    this.list.append(row);
    return row;
  }
}
