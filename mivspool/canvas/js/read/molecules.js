// The graphs of SMILES, by RDKit's WebAssembly (mivspool/graphs/read/formats/smiles.py, parts/rdkitfile.py).
import { Builder, LimitError, ReadError } from "./build.js";
import { columnOf, HEADING } from "./smiles.js";
import { linesOf, shown, strip } from "./text.js";

const NAMES = ["name", "id", "title", "compound", "molecule", "mol_id", "chembl_id", "cid", "compound_id"];
const LABELS = ["label", "class", "y", "target", "activity", "active"];
const CLASS = /^[-+]?\p{Nd}{1,3}$/u;
const LONGEST = 20_000;
const MOST_DRAWN = 500;
const MOST_BONDS = 1.5;
const MOST_CHECKED = 200;
const MOST_ATOMS = 20_000;
const AS_WRITTEN = JSON.stringify({ sanitize: false, removeHs: false, assignStereo: false, fastFindRings: false });
const CHECKED = JSON.stringify({ removeHs: false });
const IN_BLOCK = JSON.stringify({ kekulize: false, includeStereo: false });
const ORDERS = { 0: 4, 4: 1.5, 8: 0, 9: 1 }; // what a MOL block calls a quadruple, aromatic, unspecified and dative bond

// from the SMILES of a file, {text} or the {rows} of a table, to its graphs, each a graph or the ReadError why it is none
export const molecules =
  (rdkit) =>
  ({ text, rows }, context) =>
    rows ? ofTable(rows, context, rdkit) : ofLines(text, context, rdkit);

function ofLines(text, context, rdkit) {
  const found = [];
  linesOf(text).forEach((line, at) => {
    const whole = strip(line);
    const [, token, rest] = /^([^\t]*)\t(.*)$/s.exec(whole) ?? /^([^ ]*) ?(.*)$/s.exec(whole);
    if (!token || token.startsWith("#") || (at === 0 && HEADING.test(token))) return;
    const name = strip(rest);
    const label = CLASS.test(name) ? name : null;
    found.push(molecule(token, context, rdkit, { number: found.length + 1, name: label ? "" : name, label, line: at + 1 }));
  });
  if (!found.length) throw context.refused("smiles.none");
  return found;
}

function ofTable(rows, context, rdkit) {
  const column = columnOf(rows);
  const [{ cells: first }] = rows;
  const named = HEADING.test(strip(first[column]));
  const heads = named ? first.map((cell) => strip(cell).toLowerCase()) : [];
  const place = (names) => names.map((name) => heads.indexOf(name)).find((at) => at >= 0) ?? -1;
  let [nameAt, labelAt] = [place(NAMES), place(LABELS)];
  if (!named) {
    const beside = 1 - column;
    const classes = rows.every(({ cells }) => cells.length <= beside || CLASS.test(strip(cells[beside])));
    [nameAt, labelAt] = classes ? [-1, beside] : [beside, -1];
  }
  const unused = first.map((_, c) => c).filter((c) => ![column, nameAt, labelAt].includes(c));
  if (unused.length) {
    const columns = unused.slice(0, 4).map((c) => (named ? shown(first[c], 30) : context.said("smiles.column", { n: c + 1 })));
    context.repairs.push(context.said("smiles.left_out", { columns: columns.join(", "), more: unused.length > 4 ? ", …" : "" }));
  }
  const cell = (cells, c) => strip(cells[c] ?? "");
  return rows.slice(named ? 1 : 0).map(({ cells, line }, at) => {
    const about = { number: at + 1, name: cell(cells, nameAt), label: cell(cells, labelAt) || null, line };
    return molecule(cell(cells, column), context, rdkit, about);
  });
}

// number: of the molecule in the file, from 1
function molecule(smiles, context, rdkit, { number, name, label, line }) {
  if (number > context.limits.graphs) throw context.limit("smiles.many", { n: context.limits.graphs });
  const called = name || (number === 1 ? context.stem : `${context.stem} ${number}`);
  try {
    if (!smiles) throw context.refused("smiles.row", { n: number }, line);
    if (smiles.length > LONGEST) throw context.limit("smiles.long", { n: LONGEST }, line);
    return graphOf(smiles, context, rdkit, called, label, line);
  } catch (error) {
    if (!(error instanceof ReadError) || error instanceof LimitError) throw error;
    return error;
  }
}

