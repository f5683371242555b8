// Values and lines of text files as Python reads and writes them (mivspool/graphs/text.py). A decimal is a Real, so that 1.0 and
// 1 stay apart; a whole number is a number, or a BigInt where that would round it; an object of JSON is a Map.

// what Python takes for blank
export const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const IS_BLANK = new RegExp(`^[${BLANK}]$`);
const GAP = new RegExp(`[${BLANK}]+`);
const INTEGER = /^-?(0|[1-9]\d{0,17})$/;
const FLOAT = /^[-+]?(\d{1,300}\.?\d{0,300}|\.\d{1,300})([eE][-+]?\d{1,4})?$/;
const GROUPED_COMMA = /^[-+]?\d{1,3}(\.\d{3}){1,100},\d{1,300}$/;
const GROUPED_POINT = /^[-+]?\d{1,3}(,\d{3}){1,100}\.\d{1,300}$/;
const TEXTS = new Set(["string", "str", "text", "anyuri", "char", "character", "date", "datetime", "liststring"]);
const TRUTHS = new Set(["boolean", "bool"]);
const WHOLES = new Set(["integer", "int", "long", "short", "byte", "biginteger"]);
const DECIMALS = new Set(["float", "double", "real", "bigdecimal"]);
const TRUE = new Set(["true", "1", "yes", "t", "y"]);
const FALSE = new Set(["false", "0", "no", "f", "n"]);
const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}\p{Zs}]/gu; // what Python writes as an escape
const SHORT = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };
export const MISSING = new Set(["", "nan", "na", "n/a", "null", "none", "-", "?"]);
const LONGEST_SHOWN = 40;
const LONGEST_MESSAGE = 1000;

export class Real {
  constructor(value) {
    this.value = value;
  }
}

export const isBlank = (c) => IS_BLANK.test(c);
export const isSpace = (text) => text !== "" && strip(text) === "";
export const words = (text) => text.split(GAP).filter(Boolean);
export const isObject = (value) => value instanceof Map;
// whole numbers, and truth values, which are such in Python
export const isWhole = (value) => ["number", "bigint", "boolean"].includes(typeof value);

export function strip(text) {
  let [a, b] = [0, text.length];
  while (a < b && isBlank(text[a])) a++;
  while (b > a && isBlank(text[b - 1])) b--;
  return text.slice(a, b);
}

// how often one text stands in another, from one place to another
export function times(text, part, from = 0, to = text.length) {
  let count = 0;
  for (let at = text.indexOf(part, from); at >= 0 && at < to; at = text.indexOf(part, at + part.length)) count++;
  return count;
}

export const linesOf = (text) => text.replace(/\r\n?/g, "\n").split("\n");

// the most frequent of some values, the first of those that are equally frequent
export function commonest(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

export function toWhole(digits) {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits.replace("+", ""));
}

export function infer(text) {
  if (INTEGER.test(text)) return text === "-0" ? text : toWhole(text);
  if (FLOAT.test(text) && !/^0\d/.test(text) && !/^[-+]*\d+$/.test(text)) {
    const value = Number(text);
    if (Number.isFinite(value)) return new Real(value);
  }
  return text;
}

// a finite number, else null
export function number(given, comma = false) {
  const value = given instanceof Real ? given.value : given;
  if (isWhole(value)) return Number.isFinite(Number(value)) ? Number(value) : null;
  if (typeof value !== "string") return null;
  let plain = strip(value);
  if (plain.includes(",")) {
    if (comma && !plain.includes(".")) plain = plain.replace(",", ".");
    else if (comma && GROUPED_COMMA.test(plain)) plain = plain.replaceAll(".", "").replace(",", ".");
    else if (GROUPED_POINT.test(plain)) plain = plain.replaceAll(",", "");
  }
  return FLOAT.test(plain) && Number.isFinite(Number(plain)) ? Number(plain) : null;
}

export function boolean(text) {
  const plain = strip(text).toLowerCase();
  return TRUE.has(plain) ? true : FALSE.has(plain) ? false : null;
}

// A text as a declared type, inferred without one. Throws "type" for a type that is not known, "value" where it is not of it.
export function typed(text, declared) {
  const kind = strip(declared ?? "").toLowerCase();
  const plain = strip(text);
  if (!kind) return plain ? infer(plain) : text;
  if (TEXTS.has(kind)) return text;
  if (TRUTHS.has(kind)) {
    const truth = boolean(text);
    if (truth === null) throw "value";
    return truth;
  }
  if (!WHOLES.has(kind) && !DECIMALS.has(kind)) throw "type";
  if (MISSING.has(plain.toLowerCase())) return null;
  const value = number(plain);
  if (value === null) throw "value";
  if (!WHOLES.has(kind) || !Number.isInteger(value)) return new Real(value);
  return /^[-+]*\d+$/.test(plain) ? toWhole(plain) : toWhole(BigInt(value).toString());
}

export const readable = (text) => text.replace(/\p{Cs}/gu, "?");

