// What stands beside the graph: the scores or the pseudocode, as the reader chooses. The browser keeps the choice. Where a link
// hides one of them, the other is all there is. (No tabs: they would take the arrow keys, which step.)
import { changed } from "../model/store.js";
import { element } from "./element.js";
import { kept } from "./kept.js";

const KEPT = "mivspool:beside";

export class Beside {
  // panels: {bars, code}, each with root and render(state, before)
  constructor(strings, panels) {
    this.panels = panels;
    this.chosen = kept("localStorage", (storage) => storage.getItem(KEPT));
    const button = (name) => element("button", { type: "button", class: `to-${name}`, onclick: () => this._choose(name) }, strings.beside[name]);
    this.buttons = Object.fromEntries(Object.keys(panels).map((name) => [name, button(name)]));
    this.choice = element("div", { class: "either", role: "group", "aria-label": strings.beside.title }, ...Object.values(this.buttons));
    this.root = element("div", { class: "beside" }, this.choice, ...Object.values(panels).map(({ root }) => root));
  }

  _choose(name) {
    this.chosen = name;
    kept("localStorage", (storage) => storage.setItem(KEPT, name));
    this._show();
  }

  _show() {
    const offered = Object.keys(this.panels).filter((name) => !this.hidden.includes(name));
    const shown = offered.includes(this.chosen) ? this.chosen : offered[0];
    this.root.hidden = !offered.length;
    for (const [name, { root }] of Object.entries(this.panels)) {
      root.hidden = name !== shown;
      this.buttons[name].hidden = !offered.includes(name);
      this.buttons[name].setAttribute("aria-pressed", String(name === shown));
    }
  }

  render(state, before) {
    if (changed(state, before, "options")) {
      this.hidden = state.options.hide || [];
      this._show();
    }
    for (const panel of Object.values(this.panels)) panel.render(state, before);
  }
}
