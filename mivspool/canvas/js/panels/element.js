// Elements of the page: buttons, glyphs, and parts of sentences as nodes. User text only ever becomes text nodes.

export function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== undefined && value !== null) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
}

const SHAPES = [
  '<circle cx="8" cy="8" r="5"/>',
  '<circle cx="8" cy="8" r="4.4"/><circle cx="8" cy="8" r="7" fill="none"/>',
  '<rect x="3.5" y="3.5" width="9" height="9" rx="1.5"/>',
];

// the shape of a state, as in the graph
export function glyph(state) {
  const box = element("span", { class: `glyph state-${state}`, "aria-hidden": "true" });
  box.innerHTML = `<svg viewBox="0 0 16 16">${SHAPES[state]}</svg>`; // ours alone, no user text
  return box;
}

const ICONS = {
  first: '<path d="M4 3v10M13 3.5v9L6 8z"/>',
  previous: '<path d="M11.5 3.5v9L4.5 8z"/>',
  play: '<path d="M4.5 2.8v10.4L13 8z"/>',
  pause: '<path d="M5 3v10M11 3v10" stroke-width="3"/>',
  next: '<path d="M4.5 3.5v9l7-4.5z"/>',
  last: '<path d="M12 3v10M3 3.5v9L10 8z"/>',
  fit: '<path d="M2.5 6V2.5H6M10 2.5h3.5V6M13.5 10v3.5H10M6 13.5H2.5V10" fill="none"/>',
  zoom_in: '<path d="M8 3v10M3 8h10"/>',
  zoom_out: '<path d="M3 8h10"/>',
  undo: '<path d="M6.5 3 3 6.5 6.5 10M3.5 6.5H10a3 3 0 0 1 0 6.5H7" fill="none"/>',
  redo: '<path d="M9.5 3 13 6.5 9.5 10M12.5 6.5H6a3 3 0 0 0 0 6.5h3" fill="none"/>',
};

export function iconButton(name, label, onclick, className = "") {
  const attributes = { type: "button", class: `icon ${className}`, title: label, "aria-label": label, onclick };
  const button = element("button", attributes);
  button.innerHTML = `<svg viewBox="0 0 16 16" aria-hidden="true">${ICONS[name]}</svg>`;
  return button;
}

export function setIcon(button, name, label) {
  button.querySelector("svg").innerHTML = ICONS[name];
  button.title = label;
  button.setAttribute("aria-label", label);
}

// parts (see text.js) as nodes; a vertex becomes a button that points at it and selects it. act: what a click does with it,
// "select" or "pick" (see state.js)
export function nodes(parts, store, act = "select") {
  const { trace } = store.state;
  const point = (vertex) => store.dispatch({ type: "hover", vertex });
  return parts.map((part) => {
    if (typeof part === "string") return document.createTextNode(part);
    if (part.unit) return element("span", { class: "unit" }, ...nodes(part.unit, store, act));
    if (part.sup !== undefined) return element("sup", {}, part.sup);
    if (part.result !== undefined) return element("b", { class: part.result ? "true" : "false" }, part.text);
    const v = part.number ?? part.vertex;
    const button = element("button", {
      type: "button",
      class: part.number !== undefined ? "number" : "vertex",
      onclick: () => store.dispatch({ type: act, vertex: v }),
      onpointerenter: () => point(v),
      onpointerleave: () => point(-1),
      onfocus: () => point(v),
      onblur: () => point(-1),
    });
    button.dataset.vertex = v;
    button.textContent = part.text ?? trace.ids[v];
    button.dir = "auto";
    if (trace.ids[v].length > 18) button.title = trace.ids[v];
    return part.sub ? element("sub", {}, button) : button;
  });
}
