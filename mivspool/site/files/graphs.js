// What the site has of each graph. Each file is a script that calls take(), so that a page opened from a disk works too.
import { fillText } from "canvas/model/text.js";
import { element } from "canvas/panels/element.js";

// the levels by score as the pages have them: what the first levels of all scores have alike is written once (graphs.py)
export function levelsByScore(data) {
  const [first, ...others] = Object.values(data);
  for (const levels of others) {
    levels[0] = { ...first[0], ...levels[0], trace: { ...first[0].trace, ...levels[0].trace } };
  }
  return data;
}

export class Graphs {
  // words: what is said; folder: where the files are; own: a person's graphs, see own.js
  constructor(words, folder, own = null) {
    Object.assign(this, { words, folder, own });
    this.list = []; // {source, file, title, …} of each
    this.given = {};
    this.about = {};
    this.waiting = new Map();
  }

  // about: what else is known of it
  take(source, data, about = {}) {
    this.given[source] = data;
    this.about[source] = about;
  }

  find(source) {
    return this.list.find((entry) => entry.source === source);
  }

  // {entry, said}: the graph of that name, of the site (of those in `list`) or one's own; another one and why, where there is none
  async open(source, list = this.list) {
    const known = list.find((entry) => entry.source === source);
    if (known) return { entry: known, said: "" };
    try {
      if (!this.own?.is(source)) throw new Error(fillText(this.words.unknown, { source }));
      if (this.opened?.source !== source) {
        const { entry, data, about } = await this.own.open(source);
        this.take(source, data, about);
        this.opened = entry;
      }
      return { entry: this.opened, said: "" };
    } catch (error) {
      return { entry: list[0], said: error.message };
    }
  }

  // what its file holds, which is read when it is shown first
  load({ source, file }) {
    if (this.given[source]) return Promise.resolve(this.given[source]);
    if (!this.waiting.has(source)) this.waiting.set(source, this._read(source, `${this.folder}/${file}`));
    return this.waiting.get(source);
  }

  _read(source, file) {
    return new Promise((resolve, reject) => {
      const script = element("script", { src: file });
      script.onload = () => resolve(this.given[source]);
      script.onerror = () => {
        this.waiting.delete(source);
        reject(new Error(fillText(this.words.missing, { file })));
      };
      document.head.append(script);
    });
  }
}
