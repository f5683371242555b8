// The picture of the graph as a table, for those who do not see it and those who want its numbers: what the picture says at
// this step and nothing of what is to come. It exists only while it is open.
import { changed } from "../model/store.js";
import { fill } from "../model/text.js";
import { CANDIDATE } from "../model/trace.js";
import { element, nodes } from "./element.js";

const MOST_ROWS = 400;
const MOST_NEIGHBOURS = 24;

export class TablePanel {
  constructor(strings, store) {
    this.strings = strings;
    this.store = store;
    this.words = strings.table;
    this.body = element("div", { class: "scrolls", tabindex: 0, role: "region", "aria-label": this.words.title });
    this.root = element("details", { class: "table" }, element("summary", {}, this.words.title), this.body);
    this.root.addEventListener("toggle", () => this.render(store.state, null));
  }

  render(state, before) {
    if (!changed(state, before, "trace", "step", "part")) return;
    const { trace, step, options } = state;
    this.root.hidden = !trace.n;
    if (!this.root.open) return this.body.replaceChildren();
    const columns = this._columns(options.layout === "still", trace.kinds[step]);
    const head = element("tr", {}, ...columns.map(([name]) => element("th", { scope: "col" }, this.words[name])));
    const rows = [...trace.order.subarray(0, MOST_ROWS)].map((v) =>
      element("tr", {}, ...columns.map(([, cell], i) => element(i ? "td" : "th", i ? {} : { scope: "row" }, ...cell(v)))),
    );
    const more = trace.n - rows.length;
    if (more > 0) {
      const text = fill(this.words.more, { more: String(more) });
      rows.push(element("tr", {}, element("td", { colspan: columns.length }, ...text)));
    }
    const caption = element("caption", {}, ...fill(this.words.caption, { n: String(trace.n), m: String(trace.edges.length / 2) }));
    this.body.replaceChildren(element("table", {}, caption, element("thead", {}, head), element("tbody", {}, ...rows)));
  }

  // [name, vertex → what the cell holds]
  _columns(still, kind) {
    const { trace, step, part } = this.store.state;
    const point = (v) => nodes([{ vertex: v }], this.store);
    const beside = (v) => {
      const near = [...trace.neighbours(v)].sort((a, b) => trace.rank[a] - trace.rank[b]);
      const parts = near.slice(0, MOST_NEIGHBOURS).flatMap((u, i) => (i ? [", ", trace.ids[u]] : [trace.ids[u]]));
      if (near.length > MOST_NEIGHBOURS) parts.push(`, … ${near.length - MOST_NEIGHBOURS}`);
      return parts;
    };
    const columns = [["vertex", point]];
    if (trace.labels) columns.push(["label", (v) => [trace.labels[v]]]);
    if (trace.size) columns.push(["size", (v) => [String(trace.size[v])]]);
    if (!still) {
      columns.push(["score", (v) => [trace.scoreText(trace.score[v])]]);
      columns.push(["state", (v) => [this.strings.states[trace.state(v, step, part)]]]);
      const since = (v) => (trace.state(v, step, part) === CANDIDATE ? "" : String(trace.settled[v]));
      columns.push(["since", (v) => [since(v)]]);
      if (kind === "assign" || kind === "pool") columns.push(["cluster", (v) => [trace.ids[trace.cluster[v]]]]);
    }
    columns.push(["neighbours", beside]);
    return columns;
  }
}
