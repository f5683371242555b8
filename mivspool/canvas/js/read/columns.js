// Which line of a table is its heading, and which column holds what (mivspool/graphs/read/parts/columns.py).
import { ReadError } from "./build.js";
import { BLANK, commonest, MISSING, number, shown, strip, words } from "./text.js";

const NAMED = /^(?:node|vertex|id)_|_?(?:id|ids|node|name|vertex|label|key|index|idx|no|number|node_?id)$/g;
const NUMBERED = /^(\p{L}[^\n]*?)[_ ]?([0-9]|[a-z])$/u;
const BETWEEN = new RegExp(`[${BLANK}.\\-]+`, "g");
const SAMPLED = 400;
const has = (list, name) => list.includes(name);

export class VerticesAlone extends ReadError {}

// What a person chose of a table's reading: {matrix, heading, ends}, null where it is left to the reader.
export function wantedOf(as, context) {
  const wanted = { matrix: null, heading: null, ends: null };
  for (const word of as.split(",")) {
    const plain = words(word.toLowerCase()).join(" ");
    const columns = /^columns ([1-9]\d{0,5}) ([1-9]\d{0,5})$/.exec(plain);
    if (plain === "matrix" || plain === "edges") wanted.matrix = plain === "matrix";
    else if (plain === "heading" || plain === "no heading") wanted.heading = plain === "heading";
    else if (columns && columns[1] !== columns[2]) wanted.ends = [columns[1] - 1, columns[2] - 1];
    else if (plain && plain !== "csv" && plain !== "edgelist") throw context.refused("columns.no_reading", { word: shown(plain) });
  }
  return wanted;
}

export const isNothing = ({ matrix, heading, ends }) => matrix === null && heading === null && ends === null;

function spelled({ matrix, heading, ends }) {
  const said = [];
  if (matrix !== null) said.push(matrix ? "matrix" : "edges");
  if (heading !== null) said.push(heading ? "heading" : "no heading");
  if (ends !== null) said.push(`columns ${ends[0] + 1} ${ends[1] + 1}`);
  return said.join(", ") || "edges";
}

export const called = (column, context) => context.said("columns.column", { n: String(column + 1) });

// heading: "", "first" where it is the first row, "comment" where it stands behind # above it; skip: a column that counts
export class Columns {
  constructor(context, [source, target], weight = null, type = null, names = null, heading = "", skip = null) {
    Object.assign(this, { context, source, target, weight, type, names, heading, skip });
    this.used = [source, target, weight, type, skip];
  }

  name(column) {
    return this.names?.[column] || called(column, this.context);
  }

  sentence(width) {
    const said = (key, values) => this.context.said(`columns.${key}`, values);
    const rest = Array.from({ length: width }, (_, c) => c).filter((c) => !has(this.used, c));
    const told = said(this.heading ? `told_${this.heading}` : "told");
    const parts = [said("ends", { told, u: this.shown(this.source), v: this.shown(this.target) })];
    parts.push(this.weight === null ? said("no_weight") : said("weight", { column: this.shown(this.weight) }));
    if (rest.length) parts.push(said("kept", { columns: rest.slice(0, 4).map((c) => this.shown(c)).join(", ") + (rest.length > 4 ? ", …" : "") }));
    if (this.skip !== null) parts.push(said("counts"));
    return `${parts.join("; ")}.`;
  }

  shown(column) {
    const [name, counted] = [this.name(column), called(column, this.context)];
    if (name === counted) return name;
    return (this.names ?? []).filter((other) => other === name).length > 1 ? `${shown(name)} (${counted})` : shown(name);
  }

  // how else the table could be read: {as, title}
  readings(width, square, { heading, ends }) {
    const found = [];
    const offer = (key, change, values = {}) => found.push({ as: spelled({ matrix: null, heading, ends, ...change }), title: this.context.said(`columns.${key}`, values) });
    if (square) offer("as_matrix", { matrix: true, heading: null, ends: null });
    if (this.heading === "") offer("as_heading", { heading: true });
    else if (this.heading === "first") offer("as_no_heading", { heading: false });
    for (let u = 0; u < Math.min(width, 4); u++) {
      for (let v = u + 1; v < Math.min(width, 4); v++) {
        if (has([this.source, this.target], u) && has([this.source, this.target], v)) continue;
        offer("as_ends", { ends: [u, v] }, { u: this.shown(u), v: this.shown(v) });
      }
    }
    return found;
  }
}

export const plainName = (name) => strip(name).toLowerCase().replace(BETWEEN, "_");

// the words for columns that Python knows
export const isIdName = (name, context) => has([...context.given.columns.ids, "name", "label"], plainName(name));

