// Reads traces with changes to make to them as JSON on standard input; answers with the changed graph, its levels, and the
// graph that is read from the link that holds the change.
import { readFileSync } from "node:fs";
import { drawnOf, withEdge, withLabel, withoutVertex, withPlace, withScore, withVertex } from "../../mivspool/canvas/js/model/edits.js";
import { featuresOf, levelsOf, readChange, spellChange } from "../../mivspool/canvas/js/model/levels.js";

const acts = { score: withScore, place: withPlace, label: withLabel, vertex: withVertex, remove: withoutVertex, edge: withEdge };
const plain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ trace, edits = [], complement, sizes, text, known }) => {
  const first = drawnOf(trace);
  if (text !== undefined) {
    try {
      return readChange(first, text);
    } catch (error) {
      return error.name;
    }
  }
  const graph = edits.reduce((found, [name, ...values]) => acts[name](found, ...values), first);
  const link = spellChange(first, graph);
  return { graph, link, read: readChange(first, link), levels: levelsOf(graph, { complement, sizes }), features: known && featuresOf(graph, known) };
});
process.stdout.write(JSON.stringify(answers, plain));
