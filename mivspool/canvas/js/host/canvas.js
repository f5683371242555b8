// The canvas as Streamlit mounts it: the trace is sent once, the screen is a cursor over it. Python hears of the cursor
// when it rests, and never while it plays.
import { lookOf } from "../draw/theme.js";
import { View } from "../draw/view.js";
import { Hold } from "../input/hold.js";
import { fillText, scoreFormat } from "../model/text.js";
import { CANDIDATE, Trace } from "../model/trace.js";
import { why } from "../model/why.js";
import { Edit } from "../modes/edit.js";
import { Light } from "../modes/highlight.js";
import { Predict } from "../modes/predict.js";
import { Present } from "../modes/present.js";
import { Bars } from "../panels/bars.js";
import { element, iconButton } from "../panels/element.js";
import { Sentence } from "../panels/sentence.js";
import { TablePanel } from "../panels/table.js";
import { Timeline } from "../panels/timeline.js";
import { WhyPanel } from "../panels/why.js";
import { Leaving } from "./leaving.js";

const REST_MS = 300; // a cursor that rests this long is told to Python
const STEP_MS = 1400; // one step at speed 1

// what uses the arrow keys itself, and what the space bar presses
const ROLES = ["radiogroup", "tablist", "slider", "listbox", "combobox", "menu", "menubar", "grid", "dialog"];
const FIELDS = ["input", "textarea", "select", "[contenteditable]", "canvas", ".stage"];
const TAKEN = [...FIELDS, ...ROLES.map((role) => `[role="${role}"]`)].join();
const TYPED = 'input:not([type="range"]), textarea, select, [contenteditable]';
const PRESSED = 'button, a, summary, [role="button"]';

// how far each trace was stepped: a canvas that comes back (another page was looked at) goes on there
const REMEMBERED = new Map();

export class Canvas {
  // root: element or shadow root to fill; settings: {strings, colours}; tell(cursor): Python's ear
  constructor(root, settings, tell) {
    this.settings = settings;
    this.tell = tell;
    const { strings } = settings;
    const on = {
      step: (step) => this.goto(step),
      move: (by) => this.goto(this.step + by),
      toggle: () => (this.playing ? this.pause() : this.play()),
      speed: (speed) => {
        this.speed = speed;
      },
      select: (v) => (this.predict.asking ? this.predict.toggle(v) : this.select(v === this.vertex ? -1 : v)),
      hover: (v) => this.hover(v),
      walk: (by) => this.walk(by),
      // what only a graph that is changed hears of
      tap: (v, x, y, when) => this.edit.tap(v, x, y, when),
      draws: (event) => this.edit.draws(event),
      drew: (from, to) => this.edit.toggleEdge(from, to),
      moved: (v) => this.edit.moved(v),
      score: (v, value) => this.edit.dragScore(v, value),
      rest: () => this.edit.endDrag(),
      barKey: (event) => this.edit.barKey(event),
    };
    this.on = on;
    this.speed = 1;
    this.step = 0;
    this.vertex = -1;
    this.hovered = -1;
    this.playing = false;
    this.rest = null; // runs as long as the cursor rests and was not told
    this.sentence = new Sentence(strings);
    this.timeline = new Timeline(strings, on);
    this.bars = new Bars(strings, on);
    this.why = new WhyPanel(strings, { ...on, select: (v) => this.select(v) });
    this.tip = element("div", { class: "tip", "aria-hidden": "true" });
    this.tip.hidden = true;
    this.stage = element("div", { class: "stage", tabindex: 0, role: "application" });
    this.notice = element("p", { class: "notice" }, strings.empty);
    this.zoom = element(
      "div",
      { class: "zoom" },
      iconButton("zoom_in", strings.zoom_in, () => this.view.zoomBy(1.35)),
      iconButton("zoom_out", strings.zoom_out, () => this.view.zoomBy(1 / 1.35)),
      iconButton("fit", strings.fit, () => this.view.fit()),
    );
    this.stage.append(this.tip, this.notice, this.zoom);
    this.figure = element("div", { class: "figure" }, this.stage);
    const panels = [this.sentence, { root: this.figure }, this.timeline, this.why, this.bars];
    const grid = element("div", { class: "grid" }, ...panels.map((panel) => panel.root));
    this.box = element("div", { class: "mivspool" }, grid);
    root.append(this.box);
    this.stage.addEventListener("keydown", (event) => this.key(event, true));
    this.light = new Light(this);
    this.predict = new Predict(this);
    this.edit = new Edit(this);
    this.leaving = new Leaving(this.box, (link) => {
      this.edit.flush(link);
      if (link) this._rested();
    });
    grid.append(this.predict.root, this.edit.root);
    const held = [this.stage, ...panels, this.edit].map((part) => part.root || part);
    this.hold = new Hold(this.box, held, () => this.edit.on && !this.options.present);
    this.present = new Present(this, root);
    this.behind = new TablePanel(this);
    this.box.append(this.behind.root);
    this._pageKey = (event) => this.key(event, false);
    document.addEventListener("keydown", this._pageKey);
    this.box.canvas = this; // for benchmarks and tests
  }

