// Reads [[template, values], …] as JSON on standard input; answers with each template filled.
import { readFileSync } from "node:fs";
import { fillText } from "../mivspool/canvas/js/model/text.js";

const asked = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(asked.map(([template, values]) => fillText(template, values))));
