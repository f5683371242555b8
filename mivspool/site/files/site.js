// The static site: which graph is seen, the link that says so, and what stands below the canvas. The canvas itself is
// canvas.js, the graphs are scripts in graphs/ that call MIVSPOOL.take, so that a page opened from a disk works too.
"use strict";

const { mount, SETTINGS, words, drawnOf, featuresOf, levelsOf, readChange, spellChange } = MIVSPOOL;
const GIVEN = {};
const WAITING = new Map();
const MOST_ROWS = 40; // of S
const MOST_COLUMNS = 24;
const MOST_LISTED = 12;

function make(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") node.addEventListener("click", value);
    else if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

// a template with its values: {name}, and {count?one|many} by a number
function fill(template, values) {
  return template
    .replace(/\{(\w+)\?([^{}|]*)\|([^{}|]*)\}/g, (_, name, one, many) => (Number(values[name]) === 1 ? one : many))
    .replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
}

const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
const named = (text) => make("bdi", {}, text);

// ---- graphs ---------------------------------------------------------------------------------------------------------

MIVSPOOL.take = (source, data) => {
  GIVEN[source] = data;
};

// a graph's levels by score; its file is read when it is looked at first
function load(entry) {
  if (GIVEN[entry.source]) return Promise.resolve(GIVEN[entry.source]);
  if (!WAITING.has(entry.source)) {
    const read = new Promise((resolve, reject) => {
      const script = make("script", { src: `graphs/${entry.file}` });
      script.onload = () => resolve(GIVEN[entry.source]);
      script.onerror = () => {
        WAITING.delete(entry.source);
        reject(new Error(fill(words.missing, { file: `graphs/${entry.file}` })));
      };
      document.head.append(script);
    });
    WAITING.set(entry.source, read);
  }
  return WAITING.get(entry.source);
}

// ---- the link -------------------------------------------------------------------------------------------------------

// names and meanings are those of the app's links; the hash holds what differs from a page's own beginning
const LINK = ["graph", "score", "level", "step", "vertex", "mode", "present", "hide", "change", "origin"];
// another graph is wanted: nothing that is said of this one holds
const ANEW = { level: "", step: "", vertex: "", change: "", origin: "" };

function readLink() {
  const given = new URLSearchParams(location.hash.slice(1));
  return Object.fromEntries(LINK.filter((name) => given.has(name)).map((name) => [name, given.get(name)]));
}

function spell(values) {
  const link = new URLSearchParams();
  for (const name of LINK) if (values[name] !== undefined && values[name] !== "") link.set(name, values[name]);
  const text = link.toString().replaceAll("%3A", ":");
  return text ? `#${text}` : "";
}

const whole = (text) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : 0);

// ---- tables below the canvas ----------------------------------------------------------------------------------------

function table(head, rows, attributes = {}) {
  const cells = (tag, row) => row.map((cell) => make(tag, tag === "th" ? { scope: "col" } : {}, cell));
  const body = rows.map(({ cells: row, ...more }) => {
    const [first, ...rest] = row;
    return make("tr", more, make("th", { scope: "row" }, first), ...cells("td", rest));
  });
  const top = head ? [make("thead", {}, make("tr", {}, ...cells("th", head)))] : [];
  return make("div", { class: "wide", tabindex: "0" }, make("table", attributes, ...top, make("tbody", {}, ...body)));
}

// the reduced vertices in order, and the place of each vertex's among them
function clusters(trace) {
  const kept = trace.ids.map((_, v) => v).filter((v) => trace.survivor[v]);
  const place = new Map(kept.map((v, i) => [v, i]));
  return { kept, column: trace.cluster.map((v) => place.get(v)) };
}

