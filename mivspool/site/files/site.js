// A page of the static site: which graph is shown, and what stands around the canvas. The canvas is mivspool/canvas.
import { mount } from "canvas/host/mount.js";
import { keepLink } from "canvas/host/reload.js";
import { drawnOf } from "canvas/model/edits.js";
import { featuresOf, levelsOf, readChange, spellChange } from "canvas/model/levels.js";
import { ELIMINATING, placeOf } from "canvas/model/parts.js";
import { fillText } from "canvas/model/text.js";
import { element } from "canvas/panels/element.js";
import { below } from "./below.js";
import { Classify } from "./classify.js";
import { Compare } from "./compare.js";
import { Graphs, levelsByScore } from "./graphs.js";
import { carry, RESET, readLink, spellLink, whole } from "./link.js";
import { Own, Upload } from "./own.js";

class Live {
  // site: {graphs, words, hardest, sizes, settings}
  constructor(section, site) {
    this.section = section;
    this.site = site;
    this.words = site.words;
    this.learn = section.dataset.page === "learn";
    this.shows = new Set(section.dataset.shows.split(" "));
    this.notice = section.querySelector(".notice");
    this.below = section.querySelector(".below");
    // a shadow root: the canvas's style is its own, as in the app
    this.host = section.querySelector(".canvas").attachShadow({ mode: "open" });
    const style = element("link", { rel: "stylesheet", href: "canvas.css" });
    this.styled = new Promise((resolve) => {
      style.onload = style.onerror = resolve;
    });
    this.host.append(style);
    this.count = 0;
    this.controls();
    addEventListener("hashchange", () => this.show(readLink(location.hash)));
    document.addEventListener("themechange", () => this.shown && this.mount({ ...this.cursor, n: ++this.count }));
    this.show(readLink(location.hash));
  }

  // what the page begins with, where the link says nothing
  own() {
    const { graph, score, step } = this.section.dataset;
    if (this.learn) return { graph, score, step };
    return { graph: this.site.graphs.list[0].source };
  }

  async show(link) {
    const asked = { ...this.own(), ...link };
    if (this.learn) Object.assign(asked, this.own(), { step: link.step ?? this.own().step });
    const { graphs } = this.site;
    const number = ++this.count;
    const { entry, said } = await graphs.open(asked.graph);
    if (number !== this.count) return; // another graph was asked for meanwhile
    this.say(said);
    this.entry = entry;
    let data;
    try {
      data = await graphs.load(this.entry);
      await this.styled;
    } catch (error) {
      this.say(error.message);
      return;
    }
    if (number !== this.count) return;
    this.score = this.entry.scores.includes(asked.score) ? asked.score : this.entry.scores[0];
    this.written = data[this.score];
    this.answer = null;
    this.change(asked.change ?? "", asked.origin ?? "");
    this.level = Math.min(whole(asked.level), Math.max(this.levels.length - 1, 0));
    this.mode = !this.learn && ["predict", "edit"].includes(asked.mode) ? asked.mode : "";
    this.presents = !this.learn && asked.present === "1";
    this.answered = this.requested;
    this.hide = link.hide ?? "";
    const { trace } = this.levels[this.level];
    const last = trace.T + (trace.ids.length ? 2 : 0) + (trace.added.length ? 1 : 0);
    const from = Number(asked.step) < 0 ? last + 1 + Number(asked.step) : whole(asked.step);
    const found = trace.ids.indexOf(link.vertex);
    const vertex = found >= 0 ? found : trace.rank.indexOf(0);
    this.cursor = { ...placeOf(trace, Math.min(from, last), Math.min(whole(asked.part), ELIMINATING)), vertex };
    this.mount({ ...this.cursor, n: this.count });
    this.controls();
    this.around();
  }

  // the graph as it was changed, and the one it is compared with: both as the link spells them, "" for the one written
  change(change, origin) {
    const made = (text) => {
      if (!text) return this.written;
      const graph = readChange(drawnOf(this.written[0].trace), text);
      const levels = levelsOf(graph, { complement: this.entry.complement, sizes: this.site.sizes });
      const { trace, features } = this.written[0];
      if (features) levels[0].features = featuresOf(graph, { ids: trace.ids, ...features });
      return levels;
    };
    const known = this.made;
    const key = [this.entry.source, this.score];
    const same = (name, text) => known && known.key.join() === key.join() && known[name] === text;
    try {
      this.levels = same("change", change) ? known.levels : made(change);
      this.original = same("origin", origin) ? known.original : made(origin);
      this.made = { key, change, origin, levels: this.levels, original: this.original };
    } catch (error) {
      if (error.name !== "RangeError") throw error;
      this.say(this.words.wrong_change);
      this.change("", "");
    }
  }

