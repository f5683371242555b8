// The record of a training on the page: a cursor over its epochs that moves graph, bars, probabilities and curves together.
// Python sends the epochs there are and hears where the cursor rests.
import { themeOf } from "canvas/draw/theme.js";
import { lasting } from "canvas/host/lasting.js";
import { fillText } from "canvas/model/text.js";
import { element, iconButton, setIcon } from "canvas/panels/element.js";
import { changedMost, changes, levelAt, placeOf, scoreRange, sentence, unfold } from "./model.js";
import { Bars, Curve, Drawing } from "./view.js";

const PACES = [1, 2, 5, 10, 25, 60]; // epochs per second
const USUAL = 5;
const REST_MS = 400; // a cursor that rests this long is reported
const MOST_OFTEN = 5;

export function mountRecord(component, colours) {
  const { parentElement, data, setStateValue } = component;
  let shown = parentElement.mivspoolRecord;
  if (!shown || !shown.box.isConnected || shown.job !== data.job) {
    shown?.destroy();
    shown = parentElement.mivspoolRecord = new Shown(parentElement, data, colours);
  }
  shown.tell = data.tells ? (place) => setStateValue("place", place) : () => {};
  shown.update(data);
  return lasting(parentElement, () => {
    shown.destroy();
    delete parentElement.mivspoolRecord;
  });
}

const same = (one, other) => one.epoch === other.epoch && one.graph === other.graph && one.level === other.level;

class Shown {
  constructor(root, data, colours) {
    const { words, graphs } = data;
    Object.assign(this, { words, job: data.job, colours, numbers: data.numbers, graphs });
    this.passes = graphs.map(() => []);
    this.graph = Math.min(Math.max(0, data.start.graph), graphs.length - 1);
    this.level = Math.max(0, data.start.level);
    this.pace = USUAL;
    this.chosen = -1;
    this.path = location.pathname;
    // what is pressed elsewhere on the page may open another one: what rests is reported before it
    const pressed = (event) => this.resting && !event.composedPath().includes(this.box) && this._report();
    this.listening = new AbortController();
    document.addEventListener("pointerdown", pressed, { capture: true, signal: this.listening.signal });
    this.reference = 0; // the place of the epoch to compare with
    this.comparing = false;
    this._build();
    root.append(this.box);
    this.box.record = this; // for tests
  }

  destroy() {
    this.listening.abort();
    clearTimeout(this.timer);
    clearTimeout(this.resting);
    this.box.remove();
  }

  update(data) {
    const first = !this.data;
    this.data = data;
    if (data.entries.length < this.epochs?.length) {
      // resumed from its checkpoint: what came after it comes again
      this.passes = this.graphs.map(() => []);
      this.place = Math.min(this.place, data.entries.length - 1);
    }
    this.epochs = data.entries.map((entry) => entry.epoch);
    this._theme();
    this.columns = data.curves;
    this.loss.show([data.curves.train_loss, data.curves.val_loss], data.best);
    this.accuracy.show([data.curves.train_accuracy, data.curves.val_accuracy], data.best, { scale: 100, digits: 0, unit: " %", from: 0, to: 100 });
    this.slider.max = String(Math.max(0, this.epochs.length - 1));
    this.bestButton.disabled = !data.best;
    const { start } = data;
    const moved = !first && !same(start, this.told);
    this.told = start;
    if (moved && start.epoch >= 0) {
      // Back or Forward: the place of another link
      if (this.playing) this._play(false);
      this.graph = Math.min(start.graph, this.graphs.length - 1);
      this.level = start.level;
      this.place = placeOf(this.epochs, start.epoch);
      this._forget();
      this._choose();
    } else if (first) {
      const { epoch } = start;
      if (epoch >= 0) this.place = placeOf(this.epochs, epoch);
      else this.place = data.running || !data.best ? 0 : placeOf(this.epochs, data.best);
      this._choose();
      if (epoch < 0 && data.running) this._play(true);
    } else {
      this._often();
      this._show();
    }
  }

  // ---- what a person does

