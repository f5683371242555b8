// Why a vertex is what it is at a step: first data (the same as mivspool.meer.why), then sentences from templates.
import { CANDIDATE, STRUCK, SURVIVOR } from "./trace.js";

// Data only. rival: best candidate neighbour before the update that settles v (or the next one while it is a
// candidate); struckBy: the best survivor that struck it out; -1 where there is none.
export function why(trace, v, step) {
  const k = trace.iteration(step);
  const settled = trace.settled[v];
  const before = Math.min(k, settled - 1);
  const open = (u) => trace.settled[u] > before;
  const rival = trace.bestNeighbour(v, open);
  const walks = trace.survivor[v] && !trace.added[v]; // survives by the iterations
  const survivedBy = (u) => trace.survivor[u] && !trace.added[u] && trace.settled[u] <= settled;
  return {
    vertex: v,
    iteration: k,
    step,
    state: trace.state(v, step),
    settledAt: settled,
    rival,
    beatsRival: rival < 0 || trace.better(v, rival),
    struckBy: walks ? -1 : trace.bestNeighbour(v, survivedBy),
    assignedTo: trace.cluster[v],
    added: Boolean(trace.added[v]),
    open: Array.from(trace.neighbours(v)).filter(open).sort((a, b) => trace.rank[a] - trace.rank[b]),
  };
}

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

// Scores of one graph as text: two decimals, more where the whole graph's scores lie closer together.
export function scoreFormat(trace) {
  if (!trace.n) return String;
  const most = trace.score[trace.order[0]];
  const least = trace.score[trace.order[trace.n - 1]];
  const whole = trace.score.every(Number.isInteger);
  if (whole) return String;
  if (most >= 100) return (x) => x.toFixed(0);
  const spread = most - least;
  const digits = spread > 0.1 || spread === 0 ? 2 : spread > 0.01 ? 3 : 4;
  return (x) => x.toFixed(digits);
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
      const one = values[inside.slice(0, ask)] === 1;
      put(fill(one ? inside.slice(ask + 1, bar) : inside.slice(bar + 1), values, words));
    } else {
      put(values[inside]);
    }
    i = end;
  }
  return parts;
}

const MOST = 6; // neighbours that a sentence lists

