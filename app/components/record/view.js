// A level of a graph at one epoch as SVG, its scores as bars, and curves with a marker: elements that are made once and moved.
import { element } from "canvas/panels/element.js";

const SVG = "http://www.w3.org/2000/svg";
const WIDE = 2.6; // times as wide as high: two drawings stand one above the other

// How large a drawing is, in its own units: alone, or one of two.
function frame(positions, two) {
  if (!two) return { width: 640, height: 300, stacked: false };
  const [wide, high] = extent(positions);
  return wide > WIDE * high ? { width: 640, height: 150, stacked: true } : { width: 320, height: 300, stacked: false };
}

function extent(positions) {
  const span = (values) => Math.max(...values) - Math.min(...values);
  return [span(positions.map(([x]) => x)), span(positions.map(([, y]) => y))];
}

const MOST_NAMED = 70; // vertices with their ids inside
const ROW = 22; // pixels of a bar

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// Where the vertices of a graph stand in a frame, and how large they are drawn.
function placed({ positions, edges }, { width, height }) {
  const margin = 18;
  const left = Math.min(...positions.map(([x]) => x));
  const low = Math.min(...positions.map(([, y]) => y));
  const [wide, high] = extent(positions);
  const scale = Math.min((width - 2 * margin) / (wide || 1), (height - 2 * margin) / (high || 1));
  const [dx, dy] = [(width - scale * wide) / 2, (height - scale * high) / 2];
  const at = positions.map(([x, y]) => [dx + scale * (x - left), height - dy - scale * (y - low)]);
  const lengths = edges.map(([u, v]) => Math.hypot(at[u][0] - at[v][0], at[u][1] - at[v][1])).sort((a, b) => a - b);
  const usual = lengths.length ? lengths[Math.floor(lengths.length / 2)] : 30;
  return { at, size: Math.max(2, Math.min(12, 0.32 * usual)) };
}

export class Drawing {
  // pick(v): a vertex was chosen; two: another drawing stands with it
  constructor(graph, label, pick, two) {
    this.graph = graph;
    const box = frame(graph.positions, two);
    this.stacked = box.stacked;
    const { at, size } = placed(graph, box);
    Object.assign(this, { at, size });
    this.lines = svg("g", { class: "lines" });
    this.heads = svg("g", { class: "heads" });
    const named = graph.nodes.length <= MOST_NAMED;
    this.vertices = graph.nodes.map((id, v) => {
      const r = size;
      const parts = [
        svg("circle", { class: "halo", r: 1.9 * r }),
        svg("circle", { class: "ring", r: 1.45 * r }),
        svg("circle", { class: "round", r: 1.1 * r }),
        svg("rect", { class: "square", x: -0.75 * r, y: -0.75 * r, width: 1.5 * r, height: 1.5 * r, rx: 0.25 * r }),
      ];
      if (named) {
        const text = svg("text", { dy: "0.35em", "font-size": Math.max(5, Math.min(10, (2.1 * r) / Math.max(2, id.length)) * 1.3) });
        text.textContent = id.length > 4 ? `${id.slice(0, 3)}…` : id;
        parts.push(text);
      }
      const title = svg("title");
      title.textContent = id;
      const node = svg("g", { class: "vertex", transform: `translate(${at[v][0].toFixed(1)} ${at[v][1].toFixed(1)})` }, ...parts, title);
      node.addEventListener("click", () => pick(v));
      return node;
    });
    this.node = svg(
      "svg",
      { class: "drawing", viewBox: `0 0 ${box.width} ${box.height}`, role: "img", "aria-label": label },
      this.lines,
      this.heads,
      svg("g", {}, ...this.vertices),
    );
  }

  // level: see levelAt; changed: the vertices that changed; chosen: one or −1
  show(level, changed, chosen) {
    if (this.edges !== level.edges) {
      this.edges = level.edges;
      this.lines.replaceChildren(...level.edges.map(([u, v]) => this._line(u, v)));
    }
    const arrows = level.vertices.filter((v) => level.head.get(v) >= 0 && level.head.get(v) !== v);
    this.heads.replaceChildren(...arrows.map((v) => this._line(v, level.head.get(v))));
    const here = new Set(level.vertices);
    this.vertices.forEach((node, v) => {
      const state = !here.has(v) ? "absent" : level.survivors.has(v) ? "survivor" : "non-survivor";
      const name = `vertex ${state}${changed.has(v) ? " changed" : ""}${v === chosen ? " chosen" : ""}`;
      if (node.getAttribute("class") !== name) node.setAttribute("class", name);
    });
  }

  _line(u, v) {
    const [[x1, y1], [x2, y2]] = [this.at[u], this.at[v]];
    return svg("line", { x1: x1.toFixed(1), y1: y1.toFixed(1), x2: x2.toFixed(1), y2: y2.toFixed(1) });
  }
}

// The scores of a level, the highest first; a row moves where its rank changes.
export class Bars {
  constructor(graph, pick) {
    this.graph = graph;
    this.pick = pick;
    this.rows = new Map();
    this.list = element("div", { class: "rows" });
    this.node = element("div", { class: "bars", tabindex: "0" }, this.list);
  }

