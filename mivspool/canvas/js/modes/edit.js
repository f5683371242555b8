// Change and see: a person changes scores, vertices and edges, and the trace follows under the pointer. What was changed
// is told to Python when it rests; Python's answer is the same trace under another name, so nothing is set back by it.
import { changes, drawnOf, History, joined, withEdge, withLabel, withoutVertex, withPlace, withScore, withVertex } from "../model/edits.js";
import { traceData } from "../model/meer.js";
import { fill, fillText, scoreFormat } from "../model/text.js";
import { Trace } from "../model/trace.js";
import { element, iconButton, nodes } from "../panels/element.js";
import { View } from "../draw/view.js";

const CHANGE_REST_MS = 300; // a change that rests this long is told
const LARGE_REST_MS = 1200; // of a graph that takes longer to send
const LARGE = 2000;
const PATIENCE_MS = 20000; // an answer that takes longer is not waited for
const MOST_CHANGED = 20000; // vertices of a graph that is changed here
const HANDLE_PX = 110; // dragging a vertex's handle that far spans the scores
const MOST_NAMED = 4; // vertices in the sentence
const TAP_MS = 350;

// changes made to a trace, by its name: a canvas that comes back goes on with them
const SESSIONS = new Map();

// A change that Python had not answered when its page was left. The canvas that shows what it was made from makes it
// again: in this page, or after a reload from the browser's store.
const UNTOLD = {
  key: "mivspool:untold",
  left: null,
  put(left) {
    this.left = left;
    const { history, ...plain } = left; // a reload begins a history of its own
    this.store((store) => store.setItem(this.key, JSON.stringify(plain)));
  },
  get() {
    return this.left || JSON.parse(this.store((store) => store.getItem(this.key)) || "null");
  },
  forget() {
    this.left = null;
    this.store((store) => store.removeItem(this.key));
  },
  // a page that may keep nothing (a file, a sandboxed frame, a full store) keeps it as long as it is open
  store(act) {
    try {
      return act(window.sessionStorage);
    } catch (refused) {
      if (!["SecurityError", "QuotaExceededError"].includes(refused.name)) throw refused;
      return null;
    }
  },
};

const plain = (graph) => Object.fromEntries(Object.entries(graph).map(([name, list]) => [name, list && Array.from(list)]));
const outline = ({ ids, edges }) => JSON.stringify([ids, Array.from(edges)]);
const content = ({ ids, labels, edges, score }) => JSON.stringify([ids, labels, Array.from(edges), Array.from(score)]);

export class Edit {
  constructor(canvas) {
    this.canvas = canvas;
    this.words = canvas.settings.strings.edit;
    this.on = false;
    this._anew();
    this.linking = -1; // the vertex that an edge is drawn from
    this.listening = new AbortController();
    this._build();
    const { signal } = this.listening;
    window.addEventListener("blur", () => this.flush(), { signal });
    window.addEventListener("pagehide", () => this._keep(), { signal });
  }

  // other changes than those before
  _anew() {
    this.history = null;
    this.pinned = false;
    this.token = crypto.getRandomValues(new Uint32Array(2)).join("-"); // tells Python's answers to these changes
    this.number = 0; // of the change that was told last
    this.answered = 0; // of the change that Python answered last
  }

  destroy() {
    this._keep();
    this.listening.abort();
    clearTimeout(this.rest);
    cancelAnimationFrame(this.frame);
    if (this.old) this.old.destroy();
  }

