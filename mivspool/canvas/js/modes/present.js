// Present: the canvas on a projector. It fills the window in large type, points at the vertex that is explained as with a
// laser, steps by the keys that a presenter's remote sends, and is left with Escape.
import { element } from "../panels/element.js";

export class Present {
  constructor(store, strings) {
    this.store = store;
    const words = strings.present;
    const button = (name, act) => {
      const attributes = { type: "button", class: "text", title: words[`${name}_help`], onclick: act };
      return element("button", attributes, words[name]);
    };
    this.buttons = {
      back: button("back", () => this._request({ level: this._levels()[0] - 1 })),
      again: button("again", () => this._request({ level: this._levels()[0] + 1 })),
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
  }

  get on() {
    return Boolean(this.store.state.options.present);
  }

  // [the level shown, how many there are]
  _levels() {
    return this.store.state.options.levels || [0, 1];
  }

  _request(value) {
    this.store.dispatch({ type: "request", value });
  }

  render({ step, trace }) {
    if (!this.on) return;
    const [level, levels] = this._levels();
    this.buttons.back.hidden = level === 0;
    this.buttons.again.hidden = level + 1 >= levels || step < trace.last;
    this.buttons.screen.hidden = !document.documentElement.requestFullscreen;
  }

  // where the laser points: asked by the view whenever it has drawn
  point(view) {
    const { laser } = this;
    if (!this.on) return;
    const v = view.explained();
    laser.hidden = v < 0;
    if (v < 0) return;
    const r = view.radiusOf(v, view.stateOf(v)) + 16;
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
    this._request({ present: false });
  }

  // true: the key was meant for this
  key(event) {
    const { asked, options } = this.store.state;
    const remote = (by) => this.store.dispatch({ type: "remote", by });
    const present = () => this._request({ present: true });
    const acts = this.on || asked
      ? {
          Escape: () => this.leave(),
          PageDown: () => remote(1),
          PageUp: () => remote(-1),
          f: () => this.fill(),
          p: () => ((asked ?? this.on) ? this.leave() : present()),
        }
      : options.presentable
        ? { p: present }
        : {};
    const act = acts[event.key];
    if (!act) return false;
    event.preventDefault();
    act();
    return true;
  }
}
