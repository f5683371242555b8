// Reading a person's file in a page: the same graph, or the same sentence of refusal, as mivspool/graphs/read/entry.py. What only
// Python reads is refused by name. given: {words, limits, formats, refused, roots, json_kinds, pictures, pickle, columns}, what
// Python says and knows (site/reading.py); named: what an entity of HTML stands for; molecules: see readGraphs.
import { Context, LimitError, partsOf, ReadError } from "./build.js";
import { begins, decode } from "./decode.js";
import { read as readDocument, readLines as readEdges, refuse } from "./dialects.js";
import { read as readGml } from "./gml.js";
import { read as readGraphml, rootOf } from "./graphml.js";
import { read as readJson, readLines, sniff as sniffJson, sniffLines } from "./json.js";
import { sniff as sniffSmiles } from "./smiles.js";
import { isXyz, SNIFFS } from "./sniff.js";
import { listsVertices, read as readTable, readNeighbours, readPair } from "./table.js";
import { BLANK, strip } from "./text.js";

const HEAD = 20_000;
const PICKLES = [".pt", ".pth", ".pkl", ".pickle", ".gpickle", ".joblib", ".ckpt"];
const TABLES = [".csv", ".tsv", ".txt", ".tab"];
const NODES = /(?<![a-z])(?:node|vertex|vertice)s?(?:[_ -]?(?:list|table))?(?![a-z])/gi;
const EDGES = /(?<![a-z])(?:edge|link|arc|relationship|rel)s?(?:[_ -]?(?:list|table))?(?![a-z])/gi;
const DIALECTS = { refuse, read: readDocument, readLines: readEdges };
const GML = new RegExp("^[ \\t]*graph\\s*\\[", "im");
const EMPTY = new RegExp(`^[\\ufeff \\t\\r\\n\\f\\v\\0]*$`);
const FORMATS_HERE = {
  graphml: readGraphml,
  gml: readGml,
  json: (text, context) => readJson(text, context, DIALECTS),
  jsonlines: (text, context) => readLines(text, context, DIALECTS),
  adjlist: (text, context) => (SNIFFS["multiline-adjlist"](text, context) ? elsewhere("multiline-adjlist", context) : readNeighbours(text, context)),
};
const SNIFFS_HERE = {
  graphml: (text) => rootOf(text) === "graphml",
  gml: (text) => GML.test(text.slice(0, 100_000)),
  json: sniffJson,
  jsonlines: sniffLines,
};

// Every graph of a file: {graphs, error}, error: why the first part that could not be read is none, null where all were. files:
// {data: Uint8Array, name} of each, several where a table of vertices and one of edges are one graph; as: the `as` of one of a
// graph's readings; molecules: from the SMILES of a file to its graphs, null where this page reads none. Throws ReadError where
// there is no graph.
export function readGraphs(files, given, { as = "", molecules = null } = {}) {
  const [{ data, name }] = files;
  const found = files.length > 1 ? together(files, given, { as, molecules }) : guarded(data, new Context(name, given, { as }), molecules);
  const graphs = found.filter((item) => !(item instanceof ReadError));
  const errors = found.filter((item) => item instanceof ReadError);
  if (!graphs.length) throw errors[0];
  if (errors.length) {
    const context = new Context(name, given);
    const where = errors[0].line ? context.said("entry.line", { line: errors[0].line }) : "";
    const more = errors.length > 1 ? context.said("entry.more", { n: errors.length - 1 }) : "";
    graphs[0] = { ...graphs[0], repairs: [...graphs[0].repairs, context.said("entry.left_out", { message: errors[0].message, where, more })] };
  }
  return graphs;
}

function guarded(data, context, molecules) {
  try {
    return open(data, context, molecules);
  } catch (error) {
    if (error instanceof RangeError) throw context.limit("entry.deep");
    if (!(error instanceof ReadError) || error instanceof LimitError) throw error;
    refuseName(context); // whatever its bytes are, they are not meant to be a graph's
    throw error;
  }
}

function open(data, context, molecules) {
  const { limits, given } = context;
  const megabytes = (bytes) => Math.round(bytes / 1024 ** 2);
  if (data.length > limits.bytes) throw context.limit("entry.bytes", { size: megabytes(data.length), most: megabytes(limits.bytes) });
  if (!data.length) throw context.refused("entry.empty");
  const suffix = partsOf(context.name.toLowerCase()).suffix;
  if (PICKLES.includes(suffix) || isPickle(data)) throw context.refused("entry.pickle", { advice: given.pickle });
  if (begins(data, [0x50, 0x4b]) && suffix === ".npz") return elsewhere("npz", context);
  if ([[0x1f, 0x8b], [0x50, 0x4b, 3, 4], [0x50, 0x4b, 5, 6]].some((mark) => begins(data, mark))) throw context.refused("page.packed");
  if (begins(data, [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59])) return elsewhere("npy", context);
  const { text, encoding, notices } = decode(data, context);
  context.encoding = encoding;
  context.repairs.push(...notices);
  if (EMPTY.test(text)) throw context.refused("entry.blank");
  const known = given.formats.find((format) => format.name === context.as && !format.binary && !format.dialect);
  return readAs(known?.name ?? guess(text, context), text, context, molecules);
}

