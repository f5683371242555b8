// Present: the canvas on a projector. It fills the window in large type, points at the vertex that is explained as with a
// laser, steps by the keys that a presenter's remote sends, and is left with Escape.
import { element } from "../panels/element.js";

export class Present {
  // root: the element or shadow root that the canvas fills
  constructor(canvas, root) {
    this.canvas = canvas;
    this.host = root.host || root;
    this.on = false;
    this.wanted = null; // what was asked for and is not answered yet: keys may be faster than the page
    const words = canvas.settings.strings.present;
    const button = (name, act) => {
      const attributes = { type: "button", class: "text", title: words[`${name}_help`], onclick: act };
      return element("button", attributes, words[name]);
    };
    this.buttons = {
      back: button("back", () => canvas.wish({ level: this.level - 1 })),
      again: button("again", () => canvas.wish({ level: this.level + 1 })),
      screen: button("screen", () => this.fill()),
      leave: button("leave", () => this.leave()),
    };
    this.root = element("div", { class: "presenter" }, ...Object.values(this.buttons));
    this.laser = element("div", { class: "laser", "aria-hidden": "true" });
    this._screen = () => {
      if (this.on && this.filled && !document.fullscreenElement) this.leave(); // the browser keeps Escape for itself
      this.filled = Boolean(document.fullscreenElement);
    };
    document.addEventListener("fullscreenchange", this._screen);
  }

  destroy() {
    document.removeEventListener("fullscreenchange", this._screen);
    this.host.removeAttribute("data-presents");
  }

  // options.present: whether it is on; options.levels: [the level shown, how many there are]
  update({ present, levels }) {
    const { canvas } = this;
    this.on = Boolean(present);
    if (this.on === this.wanted) this.wanted = null;
    [this.level, this.levels] = levels || [0, 1];
    canvas.box.toggleAttribute("data-present", this.on);
    // What stands around the canvas belongs to the page, which looks for this mark. It is the canvas's own, not the
    // page's: of two canvases that come and go in any order, none undoes what the other one said.
    this.host.toggleAttribute("data-presents", this.on);
    if (this.on) {
      canvas.box.append(this.root);
      canvas.stage.append(this.laser);
    } else {
      this.root.remove();
      this.laser.remove();
    }
  }

  render() {
    if (!this.on) return;
    const { step, trace } = this.canvas;
    this.buttons.back.hidden = this.level === 0;
    this.buttons.again.hidden = this.level + 1 >= this.levels || step < trace.last;
    this.buttons.screen.hidden = !document.documentElement.requestFullscreen;
  }

  // where the laser points: told by the view whenever it has drawn
  point(view) {
    const { laser } = this;
    if (!this.on) return;
    const v = view.explained();
    laser.hidden = v < 0;
    if (v < 0) return;
    const r = view.radiusOf(v, view.trace.state(v, view.step)) + 16;
    laser.style.width = laser.style.height = `${2 * r}px`;
    laser.style.transform = `translate(${view.sx(v) - r}px, ${view.sy(v) - r}px)`;
  }

  fill() {
    if (document.fullscreenElement) document.exitFullscreen();
    else document.documentElement.requestFullscreen();
  }

  leave() {
    const { filled } = this;
    this.filled = false;
    if (filled && document.fullscreenElement) document.exitFullscreen();
    this._want(false);
  }

  _want(on) {
    this.wanted = on;
    this.canvas.wish({ present: on });
  }

  // a presenter's remote sends these keys whatever has the focus
  _remote(by) {
    const { canvas } = this;
    if (!canvas.predict.on) canvas.goto(canvas.step + by);
    else if (by > 0) canvas.predict.advance();
  }

  // true: the key was meant for this
  key(event) {
    const { canvas } = this;
    const acts = this.on || this.wanted
      ? {
          Escape: () => this.leave(),
          PageDown: () => this._remote(1),
          PageUp: () => this._remote(-1),
          f: () => this.fill(),
          p: () => ((this.wanted ?? this.on) ? this.leave() : this._want(true)),
        }
      : canvas.options.presentable
        ? { p: () => this._want(true) }
        : {};
    const act = acts[event.key];
    if (!act) return false;
    event.preventDefault();
    act();
    return true;
  }
}
