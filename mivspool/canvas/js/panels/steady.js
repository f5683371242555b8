// A text that changes in a place that does not: it is as high as the tallest of the texts that may stand there, at any width.
// These are the style's (canvas.css), so nobody reads them and nothing is measured.
import { element } from "./element.js";

const MOST_SIZES = 4; // of the longest texts; of these one is the tallest

export class Steady {
  constructor(attributes) {
    this.shown = element("span");
    this.root = element("p", attributes, this.shown);
    this.root.classList.add("steady");
  }

  // what stands there: nodes or text
  put(...content) {
    this.shown.replaceChildren(...content);
  }

  // texts: all that may stand there
  reserve(texts) {
    const longest = [...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, MOST_SIZES);
    if (longest.join() === this.reserved) return;
    this.reserved = longest.join();
    this.root.replaceChildren(this.shown, ...longest.map((text) => element("i", { "data-size": text, "aria-hidden": "true" })));
  }
}
