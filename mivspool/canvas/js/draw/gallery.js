// Small pictures of graphs to choose from.
import { themeOf } from "./theme.js";

function draw(canvas, item, theme) {
  const dpr = Math.min(window.devicePixelRatio || 1, 2);
  const [w, h, pad] = [118, 84, 9];
  canvas.width = w * dpr;
  canvas.height = h * dpr;
  const c = canvas.getContext("2d");
  c.scale(dpr, dpr);
  const { x, y, edges } = item;
  const [x0, x1, y0, y1] = [Math.min(...x), Math.max(...x), Math.min(...y), Math.max(...y)];
  const scale = Math.min((w - 2 * pad) / (x1 - x0 || 1e-9), (h - 2 * pad) / (y1 - y0 || 1e-9), 1e6);
  const unit = x1 - x0 || y1 - y0 ? scale : 1;
  const px = (v) => w / 2 + (x[v] - (x0 + x1) / 2) * unit;
  const py = (v) => h / 2 + (y[v] - (y0 + y1) / 2) * unit;
  c.strokeStyle = theme.edge;
  c.lineWidth = x.length > 200 ? 0.4 : 1;
  c.beginPath();
  for (let e = 0; e < edges.length; e += 2) {
    c.moveTo(px(edges[e]), py(edges[e]));
    c.lineTo(px(edges[e + 1]), py(edges[e + 1]));
  }
  c.stroke();
  const r = Math.max(0.8, Math.min(3.4, 26 / Math.sqrt(x.length + 4)));
  c.fillStyle = theme.quiet;
  c.beginPath();
  for (let v = 0; v < x.length; v++) {
    c.moveTo(px(v) + r, py(v));
    c.arc(px(v), py(v), r, 0, 2 * Math.PI);
  }
  c.fill();
}

export function mountGallery(component, settings) {
  const { parentElement, data, setTriggerValue } = component;
  let box = parentElement.querySelector(".gallery");
  if (!box) {
    box = document.createElement("div");
    box.className = "gallery";
    parentElement.append(box);
  }
  const theme = themeOf(settings.colours, getComputedStyle(box));
  box.replaceChildren(
    ...data.items.map((item) => {
      const card = document.createElement("button");
      card.type = "button";
      card.className = "card";
      card.setAttribute("aria-label", `${item.title}, ${item.about}`);
      if (item.index === data.chosen) card.setAttribute("aria-current", "true");
      const picture = document.createElement("canvas");
      picture.setAttribute("aria-hidden", "true");
      const title = document.createElement("b");
      title.textContent = item.title;
      title.dir = "auto";
      const about = document.createElement("span");
      about.textContent = item.about;
      card.append(picture, title, about);
      card.addEventListener("click", () => setTriggerValue("picked", item.index));
      if (item.x.length) draw(picture, item, theme);
      return card;
    }),
  );
  const chosen = box.querySelector("[aria-current]");
  if (chosen && box.clientHeight < box.scrollHeight) box.scrollTop = chosen.offsetTop - 60;
}
