// Reads traces as JSON on standard input; answers with every score as the canvas writes it.
import { readFileSync } from "node:fs";
import { Trace } from "../../mivspool/canvas/js/model/trace.js";

const answers = JSON.parse(readFileSync(0, "utf8")).map((data) => {
  const trace = new Trace(data);
  return Array.from(trace.score, (score) => trace.scoreText(score));
});
process.stdout.write(JSON.stringify(answers));
