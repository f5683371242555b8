// Reads measures as JSON on standard input, answers with the rows of the table of measures and with the notes of each.
import { readFileSync } from "node:fs";
import { notesOf, rowsOf } from "../../mivspool/canvas/js/model/measures.js";

const { measures, words, asked } = JSON.parse(readFileSync(0, "utf8"));
const answer = (columns) => {
  const plain = (rows) => rows.map((row) => ({ ...row, best: [...row.best] }));
  const { differing, equal } = rowsOf(measures, columns, words);
  return { differing: plain(differing), equal: plain(equal), notes: columns.map((one) => notesOf(one, words)) };
};
process.stdout.write(JSON.stringify(asked.map(answer)));
