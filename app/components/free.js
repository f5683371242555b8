// Free layout: a pyvis network that a person pulls apart. It follows what Python says of the same vertices and keeps where
// they stand; "Use this layout" tells Python. vis-network itself comes with an element of its own (free.py), once.
import { themeOf } from "canvas/draw/theme.js";
import { lasting } from "canvas/host/lasting.js";
import { element } from "canvas/panels/element.js";

const FIT_MS = 250;
const READY = "mivspool:vis";
const PLACES = new Map(); // where the vertices of a drawing stood when it was left, as long as the document lives

export function load(library) {
  window.mivspoolVis = library;
  window.dispatchEvent(new Event(READY));
}

export function mountFree(component) {
  const { parentElement, data, setTriggerValue } = component;
  let free = parentElement.mivspoolFree;
  if (!free || !free.box.isConnected) free = parentElement.mivspoolFree = new Free(parentElement, data.strings);
  free.tell = (layout) => setTriggerValue("layout", layout);
  free.update(data);
  return lasting(parentElement, () => {
    free.destroy();
    delete parentElement.mivspoolFree;
  });
}

class Free {
  constructor(root, strings) {
    this.stage = element("div", { class: "stage", role: "img" });
    const use = element("button", { type: "button", class: "use", title: strings.use_help }, strings.use);
    const fit = element("button", { type: "button", class: "fit" }, strings.fit);
    use.addEventListener("click", () => this.tell({ drawing: this.drawing, places: this.places() }));
    fit.addEventListener("click", () => this.network?.fit({ animation: false }));
    this.forces = element("div", { class: "forces" });
    const forces = element("details", {}, element("summary", {}, strings.forces), this.forces);
    this.box = element("div", { class: "free" }, this.stage, element("div", { class: "buttons" }, use, fit), forces);
    this.box.free = this; // for tests
    root.append(this.box);
    this.ready = () => this.draw();
    window.addEventListener(READY, this.ready);
  }

  update(data) {
    this.data = data;
    this.stage.setAttribute("aria-label", data.strings.label);
    this.draw();
  }

  draw() {
    const vis = window.mivspoolVis;
    if (!vis || !this.data) return;
    const { drawing, network, colours } = this.data;
    const theme = themeOf(colours, getComputedStyle(this.box));
    const nodes = network.nodes.map((node) => ({ ...node, color: themed(node.color, theme, colours), font: { color: theme.text } }));
    const edges = network.edges.map((edge, id) => ({ id, arrows: "", ...edge, color: themed(edge.color, theme, colours) }));
    if (this.drawing === drawing) {
      this.nodes.update(nodes.map(({ x, y, ...rest }) => rest)); // where they stand is the person's
      this.edges.update(edges);
      return;
    }
    this.leave();
    const before = PLACES.get(drawing);
    this.nodes = new vis.DataSet(nodes.map((node, v) => (before ? { ...node, x: before[2 * v], y: before[2 * v + 1] } : node)));
    this.edges = new vis.DataSet(edges);
    const configure = { ...network.options.configure, container: this.forces, showButton: false };
    this.forces.replaceChildren();
    this.network = new vis.Network(this.stage, { nodes: this.nodes, edges: this.edges }, { ...network.options, configure });
    this.drawing = drawing;
    this._showAll();
  }

  // until the forces are in balance, or a person looks somewhere
  _showAll() {
    const { network } = this;
    const fit = () => network.fit({ animation: false });
    const timer = setInterval(fit, FIT_MS);
    const stop = () => clearInterval(timer);
    network.once("stabilized", () => {
      stop();
      fit();
    });
    for (const end of ["dragStart", "zoom", "destroy"]) network.once(end, stop);
  }

  // x and y of each vertex, in the order of the nodes
  places() {
    const at = this.network.getPositions();
    return this.data.network.nodes.flatMap(({ id }) => [at[id].x, at[id].y]);
  }

  leave() {
    if (!this.network) return;
    const at = this.network.getPositions();
    PLACES.set(this.drawing, this.nodes.getIds().flatMap((id) => [at[id].x, at[id].y]));
    this.network.destroy();
    this.network = null;
  }

  destroy() {
    window.removeEventListener(READY, this.ready);
    this.leave();
    this.box.remove();
  }
}

// the borders and greys of a dark page in the place of those of a light one
function themed(colour, theme, colours) {
  if (theme.name === "light" || !colour) return colour;
  if (typeof colour === "object") {
    return Object.fromEntries(Object.entries(colour).map(([name, value]) => [name, themed(value, theme, colours)]));
  }
  if (colour === colours.grey.light) return colours.grey.dark;
  return colours.states.find((state) => state.light_border === colour)?.dark_border ?? colour;
}
