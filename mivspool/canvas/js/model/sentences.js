// The sentences on a vertex (from the data of why.js) and on a step, and Eq. 10 with the vertex's own numbers: all as parts.
import { fill, fillText, list, MOST_LISTED, scoreTexts } from "./text.js";
import { POINTING, SURVIVING, underway, WHOLE } from "./parts.js";
import { CANDIDATE, ELIMINATED, SURVIVOR } from "./trace.js";

// What the sentences answer: parts
export function question(data, strings) {
  const added = data.state === SURVIVOR && data.added;
  const state = { [CANDIDATE]: "candidate", [SURVIVOR]: added ? "added" : "survivor", [ELIMINATED]: "eliminated" }[data.state];
  return fill(strings[`title_${state}`], { v: { vertex: data.vertex } });
}

// The sentences: {now: parts, next: parts}
export function explain(trace, data, all) {
  const strings = all.why;
  const v = data.vertex;
  const ref = (u) => ({ vertex: u });
  const others = data.open;
  const compared = [v, ...others.slice(0, MOST_LISTED)];
  const waits = data.state === CANDIDATE && data.settledAt > data.iteration + 1;
  const above = waits ? trace.bestNeighbour(data.rival, (u) => trace.settled[u] > data.iteration) : -1;
  for (const u of [data.eliminatedBy, data.assignedTo, above]) if (u >= 0 && !compared.includes(u)) compared.push(u);
  const texts = scoreTexts(compared.map((u) => trace.score[u]));
  const score = (u) => (compared.includes(u) ? texts[compared.indexOf(u)] : trace.scoreText(trace.score[u]));
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
  if (data.eliminatedBy >= 0) Object.assign(values, { by: ref(data.eliminatedBy), by_score: score(data.eliminatedBy) });
  if (data.assignedTo >= 0) Object.assign(values, { to: ref(data.assignedTo), to_score: score(data.assignedTo) });
  const say = (name) => fill(strings[name], values);
  if (trace.outside && trace.outside[v]) {
    const settled = data.state === SURVIVOR && data.added ? "added" : "outside_survivor";
    const is = { [CANDIDATE]: "outside_candidate", [SURVIVOR]: settled, [ELIMINATED]: "outside_eliminated" }[data.state];
    const goes = data.state === ELIMINATED && !data.added;
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
    const form = data.rival < 0 ? alone : data.beatsRival ? "wins" : tie ? "waits_tie" : "waits";
    const now = underway(data.part) && data.rival >= 0 ? `arrow_${form}` : `candidate_${form}`;
    let next;
    if (waits && (above < 0 || !trace.better(above, data.rival))) next = say(tie ? "will_wait_outside_tie" : "will_wait_outside");
    else if (waits) {
      Object.assign(values, { rival_of: ref(above), rival_of_score: score(above) });
      next = say(tie ? "will_wait_tie" : "will_wait");
    } else if (data.eliminatedBy < 0) {
      next = say(data.rival < 0 ? `will_survive_${alone}` : tie ? "will_survive_tie" : "will_survive");
    } else next = say(data.part === SURVIVING ? "is_eliminated" : "will_be_eliminated");
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
  const now = say("eliminated");
  if (data.added) return { now, next: say("will_be_added") };
  return { now, next: goes(done ? "goes" : "will_go") };
}

const ordinal = (k) => `${k}${["st", "nd", "rd"][k - 1] || "th"}`;

// Scores as text with, where v's is not distinguished from another's, the place of each of these in the strict order: v is the
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
  const shown = data.open.slice(0, MOST_LISTED);
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
  if (!survives && data.eliminatedBy >= 0 && trace.settled[v] === at) {
    const by = data.eliminatedBy;
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

// What happens in a part of an iteration. counts: {new, eliminated, left}
function inPart(trace, part, counts, say) {
  if (part === POINTING) return say(trace.outside ? "pointing_sample" : someTied(trace) ? "pointing_tie" : "pointing", counts);
  if (part === SURVIVING) return say(counts.new ? "surviving" : "surviving_sample", counts);
  const left = say(counts.left ? "left" : "none_left", counts);
  return `${say(counts.eliminated ? "eliminating" : "eliminating_none", counts)}; ${left}.`;
}

// The sentence on what happens in a step, or in a part of it.
export function sentence(trace, step, all, part = WHOLE) {
  const s = all.sentences;
  const say = (name, values) => fillText(s[name], values, all.numbers);
  if (!trace.n) return s.start_empty;
  const kind = trace.kinds[step];
  const T = trace.outside ? `${trace.T}${s.sample}` : String(trace.T);
  const survivors = trace.survivor.reduce((a, b) => a + b, 0);
  if (kind === "iteration") {
    if (step === 0) return say(someTied(trace) ? "start_tie" : "start", { T });
    const fresh = trace.newSurvivors[step];
    const eliminated = trace.newEliminated[step];
    const left = trace.counts(step)[CANDIDATE];
    if (!fresh && !eliminated) return say("nothing", { k: String(step), T, left });
    if (part !== WHOLE) {
      const begin = say("part", { k: String(step), T, part: String(part) });
      return `${begin}: ${inPart(trace, part, { new: fresh, eliminated, left }, say)}`;
    }
    const first = say(step === 1 ? "iteration" : "iteration_more", { k: String(step), T, new: fresh });
    const second = eliminated ? say("eliminated", { eliminated }) : s.none_eliminated;
    const third = left ? say("left", { left }) : s.none_left;
    return `${first}; ${second}; ${third}.`;
  }
  if (kind === "complement") return say("complement", { added: trace.data.added.length });
  const moved = trace.n - survivors;
  if (kind === "assign") return moved ? say("assign", { moved, clusters: survivors }) : s.assign_none;
  return say("pool", { n: trace.n, clusters: survivors });
}