  _play(playing) {
    this.playing = playing;
    this.sentence.setAttribute("aria-live", playing ? "off" : "polite");
    setIcon(this.playButton, playing ? "pause" : "play", playing ? this.words.pause : this.words.play);
    clearTimeout(this.timer);
    if (!playing) {
      this._rest();
      return;
    }
    this._forget();
    if (this.place >= this.epochs.length - 1 && !this.data.running) this.place = 0;
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      const steps = Math.floor(((now - last) * this.pace) / 1000);
      if (steps) {
        const end = this.epochs.length - 1;
        last = this.place < end ? last + (1000 * steps) / this.pace : now;
        if (this.place < end) {
          this.place = Math.min(end, this.place + steps);
          this._show();
        } else if (!this.data.running) {
          this._play(false);
          return;
        }
      }
      this.timer = setTimeout(tick, Math.max(16, 1000 / this.pace / 4));
    };
    tick();
    this._show();
  }

  _go(place) {
    this.place = Math.max(0, Math.min(this.epochs.length - 1, place));
    if (this.playing) this._play(false);
    this._show();
    this._rest();
  }

  _rest() {
    this._forget();
    this.resting = setTimeout(() => this._report(), REST_MS);
  }

  _forget() {
    clearTimeout(this.resting);
    this.resting = null;
  }

  // now. After a link was followed Streamlit would run the page that was left, and show that
  _report() {
    this._forget();
    if (!this.box.isConnected || location.pathname !== this.path) return;
    this.told = { epoch: this.epochs[this.place], graph: this.graph, level: this.level };
    this.tell({ job: this.job, ...this.told });
  }

  // another graph or level
  _choose() {
    const { graphs } = this.data;
    const graph = graphs[this.graph];
    this._unfold();
    const depth = this.passes[this.graph][0].levels.length;
    this.level = Math.min(this.level, depth - 1);
    this.bars = new Bars(graph, (v) => this._pick(v));
    this._draw();
    this.side.replaceChildren(this.scoresTitle, this.bars.node);
    this.chosen = -1;
    this.graphButtons.forEach((button, i) => button.setAttribute("aria-pressed", String(i === this.graph)));
    this.levelButtons = Array.from({ length: depth }, (_, k) => {
      const button = element("button", { type: "button", onclick: () => this._level(k), "aria-pressed": String(k === this.level) });
      button.textContent = fillText(this.words.level, { level: String(k) });
      return button;
    });
    this.levels.replaceChildren(...this.levelButtons);
    this._often();
    this._show();
  }

  _draw() {
    const graph = this.data.graphs[this.graph];
    const label = fillText(this.words.label, { graph: graph.title, level: String(this.level) });
    const make = () => new Drawing(graph, label, (v) => this._pick(v), this.comparing);
    this.now = make();
    this.nowTitle = element("figcaption");
    const figures = [element("figure", {}, this.nowTitle, this.now.node)];
    if (this.comparing) {
      this.then = make();
      this.thenTitle = element("figcaption");
      figures.unshift(element("figure", {}, this.thenTitle, this.then.node));
    }
    this.stage.dataset.stacked = String(this.now.stacked);
    this.stage.replaceChildren(...figures);
  }

  _pick(v) {
    this.chosen = this.chosen === v ? -1 : v;
    this._show();
  }

  _compare(comparing) {
    this.comparing = comparing;
    this.compareButton.setAttribute("aria-pressed", String(comparing));
    this._draw();
    this._show();
  }

  _level(level) {
    this.level = level;
    this._choose();
    this._rest();
  }

  _unfold() {
    unfold(this.data.entries, this.graph, this.passes[this.graph]);
  }

  // ---- what is shown

  _show() {
    this._unfold();
    const passes = this.passes[this.graph];
    const graph = this.data.graphs[this.graph];
    const pass = passes[this.place];
    const before = passes[this.place - 1];
    const level = levelAt(pass, this.level, graph);
    const told = before && changes(levelAt(before, this.level, graph), level);
    const changed = new Set(told ? [...told.gained, ...told.lost] : []);
    const other = passes[Math.min(this.reference, passes.length - 1)];
    const reference = levelAt(other, this.level, graph);
    const apart = changes(reference, level);
    const marked = this.comparing ? new Set([...apart.gained, ...apart.lost]) : changed;
    this.now.show(level, marked, this.chosen);
    if (this.comparing) {
      this.then.show(reference, marked, this.chosen);
      this.thenTitle.textContent = this._title(other.epoch);
    }
    if (!this.range || this.range.of !== passes || this.range.level !== this.level || this.range.count !== passes.length) {
      this.range = { ...scoreRange(passes, this.level), of: passes, level: this.level, count: passes.length };
    }
    this.bars.show(level, this.range, this.comparing ? reference : null, marked, this.chosen);
    this._probabilities(pass, graph);
    const { competes } = this.data;
    const since = this.comparing && other.epoch < pass.epoch ? other : before;
    this.sentence.textContent = sentence({ before: since, pass, level: this.level, graph, competes, words: this.words.sentences, numbers: this.numbers });
    this.slider.value = String(this.place);
    const epoch = this.epochs[this.place];
    const last = this.epochs[this.epochs.length - 1];
    this.slider.setAttribute("aria-valuetext", fillText(this.words.place, { epoch: String(epoch), last: String(last) }));
    this.said.textContent = fillText(this.words.place, { epoch: String(epoch), last: String(last) });
    this.nowTitle.textContent = this._title(epoch);
    this.loss.mark(epoch);
    this.accuracy.mark(epoch);
  }

  _title(epoch) {
    const { words, data } = this;
    const more = epoch === 0 ? words.untrained : epoch === data.best ? words.best : "";
    return fillText(words.at, { epoch: String(epoch) }) + more;
  }

  _probabilities(pass, graph) {
    const rows = pass.probabilities.map((share, k) => {
      const name = element("span", { class: "name", dir: "auto" });
      name.textContent = this.data.classes[k];
      const bar = element("span", { class: "bar" });
      bar.style.width = `${100 * (share ?? 0)}%`;
      const value = element("span", { class: "value" });
      value.textContent = share === null ? "" : `${(100 * share).toFixed(1)} %`;
      const own = this.data.names[k] === graph.label;
      return element("div", { class: `row${own ? " own" : ""}`, title: own ? this.words.own : "" }, name, element("span", { class: "rail" }, bar), value);
    });
    this.probabilities.replaceChildren(...rows);
    this.graphLoss.textContent = pass.loss === null || pass.loss === undefined ? "" : fillText(this.words.loss_of, { loss: pass.loss.toFixed(3) });
  }

  _often() {
    this._unfold();
    const graph = this.data.graphs[this.graph];
    const often = changedMost(this.passes[this.graph], this.level, graph);
    const chips = often.slice(0, MOST_OFTEN).map(([v, times]) => {
      const chip = element("button", {
        type: "button",
        class: "chip",
        onclick: () => {
          this.chosen = v;
          this._show();
        },
      });
      chip.textContent = fillText(this.words.times, { v: graph.nodes[v], n: String(times) });
      return chip;
    });
    const lead = element("span");
    lead.textContent = often.length ? this.words.often : this.words.never;
    this.often.replaceChildren(lead, ...chips);
  }

  _theme() {
    const theme = themeOf(this.colours, getComputedStyle(this.box));
    const set = (name, value) => this.box.style.setProperty(`--${name}`, value);
    theme.states.forEach((state, k) => Object.entries(state).forEach(([part, value]) => set(`state-${k}-${part}`, value)));
    for (const name of ["quiet", "accent", "edge", "text", "background"]) set(name, theme[name]);
  }

  _build() {
    const { words } = this;
    this.graphButtons = this.graphs.map((graph, i) => {
      const choose = () => {
        this.graph = i;
        this._choose();
        this._rest();
      };
      const button = element("button", { type: "button", title: graph.about, onclick: choose });
      button.textContent = graph.title;
      return button;
    });
    this.levels = element("div", { class: "group", role: "group", "aria-label": words.levels });
    this.compareButton = element("button", { type: "button", "aria-pressed": "false", title: words.compare_help });
    this.compareButton.textContent = words.compare;
    this.compareButton.addEventListener("click", () => this._compare(!this.comparing));
    this.referenceButton = element("button", { type: "button", title: words.reference_help });
    this.referenceButton.textContent = words.reference;
    this.referenceButton.addEventListener("click", () => {
      this.reference = this.place;
      this._compare(true);
    });
    const graphs = element("div", { class: "group", role: "group", "aria-label": words.graphs }, ...this.graphButtons);
    const compare = element("div", { class: "group last" }, this.compareButton, this.referenceButton);
    this.sentence = element("p", { class: "sentence", "aria-live": "polite" });
    this.stage = element("div", { class: "stage" });
    this.scoresTitle = element("div", { class: "title" });
    this.scoresTitle.textContent = words.scores;
    this.side = element("div", { class: "side" });
    const title = element("div", { class: "title" });
    title.textContent = words.probabilities;
    this.graphLoss = element("span", { class: "loss" });
    this.probabilities = element("div", { class: "probabilities" });
    this.playButton = iconButton("play", words.play, () => this._play(!this.playing), "play");
    this.slider = element("input", { type: "range", min: "0", step: "1", "aria-label": words.epoch });
    this.slider.addEventListener("input", () => this._go(Number(this.slider.value)));
    this.said = element("span", { class: "said" });
    const pace = element("select", { "aria-label": words.pace, title: words.pace });
    for (const each of PACES) {
      const option = element("option", { value: String(each) });
      option.textContent = fillText(words.per_second, { n: String(each) });
      option.selected = each === USUAL;
      pace.append(option);
    }
    pace.addEventListener("change", () => {
      this.pace = Number(pace.value);
      if (this.playing) this._play(true);
    });
    this.bestButton = element("button", { type: "button", title: words.best_help });
    this.bestButton.textContent = words.to_best;
    this.bestButton.addEventListener("click", () => this._go(placeOf(this.epochs, this.data.best)));
    const go = (epoch) => this._go(placeOf(this.epochs, epoch));
    this.loss = new Curve(words.loss, [words.training, words.validation], go);
    this.accuracy = new Curve(words.accuracy, [words.training, words.validation], go);
    this.often = element("div", { class: "often" });
    this.box = element(
      "section",
      { class: "record", "aria-label": words.title },
      element("div", { class: "top" }, graphs, this.levels, compare),
      this.sentence,
      element("div", { class: "middle" }, this.stage, this.side),
      element("div", { class: "controls" }, this.playButton, this.slider, this.said, this.bestButton, pace),
      element(
        "div",
        { class: "bottom" },
        this.loss.node,
        this.accuracy.node,
        element("div", { class: "plot" }, title, this.graphLoss, this.probabilities),
      ),
      this.often,
    );
  }
}
