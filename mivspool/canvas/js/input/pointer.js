// The pointer on a graph: what it means is chosen, a vertex is pulled, the view is moved and zoomed, and where a graph is
// changed an edge is drawn.
const clamp = (x, low, high) => Math.max(low, Math.min(high, x));

export class Pointer {
  // view: the graph (draw/view.js); on: {pick(v), hover(v)} and, where a graph can be changed, {tap(v, x, y, when): whether
  // that was all, draws(event), drew(from, to), moved(v)}; −1 for no vertex
  constructor(view, on) {
    this.view = view;
    this.on = on;
    this.listening = new AbortController(); // the stage outlives this view
    this.down = new Map(); // pointer → where it is
    this.drag = null; // {vertex, x, y, draws}
    this.pinch = null; // the distance of two fingers
    this.moved = false;
    this.since = 0; // the wheel zooms only after the pointer moved here: a page that scrolls keeps scrolling
    this._listen();
  }

  destroy() {
    this.listening.abort();
  }

  _listen() {
    const { signal } = this.listening;
    const { stage } = this.view;
    const listen = (name, act, options) => stage.addEventListener(name, (event) => act.call(this, event), { ...options, signal });
    window.addEventListener("scroll", () => (this.since = 0), { capture: true, signal });
    listen("touchstart", this._touch, { passive: false });
    listen("pointerdown", this._press);
    listen("pointermove", this._move);
    listen("pointerup", this._release);
    listen("pointercancel", this._release);
    listen("pointerleave", () => this._hover(-1));
    listen("wheel", this._wheel, { passive: false });
  }

  _at(event) {
    const box = this.view.stage.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  }

  _hover(v) {
    if (v !== this.view.hovered) this.on.hover(v);
  }

  _touch(event) {
    const touch = event.touches[0];
    if (event.touches.length > 1 || this.view.hit(...this._at(touch), 10) >= 0) event.preventDefault();
  }

  _press(event) {
    if (event.target.closest("button")) return;
    const { view, down } = this;
    view.stage.focus({ preventScroll: true });
    down.set(event.pointerId, this._at(event));
    view.stage.setPointerCapture(event.pointerId);
    this.moved = false;
    view.skip();
    if (down.size === 2) {
      this.pinch = this._spread().apart;
      this.drag = null;
      return;
    }
    const [x, y] = this._at(event);
    const vertex = view.hit(x, y, event.pointerType === "touch" ? 12 : 5);
    this.drag = { vertex, x, y, draws: vertex >= 0 && this.on.draws?.(event) };
  }

  // how far two fingers are apart, and the middle between them
  _spread() {
    const [a, b] = [...this.down.values()];
    return { apart: Math.hypot(a[0] - b[0], a[1] - b[1]), middle: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2] };
  }

  _move(event) {
    const { view, down, drag } = this;
    const [x, y] = this._at(event);
    if (!this.since) this.since = event.timeStamp;
    if (!down.has(event.pointerId)) {
      const v = view.hit(x, y);
      view.stage.style.cursor = v >= 0 ? "pointer" : "grab";
      this._hover(v);
      return;
    }
    const before = down.get(event.pointerId);
    down.set(event.pointerId, [x, y]);
    if (down.size === 2) {
      const { apart, middle } = this._spread();
      view.zoomBy(apart / this.pinch, ...middle);
      this.pinch = apart;
      this.moved = true;
      return;
    }
    if (!drag || (!this.moved && Math.hypot(x - drag.x, y - drag.y) < 4)) return;
    this.moved = true;
    if (drag.draws) view.setBand({ from: drag.vertex, x, y });
    else if (drag.vertex >= 0) view.pull(drag.vertex, x, y);
    else {
      view.stage.style.cursor = "grabbing";
      view.panBy(x - before[0], y - before[1]);
    }
  }

  _release(event) {
    const { view, down, drag, moved, on } = this;
    if (!down.delete(event.pointerId)) return;
    const done = event.type === "pointerup";
    if (drag && !moved && done && !on.tap?.(drag.vertex, drag.x, drag.y, event.timeStamp)) on.pick(drag.vertex);
    if (drag && drag.draws) {
      view.setBand(null);
      if (moved && done) on.drew(drag.vertex, view.hit(...this._at(event), 12));
    } else if (drag && moved && drag.vertex >= 0) {
      view.pulled();
      on.moved?.(drag.vertex);
    }
    this.drag = null;
    this.pinch = null;
    view.stage.style.cursor = "grab";
  }

  _wheel(event) {
    const ready = event.ctrlKey || (this.since && event.timeStamp - this.since > 120);
    if (!ready) return;
    event.preventDefault();
    const pixels = event.deltaMode === 1 ? event.deltaY * 20 : event.deltaY;
    const factor = Math.exp(clamp(-pixels, -240, 240) * (event.ctrlKey ? 0.01 : 0.0016));
    this.view.zoomBy(factor, ...this._at(event));
  }
}
