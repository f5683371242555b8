// A graph under construction: what every reader fills and what mends and checks it (mivspool/graphs/read/parts/build.py), and
// what every reader is given (context.py).
import { fillText } from "../model/text.js";
import { bare as unwrapped, MISSING, number, oneLine, plain, readable, shown, str, strip, typed } from "./text.js";

const MOST_ATTRIBUTES = 1000;
const MOST_CELLS = 50_000_000;
const FEW_CELLS = 5_000_000;
const MOST_EMPTY = 50;
const MOST_REPAIRS = 100;
const CHECK_EVERY = 4096;
const LONGEST_ID = 10_000;
const LONGEST_NAME = 200;

export class ReadError extends Error {
  constructor(message, line = null) {
    super(oneLine(message));
    this.line = line;
  }
}

export class LimitError extends ReadError {}

// One file being read. given: what Python says and knows (site/reading.py).
export class Context {
  constructor(name, given, { as = "", vertices = 0, edges = 0 } = {}) {
    const letters = Array.from(name);
    this.name = letters.length > LONGEST_NAME ? `…${letters.slice(-LONGEST_NAME).join("")}` : name;
    Object.assign(this, { given, limits: given.limits, as, vertices, edges, encoding: null, repairs: [] });
  }

  // the file's name without folder and extension
  get stem() {
    return partsOf(this.name).stem || this.name || "graph";
  }

  // a sentence by its key, "build.no_id"
  said(key, values = {}) {
    const [part, name] = key.split(".");
    return fillText(this.given.words[part][name], { name: this.name, ...values });
  }

  refused(key, values = {}, line = null) {
    return new ReadError(this.said(key, values), line);
  }

  limit(key, values = {}, line = null) {
    return new LimitError(this.said(key, values), line);
  }

  readAs(name) {
    return this.said("format.read_as", { title: this.given.formats.find((format) => format.name === name).title });
  }

  count(vertices, edges) {
    this.vertices += vertices;
    this.edges += edges;
    this.checkSize();
  }

  checkSize(vertices = 0, edges = 0) {
    if (this.vertices + vertices > this.limits.vertices) throw this.limit("context.vertices", { n: this.limits.vertices });
    if (this.edges + edges > this.limits.edges) throw this.limit("context.edges", { n: this.limits.edges });
  }
}

// {folder, stem, suffix} of a path
export function partsOf(path) {
  const pieces = path.split("/").filter((piece, i) => piece && (piece !== "." || i === 0));
  const last = pieces.at(-1) ?? "";
  const dot = last.lastIndexOf(".");
  const whole = dot <= 0 || dot === last.length - 1;
  return { folder: pieces.slice(0, -1).join("/"), stem: whole ? last : last.slice(0, dot), suffix: whole ? "" : last.slice(dot) };
}

// Parallel edges and both directions become one, loops none: {edges, group, repairs}, group: the edge that each listed one
// became, -1 for a loop
function simplify(source, target, n, arrow, context) {
  const m = source.length;
  const code = (k) => Math.min(source[k], target[k]) * n + Math.max(source[k], target[k]);
  const listed = Array.from({ length: m }, (_, k) => k).filter((k) => source[k] !== target[k]);
  const codes = Float64Array.from(new Set(listed.map(code))).sort();
  const place = new Map(Array.from(codes, (value, e) => [value, e]));
  const group = new Int32Array(m).fill(-1);
  const both = new Uint8Array(codes.length);
  for (const k of listed) {
    group[k] = place.get(code(k));
    if (arrow[k]) both[group[k]] |= source[k] < target[k] ? 1 : 2;
  }
  const directed = arrow.reduce((a, b) => a + b, 0);
  const parallel = listed.length - codes.length - both.filter((seen) => seen === 3).length;
  const counts = { directed, parallel, loops: m - listed.length };
  const repairs = Object.entries(counts).filter(([, count]) => count).map(([name, count]) => context.said(`simplify.${name}`, { n: count }));
  return { edges: Array.from(codes).flatMap((value) => [Math.floor(value / n), value % n]), group, repairs };
}

// the ids made different where two read the same, and how many were renamed
function different(ids) {
  const taken = new Set(ids);
  const seen = new Set();
  const following = new Map();
  let renamed = 0;
  const names = ids.map((id) => {
    let name = id;
    if (seen.has(id)) {
      renamed++;
      let k = following.get(id) ?? 2;
      while (taken.has(`${id} (${k})`)) k++;
      following.set(id, k + 1);
      name = `${id} (${k})`;
      taken.add(name);
    }
    seen.add(name);
    return name;
  });
  return [names, renamed];
}

