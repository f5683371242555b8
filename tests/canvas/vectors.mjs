// Reads traces and (vertex, step) questions as JSON on standard input, answers with what the canvas computes of them.
import { readFileSync } from "node:fs";
import { Trace } from "../../mivspool/canvas/js/model/trace.js";
import { eliminations, pointers } from "../../mivspool/canvas/js/model/parts.js";
import { equation, explain, sentence } from "../../mivspool/canvas/js/model/sentences.js";
import { why } from "../../mivspool/canvas/js/model/why.js";

const plain = (trace, parts) => parts
  .map((part) => (typeof part === "string" ? part
    : part.unit ? plain(trace, part.unit)
      : part.text !== undefined ? part.text
        : part.sup !== undefined ? part.sup : trace.ids[part.vertex]))
  .join("");

const { strings, cases } = JSON.parse(readFileSync(0, "utf8"));
const answers = cases.map(({ trace: data, questions }) => {
  const trace = new Trace(data);
  return {
    counts: trace.kinds.map((_, step) => trace.counts(step)),
    kinds: trace.kinds,
    sentences: trace.kinds.map((_, step) => sentence(trace, step, strings)),
    parts: Array.from({ length: trace.T }, (_, i) => i + 1).flatMap((k) =>
      [1, 2, 3].map((part) => {
        const to = pointers(trace, k);
        const arrows = part === 3 ? eliminations(trace, k) : Array.from(to, (u, v) => [v, u]).filter(([, u]) => u >= 0);
        const said = trace.ids.map((_, v) => {
          const { now, next } = explain(trace, why(trace, v, k, part), strings);
          return [plain(trace, now), plain(trace, next)];
        });
        return { k, part, arrows, states: trace.ids.map((_, v) => trace.state(v, k, part)), said, sentence: sentence(trace, k, strings, part) };
      }),
    ),
    whys: questions.map(([vertex, step]) => {
      const found = why(trace, vertex, step);
      const said = explain(trace, found, strings);
      const rows = equation(trace, found).map((row) => [plain(trace, row.symbols), plain(trace, row.numbers)]);
      return { ...found, now: plain(trace, said.now), next: plain(trace, said.next), rows };
    }),
  };
});
process.stdout.write(JSON.stringify(answers));
