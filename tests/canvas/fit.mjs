// Reads graphs and schemas as JSON on standard input, answers with what a page makes of each, or with why it does not fit.
import { readFileSync } from "node:fs";
import { fit, Unfit } from "../../mivspool/canvas/js/model/fit.js";

const { words, elements, asked } = JSON.parse(readFileSync(0, "utf8"));
const answer = ({ graph, schema }) => {
  try {
    const { x, ...rest } = fit(graph, schema, words, elements);
    return { x: Array.from(x), ...rest };
  } catch (error) {
    if (!(error instanceof Unfit)) throw error;
    return { refused: error.message };
  }
};
process.stdout.write(JSON.stringify(asked.map(answer)));
