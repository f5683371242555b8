// The canvas as a page mounts it: one store, the graph, the panels around it and the modes, and what Python hears of it all.
// The trace is sent once, the screen is a cursor over it.
import { themeOf } from "../draw/theme.js";
import { View } from "../draw/view.js";
import { Hold } from "../input/hold.js";
import { Keys } from "../input/keys.js";
import { Pointer } from "../input/pointer.js";
import { sketch } from "../model/predict.js";
import { EMPTY, evidence, marks, reduce } from "../model/state.js";
import { changed, Store } from "../model/store.js";
import { fillText } from "../model/text.js";
import { Trace } from "../model/trace.js";
import { Edit } from "../modes/edit.js";
import { Highlight } from "../modes/highlight.js";
import { Predict } from "../modes/predict.js";
import { Present } from "../modes/present.js";
import { Bars } from "../panels/bars.js";
import { Beside } from "../panels/beside.js";
import { CodePanel } from "../panels/code.js";
import { element, iconButton } from "../panels/element.js";
import { Sentence } from "../panels/sentence.js";
import { TablePanel } from "../panels/table.js";
import { Timeline } from "../panels/timeline.js";
import { Tip } from "../panels/tip.js";
import { WhyPanel } from "../panels/why.js";
import { Leaving } from "./leaving.js";
import { Playback } from "./playback.js";
import { remembered, Report } from "./report.js";

export class Canvas {
  // root: element or shadow root to fill; settings: {strings, colours}; python: {cursor(cursor), edited(change),
  // request(value)}: who hears of it
  constructor(root, settings, python) {
    this.settings = settings;
    this.python = python;
    this.host = root.host || root;
    const { strings } = settings;
    // its requests have numbers that no earlier canvas's had
    const store = (this.store = new Store(reduce, { ...EMPTY, request: { n: Date.now(), value: null } }));
    this.highlight = new Highlight(store, strings);
    this.predict = new Predict(store, strings);
    this.present = new Present(store, strings);
    const edits = {
      score: (vertex, value) => this.edit.dragScore(vertex, value),
      end: () => this.edit.endDrag(),
      key: (event) => this.edit.barKey(event),
    };
    this.sentence = new Sentence(strings);
    this.timeline = new Timeline(strings, store);
    this.bars = new Bars(strings, store, edits);
    this.beside = new Beside(strings, { bars: this.bars, code: new CodePanel(strings, store) });
    this.why = new WhyPanel(strings, store);
    this.table = new TablePanel(strings, store);
    this._buildStage(strings);
    const panels = [this.sentence, { root: this.figure }, this.timeline, this.why, this.beside];
    const grid = (this.grid = element("div", { class: "grid" }, ...panels.map((panel) => panel.root)));
    this.box = element("div", { class: "mivspool" }, grid);
    root.append(this.box);
    this.leaving = new Leaving(this.box, (link) => {
      this.edit.flush(link);
      if (link) this.report.now();
    });
    this.edit = new Edit(store, strings, this._forEdit());
    grid.append(this.predict.root, this.edit.root);
    const held = [this.stage, ...panels, this.edit].map((part) => part.root || part);
    this.hold = new Hold(this.box, held, () => store.state.edit.on && !store.state.options.present);
    this.box.append(this.table.root);
    this.keys = new Keys(this.stage, store, { edit: this.edit, present: this.present, predict: this.predict }, () => this.view);
    store.subscribe((state, before) => this._render(state, before));
    this.playback = new Playback(store, strings);
    this.report = new Report(store, () => this.leaving.away, (cursor) => {
      this.python.cursor(cursor);
      this.leaving.tells();
    });
    Object.assign(this.box, { store, report: this.report }); // for benchmarks, tests and the page that shows a canvas
  }

  _buildStage(strings) {
    this.tip = new Tip(strings);
    this.stage = element("div", { class: "stage", tabindex: 0, role: "application" });
    this.notice = element("p", { class: "notice" }, strings.empty);
    this.zoom = element(
      "div",
      { class: "zoom" },
      iconButton("zoom_in", strings.zoom_in, () => this.view.zoomBy(1.35)),
      iconButton("zoom_out", strings.zoom_out, () => this.view.zoomBy(1 / 1.35)),
      iconButton("fit", strings.fit, () => this.view.fit()),
    );
    this.stage.append(this.tip.root, this.notice, this.zoom);
    this.figure = element("div", { class: "figure" }, this.stage);
  }

  // what the mode that changes a graph needs of the canvas
  _forEdit() {
    const canvas = this;
    return {
      ...{ box: this.box, stage: this.stage, figure: this.figure, leaving: this.leaving },
      get hold() {
        return canvas.hold;
      },
      view: () => this.view,
      theme: () => this.theme,
      edited: (change) => this.python.edited(change),
    };
  }

  destroy() {
    this.keys.destroy();
    this.highlight.destroy();
    this.edit.destroy();
    this.hold.destroy();
    this.leaving.destroy();
    this.present.destroy();
    this.host.removeAttribute("data-presents");
    this.playback.stop();
    this.report.cancel();
    this._close();
    this.bars.resizer.disconnect();
    this.box.remove();
  }