function badges({ checks, metrics, trace }) {
  const n = trace.ids.length;
  const { kept } = clusters(trace);
  const two = (value) => value.toFixed(2);
  const items = [
    [checks.independent ? words.independent : words.not_independent, checks.independent ? "yes" : "no"],
    [checks.maximal ? words.maximal : words.not_maximal, checks.maximal ? "yes" : "no"],
    [fill(words.ratio, { n, kept: kept.length, ratio: two(metrics.ratio) }), ""],
    [fill(words.mean_degree, { before: two(metrics.mean_degree_before), after: two(metrics.mean_degree_after) }), ""],
    [fill(words.components, { before: metrics.components_before, after: metrics.components_after }), ""],
  ];
  return make("ul", { class: "badges" }, ...items.map(([text, kind]) => make("li", { class: kind }, text)));
}

function assignment({ trace }, vertex) {
  const n = trace.ids.length;
  const { kept, column } = clusters(trace);
  const title = make("h2", {}, fill(words.S, { n, kept: kept.length }));
  if (n > MOST_ROWS || kept.length > MOST_COLUMNS) return [title, make("p", {}, fill(words.S_large, { n }))];
  const rows = trace.ids.map((id, v) => ({
    cells: [named(id), ...kept.map((_, c) => (column[v] === c ? "1" : "·"))],
    class: v === vertex ? "selected" : null,
  }));
  return [title, make("p", {}, words.S_about), table(["", ...kept.map((v) => named(trace.ids[v]))], rows, { class: "S" })];
}

function cluster({ trace, features, loops }, vertex) {
  if (vertex < 0) return [];
  const { kept, column } = clusters(trace);
  const home = column[vertex];
  const members = trace.ids.map((_, v) => v).filter((v) => column[v] === home);
  members.sort((a, b) => trace.rank[a] - trace.rank[b]);
  const sum = members.reduce((total, v) => total + trace.score[v], 0);
  const share = (v) => trace.score[v] / sum;
  const columns = features ? features.names.map((_, c) => c).slice(0, 6) : [];
  const value = (v, c) => (features.values[v] ? number(features.values[v][c]) : words.unknown_value);
  const told = members.every((v) => !features || features.values[v]); // of a vertex that was added nothing is known
  const mean = columns.map((c) => (told ? number(members.reduce((total, v) => total + share(v) * features.values[v][c], 0)) : words.unknown_value));
  const rows = members.slice(0, MOST_LISTED).map((v) => ({
    cells: [
      named(trace.ids[v]),
      trace.score[v].toFixed(3),
      share(v).toFixed(2),
      ...columns.map((c) => value(v, c)),
    ],
    class: v === vertex ? "selected" : null,
  }));
  if (members.length > rows.length) {
    const more = fill(words.more, { more: members.length - rows.length });
    rows.push({ cells: [more, "", "", ...columns.map(() => "")], class: null });
  }
  rows.push({ cells: ["", sum.toFixed(3), "1", ...mean], class: "sum" });
  const head = [words.member, words.score, words.share, ...columns.map((c) => named(features.names[c]))];
  return [
    make("h2", {}, fill(words.cluster, { survivor: trace.ids[kept[home]] })),
    make("p", {}, words.eq12),
    table(head, rows),
    make("p", {}, words.eq3),
    ...counted(trace, loops, kept, column, home),
  ];
}

