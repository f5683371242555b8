// Whether a text is in a format that Python reads and a page does not: by its beginning (the sniff of each module of
// mivspool/graphs/read/formats).
import { plainRows } from "./cells.js";
import { rootOf } from "./graphml.js";
import { BLANK, linesOf, strip, words } from "./text.js";

const HEAD = 100_000;
const B = `[${BLANK}]`;
const begins = (pattern) => {
  const compiled = new RegExp(`^${pattern}`, "i");
  return (text) => compiled.test(text.slice(0, HEAD));
};
const firstLine = (text, isComment) => linesOf(text.slice(0, 2 * HEAD)).map(strip).find((line) => line && !isComment(line)) ?? "";

function isTgf(text) {
  const lines = linesOf(text.slice(0, HEAD)).map(strip);
  const middle = lines.indexOf("#");
  if (middle < 0 || lines[0].startsWith("#")) return false;
  const ids = new Set(lines.slice(0, middle).filter(Boolean).map((line) => words(line)[0]));
  const edges = lines.slice(middle + 1, text.length <= HEAD ? undefined : -1).filter(Boolean).map(words);
  return edges.length > 0 && edges.every(([u, v]) => v !== undefined && ids.has(u) && ids.has(v));
}

function isMetis(text) {
  if (text.length > 1_000_000) return false;
  const lines = linesOf(text).filter((line) => !line.startsWith("%"));
  const [, size, count, weights] = /^(\d{1,9})\s+(\d{1,12})(?:\s+([01]{1,3})(?:\s+(\d{1,3}))?)?$/.exec(strip(lines[0] ?? "")) ?? [];
  const n = Number(size);
  if (!size || weights || n < 3) return false;
  const body = lines.slice(1, n + 1);
  if (body.length < n || lines.slice(n + 1).some((line) => strip(line)) || !body.every((line) => /^[\d\s]*$/.test(line))) return false;
  const listed = new Set(body.flatMap((line, u) => words(line).map((v) => `${u + 1} ${v}`)));
  return listed.size > 0 && listed.size === 2 * Number(count) && [...listed].every((pair) => listed.has(`${Number(pair.split(" ")[1])} ${pair.split(" ")[0]}`));
}

function isMultiline(text, context) {
  const most = 20_000;
  if (!text.slice(0, most).includes("{")) return false;
  const whole = text.length <= most;
  const rows = plainRows(whole ? text : text.slice(0, text.lastIndexOf("\n", most - 1)), "", context);
  let data = false;
  for (let at = 0; at < rows.length; ) {
    const { cells } = rows[at];
    const degree = cells.length === 2 && /^\d{1,9}$/.test(cells[1]) ? Number(cells[1]) : null;
    const below = degree === null ? [] : rows.slice(at + 1, at + 1 + degree);
    if (degree === null || !below.every((row) => row.cells.length === 2 && row.cells[1].startsWith("{"))) return false;
    if (below.length < degree) return !whole && data;
    data ||= degree > 0;
    at += degree + 1;
  }
  return data;
}

export const isXyz = (text) => {
  const lines = text.split("\n", 5);
  return lines.length > 2 && /^\p{Nd}+$/u.test(strip(lines[0])) && /^\s*[A-Za-z]{1,3}\d*(?:\s+[-+]?[\d.]+(?:[eE][-+]?\d+)?){3}(?:\s.*)?$/.test(lines[2].trimEnd());
};

// by the name of the format
export const SNIFFS = {
  gexf: (text) => rootOf(text) === "gexf",
  "matrix-market": begins(`${B}*%%matrixmarket`),
  pajek: begins(`(?:${B}*[%#][^\\n]*\\n)*${B}*\\*${B}*(?:vertices|network)`),
  dl: begins(`${B}*dl\\b${B}*,?${B}*(?:n|nr|nc|nm|format)\\b`),
  gdf: begins(`${B}*nodedef${B}*>`),
  graph6: begins(`${B}*>>graph6<<`),
  sparse6: begins(`${B}*>>sparse6<<`),
  dimacs: (text) => /^p[ \t]+\w+[ \t]+\d+/.test(firstLine(text, (line) => line === "c" || /^c[ \t]/.test(line))),
  dot: begins(`(?:${B}|//[^\\n]*\\n|/\\*(?:[^*]|\\*(?!/)){0,20000}\\*/|#[^\\n]*\\n)*(?:strict${B}+)?(?:di)?graph\\b[^\\[{]{0,2000}\\{`),
  mol: (text) => /^[ \d]{6}.{0,40}V[23]000\s*$/.test(linesOf(text.slice(0, 2000))[3] ?? ""),
  mol2: (text) => firstLine(text.slice(0, HEAD), (line) => line.startsWith("#")).toUpperCase() === "@<TRIPOS>MOLECULE",
  pdb: (text) => /^(HEADER|TITLE |ATOM  |HETATM|CRYST1|REMARK|MODEL |COMPND|EXPDTA)/.test(text) && (text.startsWith("ATOM  ") || text.includes("\nATOM  ")),
  mmcif: begins(`${B}*(?:#[^\\n]*\\n${B}*)*data_[^${BLANK}]*`),
  tgf: isTgf,
  metis: isMetis,
  "multiline-adjlist": isMultiline,
};
