// Edit: a person changes scores, vertices and edges, and the trace follows under the pointer (model/editing.js). What was
// changed is reported to Python when it rests; Python's answer is the same trace under another name, so nothing is set back by it.
import { View } from "../draw/view.js";
import { Pointer } from "../input/pointer.js";
import { answers, editing, isChanged, message, MOST_CHANGED, originalUnheard, pending, referencePlace, unsent } from "../model/editing.js";
import { changes, scoreOf } from "../model/edits.js";
import { most } from "../model/scale.js";
import { changed } from "../model/store.js";
import { fill, fillText } from "../model/text.js";
import { element, iconButton, nodes } from "../panels/element.js";
import { kept } from "../panels/kept.js";

const CHANGE_DELAY_MS = 300; // a change that rests this long is reported
const LARGE_DELAY_MS = 1200; // of a graph that takes longer to send
const LARGE = 2000;
const PATIENCE_MS = 20000; // an answer that takes longer is not waited for
const HANDLE_PX = 110; // dragging a vertex's handle that far spans the scores
const MOST_NAMED = 4; // vertices in the sentence
const TAP_MS = 350;
const MOST_SESSIONS = 6;

// changes made to a trace, by its name: {session, graph}. A canvas that comes back goes on with them.
const SESSIONS = new Map();

// A change that Python had not answered when its page was left. The canvas that shows what it was made from makes it
// again: in this page, or after a reload from the browser's store.
const UNSENT = {
  key: "mivspool:unsent",
  left: null,
  put(left) {
    this.left = left;
    const { session, pinned, ...plain } = left; // a reload begins a history of its own
    kept("sessionStorage", (storage) => storage.setItem(this.key, JSON.stringify(plain)));
  },
  get() {
    return this.left || JSON.parse(kept("sessionStorage", (storage) => storage.getItem(this.key)) || "null");
  },
  forget() {
    this.left = null;
    kept("sessionStorage", (storage) => storage.removeItem(this.key));
  },
};

const plain = (graph) => Object.fromEntries(Object.entries(graph).map(([name, list]) => [name, list && Array.from(list)]));
const outline = ({ ids, edges }) => JSON.stringify([ids, Array.from(edges)]);
const content = ({ ids, labels, edges, score }) => JSON.stringify([ids, labels, Array.from(edges), Array.from(score)]);

export class Edit {
  // canvas: what of it this needs: {box, stage, figure, hold, leaving, view(), theme(), edited(message): Python's ear}
  constructor(store, strings, canvas) {
    this.store = store;
    this.strings = strings;
    this.words = strings.edit;
    this.canvas = canvas;
    this.session = null; // {history, original}: the latest of them, for a canvas that comes back
    this.old = null; // the old trace beside the new one
    this.error = ""; // what Python said of the latest change
    this.listening = new AbortController();
    this._build();
    store.subscribe((state, before) => this._heard(state, before));
    const { signal } = this.listening;
    window.addEventListener("blur", () => this.flush(), { signal });
    window.addEventListener("pagehide", () => this._save(), { signal });
  }

  destroy() {
    this._save();
    this.listening.abort();
    clearTimeout(this.timer);
    cancelAnimationFrame(this.frame);
    this._close();
  }

