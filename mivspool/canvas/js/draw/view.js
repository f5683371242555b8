// The graph on four stacked canvases: edges (redrawn only when the view moves), vertices (redrawn at a step), an overlay
// (pointer, selection, pulses, arrows) and, over all lines, words. A step so repaints the vertices and words alone;
// positions and zoom stay.
import { shorten } from "../model/text.js";
import { ELIMINATING, eliminations, parted, pointers, POINTING, progress, SURVIVING, underway, WHOLE } from "../model/parts.js";
import { CANDIDATE, ELIMINATED, SURVIVOR } from "../model/trace.js";

const MANY_VERTICES = 2000; // half a pixel is not seen where so many stand
const MANY_EDGES = 4000; // beyond, a moving view shows the edges' picture and redraws it when it rests
const SLOW_MS = 120; // between two frames of what moves
const MANY_LABELS = 260; // labels drawn at once
const MANY_CROSSED = 1500; // edges among which words look for a free side
const PAD = 46; // room for a large vertex and its label
const PULSE_MS = 650;
const ARROW_MS = 600;
const POOL_MS = 1000;

const clamp = (x, low, high) => Math.max(low, Math.min(high, x));
const ease = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (-2 * t + 2) ** 3 / 2);

// where words may stand at a vertex: below, above, right, left
const SIDES = [[0, 1], [0, -1], [1, 0], [-1, 0]];

