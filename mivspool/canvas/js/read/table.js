// Edge lists, tables and adjacency matrices (mivspool/graphs/read/formats/table.py), and lists of neighbours (adjlist.py).
import { find, matrixGraph } from "./adjacency.js";
import { Builder } from "./build.js";
import { COMMENTS, delimiterOf, isComment, plainRows, quotedRows, withoutEmpty } from "./cells.js";
import { called, decide, isIdName, isNothing, pairOf, VerticesAlone, wantedOf } from "./columns.js";
import { columnOf } from "./smiles.js";
import { infer, isObject, linesOf, literal, shown, strip, words } from "./text.js";

const HINT = /^"?sep=([,;|\t])"?[ \t]*(?:\r?\n|\r)/i; // Excel's first line
const LONGEST_HEADING = 10_000;
const LONGEST_DATA = 2000;
const MOST_COLUMNS = 1000;
const NOTHING = { matrix: null, heading: null, ends: null };

// the graphs of a table; molecules(rows): those of a table with a column of SMILES
export function read(text, context, molecules) {
  const chosen = wantedOf(context.as, context);
  const { rows, delimiter } = rowsOf(text, context);
  if (!rows.length) throw context.refused("table.comments");
  const named = pairOf(rows[0].cells, context) !== null;
  if (isNothing(chosen) && !named && columnOf(rows) !== null) return molecules(rows);
  const heads = find(rows);
  const matrix = /\.adjacency\.[ct]sv$/.test(context.name.toLowerCase()) || (heads && ((heads.top && heads.side) || !named));
  if (chosen.matrix || (isNothing(chosen) && matrix)) return [matrixGraph(rows, context, heads)];
  return [edgeList(rows, headingAbove(text, rows[0], delimiter, context), delimiter, heads !== null, chosen, context)];
}

// the graph of a table of edges and the table `name` of its vertices
export function readPair(vertices, edges, name, context) {
  const { rows, delimiter } = rowsOf(edges, context);
  const listed = rowsOf(vertices, context).rows;
  if (!rows.length || !listed.length) throw context.refused("table.empty", { name: listed.length ? context.name : name });
  return edgeList(rows, headingAbove(edges, rows[0], delimiter, context), delimiter, false, wantedOf(context.as, context), context, { name, listed });
}

// whether a table lists vertices, so that its edges must stand in another one
export function listsVertices(text, context) {
  const { rows, delimiter } = rowsOf(text, context);
  if (!rows.length || columnOf(rows) !== null || find(rows)) return false;
  try {
    decide(rows, headingAbove(text, rows[0], delimiter, context), NOTHING, context);
  } catch (error) {
    if (!(error instanceof VerticesAlone)) throw error;
    return true;
  }
  return false;
}

function listVertices(builder, name, rows, ends) {
  const { context } = builder;
  const [{ cells: first }] = rows;
  const columns = Array.from({ length: Math.min(first.length, 50) }, (_, c) => new Set(rows.filter(({ cells }) => cells.length > c).map(({ cells }) => cells[c])));
  const known = columns.map((cells) => [...cells].filter((cell) => ends.has(cell)).length);
  const column = known.indexOf(Math.max(...known));
  const headed = isIdName(first[column], context) || (first.length > 1 && !ends.has(first[column]) && known[column] > 0);
  const heads = headed ? first.map(strip) : [];
  for (const { cells, line } of headed ? rows.slice(1) : rows) {
    if (!cells[column]) throw context.refused("table.no_vertex", { name }, line);
    const i = builder.node(cells[column], line);
    cells.forEach((cell, c) => {
      if (c === column || !cell) return;
      const head = heads[c] || called(c, context);
      builder.nodeValue(i, ["x", "y", "label"].includes(head.toLowerCase()) ? head.toLowerCase() : head, infer(cell));
    });
  }
  const missing = [...ends].filter((end) => !builder.index.has(end)).sort(byPoint);
  if (missing.length) builder.say("table.not_listed", { n: missing.length, name, first: shown(missing[0]) });
  builder.readAs = context.said("table.listed_in", { read_as: builder.readAs.replace(/\.$/, ""), name });
}

// in the order of their code points
function byPoint(a, b) {
  const [p, q] = [Array.from(a), Array.from(b)];
  const at = p.findIndex((c, i) => c !== q[i]);
  if (at < 0 || q[at] === undefined) return p.length - q.length;
  return p[at].codePointAt(0) - q[at].codePointAt(0);
}