export class Builder {
  // declared: an edge may only join vertices that are listed somewhere in the file
  constructor(context, name, format, declared) {
    Object.assign(this, { context, name, format, declared, index: new Map(), ids: [], source: [], target: [], arrow: [], line: [] });
    Object.assign(this, { nodeColumns: new Map(), edgeColumns: new Map(), position: new Map(), awaited: new Map(), listedAgain: 0 });
    Object.assign(this, { label: null, repairs: new Set(), unsaid: 0, readAs: null, readings: [], comma: false, leftOut: new Set() });
  }

  // lists a vertex; text: its id outside, where that is not the key
  node(key, line = null, text = key) {
    const i = this.index.get(key);
    if (i === undefined) return this.added(key, line, text);
    if (!this.awaited.delete(i)) this.listedAgain++;
    return i;
  }

  // the vertex at an end of an edge, which may be listed later
  mention(key, line = null, text = key) {
    const known = this.index.get(key);
    if (known !== undefined) return known;
    const i = this.added(key, line, text);
    if (this.declared) this.awaited.set(i, line);
    return i;
  }

  added(key, line, text) {
    if (!text) throw this.context.refused("build.no_id", {}, line);
    if (text.length > LONGEST_ID && Array.from(text).length > LONGEST_ID) throw this.context.limit("build.long_id", { n: LONGEST_ID }, line);
    const i = this.ids.length;
    this.index.set(key, i);
    this.ids.push(readable(text));
    if (i % CHECK_EVERY === 0) this.context.checkSize(i, this.source.length);
    return i;
  }

  edge(u, v, line = null, directed = false) {
    const k = this.source.length;
    this.source.push(u);
    this.target.push(v);
    this.arrow.push(Number(directed));
    this.line.push(line ?? 0);
    if (k % CHECK_EVERY === 0) this.context.checkSize(this.ids.length, k);
    return k;
  }

  set(columns, place, name, value) {
    if (!columns.has(name)) {
      if (columns.size >= MOST_ATTRIBUTES) throw this.context.limit("build.attributes", { n: MOST_ATTRIBUTES });
      columns.set(name, { place: [], values: [] });
    }
    const column = columns.get(name);
    column.place.push(place);
    column.values.push(plain(value));
  }

  nodeValue(i, name, value) {
    this.set(this.nodeColumns, i, name, value);
  }

  edgeValue(k, name, value) {
    this.set(this.edgeColumns, k, name, value);
  }

  nodeValues(i, values) {
    for (const [name, value] of values) this.nodeValue(i, readable(name), value);
  }

  edgeValues(k, values) {
    for (const [name, value] of values) this.edgeValue(k, readable(name), value);
  }

  // whether a vertex could be put where two numbers say
  place(i, x, y) {
    const [across, down] = [number(x), number(y)];
    if (across === null || down === null) return false;
    this.position.set(i, [across, down]);
    return true;
  }

  typed(name, kind, text, line) {
    try {
      return typed(text, kind);
    } catch (error) {
      const said = { attribute: shown(name), kind: shown(kind) };
      if (error === "type") this.say("build.no_type", said);
      else if (error === "value") this.say("build.not_of_type", { ...said, value: shown(text), at: this.onLine(line) });
      else throw error;
      return text;
    }
  }

  onLine(line) {
    return line ? this.context.said("build.line", { line }) : "";
  }

  say(key, values = {}) {
    const sentence = this.context.said(key, values);
    if (this.repairs.size < MOST_REPAIRS) this.repairs.add(sentence);
    else if (!this.repairs.has(sentence)) this.unsaid++;
  }

  leaveOut(name) {
    if (this.leftOut.size < MOST_ATTRIBUTES) this.leftOut.add(name);
  }

