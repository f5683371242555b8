// Compare: what several pooling methods make of one graph, side by side. Of the site's graphs it was computed beforehand
// (site/compared.py); of an edited one it is computed here, by its scores.
import { mountPanels } from "canvas/draw/panels.js";
import { drawnOf } from "canvas/model/edits.js";
import { readChange } from "canvas/model/levels.js";
import { notesOf, rowsOf, structureOf } from "canvas/model/measures.js";
import { pooled, stacked } from "canvas/model/poolings.js";
import { fillText } from "canvas/model/text.js";
import { element } from "canvas/panels/element.js";
import { carry, readLink, spellLink, whole } from "./link.js";
import { Upload } from "./own.js";

const LEAST = 2; // methods side by side
const NARROW = "(max-width: 640px)"; // a phone (site.css)

// the levels of a method (poolings.stacked) with all measures of each; graph: what is pooled; kept: the names of the measures
// that its file holds
export function levelsOf(graph, steps, kept) {
  let before = structureOf(graph.ids.length, graph.edges);
  return stacked(graph, steps).map((level) => {
    const after = level.after ? sized(level.at.length, level.after) : structureOf(level.at.length, level.edges);
    const own = Array.isArray(level.measures) ? Object.fromEntries(kept.map((name, i) => [name, level.measures[i]])) : level.measures;
    const was = Object.fromEntries(Object.entries(before).map(([name, value]) => [`${name}_before`, value]));
    const ratio = before.num_nodes ? after.num_nodes / before.num_nodes : 1;
    before = after;
    return { ...level, measures: { ...after, ...was, ratio, ...own } };
  });
}

// of a graph some of whose edges are not here
const sized = (n, { num_edges, components }) => ({
  num_nodes: n,
  num_edges,
  density: n > 1 ? (2 * num_edges) / (n * (n - 1)) : 0,
  mean_degree: n ? (2 * num_edges) / n : 0,
  components,
});

export class Compare {
  // site: {graphs, compared, words, settings, compare}, see site.js
  constructor(section, site) {
    Object.assign(this, { section, site, words: site.compare.words, chosen: null, number: 0 });
    this.notice = section.querySelector(".notice");
    this.host = section.querySelector(".drawn");
    section.querySelector(".which").open = !matchMedia(NARROW).matches; // there the list would fill the screen
    this.graph = document.getElementById("graph");
    this.upload = new Upload(site.graphs.own, (change) => this.go(change));
    this.graph.onchange = () => this.go({ graph: this.graph.value, change: "", origin: "", score: "", level: "", vertex: "" });
    document.getElementById("all").onclick = () => this.go({ methods: Object.keys(this.found).join(",") });
    addEventListener("hashchange", () => this.show(readLink(location.hash)));
    document.addEventListener("themechange", () => this.found && this.draw());
    this.show(readLink(location.hash));
  }

  say(text) {
    this.notice.textContent = text;
    this.notice.hidden = !text;
  }

  go(change) {
    const link = { ...this.link, ...change };
    history.pushState(null, "", spellLink(link) || location.pathname + location.search);
    this.show(link);
  }

  async show(link) {
    const { graphs, compared } = this.site;
    const list = graphs.list.filter((entry) => entry.compared);
    const number = ++this.number;
    const { entry, said } = await graphs.open(link.graph ?? list[0].source, list);
    if (number !== this.number) return; // another graph was asked for meanwhile
    this.entry = entry;
    this.link = { ...link, graph: entry.source };
    this.say(said);
    try {
      const data = await graphs.load(this.entry);
      const score = this.entry.scores.includes(link.score) ? link.score : this.entry.scores[0];
      this.drawing = drawnOf(data[score][0].trace);
      const { methods, own } = link.change || entry.own ? this.computed(link) : { methods: await compared.load(this.entry), own: false };
      if (number !== this.number) return;
      this.own = own;
      this.take(methods);
    } catch (error) {
      this.say(error.message);
    }
  }

  // of an edited graph, or a person's own: what the page computes by its scores
  computed(link) {
    const { computed, levels } = this.site.compare;
    try {
      this.drawing = readChange(this.drawing, link.change ?? "");
    } catch (error) {
      if (error.name !== "RangeError") throw error;
      throw new Error(this.site.words.wrong_change);
    }
    const methods = computed.map((name) => [name, { levels: pooled(name.split(":")[0], this.drawing, levels) }]);
    return { methods: Object.fromEntries(methods), own: true };
  }

  take(methods) {
    const { kept, first } = this.site.compare;
    const made = Object.entries(methods).map(([name, what]) => [name, { ...what, levels: levelsOf(this.drawing, what.levels, kept) }]);
    this.found = Object.fromEntries(made);
    const known = Object.keys(this.found);
    const wanted = (this.link.methods || "").split(",").filter(Boolean);
    const begin = first[known[0].endsWith(":given") ? "given" : "own"];
    this.names = [...new Set((wanted.length ? wanted : begin).map((name) => this.full(name)))].filter((name) => known.includes(name));
    const most = Math.max(1, ...this.names.map((name) => this.found[name].levels.length));
    this.level = Math.min(whole(this.link.level), most - 1);
    this.controls(known, most);
    this.draw();
    this.table();
    carry({ graph: this.entry.source, score: this.link.score, vertex: this.link.vertex, change: this.link.change, origin: this.link.origin });
  }

  // MIVSPool pools by the multiview score unless told otherwise
  full(name) {
    return name === "mivspool" ? this.site.compare.first.own[0] : name;
  }