function graphOf(smiles, context, rdkit, name, label, line) {
  const senseless = () => context.refused("rdkitfile.no_sense", { name: shown(name) });
  // behind a blank it would take a name
  const made = /[ \t]/.test(smiles) ? null : tried(() => rdkit.get_mol(smiles, AS_WRITTEN), senseless);
  if (!made?.get_num_atoms()) throw context.refused("smiles.invalid", { smiles: shown(smiles) }, line);
  const n = made.get_num_atoms();
  if (n > MOST_ATOMS) throw context.limit("rdkitfile.atoms", { name: shown(name), n, most: MOST_ATOMS });
  context.checkSize(n);
  const drawn = n <= MOST_DRAWN && made.get_num_bonds() <= MOST_BONDS * n;
  const written = () => {
    if (drawn) made.set_new_coords();
    return made.get_v3Kmolblock(IN_BLOCK);
  };
  const { atoms, bonds } = ofBlock(tried(written, senseless));
  made.delete();
  const builder = new Builder(context, name, "smiles", true);
  builder.label = label;
  atoms.forEach(({ symbol }, i) => builder.nodeValue(builder.node(i, null, String(i)), "label", symbol));
  if (atoms.some(({ charge }) => charge)) atoms.forEach(({ charge }, i) => builder.nodeValue(i, "charge", charge));
  for (const [order, u, v] of bonds) builder.edgeValue(builder.edge(u, v), "bond", order);
  const problem = n <= MOST_CHECKED && problemOf(smiles, rdkit);
  if (problem) builder.say("rdkitfile.unusual", { problem: Array.from(problem).slice(0, 150).join("") });
  if (drawn) place(builder, lying(atoms));
  return builder.finish();
}

// what RDKit answers; refused(): what is thrown where it throws
function tried(ask, refused) {
  try {
    return ask();
  } catch (error) {
    throw error instanceof WebAssembly.Exception ? refused() : error;
  }
}

// {atoms, bonds} of a MOL block, V3000: {symbol, charge, x, y} and [order, u, v]
function ofBlock(block) {
  const lines = block.replaceAll("-\nM  V30 ", "").split("\n").filter((line) => line.startsWith("M  V30 ")).map((line) => line.slice(7).split(" "));
  const between = (name) => {
    const [from, to] = ["BEGIN", "END"].map((mark) => lines.findIndex((words) => words[0] === mark && words[1] === name));
    return lines.slice(from + 1, Math.max(to, 0));
  };
  const atoms = between("ATOM").map(([, symbol, x, y, , , ...rest]) => {
    const charge = rest.find((word) => word.startsWith("CHG="));
    return { symbol: symbol === "R" ? "*" : symbol, charge: charge ? Number(charge.slice(4)) : 0, x: Number(x), y: Number(y) };
  });
  const bonds = between("BOND").map(([, type, u, v]) => [ORDERS[type] ?? Number(type), u - 1, v - 1]);
  return { atoms, bonds };
}

// what a chemist would object to, "" where there is nothing
function problemOf(smiles, rdkit) {
  const log = rdkit.set_log_capture("rdApp.error");
  try {
    const checked = rdkit.get_mol(smiles, CHECKED);
    checked?.delete();
    return checked ? "" : strip(/^\[[\d:]+\] (.*)\n*$/m.exec(log.get_buffer().split(/\n(?=.)/).at(-1))?.[1] ?? "");
  } catch (error) {
    if (!(error instanceof WebAssembly.Exception)) throw error;
    return ""; // no chemist's objection, but RDKit's own
  } finally {
    log.delete();
  }
}

// a drawing turned so that it is widest along x (_lying in Python)
function lying(atoms) {
  const mean = (axis) => atoms.reduce((sum, atom) => sum + atom[axis], 0) / atoms.length;
  const [left, low] = [mean("x"), mean("y")];
  const places = atoms.map(({ x, y }) => [x - left, y - low]);
  const sum = (term) => places.reduce((total, [x, y]) => total + term(x, y), 0);
  const [xx, xy, yy] = [sum((x) => x * x), sum((x, y) => x * y), sum((x, y) => y * y)];
  const least = 1e-3 * (xx + yy);
  let angle = Math.atan2(2 * xy, xx - yy) / 2;
  if (Math.abs(2 * xy) < least) angle = xx - yy < -least ? Math.PI / 2 : 0;
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return places.map(([x, y]) => [c * x + s * y, c * y - s * x]);
}

// places that tell the atoms apart
function place(builder, places) {
  const rounded = new Set(places.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`));
  if (rounded.size === places.length) places.forEach(([x, y], i) => builder.place(i, x, y));
}
