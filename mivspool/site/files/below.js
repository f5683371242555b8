// What stands below the canvas: the checks and measures of a level, S, and the selected vertex's cluster.
import { blockOf, columnsOf, membersOf, rowOf } from "canvas/model/clusters.js";
import { fillText } from "canvas/model/text.js";
import { element } from "canvas/panels/element.js";

const MOST_ROWS = 40; // of S
const MOST_COLUMNS = 24;
const MOST_LISTED = 12;
const MOST_FEATURES = 6;

const number = (value) => (Number.isInteger(value) ? String(value) : value.toFixed(2));
const named = (text) => element("bdi", {}, text);

// rows: {cells, class}
function table(head, rows, attributes = {}) {
  const cells = (tag, row) => row.map((cell) => element(tag, tag === "th" ? { scope: "col" } : {}, cell));
  const body = rows.map(({ cells: row, ...more }) => {
    const [first, ...rest] = row;
    return element("tr", more, element("th", { scope: "row" }, first), ...cells("td", rest));
  });
  const top = head ? [element("thead", {}, element("tr", {}, ...cells("th", head)))] : [];
  return element("div", { class: "wide", tabindex: "0" }, element("table", attributes, ...top, element("tbody", {}, ...body)));
}

function badges({ checks, metrics, trace }, words) {
  const { kept } = columnsOf(trace);
  const two = (value) => value.toFixed(2);
  const items = [
    [checks.independent ? words.independent : words.not_independent, checks.independent ? "yes" : "no"],
    [checks.maximal ? words.maximal : words.not_maximal, checks.maximal ? "yes" : "no"],
    [fillText(words.ratio, { n: trace.ids.length, kept: kept.length, ratio: two(metrics.ratio) }), ""],
    [fillText(words.mean_degree, { before: two(metrics.mean_degree_before), after: two(metrics.mean_degree_after) }), ""],
    [fillText(words.components, { before: metrics.components_before, after: metrics.components_after }), ""],
  ];
  return element("ul", { class: "badges" }, ...items.map(([text, kind]) => element("li", { class: kind }, text)));
}

function assignment({ trace }, vertex, words) {
  const n = trace.ids.length;
  const { kept, column } = columnsOf(trace);
  const title = element("h2", {}, fillText(words.S, { n, kept: kept.length }));
  if (n > MOST_ROWS || kept.length > MOST_COLUMNS) return [title, element("p", {}, fillText(words.S_large, { n }))];
  const rows = trace.ids.map((id, v) => ({
    cells: [named(id), ...kept.map((_, c) => (column[v] === c ? element("b", {}, "1") : "0"))],
    class: v === vertex ? "selected" : "",
  }));
  const head = ["", ...kept.map((v) => named(trace.ids[v]))];
  const shown = table(head, rows, { class: "S" });
  const own = column[vertex] + 2; // the selected vertex's column, after the names
  for (const cell of shown.querySelectorAll(`:is(td, th):nth-child(${own || 0})`)) cell.classList.add("chosen");
  return [title, element("p", {}, words.S_about), shown];
}

function cluster(level, vertex, words) {
  if (vertex < 0) return [];
  const { trace, loops } = level;
  const { kept, column } = columnsOf(trace);
  const home = column[vertex];
  return [
    element("h2", {}, fillText(words.cluster, { survivor: trace.ids[kept[home]] })),
    element("p", {}, words.eq12),
    mean(level, column, home, vertex, words),
    element("p", {}, words.eq3),
    ...reduced(level, column, home, kept),
    edges(level, column, home, kept, words),
  ];
}

