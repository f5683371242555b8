// Classify: the class of a graph by a released model, which runs in this page; the pooling of each of its blocks, and what each
// cluster contributes.
import { mount } from "canvas/host/mount.js";
import { drawnOf } from "canvas/model/edits.js";
import { fit, Unfit } from "canvas/model/fit.js";
import { identified, readChange } from "canvas/model/levels.js";
import { traceData } from "canvas/model/meer.js";
import { afterBlocks, inside, ofBlock } from "canvas/model/inside.js";
import { calibrated, decoded, Network, without } from "canvas/model/network.js";
import { fillText, fixed } from "canvas/model/text.js";
import { element } from "canvas/panels/element.js";
import { shownLayer } from "./inside.js";
import { carry, readLink, spellLink, whole } from "./link.js";
import { Upload } from "./own.js";

const MOST_AT_ONCE = 60; // clusters that are left out without being asked
const MOST_BARS = 30;
const LITTLE = 0.5; // percentage points; a smaller change is not worth a sentence
const FROM_DATASET = /^([A-Z0-9-]+):\d+$/;

const signed = (value) => `${value < 0 ? "−" : "+"}${fixed(Math.abs(value), 1)}`;
// a sentence of ours with `code` in it
const marked = (text) => text.split("`").map((part, i) => (i % 2 ? element("code", {}, part) : part));
const list = (sentences) => element("ul", {}, ...sentences.map((one) => element("li", {}, one)));
const settle = () => new Promise((resolve) => setTimeout(resolve));

export class Classify {
  // site: {graphs, models, words, settings, classify}, see site.js
  constructor(section, site) {
    Object.assign(this, { section, site, words: site.classify.words, number: 0, count: 0, networks: new Map() });
    this.find = (kind) => section.querySelector(kind);
    this.host = this.find(".canvas").attachShadow({ mode: "open" });
    this.host.append(element("link", { rel: "stylesheet", href: "canvas.css" }));
    this.graph = document.getElementById("graph");
    this.upload = new Upload(site.graphs.own, (change) => this.go({ ...change, block: "", model: "", anyway: "" }));
    this.model = document.getElementById("model");
    this.graph.onchange = () => this.go({ graph: this.graph.value, change: "", origin: "", score: "", block: "", vertex: "", step: "", model: "", anyway: "" });
    this.opened = this.find(".opened");
    this.opened.ontoggle = () => this.inside();
    this.model.onchange = () => this.go({ model: this.model.value, block: "", step: "", anyway: "" });
    addEventListener("hashchange", () => this.show(readLink(location.hash)));
    document.addEventListener("themechange", () => this.traces && this.block());
    this.show(readLink(location.hash));
  }

  say(text) {
    const notice = this.find(".notice");
    notice.textContent = text;
    notice.hidden = !text;
  }

  go(change) {
    const link = { ...this.link, ...change };
    history.pushState(null, "", spellLink(link) || location.pathname + location.search);
    this.show(link);
  }

  async show(link) {
    const number = ++this.number;
    const current = () => number === this.number; // nothing else was asked for meanwhile
    const { graphs } = this.site;
    const { entry, said } = await graphs.open(link.graph ?? "MAO:3");
    if (!current()) return;
    this.entry = entry;
    this.link = { ...link, graph: entry.source };
    this.say(said);
    try {
      const data = await graphs.load(this.entry);
      if (!current()) return;
      this.take(data);
      if (!this.chooses()) return;
      const { description, weights } = await this.site.models.load({ source: this.about.name, file: `${this.about.name}.js` });
      if (!current()) return;
      if (!this.networks.has(this.about.name)) this.networks.set(this.about.name, new Network(description, decoded(weights)));
      this.answer(this.networks.get(this.about.name));
      await this.contributions(current);
    } catch (error) {
      this.say(error.message);
    }
  }

  // the graph as it is, or as it was edited: an edited one is of no collection and has no class
  take(data) {
    const { graphs, words } = this.site;
    const score = this.entry.scores.includes(this.link.score) ? this.link.score : this.entry.scores[0];
    const first = drawnOf(data[score][0].trace);
    const about = graphs.about[this.entry.source];
    this.title = this.entry.title;
    this.drawing = first;
    this.input = { ...about, ids: first.ids, edges: first.edges };
    if (!this.link.change) return;
    try {
      this.drawing = readChange(first, this.link.change);
    } catch (error) {
      if (error.name !== "RangeError") throw error;
      throw new Error(words.wrong_change);
    }
    const { ids, edges, labels } = this.drawing;
    const place = new Map(first.ids.map((id, v) => [id, v]));
    const kept = Object.entries(about.attributes).map(([name, values]) => [name, ids.map((id) => values[place.get(id)] ?? null)]);
    const attributes = Object.fromEntries(kept);
    if (labels) attributes.label = labels.map((label) => label.trim() || null);
    this.title = fillText(words.changed, { title: this.entry.title });
    this.input = { name: this.title, collection: null, origin: null, label: null, ids, edges, attributes };
  }

