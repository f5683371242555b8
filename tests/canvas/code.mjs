// Reads {strings, traces} as JSON on standard input; answers with what the pseudocode says at every place of every vertex.
import { readFileSync } from "node:fs";
import { current, linesOf, valuesOf } from "../../mivspool/canvas/js/model/code.js";
import { lastIndex, placeAt } from "../../mivspool/canvas/js/model/parts.js";
import { Trace } from "../../mivspool/canvas/js/model/trace.js";

const plain = (trace, parts) =>
  parts.map((part) => (typeof part === "string" ? part : part.unit ? plain(trace, part.unit) : part.text ?? trace.ids[part.vertex])).join("");

const { strings, traces } = JSON.parse(readFileSync(0, "utf8"));
const answers = traces.map((data) => {
  const trace = new Trace(data);
  const places = [0, 1].flatMap((part) => Array.from({ length: lastIndex(trace, part) + 1 }, (_, i) => placeAt(trace, i, part)));
  const said = places.map((place) => ({
    ...place,
    now: current(trace, place),
    values: trace.ids.map((_, v) => Object.fromEntries(Object.entries(valuesOf(trace, place, v, strings.code)).map(([line, parts]) => [line, plain(trace, parts)]))),
  }));
  return { lines: linesOf(trace), said };
});
process.stdout.write(JSON.stringify(answers));
