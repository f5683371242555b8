// One thing that a person does makes at most one entry in the browser's history. Streamlit makes one of every link that
// Python writes: two where the menu opens a page (its bare address first), one where a link by hand is spelled otherwise
// than the page spells it, one for each place where a canvas that plays by itself came to rest. A reload keeps what was done.
import { keepLink } from "canvas/host/reload.js";

const ACTS = ["pointerdown", "keydown", "click", "drop"];

export function watch() {
  if (window.history.perAction) return; // as long as the document lives, whichever page it shows
  const { history } = window;
  const push = history.pushState.bind(history);
  let acted = false; // since the last entry
  const acts = () => (acted = true);
  for (const name of ACTS) document.addEventListener(name, acts, { capture: true, passive: true });
  window.addEventListener("popstate", () => (acted = false));
  history.pushState = (...entry) => {
    if (acted) push(...entry);
    else history.replaceState(...entry);
    acted = false;
  };
  history.perAction = true;
  keepLink((link) => location.replace(link));
}
