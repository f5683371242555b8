// What is said beside the vertex under the pointer.
import { element } from "./element.js";

export class Tip {
  constructor(strings) {
    this.strings = strings;
    this.root = element("div", { class: "tip", "aria-hidden": "true" });
    this.root.hidden = true;
  }

  // view: where the vertex stands (draw/view.js)
  render({ trace, step, part, hovered: v }, view) {
    const { root } = this;
    root.hidden = v < 0;
    if (v < 0) return;
    const label = trace.labels && trace.labels[v] !== trace.ids[v] ? ` ${trace.labels[v]}` : "";
    const state = this.strings.states[trace.state(v, step, part)];
    root.textContent = `${trace.ids[v]}${label} · ${trace.scoreText(trace.score[v])} · ${state}`;
    const x = Math.max(4, Math.min(view.w - root.offsetWidth - 4, view.sx(v) - root.offsetWidth / 2));
    const above = view.sy(v) - view.radius - root.offsetHeight - 10;
    root.style.transform = `translate(${x}px, ${above > 4 ? above : view.sy(v) + view.radius + 24}px)`;
  }
}
