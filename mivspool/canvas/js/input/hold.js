// What was pressed last stays where it is in the window while a graph is changed: where something above it grows or
// shrinks (the page takes over the change, a sentence takes a second line), the page scrolls by as much.
const parentOf = (node) => node.parentElement || node.getRootNode().host;

function scrollerOf(node) {
  for (let each = parentOf(node); each; each = parentOf(each)) {
    if (["auto", "scroll"].includes(getComputedStyle(each).overflowY) && each.scrollHeight > each.clientHeight) return each;
  }
  return document.scrollingElement;
}

export class Hold {
  // box: the canvas; parts: what of it can be held, the first one where a key or a place beside them is pressed;
  // wanted(): whether anything is held now
  constructor(box, parts, wanted) {
    Object.assign(this, { box, parts, wanted });
    this.part = null; // what is held
    this.space = 0; // pixels above the canvas that stand for what a page that is scrolled to its top cannot scroll
    this.observer = new ResizeObserver(() => this._keep());
    this.listening = new AbortController();
    const { signal } = this.listening;
    const press = (event) => (event.composedPath().includes(box) ? this.take(event.composedPath()) : this.drop());
    for (const name of ["pointerdown", "keydown"]) document.addEventListener(name, press, { capture: true, signal });
  }

  destroy() {
    this.drop();
    cancelAnimationFrame(this.frame);
    this.listening.abort();
  }

  take(path = []) {
    if (!this.wanted()) return;
    this.part = this.parts.find((part) => path.includes(part)) || this.part || this.parts[0];
    this._anchors(false); // the browser's own anchoring holds whatever comes first in the window
    this.at = this._place();
    this.observer.disconnect();
    for (const part of this.parts) this.observer.observe(part);
    for (let each = this.box; each; each = parentOf(each)) {
      this.observer.observe(each);
      for (let before = each.previousElementSibling; before; before = before.previousElementSibling) this.observer.observe(before);
    }
  }

  drop() {
    if (!this.part) return;
    this.part = null;
    this.observer.disconnect();
    this._anchors(true);
  }

  // whether the browser may scroll the page to hold what it finds fit
  _anchors(may) {
    if (!may) this.scroller = scrollerOf(this.box);
    this.scroller.style.overflowAnchor = may ? "" : "none";
  }

  // nothing is changed any more
  end() {
    this.drop();
    this._space(0);
  }

  // where the part is in what scrolls
  _place() {
    const { scroller } = this;
    const root = scroller === document.scrollingElement;
    return this.part.getBoundingClientRect().top - (root ? 0 : scroller.getBoundingClientRect().top) + scroller.scrollTop;
  }

  _keep() {
    if (!this.part) return;
    if (!this.wanted()) return this.drop();
    const { scroller, space } = this;
    const by = this._place() - this.at;
    if (Math.abs(by) < 0.5) return;
    const before = scroller.scrollTop;
    const spare = Math.min(space, Math.max(by, 0));
    scroller.scrollBy({ top: by - spare, behavior: "instant" });
    const scrolled = scroller.scrollTop - before;
    this.at = by > 0 ? this._place() - spare : this.at + scrolled;
    this._space(by > 0 ? space - spare : space + scrolled - by);
  }

  // so much space above the canvas; not at once, since what watches sizes must not change them
  _space(wanted) {
    const space = Math.round(wanted);
    cancelAnimationFrame(this.frame);
    if (space === this.space) return;
    this.frame = requestAnimationFrame(() => {
      this.space = space;
      this.box.style.marginTop = space ? `${space}px` : "";
    });
  }
}