  _build() {
    const { words, store } = this;
    const button = (name, act) =>
      element("button", { type: "button", class: "text ", title: words[`${name}_help`], onclick: act }, words[name]);
    const act = (type) => () => store.dispatch({ type });
    this.buttons = {
      add: button("add", () => this._add()),
      link: button("link", act("link")),
      remove: button("remove", act("remove")),
      undo: iconButton("undo", words.undo, act("undo")),
      redo: iconButton("redo", words.redo, act("redo")),
      again: button("again", act("reset")),
      pin: button("pin", () => this._pin()),
      both: button("both", () => this._beside(!this.old)),
    };
    this.score = element("input", { inputmode: "decimal", autocomplete: "off", class: "score", oninput: () => this._typed() });
    const labelled = () => store.dispatch({ type: "label", label: this.label.value });
    this.label = element("input", { type: "text", maxlength: 60, dir: "auto", oninput: labelled });
    this.who = element("b", { dir: "auto" });
    const field = (word, input) => element("label", {}, `${word} `, input);
    this.scoreField = field(words.score, this.score);
    this.labelField = field(words.label, this.label);
    this.wrong = element("span", { class: "wrong", role: "alert" });
    this.about = element("div", { class: "about" }, this.who, this.scoreField, this.labelField, this.wrong);
    this.sentence = element("p", { class: "change", role: "status", "aria-live": "polite" });
    this.hint = element("p", { class: "quiet" });
    const attributes = { class: "bar-row", role: "toolbar", "aria-label": words.toolbar };
    this.bar = element("div", attributes, ...Object.values(this.buttons));
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

  // Python shows what was changed here
  answers(data) {
    return answers(this.store.state, data.edit);
  }

  // take over the name of the answer to the latest change; key: see state.js
  adopt({ trace, edit, options }, key) {
    const { store } = this;
    if (edit.n < store.state.edit.number) return;
    if (unsent(store.state)) this._later(); // what was changed while Python worked on this
    this.error = edit.error || "";
    this._complain();
    store.dispatch({ type: "answered", n: edit.n, complement: Boolean(options.complement) });
    if (store.state.id === trace.id) return;
    store.dispatch({ type: "name", id: trace.id, key });
    this._remember();
  }

  _remember() {
    const { id, edit } = this.store.state;
    SESSIONS.delete(id);
    SESSIONS.set(id, { session: this.session, graph: edit.history.graph });
    if (SESSIONS.size > MOST_SESSIONS) SESSIONS.delete(SESSIONS.keys().next().value);
  }

  // another trace is shown, or another mode; data: what Python sent
  start(data) {
    const { store } = this;
    clearTimeout(this.timer);
    this._close();
    this.session = null;
    this.error = "";
    if (!store.state.edit.on) this.canvas.hold.end();
    if (editing(store.state)) this._enter(data);
    else this.handle.remove();
  }

  _enter(data) {
    const { store, canvas } = this;
    const { id } = store.state;
    store.dispatch({ type: "pause" });
    const kept = SESSIONS.get(id);
    const at = kept ? kept.session.history.graphs.indexOf(kept.graph) : -1;
    if (at >= 0) this.session = kept.session;
    const view = canvas.view();
    store.dispatch({
      type: "enter",
      ...{ x: Array.from(view.x), y: Array.from(view.y), original: data.original },
      kept: at >= 0 ? { history: kept.session.history.to(at), original: kept.session.original } : null,
      token: crypto.getRandomValues(new Uint32Array(2)).join("-"),
    });
    this._remember();
    canvas.stage.append(this.handle);
    this._resume(data.edit);
  }

  // what was changed, and not reported, before this page was left
  _resume(edit) {
    const left = UNSENT.get();
    if (!left) return;
    const { store } = this;
    const { graph } = store.state.edit.history;
    const same = left.id === store.state.id || (edit && edit.token === left.token) || left.from === outline(graph);
    if (!same) return;
    UNSENT.forget();
    if (!left.original && left.graph && content(left.graph) === content(graph)) return; // it was heard after all
    if (left.session === this.session) store.dispatch({ type: "resume", at: left.at, original: left.pinned });
    else {
      if (left.original) {
        store.dispatch({ type: "remake", graph: left.original });
        store.dispatch({ type: "pin" });
      }
      if (left.graph || !left.original) store.dispatch({ type: "remake", graph: left.graph });
    }
    if (left.original) this.flush();
  }

  // before anything of it is drawn: what was changed stays where it is, and is reported when it rests
  _heard({ edit, trace }, before) {
    const { history, original } = edit;
    if (!history || !changed(edit, before.edit, "history", "original")) return;
    if (this.session) Object.assign(this.session, { history, original });
    else this.session = { history, original };
    if (!before.edit.history || history.graph === before.edit.history.graph) return; // it begins, or rests
    if (!this.canvas.hold.part) this.canvas.hold.take(); // a key of the page, say
    this._later(trace.n);
  }

  // ---- the pointer and the keys (see Pointer and Keys) ------------------------------------------------------------

  // a tap on a vertex (-1: beside one) at a place of the stage; when: as the event says, since a busy page hears of it
  // late; true: it was meant for this
  tap(v, px, py, when) {
    const { store } = this;
    if (!editing(store.state)) return false;
    const { linking } = store.state.edit;
    if (v >= 0) {
      if (linking >= 0) store.dispatch({ type: "join", from: linking, to: v });
      else store.dispatch({ type: "edge", edge: null });
      return linking >= 0;
    }
    const again = this.tapped && when - this.tapped.at < TAP_MS && Math.hypot(this.tapped.x - px, this.tapped.y - py) < 20;
    this.tapped = again ? null : { at: when, x: px, y: py };
    if (again) this._add(px, py);
    else store.dispatch({ type: "edge", edge: this.canvas.view().hitEdge(px, py), vertex: -1 });
    return true;
  }

  draws(event) {
    const { state } = this.store;
    return editing(state) && (event.shiftKey || state.edit.linking >= 0);
  }

  drew(from, to) {
    this.store.dispatch({ type: "join", from, to });
  }

  moved(v) {
    if (!editing(this.store.state)) return;
    const view = this.canvas.view();
    this._put(v, view.x[v], view.y[v]);
  }

  // with as many digits as a screen can show
  _put(vertex, x, y, kind) {
    const digits = Math.max(0, Math.ceil(Math.log10(this.canvas.view().scale)) + 2);
    const [px, py] = [x, y].map((value) => Number(value.toFixed(Math.min(digits, 12))));
    this.store.dispatch({ type: "put", vertex, x: px, y: py, kind });
  }

  // a vertex where the stage was pointed at; otherwise beside the selected one
  _add(px, py) {
    if (!editing(this.store.state)) return;
    const [x, y] = px === undefined ? this._free() : this.canvas.view().world(px, py);
    this.store.dispatch({ type: "add", x, y });
  }

  // the freest place around the selected vertex, or around the middle of the view
  _free() {
    const { vertex } = this.store.state;
    const view = this.canvas.view();
    const [cx, cy] = vertex >= 0 ? [view.sx(vertex), view.sy(vertex)] : [view.w / 2, view.h / 2];
    let best = view.world(cx, cy);
    let widest = -1;
    const inside = (v) => Math.max(30, Math.min(v.at, v.size - 30));
    for (let turn = 0; turn < 16; turn++) {
      const px = inside({ at: cx + 70 * Math.cos((turn * Math.PI) / 8), size: view.w });
      const py = inside({ at: cy + 70 * Math.sin((turn * Math.PI) / 8), size: view.h });
      let nearest = Infinity;
      for (let v = 0; v < view.trace.n; v++) nearest = Math.min(nearest, Math.hypot(view.sx(v) - px, view.sy(v) - py));
      if (nearest > widest + 1) {
        widest = nearest;
        best = view.world(px, py);
      }
    }
    return best;
  }

  // true: the key was meant for this; focused: the graph or the bars have the focus
  key(event, focused) {
    const { store } = this;
    const { state } = store;
    if (!editing(state) || state.options.present) return false;
    const { vertex, edit } = state;
    const on = (type, more) => () => store.dispatch({ type, ...more });
    let act = null;
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const key = event.key.toLowerCase();
      if (key === "z") act = on(event.shiftKey ? "redo" : "undo");
      else if (key === "y") act = on("redo");
    } else if (focused && event.altKey && event.key.startsWith("Arrow") && vertex >= 0) {
      const [dx, dy] = { ArrowLeft: [-10, 0], ArrowRight: [10, 0], ArrowUp: [0, -10], ArrowDown: [0, 10] }[event.key];
      act = () => {
        const view = this.canvas.view();
        this._put(vertex, ...view.world(view.sx(vertex) + dx, view.sy(vertex) + dy), "move");
      };
    } else if (focused && !event.altKey) {
      const [more, less, add, remove] = [on("nudge", { by: 1 }), on("nudge", { by: -1 }), () => this._add(), on("remove")];
      act = { "+": more, "=": more, "-": less, _: less, a: add, Insert: add, c: on("link"), Delete: remove, Backspace: remove }[event.key];
      if (edit.linking >= 0 && event.key === "Enter") act = on("join", { from: edit.linking, to: vertex });
      if (edit.linking >= 0 && event.key === "Escape") act = on("link");
    }
    if (!act) return false;
    event.preventDefault();
    event.stopPropagation();
    act();
    return true;
  }

