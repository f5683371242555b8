// Predict: before each iteration the reader says which candidates will survive; then sees what was right, and why. What is
// chosen and what it was worth is model/predict.js.
import { asking } from "../model/predict.js";
import { explain } from "../model/sentences.js";
import { changed } from "../model/store.js";
import { fill, fillText } from "../model/text.js";
import { why } from "../model/why.js";
import { element, nodes } from "../panels/element.js";
import { kept } from "../panels/kept.js";

const MOST_REASONS = 5; // mistakes that are explained
const KEPT = "mivspool:tally";

// How many were right in this browser session, over all graphs: a reload keeps it. Where the page may keep nothing (a file,
// a sandboxed frame) it counts as long as the page is open.
const TALLY = {
  counted: null,
  load() {
    const [right, of] = (kept("sessionStorage", (store) => store.getItem(KEPT)) || "").split("/").map(Number);
    return right >= 0 && of >= right ? { right, of } : this.counted || { right: 0, of: 0 };
  },
  save({ right, of }) {
    this.counted = { right, of };
    kept("sessionStorage", (store) => (of ? store.setItem(KEPT, `${right}/${of}`) : store.removeItem(KEPT)));
  },
};

export class Predict {
  constructor(store, strings) {
    this.store = store;
    this.strings = strings;
    this.words = strings.predict;
    this.root = element("section", { class: "predict" });
    this.root.hidden = true;
    store.dispatch({ type: "tally", ...TALLY.load() });
  }

  // true: the key was meant for this, or would give the answer away; focused: the graph has the focus
  key(event, focused) {
    const { store } = this;
    const { state } = store;
    if (!state.predict.on || (event.shiftKey && event.key.startsWith("Arrow"))) return false;
    const acts = { ArrowRight: () => this._advance(), ArrowLeft: () => {}, Home: () => {}, End: () => {}, " ": () => {} };
    if (focused && asking(state)) acts[" "] = acts.Enter = () => store.dispatch({ type: "guess", vertex: state.vertex });
    const act = acts[event.key];
    if (!act) return false;
    event.preventDefault();
    act();
    return true;
  }

  _advance() {
    this.store.dispatch({ type: "answer" });
  }

  render(state, before) {
    if (before && changed(state, before, "tally")) TALLY.save(state.tally);
    this.root.hidden = !state.predict.on;
    if (!state.predict.on || !changed(state, before, "predict", "tally", "trace", "step", "options")) return;
    const { words } = this;
    const { trace, step, predict, tally: counted } = state;
    const say = (name, values) => nodes(fill(words[name], values), this.store, "pick");
    const tally = element("span", { class: "quiet tally" }, ...say("tally", { right: String(counted.right), of: String(counted.of) }));
    if (counted.of) {
      const forget = () => this.store.dispatch({ type: "tally", right: 0, of: 0 });
      tally.append(" ", element("button", { type: "button", class: "number", onclick: forget }, words.forget));
    }
    tally.append(...this._difficulty(state, say));
    const kept = document.activeElement && this.root.contains(this.root.getRootNode().activeElement);
    if (asking(state)) {
      const chosen = [...predict.guess].sort((a, b) => trace.rank[a] - trace.rank[b]);
      const list = chosen.flatMap((v, i) => (i ? [", ", { vertex: v }] : [{ vertex: v }]));
      this.root.replaceChildren(
        element("p", { class: "question", role: "status" }, ...say("ask", { k: String(step + 1) })),
        element("p", {}, ...(chosen.length ? say("chosen", { list }) : [words.none])),
        element("div", { class: "row" }, this._button(words.check, () => this._advance(), "primary"), tally),
      );
    } else if (predict.verdict) this.root.replaceChildren(...this._verdict(state, say, tally));
    if (kept) this.root.querySelector("button.primary")?.focus();
  }

  _button(label, onclick, kind = "") {
    return element("button", { type: "button", class: `text ${kind}`, onclick }, label);
  }

  // how hard this graph is, where the page says it
  _difficulty({ options, trace }, say) {
    if (!options.difficulty) return [];
    const [level, of] = options.difficulty;
    const values = { level: String(level), of: String(of), n: String(trace.n), T: trace.T };
    const attributes = { class: "hard", title: this.words.difficulty_help, tabindex: 0 };
    return [element("span", attributes, ...say("difficulty", values))];
  }

  // what may follow the last iteration
  _others({ difficulty }) {
    const { words } = this;
    const another = (how) => () => this.store.dispatch({ type: "request", value: { another: how } });
    if (!difficulty) return [this._button(words.another, another("same"), "primary")];
    const same = fillText(words.same, { level: String(difficulty[0]) });
    const harder = difficulty[0] < difficulty[1];
    return [this._button(same, another("same"), "primary"), ...(harder ? [this._button(words.harder, another("harder"))] : [])];
  }

  _verdict({ trace, step, options, predict: { verdict } }, say, tally) {
    const { words } = this;
    const reasons = [...verdict.missed, ...verdict.wrong].slice(0, MOST_REASONS).map((v) => {
      const data = why(trace, v, verdict.step);
      const name = verdict.missed.includes(v) ? "missed" : "wrong";
      const { next } = explain(trace, data, this.strings);
      return element("li", {}, ...say(name, { v: { vertex: v } }), " ", ...nodes(next, this.store, "pick"));
    });
    const more = verdict.missed.length + verdict.wrong.length - reasons.length;
    if (more > 0) reasons.push(element("li", { class: "quiet" }, ...say("more", { more: String(more) })));
    const all = verdict.right === verdict.of;
    const values = { right: String(verdict.right), of: String(verdict.of) };
    const done = step >= trace.T;
    const again = this._button(words.again, () => this.store.dispatch({ type: "again" }));
    const next = done ? [...this._others(options), again] : [this._button(words.next, () => this._advance(), "primary")];
    return [
      element("p", { class: "question", role: "status" }, ...say(all ? "all_right" : "some_right", values)),
      element("ul", {}, ...reasons),
      ...(done ? [element("p", {}, words.done)] : []),
      element("div", { class: "row" }, ...next, tally),
    ];
  }
}