  destroy() {
    document.removeEventListener("keydown", this._pageKey);
    this.light.destroy();
    this.edit.destroy();
    this.hold.destroy();
    this.leaving.destroy();
    this.present.destroy();
    clearTimeout(this.timer);
    this.rests();
    if (this.view) this.view.destroy();
    this.bars.resizer.disconnect();
    this.box.remove();
  }

  // data: see mivspool/canvas/payload.py
  update(data) {
    const { trace: traceData, options, start, command } = data;
    this.options = options;
    this.box.dataset.layout = options.layout;
    if (options.layout !== "full") {
      this.why.root.remove();
      this.bars.root.remove();
    }
    this.box.dataset.hide = (options.hide || []).join(" ");
    this.box.style.setProperty("--stage", `${options.height}px`);
    this.present.update(options);
    const style = getComputedStyle(this.box);
    this.look = lookOf(this.settings.colours, style, this.present.on);
    this.box.dataset.theme = this.look.theme;
    this.look.states.forEach((state, i) => {
      this.box.style.setProperty(`--fill-${i}`, state.fill);
      this.box.style.setProperty(`--border-${i}`, state.border);
    });
    this.timeline.setLook(this.look);
    const answers = this.edit.answers(data); // Python shows what was changed here
    if (answers) this.edit.adopt(data, `${traceData.id} ${start.n}`);
    if (!answers && (!this.trace || this.id !== traceData.id)) {
      this.pause();
      const kept = this.trace && this.view && this.trace.data.drawing === traceData.drawing ? this.view : null;
      const before = kept && kept.place();
      this.id = traceData.id;
      this.trace = new Trace(traceData);
      this.trace.scoreText = scoreFormat(this.trace);
      if (this.view) this.view.destroy();
      this.timeline.setTrace(this.trace);
      this.bars.setTrace(this.trace);
      this.place = `${traceData.id} ${start.n}`;
      const begin = REMEMBERED.get(this.place) || { ...start, commanded: 0 };
      if (command && command.n > begin.commanded) Object.assign(begin, command);
      this.commanded = command ? command.n : 0;
      this.step = this.trace.clampStep(begin.step);
      this.vertex = begin.vertex < this.trace.n ? begin.vertex : -1;
      this.hovered = -1;
      this.view = new View(this.stage, this.trace, this.look, options, this.on);
      this.view.drew = () => {
        this.present.point(this.view);
        this.edit.place();
      };
      if (before) {
        Object.assign(this.view, before); // another score on the same drawing: positions and zoom stay
        this.view.drawAll();
      }
      this.notice.hidden = this.trace.n > 0;
      this.zoom.hidden = this.trace.n === 0;
      this._describe();
      this.wanted = { kind: this.trace.kinds[this.step], k: this.step };
      this.view.setStep(this.step, false);
      this._startModes(data);
    } else {
      this.view.setLook(this.look);
      this.view.setOptions(options);
      const { predict, edit } = this;
      if (predict.on !== (options.mode === "predict") || edit.on !== (options.mode === "edit")) this._startModes(data);
      if (command && command.n !== this.commanded && this.id === traceData.id) {
        this.commanded = command.n;
        if (command.step !== undefined) this.goto(command.step, { quiet: true });
        if (command.vertex !== undefined) this.select(command.vertex, { quiet: true });
      }
      this.present.render();
    }
  }

