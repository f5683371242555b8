// Several reduced graphs over one original, drawn on a canvas each. Whatever is pointed at is highlighted in all of them.
import { themeOf } from "./theme.js";
import { fillText, shorten } from "../model/text.js";

const PADDING = 26;
const NEAR = 18; // pixels within which the pointer means a vertex
const HEIGHT = 300;
const MANY = 6; // more panels than these are drawn smaller
const SMALL = 200;

export function mountPanels(component, settings) {
  const { parentElement, data, setStateValue } = component;
  let host = parentElement.querySelector(".panels");
  if (!host) {
    host = document.createElement("div");
    host.className = "panels";
    parentElement.appendChild(host);
  }
  const stamp = JSON.stringify([data.original.ids.length, data.panels.map((p) => [p.title, p.edges.length, p.names.length])]);
  const views = new Panels(host, data, settings, (vertex) => setStateValue("vertex", vertex));
  const before = host.views;
  if (before) {
    before.stop();
    views.hovered = -1;
    views.chosen = before.stamp === stamp && before.given === data.vertex ? before.chosen : data.vertex;
  }
  views.stamp = stamp;
  views.given = data.vertex;
  host.views = views;
  views.build();
  return () => views.stop();
}

class Panels {
  constructor(host, data, settings, choose) {
    Object.assign(this, { host, data, settings, choose, chosen: data.vertex, hovered: -1 });
    const { x, y } = data.original;
    const low = (values) => values.reduce((a, b) => Math.min(a, b), Infinity);
    const high = (values) => values.reduce((a, b) => Math.max(a, b), -Infinity);
    this.box = x.length ? { x0: low(x), x1: high(x), y0: low(y), y1: high(y) } : { x0: 0, x1: 1, y0: 0, y1: 1 };
    this.resize = new ResizeObserver(() => this.draw());
  }

  stop() {
    this.resize.disconnect();
  }

  build() {
    this.host.replaceChildren();
    const many = this.data.panels.length > MANY;
    this.host.classList.toggle("many", many);
    this.height = many ? SMALL : HEIGHT;
    this.items = this.data.panels.map((panel) => {
      const figure = document.createElement("figure");
      const head = add(figure, "div", "head", panel.title);
      head.dir = "auto";
      const notes = add(figure, "div", "notes");
      for (const note of panel.notes) add(notes, "div", "", note);
      const canvas = document.createElement("canvas");
      canvas.tabIndex = 0;
      canvas.setAttribute("role", "img");
      canvas.setAttribute("aria-label", `${panel.title}: ${panel.notes.join(". ")}`);
      canvas.style.height = `${this.height}px`;
      figure.appendChild(canvas);
      const say = add(figure, "div", "say");
      say.dir = "auto";
      say.setAttribute("aria-live", "polite");
      this.host.appendChild(figure);
      canvas.onpointermove = (event) => this.point(canvas, event, false);
      canvas.onpointerleave = () => this.highlight(-1);
      canvas.onclick = (event) => this.point(canvas, event, true);
      canvas.onkeydown = (event) => this.key(event);
      this.resize.observe(canvas);
      return { panel, canvas, say };
    });
    this.draw();
  }