  barKey(event) {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!editing(this.store.state)) return;
    if (by && !event.ctrlKey && !event.metaKey && !event.altKey) this._nudge(event, by);
    else this.key(event, true);
  }

  _handleKey(event) {
    const by = { ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10 }[event.key];
    if (by && !event.altKey) this._nudge(event, by);
  }

  _nudge(event, by) {
    event.preventDefault();
    event.stopPropagation();
    this.store.dispatch({ type: "nudge", by });
  }

  // the handle beside the selected vertex: up is more
  _drags() {
    const { handle } = this;
    let drag = null;
    handle.addEventListener("pointerdown", (event) => {
      const { vertex, scale, edit } = this.store.state;
      event.stopPropagation();
      if (event.button || vertex < 0) return;
      drag = { v: vertex, y: event.clientY, score: edit.history.graph.score[vertex], range: most(scale, true) - scale.from };
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

  // one change at most a frame, while a pointer is dragged
  dragScore(vertex, value) {
    this.next = () => this.store.dispatch({ type: "score", vertex, value, dragging: true });
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this._dragged();
    });
  }

  _dragged() {
    const { next } = this;
    this.next = null;
    if (next) next();
  }

  // a drag has ended: the rows find their places
  endDrag() {
    this._dragged();
    this.store.dispatch({ type: "settle" });
  }

  _typed() {
    const value = scoreOf(this.score.value);
    const right = value !== null;
    this.score.setAttribute("aria-invalid", String(!right));
    this._complain();
    if (right) this.store.dispatch({ type: "type", value });
  }

  // what is wrong: the score that is typed, or the latest change
  _complain() {
    const typed = this.score.getAttribute("aria-invalid") === "true";
    this.wrong.textContent = typed ? this.words.not_positive : this.error;
  }

  _pin() {
    this.store.dispatch({ type: "pin" });
    if (this.store.state.edit.pinned) this.flush();
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  // the old trace beside the new one
  _beside(wanted) {
    if (Boolean(this.old) === wanted) return;
    if (wanted) this._open();
    else this._close();
    this.render(this.store.state, null);
  }

  _open() {
    const { store, canvas, before, captions } = this;
    const { edit, options } = store.state;
    canvas.box.toggleAttribute("data-both", true);
    canvas.figure.prepend(before);
    before.append(captions[0]);
    canvas.stage.append(captions[1]);
    const find = (v) => (v < 0 ? -1 : store.state.trace.ids.indexOf(store.state.edit.reference.ids[v]));
    this.old = new View(before, edit.reference, canvas.theme(), options);
    this.old.setStep(referencePlace(store.state), false);
    this.pointer = new Pointer(this.old, {
      pick: (v) => store.dispatch({ type: "select", vertex: find(v) }),
      hover: (v) => store.dispatch({ type: "hover", vertex: find(v) }),
    });
  }

  _close() {
    if (!this.old) return;
    this.canvas.box.toggleAttribute("data-both", false);
    this.pointer.destroy();
    this.old.destroy();
    this.old = null;
    this.before.remove();
    this.captions[1].remove();
  }

  render(state, before) {
    const { edit, trace, vertex } = state;
    this.canvas.box.toggleAttribute("data-edit", edit.on);
    this.root.hidden = !edit.on;
    if (!changed(state, before, "edit", "trace", "vertex", "step", "part", "options")) return;
    const view = this.canvas.view();
    view.edge = edit.edge;
    if (!edit.history) view.differing = [];
    if (!edit.on) return;
    const { words, buttons } = this;
    const can = edit.possible;
    for (const button of Object.values(buttons)) button.disabled = !can;
    for (const part of [this.about, this.sentence]) part.hidden = !can;
    if (!can) {
      const level = (state.options.levels || [0])[0];
      this.hint.hidden = false;
      this.hint.textContent = level ? words.not_here : fillText(words.too_large, { most: MOST_CHANGED.toLocaleString("en") });
      return;
    }
    if (!edit.history) return; // it begins
    const { linking, edge, history } = edit;
    const different = isChanged(state);
    buttons.undo.disabled = !history.undoable;
    buttons.redo.disabled = !history.redoable;
    buttons.again.disabled = buttons.pin.disabled = !different;
    buttons.remove.disabled = !edge && (vertex < 0 || trace.n < 2);
    buttons.remove.textContent = edge ? words.cut : words.remove;
    buttons.link.setAttribute("aria-pressed", String(linking >= 0));
    buttons.both.setAttribute("aria-pressed", String(Boolean(this.old)));
    this._about(state);
    if (changed(state, before, "trace") || changed(edit, before.edit, "reference")) this._compare(state);
    const hint = linking >= 0 ? "hint_link" : trace.n < 2 ? "hint_empty" : different ? "" : "hint";
    const from = linking >= 0 ? trace.ids[linking] : "";
    this.hint.textContent = hint ? fillText(words[hint], { v: from }) : "";
    this.hint.hidden = !hint;
    if (this.old) this._renderOld(state, before);
  }


  _renderOld(state, before) {
    const { old } = this;
    const { edit, options, trace, vertex } = state;
    const { reference } = edit;
    const there = referencePlace(state);
    if (before && reference !== before.edit.reference) old.setTrace(reference, there, false);
    if (!before || options !== before.options) old.setTheme(this.canvas.theme());
    if (there.step !== old.step || there.part !== old.part) old.setStep(there, true);
    const twin = vertex < 0 ? -1 : reference.ids.indexOf(trace.ids[vertex]);
    old.point({ selected: twin, hovered: -1, evidence: { rival: -1, by: -1 } });
  }

  // the selected vertex or edge, its score and its label
  _about({ trace, vertex, edit: { edge, history } }) {
    const { words } = this;
    const active = this.root.getRootNode().activeElement;
    const values = edge ? { u: trace.ids[edge[0]], v: trace.ids[edge[1]] } : { v: vertex >= 0 ? trace.ids[vertex] : "" };
    const name = edge ? "edge" : vertex >= 0 ? "vertex" : "nothing";
    this.who.textContent = fillText(words[name], values);
    const one = name === "vertex";
    for (const part of [this.scoreField, this.labelField, this.handle]) part.hidden = !one;
    const typing = one && active === this.score && vertex === this.shown;
    if (!typing) this.score.setAttribute("aria-invalid", "false");
    this._complain();
    if (!one) return;
    const { score: scores, labels } = history.graph;
    const score = scores[vertex];
    if (!typing) this.score.value = String(score);
    if (active !== this.label || vertex !== this.shown) this.label.value = labels ? labels[vertex] : "";
    this.shown = vertex;
    this.handle.setAttribute("aria-label", fillText(words.handle, { v: trace.ids[vertex] }));
    this.handle.setAttribute("aria-valuenow", String(score));
    this.handle.setAttribute("aria-valuemin", "0");
    this.handle.setAttribute("aria-valuetext", trace.scoreText(score));
    this.handle.title = words.handle_help;
  }

  // the handle stands beside its vertex: asked by the view whenever it has drawn
  place(view) {
    const { vertex, trace, edit } = this.store.state;
    if (!edit.on || this.handle.hidden || vertex < 0) return;
    const r = view.radiusOf(vertex, view.stateOf(vertex)) + 12;
    const right = view.sx(vertex) + r + 26 < view.w;
    const x = right ? view.sx(vertex) + r : view.sx(vertex) - r - 22;
    this.handle.style.transform = `translate(${x}px, ${view.sy(vertex) - 20}px)`;
  }

  // what the changes did, in a sentence and in the graph
  _compare(state) {
    const { words } = this;
    const { trace, edit } = state;
    const drawing = edit.reference.n < 2; // there is nothing to compare with
    const found = changes(drawing ? trace : edit.reference, trace);
    const view = this.canvas.view();
    view.differing = [...found.rises, ...found.falls, ...found.moves];
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
    if (!names.length && isChanged(state) && !drawing) names.push("same");
    const parts = names.flatMap((name, i) => [...(i ? ["; "] : []), ...fill(words[name], values)]);
    const marked = view.differing.length ? element("span", { class: "quiet" }, words.marked) : "";
    this.sentence.replaceChildren(...nodes(names.length ? [...parts, "."] : [], this.store, "pick"), marked);
  }

  // "3, 5 and 4 more": parts
  _list(parts) {
    const shown = parts.slice(0, MOST_NAMED);
    const more = parts.length - shown.length;
    const { and, more: words } = this.strings.why;
    const listed = shown.flatMap((part, i) => (i ? [i === shown.length - 1 && !more ? ` ${and} ` : ", ", part] : [part]));
    return more ? [...listed, " ", ...fill(words, { more: String(more) })] : listed;
  }

  // ---- telling Python ---------------------------------------------------------------------------------------------

  _later(n = this.store.state.trace.n) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), n > LARGE ? LARGE_DELAY_MS : CHANGE_DELAY_MS);
  }

  // the page goes, and with it what was not reported
  _save() {
    const { store } = this;
    if (!store.state.edit.history || !editing(store.state)) return;
    this._dragged(); // a drag goes on
    const { state } = store;
    if (!pending(state)) return;
    const { history, token, sent } = state.edit;
    const pinned = originalUnheard(state) ? state.edit.original : null;
    const told = { original: pinned && plain(pinned.graph), graph: isChanged(state) ? plain(history.graph) : null }; // as in message
    UNSENT.put({ id: state.id, token, from: outline(sent), ...told, session: this.session, at: history.at, pinned });
  }

  // now: whether it waits for no answer
  flush(now = false) {
    clearTimeout(this.timer);
    const { store, canvas } = this;
    const { state } = store;
    if (!unsent(state)) return;
    if (canvas.leaving.away) return this._later();
    // one at a time: the page's other widgets take over what a change did to them before the next one is reported
    const waits = state.edit.answered < state.edit.number && performance.now() - this.asked < PATIENCE_MS;
    if (waits && !(now && state.edit.answered)) return this._later();
    const change = message(state);
    store.dispatch({ type: "sent" });
    this.asked = performance.now();
    canvas.edited(change);
    canvas.leaving.tells();
  }
}