  _startModes(data) {
    this.predict.start();
    this.edit.start(data);
    this.render(true);
  }

  _describe() {
    const size = { n: String(this.trace.n), m: String(this.trace.edges.length / 2) };
    this.stage.setAttribute("aria-label", fillText(this.settings.strings.graph, size));
  }

  // another trace of the graph that is changed here: the cursor stays where it was put. still: see Bars.retrace
  retrace(trace, vertex, still) {
    const before = this.trace;
    const same = (name) => before.data[name] === trace.data[name];
    trace.scoreText = still ? before.scoreText : scoreFormat(trace);
    this.trace = trace;
    this.vertex = vertex;
    this.step = trace.stepOf(this.wanted);
    if (!same("ids")) this.hovered = -1;
    this.view.setTrace(trace, this.step, !["ids", "labels", "x", "y", "edges"].every(same));
    if (JSON.stringify([before.kinds, before.total]) !== JSON.stringify([trace.kinds, trace.total])) this.timeline.setTrace(trace);
    else this.timeline.trace = trace;
    if (!same("edges") || !same("ids")) this._describe();
    this.bars.retrace(trace, still);
    this.behind.shown = null;
    this.render(!still);
  }

  // ---- the cursor -------------------------------------------------------------------------------------------------

  // any step by hand pauses the playback
  goto(step, { quiet = false, playing = false } = {}) {
    const to = step === Infinity ? this.trace.last : this.trace.clampStep(step);
    if (!playing) this.pause();
    if (to === this.step) return;
    this.step = to;
    this.wanted = { kind: this.trace.kinds[to], k: to };
    this.view.setStep(to, true);
    this.render();
    if (!quiet && !playing) this.report();
  }

  play() {
    if (!this.trace.n) return;
    this.playing = true;
    if (this.step === this.trace.last) this.goto(0, { playing: true });
    this.render();
    let last = performance.now() + 350 / this.speed - this.pace();
    const next = () => {
      if (!this.playing) return;
      const now = performance.now();
      const steps = Math.max(1, Math.floor((now - last) / this.pace())); // more than one where drawing cannot keep up
      last = now;
      this.goto(Math.min(this.step + steps, this.trace.last), { playing: true });
      if (this.step >= this.trace.last) {
        this.playing = false;
        this.render();
        this.report();
      } else this.timer = setTimeout(next, Math.max(16, this.pace()));
    };
    this.timer = setTimeout(next, 350 / this.speed);
  }

  // milliseconds a step: long traces play faster, so that none takes more than about a minute
  pace() {
    return Math.min(STEP_MS, 60000 / (this.trace.last + 1)) / this.speed;
  }

  pause() {
    clearTimeout(this.timer);
    if (!this.playing) return;
    this.playing = false;
    this.render();
    this.report();
  }

  select(v, { quiet = false } = {}) {
    if (v === this.vertex) return;
    this.vertex = v;
    this.render(true);
    if (!quiet) this.report();
  }

  hover(v) {
    if (v === this.hovered) return;
    this.hovered = v;
    this.view.point({ hovered: v });
    this.bars.render(this.step, this.vertex, v);
    for (const node of this.why.root.querySelectorAll("[data-vertex]")) {
      node.classList.toggle("lit", Number(node.dataset.vertex) === v);
    }
    this.light.render();
    this._tip(v);
  }

  _tip(v) {
    this.tip.hidden = v < 0;
    if (v < 0) return;
    const { trace } = this;
    const label = trace.labels && trace.labels[v] !== trace.ids[v] ? ` ${trace.labels[v]}` : "";
    const state = this.settings.strings.states[trace.state(v, this.step)];
    this.tip.textContent = `${trace.ids[v]}${label} · ${trace.scoreText(trace.score[v])} · ${state}`;
    const x = Math.max(4, Math.min(this.view.w - this.tip.offsetWidth - 4, this.view.sx(v) - this.tip.offsetWidth / 2));
    const above = this.view.sy(v) - this.view.radius - this.tip.offsetHeight - 10;
    this.tip.style.transform = `translate(${x}px, ${above > 4 ? above : this.view.sy(v) + this.view.radius + 24}px)`;
  }