  // the canvas tells of a change: its levels are computed here, and shown under the name that the link has for it
  edited(message) {
    const first = drawnOf(this.written[0].trace);
    const { history, original } = this.store.state.edit;
    const origin = message.original ? spellChange(first, original.graph) : this.made.origin;
    const change = message.graph ? spellChange(first, history.graph) : origin;
    this.change(change, origin);
    this.level = 0;
    this.answer = { token: message.token, n: message.n, error: "" };
    this.cursor = { step: message.step, part: message.part, vertex: this.levels[0].trace.ids.indexOf(message.vertex) };
    this.mount({ ...this.cursor, n: ++this.count });
    this.controls();
    this.around();
  }

  get isChanged() {
    return this.levels !== this.written;
  }

  mount(command) {
    const { trace } = this.levels[this.level];
    const fresh = this.shown !== trace.id;
    this.shown = trace.id;
    if (fresh) this.start = { step: command.step, part: command.part, vertex: command.vertex, n: this.count };
    mount(
      {
        parentElement: this.host,
        data: {
          trace,
          options: {
            layout: "full",
            height: this.learn ? 360 : 440,
            labels: "id",
            scores: trace.ids.length <= 60,
            keys: true,
            words: this.learn,
            mode: this.mode,
            present: this.presents,
            presentable: !this.learn,
            requested: this.answered,
            levels: [this.level, this.levels.length],
            hide: this.hide.split(","),
            complement: this.entry.complement,
            difficulty: this.mode === "predict" && this.level === 0 ? [this.levels[0].hard, this.site.hardest] : null,
          },
          start: this.start,
          edit: this.answer,
          original: this.original === this.levels ? null : this.original[0].trace,
          command: fresh ? null : command,
        },
        setStateValue: (name, cursor) => name === "cursor" && this.moved(cursor),
        setTriggerValue: (name, value) => {
          if (name === "another") this.another(value);
          else if (name === "request") this.request(value);
          else if (name === "edited") this.edited(value);
        },
      },
      this.site.settings,
    );
  }

  // of the canvas
  get store() {
    return this.host.querySelector(".mivspool").store;
  }

  say(text) {
    this.notice.textContent = text;
    this.notice.hidden = !text;
  }

  moved({ id, step, part, vertex }) {
    if (id !== this.shown) return;
    this.cursor = { step, part, vertex };
    this.around();
  }

  // a graph as hard to predict as this one, or harder
  another(how) {
    const { graphs, hardest } = this.site;
    const hard = Math.min(this.levels[this.level].hard + (how === "harder" ? 1 : 0), hardest);
    const others = graphs.list.filter((other) => other !== this.entry && other.hard === hard && other.n <= 60);
    const next = others[Math.floor(Math.random() * others.length)] ?? this.entry;
    this.go({ ...RESET, graph: next.source, score: "" });
  }

  request({ level, present, n }) {
    this.requested = n;
    if (level !== undefined) this.go({ level, step: "", vertex: "" });
    if (present !== undefined) this.go({ present: present ? "1" : "" });
  }

  // everything that is shown, as a link spells it
  link() {
    const { trace } = this.levels[this.level];
    const { step, part, vertex } = this.cursor;
    return {
      graph: this.entry.source,
      score: this.score === this.entry.scores[0] ? "" : this.score,
      level: this.level || "",
      step: step || "",
      part: part || "",
      vertex: vertex >= 0 ? trace.ids[vertex] : "",
      mode: this.mode,
      present: this.presents ? "1" : "",
      hide: this.hide,
      change: this.made.change,
      origin: this.made.origin,
    };
  }

  // the way to Step, with what is shown at this moment: a cursor that moves has not been reported yet
  opens() {
    const open = this.section.querySelector("a.open");
    if (!open) return;
    const { step, part, vertex } = this.store.state;
    this.cursor = { step, part, vertex };
    open.href = `step.html${spellLink(this.link())}`;
    open.onclick = () => this.opens();
  }

  go(change) {
    const link = { ...this.link(), ...change };
    history.pushState(null, "", spellLink(link) || location.pathname + location.search);
    this.show(link);
  }

