// Reads graphs as JSON on standard input, as the page's readers give them; answers with the levels that a page makes of each.
import { readFileSync } from "node:fs";
import { layout } from "../../mivspool/canvas/js/model/layout.js";
import { written } from "../../mivspool/canvas/js/model/written.js";

const plain = (key, value) => (ArrayBuffer.isView(value) ? Array.from(value) : value);
const { sizes, graphs } = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(graphs.map((graph) => ({ levels: written(graph, sizes), at: layout(graph.nodes.length, graph.edges) })), plain));