  controls(known, most) {
    const { titles } = this.site.compare;
    this.upload.show(this.entry);
    this.graph.value = this.entry.source;
    const { n, m } = { n: this.drawing.ids.length, m: this.drawing.edges.length / 2 };
    const title = this.link.change ? fillText(this.site.words.changed, { title: this.entry.title }) : this.entry.title;
    const size = fillText(this.site.words.size, { n, m });
    const learned = this.names.some((name) => !name.endsWith(":given"));
    this.section.querySelector(".about").textContent = [title, size, ...(learned ? [this.words.with_seed] : [])].join(" · ");
    const says = this.section.querySelector(".says");
    says.textContent = this.own ? this.words.own : "";
    says.hidden = !this.own;
    const choose = (name) => {
      const names = this.names.includes(name) ? this.names.filter((other) => other !== name) : [...this.names, name];
      this.go({ methods: names.join(",") });
    };
    const focused = document.activeElement?.dataset?.method;
    const buttons = known.map((name) => {
      const pressed = String(this.names.includes(name));
      const button = element("button", { type: "button", "aria-pressed": pressed, onclick: () => choose(name) }, titles[name]);
      button.dataset.method = name;
      return button;
    });
    document.getElementById("methods").replaceChildren(...buttons);
    buttons.find((button) => button.dataset.method === focused)?.focus();
    this.section.querySelector(".chosen").textContent = `: ${this.names.map((name) => titles[name]).join(", ")}`;
    document.getElementById("all").disabled = this.names.length === known.length;
    const levels = document.getElementById("levels");
    levels.hidden = most < 2;
    levels.replaceChildren(
      ...Array.from({ length: most }, (_, level) =>
        element("button", { type: "button", "aria-pressed": String(level === this.level), onclick: () => this.go({ level: level || "" }) }, fillText(this.words.level, { n: level + 1 })),
      ),
    );
    if (this.names.length < LEAST) this.say(this.words.few);
  }

  draw() {
    const { titles, panels: words } = this.site.compare;
    const original = this.drawing;
    const panels = this.names.filter((name) => this.found[name].levels.length).map((name) => {
      const { levels } = this.found[name];
      const last = Math.min(this.level, levels.length - 1);
      const level = levels[last];
      const ended = last < this.level ? [fillText(this.words.ended, { n: last + 1 })] : [];
      const { cluster, at, edges, weight, shares = null, left_out = 0, measures, notes = [] } = level;
      const sizes = at.map(() => 0);
      for (const c of cluster) if (c >= 0) sizes[c]++;
      return {
        title: titles[name],
        notes: [...ended, ...notesOf(measures, this.words), ...notes],
        names: at.map((v, i) => (v >= 0 ? original.ids[v] : `c${i}`)),
        cluster,
        at,
        x: level.x ?? at.map((v) => original.x[v]),
        y: level.y ?? at.map((v) => original.y[v]),
        size: shares ? null : sizes,
        shares,
        edges,
        weight,
        left_out,
      };
    });
    const choose = (vertex) => {
      this.link.vertex = original.ids[vertex] ?? "";
      history.replaceState(null, "", spellLink(this.link) || location.pathname + location.search);
    };
    mountPanels(
      {
        parentElement: this.host,
        data: { original, panels, vertex: original.ids.indexOf(this.link.vertex) },
        setStateValue: (name, vertex) => name === "vertex" && choose(vertex),
      },
      { colours: this.site.settings.colours, words },
    );
  }

  // the measures of each method at this level, and a sentence for each that has none
  table() {
    const { titles, measures } = this.site.compare;
    const { words } = this;
    const here = this.names.filter((name) => this.found[name].levels[this.level]);
    const rows = here.length ? rowsOf(measures, here.map((name) => this.found[name].levels[this.level].measures), words) : null;
    const row = ({ title, text, before, shown, best }) =>
      element(
        "tr",
        {},
        element("th", { scope: "row" }, title, element("small", {}, text)),
        element("td", {}, before),
        ...shown.map((value, k) => element("td", { class: best.has(k) ? "mp-best" : "" }, value + (best.has(k) ? words.best : ""))),
      );
    const part = () => element("tr", { class: "mp-part" }, element("th", { colspan: 2 + here.length, scope: "colgroup" }, words.equal));
    const heads = [words.measure, words.before, ...here.map((name) => titles[name])];
    this.section.querySelector(".measures").replaceChildren(
      ...(rows
        ? [
            element("thead", {}, element("tr", {}, ...heads.map((head) => element("th", { scope: "col" }, head)))),
            element("tbody", {}, ...rows.differing.map(row), ...(rows.equal.length && rows.differing.length ? [part()] : []), ...rows.equal.map(row)),
          ]
        : []),
    );
    const absent = this.names.filter((name) => !here.includes(name)).map((name) => {
      const { levels, refused } = this.found[name];
      const why = refused ?? (levels.length ? fillText(words.ended, { n: levels.length }) : words.none);
      return element("p", { class: "quiet" }, `${titles[name]}: ${why}${why.endsWith(".") ? "" : "."}`);
    });
    const does = [...new Set(this.names.map((name) => name.split(":")[0]))].map((name) => {
      const [, title, what] = this.site.compare.does[name].split("**"); // a line of Markdown, as the app shows it
      return element("li", {}, element("b", {}, title), what);
    });
    this.section.querySelector(".does").replaceChildren(...does);
    this.section.querySelector(".absent").replaceChildren(...(rows ? [element("p", { class: "quiet" }, words.note)] : []), ...absent);
  }
}
