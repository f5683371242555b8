// The link that says what is shown. Names and meanings are those of the app's links; the hash holds what differs from a
// page's own beginning.
const NAMES = ["graph", "score", "level", "step", "part", "vertex", "mode", "present", "hide", "change", "origin", "methods", "model", "block", "anyway"];

// another graph is wanted: nothing that is said of this one holds
export const RESET = { level: "", step: "", vertex: "", change: "", origin: "" };

export function readLink(hash) {
  const given = new URLSearchParams(hash.slice(1));
  return Object.fromEntries(NAMES.filter((name) => given.has(name)).map((name) => [name, given.get(name)]));
}

// "" where nothing is said
export function spellLink(values) {
  const link = new URLSearchParams();
  for (const name of NAMES) if (values[name] !== undefined && values[name] !== "") link.set(name, values[name]);
  const text = link.toString().replaceAll("%3A", ":");
  return text ? `#${text}` : "";
}

export const whole = (text) => (/^\d{1,6}$/.test(text ?? "") ? Number(text) : 0);

// the other pages of one graph: their entries of the menu lead to the graph that is shown here
export function carry({ graph, score, vertex, change, origin }) {
  for (const link of document.querySelectorAll("header nav a")) {
    if (!["step", "compare", "classify"].includes(link.dataset.page) || link.hasAttribute("aria-current")) continue;
    link.href = link.getAttribute("href").split("#")[0] + spellLink({ graph, score, vertex, change, origin });
  }
}
