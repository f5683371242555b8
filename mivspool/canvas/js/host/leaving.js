// Leaving a page: what Python has not heard is reported before a link acts, and nothing after it. Streamlit would run what
// comes later on the page that was left, and show that instead of the one that was asked for.
const LATER_MS = 80; // what a page does when it hears of a click is done by then
const LEFT_MS = 10_000; // a page that is still there then was not left

const linkOf = (event) => event.composedPath().find((target) => target.localName === "a" && target.href);

// the link that a click follows in this tab, if it is one
export const followed = (event) =>
  event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey ? undefined : linkOf(event);

// whether a click on it opens another page of the app, in place of this one
export const leads = (link) =>
  link.origin === location.origin &&
  link.pathname !== location.pathname &&
  !link.hasAttribute("download") &&
  ["", "_self"].includes(link.target);

// the link is followed when what waits to be sent is on its way
export function followLater(event, link) {
  event.preventDefault();
  event.stopImmediatePropagation();
  const path = link.getAttribute("href");
  setTimeout(() => {
    // the page may have been redrawn meanwhile
    const same = link.isConnected ? link : [...document.links].find((other) => other.getAttribute("href") === path);
    if (same) same.click();
  }, LATER_MS);
}

export class Leaving {
  // tell(link): tells what waits to be sent, as long as there is time; link: whether a link is being followed
  constructor(box, tell) {
    this.path = location.pathname;
    this.left = -Infinity; // when a link to another page was followed
    this.told = null; // what was told to Python and may not have been sent
    this.listening = new AbortController();
    const { signal } = this.listening;
    const outside = (event) => !event.composedPath().includes(box);
    const press = (event) => outside(event) && tell(Boolean(linkOf(event)));
    const listen = (name, act) => document.addEventListener(name, act, { capture: true, signal });
    listen("pointerdown", press);
    listen("keydown", (event) => ["Enter", " "].includes(event.key) && press(event));
    listen("click", (event) => {
      const link = outside(event) && followed(event);
      if (!link) return;
      if (this.told) followLater(event, link);
      else if (leads(link)) this.left = performance.now();
    });
    // it comes back from the browser's own memory
    window.addEventListener("pageshow", () => (this.left = -Infinity), { signal });
  }

  // whether the page is another one already, or about to be
  get away() {
    return location.pathname !== this.path || performance.now() - this.left < LEFT_MS;
  }

  // Python was told of something just now: Streamlit sends it by a timer that it has set, and so before this one
  tells() {
    const told = (this.told = {});
    setTimeout(() => {
      if (this.told === told) this.told = null;
    }, 0);
  }

  destroy() {
    this.listening.abort();
  }
}
