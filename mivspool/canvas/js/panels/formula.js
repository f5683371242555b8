// An element of the page with data-own="NAME" holds the formula of that name with the numbers of the selected vertex. Each
// vertex and number in it lights its vertex, and the other way round.
import { own } from "../model/own.js";
import { nodes } from "./element.js";

// fill the elements of the page
export function fillOwn(store, strings) {
  const { id, trace, vertex, step, part } = store.state;
  for (const place of document.querySelectorAll("[data-own]")) {
    const shown = `${id} ${vertex} ${step} ${part}`;
    if (place.dataset.shown === shown && place.firstChild) continue;
    place.dataset.shown = shown;
    const parts = own(place.dataset.own, trace, vertex, { step, part }, strings);
    place.replaceChildren(...nodes(parts || [strings.own.pick], store));
  }
}
