// Reads graphs as JSON on standard input, answers with the trace that the canvas computes of each.
import { readFileSync } from "node:fs";
import { traceData } from "../../mivspool/canvas/js/model/meer.js";

const plain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const answers = JSON.parse(readFileSync(0, "utf8")).map(({ graph, options }) => traceData(graph, options));
process.stdout.write(JSON.stringify(answers, plain));