  _build() {
    const { words } = this;
    const button = (name, act, kind = "") =>
      element("button", { type: "button", class: `text ${kind}`, title: words[`${name}_help`], onclick: act }, words[name]);
    this.buttons = {
      add: button("add", () => this.add()),
      link: button("link", () => this.link()),
      remove: button("remove", () => this.remove()),
      undo: iconButton("undo", words.undo, () => this.move(-1)),
      redo: iconButton("redo", words.redo, () => this.move(1)),
      again: button("again", () => this.again()),
      pin: button("pin", () => this.pin()),
      both: button("both", () => this.beside(!this.old)),
    };
    const { add, link, remove, undo, redo, again, pin, both } = this.buttons;
    this.score = element("input", { type: "number", step: "any", class: "score", oninput: () => this._typed() });
    this.label = element("input", { type: "text", maxlength: 60, dir: "auto", oninput: () => this._named() });
    this.who = element("b", { dir: "auto" });
    const field = (word, input) => element("label", {}, `${word} `, input);
    this.scoreField = field(words.score, this.score);
    this.labelField = field(words.label, this.label);
    this.wrong = element("span", { class: "wrong", role: "alert" });
    this.about = element("div", { class: "about" }, this.who, this.scoreField, this.labelField, this.wrong);
    this.sentence = element("p", { class: "change", role: "status", "aria-live": "polite" });
    this.hint = element("p", { class: "quiet" });
    this.bar = element(
      "div",
      { class: "bar-row", role: "toolbar", "aria-label": words.toolbar },
      ...[add, link, remove, undo, redo, again, pin, both],
    );
    const talk = element("div", { class: "talk" }, this.hint, this.sentence);
    this.root = element("section", { class: "edit", "aria-label": words.title }, this.bar, this.about, talk);
    this.root.hidden = true;
    this.handle = element("div", { class: "handle", role: "slider", tabindex: 0, "aria-orientation": "vertical" });
    this.handle.hidden = true;
    this.handle.addEventListener("keydown", (event) => this._handleKey(event));
    this._drags();
    this.before = element("div", { class: "stage before" });
    this.captions = [words.before, words.now].map((word) => element("span", { class: "caption" }, word));
  }

  // ---- beginning, and Python's answers ----------------------------------------------------------------------------

  // Python shows what was changed here: its trace has another name and is what stands here already
  answers({ edit }) {
    return Boolean(this.history && edit && edit.token === this.token && edit.n <= this.number);
  }

  // take over the name of the answer to the latest change; place: see Canvas.update
  adopt({ trace, edit, options }, place) {
    const { canvas } = this;
    if (edit.n < this.number) return;
    this.answered = edit.n;
    if (this.told !== this.graph || this.pinned) this._later(); // what was changed while Python worked on this
    this.wrong.textContent = edit.error || "";
    if (this.complement !== Boolean(options.complement)) {
      this.complement = Boolean(options.complement);
      const { graph, data } = this.original;
      const { complement } = this;
      this.original.data = traceData({ ...graph, score: data.score, rounded: data.rounded }, { learned: data.learned, complement });
      this._first();
      this.show();
    }
    if (canvas.id === trace.id) return;
    canvas.id = trace.id;
    canvas.place = place;
    this._remember();
    canvas.report();
  }

  _remember() {
    SESSIONS.delete(this.canvas.id);
    SESSIONS.set(this.canvas.id, { history: this.history, original: this.original, graph: this.graph });
    if (SESSIONS.size > 6) SESSIONS.delete(SESSIONS.keys().next().value);
  }

  // another trace is shown, or the mode was switched; data: what Python sent
  start(data) {
    const { canvas } = this;
    const wanted = data.options.mode === "edit" && canvas.options.layout === "full";
    if (this.source !== canvas.trace) {
      clearTimeout(this.rest);
      this.source = canvas.trace;
      this._anew();
      this.beside(false);
    }
    const { trace } = canvas;
    this.can = !trace.outside && (canvas.options.levels || [0])[0] === 0 && trace.n > 0 && trace.n <= MOST_CHANGED;
    this.complement = Boolean(canvas.options.complement);
    this.on = wanted;
    this.root.hidden = !wanted;
    canvas.box.toggleAttribute("data-edit", wanted);
    canvas.bars.setEditing(wanted && this.can);
    if (!wanted) this._leave();
    else if (this.can) this._enter(data);
    this.render();
  }

