// What a person reads, as parts: text, or {vertex} to point at. Templates are filled here, and scores written.

// Scores as text: two decimals, more only where two of them would look the same and are not.
export function scoreTexts(values) {
  if (values.every(Number.isInteger)) return values.map(String);
  for (let digits = 2; digits < 7; digits++) {
    const texts = values.map((x) => x.toFixed(digits));
    const clash = values.some((x, i) => values.some((y, j) => j < i && x !== y && texts[i] === texts[j]));
    if (!clash || digits === 6) return texts;
  }
  return values.map(String);
}

// A number with so many decimals as Python's format writes it: half goes to the even digit, where toFixed takes the larger.
export function fixed(value, digits) {
  const text = value.toFixed(digits);
  const [, rest] = value.toFixed(digits + 30).split(".");
  const half = /^50*$/.test(rest.slice(digits));
  if (!half || Number(text.at(-1)) % 2 === 0) return text;
  return (value - Math.sign(value) * 10 ** -digits / 2).toFixed(digits);
}

const MOST_DECIMALS = 6;
const MOST_TOLD_APART = 20000; // edges of a graph whose neighbours' numbers are told apart

// Scores of one graph as text: whole numbers as they are, else as many decimals, from two on, as tell neighbours apart.
export function scoreFormat(trace) {
  const { score, edges } = trace;
  if (score.every(Number.isInteger)) return String;
  const pairs = [];
  for (let e = 0; e < edges.length && edges.length < 2 * MOST_TOLD_APART; e += 2) {
    if (!trace.tied(edges[e], edges[e + 1])) pairs.push([score[edges[e]], score[edges[e + 1]]]);
  }
  for (let digits = 2; digits < MOST_DECIMALS; digits++) {
    if (pairs.every(([a, b]) => a.toFixed(digits) !== b.toFixed(digits))) return (x) => x.toFixed(digits);
  }
  return (x) => x.toFixed(MOST_DECIMALS);
}

// The same beside a vertex of the graph, where there is little room: two to four decimals, by how far apart they lie.
export function shortFormat({ n, score, order }) {
  if (score.every(Number.isInteger)) return String;
  const most = score[order[0]];
  if (most >= 100) return (x) => x.toFixed(0);
  const spread = most - score[order[n - 1]];
  const digits = spread > 0.1 || spread === 0 ? 2 : spread > 0.01 ? 3 : 4;
  return (x) => x.toFixed(digits);
}

// a number by a format of Python's: {n:,}, {size:,.1f} or {change:+.1f}
function formatted(value, format) {
  const digits = /\.(\d)f/.exec(format)?.[1];
  const options = digits ? { minimumFractionDigits: digits, maximumFractionDigits: digits } : {};
  const text = Math.abs(value).toLocaleString("en", { ...options, useGrouping: format.includes(",") });
  return `${value < 0 ? "−" : format.startsWith("+") ? "+" : ""}${text}`;
}

// Fill a template. The result is a list of parts: text, or {vertex} to point at. Values may be text, numbers (written
// as words up to twelve where `words` has them), {vertex}, or a list of such parts.
export function fill(template, values, words) {
  const parts = [];
  const text = (s) => {
    if (!s) return;
    if (typeof parts[parts.length - 1] === "string") parts[parts.length - 1] += s;
    else parts.push(s);
  };
  const put = (value) => {
    if (Array.isArray(value)) value.forEach(put);
    else if (value && typeof value === "object") parts.push(value);
    else if (typeof value === "number") text(words && words[value] !== undefined ? words[value] : String(value));
    else text(String(value));
  };
  let i = 0;
  while (i < template.length) {
    const open = template.indexOf("{", i);
    if (open < 0) {
      text(template.slice(i));
      break;
    }
    text(template.slice(i, open));
    let depth = 1;
    let end = open + 1;
    while (end < template.length && depth) {
      if (template[end] === "{") depth++;
      if (template[end] === "}") depth--;
      end++;
    }
    const inside = template.slice(open + 1, end - 1);
    const ask = inside.indexOf("?");
    if (ask >= 0) {
      const bar = inside.indexOf("|", ask);
      const one = String(values[inside.slice(0, ask)]) === "1";
      put(fill(one ? inside.slice(ask + 1, bar) : inside.slice(bar + 1), values, words));
    } else {
      const [name, format] = inside.split(":");
      const value = values[name];
      put(format && typeof value === "number" ? formatted(value, format) : value);
    }
    i = end;
  }
  return parts;
}

// The same as one string, of values without a {vertex}.
export const fillText = (template, values, words) => fill(template, values, words).join("");

export const MOST_LISTED = 6; // neighbours that a sentence lists

// "3 (0.51), 9 (0.20) and 4 more": parts
export function list(trace, vertices, strings, withScore = true) {
  const shown = vertices.slice(0, MOST_LISTED);
  const more = vertices.length - shown.length;
  const texts = scoreTexts(shown.map((u) => trace.score[u]));
  const parts = [];
  shown.forEach((u, i) => {
    if (i) parts.push(i === shown.length - 1 && !more ? ` ${strings.and} ` : ", ");
    parts.push({ vertex: u });
    if (withScore) parts.push(` (${texts[i]})`);
  });
  if (more) parts.push(" ", ...fill(strings.more, { more: String(more) }));
  return parts;
}

export function shorten(text, most) {
  const letters = Array.from(text);
  return letters.length <= most ? text : `${letters.slice(0, most - 1).join("")}…`;
}
