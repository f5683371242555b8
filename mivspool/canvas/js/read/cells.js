// Rows and cells of a delimited text: {cells, line} (mivspool/graphs/read/parts/cells.py). A quoted cell is kept as it is.
import { BLANK, commonest, isSpace, linesOf, strip, times, words } from "./text.js";

export const COMMENTS = ["#", "//", "%"];
const PLAIN_NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?$/;
const QUOTED = /(?:(?<=[,;|\t\r\n ])|^)"(?:[^"]|"")*"(?=[,;|\t\r\n ]|$)/g;
const TUPLES = new RegExp(`^[${BLANK}]*(\\([^()]*\\))[${BLANK}]+(\\([^()]*\\))(?=[${BLANK}]|$)`);
const CHECK_EVERY = 16_384;
const SAMPLE = 200;
const HEAD = 200_000;
const MOST_COLUMNS = 200_000;

export const isComment = (line) => COMMENTS.some((mark) => line.startsWith(mark));
const isRisky = (cell) => /^[=+\-@\t\r]/.test(cell) && !PLAIN_NUMBER.test(cell);
const isGuarded = (cell) => cell.startsWith("'") && isRisky(cell.replace(/^'+/, ""));

// the apostrophe before a formula is taken off, in a table where every formula is behind one
function unguarded(rows) {
  if (rows.some(({ cells }) => cells.some(isRisky))) return rows;
  return rows.map(({ cells, line }) => ({ cells: cells.map((cell) => (isGuarded(cell) ? cell.slice(1) : cell)), line }));
}

// the delimiter of most of the first lines, "" for white space
export function delimiterOf(text, name) {
  const head = text.slice(0, HEAD).replace(QUOTED, "x");
  const bare = linesOf(head).slice(0, SAMPLE).filter((line) => strip(line) && !isComment(line));
  if (!bare.length || bare.every((line) => TUPLES.test(line))) return "";
  for (const mark of ["\t", ";", "|"]) if (bare.filter((line) => line.includes(mark)).length * 2 > bare.length) return mark;
  const commas = bare.filter((line) => line.includes(",")).length;
  if (!commas) return name.toLowerCase().endsWith(".csv") && !bare.some((line) => strip(line).includes(" ")) ? "," : "";
  if (commas * 2 <= bare.length && bare.some((line) => !line.includes(",") && words(line).length > 1)) return "";
  return onlyDecimal(bare) ? "" : ",";
}

// white space separates, and every comma is a decimal one: "a b 0,5"
function onlyDecimal(lines) {
  const width = commonest(lines.map((line) => words(line).length));
  const decimal = (line) => times(line, ",") === (line.match(/\d,\d/g) ?? []).length && !words(line).slice(0, 2).join(" ").includes(",");
  return width >= 3 && lines.every(decimal);
}

export function plainRows(text, delimiter, context) {
  const rows = [];
  linesOf(text).forEach((line, at) => {
    if (isComment(line) || !line || isSpace(line)) return;
    let cells;
    if (delimiter) {
      cells = line.split(delimiter);
      if (/[ \t\xa0]/.test(line)) cells = cells.map(strip);
    } else cells = /[{(]/.test(line) ? dataCells(line) : words(line);
    if (cells.some(Boolean)) rows.push({ cells, line: at + 1 });
    if ((at + 1) % CHECK_EVERY === 0) context.checkSize(0, rows.length >> 1);
  });
  return finished(rows, text, context);
}

// "(0, 1) (1, 1) {'weight': 1}": a tuple, and what networkx writes behind an edge, is one cell
function dataCells(line) {
  const brace = line.indexOf("{");
  const before = brace < 0 ? line : line.slice(0, brace);
  const tuples = TUPLES.exec(line);
  const cells = tuples ? [tuples[1], tuples[2], ...words(before.slice(tuples[0].length))] : words(before);
  return brace < 0 ? cells : [...cells, `{${strip(line.slice(brace + 1))}`];
}

// without columns at the end that are empty in every row
export function withoutEmpty(rows) {
  const widths = new Set(rows.map(({ cells }) => cells.length));
  if (widths.size !== 1) return rows;
  const [width] = widths;
  let kept = width;
  while (kept > 2 && !rows.some(({ cells }) => cells[kept - 1])) kept--;
  return rows.map(({ cells, line }) => ({ cells: cells.slice(0, kept), line }));
}

// where a cell may be quoted, it may hold delimiters, line ends and doubled quotation marks
export function quotedRows(text, delimiter, context) {
  const own = delimiter === "|" ? "\\|" : delimiter;
  const gap = own || "[ \\t]+";
  const blank = !delimiter ? "" : delimiter === "\t" ? " *" : "[ \\t]*";
  const stop = `${own || " \\t"}\\r\\n`;
  const cell = new RegExp(`${blank}(?:"((?:[^"]|"")*)"${blank}(?=[${stop}]|$)|([^${stop}]*))(${gap}|\\r\\n|\\r|\\n|$)`, "y");
  const rows = [];
  let [place, line, began, cells] = [0, 1, 1, []];
  const commented = () => COMMENTS.some((mark) => text.startsWith(mark, place));
  const keep = () => {
    if (!cells.some(Boolean)) return;
    rows.push({ cells, line: began });
    if (rows.length % CHECK_EVERY === 0) context.checkSize(0, rows.length >> 1);
  };
  let comment = commented();
  while (place < text.length) {
    if (comment && !cells.length) {
      const end = text.indexOf("\n", place);
      place = end < 0 ? text.length : end + 1;
      began = ++line;
      comment = commented();
      continue;
    }
    if (!cells.length && !delimiter) while (text[place] === " " || text[place] === "\t") place++;
    cell.lastIndex = place;
    const match = cell.exec(text);
    if (!match) throw context.refused("cells.mark", {}, line);
    const [whole, quoted, bare, separator] = match;
    cells.push(quoted !== undefined ? quoted.replaceAll('""', '"') : strip(bare));
    line += times(whole, "\n");
    place += whole.length;
    if (["\n", "\r\n", "\r", ""].includes(separator)) {
      keep();
      [cells, began, comment] = [[], line, commented()];
    }
    if (!whole) break;
  }
  if (cells.length) keep();
  return finished(rows, text, context);
}

function finished(rows, text, context) {
  if (rows.some(({ cells }) => cells.length > MOST_COLUMNS)) throw context.limit("cells.columns", { n: MOST_COLUMNS });
  return text.includes("'") ? unguarded(rows) : rows;
}