  _enter(data) {
    const { canvas } = this;
    canvas.pause();
    if (!this.history) {
      const kept = SESSIONS.get(canvas.id);
      const at = kept ? kept.history.graphs.indexOf(kept.graph) : -1;
      if (at >= 0) {
        Object.assign(this, { history: kept.history, original: kept.original, told: kept.graph });
        this.history.at = at;
      } else {
        const first = drawnOf(canvas.trace.data);
        this.history = new History(first);
        this.told = first;
        this.original = { graph: first, data: canvas.trace.data };
      }
    }
    if (data.original && this.original.data.id !== data.original.id) {
      this.original = { graph: drawnOf(data.original), data: data.original };
    }
    // vertices that were moved while nothing was changed stay where they are
    const { graphs, at } = this.history;
    const placed = { ...graphs[at], x: Array.from(canvas.view.x), y: Array.from(canvas.view.y) };
    if (this.told === graphs[at]) this.told = placed;
    if (this.original.graph === graphs[at]) this.original.graph = placed;
    graphs[at] = placed;
    this._remember();
    this._first();
    canvas.stage.append(this.handle);
    this._resume(data.edit);
  }

  // what was changed, and not told, before this page was left
  _resume(edit) {
    const left = UNTOLD.get();
    if (!left) return;
    const { history } = this;
    const same = left.id === this.canvas.id || (edit && edit.token === left.token) || left.from === outline(this.graph);
    if (!same) return;
    UNTOLD.forget();
    if (left.graph && content(left.graph) === content(this.graph)) return; // it was heard after all
    if (left.history === history) {
      history.at = left.at;
      this.show();
    } else this.change(left.graph || this.original.graph);
    if (left.pinned) this.pin();
  }

  // the trace of the original, for comparison
  _first() {
    const { graph, data } = this.original;
    this.originalTrace = new Trace({ ...data, x: graph.x, y: graph.y });
    this.originalTrace.scoreText = scoreFormat(this.originalTrace);
    this.compared = null;
    if (this.old) this.old.setTrace(this.originalTrace, this.originalTrace.stepOf(this.canvas.wanted), false);
  }

  _leave() {
    this.linking = -1;
    this.canvas.hold.end();
    this.handle.remove();
    this.beside(false);
    this.flush();
    if (this.canvas.view) Object.assign(this.canvas.view, { fates: [], lit: null, band: null });
  }

  get graph() {
    return this.history.graph;
  }

  get changed() {
    return this.graph !== this.original.graph;
  }

  // ---- changes ----------------------------------------------------------------------------------------------------

  // kind: see History.push; still: a drag goes on, rows keep their places
  change(graph, { kind = null, still = false, select } = {}) {
    this.history.push(graph, kind);
    this.show({ still, select });
  }

  // make the graph of the history what is seen; the cursor stays where it is
  show({ still = false, select } = {}) {
    const { canvas, graph } = this;
    const chosen = canvas.vertex >= 0 ? canvas.trace.ids[canvas.vertex] : null;
    const data = this.changed
      ? traceData(graph, { complement: this.complement })
      : { ...this.original.data, x: graph.x, y: graph.y };
    const vertex = select !== undefined ? select : chosen === null ? -1 : graph.ids.indexOf(chosen);
    canvas.view.lit = null;
    if (!canvas.hold.part) canvas.hold.take(); // a key of the page, say
    canvas.retrace(new Trace(data), vertex, still);
    this._later();
  }

  move(by) {
    if (this.can && this.history.move(by)) this.show();
  }

  again() {
    if (this.changed) this.change(this.original.graph);
  }

  // what is seen is the original from now on
  pin() {
    if (!this.changed) return;
    this.original = { graph: this.graph, data: this.canvas.trace.data };
    this.pinned = true;
    this._first();
    this.flush();
    this.canvas.render();
  }

