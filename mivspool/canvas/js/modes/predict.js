// Predict: the reader says which candidates will survive, then what is assigned to what, and what the reduced graph connects;
// sees what was right, and why. What is
// chosen and what it was worth is model/predict.js.
import { asking, questionOf } from "../model/predict.js";
import { explain } from "../model/sentences.js";
import { changed } from "../model/store.js";
import { fill, fillText } from "../model/text.js";
import { why } from "../model/why.js";
import { element, nodes } from "../panels/element.js";
import { kept } from "../panels/kept.js";
import { Steady } from "../panels/steady.js";

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
    this.question = new Steady({ class: "question", role: "status" });
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
    const question = questionOf(state);
    // what is pressed stays where it is: the question keeps its height, and what varies stands below
    this.question.reserve(["survivors", "assignment", "edges"].map((name) => fillText(words[`ask_${name}`], { k: String(trace.T) })));
    if (question) {
      this.question.put(...say(`ask_${question}`, { k: String(step + 1) }));
      this.root.replaceChildren(
        this.question.root,
        element("div", { class: "row" }, this._button(words.check, () => this._advance(), "primary"), tally),
        element("p", {}, ...this._chosen(question, trace, predict, say)),
      );
    } else if (predict.verdict) this.root.replaceChildren(...this._verdict(state, say, tally));
    if (kept) this.root.querySelector("button.primary")?.focus();
  }

  // what is chosen so far
  _chosen(question, trace, { guess, pairs, from }, say) {
    if (question === "assignment") return say("drawn", { n: String(pairs.length), of: trace.survivor.reduce((n, kept) => n - kept, trace.n) });
    if (from >= 0) return say("connecting", { v: { vertex: from } });
    const chosen = question === "edges" ? pairs : [...guess].sort((a, b) => trace.rank[a] - trace.rank[b]).map((v) => [v]);
    const list = chosen.flatMap((ends, i) => [...(i ? [", "] : []), ...ends.flatMap((v, e) => (e ? [" – ", { vertex: v }] : [{ vertex: v }]))]);
    return list.length ? say("chosen", { list }) : [this.words[`none_${question}`]];
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
  _others({ difficulty }, over) {
    const { words } = this;
    const another = (how) => () => this.store.dispatch({ type: "request", value: { another: how } });
    const kind = over ? "primary" : "";
    if (!difficulty) return [this._button(words.another, another("same"), kind)];
    const same = fillText(words.same, { level: String(difficulty[0]) });
    const harder = difficulty[0] < difficulty[1];
    return [this._button(same, another("same"), kind), ...(harder ? [this._button(words.harder, another("harder"))] : [])];
  }

  // why two clusters are connected in the reduced graph, or not
  _reason(trace, [a, b], name, say) {
    const ends = { a: { vertex: a }, b: { vertex: b } };
    if (name === "wrong") return say("wrong_edge", ends);
    const member = [b, ...trace.members(b)];
    for (const u of [a, ...trace.members(a)]) {
      const v = Array.from(trace.neighbours(u)).find((one) => member.includes(one));
      if (v !== undefined) return say("missed_edge", { ...ends, u: { vertex: u }, v: { vertex: v } });
    }
    throw new RangeError("no edge of the graph lies behind an edge of the reduced graph");
  }

  _verdict({ trace, step, options, predict: { verdict } }, say, tally) {
    const { words } = this;
    const reasons = [...verdict.missed, ...verdict.wrong].slice(0, MOST_REASONS).map((one) => {
      const name = verdict.missed.includes(one) ? "missed" : "wrong";
      if (verdict.question === "edges") return element("li", {}, ...this._reason(trace, one, name, say));
      const [v] = [one].flat();
      const { next } = explain(trace, why(trace, v, verdict.step), this.strings);
      return element("li", {}, ...say(name, { v: { vertex: v } }), " ", ...nodes(next, this.store, "pick"));
    });
    const more = verdict.missed.length + verdict.wrong.length - reasons.length;
    if (more > 0) reasons.push(element("li", { class: "quiet" }, ...say("more", { more: String(more) })));
    const all = verdict.right === verdict.of;
    const values = { right: String(verdict.right), of: String(verdict.of) };
    const done = step >= trace.T; // the iterations
    const over = step >= trace.last;
    const again = this._button(words.again, () => this.store.dispatch({ type: "again" }));
    const goes = words[!done ? "next" : verdict.question === "survivors" ? "next_assignment" : "next_edges"];
    const next = [...(over ? [] : [this._button(goes, () => this._advance(), "primary")]), ...(done ? [...this._others(options, over), again] : [])];
    this.question.put(...say(all ? "all_right" : "some_right", values));
    return [
      this.question.root,
      element("div", { class: "row" }, ...next, tally),
      element("ul", {}, ...reasons),
      ...(done && verdict.question === "survivors" ? [element("p", {}, words.done)] : []),
    ];
  }
}