// one row of SᵀAS: each entry with the edges that it counts
function counted(trace, loops, kept, column, home) {
  const found = new Map();
  const add = (to, weight, text) => {
    const entry = found.get(to) ?? { weight: 0, edges: [] };
    entry.weight += weight;
    if (text) entry.edges.push(text);
    found.set(to, entry);
  };
  for (let e = 0; e < trace.edges.length; e += 2) {
    const [u, v] = [trace.edges[e], trace.edges[e + 1]];
    const weight = trace.weight ? trace.weight[e / 2] : 1;
    const text = `${trace.ids[u]}–${trace.ids[v]}${weight === 1 ? "" : ` ×${number(weight)}`}`;
    if (column[u] === home && column[v] === home) add(home, 2 * weight, text);
    else if (column[u] === home) add(column[v], weight, text);
    else if (column[v] === home) add(column[u], weight, text);
  }
  if (loops) {
    const inside = loops.reduce((total, weight, v) => (column[v] === home ? total + weight : total), 0);
    if (inside) add(home, inside, "");
  }
  if (!found.size) return [make("p", { class: "quiet" }, words.no_edges)];
  const order = [...found.keys()].sort((a, b) => Number(b === home) - Number(a === home) || a - b);
  const rows = order.slice(0, MOST_LISTED).map((to) => {
    const { weight, edges } = found.get(to);
    const listed = edges.slice(0, MOST_LISTED).join(", ");
    const rest = edges.length > MOST_LISTED ? `, ${fill(words.more, { more: edges.length - MOST_LISTED })}` : "";
    const note = to === home ? ` (${words.inside})` : "";
    return { cells: [named(trace.ids[kept[to]]), number(weight), make("span", { dir: "auto" }, listed + rest + note)] };
  });
  return [table(null, rows, { class: "edges" })];
}

// ---- a page's graph -------------------------------------------------------------------------------------------------

class Live {
  constructor(section) {
    this.section = section;
    this.learn = section.dataset.page === "learn";
    this.shows = new Set(section.dataset.shows.split(" "));
    this.notice = section.querySelector(".notice");
    this.below = section.querySelector(".below");
    // a shadow root: the canvas's style is its own, as in the app
    this.host = section.querySelector(".canvas").attachShadow({ mode: "open" });
    const style = make("link", { rel: "stylesheet", href: "canvas.css" });
    this.styled = new Promise((resolve) => {
      style.onload = style.onerror = resolve;
    });
    this.host.append(style);
    this.count = 0;
    this.controls();
    addEventListener("hashchange", () => this.show(readLink()));
    this.show(readLink());
  }

  // what the page begins with, where the link says nothing
  own() {
    const { graph, score, step } = this.section.dataset;
    if (this.learn) return { graph, score, step };
    return { graph: MIVSPOOL.list[0].source };
  }

  async show(link) {
    const asked = { ...this.own(), ...link };
    if (this.learn) Object.assign(asked, this.own(), { step: link.step ?? this.own().step });
    const entry = MIVSPOOL.list.find((other) => other.source === asked.graph);
    this.say(entry ? "" : fill(words.unknown, { source: asked.graph }));
    this.entry = entry ?? MIVSPOOL.list[0];
    const number = ++this.count;
    let data;
    try {
      data = await load(this.entry);
      await this.styled;
    } catch (error) {
      this.say(error.message);
      return;
    }
    if (number !== this.count) return; // another graph was asked for meanwhile
    this.score = this.entry.scores.includes(asked.score) ? asked.score : this.entry.scores[0];
    this.written = data[this.score];
    this.answer = null;
    this.change(asked.change ?? "", asked.origin ?? "");
    this.level = Math.min(whole(asked.level), Math.max(this.levels.length - 1, 0));
    this.mode = !this.learn && ["predict", "edit"].includes(asked.mode) ? asked.mode : "";
    this.presents = !this.learn && asked.present === "1";
    this.hide = link.hide ?? "";
    const { trace } = this.levels[this.level];
    const last = trace.T + (trace.ids.length ? 2 : 0) + (trace.added.length ? 1 : 0);
    const from = Number(asked.step) < 0 ? last + 1 + Number(asked.step) : whole(asked.step);
    const found = trace.ids.indexOf(link.vertex);
    const vertex = found >= 0 ? found : trace.rank.indexOf(0);
    this.cursor = { step: Math.min(from, last), vertex };
    this.mount({ ...this.cursor, n: this.count });
    this.controls();
    this.around();
  }

