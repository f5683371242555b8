// Reads {text, T, last, part, speed} as JSON on standard input, answers with the milliseconds that Play stays at each.
import { readFileSync } from "node:fs";
import { pace } from "../../mivspool/canvas/js/model/reading.js";

const asked = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(asked.map(({ text, T, last, part, speed }) => pace({ trace: { T, last }, part, speed }, text))));