// the columns whose names say that they are the ends of an edge, or null
export function pairOf(names, { given: { columns: known } }) {
  const lower = names.map(plainName);
  return pairAmong(known.pairs, lower) ?? byWords(lower, known) ?? byWords(lower.map((name) => name.replace(NAMED, "")), known) ?? numbered(lower, known);
}

function pairAmong(pairs, lower) {
  return pairs.find((pair) => pair.every((name) => has(lower, name)))?.map((name) => lower.indexOf(name)) ?? null;
}

function byWords(lower, { sources, targets }) {
  const source = lower.findIndex((name) => has(sources, name));
  const target = lower.findIndex((name, c) => has(targets, name) && c !== source);
  return source >= 0 && target >= 0 ? [source, target] : null;
}

// the first two columns of one name, told apart by 1 and 2, or a and b
function numbered(lower, { no_ends }) {
  const seen = new Map();
  lower.forEach((name, column) => {
    const [, stem, mark] = NUMBERED.exec(name) ?? [];
    if (stem && !has(no_ends, stem)) seen.set(stem, [...(seen.get(stem) ?? []), [mark, column]]);
  });
  for (const marks of seen.values()) if (marks.length === 2 && has(["12", "01", "ab", "ij", "uv"], marks[0][0] + marks[1][0])) return marks.map(([, column]) => column);
  return null;
}

// the columns of a table of edges; above: a heading that stands in a comment, or null
export function decide(rows, above, chosen, context) {
  const known = context.given.columns;
  const first = rows[0].cells.map(strip);
  const sample = rows.slice(1, SAMPLED + 1);
  const width = commonest((sample.length ? sample : rows).map(({ cells }) => cells.length));
  let heading = chosen.heading ? "first" : "";
  if (chosen.heading === null) heading = above ? "comment" : isHeading(rows, first, width, context) ? "first" : "";
  let names = { "": null, first, comment: above }[heading];
  const body = heading === "first" ? rows.slice(1) : rows;
  let skip = null;
  if (names) {
    if (names.length === width - 1 && width >= 3 && increases(body, 0)) names = ["", ...names];
    if (names.length && !names[0] && width >= 3 && increases(body, 0)) skip = 0;
  }
  let { ends } = chosen;
  if (ends && Math.max(...ends) >= width) throw context.refused("columns.no_column", { width, column: Math.max(...ends) + 1 });
  if (!ends && names) {
    const lower = names.map(plainName);
    ends = pairOf(names, context) ?? (has(known.ids, lower[0]) ? null : pairAmong(known.unsure, lower));
    if (!ends) refuseVertices(body, names, skip, chosen, rows[0].line, context);
  } else if (!ends && chosen.heading === null) refuseNumbered(body, context);
  ends ??= skip === 0 ? [1, 2] : [0, 1];
  if (!names) return new Columns(context, ends, !chosen.ends && width >= 3 && isNumeric(rows, 2) ? 2 : null);
  const lower = names.map(plainName);
  const type = lower.indexOf("type");
  const kind = type >= 0 && saysDirected(body, type) ? type : null;
  return new Columns(context, ends, weightOf(lower, body, [...ends, skip, kind], known), kind, names, heading, skip);
}

// the column called weight, or the first of numbers whose name means one
function weightOf(lower, body, taken, { weights }) {
  for (const name of ["weight", ...weights]) {
    const at = lower.findIndex((found, c) => found === name && !has(taken, c) && (name === "weight" || isNumeric(body, c)));
    if (at >= 0) return at;
  }
  return null;
}

function saysDirected(body, column) {
  const found = body.slice(0, 200).filter(({ cells }) => cells.length > column).map(({ cells }) => strip(cells[column]).toLowerCase());
  return found.length > 0 && found.every((word) => has(["directed", "undirected", "mutual", ""], word));
}

function isHeading(rows, first, width, context) {
  const known = context.given.columns;
  const body = rows.slice(1, SAMPLED + 1);
  const lower = first.map(plainName);
  const named = pairOf(first, context);
  const below = new Set(body.flatMap(({ cells }) => cells.slice(0, 2)));
  // node1 and node2 may be vertices
  const sure = named && [...known.pairs, ...known.unsure].some(([a, b]) => a === lower[named[0]] && b === lower[named[1]]) && !/\p{Nd}$/u.test(lower[named[0]]);
  if (named && (sure || !named.some((c) => below.has(first[c])))) return true;
  const start = lower.slice(0, 2).join();
  if ((lower.length > 1 && start === "id,label") || (lower.length === 1 && start === "id") || lower.join() === "vertex,score") return true;
  if (first.length < 2 || !body.length) return false;
  if (width >= 3 && (!first[0] || first.length === width - 1) && increases(body, 0)) return true;
  if (new Set(lower).size !== lower.length || !lower.every(Boolean)) return false;
  if (lower.some((name, c) => c >= 2 && has(known.weights, name) && isNumeric(body, c))) return true;
  if (body.length > 1 && first.some((cell, c) => c >= 2 && isWord(cell) && isNumeric(body, c))) return true;
  if (first.slice(0, 2).some((cell) => below.has(cell) || !isWord(cell))) return false;
  return differs(body, first, lower, known);
}