// how much of a line from (x0, y0) to (x1, y1) lies in a box, in its units
function within(box, x0, y0, x1, y1) {
  let [from, to] = [0, 1];
  for (const [at, by, low, high] of [[x0, x1 - x0, box[0], box[2]], [y0, y1 - y0, box[1], box[3]]]) {
    if (!by) {
      if (at <= low || at >= high) return 0;
      continue;
    }
    const [a, b] = [(low - at) / by, (high - at) / by];
    from = Math.max(from, Math.min(a, b));
    to = Math.min(to, Math.max(a, b));
  }
  return to > from ? (to - from) * Math.hypot(x1 - x0, y1 - y0) : 0;
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

// keeps a name's writing direction out of what stands beside it
const isolated = (text) => `\u2068${text}\u2069`;

export class View {
  // stage: the element to fill; theme: colours and fonts (see theme.js)
  constructor(stage, trace, theme, options) {
    this.stage = stage;
    stage.view = this; // for benchmarks and tests
    this.trace = trace;
    this.theme = theme;
    this.options = options;
    this.step = 0;
    this.part = WHOLE;
    this.selected = -1;
    this.hovered = -1;
    this.marks = []; // vertices that another view points at
    this.sketch = null; // of Predict: what was guessed, and what it was worth
    this.differing = []; // vertices that a change of the graph made something else
    this.edge = null; // [u, v]: an edge that is selected
    this.band = null; // {from, x, y}: an edge that is being drawn
    this.evidence = { rival: -1, by: -1 };
    this.x = Float64Array.from(trace.data.x);
    this.y = Float64Array.from(trace.data.y);
    this.animation = null;
    this.sprites = new Map();
    this.names = trace.ids.map((id) => isolated(shorten(id, 16)));
    this.edgeLayer = this._layer("edges");
    this.vertexLayer = this._layer("vertices");
    this.overLayer = this._layer("overlay");
    this.wordLayer = this._layer("words");
    this._spacing();
    this.resizer = new ResizeObserver(() => this._resize());
    this.resizer.observe(stage);
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this._resize();
  }

  destroy() {
    this.resizer.disconnect();
    cancelAnimationFrame(this.frame);
    clearTimeout(this.redrawTimer);
    for (const layer of [this.edgeLayer, this.vertexLayer, this.overLayer, this.wordLayer]) layer.canvas.remove();
  }

  _layer(name) {
    const canvas = document.createElement("canvas");
    canvas.className = `layer ${name}`;
    canvas.setAttribute("aria-hidden", "true");
    this.stage.appendChild(canvas);
    return canvas.getContext("2d");
  }

  // the distance that vertices have between them, in world units
  _spacing() {
    const { trace, x, y } = this;
    const lengths = [];
    const every = Math.max(2, 2 * Math.ceil(trace.edges.length / 4000));
    for (let e = 0; e < trace.edges.length; e += every) {
      const [a, b] = [trace.edges[e], trace.edges[e + 1]];
      lengths.push(Math.hypot(x[a] - x[b], y[a] - y[b]));
    }
    lengths.sort((a, b) => a - b);
    this._bounds();
    const area = Math.sqrt((Math.max(this.box.w, 1e-9) * Math.max(this.box.h, 1e-9)) / Math.max(trace.n, 1));
    const edge = lengths.length ? lengths[Math.floor(lengths.length / 2)] : Infinity;
    const line = Math.max(this.box.w, this.box.h) / Math.max(trace.n - 1, 1); // all on one line
    this.spacing = Math.min(edge, Math.max(area, line)) || 1;
    this.nearest = this._nearest(Math.max(area, line, 1e-9));
  }

  // the distance to the nearest vertex that four in five have at least (world units), found on a grid of squares
  _nearest(square) {
    const { n } = this.trace;
    const { x, y, box } = this;
    const cells = new Map();
    const at = (v) => [Math.floor((x[v] - box.x) / square), Math.floor((y[v] - box.y) / square)];
    for (let v = 0; v < n; v++) {
      const key = at(v).join();
      if (!cells.has(key)) cells.set(key, []);
      cells.get(key).push(v);
    }
    const nearest = [];
    for (let v = 0; v < n; v++) {
      const [i, j] = at(v);
      let least = 2 * square;
      for (let di = -1; di <= 1; di++) for (let dj = -1; dj <= 1; dj++) {
        for (const u of cells.get(`${i + di},${j + dj}`) || []) {
          if (u !== v) least = Math.min(least, Math.hypot(x[u] - x[v], y[u] - y[v]));
        }
      }
      nearest.push(least);
    }
    nearest.sort((a, b) => a - b);
    return nearest.length ? nearest[Math.floor(nearest.length / 5)] : square;
  }

  _bounds() {
    let [x0, x1, y0, y1] = [Infinity, -Infinity, Infinity, -Infinity];
    for (let v = 0; v < this.trace.n; v++) {
      if (this.x[v] < x0) x0 = this.x[v];
      if (this.x[v] > x1) x1 = this.x[v];
      if (this.y[v] < y0) y0 = this.y[v];
      if (this.y[v] > y1) y1 = this.y[v];
    }
    if (!this.trace.n) [x0, x1, y0, y1] = [0, 1, 0, 1];
    this.box = { x: x0, y: y0, w: x1 - x0, h: y1 - y0 };
  }

  _resize() {
    const w = this.stage.clientWidth;
    const h = this.stage.clientHeight;
    const dpr = Math.min(window.devicePixelRatio || 1, 2);
    if (!w || !h || (w === this.w && h === this.h && dpr === this.dpr)) return;
    const first = !this.w;
    const wasFitted = first || this.fitted;
    const [dw, dh] = [w - (this.w || w), h - (this.h || h)];
    Object.assign(this, { w, h, dpr });
    for (const layer of [this.edgeLayer, this.vertexLayer, this.overLayer, this.wordLayer]) {
      layer.canvas.width = Math.round(w * dpr);
      layer.canvas.height = Math.round(h * dpr);
    }
    if (wasFitted) this.fit();
    else {
      this.tx += dw / 2;
      this.ty += dh / 2;
      this.drawAll();
    }
  }

  fit() {
    this._bounds();
    const { box, w, h } = this;
    const pad = Math.min(PAD, w / 8, h / 8);
    const sx = box.w > 1e-9 ? (w - 2 * pad) / box.w : Infinity;
    const sy = box.h > 1e-9 ? (h - 2 * pad) / box.h : Infinity;
    const most = 90 / this.spacing; // a pair of vertices should not fill the stage
    this.scale = Math.min(sx, sy, most);
    if (!Number.isFinite(this.scale)) this.scale = 1;
    this.fitScale = this.scale;
    this.tx = w / 2 - (box.x + box.w / 2) * this.scale;
    this.ty = h / 2 - (box.y + box.h / 2) * this.scale;
    this.fitted = true;
    this.drawAll();
  }

  // where everything stands: positions, zoom, and whether the view fits the graph
  place() {
    const { x, y, scale, tx, ty, fitted, fitScale } = this;
    return { x, y, scale, tx, ty, fitted, fitScale };
  }

  setPlace(place) {
    Object.assign(this, place);
    this.drawAll();
  }

  zoomBy(factor, cx = this.w / 2, cy = this.h / 2) {
    const scale = clamp(this.scale * factor, this.fitScale * 0.3, Math.max(this.fitScale * 60, 4 / this.spacing));
    const f = scale / this.scale;
    this.tx = cx - (cx - this.tx) * f;
    this.ty = cy - (cy - this.ty) * f;
    this.scale = scale;
    this._moved();
  }

  panBy(dx, dy) {
    this.tx += dx;
    this.ty += dy;
    this._moved();
  }

  // a vertex is pulled somewhere else, to a place on the stage
  pull(v, px, py) {
    [this.x[v], this.y[v]] = this.world(px, py);
    this._request(this.trace.edges.length / 2 > MANY_EDGES ? "vertices" : "edges");
  }

  // it stays there
  pulled() {
    this.fitted = false;
    this._request("edges");
  }

  // an edge that is being drawn: {from, x, y}, or null
  setBand(band) {
    this.band = band;
    this._request("overlay");
  }

  _moved() {
    this.fitted = false;
    if (this.trace.edges.length / 2 <= MANY_EDGES) return this.drawAll();
    // show the edges' last picture where it now belongs, and redraw it when the view rests
    const d = this.drawn;
    const f = this.scale / d.scale;
    this.edgeLayer.canvas.style.transform = `translate(${this.tx - d.tx * f}px, ${this.ty - d.ty * f}px) scale(${f})`;
    this._request("vertices");
    clearTimeout(this.redrawTimer);
    this.redrawTimer = setTimeout(() => this._request("edges"), 140);
  }

  // ---- what is shown ----------------------------------------------------------------------------------------------

  setTheme(theme) {
    this.theme = theme;
    this.sprites.clear();
    this.drawAll();
  }

  setOptions(options) {
    this.options = options;
    this.drawAll();
  }

  // another trace of a graph that changes: zoom and sizes stay; moved: whether anything but a score is different
  setTrace(trace, { step, part }, moved) {
    if (moved) {
      this.x = Float64Array.from(trace.data.x);
      this.y = Float64Array.from(trace.data.y);
      if (this.trace.ids !== trace.ids) this.names = trace.ids.map((id) => isolated(shorten(id, 16)));
    }
    this.trace = trace;
    Object.assign(this, { step, part, arrows: null });
    this.animation = null;
    this._request(moved ? "edges" : "vertices");
  }

  // at: {step, part}
  setStep({ step, part }, animate) {
    const { trace, step: from } = this;
    const forward = progress({ step, part }) > progress(this);
    Object.assign(this, { step, part, arrows: null });
    const kind = this.trace.kinds[step];
    this.animation = null;
    if (animate && !this.still.matches) {
      const start = performance.now();
      if (kind === "pool" && from !== step) this.animation = { start, ms: POOL_MS, what: "pool" };
      else if (kind === "assign" && forward) this.animation = { start, ms: ARROW_MS, what: "assign" };
      else if (forward && [POINTING, ELIMINATING].includes(part)) this.animation = { start, ms: ARROW_MS, what: "part" };
      else if (forward) this.animation = { start, ms: PULSE_MS, what: "pulse", fresh: trace.fresh(step) };
    }
    this._request("vertices");
  }

  // skip what moves (a click during the pooling)
  skip() {
    if (!this.animation) return;
    this.animation = null;
    this._request("vertices");
  }

  point({ selected = this.selected, hovered = this.hovered, evidence = this.evidence }) {
    const layer = selected === this.selected ? "overlay" : "vertices"; // a selected vertex's words make room for its halo
    Object.assign(this, { selected, hovered, evidence });
    this._request(layer);
  }

  mark(vertices, sketch) {
    this.marks = vertices;
    this.sketch = sketch;
    this._request("overlay");
  }

  // ---- drawing ----------------------------------------------------------------------------------------------------

  drawAll() {
    this._request("edges");
  }

  _request(layer) {
    const level = { overlay: 1, vertices: 2, edges: 3 }[layer];
    this.pending = Math.max(this.pending || 0, level);
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      const pending = this.pending;
      this.pending = 0;
      if (!this.w) return;
      if (pending >= 3) this._drawEdges();
      if (pending >= 2) this._drawVertices();
      this._drawOverlay();
      if (this.animation) {
        const now = performance.now();
        const t = (now - this.animation.start) / this.animation.ms;
        const slow = now - this.animation.last > SLOW_MS; // what does not slide, jumps: the page answers again sooner
        this.animation.last = now;
        if (t >= 1 || slow) {
          this.animation = null;
          this._request("vertices");
        } else this._request(this.animation.what === "pool" ? "vertices" : "overlay");
      }
    });
  }

  _progress(what) {
    if (!this.animation || this.animation.what !== what) return 1;
    return ease(clamp((performance.now() - this.animation.start) / this.animation.ms, 0, 1));
  }

  // what a vertex is now
  stateOf(v) {
    return this.trace.state(v, this.step, this.part);
  }

  // how far the clusters have slid together: 0 … 1
  get pooled() {
    return this.trace.kinds[this.step] === "pool" ? this._progress("pool") : 0;
  }

  sx(v) {
    return this.x[v] * this.scale + this.tx;
  }

  sy(v) {
    return this.y[v] * this.scale + this.ty;
  }

  get radius() {
    const still = this.options.layout === "still";
    const [share, most] = still ? [0.2, 11] : this.options.present ? [0.36, 34] : [0.3, 17];
    const least = (still ? 0.6 : 1) * (this.trace.n <= 100 ? 7.5 : 2.2);
    const wanted = Math.min(share * this.spacing, (still ? 0.38 : 0.48) * this.nearest);
    const fitted = clamp(wanted * this.fitScale, least, most);
    return clamp(fitted * (this.scale / this.fitScale) ** 0.75, 1.6, this.options.present ? 46 : 26);
  }

  _growth(size) {
    return size > 1 ? Math.min(1 + 0.22 * Math.log2(size), 2.2) : 1;
  }

  radiusOf(v, state, base = this.radius) {
    let r = base * [0.92, 1.12, 0.78][state];
    if (this.trace.size) r *= this._growth(this.trace.size[v]);
    const pooled = this.pooled;
    if (pooled && state === SURVIVOR) {
      const own = this.trace.size ? this.trace.size[v] : 1;
      r *= 1 + pooled * (this._growth(this.trace.data.cluster_size[v] / own) - 1);
    }
    return r;
  }

  _clear(layer) {
    layer.setTransform(1, 0, 0, 1, 0, 0);
    layer.clearRect(0, 0, layer.canvas.width, layer.canvas.height);
    layer.setTransform(this.dpr, 0, 0, this.dpr, 0, 0);
  }

  edgeWidth(weight) {
    const base = clamp(this.radius / 9, 0.6, this.options.present ? 3.2 : 1.7);
    return weight > 1 ? Math.min(base * (1 + 0.9 * Math.log2(weight)), 9) : base;
  }

  _drawEdges() {
    const { trace, edgeLayer: c } = this;
    this._clear(c);
    c.canvas.style.transform = "";
    this.drawn = { scale: this.scale, tx: this.tx, ty: this.ty };
    this.crossed = new Map(); // the lines that words would cover have moved
    c.strokeStyle = this.theme.edge;
    const groups = new Map();
    for (let i = 0; i < trace.edges.length / 2; i++) {
      const width = this.edgeWidth(trace.weight ? trace.weight[i] : 1);
      const key = Math.round(width * 2) / 2 || 0.5;
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(i);
    }
    const fade = trace.edges.length > 2 * MANY_EDGES ? 0.55 : 1;
    c.globalAlpha = fade;
    for (const [width, list] of groups) {
      c.lineWidth = width;
      c.beginPath();
      for (const i of list) {
        const [a, b] = [trace.edges[2 * i], trace.edges[2 * i + 1]];
        const [x0, y0, x1, y1] = [this.sx(a), this.sy(a), this.sx(b), this.sy(b)];
        if (Math.max(x0, x1) < 0 || Math.max(y0, y1) < 0) continue;
        if (Math.min(x0, x1) > this.w || Math.min(y0, y1) > this.h) continue;
        c.moveTo(x0, y0);
        c.lineTo(x1, y1);
      }
      c.stroke();
    }
    c.globalAlpha = 1;
    if (trace.weight && trace.edges.length <= 240) this._weights(c, trace.edges, trace.weight, 1);
  }

  _weights(c, edges, weight, alpha) {
    c.font = `11px ${this.theme.font}`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.lineWidth = 4;
    c.lineJoin = "round";
    c.globalAlpha = alpha;
    for (let i = 0; i < weight.length; i++) {
      if (weight[i] === 1) continue;
      const [a, b] = [edges[2 * i], edges[2 * i + 1]];
      const [x, y] = [(this.sx(a) + this.sx(b)) / 2, (this.sy(a) + this.sy(b)) / 2];
      const text = String(Math.round(weight[i] * 100) / 100);
      c.strokeStyle = this.theme.background;
      c.strokeText(text, x, y);
      c.fillStyle = this.theme.quiet;
      c.fillText(text, x, y);
    }
    c.globalAlpha = 1;
  }

  // one picture for each state and size: drawing thousands of vertices is then copying
  _sprite(state, r) {
    const size = Math.max(2, Math.round(r * 2)) / 2;
    const key = state * 1000 + size;
    let sprite = this.sprites.get(key);
    if (sprite && sprite.dpr === this.dpr) return sprite;
    const half = Math.ceil(1.24 * size + 7);
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = Math.ceil(2 * half * this.dpr);
    const c = canvas.getContext("2d");
    c.scale(this.dpr, this.dpr);
    c.translate(half, half);
    this._shape(c, state, size);
    sprite = { canvas, half, dpr: this.dpr, px: canvas.width / this.dpr };
    this.sprites.set(key, sprite);
    return sprite;
  }

  _shape(c, state, r) {
    const { fill, border } = this.theme.states[state];
    const line = clamp(r / 6, 0.8, 2);
    c.beginPath();
    if (state === ELIMINATED) c.roundRect(-r, -r, 2 * r, 2 * r, r * 0.22);
    else c.arc(0, 0, r, 0, 2 * Math.PI);
    c.fillStyle = fill;
    c.fill();
    c.lineWidth = line;
    c.strokeStyle = border;
    c.stroke();
    if (state === SURVIVOR && r >= 4) {
      c.beginPath();
      c.arc(0, 0, r + Math.max(2, r * 0.24), 0, 2 * Math.PI);
      c.lineWidth = clamp(r / 8, 0.9, 2);
      c.stroke();
    }
  }

  _drawVertices() {
    const { trace, vertexLayer: c } = this;
    this._clear(c);
    this._clear(this.wordLayer);
    const pooled = this.pooled;
    this.edgeLayer.canvas.style.opacity = String(1 - pooled);
    if (pooled) this._drawReduced(c, pooled);
    const base = this.radius;
    const buckets = [[], [], []];
    const edge = 40;
    const many = trace.n > MANY_VERTICES;
    for (let v = 0; v < trace.n; v++) {
      const [x, y] = [this.sx(v), this.sy(v)];
      if (x < -edge || y < -edge || x > this.w + edge || y > this.h + edge) {
        if (!pooled) continue;
      }
      buckets[this.stateOf(v)].push(v);
    }
    for (const state of [ELIMINATED, CANDIDATE, SURVIVOR]) {
      const slides = pooled && state === ELIMINATED;
      if (slides && pooled >= 1) continue;
      c.globalAlpha = slides ? 1 - pooled * pooled : 1;
      for (const v of buckets[state]) {
        const sprite = this._sprite(state, this.radiusOf(v, state, base));
        let [x, y] = [this.sx(v), this.sy(v)];
        if (slides) {
          const to = trace.cluster[v];
          x += (this.sx(to) - x) * pooled;
          y += (this.sy(to) - y) * pooled;
        }
        x -= sprite.half;
        y -= sprite.half;
        // on whole pixels a picture is copied as it is; between them each of its pixels is interpolated
        if (many) [x, y] = [Math.round(x * this.dpr) / this.dpr, Math.round(y * this.dpr) / this.dpr];
        c.drawImage(sprite.canvas, x, y, sprite.px, sprite.px);
      }
    }
    c.globalAlpha = 1;
    if (pooled) buckets[ELIMINATED].length = 0;
    if (base < 7.5 || buckets[0].length + buckets[1].length + buckets[2].length > MANY_LABELS) return;
    // boxes of text that stand already: where it is crowded, the selected and the better vertices' words are shown
    const taken = (this.worded = []);
    const named = [SURVIVOR, CANDIDATE, ELIMINATED].flatMap((state) =>
      buckets[state].sort((a, b) => trace.rank[a] - trace.rank[b]).map((v) => [v, state]),
    );
    named.sort(([a], [b]) => (b === this.selected) - (a === this.selected));
    for (const [v, state] of named) this._label(c, v, state, base, taken);
  }

  _label(c, v, state, base, taken) {
    const r = this.radiusOf(v, state, base);
    const [x, y] = [this.sx(v), this.sy(v)];
    const name = this.options.labels === "label" && this.trace.labels ? this.trace.labels[v] : this.names[v];
    const large = this.options.present ? 1.9 : 1;
    const size = clamp(r * 0.86, 8.5, 14 * large);
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.font = `600 ${size}px ${this.theme.font}`;
    const words = []; // what stands below the vertex, most needed last
    if (this.options.labels !== "none") {
      if (c.measureText(name).width <= 1.75 * r) {
        c.fillStyle = this.theme.states[state].ink;
        c.fillText(name, x, y + size * 0.04);
      } else words.push(name);
    }
    if (this.options.labels === "id" && this.trace.labels?.[v] && this.trace.labels[v] !== this.trace.ids[v]) {
      words.push(isolated(shorten(this.trace.labels[v], 10)));
    }
    const still = this.options.layout === "still";
    const standsFor = still ? this.trace.size && this.trace.size[v] : this.trace.data.cluster_size[v];
    if (still || this.trace.kinds[this.step] === "pool") {
      if (standsFor > 1) words.push(`×${standsFor}`);
    } else if (this.options.scores) words.push(this.trace.shortScore(this.trace.score[v]));
    if (!words.length) return;
    const { wordLayer: over } = this;
    const fontSize = this.options.present ? clamp(base * 0.8, 14, 23) : clamp(base * 0.68, 9.5, 12);
    over.font = `${fontSize}px ${this.theme.font}`;
    over.textAlign = "center";
    over.textBaseline = "middle";
    const ring = state === SURVIVOR ? Math.max(2, r * 0.24) : 0;
    const gap = r + ring + (v === this.selected ? 6 : 0);
    const texts = words.length > 1 ? [words.join(" · "), words[words.length - 1]] : words;
    const sides = this._sides(v, over.measureText(texts[0]).width / 2 + 2, fontSize, gap);
    // all of it where there is room, else the last word, else nothing
    for (const text of texts) {
      const half = over.measureText(text).width / 2 + 2;
      for (const side of sides) {
        const box = this._boxAt(x, y, gap, half, fontSize, side);
        if (taken.some((b) => overlap(b, box)) || this._covers(box, v, base * 0.7)) continue;
        const [at, top] = [(box[0] + box[2]) / 2, (box[1] + box[3]) / 2];
        taken.push(box);
        over.lineWidth = 4;
        over.lineJoin = "round";
        over.strokeStyle = this.theme.background;
        over.strokeText(text, at, top);
        over.fillStyle = this.theme.text;
        over.fillText(text, at, top);
        return;
      }
    }
  }

  // the box of words at one side of a vertex; below and above it is kept on the stage
  _boxAt(x, y, gap, half, fontSize, side) {
    const [dx, dy] = SIDES[side];
    const kept = dy && half < this.w / 2 && x > -half && x < this.w + half;
    const at = kept ? clamp(x, half, this.w - half) : x + dx * (gap + half + 3);
    const top = y + dy * (gap + fontSize * 0.85);
    return [at - half, top - fontSize * 0.5, at + half, top + fontSize * 0.5];
  }

  // The sides of a vertex, best first: below, unless lines cross words there and fewer cross them elsewhere. That is
  // decided by the lines alone, so words stay where they are from step to step, until the reduced graph has other lines.
  _sides(v, half, fontSize, gap) {
    const pooled = this.trace.kinds[this.step] === "pool";
    const { edges } = pooled ? this.trace.data.reduced : this.trace;
    if (edges.length / 2 > MANY_CROSSED) return [0];
    const key = pooled ? -1 - v : v;
    const known = this.crossed.get(key);
    if (known && known.half >= half && known.half < 2 * half) return known.sides;
    const [x, y] = [this.sx(v), this.sy(v)];
    const handle = this.options.mode === "edit" && v === this.selected; // stands beside it
    const rated = (handle ? [0, 1] : [0, 1, 2, 3]).map((side) => {
      const box = this._boxAt(x, y, pooled ? gap : 1.2 * this.radius, half, fontSize, side);
      const outside = box[0] < 0 || box[1] < 0 || box[2] > this.w || box[3] > this.h;
      let lines = outside ? 1e6 : 0;
      for (let e = 0; e < edges.length; e += 2) {
        lines += within(box, this.sx(edges[e]), this.sy(edges[e]), this.sx(edges[e + 1]), this.sy(edges[e + 1]));
      }
      return { side, lines: lines + side }; // a tie goes to below
    });
    const sides = rated.sort((a, b) => a.lines - b.lines).filter(({ lines }) => lines < 1e6).map(({ side }) => side);
    const found = sides.length ? sides : [0];
    if (!handle) this.crossed.set(key, { half, sides: found });
    return found;
  }

  // would a box of text cover another vertex?
  _covers(box, v, r) {
    const pooled = this.trace.kinds[this.step] === "pool";
    for (let u = 0; u < this.trace.n; u++) {
      if (u === v || (pooled && !this.trace.survivor[u])) continue;
      const [x, y] = [this.sx(u), this.sy(u)];
      if (x + r > box[0] && x - r < box[2] && y + r > box[1] && y - r < box[3]) return true;
    }
    return false;
  }

  _drawReduced(c, alpha) {
    const { edges, weight } = this.trace.data.reduced;
    c.strokeStyle = this.theme.edge;
    c.globalAlpha = alpha;
    const groups = new Map(); // one path a width: this is drawn in every frame of the pooling
    for (let i = 0; i < weight.length; i++) {
      const width = this.edgeWidth(weight[i]);
      if (!groups.has(width)) groups.set(width, new Path2D());
      const path = groups.get(width);
      path.moveTo(this.sx(edges[2 * i]), this.sy(edges[2 * i]));
      path.lineTo(this.sx(edges[2 * i + 1]), this.sy(edges[2 * i + 1]));
    }
    for (const [width, path] of groups) {
      c.lineWidth = width;
      c.stroke(path);
    }
    c.globalAlpha = 1;
    if (weight.length <= 120) this._weights(c, edges, weight, alpha);
  }

  _arrow(c, from, to, grown, width, headless = false) {
    const [x0, y0, x1, y1] = [this.sx(from), this.sy(from), this.sx(to), this.sy(to)];
    const length = Math.hypot(x1 - x0, y1 - y0) || 1;
    const [ux, uy] = [(x1 - x0) / length, (y1 - y0) / length];
    const state = this.stateOf(to);
    const a = this.radiusOf(from, this.stateOf(from)) + 1;
    const b = this.radiusOf(to, state) * (state === SURVIVOR ? 1.24 : 1) + 2;
    if (length <= a + b) return;
    const end = a + (length - a - b) * grown;
    const head = headless ? 0 : clamp(this.radius * 0.62, 3, 9);
    c.lineWidth = width;
    c.beginPath();
    c.moveTo(x0 + ux * a, y0 + uy * a);
    c.lineTo(x0 + ux * Math.max(a, end - head), y0 + uy * Math.max(a, end - head));
    c.stroke();
    if (!head || grown < 0.25) return;
    const [hx, hy] = [x0 + ux * end, y0 + uy * end];
    c.beginPath();
    c.moveTo(hx, hy);
    c.lineTo(hx - ux * head - uy * head * 0.55, hy - uy * head + ux * head * 0.55);
    c.lineTo(hx - ux * head + uy * head * 0.55, hy - uy * head - ux * head * 0.55);
    c.closePath();
    c.fill();
  }

  _halo(c, v, colour, width, gap) {
    const r = this.radiusOf(v, this.stateOf(v));
    const extra = this.stateOf(v) === SURVIVOR ? Math.max(2, r * 0.24) : 0;
    c.strokeStyle = colour;
    c.lineWidth = width;
    c.beginPath();
    const around = r * (this.stateOf(v) === ELIMINATED ? 1.3 : 1) + extra + gap;
    c.arc(this.sx(v), this.sy(v), around, 0, 2 * Math.PI);
    c.stroke();
  }

  // the vertex that the panels speak of (once pooled away: its survivor), or -1
  explained() {
    const v = this.selected;
    return v >= 0 && this.trace.kinds[this.step] === "pool" ? this.trace.cluster[v] : v;
  }

  // a mark at the upper right of a vertex
  _dot(c, v) {
    const r = this.radiusOf(v, this.stateOf(v));
    c.beginPath();
    c.arc(this.sx(v) + 0.85 * r + 1, this.sy(v) - 0.85 * r - 1, clamp(0.34 * r, 1.6, 5), 0, 2 * Math.PI);
    c.fillStyle = this.theme.text;
    c.strokeStyle = this.theme.background;
    c.lineWidth = 1.5;
    c.fill();
    if (r > 4) c.stroke();
  }

  // what was guessed; after the check, right, wrong and missed by colour, line and sign
  _drawSketch(c) {
    const { marks, arrows, edges } = this.sketch;
    const grown = this._progress("assign");
    const drawn = [...arrows.map((arrow) => [...arrow, false]), ...edges.map((edge) => [...edge, true])];
    for (const [from, to, mark, headless] of drawn) {
      const { colour, dash } = this._verdict(mark);
      c.strokeStyle = c.fillStyle = colour;
      c.setLineDash(dash);
      if (mark !== "missed" || headless) this._arrow(c, from, to, 1, clamp(this.radius / 4, 1.5, 3.5), headless); // an arrow that was missed is drawn anyway
      c.setLineDash([]);
    }
    if (grown < 1) return; // the arrows are still growing
    for (const [from, to, mark] of drawn) {
      if (mark) this._sign(c, mark, 0.55 * this.sx(from) + 0.45 * this.sx(to), 0.55 * this.sy(from) + 0.45 * this.sy(to));
    }
    for (const [v, mark] of marks) {
      const r = this.radiusOf(v, this.stateOf(v)) + 4;
      this._sign(c, mark, this.sx(v) + 0.8 * r, this.sy(v) - 0.8 * r);
    }
  }

  _verdict(mark) {
    const { accent, text, states } = this.theme;
    if (!mark) return { colour: accent, dash: [], sign: "" };
    return {
      right: { colour: states[SURVIVOR].border, dash: [], sign: "✓" },
      wrong: { colour: states[ELIMINATED].border, dash: [6, 4], sign: "✗" },
      missed: { colour: text, dash: [2, 4], sign: "!" },
    }[mark];
  }

  // the sign of a verdict, at a place on the stage
  _sign(c, mark, x, y) {
    const { colour, sign } = this._verdict(mark);
    const r = clamp(0.5 * this.radius, 6, 11);
    c.beginPath();
    c.arc(x, y, r, 0, 2 * Math.PI);
    c.fillStyle = this.theme.background;
    c.strokeStyle = colour;
    c.lineWidth = 1.6;
    c.fill();
    c.stroke();
    c.fillStyle = colour;
    c.font = `700 ${1.35 * r}px ${this.theme.font}`;
    c.textAlign = "center";
    c.textBaseline = "middle";
    c.fillText(sign, x, y + 0.08 * r);
  }

  // the edge that is selected, and the one that is being drawn
  _drawLine(c) {
    const [from, to] = this.edge || (this.band ? [this.band.from, -1] : [-1, -1]);
    if (from < 0) return;
    c.strokeStyle = this.theme.accent;
    c.lineWidth = 3;
    c.beginPath();
    c.moveTo(this.sx(from), this.sy(from));
    if (to >= 0) c.lineTo(this.sx(to), this.sy(to));
    else c.lineTo(this.band.x, this.band.y);
    c.stroke();
  }

  // The arrows of a part of an iteration: from each candidate to the one it points to; at the end, from the survivors to
  // what they eliminate.
  _drawPart(c) {
    const open = underway(this.part);
    if (!this.arrows) {
      const to = open ? pointers(this.trace, this.step) : null;
      this.arrows = open ? Array.from(to, (u, v) => [v, u]).filter(([, u]) => u >= 0) : eliminations(this.trace, this.step);
    }
    const colour = open ? this.theme.text : this.theme.states[SURVIVOR].border;
    c.globalAlpha = this.part === SURVIVING ? 0.45 : 1; // what points to none is seen better then
    const grown = this._progress("part");
    const width = clamp(this.radius / 7, 0.7, 2);
    for (const [from, to] of this.arrows) {
      const own = (open ? from : to) === this.selected; // the arrow that explains it
      c.strokeStyle = c.fillStyle = own ? this.theme.accent : colour;
      this._arrow(c, from, to, grown, own ? 1.5 * width : width);
    }
    c.globalAlpha = 1;
  }

  _drawOverlay() {
    const { trace, overLayer: c } = this;
    this._clear(c);
    if (this.drew) this.drew();
    if (!trace.n) return;
    const kind = trace.kinds[this.step];
    const absorbed = (v) => kind === "pool" && !trace.survivor[v];
    if (kind === "assign") {
      const grown = this._progress("assign");
      c.strokeStyle = c.fillStyle = this.theme.states[SURVIVOR].border;
      const width = clamp(this.radius / 6, 0.8, 2.4);
      for (let v = 0; v < trace.n; v++) {
        if (trace.cluster[v] !== v && trace.cluster[v] >= 0) this._arrow(c, v, trace.cluster[v], grown, width);
      }
    }
    const inParts = this.part !== WHOLE && parted(trace, this.step);
    if (inParts) this._drawPart(c);
    const focus = this.selected >= 0 ? this.selected : this.hovered;
    if (focus >= 0 && kind === "iteration" && !inParts && !absorbed(focus)) {
      c.strokeStyle = c.fillStyle = this.theme.accent;
      const { rival, by } = this.evidence;
      if (this.selected >= 0 && by >= 0) this._arrow(c, by, this.selected, 1, 2);
      else if (this.selected >= 0 && rival >= 0) {
        c.setLineDash([5, 4]);
        this._arrow(c, this.selected, rival, 1, 1.8, true);
        c.setLineDash([]);
      }
    }
    if (this.hovered >= 0 && this.hovered !== this.selected && !absorbed(this.hovered)) {
      c.strokeStyle = this.theme.text;
      c.globalAlpha = 0.55;
      for (const u of trace.neighbours(this.hovered)) this._arrow(c, this.hovered, u, 1, 1.4, true);
      c.globalAlpha = 1;
      this._halo(c, this.hovered, this.theme.text, 1.5, 3);
    }
    for (const v of this.marks) if (!absorbed(v)) this._halo(c, v, this.theme.accent, 1.5, 3);
    this._drawLine(c);
    if (this.selected >= 0) {
      const shown = absorbed(this.selected) ? trace.cluster[this.selected] : this.selected;
      this._halo(c, shown, this.theme.background, 5, 4.5);
      this._halo(c, shown, this.theme.accent, 2.5, 4.5);
    }
    if (this.sketch) this._drawSketch(c); // its signs over all else
    for (const v of this.differing) if (!absorbed(v)) this._dot(c, v);
    if (this.animation && this.animation.what === "pulse") {
      const t = clamp((performance.now() - this.animation.start) / this.animation.ms, 0, 1);
      c.globalAlpha = 1 - t;
      for (const v of this.animation.fresh) {
        const gap = 3 + 14 * ease(t) * clamp(this.radius / 10, 0.4, 1.2);
        this._halo(c, v, this.theme.states[SURVIVOR].border, 2.5 * (1 - t) + 0.5, gap);
      }
      c.globalAlpha = 1;
    }
  }

  // ---- what stands where -------------------------------------------------------------------------------------------

  hit(px, py, slack = 5) {
    let best = -1;
    let least = Infinity;
    const base = this.radius;
    const hidden = this.trace.kinds[this.step] === "pool";
    for (let v = 0; v < this.trace.n; v++) {
      if (hidden && !this.trace.survivor[v]) continue;
      const d = Math.hypot(this.sx(v) - px, this.sy(v) - py) - base;
      if (d < slack && d < least) {
        least = d;
        best = v;
      }
    }
    return best;
  }

  // the edge under a place, as [u, v], or null
  hitEdge(px, py, slack = 6) {
    const { edges } = this.trace;
    let found = null;
    let least = slack;
    for (let e = 0; e < edges.length; e += 2) {
      const [x0, y0, x1, y1] = [this.sx(edges[e]), this.sy(edges[e]), this.sx(edges[e + 1]), this.sy(edges[e + 1])];
      const length = (x1 - x0) ** 2 + (y1 - y0) ** 2 || 1;
      const t = clamp(((px - x0) * (x1 - x0) + (py - y0) * (y1 - y0)) / length, 0, 1);
      const d = Math.hypot(x0 + t * (x1 - x0) - px, y0 + t * (y1 - y0) - py);
      if (d < least) {
        least = d;
        found = [edges[e], edges[e + 1]];
      }
    }
    return found;
  }

  // a place on the stage in the graph's own units
  world(px, py) {
    return [(px - this.tx) / this.scale, (py - this.ty) / this.scale];
  }
}