  // the next vertex by score
  walk(by) {
    const { trace } = this;
    if (!trace.n) return;
    const at = this.vertex < 0 ? (by > 0 ? -1 : trace.n) : trace.rank[this.vertex];
    this.select(trace.order[Math.max(0, Math.min(trace.n - 1, at + by))]);
  }

  render(reveal = false) {
    const { trace, step, vertex } = this;
    const data = vertex >= 0 && !this.predict.asking ? why(trace, vertex, step) : null;
    const evidence = { rival: data ? data.rival : -1, by: data && data.state !== CANDIDATE ? data.struckBy : -1 };
    this.view.point({ selected: vertex, hovered: this.hovered, evidence });
    this.sentence.render(trace, step);
    this.timeline.render(step, this.playing);
    this.light.render();
    this.predict.render();
    this.present.render();
    this.behind.render();
    this.edit.render();
    if (!this.tip.hidden) this._tip(this.hovered); // what it says of a vertex changes with the step
    if (this.options.layout === "full") {
      this.bars.render(step, vertex, this.hovered, reveal);
      this.why.render(trace, vertex, step);
    }
  }

  report() {
    if (this.edit.pending) return; // Python does not know this graph yet: the cursor goes with it
    REMEMBERED.set(this.place, { step: this.step, vertex: this.vertex, commanded: this.commanded });
    this.rests();
    this.rest = setTimeout(() => this._rested(), REST_MS);
  }

  // it goes on: where it was is not told
  rests() {
    clearTimeout(this.rest);
    this.rest = null;
  }

  _rested() {
    if (this.rest === null) return;
    this.rests();
    if (this.edit.pending || this.leaving.gone) return; // a canvas that comes back remembers where it was
    this.leaving.told();
    this.tell({ id: this.id, step: this.step, vertex: this.vertex });
  }

  // ---- keys -------------------------------------------------------------------------------------------------------

  // mine: the graph has the focus; otherwise the page has it, and only what nothing else needs is taken
  key(event, mine) {
    if (this.trace && !event.defaultPrevented && this._mayChange(event, mine) && this.edit.key(event, mine)) return;
    if (event.defaultPrevented || event.altKey || event.metaKey || event.ctrlKey || !this.trace) return;
    if (!mine) {
      if (!this.options.keys) return;
      const target = event.composedPath()[0];
      if (!target.closest?.(TYPED) && this.present.key(event)) return;
      if (target.closest && target.closest(TAKEN)) return;
      if (event.key === " " && target.closest && target.closest(PRESSED)) return;
    }
    if (mine && this.present.key(event)) return;
    const pan = 40;
    const pans = event.shiftKey && event.key.startsWith("Arrow");
    if (this.predict.on && !pans && this.predict.key(event, mine)) return;
    const acts = {
      ArrowRight: () => (event.shiftKey ? this.view.panBy(-pan, 0) : this.goto(this.step + 1)),
      ArrowLeft: () => (event.shiftKey ? this.view.panBy(pan, 0) : this.goto(this.step - 1)),
      Home: () => this.goto(0),
      End: () => this.goto(this.trace.last),
      " ": () => this.on.toggle(),
    };
    if (mine) {
      Object.assign(acts, {
        ArrowUp: () => (event.shiftKey ? this.view.panBy(0, pan) : this.walk(-1)),
        ArrowDown: () => (event.shiftKey ? this.view.panBy(0, -pan) : this.walk(1)),
        "+": () => this.view.zoomBy(1.25),
        "=": () => this.view.zoomBy(1.25),
        "-": () => this.view.zoomBy(0.8),
        0: () => this.view.fit(),
        Escape: () => this.select(-1),
      });
    }
    const act = acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  // a key of the page changes the graph only where nothing is typed
  _mayChange(event, mine) {
    return mine || (this.options.keys && !event.composedPath()[0].closest?.(TYPED));
  }
}