  // data: see mivspool/canvas/payload.py
  update(data) {
    const { trace, options, start, command } = data;
    const { store } = this;
    this._dress(options);
    const key = `${trace.id} ${start.n}`;
    const { begun } = store.state;
    const answers = this.edit.answers(data); // Python shows what was changed here
    if (answers) this.edit.adopt(data, key);
    if (answers || store.state.id === trace.id) {
      this.view.setTheme(this.theme);
      this.view.setOptions(options);
      store.dispatch({ type: "options", options });
      if (store.state.begun !== begun) this.edit.start(data);
      if (command && store.state.id === trace.id) store.dispatch({ type: "command", ...command });
    } else {
      if (store.state.trace) store.dispatch({ type: "pause" });
      store.dispatch({ type: "show", trace: new Trace(trace), id: trace.id, key, options, ...remembered(key, start, command) });
      this.edit.start(data);
    }
  }

  // the frame, the theme and what stands around the canvas
  _dress(options) {
    const { box, present } = this;
    box.dataset.layout = options.layout;
    if (options.layout !== "full") {
      this.why.root.remove();
      this.beside.root.remove();
    }
    box.dataset.hide = (options.hide || []).join(" ");
    box.style.setProperty("--stage", `${options.height}px`);
    const presents = Boolean(options.present);
    box.toggleAttribute("data-present", presents);
    // What stands around the canvas belongs to the page, which asks for this mark. It is the canvas's own, not the
    // page's: of two canvases that come and go in any order, none undoes what the other one said.
    this.host.toggleAttribute("data-presents", presents);
    if (presents) {
      box.append(present.root);
      this.stage.append(present.laser);
    } else {
      present.root.remove();
      present.laser.remove();
    }
    this.theme = themeOf(this.settings.colours, getComputedStyle(box), presents);
    box.dataset.theme = this.theme.name;
    this.theme.states.forEach((state, i) => {
      box.style.setProperty(`--fill-${i}`, state.fill);
      box.style.setProperty(`--border-${i}`, state.border);
    });
    this.timeline.setTheme(this.theme);
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  _render(state, before) {
    if (!state.trace) return;
    if (state.request !== before.request) this._request(state.request);
    if (changed(state, before, "shown")) this._open(state, before);
    else if (changed(state, before, "trace")) this._retrace(state, before);
    else if (changed(state, before, "step", "part")) this.view.setStep(state, true);
    const explained = changed(state, before, "trace", "step", "part", "vertex", "predict") ? { evidence: evidence(state) } : {};
    this.view.point({ selected: state.vertex, hovered: state.hovered, ...explained });
    this.view.mark(marks(state), sketch(state));
    this.box.dataset.mode = state.predict.on ? "predict" : "";
    const full = state.options.layout === "full" ? [this.beside, this.why] : [];
    const parts = [this.sentence, this.timeline, this.highlight, this.predict, this.present, this.table, this.edit, ...full];
    for (const part of parts) part.render(state, before);
    this.tip.render(state, this.view);
  }

  // another trace, in a view of its own
  _open(state, before) {
    const { trace, step, part, options } = state;
    const same = before.trace && before.trace.data.drawing === trace.data.drawing;
    const place = same ? this.view.place() : null; // another score on the same drawing: positions and zoom stay
    this._close();
    this.view = new View(this.stage, trace, this.theme, options);
    this.view.drew = () => {
      this.present.point(this.view);
      this.edit.place(this.view);
    };
    if (place) this.view.setPlace(place);
    this.view.setStep({ step, part }, false);
    const { edit, store } = this;
    this.pointer = new Pointer(this.view, {
      pick: (vertex) => store.dispatch({ type: "pick", vertex }),
      hover: (vertex) => store.dispatch({ type: "hover", vertex }),
      tap: (...tap) => edit.tap(...tap),
      draws: (event) => edit.draws(event),
      drew: (from, to) => edit.drew(from, to),
      moved: (vertex) => edit.moved(vertex),
    });
    if (before.trace && options.levels?.[0] !== before.options.levels?.[0]) this._reveal();
    this.notice.hidden = trace.n > 0;
    this.zoom.hidden = trace.n === 0;
    this._describe(trace);
  }

  // another level of the graph: what is shown comes into the window, wherever it was asked for
  _reveal() {
    const { top, bottom } = this.grid.getBoundingClientRect();
    const seen = top >= 0 && Math.min(bottom, this.timeline.transport.getBoundingClientRect().bottom) <= innerHeight;
    if (!seen) this.box.scrollIntoView({ block: "start", behavior: "instant" });
  }

  _close() {
    if (!this.view) return;
    this.pointer.destroy();
    this.view.destroy();
  }

  // another trace of the graph that is changed here
  _retrace({ trace, step, part }, before) {
    const same = (name) => before.trace.data[name] === trace.data[name];
    this.view.setTrace(trace, { step, part }, !["ids", "labels", "x", "y", "edges"].every(same));
    if (!same("edges") || !same("ids")) this._describe(trace);
  }

  _describe(trace) {
    const size = { n: String(trace.n), m: String(trace.edges.length / 2) };
    this.stage.setAttribute("aria-label", fillText(this.settings.strings.graph, size));
  }

  // the page is asked for something, when all have heard of it; what was changed is reported first
  _request({ n, value }) {
    queueMicrotask(() => {
      if (this.leaving.away) return;
      this.report.cancel(); // where the cursor rested would be reported of what comes next
      this.edit.flush();
      this.python.request({ ...value, n });
    });
  }
}