// an attribute value: text, number, truth value or null; lists and objects become JSON text
export function plain(value) {
  if (value === null || value === undefined) return null;
  if (isWhole(value)) return value;
  if (typeof value === "string") return readable(value);
  if (!(value instanceof Real)) return readable(dumps(value));
  if (Number.isNaN(value.value)) return null;
  return Number.isFinite(value.value) ? value : value.value > 0 ? "inf" : "-inf";
}

// the same as a page's scripts take it
export function bare(value) {
  if (value instanceof Real) return value.value;
  return typeof value === "bigint" ? String(value) : value;
}

// a decimal as Python writes it
export function spelled(value) {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "nan" : value > 0 ? "inf" : "-inf";
  if (Object.is(value, -0)) return "-0.0";
  const [digits, power] = value.toExponential().split("e");
  if (power < -4 || power >= 16) return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

// json.dumps
export function dumps(value) {
  if (typeof value === "string") return `"${value.replace(/["\\\x00-\x1f]/g, (c) => JSON.stringify(c).slice(1, -1))}"`;
  if (value instanceof Real) return spelled(value.value).replace("inf", "Infinity").replace("nan", "NaN");
  if (Array.isArray(value)) return `[${value.map(dumps).join(", ")}]`;
  if (isObject(value)) return `{${[...value].map(([key, item]) => `${dumps(key)}: ${dumps(item)}`).join(", ")}}`;
  return String(value);
}

// repr
export function quoted(value) {
  if (Array.isArray(value)) return `[${value.map(quoted).join(", ")}]`;
  if (isObject(value)) return `{${[...value].map((pair) => pair.map(quoted).join(": ")).join(", ")}}`;
  if (typeof value !== "string") return str(value);
  const mark = value.includes("'") && !value.includes('"') ? '"' : "'";
  const escaped = value.replaceAll("\\", "\\\\").replaceAll(mark, `\\${mark}`);
  return mark + escaped.replace(HIDDEN, (c) => (c === " " ? c : escape(c))) + mark;
}

function escape(c) {
  const code = c.codePointAt(0);
  const hex = (digits) => code.toString(16).padStart(digits, "0");
  return SHORT[c] ?? (code < 256 ? `\\x${hex(2)}` : code < 65536 ? `\\u${hex(4)}` : `\\U${hex(8)}`);
}

export function str(value) {
  if (typeof value === "string") return value;
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (value instanceof Real) return spelled(value.value);
  return typeof value === "object" ? quoted(value) : String(value);
}

// so many characters of a text, the last one … where it is longer
export function cut(text, most) {
  if (text.length <= most) return text;
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}

// a piece of the file in a sentence
export const shown = (value, most = LONGEST_SHOWN) => quoted(cut(str(value), most));

// a message as one line of bounded length (mivspool/errors.py)
export const oneLine = (message) =>
  cut(message, LONGEST_MESSAGE)
    .replace(/\r?\n/g, " ")
    .replace(/[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]|\p{Cs}/gu, escape);

// What Python's ast.literal_eval makes of a text; undefined where it is no literal.
export function literal(text) {
  let at = 0;
  const blanks = () => {
    while (" \t\n\r\f".includes(text[at] || "x")) at++;
  };
  const wrong = () => {
    throw new SyntaxError();
  };
  const items = (close, item) => {
    const found = [];
    for (at++, blanks(); text[at] !== close; blanks()) {
      found.push(item());
      blanks();
      if (text[at] === ",") at++;
      else if (text[at] !== close) wrong();
    }
    at++;
    return found;
  };
  const value = () => {
    blanks();
    const c = text[at];
    if (c === "[") return items("]", value);
    if (c === "(") return items(")", value);
    if (c === "{") return new Map(items("}", pair));
    if (c === "'" || c === '"') return string(c);
    const [, written] = /^([-+]?[\w.]+(?:(?<=[\d.]e)[-+]\d+)?)/i.exec(text.slice(at, at + 400)) ?? wrong();
    at += written.length;
    const word = written.replace(/(?<=\d)_(?=\d)/g, "");
    if (word in { True: 1, False: 1, None: 1 }) return { True: true, False: false, None: null }[word];
    if (/^[-+]?(0+|[1-9]\d*)$/.test(word)) return toWhole(word);
    return FLOAT.test(word) && /[.e]/i.test(word) ? new Real(Number(word)) : wrong();
  };
  const pair = () => {
    const key = value();
    blanks();
    if (text[at++] !== ":") wrong();
    return [str(key), value()];
  };
  const string = (mark) => {
    const [whole, inner] = new RegExp(`^${mark}((?:[^${mark}\\\\\\n]|\\\\[^])*)${mark}`).exec(text.slice(at)) ?? wrong();
    at += whole.length;
    return inner.replace(/\\(x[\da-f]{2}|u[\da-f]{4}|\n|[^])/gi, (all, c) => {
      if (c.length > 1) return String.fromCharCode(parseInt(c.slice(1), 16));
      return { "\\": "\\", "'": "'", '"': '"', n: "\n", r: "\r", t: "\t", b: "\b", f: "\f", v: "\v", a: "\x07", 0: "\0", "\n": "" }[c] ?? all;
    });
  };
  try {
    const found = value();
    blanks();
    return at === text.length ? found : undefined;
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return undefined;
  }
}
