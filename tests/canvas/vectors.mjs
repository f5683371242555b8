// Reads traces and (vertex, step) questions as JSON on standard input, answers with what the canvas computes of them.
import { readFileSync } from "node:fs";
import { Trace } from "../../mivspool/canvas/js/model/trace.js";
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
    whys: questions.map(([vertex, step]) => {
      const found = why(trace, vertex, step);
      const said = explain(trace, found, strings);
      const rows = equation(trace, found).map((row) => [plain(trace, row.symbols), plain(trace, row.numbers)]);
      return { ...found, now: plain(trace, said.now), next: plain(trace, said.next), rows };
    }),
  };
});
process.stdout.write(JSON.stringify(answers));