  // the link, and what stands above and below the canvas
  around() {
    const link = this.link();
    const own = this.learn ? { step: String(this.cursor.step), part: link.part, vertex: link.vertex } : link;
    history.replaceState(null, "", spellLink(own) || location.pathname + location.search);
    this.opens();
    if (!this.learn) carry(link);
    const level = this.levels[this.level];
    const tells = this.mode !== "predict" && level.trace.ids.length; // it would give the answer away
    this.below.replaceChildren(...(tells ? below(level, this.cursor.vertex, this.shows, this.words) : []));
  }

  controls() {
    if (this.learn) return;
    const graph = document.getElementById("graph");
    const score = document.getElementById("score");
    if (!this.entry) {
      for (const option of [...score.options]) this.titles = { ...this.titles, [option.value]: option.text };
      graph.onchange = () => this.go({ ...RESET, graph: graph.value, score: "" });
      score.onchange = () => this.go({ ...RESET, score: score.value });
      this.upload = new Upload(this.site.graphs.own, (change) => this.go(change));
      document.getElementById("present").onclick = () => this.go({ present: "1" });
      for (const button of document.querySelectorAll("#mode button")) {
        const { mode } = button.dataset;
        button.onclick = () => this.go(mode === "edit" ? { mode, level: "" } : { mode, step: "" });
      }
      return;
    }
    this.upload.show(this.entry);
    graph.value = this.entry.source;
    const changed = this.isChanged;
    const offered = changed ? ["given", ...this.entry.scores.filter((name) => name !== "given")] : this.entry.scores;
    score.replaceChildren(...offered.map((name) => element("option", { value: name }, this.titles[name])));
    score.value = changed ? "given" : this.score;
    for (const button of document.querySelectorAll("#mode button")) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === this.mode));
    }
    for (const link of document.querySelectorAll("header nav a")) {
      const here = link.dataset.page === (this.mode === "predict" ? "predict" : "step");
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
    }
    const [{ trace }] = this.levels;
    const size = fillText(this.words.size, { n: trace.ids.length, m: trace.edges.length / 2 });
    const title = element("b", { dir: "auto" }, changed ? fillText(this.words.changed, { title: this.entry.title }) : this.entry.title);
    const back = element("button", { type: "button", class: "back", onclick: () => this.go(RESET) }, this.words.unchanged);
    document.querySelector(".about").replaceChildren(title, ` · ${size}`, ...(changed ? [" ", back] : []));
    const says = document.querySelector(".says");
    says.textContent = changed || this.mode === "edit" ? this.words.changed_says : this.entry.says;
    says.hidden = !says.textContent || this.mode === "predict"; // it would give the answer away
    const levels = document.getElementById("levels");
    levels.hidden = this.levels.length < 2;
    const focused = levels.contains(document.activeElement) ? document.activeElement.textContent : null;
    levels.replaceChildren(
      ...this.levels.map(({ trace }, level) => {
        const text = fillText(level ? this.words.level_next : this.words.level_first, { level, n: trace.ids.length });
        const onclick = () => this.go({ level: level || "", step: "", vertex: "" });
        return element("button", { type: "button", "aria-pressed": String(level === this.level), onclick }, text);
      }),
    );
    [...levels.children].find((button) => button.textContent === focused)?.focus();
  }
}

// ---- the site -------------------------------------------------------------------------------------------------------

const PAGES = { compare: Compare, classify: Classify };

// settings: of the canvas; words, hardest, sizes, most, smiles, compare, classify: see site/__init__.py. take(source, data, about),
// compared(source, data), model(name, data), reader(readers, given), smiles(start): what the files call; start(list): what the list
// of the graphs calls.
export function site(settings, { words, hardest, sizes, most, smiles, compare, classify }) {
  const own = new Own({ words, sizes, most, smiles });
  const graphs = new Graphs(words, "graphs", own);
  const compared = new Graphs(words, "compare");
  const models = new Graphs(words, "models");
  const start = (list) => {
    graphs.list = list;
    keepLink((link) => history.replaceState(null, "", link));
    const section = document.querySelector("section[data-page]");
    const Page = PAGES[section.dataset.page] ?? Live;
    new Page(section, { graphs, compared, models, words, hardest, sizes, settings, compare, classify });
  };
  return {
    take: (source, data, about) => graphs.take(source, levelsByScore(data), about),
    compared: (source, data) => compared.take(source, data),
    model: (name, data) => models.take(name, data),
    reader: (readers, given) => own.reader(readers, given),
    smiles: (starts) => own.chemistry(starts),
    start,
  };
}
