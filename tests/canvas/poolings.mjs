// Reads graphs and names of methods as JSON on standard input, answers with the levels that the canvas's modules make of them.
import { readFileSync } from "node:fs";
import { pooled, stacked } from "../../mivspool/canvas/js/model/poolings.js";

const asked = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(asked.map(({ graph, name, most }) => stacked(graph, pooled(name, graph, most)))));
