// Which texts are SMILES (mivspool/graphs/read/formats/smiles.py).
import { linesOf, strip, words } from "./text.js";

const CHARACTERS = /^[A-Za-z0-9@+\-[\]()\\/=#$:.%*~>]+$/;
const ATOMS = /Cl|Br|[BCNOPSFIbcnops]|\[[^\]]{1,40}\]/g;
export const HEADING = /^(?:(?:[^\n]*[^\p{L}\p{N}])?(?:iso|can)?smiles(?:[^\p{L}\p{N}][^\n]*)?|smi)$/iu;
const SAMPLED = 20;

// whether each of the first lines begins with what can be a SMILES, and one with what can be nothing else
export function sniff(text) {
  const lines = linesOf(text.slice(0, 5000)).slice(0, SAMPLED).filter((line) => strip(line)).map(words);
  return areSmiles(lines.map(([first]) => first), lines.filter(({ length }) => length > 1).map(([, second]) => second));
}

// molecules, and not ids of vertices which the other column names too
function areSmiles(tokens, beside) {
  if (!tokens.length || !tokens.every(isPossible) || tokens.some((token) => beside.includes(token))) return false;
  if (tokens.some((token) => /[=#()[\]]|[A-Za-z][0-9]/.test(token))) return true;
  return !beside.length && tokens.every((token) => (token.match(ATOMS) ?? []).length >= 4);
}

// atoms and marks alone, each ring and bracket closed
function isPossible(token) {
  if (!CHARACTERS.test(token) || !token.match(ATOMS)) return false;
  if (token.replace(ATOMS, "").replace(/[0-9=#()/\\@+\-:.%$~]/g, "") || token.split("(").length !== token.split(")").length) return false;
  const rings = token.replace(/\[[^\]]*\]/g, "").match(/%\d\d|\d/g) ?? [];
  return rings.every((ring) => rings.filter((other) => other === ring).length % 2 === 0) && !/^[)=#.%\d]/.test(token);
}

// the column of SMILES of a table, by its heading or by what stands in it; null where there is none
export function columnOf(rows) {
  const named = rows[0].cells.findIndex((cell) => HEADING.test(strip(cell)));
  if (named >= 0 && rows.length > 1) return named;
  const sample = rows.slice(0, SAMPLED);
  const cells = [0, 1].map((c) => sample.filter((row) => row.cells.length > c).map((row) => row.cells[c]));
  if (cells[0].length !== sample.length || cells[1].length !== cells[0].length) return null;
  return [0, 1].find((c) => areSmiles(cells[c], cells[1 - c])) ?? null;
}