function readAs(name, text, context, molecules) {
  const lines = molecules ? (given) => molecules(given, context) : () => elsewhere("smiles", context);
  if (!(name in FORMATS_HERE) && name !== "csv" && name !== "smiles") return elsewhere(name, context);
  const found = name === "csv" ? readTable(text, context, (rows) => lines({ rows })) : name === "smiles" ? lines({ text }) : FORMATS_HERE[name](text, context);
  return found.map((item) => (item instanceof ReadError || item.read_as ? item : { ...item, read_as: context.readAs(name) }));
}

// what Python reads and this page does not
function elsewhere(name, context) {
  throw context.refused("page.elsewhere", { title: context.given.formats.find((format) => format.name === name).title });
}

// the name of a text's format: by content, then by name, then by what is left
function guess(text, context) {
  const { formats, refused } = context.given;
  const head = text.slice(0, HEAD);
  for (const one of refused) {
    const begun = one.begins ? new RegExp(`^[${BLANK}]*(?:${one.begins})`, "i").test(head) : one.xyz && isXyz(head);
    if (begun) throw refusal(one, context);
  }
  for (const { name, unsure } of formats) {
    const sniff = SNIFFS_HERE[name] ?? SNIFFS[name];
    if (sniff && !unsure && sniff(text, context)) return name;
  }
  const { suffix } = partsOf(context.name.toLowerCase());
  for (const { name, extensions, dialect, binary } of formats) {
    if (!extensions.includes(suffix)) continue;
    if (dialect) return "json";
    if (!binary) return suffix === ".txt" && sniffSmiles(text) ? "smiles" : name;
  }
  if (rootOf(text) !== null || /^(<!|<\?xml)/.test(strip(text))) return "graphml";
  refuseName(context);
  return sniffSmiles(text) ? "smiles" : "csv";
}

function refuseName(context) {
  const { suffix } = partsOf(context.name.toLowerCase());
  const one = context.given.refused.find(({ extensions }) => extensions.includes(suffix));
  if (one) throw refusal(one, context);
}

const refusal = ({ name, advice }, context) => context.refused("refused.refused", { kind: name, advice });

function isPickle(data) {
  if (data[0] === 0x80 && data[1] >= 2 && data[1] <= 5) return true;
  if (data[0] !== 0x63) return false;
  const text = String.fromCharCode(...data.subarray(0, 200));
  const after = text.split("\n").slice(2).join("\n");
  const end = String.fromCharCode(...data.subarray(-40)).trimEnd();
  return text.split("\n").length > 2 && "(pq".includes(after[0] || "x") && end.endsWith(".");
}

// Several files as one: a table of vertices and one of edges are one graph, and what cannot be read is its error.
function together(files, given, { as, molecules }) {
  const whole = new Context(`${files[0].name} + ${files.length - 1}.zip`, given, { as });
  const member = new Map(files.map((file) => [file.name, file.data]));
  const pairs = pairsOf([...member.keys()]) ?? pairByContent(member, whole);
  const vertices = [...pairs.values()];
  const found = [];
  for (const [name, data] of member) {
    if (vertices.includes(name)) continue;
    const inner = new Context(name, given, { as, vertices: whole.vertices, edges: whole.edges });
    const within = (error) => (error.message.includes(name) ? error : new error.constructor(`${name}: ${error.message}`, error.line));
    try {
      const made = pairs.has(name) ? [pair(member, pairs.get(name), name, inner)] : guarded(data, inner, molecules);
      found.push(...made.map((item) => (item instanceof ReadError ? within(item) : { ...item, read_as: `${item.read_as.replace(/\.$/, "")}, from ${name}.` })));
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      found.push(within(error));
    }
    Object.assign(whole, { vertices: inner.vertices, edges: inner.edges });
  }
  return found;
}

function pair(member, vertices, edges, context) {
  const texts = [vertices, edges].map((name) => {
    const told = new Context(name, context.given);
    const { text, encoding, notices } = decode(member.get(name), told);
    context.encoding = encoding;
    context.repairs.push(...notices);
    return text;
  });
  return readPair(...texts, vertices, context);
}

// tables of edges, each with the table of its vertices: edges.csv and nodes.csv of one folder
function pairsOf(names) {
  const keys = (kind) => {
    const found = new Map();
    for (const name of names) {
      const { folder, stem, suffix } = partsOf(name);
      if (TABLES.includes(suffix.toLowerCase()) && stem.search(kind) >= 0) found.set(`${folder}/${stem.replace(kind, "").toLowerCase()}`, name);
    }
    return found;
  };
  const vertices = keys(NODES);
  const pairs = new Map([...keys(EDGES)].filter(([key]) => vertices.has(key)).map(([key, name]) => [name, vertices.get(key)]));
  return pairs.size ? pairs : null;
}

// the same of two tables alone, whatever they are called, where one of them lists vertices
function pairByContent(member, context) {
  const names = [...member.keys()];
  if (names.length !== 2 || !names.every((name) => TABLES.includes(partsOf(name).suffix.toLowerCase()))) return new Map();
  const listed = names.filter((name) => {
    const inner = new Context(name, context.given);
    try {
      return listsVertices(decode(member.get(name), inner).text, inner);
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      return false; // it is said where the file itself is read
    }
  });
  return listed.length === 1 ? new Map([[names.find((name) => name !== listed[0]), listed[0]]]) : new Map();
}
