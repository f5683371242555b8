// Reads what links say as JSON on standard input; answers with the links, and with what is read from them.
import { readFileSync } from "node:fs";
import { readLink, spellLink, whole } from "../../mivspool/site/files/link.js";

const { values, numbers } = JSON.parse(readFileSync(0, "utf8"));
const links = values.map(spellLink);
process.stdout.write(JSON.stringify({ links, read: links.map(readLink), numbers: numbers.map(whole) }));
