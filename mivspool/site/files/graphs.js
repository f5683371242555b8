// The graphs of the site. Each is a script that calls take(), so that a page opened from a disk works too.
import { fillText } from "canvas/model/text.js";
import { element } from "canvas/panels/element.js";

export class Graphs {
  // missing: what is said of a file that cannot be read
  constructor(missing) {
    this.missing = missing;
    this.list = []; // {source, file, title, …} of each
    this.given = {};
    this.waiting = new Map();
  }

  take(source, data) {
    this.given[source] = data;
  }

  find(source) {
    return this.list.find((entry) => entry.source === source);
  }

  // a graph's levels by score; its file is read when it is shown first
  load({ source, file }) {
    if (this.given[source]) return Promise.resolve(this.given[source]);
    if (!this.waiting.has(source)) this.waiting.set(source, this._read(source, `graphs/${file}`));
    return this.waiting.get(source);
  }

  _read(source, file) {
    return new Promise((resolve, reject) => {
      const script = element("script", { src: file });
      script.onload = () => resolve(this.given[source]);
      script.onerror = () => {
        this.waiting.delete(source);
        reject(new Error(fillText(this.missing, { file })));
      };
      document.head.append(script);
    });
  }
}
