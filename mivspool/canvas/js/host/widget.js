// The canvas as a notebook's widget (anywidget): its cursor is the model's traits step, part and vertex, both ways.
import { mount } from "./mount.js";

const TRAITS = ["step", "part", "vertex"];

// JupyterLab and VS Code mark their theme at the body of the page; elsewhere it is the reader's
function dark() {
  const { jpThemeLight } = document.body.dataset;
  if (jpThemeLight !== undefined) return jpThemeLight === "false";
  if (document.body.matches('[class*="vscode-"]')) return !document.body.matches(".vscode-light, .vscode-high-contrast-light");
  return matchMedia("(prefers-color-scheme: dark)").matches;
}

// view: {model, el}, as anywidget gives it; what is returned takes the canvas away
export function render({ model, el }, settings) {
  const host = document.createElement("div");
  const root = host.attachShadow({ mode: "open" });
  const sheet = document.createElement("style");
  sheet.textContent = model.get("_style");
  const parentElement = document.createElement("main");
  root.append(sheet, parentElement);
  el.append(host);

  const cursor = () => Object.fromEntries(TRAITS.map((name) => [name, model.get(name)]));
  const start = { ...cursor(), n: 1 };
  let command = null;
  let own = false; // whether a trait changes because the canvas says so
  const setStateValue = (_, { step, part, vertex }) => {
    own = true;
    model.set("step", step);
    model.set("part", part || 0);
    model.set("vertex", vertex);
    own = false;
    model.save_changes();
  };
  const show = () => {
    const asked = model.get("theme");
    host.dataset.theme = asked === "auto" ? (dark() ? "dark" : "light") : asked;
    const { trace, options } = model.get("_held");
    mount({ parentElement, data: { trace, options, start, command }, setStateValue, setTriggerValue() {} }, settings);
  };
  const moved = () => {
    if (own) return;
    command = { ...cursor(), n: command ? command.n + 1 : 1, trace: model.get("_held").trace.id };
    show();
  };
  for (const name of TRAITS) model.on(`change:${name}`, moved);
  model.on("change:theme", show);
  const themes = new MutationObserver(show);
  themes.observe(document.body, { attributes: true, attributeFilter: ["class", "data-jp-theme-light"] });
  show();
  return () => {
    for (const name of TRAITS) model.off(`change:${name}`, moved);
    model.off("change:theme", show);
    themes.disconnect();
    parentElement.mivspool.destroy();
  };
}
