// JSON as Python's parser reads it, with its sentences (mivspool/graphs/read/formats/jsonfile.py, jsonlines.py); which dialect a
// document is in says dialects.js.
import { LimitError, ReadError } from "./build.js";
import { BLANK, isObject, linesOf, Real, strip, times, toWhole } from "./text.js";

const LONGEST_NUMBER = 400;
const MOST_VALUES = 8_000_000;
const MOST_CONTAINERS = 3_000_000;
const DEEPEST = 900; // Python's parser goes no further
const LONGEST_LINE = 100_000;
const ESCAPES = { '"': '"', "\\": "\\", "/": "/", b: "\b", f: "\f", n: "\n", r: "\r", t: "\t" };
const NUMBER = /-?(?:0|[1-9]\d*)(\.\d+)?([eE][-+]?\d+)?/y;
const BEGINS = new RegExp(`^[${BLANK}]*(?:\\{|\\[[${BLANK}]*(?:["[{\\]]|-?\\d+(?:\\.\\d+)?[${BLANK}]*[,\\]${BLANK}]|$))`);
const WORDS = new Map([["null", null], ["true", true], ["false", false], ["NaN", new Real(NaN)], ["Infinity", new Real(Infinity)], ["-Infinity", new Real(-Infinity)]]);

const isList = Array.isArray;

export const sniff = (text) => BEGINS.test(text.slice(0, 1000));

class Wrong extends Error {
  constructor(reason, at) {
    super(reason);
    this.at = at;
  }
}

class Deep extends Error {}

// Objects are Maps, decimals Reals. Throws Wrong, Deep, or what tooLong(digits) makes.
function parse(text, tooLong) {
  let at = 0;
  const blanks = () => {
    while (" \t\n\r".includes(text[at] || "x")) at++;
  };
  const wrong = (reason, place = at) => {
    throw new Wrong(reason, place);
  };
  const string = () => {
    const begin = at++;
    let made = "";
    for (;;) {
      const from = at;
      while (at < text.length && text[at] !== '"' && text[at] !== "\\" && text[at] > "\x1f") at++;
      made += text.slice(from, at);
      if (at >= text.length) wrong("Unterminated string starting at", begin);
      if (text[at] === '"') {
        at++;
        return made;
      }
      if (text[at] !== "\\") wrong("Invalid control character at");
      const c = text[at + 1];
      if (c === undefined) wrong("Unterminated string starting at", begin);
      if (c === "u") {
        const hex = text.slice(at + 2, at + 6);
        if (!/^[0-9A-Fa-f]{4}$/.test(hex) || at + 6 >= text.length) wrong("Invalid \\uXXXX escape", at + 1);
        made += String.fromCharCode(parseInt(hex, 16));
        at += 6;
      } else {
        made += ESCAPES[c] ?? wrong("Invalid \\escape");
        at += 2;
      }
    }
  };
  const list = (depth) => {
    const found = [];
    at++;
    blanks();
    while (text[at] !== "]") {
      found.push(value(depth + 1));
      blanks();
      if (text[at] === "]") break;
      if (text[at] !== ",") wrong("Expecting ',' delimiter");
      at++;
      blanks();
      if (text[at] === "]") wrong("Expecting value");
    }
    at++;
    return found;
  };
  const object = (depth) => {
    const found = new Map();
    at++;
    blanks();
    if (text[at] === "}") {
      at++;
      return found;
    }
    for (;;) {
      if (text[at] !== '"') wrong("Expecting property name enclosed in double quotes");
      const key = string();
      blanks();
      if (text[at] !== ":") wrong("Expecting ':' delimiter");
      at++;
      blanks();
      found.set(key, value(depth + 1));
      blanks();
      if (text[at++] === "}") return found;
      if (text[at - 1] !== ",") wrong("Expecting ',' delimiter", at - 1);
      blanks();
    }
  };
  const value = (depth) => {
    if (depth > DEEPEST) throw new Deep();
    if (text[at] === '"') return string();
    if (text[at] === "[") return list(depth);
    if (text[at] === "{") return object(depth);
    for (const [word, meant] of WORDS) {
      if (text.startsWith(word, at)) {
        at += word.length;
        return meant;
      }
    }
    NUMBER.lastIndex = at;
    const [digits, fraction, power] = NUMBER.exec(text) ?? wrong("Expecting value");
    at += digits.length;
    if (fraction || power) return new Real(Number(digits));
    if (digits.length > LONGEST_NUMBER) throw tooLong(digits.length);
    return digits === "-0" ? 0 : toWhole(digits);
  };
  if (text.startsWith("\ufeff")) wrong("Unexpected UTF-8 BOM (decode using utf-8-sig)");
  blanks();
  const document = value(1);
  blanks();
  if (at < text.length) wrong("Extra data");
  return document;
}

