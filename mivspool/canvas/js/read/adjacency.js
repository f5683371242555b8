// Adjacency matrices in a table (mivspool/graphs/read/parts/adjacency.py).
import { Builder } from "./build.js";
import { MISSING, number, shown } from "./text.js";

const COUNTED = /^[VX.]?(\d{1,9})$/i;

// {top, side, names}: where a table that is a matrix has names; null where it is none
export function find(rows) {
  const widths = new Set(rows.slice(1).map(({ cells }) => cells.length));
  if (rows.length < 2 || widths.size !== 1) return null;
  const [width] = widths;
  const [height, first] = [rows.length, rows[0].cells];
  if (first.length === width - 1 && height === width) return both(rows, first, null);
  if (first.length !== width) return null;
  if (height === width) return both(rows, first.slice(1), first[0]) ?? bare(rows);
  if (height === width + 1) return top(rows);
  return height === width - 1 ? side(rows) : null;
}

const equal = (a, b) => a.length === b.length && a.every((name, i) => name === b[i]);

function both(rows, above, corner) {
  const body = rows.slice(1);
  const beside = body.map(({ cells }) => cells[0]);
  const n = beside.length;
  if (n < 2 || !different(above) || !different(beside)) return null;
  let fits = true;
  if (equal(above, beside)) {
    // the first row and column of any symmetric matrix agree
    if (corner !== null && number(corner) !== null && !areWords(above)) fits = n >= 3 && counts(above) && number(corner) === 0 && zerosAndOnes(body);
  } else fits = n >= 3 && !corner && counts(above) && (counts(beside) || areWords(beside));
  return fits && areNumbers(body, 1) ? { top: true, side: true, names: counts(beside) ? above : beside } : null;
}

function bare(rows) {
  const n = rows.length;
  if (n < 3 || !areNumbers(rows, 0) || (n === 3 && areThreeEdges(rows))) return null;
  return { top: false, side: false, names: rows.map((_, i) => String(i)) };
}

function top(rows) {
  const above = rows[0].cells;
  const body = rows.slice(1);
  if (above.length < 3 || !different(above) || !(counts(above) || areWords(above))) return null;
  if (!areNumbers(body, 0) || (above.length === 3 && areThreeEdges(body))) return null;
  return { top: true, side: false, names: above };
}

function side(rows) {
  const beside = rows.map(({ cells }) => cells[0]);
  if (beside.length < 3 || !different(beside) || !areNumbers(rows, 1)) return null;
  return areWords(beside) || (counts(beside) && isSymmetric(rows, 1)) ? { top: false, side: true, names: beside } : null;
}

const different = (names) => names.every(Boolean) && new Set(names).size === names.length;
const areWords = (names) => names.every((name) => number(name, true) === null);
const isNumber = (cell) => number(cell, true) !== null || MISSING.has(cell.toLowerCase());
const valuesOf = (rows, start) => rows.map(({ cells }) => cells.slice(start).map((cell) => number(cell, true)));
const zerosAndOnes = (rows) => valuesOf(rows, 1).flat().every((value) => value === 0 || value === 1);

// whether names only count, from 0 or 1
function counts(names) {
  const found = names.map((name) => Number(COUNTED.exec(name)?.[1] ?? NaN));
  return [0, 1].some((from) => found.every((value, i) => value === i + from));
}

function areNumbers(rows, start) {
  const cells = rows.flatMap((row) => row.cells.slice(start));
  return cells.every(isNumber) && cells.some(Boolean);
}

function isSymmetric(rows, start) {
  const values = valuesOf(rows, start);
  return values.every((row, i) => row.slice(0, i).every((value, j) => value === values[j][i]));
}

function areThreeEdges(rows) {
  const values = valuesOf(rows, 0);
  const ends = values.map((row) => row.slice(0, 2));
  const whole = ends.flat().every((end) => end !== null && end >= 0 && Number.isInteger(end));
  const pairs = new Set(ends.map((pair) => [...pair].sort((a, b) => a - b).join()));
  return whole && pairs.size === 3 && ends.every(([u, v]) => u !== v) && !isSymmetric(rows, 0) && values.some((row, i) => row[i] !== 0);
}

// the graph of a table that is a matrix; heads: find(rows), or null
export function matrixGraph(rows, context, heads) {
  const body = heads?.top ? rows.slice(1) : rows;
  const n = body.length;
  const said = (key, values) => context.said(`adjacency.${key}`, values);
  context.checkSize(n);
  const builder = new Builder(context, context.stem, "adjacency", false);
  const places = [...(heads?.top ? [said("first_line")] : []), ...(heads?.side ? [said("first_column")] : [])];
  builder.readAs = said("read_as", { n, where: places.length ? said("with", { places: places.join(said("and")) }) : said("without") });
  builder.readings = [{ as: "edges", title: said("as_edges") }];
  body.forEach(({ line }, i) => {
    const name = heads ? heads.names[i] : String(i);
    if (builder.index.has(name)) throw context.refused("adjacency.twice", { row: shown(name) }, line);
    builder.node(name, line);
  });
  const entries = [];
  body.forEach((row, i) => {
    const cells = heads?.side ? row.cells.slice(1) : row.cells;
    if (cells.length !== n) throw context.refused("adjacency.not_square", { cells: cells.length, n }, row.line);
    cells.forEach((cell, j) => {
      if (cell === "0" || cell === "" || cell === "0.0") return;
      const value = number(cell, true);
      if (value === null && !MISSING.has(cell.toLowerCase())) throw context.refused("adjacency.no_number", { cell: shown(cell) }, row.line);
      if (value !== 0) entries.push([i, j, cell, row.line]);
    });
    context.checkSize(n, entries.length >> 1);
  });
  return fromEntries(builder, entries, n);
}

// each entry once where the matrix is symmetric; an entry without its mirror is a directed edge
function fromEntries(builder, entries, n) {
  const places = new Set(entries.map(([i, j]) => i * n + j));
  const weighted = entries.some(([, , value]) => number(value, true) !== 1);
  builder.comma = true;
  for (const [i, j, value, line] of entries) {
    const mirrored = places.has(j * n + i);
    if (mirrored && i > j) continue;
    const k = builder.edge(i, j, line, !mirrored);
    if (weighted) builder.edgeValue(k, "weight", value);
  }
  return builder.finish();
}