  // the graph as it was changed, and the one it is compared with: both as the link spells them, "" for the one written
  change(change, origin) {
    const made = (text) => {
      if (!text) return this.written;
      const graph = readChange(drawnOf(this.written[0].trace), text);
      const levels = levelsOf(graph, { complement: this.entry.complement, sizes: MIVSPOOL.sizes });
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
      this.say(words.wrong_change);
      this.change("", "");
    }
  }

  // the canvas tells of a change: its levels are computed here, and shown under the name that the link has for it
  edited(told) {
    const first = drawnOf(this.written[0].trace);
    const { edit } = this.host.querySelector(".mivspool").canvas;
    const { origin } = this.made;
    const change = told.graph ? spellChange(first, edit.graph) : origin;
    this.change(change, told.pinned ? change : origin);
    this.level = 0;
    this.answer = { token: told.token, n: told.n, error: "" };
    this.cursor = { step: told.step, vertex: this.levels[0].trace.ids.indexOf(told.vertex) };
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
    if (fresh) this.start = { step: command.step, vertex: command.vertex, n: this.count };
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
            levels: [this.level, this.levels.length],
            hide: this.hide.split(","),
            complement: this.entry.complement,
            difficulty: this.mode === "predict" && this.level === 0 ? [this.levels[0].hard, MIVSPOOL.hardest] : null,
          },
          start: this.start,
          edit: this.answer,
          original: this.original === this.levels ? null : this.original[0].trace,
          command: fresh ? null : command,
        },
        setStateValue: (name, cursor) => name === "cursor" && this.moved(cursor),
        setTriggerValue: (name, value) => {
          if (name === "another") this.another(value);
          else if (name === "wish") this.wish(value);
          else if (name === "edited") this.edited(value);
        },
      },
      SETTINGS,
    );
  }

  say(text) {
    this.notice.textContent = text;
    this.notice.hidden = !text;
  }

  moved({ id, step, vertex }) {
    if (id !== this.shown) return;
    this.cursor = { step, vertex };
    this.around();
  }

  // a graph as hard to predict as this one, or harder
  another(how) {
    const hard = Math.min(this.levels[this.level].hard + (how === "harder" ? 1 : 0), MIVSPOOL.hardest);
    const others = MIVSPOOL.list.filter((other) => other !== this.entry && other.hard === hard && other.n <= 60);
    const next = others[Math.floor(Math.random() * others.length)] ?? this.entry;
    this.go({ ...ANEW, graph: next.source, score: "" });
  }

  wish({ level, present }) {
    if (level !== undefined) this.go({ level, step: "", vertex: "" });
    if (present !== undefined) this.go({ present: present ? "1" : "" });
  }

  // everything that is seen, as a link spells it
  link() {
    const { trace } = this.levels[this.level];
    const { step, vertex } = this.cursor;
    return {
      graph: this.entry.source,
      score: this.score === this.entry.scores[0] ? "" : this.score,
      level: this.level || "",
      step: step || "",
      vertex: vertex >= 0 ? trace.ids[vertex] : "",
      mode: this.mode,
      present: this.presents ? "1" : "",
      hide: this.hide,
      change: this.made.change,
      origin: this.made.origin,
    };
  }

  // the way to Step, with what is seen at this moment: a cursor that moves has not been told of yet
  opens() {
    const open = this.section.querySelector("a.open");
    if (!open) return;
    const { canvas } = this.host.querySelector(".mivspool");
    this.cursor = { step: canvas.step, vertex: canvas.vertex };
    open.href = `step.html${spell(this.link())}`;
    open.onclick = () => this.opens();
  }

  go(change) {
    const link = { ...this.link(), ...change };
    history.pushState(null, "", spell(link) || location.pathname + location.search);
    this.show(link);
  }

  // the link, and what stands above and below the canvas
  around() {
    const link = this.link();
    const own = this.learn ? { step: String(this.cursor.step), vertex: link.vertex } : link;
    history.replaceState(null, "", spell(own) || location.pathname + location.search);
    this.opens();
    const seen = this.levels[this.level];
    const parts = [];
    if (this.mode !== "predict" && seen.trace.ids.length) {
      if (this.shows.has("badges")) parts.push(badges(seen));
      const columns = [];
      if (this.shows.has("S")) columns.push(make("section", {}, ...assignment(seen, this.cursor.vertex)));
      if (this.shows.has("cluster")) columns.push(make("section", {}, ...cluster(seen, this.cursor.vertex)));
      parts.push(make("div", { class: "halves" }, ...columns));
    }
    this.below.replaceChildren(...parts);
  }

  controls() {
    if (this.learn) return;
    const graph = document.getElementById("graph");
    const score = document.getElementById("score");
    if (!this.entry) {
      for (const option of [...score.options]) this.titles = { ...this.titles, [option.value]: option.text };
      graph.onchange = () => this.go({ ...ANEW, graph: graph.value, score: "" });
      score.onchange = () => this.go({ ...ANEW, score: score.value });
      document.getElementById("present").onclick = () => this.go({ present: "1" });
      for (const button of document.querySelectorAll("#mode button")) {
        const { mode } = button.dataset;
        button.onclick = () => this.go(mode === "edit" ? { mode, level: "" } : { mode, step: "" });
      }
      return;
    }
    graph.value = this.entry.source;
    const changed = this.isChanged;
    const offered = changed ? ["given", ...this.entry.scores.filter((name) => name !== "given")] : this.entry.scores;
    score.replaceChildren(...offered.map((name) => make("option", { value: name }, this.titles[name])));
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
    const size = fill(words.size, { n: trace.ids.length, m: trace.edges.length / 2 });
    const title = make("b", { dir: "auto" }, changed ? fill(words.changed, { title: this.entry.title }) : this.entry.title);
    const back = make("button", { type: "button", class: "back", onclick: () => this.go(ANEW) }, words.unchanged);
    document.querySelector(".about").replaceChildren(title, ` · ${size}`, ...(changed ? [" ", back] : []));
    const says = document.querySelector(".says");
    says.textContent = changed || this.mode === "edit" ? words.changed_says : this.entry.says;
    says.hidden = !says.textContent || this.mode === "predict"; // it would give the answer away
    const levels = document.getElementById("levels");
    levels.hidden = this.levels.length < 2;
    const focused = levels.contains(document.activeElement) ? document.activeElement.textContent : null;
    levels.replaceChildren(
      ...this.levels.map(({ trace }, level) => {
        const text = fill(level ? words.level_next : words.level_first, { level, n: trace.ids.length });
        const onclick = () => this.go({ level: level || "", step: "", vertex: "" });
        return make("button", { type: "button", "aria-pressed": String(level === this.level), onclick }, text);
      }),
    );
    [...levels.children].find((button) => button.textContent === focused)?.focus();
  }
}

// ---- the theme ------------------------------------------------------------------------------------------------------

const system = matchMedia("(prefers-color-scheme: dark)");
const themeNow = () => document.documentElement.dataset.theme ?? (system.matches ? "dark" : "light");

function themeButton(live) {
  const button = document.getElementById("theme");
  const label = () => {
    const other = themeNow() === "dark" ? "light" : "dark";
    button.textContent = words[other];
    button.setAttribute("aria-label", fill(words.theme, { theme: words[other].toLowerCase() }));
    return other;
  };
  const drawn = () => {
    label();
    if (live && live.shown) live.mount({ ...live.cursor, n: ++live.count });
  };
  button.onclick = () => {
    const other = label();
    document.documentElement.dataset.theme = other;
    try {
      localStorage.setItem("mivspool-theme", other);
    } catch {
      // not kept: this page has it all the same
    }
    drawn();
  };
  system.addEventListener("change", drawn);
  label();
}

const section = document.querySelector("section.live");
themeButton(section ? new Live(section) : null);
