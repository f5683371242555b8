// Predict: before each iteration the reader says which candidates will survive; then sees what was right, and why.
import { explain } from "../model/sentences.js";
import { fill, fillText } from "../model/text.js";
import { CANDIDATE } from "../model/trace.js";
import { why } from "../model/why.js";
import { element, nodes } from "../panels/element.js";

const MOST_REASONS = 5; // mistakes that are explained
const KEPT = "mivspool:tally";

// how many were right in this browser session, over all graphs: a reload keeps it
const TALLY = {
  right: 0,
  of: 0,
  load() {
    const [right, of] = (this.store()?.getItem(KEPT) || "").split("/").map(Number);
    if (right >= 0 && of >= right) Object.assign(this, { right, of });
  },
  add(right, of) {
    this.right += right;
    this.of += of;
    this.store()?.setItem(KEPT, `${this.right}/${this.of}`);
  },
  forget() {
    this.right = this.of = 0;
    this.store()?.removeItem(KEPT);
  },
  // none where the page may keep nothing (a file, a sandboxed frame): then it counts as long as the page is open
  store() {
    try {
      return window.sessionStorage;
    } catch (refused) {
      if (refused.name !== "SecurityError") throw refused;
      return null;
    }
  },
};

// what a guess was worth: the vertices that survive in the next iteration against those that were chosen
export function judge(trace, step, guess) {
  const truth = trace.fresh(step + 1);
  const hits = truth.filter((v) => guess.has(v));
  const missed = truth.filter((v) => !guess.has(v));
  const wrong = [...guess].filter((v) => !truth.includes(v)).sort((a, b) => trace.rank[a] - trace.rank[b]);
  return { hits, missed, wrong, right: hits.length, of: hits.length + missed.length + wrong.length };
}

export class Predict {
  constructor(canvas) {
    this.canvas = canvas;
    this.words = canvas.settings.strings.predict;
    this.on = false;
    this.guess = new Set();
    this.verdict = null; // of the iteration that was guessed last
    this.root = element("section", { class: "predict" });
    this.root.hidden = true;
    TALLY.load();
  }

  // a question is open: clicks choose
  get asking() {
    return this.on && !this.verdict && this.canvas.step < this.canvas.trace.T;
  }

  // another trace, or the mode was switched
  start() {
    const { canvas } = this;
    this.on = canvas.options.mode === "predict" && canvas.trace.n > 0;
    canvas.box.dataset.mode = this.on ? "predict" : "";
    this.root.hidden = !this.on;
    this._ask();
    if (!this.on) return;
    canvas.pause();
    if (canvas.step >= canvas.trace.T) {
      canvas.step = 0;
      canvas.view.setStep(0, false);
    }
  }

  _ask() {
    this.guess = new Set();
    this.verdict = null;
    if (this.canvas.view) this.canvas.view.mark([]);
  }

  toggle(v) {
    const { trace, step } = this.canvas;
    if (v < 0 || trace.state(v, step) !== CANDIDATE) return;
    if (!this.guess.delete(v)) this.guess.add(v);
    this.canvas.view.mark([...this.guess]);
    this.render();
  }

  // the answer, then the next question
  advance() {
    const { canvas } = this;
    if (this.asking) {
      this.before = canvas.step;
      this.verdict = judge(canvas.trace, canvas.step, this.guess);
      TALLY.add(this.verdict.right, this.verdict.of);
      canvas.view.mark([...this.verdict.missed, ...this.verdict.wrong]);
      canvas.goto(canvas.step + 1);
    } else if (canvas.step < canvas.trace.T) {
      this._ask();
      canvas.render();
    }
  }

  again() {
    this._ask();
    this.canvas.goto(0);
    this.canvas.render();
  }

  // true: the key was meant for this, or would give the answer away
  key(event, mine) {
    const acts = { ArrowRight: () => this.advance(), ArrowLeft: () => {}, Home: () => {}, End: () => {}, " ": () => {} };
    if (mine && this.asking) acts[" "] = acts.Enter = () => this.toggle(this.canvas.vertex);
    const act = acts[event.key];
    if (!act) return false;
    event.preventDefault();
    act();
    return true;
  }

