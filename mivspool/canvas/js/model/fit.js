// One graph as a model's input, and what is said of it: mivspool/graphs/fit.py, for pages without Python. A graph is {name,
// collection, ids, edges, attributes}: attributes by name, a value per vertex; a schema is what config.json holds
// (graphs/schema.py), with `learned`, what its data set is called; words are fit.WORDS.
import { fillText, fixed } from "./text.js";
import { adjacency } from "./trace.js";

const ALIKE = 1.25;
const HONEST = 0.5;
const LABEL_NAMES = ["label", "labels", "node_label", "vertex_label", "element", "symbol", "atom_symbol", "atom", "atom_type", "type", "species", "name"];
const ATOMIC_NUMBER = new Set(["atomic_num", "atomic_number", "atomicnum", "atomicnumber", "atomic number", "z"]);
const FROM_DATASET = /^(DD|PROTEINS|ENZYMES|NCI1):\d+$/;

// Why a graph does not fit a model, as a sentence
export class Unfit extends Error {}

// a label as text, "" where it is missing (graphs/labels.py)
export function labelText(value) {
  if (value === null || value === undefined || Number.isNaN(value)) return "";
  if (typeof value === "boolean") return value ? "True" : "False";
  return String(value).trim();
}

const percent = (share) => `${fixed(100 * share, 0)}%`;
const grouped = (value) => value.toLocaleString("en");
const plain = (name) => name.trim().toLowerCase();
// a text as Python writes it down
export const quoted = (text) => (text.includes("'") && !text.includes('"') ? `"${text}"` : `'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`);

function some(names, words, most = 6) {
  const shown = names.slice(0, most).map((name) => (Array.from(name).length <= 30 ? name : `${Array.from(name).slice(0, 29).join("")}…`));
  return shown.join(", ") + (names.length > most ? fillText(words.more, { n: grouped(names.length - most) }) : "");
}

// index of each value in the vocabulary, -1 where it is not there
function codesOf(name, values, { node_labels, elements }, table) {
  const place = new Map((node_labels ?? []).map((label, k) => [label, k]));
  const numbers = elements && ATOMIC_NUMBER.has(plain(name));
  return values.map((value) => {
    const text = labelText(value);
    if (numbers) return place.get(/^\d{1,3}$/.test(text) ? (table[Number(text) - 1] ?? "") : "") ?? -1;
    const first = Array.from(text)[0] ?? "";
    return place.get(elements ? first.toUpperCase() + text.slice(first.length).toLowerCase() : text) ?? -1;
  });
}

// the attributes by how well they fit the vocabulary, the best first: {attribute, coverage, proposed}
export function labelCandidates(graph, schema, table) {
  if (!schema.node_labels) return [];
  const numbers = schema.node_labels.every((label) => /^\d+$/.test(label.replace(/^-+/, "")));
  const ranked = Object.entries(graph.attributes).map(([attribute, values]) => {
    const codes = codesOf(attribute, values, schema, table);
    const coverage = codes.length ? codes.filter((code) => code >= 0).length / codes.length : 0;
    const name = plain(attribute).replaceAll("-", "_").replaceAll(" ", "_");
    const known = LABEL_NAMES.indexOf(name);
    const named = known >= 0 || (schema.elements && ATOMIC_NUMBER.has(plain(attribute)));
    const rank = known >= 0 ? known : LABEL_NAMES.length;
    const proposed = numbers ? named && rank < 4 && coverage === 1 : coverage > (named ? 0 : HONEST);
    return { attribute, coverage, proposed, rank };
  });
  return ranked.sort((a, b) => Number(b.proposed) - Number(a.proposed) || b.coverage - a.coverage || a.rank - b.rank);
}

function propose(graph, schema, words, table) {
  const [best] = labelCandidates(graph, schema, table);
  if (best?.proposed) return best.attribute;
  const vocabulary = some(schema.node_labels, words);
  if (!best) throw new Unfit(fillText(words.unlabelled, { vocabulary }));
  const texts = [...new Set(graph.attributes[best.attribute].map((value) => labelText(value) || words.nothing))];
  const has = some(texts.sort(byPoint), words, 3);
  throw new Unfit(fillText(schema.elements ? words.elements : words.own, { vocabulary, attribute: quoted(best.attribute), has }));
}

// texts in the order of their code points, as Python sorts them
export function byPoint(a, b) {
  const [p, q] = [Array.from(a), Array.from(b)];
  for (let i = 0; i < Math.min(p.length, q.length); i++) if (p[i] !== q[i]) return p[i].codePointAt(0) - q[i].codePointAt(0);
  return p.length - q.length;
}

// texts by how often they occur, the first that occurs before others
function counted(texts) {
  const counts = new Map();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1]).map(([text]) => text);
}

function number(value) {
  if (typeof value === "number") return value;
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" && /^\s*[+-]?(\d[\d_]*\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value) ? Number(value.trim().replaceAll("_", "")) : NaN;
}

// a value per vertex for each attribute of the schema
function tableOf(graph, schema, words) {
  const own = new Map(Object.keys(graph.attributes).map((name) => [plain(name), name]));
  const lacking = schema.attributes.filter(({ name }) => !own.has(plain(name))).map(({ name }) => name);
  if (lacking.length) throw new Unfit(fillText(words.lacks, { n: schema.attributes.length, names: some(lacking, words) }));
  return schema.attributes.map(({ name, mean, std }) => {
    const attribute = own.get(plain(name));
    const values = graph.attributes[attribute].map(number);
    const gone = values.filter((value) => !Number.isFinite(value)).length;
    if (gone / values.length > HONEST) throw new Unfit(fillText(words.bare, { attribute: quoted(attribute) }));
    return { gone, values: values.map((value) => (Number.isFinite(value) ? (value - mean) / std : 0)) };
  });
}

