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

const heard = []; // on the page's console, where nothing belongs
const hear = (text) => heard.push(text);

async function rdkit() {
  const page = { window: {}, console: { log: hear, warn: hear, error: hear }, atob, Blob, Response, DecompressionStream, TextDecoder, TextEncoder, URL, performance, setTimeout, WebAssembly };
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
const answers = asked.map(answer);
if (heard.length) throw new Error(`said on the console: ${heard[0]}`);
process.stdout.write(JSON.stringify(answers));