// {rows, delimiter}: without blank rows and comments
function rowsOf(text, context) {
  const hint = HINT.exec(text);
  const own = hint ? `#${text}` : text; // it counts as a line, as a comment does
  const delimiter = hint ? hint[1] : delimiterOf(own, context.name);
  const rows = (own.includes('"') ? quotedRows : plainRows)(own, delimiter, context);
  return { rows: withoutEmpty(rows), delimiter };
}

// the names in the last comment above the first row, where there are as many as it has cells; or null
function headingAbove(text, first, delimiter, context) {
  if (!COMMENTS.some((mark) => text.startsWith(mark))) return null;
  const last = linesOf(text).slice(0, first.line - 1).filter(isComment).at(-1);
  if (!last || last.length > LONGEST_HEADING) return null;
  const comment = last.replace(/^[#/% \t]+/, "");
  const names = (delimiter ? comment.split(delimiter) : words(comment)).map((cell) => strip(cell).replace(/^"+|"+$/g, ""));
  const fits = names.length === first.cells.length && names.length >= 2 && names.every(Boolean) && new Set(names).size === names.length;
  return fits && (delimiter || pairOf(names, context)) ? names : null;
}

function edgeList(rows, above, delimiter, square, chosen, context, vertices = null) {
  const columns = decide(rows, above, chosen, context);
  if (!delimiter && !columns.names) refuseRagged(rows, context);
  const body = columns.heading === "first" ? rows.slice(1) : rows;
  const builder = new Builder(context, context.stem, delimiter ? "csv" : "edgelist", false);
  builder.comma = delimiter !== ",";
  if (!body.length && !vertices) throw context.refused("table.no_edges");
  const width = body.length ? body.reduce((most, { cells }) => Math.max(most, cells.length), 0) : 2;
  builder.readAs = columns.sentence(width);
  builder.readings = columns.readings(width, square, chosen);
  if (width > MOST_COLUMNS) throw context.limit("table.columns", { n: width });
  const extra = Array.from({ length: width }, (_, c) => c).filter((c) => !columns.used.includes(c));
  const { source: s, target: t, weight: w } = columns;
  const [nearest, farthest] = [Math.min(s, t), Math.max(s, t)];
  if (vertices) listVertices(builder, vertices.name, vertices.listed, new Set(body.flatMap(({ cells }) => [cells[s], cells[t]]).filter(Boolean)));
  for (const { cells, line } of body) {
    if (!cells[s] || !cells[t]) {
      const alone = cells[nearest] || cells[farthest];
      if (!alone) throw context.refused("table.no_vertex", {}, line);
      builder.mention(alone, line);
      continue;
    }
    const k = builder.edge(builder.mention(cells[s], line), builder.mention(cells[t], line), line);
    if (w !== null && cells.length > w) builder.edgeValue(k, "weight", cells[w] || null);
    rest(builder, k, cells, columns, extra);
  }
  return builder.finish();
}

// prose and lists of neighbours have lines of many lengths
function refuseRagged(rows, context) {
  const widths = rows.slice(0, 2000).filter(({ cells }) => cells.length > 1 && !cells.at(-1).endsWith("}")).map(({ cells }) => cells.length);
  const [least, most] = [Math.min(...widths), Math.max(...widths)];
  if (new Set(widths).size <= 2 && (!widths.length || most - least <= 2)) return;
  throw context.refused("table.ragged", { least, most }, rows.find(({ cells }) => cells.length === most).line);
}

function rest(builder, k, cells, columns, extra) {
  if (columns.type !== null && cells.length > columns.type) builder.arrow[k] = Number(strip(cells[columns.type]).toLowerCase() === "directed");
  for (const c of extra) {
    if (!cells[c]) continue;
    if (!columns.names && cells[c].startsWith("{") && c === cells.length - 1) builder.edgeValues(k, dataOf(cells[c]));
    else builder.edgeValue(k, columns.name(c), infer(cells[c]));
  }
}

// the attributes in {'weight': 0.5}; what is no such dictionary is kept as "data"
function dataOf(cell) {
  const value = cell.length > LONGEST_DATA ? undefined : literal(cell);
  return isObject(value) ? value : new Map([["data", cell]]);
}

export function readNeighbours(text, context) {
  const builder = new Builder(context, context.stem, "adjlist", false);
  const rows = plainRows(text, "", context);
  for (const { cells, line } of rows) builder.mention(cells[0], line);
  for (const { cells, line } of rows) for (const cell of cells.slice(1)) builder.edge(builder.index.get(cells[0]), builder.mention(cell, line), line);
  return [builder.finish()];
}
