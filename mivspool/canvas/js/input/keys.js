// Which part of a canvas a key is for.

// what uses the arrow keys itself, and what the space bar presses
const ROLES = ["radiogroup", "tablist", "slider", "listbox", "combobox", "menu", "menubar", "grid", "dialog"];
const FIELDS = ["input", "textarea", "select", "[contenteditable]", "canvas", ".stage"];
const TAKEN = [...FIELDS, ...ROLES.map((role) => `[role="${role}"]`)].join();
const TYPED = 'input:not([type="range"]), textarea, select, [contenteditable]';
const PRESSED = 'button, a, summary, [role="button"]';
const PAN = 40;

export class Keys {
  // modes: {edit, present, predict}, each with key(event, focused): whether the key was meant for it; view(): the graph
  constructor(stage, store, modes, view) {
    Object.assign(this, { store, modes, view });
    this.listening = new AbortController();
    const { signal } = this.listening;
    stage.addEventListener("keydown", (event) => this._key(event, true), { signal });
    document.addEventListener("keydown", (event) => this._key(event, false), { signal });
  }

  destroy() {
    this.listening.abort();
  }

  // focused: the graph has the focus; otherwise the page has it, and only what nothing else needs is taken
  _key(event, focused) {
    const { state } = this.store;
    const { edit, present, predict } = this.modes;
    if (!state.trace || event.defaultPrevented) return;
    const target = event.composedPath()[0];
    const typed = target.closest?.(TYPED);
    const mayChange = focused || (state.options.keys && !typed); // a key of the page changes nothing where something is typed
    if (mayChange && edit.key(event, focused)) return;
    if (event.altKey || event.metaKey || event.ctrlKey) return;
    if (!focused) {
      if (!state.options.keys) return;
      if (!typed && present.key(event)) return;
      if (target.closest?.(TAKEN)) return;
      if (event.key === " " && target.closest?.(PRESSED)) return;
    } else if (present.key(event)) return;
    if (predict.key(event, focused)) return;
    const act = this._acts(event.shiftKey, focused)[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  }

  _acts(shift, focused) {
    const view = this.view();
    const on = (type, more) => () => this.store.dispatch({ type, ...more });
    const pan = (x, y) => () => view.panBy(x * PAN, y * PAN);
    const acts = {
      ArrowRight: shift ? pan(-1, 0) : on("move", { by: 1 }),
      ArrowLeft: shift ? pan(1, 0) : on("move", { by: -1 }),
      Home: on("goto", { step: 0 }),
      End: on("goto", { step: Infinity }),
      " ": on("toggle"),
      b: on("parts"),
    };
    if (!focused) return acts;
    return {
      ...acts,
      ArrowUp: shift ? pan(0, 1) : on("walk", { by: -1 }),
      ArrowDown: shift ? pan(0, -1) : on("walk", { by: 1 }),
      "+": () => view.zoomBy(1.25),
      "=": () => view.zoomBy(1.25),
      "-": () => view.zoomBy(0.8),
      0: () => view.fit(),
      Escape: on("select", { vertex: -1 }),
    };
  }
}