  tried(model) {
    const { words, elements } = this.site.classify.fitting;
    try {
      return fit(this.input, model.schema, words, elements);
    } catch (error) {
      if (!(error instanceof Unfit)) throw error;
      return error;
    }
  }

  // the most accurate model of the graph's own data set, else of those whose domain it lies in, else of those that take it
  best() {
    const models = [...this.site.classify.models].sort((a, b) => b.accuracy - a.accuracy);
    const of = this.input.collection || this.input.name.split(":")[0];
    const own = models.find(({ schema }) => schema.dataset === of);
    if (own) return own;
    const takes = models.filter((model) => !(this.tried(model) instanceof Unfit));
    return takes.find((model) => !this.tried(model).outside.length) ?? takes[0] ?? models[0];
  }

  // the model, what it says of the graph before it is run; whether it is to be run
  chooses() {
    const { models } = this.site.classify;
    const { words } = this;
    this.about = models.find(({ name }) => name === this.link.model) ?? this.best();
    this.upload.show(this.entry);
    this.graph.value = this.entry.source;
    this.model.value = this.about.name;
    carry(this.link);
    const label = this.input.label === null ? "" : ` · ${this.titleOf(this.input.label)}`;
    const { ids, edges } = this.input;
    this.find(".about").textContent = `${this.title} · ${fillText(words.graph_about, { n: ids.length, m: edges.length / 2 })}${label}`;
    this.find(".model").textContent = this.about.about;
    const [heads, ...rows] = this.about.layers;
    this.find(".layers").replaceChildren(
      element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
      element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))))),
    );
    const found = this.tried(this.about);
    const others = (good) => models.filter((model) => model !== this.about && good(this.tried(model))).map(({ name }) => `\`${name}\``);
    const refused = this.find(".refused");
    const shown = (...nodes) => {
      refused.replaceChildren(...nodes);
      refused.hidden = !nodes.length;
      this.find(".answer").hidden = Boolean(nodes.length);
      if (nodes.length) this.traces = null;
      return !nodes.length;
    };
    if (found instanceof Unfit) {
      const names = others((other) => !(other instanceof Unfit)).join(", ");
      const reason = fillText(words.refused, { model: this.about.name, reason: found.message });
      return shown(element("p", { class: "notice", role: "status" }, ...marked(reason)), element("p", {}, ...marked(names ? fillText(words.others, { names }) : words.no_others)));
    }
    this.found = found;
    if (found.outside.length && this.link.anyway !== this.about.name) {
      const names = others((other) => !(other instanceof Unfit) && !other.outside.length).join(", ");
      return shown(
        element("h2", {}, ...marked(fillText(words.outside, { model: this.about.name }))),
        element("p", {}, words.outside_why),
        list(found.outside),
        element("p", {}, ...marked(names ? fillText(words.outside_others, { names }) : words.outside_none)),
        element("button", { type: "button", onclick: () => this.go({ anyway: this.about.name }) }, words.outside_anyway),
      );
    }
    return shown();
  }

  titleOf(label) {
    const at = this.about.classes.indexOf(label);
    return at >= 0 && (!this.input.collection || this.input.collection === this.about.schema.dataset) ? this.about.titles[at] : `class ${label}`;
  }

  answer(network) {
    const { words, about, found } = this;
    const { ids, edges } = this.drawing;
    this.network = network;
    this.given = { n: ids.length, edges, weight: null };
    const { probabilities: raw, levels } = network.forward(found.x, this.given);
    this.raw = raw;
    this.best_ = raw.indexOf(Math.max(...raw));
    // the calibration was measured on graphs of the domain, and says nothing of others
    const shares = about.calibration && !found.outside.length ? calibrated(raw, about.calibration) : null;
    const shown = shares ?? raw;
    const [, dataset] = FROM_DATASET.exec(this.input.name) ?? [];
    const label = dataset && dataset !== about.schema.dataset ? null : this.input.label;
    const truth = about.classes.indexOf(label);
    let said = fillText(words.predicted, { model: about.name, predicted: about.titles[this.best_], share: fixed(shown[this.best_], 3) });
    if (truth >= 0) said += ` ${fillText(truth === this.best_ ? words.right : words.wrong, { true: about.titles[truth] })}`;
    this.find(".predicted").replaceChildren(...marked(said));
    const training = this.find(".training");
    training.textContent = words.in_training_set;
    training.hidden = truth < 0 || !this.entry.source.startsWith(`${about.schema.dataset}:`);
    this.find(".shares").textContent = shares ? words.calibrated : words.probabilities;
    const order = [...raw.keys()].sort((a, b) => shown[b] - shown[a] || raw[b] - raw[a]);
    this.find(".mp-classes").replaceChildren(
      ...order.map((k) => {
        const bar = element("div", { class: "bar" });
        bar.style.width = `${(100 * shown[k]).toFixed(2)}%`;
        const name = element("span", { class: "name", title: about.titles[k] }, element("bdi", {}, about.called[k]));
        if (k === truth) name.append(" ", element("span", { class: "true" }, words.true_class));
        const beside = shares ? [" ", element("small", {}, fillText(words.raw, { share: fixed(raw[k], 3) }))] : [];
        const row = element("div", { class: k === this.best_ ? "row best" : "row" }, name);
        row.append(element("span", { class: "track" }, bar), element("span", { class: "share" }, fixed(shown[k], 3), ...beside));
        return row;
      }),
    );
    const share = shown[this.best_];
    const numbers = { share: fixed(share, 2), n: fixed(100 * share, 0), predictions: about.calibration?.predictions.toLocaleString("en") };
    const sure = [shares ? fillText(words.calibration, numbers) : words.uncalibrated, about.assessed];
    if (about.source) sure.push(fillText(words.classes_from, { source: about.source }));
    this.find(".sure").textContent = sure.join(" ");
    const what = found.outside.length ? words.outside_asked : words.notes;
    this.find(".notes").replaceChildren(...(found.warnings.length ? [element("p", {}, what), list(found.warnings)] : []));
    this.pooled(levels);
  }

  // the blocks' poolings as the canvas takes them
  pooled(levels) {
    let graph = { ...this.drawing, weight: null, size: null };
    this.traces = levels.map(({ score, rounded }) => {
      const trace = identified(traceData({ ...graph, score, rounded }, { learned: true }));
      const kept = trace.ids.map((_, v) => v).filter((v) => trace.survivor[v]);
      const place = new Map(kept.map((v, i) => [v, i]));
      const of = (values) => (values ? kept.map((v) => values[v]) : null);
      const { edges, weight } = trace.reduced;
      graph = { ids: of(trace.ids), labels: of(trace.labels), x: of(trace.x), y: of(trace.y), edges: edges.map((v) => place.get(v)), weight, size: of(trace.cluster_size) };
      return trace;
    });
    // for each block, which vertices of the graph are in each cluster, by its survivor
    let home = this.drawing.ids.map((_, v) => v);
    this.members = levels.map(({ cluster, kept }, k) => {
      home = home.map((v) => cluster[v]);
      const ids = kept.map((v) => this.traces[k].ids[v]);
      return ids.map((survivor, c) => ({ survivor, keep: home.map((h) => h !== c) }));
    });
    this.at = Math.min(whole(this.link.block), Math.max(levels.length - 1, 0));
    const blocks = document.getElementById("levels");
    blocks.replaceChildren(
      ...this.traces.map(({ ids, survivor }, k) => {
        const text = fillText(this.words.block_choice, { k: k + 1, before: ids.length, after: survivor.reduce((a, b) => a + b, 0) });
        return element("button", { type: "button", "aria-pressed": String(k === this.at), onclick: () => this.go({ block: k || "", step: "", vertex: "" }) }, text);
      }),
    );
    this.block();
  }

  block() {
    const trace = this.traces[this.at];
    this.host.host.hidden = !trace;
    this.find(".ties").textContent = trace?.ties ? fillText(this.words.ties, { ties: trace.ties }) : "";
    if (!trace) return;
    const vertex = Math.max(trace.ids.indexOf(this.link.vertex), -1);
    const start = { step: whole(this.link.step), part: 0, vertex: vertex >= 0 ? vertex : trace.rank.indexOf(0), n: ++this.count };
    const options = { layout: "full", height: 380, labels: "id", scores: trace.ids.length <= 60, keys: true, words: true, mode: "", levels: [0, 1], hide: [] };
    mount(
      {
        parentElement: this.host,
        data: { trace, options, start, edit: null, original: null, command: this.shown === trace.id ? start : null },
        setStateValue: (name, cursor) => name === "cursor" && this.moved(cursor, trace),
        setTriggerValue() {},
      },
      this.site.settings,
    );
    this.shown = trace.id;
    this.vertex = start.vertex;
    this.inside();
  }

  // the network opened at the vertex that is selected in the block
  inside() {
    const trace = this.traces?.[this.at];
    if (!this.opened.open || !trace) return;
    const id = trace.ids[this.vertex] ?? trace.ids[trace.rank.indexOf(0)];
    const { inside: words, words: said } = this.site.classify;
    const layers = inside(this.network, this.found.x, this.given, this.drawing.ids, this.drawing.ids.indexOf(id));
    const shown = [...ofBlock(layers, this.at), ...afterBlocks(layers)];
    this.opened.querySelector(".mp-inside").replaceChildren(...shown.flatMap((layer) => shownLayer(layer, words, this.about.titles, said.more)));
  }

  moved({ id, step, vertex }, trace) {
    if (id !== trace.id) return;
    this.link = { ...this.link, step: step || "", vertex: vertex >= 0 ? trace.ids[vertex] : "" };
    history.replaceState(null, "", spellLink(this.link));
    if (vertex === this.vertex) return;
    this.vertex = vertex;
    this.inside();
  }

  // what each cluster of the block contributes: the graph is classified again without it
  async contributions(current, asked = false) {
    const { words } = this;
    const place = this.find(".contributions");
    const clusters = (this.members[this.at] ?? []).filter(({ keep }) => keep.some(Boolean));
    place.replaceChildren();
    if (!clusters.length) return place.append(element("p", {}, words.left_out_none));
    if (clusters.length > MOST_AT_ONCE && !asked) {
      const ask = () => this.contributions(current, true);
      return place.append(element("button", { type: "button", onclick: ask }, fillText(words.left_out_ask, { n: clusters.length })));
    }
    const made = [];
    for (const { survivor, keep } of clusters) {
      await settle();
      if (!current()) return undefined;
      const { features, graph } = without(this.found.x, this.given, keep);
      const share = this.network.forward(features, graph).probabilities[this.best_];
      made.push({ survivor, n: keep.filter((kept) => !kept).length, share, change: 100 * (share - this.raw[this.best_]) });
    }
    made.sort((a, b) => a.change - b.change);
    return place.replaceChildren(...this.bars(made));
  }

  bars(made) {
    const { words } = this;
    const predicted = this.about.titles[this.best_];
    const ends = [made[0], made[made.length - 1]].filter(({ change }) => Math.abs(change) >= LITTLE);
    const falls = ends.filter(({ change }) => change < 0).map(({ survivor, change }) => fillText(words.left_out_falls, { survivor, points: fixed(-change, 1) }));
    const rises = ends.filter(({ change }) => change > 0).map(({ survivor, change }) => fillText(words.left_out_rises, { survivor, points: fixed(change, 1) }));
    const what = [...falls.slice(0, 1), ...rises.slice(-1)].join(words.left_out_and);
    const sentence = fillText(what ? words.left_out_sentence : words.left_out_little, { predicted, what });
    const kept = [...made].sort((a, b) => Math.abs(b.change) - Math.abs(a.change)).slice(0, MOST_BARS).sort((a, b) => a.change - b.change);
    const whole = this.raw[this.best_];
    const row = (kind, name, share, beside, attributes = {}) => {
      const bar = element("i");
      bar.style.width = `${(100 * share).toFixed(2)}%`;
      return element("div", { class: kind, ...attributes }, element("span", { class: "name" }, ...name), element("span", { class: "track" }, bar), element("span", { class: "value" }, fixed(share, 3), ...beside));
    };
    const labels = new Map(this.drawing.ids.map((id, v) => [id, this.drawing.labels?.[v]]));
    const chart = element("div", { class: "left-out" }, row("all", [words.left_out_all], whole, []));
    chart.style.setProperty("--whole", `${(100 * whole).toFixed(2)}%`);
    for (const { survivor, n, share, change } of kept) {
      const spoken = fillText(words.left_out_spoken, { survivor, n, share: fixed(share, 3), points: signed(change) });
      const name = [element("bdi", {}, survivor), ...(labels.get(survivor) ? [" · ", element("bdi", {}, labels.get(survivor))] : [])];
      const attributes = { role: "button", tabindex: 0, "data-choose": 1, "data-light": `cluster:${survivor}`, "aria-label": spoken };
      chart.append(row(change < 0 ? "falls" : "rises", name, share, [" ", element("small", {}, signed(change))], attributes));
    }
    const title = [fillText(words.left_out_axis, { predicted })];
    if (made.length > kept.length) title.push(element("br"), fillText(words.left_out_more, { n: made.length, shown: kept.length }));
    return [element("p", {}, sentence), element("p", { class: "left-title" }, ...title), chart];
  }
}