// "3 (0.51), 9 (0.20) and 4 more": parts
export function list(trace, vertices, strings, withScore = true) {
  const shown = vertices.slice(0, MOST);
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

// What the sentences answer: parts
export function question(data, strings) {
  const added = data.state === SURVIVOR && data.added;
  const state = { [CANDIDATE]: "candidate", [SURVIVOR]: added ? "added" : "survivor", [STRUCK]: "struck" }[data.state];
  return fill(strings[`title_${state}`], { v: { vertex: data.vertex } });
}

// The sentences: {now: parts, next: parts}
export function explain(trace, data, all) {
  const strings = all.why;
  const v = data.vertex;
  const ref = (u) => ({ vertex: u });
  const others = data.open;
  const seen = [v, ...others.slice(0, MOST)];
  const waits = data.state === CANDIDATE && data.settledAt > data.iteration + 1;
  const above = waits ? trace.bestNeighbour(data.rival, (u) => trace.settled[u] > data.iteration) : -1;
  for (const u of [data.struckBy, data.assignedTo, above]) if (u >= 0 && !seen.includes(u)) seen.push(u);
  const texts = scoreTexts(seen.map((u) => trace.score[u]));
  const score = (u) => (seen.includes(u) ? texts[seen.indexOf(u)] : trace.scoreText(trace.score[u]));
  const tie = data.rival >= 0 && trace.tied(v, data.rival);
  const values = {
    v: ref(v),
    score: score(v),
    at: String(data.settledAt),
    k: String(data.iteration + 1),
    others: others.length,
    list: list(trace, others, strings),
    tie_rule: trace.data.learned ? strings.tie_key : strings.tie_index,
  };
  if (data.rival >= 0) Object.assign(values, { rival: ref(data.rival), rival_score: score(data.rival) });
  if (data.struckBy >= 0) Object.assign(values, { by: ref(data.struckBy), by_score: score(data.struckBy) });
  if (data.assignedTo >= 0) Object.assign(values, { to: ref(data.assignedTo), to_score: score(data.assignedTo) });
  const say = (name) => fill(strings[name], values);
  if (trace.outside && trace.outside[v]) {
    const settled = data.state === SURVIVOR && data.added ? "added" : "outside_survivor";
    const is = { [CANDIDATE]: "outside_candidate", [SURVIVOR]: settled, [STRUCK]: "outside_struck" }[data.state];
    const goes = data.state === STRUCK && !data.added;
    const next = fill(strings.outside, { outside: trace.outside[v], several: String(trace.outside[v]) });
    return { now: say(is), next: goes ? [...next, " ", ...say("outside_goes")] : next };
  }

  const surviving = trace.neighbours(v).filter((u) => trace.survivor[u]).length;
  const goes = (name) => (surviving === 1 ? say(`${name}_only`) : say(name));
  const gathered = () => {
    const members = trace.members(v);
    values.members = members.length;
    values.members_word = all.numbers[members.length] ?? String(members.length);
    values.list = list(trace, members, strings, false);
    return members.length;
  };
  const alone = trace.neighbours(v).length ? "alone" : "isolated"; // why it has no rival
  const done = trace.kinds[data.step] === "assign" || trace.kinds[data.step] === "pool";

  if (data.state === CANDIDATE) {
    const now = data.rival < 0 ? `candidate_${alone}` : data.beatsRival ? "candidate_wins" : tie ? "candidate_waits_tie" : "candidate_waits";
    let next;
    if (waits && (above < 0 || !trace.better(above, data.rival))) next = say(tie ? "will_wait_outside_tie" : "will_wait_outside");
    else if (waits) {
      Object.assign(values, { rival_of: ref(above), rival_of_score: score(above) });
      next = say(tie ? "will_wait_tie" : "will_wait");
    } else if (data.struckBy < 0) {
      next = say(data.rival < 0 ? `will_survive_${alone}` : tie ? "will_survive_tie" : "will_survive");
    } else next = say("will_be_struck");
    return { now: say(now), next };
  }
  if (data.state === SURVIVOR && !data.added) {
    const now = say(data.rival < 0 ? `survived_${alone}` : tie ? "survived_tie" : "survived");
    const any = gathered();
    const next = done ? (any ? "gathers" : "gathers_alone") : any ? "stays" : "stays_alone";
    return { now, next: say(next) };
  }
  if (data.state === SURVIVOR) {
    const any = gathered();
    return { now: say("added"), next: say(any ? "gathers" : "gathers_alone") };
  }
  const now = say("struck");
  if (data.added) return { now, next: say("will_be_added") };
  return { now, next: goes(done ? "goes" : "will_go") };
}

const ordinal = (k) => `${k}${["st", "nd", "rd"][k - 1] || "th"}`;

// Scores as text with, where v's is not told apart from another's, the place of each of these in the strict order: v is the
// best of them if and only if it is the 1st. A learned score that counts as equal is written as equal.
function orderedTexts(trace, v, shown) {
  const texts = scoreTexts([v, ...shown].map((u) => trace.score[u]));
  const alike = shown.filter((u, i) => texts[i + 1] === texts[0] || trace.tied(v, u));
  if (!alike.length) return { texts, ties: false };
  const order = [v, ...alike].sort((a, b) => trace.rank[a] - trace.rank[b]);
  const written = (u, i) => (order.includes(u) ? `${texts[0]} (${ordinal(order.indexOf(u) + 1)})` : texts[i]);
  return { texts: [v, ...shown].map(written), ties: true };
}

// Eq. 10 with this vertex's numbers: rows of {symbols, numbers}, each a list of parts (ties: numbers with places); {sub}, {sup} are set small.
// None where a sample lacks some of the numbers.
export function equation(trace, data) {
  const v = data.vertex;
  if (trace.outside && trace.outside[v]) return [];
  const at = data.state === CANDIDATE ? data.iteration + 1 : data.settledAt;
  const before = at - 1;
  const ref = (u) => ({ vertex: u, sub: true });
  const shown = data.open.slice(0, MOST);
  const more = data.open.length > shown.length ? ", …" : "";
  const { texts, ties } = orderedTexts(trace, v, shown);
  const truth = (x) => (x ? "true" : "false");
  const sup = (k) => ({ sup: `(${k})` });
  const terms = [v, ...shown];
  const p = (u, k) => ({ unit: ["p", ref(u), sup(k)] });
  const q = (u, k) => ({ unit: ["q", ref(u), sup(k)] });
  const s = (u) => ({ unit: ["s", ref(u)] });
  const symbols = [p(v, at), " = ", p(v, before), " ∨ (", q(v, before), " ∧ ", s(v), " = max{"];
  const numbers = ["= false ∨ (true ∧ ", { number: v, text: texts[0] }, " = max{"];
  terms.forEach((u, i) => {
    if (i) {
      symbols.push(", ");
      numbers.push(", ");
    }
    symbols.push(s(u));
    numbers.push({ number: u, text: texts[i] });
  });
  symbols.push(`${more}})`);
  const survives = trace.survivor[v] && !trace.added[v] && trace.settled[v] === at;
  numbers.push(`${more}}) = `, { result: survives, text: truth(survives) });
  const rows = [{ symbols, numbers, ties }];
  if (!survives && data.struckBy >= 0 && trace.settled[v] === at) {
    const by = data.struckBy;
    rows.push({
      symbols: [q(v, at), " = ¬", p(v, at), " ∧ ¬", p(by, at), " ∧ …"],
      numbers: ["= ¬false ∧ ¬true ∧ … = ", { result: false, text: truth(false) }],
    });
  }
  return rows;
}

// Whether two neighbours have equal scores; asked once.
function someTied(trace) {
  if (trace.someTied === undefined) {
    trace.someTied = false;
    for (let v = 0; v < trace.n && !trace.someTied; v++) trace.someTied = trace.neighbours(v).some((u) => trace.tied(v, u));
  }
  return trace.someTied;
}

// The sentence on what happens in a step.
export function sentence(trace, step, all) {
  const s = all.sentences;
  const say = (name, values) => fill(s[name], values, all.numbers).join("");
  if (!trace.n) return s.start_empty;
  const kind = trace.kinds[step];
  const T = trace.outside ? `${trace.T}${s.sample}` : String(trace.T);
  const survivors = trace.survivor.reduce((a, b) => a + b, 0);
  if (kind === "iteration") {
    if (step === 0) return say(someTied(trace) ? "start_tie" : "start", { T });
    const fresh = trace.newSurvivors[step];
    const struck = trace.newStruck[step];
    const left = trace.counts(step)[CANDIDATE];
    if (!fresh && !struck) return say("nothing", { k: String(step), T, left });
    const first = say(step === 1 ? "iteration" : "iteration_more", { k: String(step), T, new: fresh });
    const second = struck ? say("struck", { struck }) : s.none_struck;
    const third = left ? say("left", { left }) : s.none_left;
    return `${first}; ${second}; ${third}.`;
  }
  if (kind === "complement") return say("complement", { added: trace.data.added.length });
  const moved = trace.n - survivors;
  if (kind === "assign") return moved ? say("assign", { moved, clusters: survivors }) : s.assign_none;
  return say("pool", { n: trace.n, clusters: survivors });
}
