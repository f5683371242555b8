// An element of the page with data-own="NAME" holds the formula of that name with the numbers of the selected vertex. Each
// vertex and number in it lights its vertex, and the other way round.
import { own } from "../model/own.js";
import { nodes } from "./element.js";

// fill the elements of the page
export function fillOwn(canvas) {
  const { trace, vertex, step, settings } = canvas;
  const on = { hover: canvas.on.hover, select: (v) => canvas.select(v) };
  for (const place of document.querySelectorAll("[data-own]")) {
    const state = `${canvas.id} ${vertex} ${step}`;
    if (place.dataset.shown === state && place.firstChild) continue;
    place.dataset.shown = state;
    const parts = own(place.dataset.own, trace, vertex, step, settings.strings);
    place.replaceChildren(...nodes(parts || [settings.strings.own.pick], trace, on));
  }
}