// the document of a text
function load(text, context) {
  if (times(text, "{") + times(text, "[") > MOST_CONTAINERS || times(text, ",") + times(text, ":") > MOST_VALUES) throw context.limit("jsonfile.values");
  let document;
  try {
    document = parse(text, (n) => context.refused("jsonfile.digits", { n }));
  } catch (error) {
    if (error instanceof Deep) throw tooDeep(context);
    if (!(error instanceof Wrong)) throw error;
    const before = text.slice(0, error.at);
    const column = Array.from(before.slice(before.lastIndexOf("\n") + 1)).length + 1;
    throw context.refused("jsonfile.invalid", { reason: error.message, column }, times(before, "\n") + 1);
  }
  if (depthOf(document, context.limits.depth) > context.limits.depth) throw tooDeep(context);
  return document;
}

const tooDeep = (context) => context.limit("jsonfile.depth", { n: context.limits.depth });

// how deep lists and objects are nested, counted no further than `most` + 1
function depthOf(value, most) {
  let level = 0;
  for (let layer = [value]; layer.length && level <= most; level++) {
    layer = layer.flatMap((item) => (isObject(item) ? [...item.values()] : isList(item) ? item : []).filter((inner) => isObject(inner) || isList(inner)));
  }
  return level;
}

// the graphs of a JSON document; dialects: {refuse(document, context), read(document, context, name)}, null where none knows it
export const read = (text, context, dialects) => graphsOf(load(text, context), context, context.stem, dialects);

function graphsOf(document, context, name, dialects) {
  dialects.refuse(document, context);
  const graph = dialects.read(document, context, name);
  if (graph) return [graph];
  const items = isObject(document) ? ["graphs", "networks"].map((key) => document.get(key)).find(isList) : document;
  if (isList(items) && items.length && items.every(isObject)) {
    checkCount(items.length, context);
    return items.flatMap((item, k) => graphsOf(item, context, `${name} ${k + 1}`, dialects));
  }
  if (isList(document)) throw context.refused("jsonfile.list");
  if (!isObject(document)) throw context.refused("jsonfile.neither");
  const keys = [...document.keys()].slice(0, 6).map((key) => Array.from(key).slice(0, 30).join(""));
  throw context.refused("jsonfile.keys", { keys: keys.join(", ") || context.said("jsonfile.nothing") });
}

function checkCount(count, context) {
  if (count > context.limits.graphs) throw context.limit("jsonfile.graphs", { n: context.limits.graphs });
}

// whether the first line is JSON and whole, and another begins below it
export function sniffLines(text) {
  const lines = text.slice(0, LONGEST_LINE).split("\n").slice(0, 20).filter((line) => strip(line)).slice(0, 2);
  if (lines.length < 2 || !lines.every((line) => "{[".includes(strip(line)[0]))) return false;
  try {
    parse(lines[0], () => new Wrong());
    return true;
  } catch (error) {
    if (!(error instanceof Wrong || error instanceof Deep)) throw error;
    return false;
  }
}

// One graph of lines that are edges or Neo4j's, else the graphs of each line, each a graph or the error that says why it is none.
export function readLines(text, context, dialects) {
  const documents = [];
  linesOf(text).forEach((line, at) => {
    if (!strip(line)) return;
    try {
      documents.push([at + 1, load(line, context)]);
    } catch (error) {
      if (!(error instanceof ReadError)) throw error;
      const said = context.said("jsonlines.line", { line: at + 1, message: error.message });
      throw new error.constructor(said, at + 1);
    }
  });
  const items = documents.map(([, document]) => document);
  const whole = items.every((item) => isList(item) && item.length && isList(item[0])) ? null : dialects.readLines(items, context, context.stem);
  if (whole) return [whole];
  checkCount(items.length, context);
  return documents.flatMap(([line, document], k) => {
    try {
      return graphsOf(document, context, `${context.stem} ${k + 1}`, dialects);
    } catch (error) {
      if (!(error instanceof ReadError) || error instanceof LimitError) throw error;
      return [new ReadError(error.message, line)];
    }
  });
}
