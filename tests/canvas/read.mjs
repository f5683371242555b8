// Reads files (in base64) as JSON on standard input; answers with what the page's readers make of each: graphs, or the sentence
// why there is none.
import { readFileSync } from "node:fs";
import { ReadError } from "../../mivspool/canvas/js/read/build.js";
import { readGraphs } from "../../mivspool/canvas/js/read/entry.js";

const { given, asked } = JSON.parse(readFileSync(0, "utf8"));
const { entities, ...told } = given;
told.named = (word) => entities[word];
const answer = ({ files, as }) => {
  try {
    return { graphs: readGraphs(files.map(([name, text]) => ({ name, data: new Uint8Array(Buffer.from(text, "base64")) })), told, { as }) };
  } catch (error) {
    if (!(error instanceof ReadError)) return { failed: error.stack };
    return { refused: error.message, line: error.line };
  }
};
process.stdout.write(JSON.stringify(asked.map(answer)));