  // one change at most a frame, while a pointer is dragged
  _soon(act) {
    this.next = act;
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const { next } = this;
      this.next = null;
      if (next) next();
    });
  }

  // scores go in steps of about a hundredth of their range
  get unit() {
    const { most, from } = this.canvas.bars;
    return 10 ** (Math.floor(Math.log10(Math.max(0.999 * (most - from), 1e-9))) - 1);
  }

  _snapped(value) {
    const { unit } = this;
    const snapped = Number((Math.round(value / unit) * unit).toPrecision(12));
    return Math.max(snapped, Number((unit / 10).toPrecision(3)));
  }

  setScore(v, value, { still = false } = {}) {
    if (!this.can || v < 0) return;
    const score = this._snapped(value);
    if (score === this.graph.score[v]) return;
    this.change(withScore(this.graph, v, score), { kind: `score ${this.graph.ids[v]}`, still, select: v });
  }

  dragScore(v, value) {
    this._soon(() => this.setScore(v, value, { still: true }));
  }

  // a drag has ended: the rows find their places
  endDrag() {
    if (this.next) this.next();
    this.next = null;
    this.history.rest();
    const { canvas } = this;
    canvas.bars.retrace(canvas.trace, false);
    canvas.render(true);
  }

  nudge(by) {
    const v = this.canvas.vertex;
    if (v >= 0) this.setScore(v, this.graph.score[v] + by * this.unit);
  }

  _typed() {
    const v = this.canvas.vertex;
    const value = Number(this.score.value);
    const right = this.score.value !== "" && Number.isFinite(value) && value > 0;
    this.score.setAttribute("aria-invalid", String(!right));
    this.wrong.textContent = right ? "" : this.words.not_positive;
    if (!right || v < 0 || value === this.graph.score[v]) return;
    this.change(withScore(this.graph, v, value), { kind: `typed ${this.graph.ids[v]}` });
  }

  _named() {
    const v = this.canvas.vertex;
    if (v >= 0) this.change(withLabel(this.graph, v, this.label.value), { kind: `label ${this.graph.ids[v]}` });
  }

  // a vertex where the stage was pointed at; otherwise beside the selected one
  add(px, py) {
    if (!this.can) return;
    const { canvas, graph } = this;
    const { view } = canvas;
    const [x, y] = px === undefined ? this._room() : view.world(px, py);
    const sorted = Float64Array.from(graph.score).sort();
    const score = Math.max(this._snapped(sorted[sorted.length >> 1]), this.unit); // a middling one
    this.change(withVertex(graph, x, y, score), { select: graph.ids.length });
  }

  // the freest place around the selected vertex, or around the middle of what is seen
  _room() {
    const { view, vertex } = this.canvas;
    const [cx, cy] = vertex >= 0 ? [view.sx(vertex), view.sy(vertex)] : [view.w / 2, view.h / 2];
    let best = view.world(cx, cy);
    let most = -1;
    const inside = (v) => Math.max(30, Math.min(v.at, v.size - 30));
    for (let turn = 0; turn < 16; turn++) {
      const px = inside({ at: cx + 70 * Math.cos((turn * Math.PI) / 8), size: view.w });
      const py = inside({ at: cy + 70 * Math.sin((turn * Math.PI) / 8), size: view.h });
      let nearest = Infinity;
      for (let v = 0; v < view.trace.n; v++) nearest = Math.min(nearest, Math.hypot(view.sx(v) - px, view.sy(v) - py));
      if (nearest > most + 1) {
        most = nearest;
        best = view.world(px, py);
      }
    }
    return best;
  }

  // begin an edge at the selected vertex, or end that
  link() {
    if (!this.can) return;
    const { vertex } = this.canvas;
    this.linking = this.linking >= 0 || vertex < 0 ? -1 : vertex;
    if (vertex < 0) this.canvas.walk(1);
    this.render();
  }

  // connect two vertices, or cut their edge
  toggleEdge(u, v) {
    this.linking = -1;
    if (!this.can || u < 0 || v < 0 || u === v) return this.render();
    this.change(withEdge(this.graph, u, v), { select: v });
  }

  // the selected edge, otherwise the selected vertex; a graph keeps one vertex
  remove() {
    const { lit } = this.canvas.view;
    const { vertex } = this.canvas;
    if (!this.can) return;
    if (lit) this.change(withEdge(this.graph, ...lit));
    else if (vertex >= 0 && this.graph.ids.length > 1) this.change(withoutVertex(this.graph, vertex), { select: -1 });
  }

  // ---- the pointer and the keys (see View and Canvas) -------------------------------------------------------------

  // a tap on a vertex (-1: beside one) at a place of the stage; when: as the event says, since a busy page hears of it
  // late; true: it was meant for this
  tap(v, px, py, when) {
    if (!this.on || !this.can) return false;
    const { canvas } = this;
    const { view } = canvas;
    if (v >= 0) {
      view.lit = null;
      if (this.linking < 0) return false;
      this.toggleEdge(this.linking, v);
      return true;
    }
    this.linking = -1;
    const again = this.tapped && when - this.tapped.at < TAP_MS && Math.hypot(this.tapped.x - px, this.tapped.y - py) < 20;
    this.tapped = again ? null : { at: when, x: px, y: py };
    if (again) {
      this.add(px, py);
      return true;
    }
    view.lit = view.hitEdge(px, py);
    canvas.select(-1);
    canvas.render();
    return true;
  }

  draws(event) {
    return this.on && this.can && (event.shiftKey || this.linking >= 0);
  }

  moved(v) {
    if (!this.on || !this.can) return;
    const { view } = this.canvas;
    this._put(v, view.x[v], view.y[v]);
  }

  // with as many digits as a screen can show
  _put(v, x, y, kind = null) {
    const digits = Math.max(0, Math.ceil(Math.log10(this.canvas.view.scale)) + 2);
    const [px, py] = [x, y].map((value) => Number(value.toFixed(Math.min(digits, 12))));
    this.change(withPlace(this.graph, v, px, py), { kind, select: v });
  }

  // true: the key was meant for this; mine: the graph or the bars have the focus
  key(event, mine) {
    if (!this.on || !this.can || this.canvas.options.present) return false;
    const command = event.ctrlKey || event.metaKey;
    const { vertex, view } = this.canvas;
    let act = null;
    if (command && !event.altKey) {
      const key = event.key.toLowerCase();
      if (key === "z") act = () => this.move(event.shiftKey ? 1 : -1);
      else if (key === "y") act = () => this.move(1);
    } else if (mine && event.altKey && event.key.startsWith("Arrow") && vertex >= 0) {
      const [dx, dy] = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }[event.key];
      act = () => {
        const [x, y] = view.world(view.sx(vertex) + dx, view.sy(vertex) + dy);
        this._put(vertex, x, y, `move ${this.graph.ids[vertex]}`);
      };
    } else if (mine && !event.altKey) {
      act = {
        "+": () => this.nudge(1),
        "=": () => this.nudge(1),
        "-": () => this.nudge(-1),
        _: () => this.nudge(-1),
        a: () => this.add(),
        Insert: () => this.add(),
        c: () => this.link(),
        Delete: () => this.remove(),
        Backspace: () => this.remove(),
      }[event.key];
      if (this.linking >= 0 && event.key === "Enter") act = () => this.toggleEdge(this.linking, vertex);
      if (this.linking >= 0 && event.key === "Escape") act = () => this.link();
    }
    if (!act) return false;
    event.preventDefault();
    event.stopPropagation();
    act();
    return true;
  }

  barKey(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!this.on || !this.can) return;
    if (by && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      event.stopPropagation();
      this.nudge(by);
    } else this.key(event, true);
  }

  _handleKey(event) {
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (!by || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.nudge(by);
  }

  // the handle beside the selected vertex: up is more
  _drags() {
    const { handle } = this;
    let drag = null;
    handle.addEventListener("pointerdown", (event) => {
      const { bars, vertex } = this.canvas;
      event.stopPropagation();
      if (event.button || vertex < 0) return;
      drag = { v: vertex, y: event.clientY, score: this.graph.score[vertex], range: bars.most - bars.from };
      handle.setPointerCapture(event.pointerId);
    });
    handle.addEventListener("pointermove", (event) => {
      if (!drag) return;
      event.stopPropagation();
      this.dragScore(drag.v, drag.score + ((drag.y - event.clientY) / HANDLE_PX) * drag.range);
    });
    const end = () => {
      if (drag) this.endDrag();
      drag = null;
    };
    handle.addEventListener("pointerup", end);
    handle.addEventListener("pointercancel", end);
  }

  // ---- what is seen -----------------------------------------------------------------------------------------------

  // the old trace beside the new one
  beside(wanted) {
    const { canvas } = this;
    if (Boolean(this.old) === wanted) return;
    canvas.box.toggleAttribute("data-both", wanted);
    if (wanted) {
      canvas.figure.prepend(this.before);
      this.before.append(this.captions[0]);
      canvas.stage.append(this.captions[1]);
      const find = (v) => (v < 0 ? -1 : canvas.trace.ids.indexOf(this.originalTrace.ids[v]));
      this.old = new View(this.before, this.originalTrace, canvas.look, canvas.options, {
        select: (v) => canvas.select(find(v)),
        hover: (v) => canvas.hover(find(v)),
      });
      this.old.setStep(this.originalTrace.stepOf(canvas.wanted), false);
    } else {
      this.old.destroy();
      this.old = null;
      this.before.remove();
      this.captions[1].remove();
    }
    this.render();
  }

  render() {
    if (!this.on) return;
    const { canvas, words, can, buttons } = this;
    for (const button of Object.values(buttons)) button.disabled = !can;
    for (const part of [this.about, this.sentence]) part.hidden = !can;
    if (!can) {
      const level = (canvas.options.levels || [0])[0];
      this.hint.textContent = level ? words.not_here : fillText(words.too_large, { most: MOST_CHANGED.toLocaleString("en") });
      return;
    }
    const { trace, vertex, view } = canvas;
    const { history } = this;
    buttons.undo.disabled = history.at === 0;
    buttons.redo.disabled = history.at === history.graphs.length - 1;
    buttons.again.disabled = buttons.pin.disabled = !this.changed;
    buttons.remove.disabled = !view.lit && (vertex < 0 || trace.n < 2);
    buttons.remove.textContent = view.lit ? words.cut : words.remove;
    buttons.link.setAttribute("aria-pressed", String(this.linking >= 0));
    buttons.both.setAttribute("aria-pressed", String(Boolean(this.old)));
    this._about(trace, vertex);
    this._compare(trace);
    const hint = this.linking >= 0 ? "hint_link" : trace.n < 2 ? "hint_empty" : this.changed ? "" : "hint";
    const from = this.linking >= 0 ? trace.ids[this.linking] : "";
    this.hint.textContent = hint ? fillText(words[hint], { v: from }) : "";
    this.hint.hidden = !hint;
    if (this.old) {
      this.old.setLook(canvas.look);
      const step = this.originalTrace.stepOf(canvas.wanted);
      if (step !== this.old.step) this.old.setStep(step, true);
      const twin = vertex < 0 ? -1 : this.originalTrace.ids.indexOf(trace.ids[vertex]);
      this.old.point({ selected: twin, hovered: -1, evidence: { rival: -1, by: -1 } });
    }
  }

  // the selected vertex or edge, its score and its label
  _about(trace, vertex) {
    const { words } = this;
    const { lit } = this.canvas.view;
    const active = this.root.getRootNode().activeElement;
    const values = lit ? { u: trace.ids[lit[0]], v: trace.ids[lit[1]] } : { v: vertex >= 0 ? trace.ids[vertex] : "" };
    const name = lit ? "edge" : vertex >= 0 ? "vertex" : "nothing";
    this.who.textContent = fillText(words[name], values);
    const one = name === "vertex";
    for (const part of [this.scoreField, this.labelField, this.handle]) part.hidden = !one;
    if (!one) return;
    const score = this.graph.score[vertex];
    if (active !== this.score || vertex !== this.shown) {
      this.score.value = String(score);
      this.score.setAttribute("aria-invalid", "false");
      this.wrong.textContent = "";
    }
    if (active !== this.label || vertex !== this.shown) this.label.value = this.graph.labels ? this.graph.labels[vertex] : "";
    this.shown = vertex;
    this.handle.setAttribute("aria-label", fillText(words.handle, { v: trace.ids[vertex] }));
    this.handle.setAttribute("aria-valuenow", String(score));
    this.handle.setAttribute("aria-valuemin", "0");
    this.handle.setAttribute("aria-valuetext", trace.scoreText(score));
    this.handle.title = words.handle_help;
  }

  // the handle stands beside its vertex: told by the view whenever it has drawn
  place() {
    const { view, vertex, trace } = this.canvas;
    if (!this.on || this.handle.hidden || vertex < 0) return;
    const r = view.radiusOf(vertex, trace.state(vertex, view.step)) + 12;
    const right = view.sx(vertex) + r + 26 < view.w;
    const x = right ? view.sx(vertex) + r : view.sx(vertex) - r - 22;
    this.handle.style.transform = `translate(${x}px, ${view.sy(vertex) - 20}px)`;
  }

  // what the changes did, in a sentence and in the graph
  _compare(trace) {
    if (this.compared === trace) return;
    this.compared = trace;
    const { canvas, words } = this;
    const drawing = this.originalTrace.n < 2; // there is nothing to compare with
    const found = changes(drawing ? trace : this.originalTrace, trace);
    canvas.view.fates = [...found.rises, ...found.falls, ...found.moves];
    const lost = [...found.falls.map((v) => ({ vertex: v })), ...found.lost];
    const rises = found.rises.map((v) => ({ vertex: v }));
    const moves = found.moves.map((v) => ({ vertex: v }));
    const values = { rises: this._list(rises), rising: rises.length, falls: this._list(lost), falling: lost.length };
    Object.assign(values, { moves: this._list(moves), moving: moves.length, a: String(found.T[0]), b: String(found.T[1]) });
    const names = [];
    if (rises.length && lost.length) names.push("instead");
    else if (rises.length) names.push("rises");
    else if (lost.length) names.push("falls");
    if (moves.length) names.push("moves");
    if (found.T[0] !== found.T[1]) names.push(found.T[0] < found.T[1] ? "grows" : "shrinks");
    if (!names.length && this.changed && !drawing) names.push("same");
    const parts = names.flatMap((name, i) => [...(i ? ["; "] : []), ...fill(words[name], values)]);
    const marked = canvas.view.fates.length ? element("span", { class: "quiet" }, words.marked) : "";
    this.sentence.replaceChildren(...nodes(names.length ? [...parts, "."] : [], trace, canvas.on), marked);
  }

  // "3, 5 and 4 more": parts
  _list(parts) {
    const shown = parts.slice(0, MOST_NAMED);
    const more = parts.length - shown.length;
    const { and, more: words } = this.canvas.settings.strings.why;
    const listed = shown.flatMap((part, i) => (i ? [i === shown.length - 1 && !more ? ` ${and} ` : ", ", part] : [part]));
    return more ? [...listed, " ", ...fill(words, { more: String(more) })] : listed;
  }

  // ---- telling Python ---------------------------------------------------------------------------------------------

  _later() {
    clearTimeout(this.rest);
    const ms = this.canvas.trace.n > LARGE ? LARGE_REST_MS : CHANGE_REST_MS;
    this.rest = setTimeout(() => this.flush(), ms);
  }

  // the page goes, and with it what was not told; alone, that is all of it
  _keep() {
    if (!this.on || !this.can) return;
    if (this.next) this.next(); // a drag goes on
    this.next = null;
    if (!(this.canvas.options.alone ? this.changed : this.pending)) return;
    const { history, token, pinned, told, graph, changed } = this;
    const made = changed || pinned ? plain(graph) : null; // null: the original
    UNTOLD.put({ id: this.canvas.id, token, pinned, from: outline(told), graph: made, history, at: history.at });
  }

  // whether Python has not heard of the latest change, or not answered it
  get pending() {
    return Boolean(this.history) && (this.told !== this.graph || this.pinned || this.answered < this.number);
  }

  // now: whether it waits for no answer
  flush(now = false) {
    clearTimeout(this.rest);
    if (!this.history) return;
    const { canvas, graph, pinned } = this;
    const { alone } = canvas.options; // nobody is there to be told: the change lives in this page
    if (this.told === graph && !pinned) return;
    if (canvas.leaving.gone && !alone) return this._later();
    // one at a time: the page's other widgets take over what a change did to them before the next one is told
    const waits = this.answered < this.number && performance.now() - this.asked < PATIENCE_MS;
    if (waits && !alone && !(now && this.answered)) return this._later();
    this.told = graph;
    this.pinned = false;
    if (alone) return;
    this.asked = performance.now();
    this.number += 1;
    const { ids, labels, x, edges, score } = graph;
    const content = { ids, labels, x, y: graph.y.map((value) => -value), edges, score };
    const vertex = canvas.vertex >= 0 ? ids[canvas.vertex] : null;
    canvas.leaving.told();
    canvas.edited({
      token: this.token,
      n: this.number,
      id: canvas.id, // of the trace that was changed
      step: canvas.step,
      vertex,
      pinned, // the graph is the original from now on
      graph: this.changed || pinned ? content : null, // null: the original
    });
  }
}