function beyond(value, low, high) {
  if (value > high + 1e-9) return high ? value / high : Infinity;
  if (value < low - 1e-9) return value ? low / value : Infinity;
  return 1;
}

// what lies outside everything that the model was trained on, and what is merely unusual
function compared(graph, schema, degree, code, words) {
  const { training } = schema;
  const [outside, unusual] = [[], []];
  const n = graph.ids.length;
  const [least, , middle, , most] = training.vertices;
  const whole = (value) => grouped(Number(fixed(value, 0)));
  if (n < least || n > most) outside.push(fillText(words.size, { n: grouped(n), low: whole(least), high: whole(most), middle: whole(middle) }));
  const mean = graph.edges.length / n;
  const [low, , , , high] = training.mean_degree;
  const factor = beyond(mean, low, high);
  const alone = !schema.node_labels && !schema.attributes.length;
  if (factor > 1) {
    const [m, l, h] = [mean, low, high].map((value) => fixed(value, 2));
    (factor <= ALIKE && !alone ? unusual : outside).push(fillText(words.mean_degree, { mean: m, low: l, high: h }));
  }
  if (alone) {
    const largest = degree.reduce((a, b) => Math.max(a, b), 0);
    if (schema.max_degree !== null && largest > schema.max_degree) outside.push(fillText(words.degree, { degree: grouped(largest), most: grouped(schema.max_degree) }));
    if (graph.origin && schema.dataset && graph.origin.name !== schema.dataset) outside.push(fillText(words.kind, { ...graph.origin, learned: schema.learned }));
  }
  const known = code?.filter((c) => c >= 0) ?? [];
  const share = training.label_share ?? [];
  if (share.length && known.length) {
    const labels = schema.node_labels;
    const own = labels.map((_, k) => known.filter((c) => c === k).length / known.length);
    const unseen = labels.filter((_, k) => own[k] > 0 && share[k] === 0);
    if (unseen.length) outside.push(fillText(words.unseen, { labels: some(unseen, words) }));
    const apart = own.map((value, k) => Math.abs(value - share[k]));
    if (apart.reduce((a, b) => a + b, 0) / 2 > training.label_distance + 1e-9) {
      const k = apart.indexOf(Math.max(...apart));
      unusual.push(fillText(words.unusual, { own: percent(own[k]), label: labels[k], share: percent(share[k]) }));
    }
  }
  return { outside, unusual };
}

// The graph as input: {x, coverage, label, unknown, outside, warnings}. Throws Unfit with the reason where it does not fit.
export function fit(graph, schema, words, table) {
  const n = graph.ids.length;
  if (!n) throw new Unfit(words.empty);
  const { start } = adjacency(n, graph.edges);
  const degree = graph.ids.map((_, v) => start[v + 1] - start[v]);
  const [outside, warnings] = [[], []];
  let [code, coverage, label, unknown] = [null, 1, null, []];
  if (schema.node_labels) {
    const [, own] = FROM_DATASET.exec(graph.name) ?? [];
    if (own && !schema.elements && own !== schema.dataset) throw new Unfit(fillText(words.origin, { own, dataset: schema.dataset }));
    label = propose(graph, schema, words, table);
    const values = graph.attributes[label];
    code = codesOf(label, values, schema, table);
    coverage = code.filter((c) => c >= 0).length / n;
    unknown = counted(values.filter((_, v) => code[v] < 0).map((value) => labelText(value) || words.no_label));
    if (coverage < HONEST) {
      const hydrogens = schema.elements && unknown.includes("H") && !schema.node_labels.includes("H");
      const lists = { unknown: some(unknown, words), vocabulary: some(schema.node_labels, words) };
      const said = fillText(words.coverage, { coverage: percent(coverage), least: percent(HONEST), attribute: quoted(label), ...lists });
      throw new Unfit(said + (hydrogens ? words.hydrogens : ""));
    }
    if (unknown.length) outside.push(fillText(words.unknown, { share: percent(1 - coverage), labels: some(unknown, words) }));
  }
  const columns = schema.attributes.length ? tableOf(graph, schema, words) : [];
  const missing = columns.reduce((sum, { gone }) => sum + gone, 0);
  if (missing) warnings.push(fillText(words.missing, { n: grouped(missing) }));
  if (schema.node_labels && !schema.elements && graph.collection !== schema.dataset) warnings.push(fillText(words.meaning, { dataset: schema.dataset }));
  const found = compared(graph, schema, degree, code, words);
  outside.push(...found.outside);
  warnings.push(...found.unusual);
  const labels = schema.node_labels?.length ?? 0;
  const d = labels + columns.length + (schema.max_degree === null ? 0 : schema.max_degree + 1);
  const x = new Float32Array(n * d);
  for (let v = 0; v < n; v++) {
    if (code && code[v] >= 0) x[v * d + code[v]] = 1;
    columns.forEach(({ values }, k) => (x[v * d + labels + k] = values[v]));
    if (schema.max_degree !== null) x[v * d + labels + columns.length + Math.min(degree[v], schema.max_degree)] = 1;
  }
  return { x, coverage, label, unknown, outside, warnings: [...outside, ...warnings] };
}