// whether two words that are nobody's id are names of columns
function differs(body, first, lower, { ids, end_words, others }) {
  if (has(ids, lower[0]) || lower.slice(0, 2).every((name) => has(end_words, name) || has(ids, name))) return true;
  const found = body.flatMap(({ cells }) => cells.slice(0, 2)).filter(Boolean);
  if (lower.some((name, c) => has(others, name) && body.every(({ cells }) => cells.length <= c || cells[c] !== first[c]))) return true;
  const digit = (cell) => /\p{Nd}/u.test(cell);
  if (!first.slice(0, 2).some(digit) && found.every(digit)) return true;
  const lead = (cell) => Array.from(cell)[0];
  const isLower = (cell) => lead(cell) === lead(cell).toLowerCase() && lead(cell) !== lead(cell).toUpperCase();
  const isUpper = (cell) => lead(cell) === lead(cell).toUpperCase() && lead(cell) !== lead(cell).toLowerCase();
  const two = first.slice(0, 2);
  if (body.length < 3 || ![...two, ...found].every((cell) => /^\p{L}/u.test(cell))) return false;
  return (two.every(isLower) && found.every(isUpper)) || (two.every(isUpper) && found.every(isLower));
}

function refuseVertices(body, names, skip, chosen, line, context) {
  if (chosen.matrix === false || chosen.heading !== null) return;
  const start = skip === null ? 0 : skip + 1;
  const lower = names.map(plainName);
  const alone = lower.length === start + 1 && lower[start] === "id";
  if (!alone && !has(context.given.columns.ids, lower[start] ?? "") && !(body.length && listsVertices(body, lower, start, context))) return;
  const columns = names.slice(start, start + 4).map((name) => shown(name, 20)).join(", ");
  throw new VerticesAlone(context.said("columns.vertices", { columns }), line);
}

function listsVertices(body, lower, start, context) {
  const { end_words, sources, targets } = context.given.columns;
  const firsts = body.filter(({ cells }) => cells.length > start).map(({ cells }) => cells[start]);
  const seconds = new Set(body.filter(({ cells }) => cells.length > start + 1).map(({ cells }) => cells[start + 1]));
  if (firsts.length < 2 || new Set(firsts).size < firsts.length || firsts.some((cell) => seconds.has(cell))) return false;
  const known = [...end_words, ...targets];
  return !(lower.length > start + 1 && has([...known, ...sources], lower[start]) && has(known, lower[start + 1]));
}

// 1, Ann; 2, Bob; 3, Eve: numbers with a name each are vertices
function refuseNumbered(body, context) {
  if (body.length < 3 || body.some(({ cells }) => cells.length < 2)) return;
  const names = body.map(({ cells }) => cells[1]);
  const counts = (from) => body.every(({ cells }, i) => cells[0] === String(i + from));
  if (!(counts(0) || counts(1)) || new Set(names).size < names.length || names.some((name) => /\p{Nd}/u.test(name))) return;
  throw new VerticesAlone(context.said("columns.numbered"), body[0].line);
}

// whether a column counts: whole numbers, each larger than the one before
function increases(body, column) {
  const cells = body.slice(0, SAMPLED).map((row) => row.cells[column] ?? "");
  return cells.length > 0 && cells.every((cell, i) => /^\d{1,15}$/.test(cell) && (!i || Number(cell) > Number(cells[i - 1])));
}

const isWord = (cell) => number(cell, true) === null && !MISSING.has(strip(cell).toLowerCase()) && !has(["inf", "-inf"], strip(cell).toLowerCase());

// whether a column holds numbers, but for a few missing ones
export function isNumeric(rows, column) {
  const cells = rows.slice(0, SAMPLED).filter((row) => row.cells.length > column).map((row) => row.cells[column]);
  const numbers = cells.filter((cell) => number(cell, true) !== null).length;
  const missing = cells.filter((cell) => MISSING.has(strip(cell).toLowerCase()) || has(["inf", "-inf"], cell.toLowerCase())).length;
  return numbers > 0 && numbers + missing === cells.length;
}
