// Reads files (in base64) as JSON on standard input; answers with what the page's readers make of each: graphs, or the sentence
// why there is none. `script`: what a site has of RDKit, where SMILES are to be read. That runs as in a page, where no text
// becomes a script.
import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";
import { ReadError } from "../../mivspool/canvas/js/read/build.js";
import { readGraphs } from "../../mivspool/canvas/js/read/entry.js";
import { molecules } from "../../mivspool/canvas/js/read/molecules.js";

const { given, asked, script } = JSON.parse(readFileSync(0, "utf8"));
const { entities, ...told } = given;
told.named = (word) => entities[word];

async function rdkit() {
  const page = { window: {}, console, atob, Blob, Response, DecompressionStream, TextDecoder, TextEncoder, URL, performance, setTimeout, WebAssembly };
  page.MIVSPOOL = { smiles: (starts) => (page.starts = starts) };
  createContext(page, { codeGeneration: { strings: false, wasm: true } });
  runInContext(script, page);
  return page.starts();
}

const ofSmiles = script ? molecules(await rdkit()) : null;
const answer = ({ files, as }) => {
  try {
    return { graphs: readGraphs(files.map(([name, text]) => ({ name, data: new Uint8Array(Buffer.from(text, "base64")) })), told, { as, molecules: ofSmiles }) };
  } catch (error) {
    if (!(error instanceof ReadError)) return { failed: error.stack ?? String(error) };
    return { refused: error.message, line: error.line };
  }
};
process.stdout.write(JSON.stringify(asked.map(answer)));
