// A popover tells Python that it is closed when a link is followed outside it, and Streamlit then shows the page that was
// left (a run of its own, after that of the next page). So it is closed first, and the link followed after that.
import { followed, followLater, leads } from "canvas/host/leaving.js";

const OPEN = '[data-testid="stPopoverButton"][aria-expanded="true"]';

export function guard() {
  const listening = new AbortController();
  let closed = null; // the link that waits
  const close = (event) => {
    const link = followed(event);
    if (!link || !leads(link)) return;
    const open = document.querySelector(OPEN);
    const waited = closed === link;
    closed = open && !waited ? link : null;
    if (!closed) return;
    open.click();
    followLater(event, link);
  };
  document.addEventListener("click", close, { capture: true, signal: listening.signal });
  return () => listening.abort();
}