  // the simple undirected graph: edges as u0, v0, u1, v1, …; weight null, or with null where one is missing
  finish() {
    const { context } = this;
    this.checkAwaited();
    const [n, m] = [this.ids.length, this.source.length];
    if (!n) throw context.refused("build.no_vertices");
    context.count(n, m);
    this.checkCells(n, m);
    if (this.leftOut.size) this.sayLeftOut();
    const simple = simplify(this.source, this.target, n, this.arrow, context);
    const { weight, repairs } = this.weights(simple);
    if (this.listedAgain) this.say("build.listed_again", { n: this.listedAgain });
    const [nodes, renamed] = different(this.ids);
    if (renamed) this.say("build.renamed", { n: renamed });
    const further = this.unsaid ? [context.said("build.unsaid", { n: this.unsaid })] : [];
    const columns = this.ownColumns(n);
    const positions = this.position.size < n ? null : Array.from({ length: n }, (_, i) => this.position.get(i));
    return {
      name: this.name,
      nodes,
      edges: simple.edges,
      weight,
      node_attributes: Object.fromEntries([...columns].map(([name, column]) => [name, spread(column, n).map(unwrapped)])),
      edge_attributes: Object.fromEntries([...this.edgeColumns].map(([name, column]) => [name, firsts(column, simple).map(unwrapped)])),
      label: this.label,
      positions,
      repairs: [...context.repairs, ...this.repairs, ...simple.repairs, ...repairs, ...further],
      format: this.format,
      encoding: context.encoding,
      read_as: this.readAs,
      readings: this.readings,
    };
  }

  sayLeftOut() {
    const names = [...this.leftOut];
    const more = names.length > 5 ? this.context.said("mended.more", { n: names.length - 5 }) : "";
    this.say("mended.left_out", { names: names.slice(0, 5).map((name) => shown(name)).join(", "), more });
  }

  checkAwaited() {
    if (!this.awaited.size) return;
    const [[i, line]] = this.awaited;
    const others = this.awaited.size > 1 ? this.context.said("build.others", { n: this.awaited.size - 1 }) : "";
    throw this.context.refused("build.awaited", { id: shown(this.ids[i]), others }, line);
  }

  checkCells(n, m) {
    const cells = this.nodeColumns.size * n + this.edgeColumns.size * m;
    const held = [...this.nodeColumns.values(), ...this.edgeColumns.values()].reduce((sum, { place }) => sum + place.length, 0);
    if (cells > MOST_CELLS || cells > Math.max(FEW_CELLS, MOST_EMPTY * held)) throw this.context.limit("build.cells");
  }

  weights({ edges, group }) {
    const column = this.edgeColumns.get("weight");
    if (!column) return { weight: null, repairs: [] };
    this.edgeColumns.delete("weight");
    const weight = new Array(edges.length / 2).fill(null);
    const [bad, negative] = [[], []];
    column.values.forEach((given, at) => {
      const k = column.place[at];
      const value = number(given, this.comma);
      if (value === null) bad.push([k, given]);
      else {
        if (value < 0) negative.push(k);
        const e = group[k];
        if (e >= 0) weight[e] ??= value;
      }
    });
    const said = (key, values) => this.context.said(`build.${key}`, values);
    const repairs = [];
    if (bad.length) {
      const [[k, given]] = bad;
      const missing = given === null || MISSING.has(strip(str(given)).toLowerCase());
      const what = said(missing ? "is_missing" : "no_number");
      repairs.push(said("bad_weight", { n: bad.length, value: shown(given), at: this.onLine(this.line[k]), what }));
    }
    const absent = this.source.length - new Set(column.place).size;
    const empty = weight.every((value) => value === null);
    if (absent && !empty) repairs.push(said("no_weight", { n: absent }));
    if (negative.length) repairs.push(said("negative", { n: negative.length, at: this.onLine(this.line[negative[0]]) }));
    return { weight: empty ? null : weight, repairs };
  }

  // the attributes of the vertices; x and y that all of them have as numbers are their positions
  ownColumns(n) {
    const columns = new Map(this.nodeColumns);
    if (this.position.size < n && columns.has("x") && columns.has("y")) {
      const [x, y] = ["x", "y"].map((name) => spread(columns.get(name), n).map((value) => number(value)));
      if ([...x, ...y].every((value) => value !== null)) {
        this.position = new Map(x.map((across, i) => [i, [across, y[i]]]));
        columns.delete("x");
        columns.delete("y");
      }
    }
    return columns;
  }
}

function spread({ place, values }, length) {
  const full = new Array(length).fill(null);
  place.forEach((i, at) => {
    full[i] = values[at];
  });
  return full;
}

// for each edge the value of the first listed one that has any
function firsts({ place, values }, { edges, group }) {
  const merged = new Array(edges.length / 2).fill(null);
  place.forEach((k, at) => {
    if (group[k] >= 0) merged[group[k]] ??= values[at];
  });
  return merged;
}
