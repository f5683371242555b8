// How long the playback stays at a place: as long as its sentence takes to read.
import { lastIndex } from "./parts.js";

const WORDS_PER_MINUTE = 200;
const LOOK_MS = 800; // to see what has changed in the graph
const MOST_MS = 180000; // long traces play faster, so that none takes more than about three minutes

export const SPEEDS = [0.5, 1, 2, 4, 8]; // of reading; 1 is the usual one

const countWords = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;

// milliseconds that a sentence takes to read
export const readingTime = (text) => LOOK_MS + (countWords(text) * 60000) / WORDS_PER_MINUTE;

// milliseconds that the playback stays where it is; text: the sentence that is read there, "" where none is shown
export const pace = ({ trace, part, speed }, text) =>
  Math.min(readingTime(text), MOST_MS / (lastIndex(trace, part) + 1)) / speed;