  // range: see scoreRange; before: the level of the epoch to compare with, or null
  show(level, range, before, changed, chosen) {
    const score = level.score;
    const order = score ? [...level.vertices].sort((a, b) => score.get(b) - score.get(a) || a - b) : level.vertices;
    const spread = range.high - range.low;
    const digits = spread > 0.1 ? 2 : spread > 0.01 ? 3 : 4;
    const from = range.low - 0.08 * (spread || 1);
    const share = (value) => `${(100 * Math.max(0, Math.min(1, (value - from) / (range.high - from || 1)))).toFixed(2)}%`;
    for (const [v, row] of this.rows) if (!level.head.has(v)) row.node.hidden = true;
    order.forEach((v, rank) => {
      const row = this._row(v);
      const state = level.survivors.has(v) ? "survivor" : "non-survivor";
      row.node.hidden = false;
      row.node.className = `row ${state}${changed.has(v) ? " changed" : ""}${v === chosen ? " chosen" : ""}`;
      row.node.style.transform = `translateY(${rank * ROW}px)`;
      const value = score?.get(v);
      row.bar.style.width = value == null ? "0" : share(value);
      row.value.textContent = value == null ? "" : value.toFixed(digits);
      const then = before?.score?.get(v);
      row.then.hidden = then == null;
      if (then != null) row.then.style.left = share(then);
    });
    this.list.style.height = `${order.length * ROW}px`;
  }

  _row(v) {
    if (!this.rows.has(v)) {
      const bar = element("span", { class: "bar" });
      const then = element("span", { class: "then" });
      const value = element("span", { class: "value" });
      const name = element("span", { class: "name", dir: "auto" });
      name.textContent = this.graph.nodes[v];
      const node = element("button", { type: "button", onclick: () => this.pick(v) }, name, element("span", { class: "rail" }, bar, then), value);
      this.rows.set(v, { node, bar, then, value });
      this.list.append(node);
    }
    return this.rows.get(v);
  }
}

// One quantity over the epochs, on training and validation graphs, with a marker. go(epoch): a place was pressed
export class Curve {
  constructor(title, names, go) {
    this.title = element("div", { class: "title" });
    this.title.textContent = title;
    this.names = names;
    this.plot = svg("svg", { class: "curve", preserveAspectRatio: "none", viewBox: "0 0 100 100", "aria-hidden": "true" });
    this.paths = [svg("path", { class: "training" }), svg("path", { class: "validation" })];
    this.best = svg("line", { class: "best", y1: 0, y2: 100 });
    this.marker = svg("line", { class: "marker", y1: 0, y2: 100 });
    this.plot.append(...this.paths, this.best, this.marker);
    this.high = element("span", { class: "high" });
    this.low = element("span", { class: "low" });
    this.said = element("div", { class: "said" });
    this.node = element("div", { class: "plot" }, this.title, this.said, element("div", { class: "frame" }, this.plot, this.high, this.low));
    const press = (event) => {
      if (!event.buttons || !this.epochs) return;
      const box = this.plot.getBoundingClientRect();
      go(Math.round(((event.clientX - box.left) / box.width) * this.epochs));
    };
    this.plot.addEventListener("pointerdown", press);
    this.plot.addEventListener("pointermove", press);
  }

  // two lists of values, of epochs 1, 2, …; scale: a factor; digits and unit of what is written
  show(columns, best, { scale = 1, digits = 3, unit = "", from = null, to = null } = {}) {
    this.columns = columns.map((values) => values.map((value) => scale * value));
    this.epochs = Math.max(1, ...this.columns.map((values) => values.length));
    const all = this.columns.flat();
    const low = from ?? Math.min(...all);
    const high = to ?? Math.max(...all);
    const y = (value) => (96 - 92 * ((value - low) / (high - low || 1))).toFixed(2);
    const x = (epoch) => ((100 * epoch) / this.epochs).toFixed(2);
    this.columns.forEach((values, k) => {
      this.paths[k].setAttribute("d", values.map((value, i) => `${i ? "L" : "M"}${x(i + 1)} ${y(value)}`).join(""));
    });
    this.write = (value) => `${value.toFixed(digits)}${unit}`;
    this.high.textContent = all.length ? this.write(high) : "";
    this.low.textContent = all.length ? this.write(low) : "";
    this._at(this.best, best);
  }

  mark(epoch) {
    this._at(this.marker, epoch);
    const said = this.names.map((name, k) => {
      const value = this.columns?.[k][epoch - 1];
      const part = element("span", { class: k ? "validation" : "training" });
      part.textContent = value === undefined ? name : `${name} ${this.write(value)}`;
      return part;
    });
    this.said.replaceChildren(...said);
  }

  _at(line, epoch) {
    const known = epoch !== null && epoch !== undefined;
    line.style.display = known ? "" : "none";
    if (!known) return;
    const x = Math.min(100, (100 * epoch) / (this.epochs ?? 1));
    line.setAttribute("x1", x);
    line.setAttribute("x2", x);
  }
}
