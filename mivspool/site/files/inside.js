// The network opened at a vertex: features as strips, neighbours, views, readout and MLP, with their numbers, as the app shows them
// (app/components/inside.py). layers: what canvas/js/model/inside.js gives; words: shared.LAYER_VALUES.
import { fillText, fixed } from "canvas/model/text.js";
import { element } from "canvas/panels/element.js";

const MOST_LISTED = 12; // neighbours or members of a cluster
const MOST_VERTICES = 6; // that are named beside a readout's maxima

const heading = (text) => element("h4", {}, text);
const signed = (value) => fixed(value, 4).replace("-", "−");

// values as cells in a row: as dark as they are large, of the accent above 0 and of grey below
function strip(label, values, words) {
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const cells = values.map((value, k) => {
    const cell = element("i", { class: value >= 0 ? "up" : "down", title: `${k}: ${signed(value)}` });
    cell.style.setProperty("--size", (Math.abs(value) / largest).toFixed(3));
    return cell;
  });
  const [low, high] = [Math.min, Math.max].map((most) => signed(values.reduce((a, b) => most(a, b), values[0] ?? 0)));
  const said = fillText(words.strip, { label, n: values.length.toLocaleString("en"), low, high });
  return [element("p", { class: "mp-strip-name" }, said), element("div", { class: "mp-strip", role: "img", "aria-label": said }, ...cells)];
}

// vertices with what stands beside each, the first few
function named(label, pairs, most, beside, more) {
  const shown = pairs.slice(0, most).flatMap(([vertex, value], k) => [k ? ", " : " ", element("bdi", {}, vertex), beside(value)]);
  return element("p", {}, label, ...shown, pairs.length > most ? fillText(more, { n: pairs.length - most }) : "");
}

function pooling(layer, vertex, words, more) {
  const rows = layer.views.map(({ name, ...view }) => {
    const numbers = [view.value, view.largest, view.scaled, view.weight, view.weight * view.scaled];
    return element("tr", {}, element("th", { scope: "row" }, words.views[name]), ...numbers.map((value) => element("td", {}, fixed(value, 4))));
  });
  const head = element("tr", {}, ...words.view_columns.map((name) => element("th", { scope: "col" }, name)));
  const total = layer.views.reduce((sum, { weight, scaled }) => sum + weight * scaled, 0);
  const members = layer.members.map((one) => [one.vertex, one.factor]);
  return [
    heading(fillText(words.pooling, { vertex })),
    element("div", { class: "mp-scroll", tabindex: "0", role: "group", "aria-label": fillText(words.pooling, { vertex }) }, element("table", { class: "mp-table" }, element("thead", {}, head), element("tbody", {}, ...rows))),
    element("p", {}, fillText(words.score, { total: fixed(total, 4), score: fixed(layer.score, 4) })),
    heaviest(fillText(words.members, { next: layer.next }), members, more),
    ...strip(words.after_pooling, layer.after, words),
  ];
}

const heaviest = (label, pairs, more) => named(label, [...pairs].sort((a, b) => b[1] - a[1]), MOST_LISTED, (weight) => ` × ${fixed(weight, 4)}`, more);

function maxima(vertices, words, more) {
  const counts = new Map();
  for (const vertex of vertices) counts.set(vertex, (counts.get(vertex) ?? 0) + 1);
  return named(words.maxima, [...counts].sort((a, b) => b[1] - a[1]), MOST_VERTICES, (n) => ` (${n})`, more);
}

// one layer; titles: what the logits are of; more: "and {n} more"
export function shownLayer(layer, words, titles, more) {
  const { kind, name } = layer;
  const vertex = fillText(words.vertex, { id: layer.vertex ?? "" });
  const own = (label, values) => strip(label, values, words);
  if (kind === "convolution") {
    const near = layer.neighbours.map((one) => [one.vertex, one.weight]);
    return [heading(fillText(words.convolution, { name: name.toUpperCase(), vertex })), ...own(words.before, layer.before), heaviest(words.neighbours, near, more), ...own(words.after, layer.after)];
  }
  if (kind === "normalisation") return [heading(layer.value ? words.normalisation : fillText(words.normalisation_of, { vertex })), ...own(words.after, layer.value ?? layer.after)];
  if (kind === "pooling") return pooling(layer, vertex, words, more);
  if (kind === "readout") {
    const parts = ["mean", "maximum", "sum"].filter((part) => layer[part]).flatMap((part) => own(words[part], layer[part]));
    return [heading(fillText(words.readout, { name })), ...parts, ...(layer.maximum_vertex ? [maxima(layer.maximum_vertex, words, more)] : [])];
  }
  if (kind === "join") return [heading(fillText(words.join, { name: words.joined[name] })), ...own("", layer.value)];
  const logits = titles.map((title, k) => element("li", {}, fillText(words.logit, { title, logit: signed(layer.logits[k]), share: fixed(layer.probabilities[k], 4) })));
  return [heading(words.mlp), ...layer.steps.slice(0, -1).flatMap((step) => own(words.steps[step.name], step.value)), element("p", {}, words.logits), element("ul", {}, ...logits)];
}
