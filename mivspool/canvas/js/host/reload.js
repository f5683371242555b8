// A reload takes a while to be answered, and the page goes on until it is: what is done meanwhile is in its link, but the
// reload asked for the link of before.
import { kept } from "../panels/kept.js";

const LEFT = "mivspool:left"; // the link when the document went

// Once per document, before its link is read. show(link): the link that the page had when it went, where it was reloaded
// by another.
export function keepLink(show) {
  const left = kept("sessionStorage", (storage) => storage.getItem(LEFT));
  kept("sessionStorage", (storage) => storage.removeItem(LEFT));
  addEventListener("pagehide", () => kept("sessionStorage", (storage) => storage.setItem(LEFT, location.href)));
  const [loaded] = performance.getEntriesByType("navigation");
  if (left && loaded?.type === "reload" && left !== loaded.name) show(left);
}