  render() {
    if (!this.on) return;
    const { canvas, words } = this;
    const { trace, step } = canvas;
    const put = (parts) => nodes(parts, trace, canvas.on);
    const say = (name, values) => put(fill(words[name], values));
    const button = (label, onclick, kind) => element("button", { type: "button", class: `text ${kind}`, onclick }, label);
    const tally = element("span", { class: "quiet tally" }, ...say("tally", { right: String(TALLY.right), of: String(TALLY.of) }));
    if (TALLY.of) {
      const forget = () => {
        TALLY.forget();
        this.render();
      };
      tally.append(" ", element("button", { type: "button", class: "number", onclick: forget }, words.forget));
    }
    tally.append(...this._difficulty(say));
    const kept = document.activeElement && this.root.contains(this.root.getRootNode().activeElement);
    if (this.asking) {
      const chosen = [...this.guess].sort((a, b) => trace.rank[a] - trace.rank[b]);
      const list = chosen.flatMap((v, i) => (i ? [", ", { vertex: v }] : [{ vertex: v }]));
      this.root.replaceChildren(
        element("p", { class: "question", role: "status" }, ...say("ask", { k: String(step + 1) })),
        element("p", {}, ...(chosen.length ? say("chosen", { list }) : [words.none])),
        element("div", { class: "row" }, button(words.check, () => this.advance(), "primary"), tally),
      );
    } else if (this.verdict) this.root.replaceChildren(...this._verdict(say, put, button, tally));
    if (kept) this.root.querySelector("button.primary")?.focus();
  }

  // how hard this graph is, where the page says it
  _difficulty(say) {
    const { options, trace } = this.canvas;
    if (!options.difficulty) return [];
    const [level, of] = options.difficulty;
    const values = { level: String(level), of: String(of), n: String(trace.n), T: trace.T };
    const attributes = { class: "hard", title: this.words.difficulty_help, tabindex: 0 };
    return [element("span", attributes, ...say("difficulty", values))];
  }

  // what may follow the last iteration
  _others(say, button) {
    const { canvas, words } = this;
    const { difficulty } = canvas.options;
    if (!difficulty) return [button(words.another, () => canvas.another("same"), "primary")];
    const same = fillText(words.same, { level: String(difficulty[0]) });
    const harder = difficulty[0] < difficulty[1];
    return [
      button(same, () => canvas.another("same"), "primary"),
      ...(harder ? [button(words.harder, () => canvas.another("harder"), "")] : []),
    ];
  }

  _verdict(say, put, button, tally) {
    const { canvas, words, verdict } = this;
    const { trace, step } = canvas;
    const reasons = [...verdict.missed, ...verdict.wrong].slice(0, MOST_REASONS).map((v) => {
      const data = why(trace, v, this.before);
      const name = verdict.missed.includes(v) ? "missed" : "wrong";
      const { next } = explain(trace, data, canvas.settings.strings);
      return element("li", {}, ...say(name, { v: { vertex: v } }), " ", ...put(next));
    });
    const more = verdict.missed.length + verdict.wrong.length - reasons.length;
    if (more > 0) reasons.push(element("li", { class: "quiet" }, ...say("more", { more: String(more) })));
    const all = verdict.right === verdict.of;
    const values = { right: String(verdict.right), of: String(verdict.of) };
    const done = step >= trace.T;
    const next = done
      ? [...this._others(say, button), button(words.again, () => this.again(), "")]
      : [button(words.next, () => this.advance(), "primary")];
    return [
      element("p", { class: "question", role: "status" }, ...say(all ? "all_right" : "some_right", values)),
      element("ul", {}, ...reasons),
      ...(done ? [element("p", {}, words.done)] : []),
      element("div", { class: "row" }, ...next, tally),
    ];
  }
}
