// Reads [number, decimals] pairs as JSON on standard input, answers with the texts.
import { readFileSync } from "node:fs";
import { fixed } from "../../mivspool/canvas/js/model/text.js";

process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(([value, digits]) => fixed(value, digits))));