  key(event) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const n = this.data.original.ids.length;
    if (!step || !n) return;
    event.preventDefault();
    this.chosen = (Math.max(this.chosen, step > 0 ? -1 : 0) + step + n) % n;
    this.hovered = -1;
    this.draw();
    clearTimeout(this.later);
    this.later = setTimeout(() => this.choose(this.chosen), 400);
  }

  point(canvas, event, click) {
    const { left, top } = canvas.getBoundingClientRect();
    const at = this.scale(canvas);
    const { x, y } = this.data.original;
    let best = -1;
    let nearest = NEAR * NEAR;
    for (let v = 0; v < x.length; v++) {
      const dx = at.x(x[v]) - (event.clientX - left);
      const dy = at.y(y[v]) - (event.clientY - top);
      if (dx * dx + dy * dy < nearest) [best, nearest] = [v, dx * dx + dy * dy];
    }
    if (!click) return this.highlight(best);
    this.chosen = best;
    this.choose(best);
    this.draw();
  }

  highlight(vertex) {
    if (vertex === this.hovered) return;
    this.hovered = vertex;
    this.draw();
  }

  scale(canvas) {
    const width = canvas.clientWidth || 330;
    const { x0, x1, y0, y1 } = this.box;
    const k = Math.min((width - 2 * PADDING) / Math.max(x1 - x0, 1e-9), (this.height - 2 * PADDING) / Math.max(y1 - y0, 1e-9));
    const factor = Number.isFinite(k) && k < 1e8 ? k : 1;
    return {
      x: (value) => width / 2 + (value - (x0 + x1) / 2) * factor,
      y: (value) => this.height / 2 + (value - (y0 + y1) / 2) * factor,
      width,
    };
  }

  draw() {
    cancelAnimationFrame(this.frame);
    this.frame = requestAnimationFrame(() => {
      const theme = themeOf(this.settings.colours, getComputedStyle(this.host));
      for (const item of this.items) this.paint(item, theme);
    });
  }

  paint({ panel, canvas, say }, theme) {
    const at = this.scale(canvas);
    const ratio = window.devicePixelRatio || 1;
    canvas.width = at.width * ratio;
    canvas.height = this.height * ratio;
    const g = canvas.getContext("2d");
    g.scale(ratio, ratio);
    const { original } = this.data;
    const n = original.ids.length;
    const ox = original.x.map(at.x);
    const oy = original.y.map(at.y);
    const rx = panel.x.map(at.x);
    const ry = panel.y.map(at.y);
    const r = n > 2000 ? 0.9 : n > 300 ? 1.8 : n > 60 ? 3 : 4;
    const growth = n > 300 ? 0.3 : 0.55;
    const focus = this.hovered >= 0 ? this.hovered : this.chosen;
    const home = focus >= 0 ? panel.cluster[focus] : -1;

    // the original, faded
    g.globalAlpha = 0.35;
    g.strokeStyle = theme.edge;
    g.lineWidth = 1;
    lines(g, original.edges, ox, oy);
    g.globalAlpha = 1;

    // who goes where
    g.strokeStyle = theme.quiet;
    g.lineWidth = 0.8;
    g.globalAlpha = n > 300 ? 0.25 : 0.5;
    g.setLineDash([2, 3]);
    g.beginPath();
    for (let v = 0; v < n; v++) {
      const c = panel.cluster[v];
      if (c >= 0 && panel.at[c] !== v) {
        g.moveTo(ox[v], oy[v]);
        g.lineTo(rx[c], ry[c]);
      }
    }
    g.stroke();
    g.setLineDash([]);

    // the reduced graph's edges, wider where they stand for more
    const strongest = panel.weight.reduce((a, b) => Math.max(a, b), 0) || 1;
    const many = panel.weight.length > 2000;
    g.strokeStyle = theme.text;
    for (let e = 0; e < panel.weight.length; e++) {
      const share = panel.weight[e] / strongest;
      g.globalAlpha = (many ? 0.12 : 0.25) + 0.5 * share;
      g.lineWidth = (many ? 0.5 : 1) + 2 * Math.sqrt(share);
      g.beginPath();
      g.moveTo(rx[panel.edges[2 * e]], ry[panel.edges[2 * e]]);
      g.lineTo(rx[panel.edges[2 * e + 1]], ry[panel.edges[2 * e + 1]]);
      g.stroke();
    }
    g.globalAlpha = 1;

    // vertices that are no longer there themselves: small squares, hollow where nothing of them goes on
    const stays = new Set(panel.at);
    const [, survivor, other] = theme.states;
    for (let v = 0; v < n; v++) {
      if (stays.has(v)) continue;
      const dropped = panel.cluster[v] < 0;
      const own = focus >= 0 && home >= 0 && panel.cluster[v] === home;
      const s = r * 0.85;
      g.fillStyle = dropped ? theme.background : other.fill;
      g.strokeStyle = own ? theme.accent : other.border;
      g.lineWidth = own ? 2 : n > 300 ? 0.5 : 1;
      g.beginPath();
      g.rect(ox[v] - s, oy[v] - s, 2 * s, 2 * s);
      g.fill();
      g.stroke();
      if (dropped && n <= 300) lines(g, [0, 1], [ox[v] - s, ox[v] + s], [oy[v] - s, oy[v] + s]);
    }

    // the reduced vertices: large and ringed; a cluster that is no vertex of the graph is a ring alone
    const large = panel.names.length;
    for (let c = 0; c < large; c++) {
      const grown = panel.size ? Math.sqrt(panel.size[c]) : 1.4;
      const radius = Math.min(r * (1 + growth * grown), 15);
      g.fillStyle = panel.at[c] >= 0 ? survivor.fill : theme.background;
      g.strokeStyle = c === home && focus >= 0 ? theme.accent : survivor.border;
      g.lineWidth = c === home && focus >= 0 ? 3 : large > 1000 ? 0.4 : large > 300 ? 0.8 : 2;
      g.beginPath();
      g.arc(rx[c], ry[c], radius, 0, 7);
      g.fill();
      g.stroke();
    }
    if (n <= 30) {
      g.fillStyle = theme.quiet;
      g.font = `11px ${theme.font}`;
      g.textAlign = "center";
      for (let v = 0; v < n; v++) {
        const name = original.labels ? original.labels[v] || original.ids[v] : original.ids[v];
        if (v !== focus) g.fillText(shorten(name, 8), ox[v], oy[v] - r - (stays.has(v) ? 9 : 5));
      }
    }
    if (focus >= 0) {
      g.strokeStyle = theme.accent;
      g.lineWidth = 2;
      const shares = panel.shares ? panel.shares[focus] : home >= 0 ? [[home, 1]] : [];
      for (const [c, share] of shares) {
        g.globalAlpha = 0.25 + 0.75 * share;
        lines(g, [0, 1], [ox[focus], rx[c]], [oy[focus], ry[c]]);
      }
      g.globalAlpha = 1;
      g.beginPath();
      g.arc(ox[focus], oy[focus], r + 6, 0, 7);
      g.stroke();
      g.fillStyle = theme.text;
      g.font = `600 12.5px ${theme.font}`;
      g.textAlign = ox[focus] > at.width / 2 ? "right" : "left";
      const name = original.ids[focus];
      const label = original.labels && original.labels[focus] !== name ? `${name} ${original.labels[focus]}` : name;
      g.fillText(shorten(label, 30), ox[focus] + (ox[focus] > at.width / 2 ? -r - 9 : r + 9), oy[focus] - r - 4);
    }
    say.textContent = this.sentence(panel, focus, home);
  }

  sentence(panel, focus, home) {
    const words = this.settings.words;
    if (focus < 0) return panel.left_out ? fillText(words.left_out, { n: panel.left_out, shown: panel.left_out.toLocaleString("en") }) : "";
    const v = shorten(this.data.original.ids[focus], 24);
    if (panel.shares) {
      const parts = panel.shares[focus].map(([c, share]) => `${panel.names[c]} ${share.toFixed(2)}`);
      return fillText(words.soft, { v, list: parts.join(", ") });
    }
    if (home < 0) return fillText(words.dropped, { v });
    const members = panel.cluster.reduce((count, c) => count + (c === home), 0);
    if (panel.at[home] === focus) return fillText(members > 1 ? words.gathers : words.alone, { v, n: members });
    return fillText(words.goes, { v, to: shorten(panel.names[home], 24), n: members });
  }
}

function add(parent, tag, kind, text = "") {
  const made = document.createElement(tag);
  made.className = kind;
  made.textContent = text;
  parent.appendChild(made);
  return made;
}

// edges as a flat list of pairs, from (x, y)
function lines(g, edges, x, y) {
  g.beginPath();
  for (let e = 0; e < edges.length; e += 2) {
    g.moveTo(x[edges[e]], y[edges[e]]);
    g.lineTo(x[edges[e + 1]], y[edges[e + 1]]);
  }
  g.stroke();
}
