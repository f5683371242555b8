// GML (mivspool/graphs/read/formats/gml.py). Pairs are [key, value, line], a value text, a number, a truth value or pairs.
import { Builder } from "./build.js";
import { bare, BLANK, isWhole, number, Real, shown, str, times, toWhole } from "./text.js";

const TOKEN = new RegExp(`[${BLANK},;]*(?:(#[^\\n]*)|(\\[)|(\\])|"([^"]*)"|([^${BLANK}[\\]"]+))`, "y");
const KINDS = [null, "comment", "open", "close", "string", "word"];
const ENTITY = /&(?:#(\d{1,7})|#[xX]([0-9A-Fa-f]{1,6})|([A-Za-z][A-Za-z0-9]{1,30}));/g;
const TAKEN = ["id", "label", "source", "target", "weight", "graphics"];
const MOST_FLAT = 100;

const isList = Array.isArray;
const character = (code, otherwise) => (code <= 0x10ffff && !(code >= 0xd800 && code < 0xe000) ? String.fromCodePoint(code) : otherwise);

// named(word): what &word; stands for, undefined where it stands for nothing
function entities(text, named) {
  return text.replace(ENTITY, (all, decimal, hex, word) => (word ? (named(word) ?? all) : character(decimal ? Number(decimal) : parseInt(hex, 16), all)));
}

function nameOf(key) {
  if (/^own/i.test(key) && TAKEN.includes(key.slice(3).toLowerCase())) return key.slice(3);
  if (!/^U0(?:[0-9a-f]{6})*$/.test(key)) return key;
  const codes = (key.slice(2).match(/.{6}/g) ?? []).map((hex) => parseInt(hex, 16));
  return codes.every((code) => code <= 0x10ffff) ? codes.map((code) => String.fromCodePoint(code)).join("") : key;
}

function word(text) {
  if (/^[-+]?\d{1,400}$/.test(text)) return toWhole(text);
  const value = number(text);
  if (value !== null) return new Real(value);
  const lower = text.toLowerCase();
  if (lower === "true" || lower === "false") return lower === "true";
  return lower === "nan" ? null : text;
}

// tell(kind, token, line) of each token
function tokens(text, context, tell) {
  let [place, line] = [0, 1];
  const end = text.replace(new RegExp(`[${BLANK}]{1,10000}$`), "").length;
  while (place < end) {
    TOKEN.lastIndex = place;
    const match = TOKEN.exec(text);
    if (!match) throw context.refused("gml.mark", {}, line + (text[place] === '"' ? 0 : times(text, "\n", place, end)));
    const k = match.findIndex((group, i) => i > 0 && group !== undefined);
    const after = place + match[0].length;
    const start = after - match[k].length - (KINDS[k] === "string" ? 1 : 0);
    line += times(text, "\n", place, start);
    if (KINDS[k] !== "comment") tell(KINDS[k], match[k], line);
    line += times(text, "\n", start, after);
    place = after;
  }
}

function parse(text, context) {
  const top = [];
  const stack = [top];
  const opened = [];
  let key = null;
  tokens(text, context, (kind, token, line) => {
    if (kind === "close") {
      if (key !== null || stack.length === 1) throw context.refused("gml.closed", {}, line);
      stack.pop();
      opened.pop();
    } else if (key === null) {
      if (kind !== "word") throw context.refused("gml.no_key", { token: shown(token) }, line);
      key = token;
    } else if (kind === "open") {
      if (stack.length >= context.limits.depth) throw context.limit("gml.depth", { n: context.limits.depth }, line);
      const inner = [];
      stack.at(-1).push([key, inner, line]);
      stack.push(inner);
      opened.push(line);
      key = null;
    } else {
      stack.at(-1).push([key, kind === "string" ? entities(token, context.given.named) : word(token), line]);
      key = null;
    }
  });
  if (stack.length > 1) throw context.refused("gml.open", {}, opened.at(-1));
  return top;
}

const first = (pairs, name) => pairs.find(([key]) => key.toLowerCase() === name)?.[1] ?? null;
const flat = (pairs) => new Map(pairs.slice(0, MOST_FLAT).map(([key, value]) => [key, isList(value) ? flat(value) : value]));
const lists = (pairs, name) => pairs.filter(([key, value]) => key.toLowerCase() === name && isList(value));

export function read(text, context) {
  const graphs = lists(parse(text, context), "graph");
  if (!graphs.length) throw context.refused("gml.no_graph");
  return graphs.map(([, pairs], k) => graphOf(pairs, context, k));
}

function graphOf(pairs, context, k) {
  const name = first(pairs, "name");
  const named = (typeof name === "string" && name) || isWhole(name);
  const builder = new Builder(context, named ? str(name) : context.stem + (k ? ` ${k + 1}` : ""), "gml", true);
  const label = first(pairs, "label");
  builder.label = typeof label === "string" || isWhole(label) ? str(label) : null;
  const nodes = lists(pairs, "node");
  const labels = labelsOf(nodes, builder);
  nodes.forEach(([, node, line], at) => {
    const id = first(node, "id");
    if (id === null || isList(id)) throw context.refused("gml.no_id", {}, line);
    const i = builder.node(str(id), line, labels[at] ?? str(id));
    const graphics = first(node, "graphics");
    if (isList(graphics)) builder.place(i, first(graphics, "x"), first(graphics, "y"));
    for (const [written, value] of node) {
      const key = written.toLowerCase();
      if (key === "id" || key === "graphics" || (key === "label" && labels[at] !== null)) continue;
      builder.nodeValue(i, nameOf(written), isList(value) ? flat(value) : value);
    }
  });
  const directed = [true, 1, "1", "true"].includes(bare(first(pairs, "directed")));
  for (const [, edge, line] of lists(pairs, "edge")) {
    const [source, target] = [first(edge, "source"), first(edge, "target")];
    if (source === null || target === null || isList(source) || isList(target)) throw context.refused("gml.no_ends", {}, line);
    const k = builder.edge(builder.mention(str(source), line), builder.mention(str(target), line), line, directed);
    for (const [written, value] of edge) {
      if (!["source", "target", "graphics"].includes(written.toLowerCase())) builder.edgeValue(k, nameOf(written), isList(value) ? flat(value) : value);
    }
  }
  return builder.finish();
}

// what each vertex is called: its label where labels tell vertices apart, else null
function labelsOf(nodes, builder) {
  const texts = nodes.map(([, node]) => first(node, "label")).map((label) => (label === null || label === "" || isList(label) ? null : str(label)));
  const ids = nodes.map(([, node]) => str(first(node, "id")));
  if (new Set(texts.map((text, i) => text || ids[i])).size >= new Set(ids).size) return texts;
  builder.say("gml.by_ids");
  return texts.map(() => null);
}
