// Reads {trace, loops} as JSON on standard input; answers with every cluster: its survivor, members, shares and row of SᵀAS.
import { readFileSync } from "node:fs";
import { blockOf, columnsOf, membersOf, rowOf } from "../../mivspool/canvas/js/model/clusters.js";

const answers = JSON.parse(readFileSync(0, "utf8")).map(({ trace, loops }) => {
  const { kept, column } = columnsOf(trace);
  const clusters = kept.map((_, home) => {
    const row = rowOf(trace, loops, column, home).map((entry) => ({ ...entry, block: blockOf(trace, loops, column, home, entry.to) }));
    return { ...membersOf(trace, column, home), row };
  });
  return { kept, column, clusters };
});
process.stdout.write(JSON.stringify(answers));