// the mean of the members' features
function mean({ trace, features }, column, home, vertex, words) {
  const { members, sum, shares } = membersOf(trace, column, home);
  const columns = features ? features.names.map((_, c) => c).slice(0, MOST_FEATURES) : [];
  const known = members.every((v) => !features || features.values[v]); // nothing is known of a vertex that was added
  const value = (v, c) => (features.values[v] ? number(features.values[v][c]) : words.unknown_value);
  const total = (c) => members.reduce((before, v, i) => before + shares[i] * features.values[v][c], 0);
  const rows = members.slice(0, MOST_LISTED).map((v, i) => ({
    cells: [named(trace.ids[v]), trace.score[v].toFixed(3), shares[i].toFixed(2), ...columns.map((c) => value(v, c))],
    class: v === vertex ? "selected" : "",
  }));
  if (members.length > rows.length) {
    const more = fillText(words.more, { more: members.length - rows.length });
    rows.push({ cells: [more, "", "", ...columns.map(() => "")] });
  }
  const means = columns.map((c) => (known ? number(total(c)) : words.unknown_value));
  rows.push({ cells: ["", sum.toFixed(3), "1", ...means], class: "sum" });
  return table([words.member, words.score, words.share, ...columns.map((c) => named(features.names[c]))], rows);
}

// A′ as a matrix, the row and the column of the cluster lit, where it is small enough to be read
function reduced({ trace, loops }, column, home, kept) {
  if (kept.length > MOST_LISTED) return [];
  const names = kept.map((v) => named(trace.ids[v]));
  const rows = kept.map((v, at) => {
    const found = new Map(rowOf(trace, loops, column, at).map(({ to, weight }) => [to, weight]));
    const cells = kept.map((_, to) => (found.has(to) ? element("b", {}, number(found.get(to))) : "0"));
    return { cells: [named(trace.ids[v]), ...cells], class: at === home ? "selected" : "" };
  });
  const shown = table(["A′", ...names], rows, { class: "S" });
  for (const cell of shown.querySelectorAll(`:is(td, th):nth-child(${home + 2})`)) cell.classList.add("chosen");
  return [shown];
}

// one entry of SᵀAS, to unfold: the block of A that it sums up, and the sum with its terms
function multiplied({ trace, loops }, column, home, entry, kept, words) {
  const { rows, columns, values } = blockOf(trace, loops, column, home, entry.to);
  if (Math.max(rows.length, columns.length) > MOST_LISTED) return "";
  const names = [home, entry.to].map((c) => trace.ids[kept[c]]);
  const lines = rows.map((u, i) => ({ cells: [named(trace.ids[u]), ...values[i].map((x) => (x ? element("b", {}, number(x)) : "0"))] }));
  const terms = values.flat().map(number).join(" + ");
  return element(
    "details",
    { name: "entry" },
    element("summary", {}, words.multiplied),
    element("p", {}, fillText(words.block, { rows: names[0], columns: names[1] })),
    table(["A", ...columns.map((v) => named(trace.ids[v]))], lines, { class: "S" }),
    element("p", { dir: "auto" }, `A′(${names.join(", ")}) = Σ S(u, ${names[0]}) · A(u, v) · S(v, ${names[1]}) = ${terms} = ${number(entry.weight)}`),
  );
}

// one row of SᵀAS: each entry with the edges that it counts
function edges(level, column, home, kept, words) {
  const { trace, loops } = level;
  const row = rowOf(trace, loops, column, home);
  if (!row.length) return element("p", { class: "quiet" }, words.no_edges);
  const spelled = ([u, v, weight]) => `${trace.ids[u]}–${trace.ids[v]}${weight === 1 ? "" : ` ×${number(weight)}`}`;
  const rows = row.slice(0, MOST_LISTED).map((entry) => {
    const { to, weight, edges: counted } = entry;
    const listed = counted.slice(0, MOST_LISTED).map(spelled).join(", ");
    const rest = counted.length > MOST_LISTED ? `, ${fillText(words.more, { more: counted.length - MOST_LISTED })}` : "";
    const note = to === home ? ` (${words.inside})` : "";
    return { cells: [named(trace.ids[kept[to]]), number(weight), element("span", { dir: "auto" }, listed + rest + note, multiplied(level, column, home, entry, kept, words))] };
  });
  return table(null, rows, { class: "edges" });
}

// level: {trace, loops, features, checks, metrics}; shows: which of the parts
export function below(level, vertex, shows, words) {
  const columns = [];
  if (shows.has("S")) columns.push(element("section", {}, ...assignment(level, vertex, words)));
  if (shows.has("cluster")) columns.push(element("section", {}, ...cluster(level, vertex, words)));
  return [...(shows.has("badges") ? [badges(level, words)] : []), element("div", { class: "halves" }, ...columns)];
}
