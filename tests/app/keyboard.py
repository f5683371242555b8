"""A walk through a page with the Tab key: what can be reached, how the focus shows, what moves."""

from __future__ import annotations

from typing import Any

MOST_STOPS = 220

# how a thing and what stands around it look; what is focused must look otherwise than what is not
_SETUP = """() => {
  const active = () => {
    let e = document.activeElement;
    while (e && e.shadowRoot && e.shadowRoot.activeElement) e = e.shadowRoot.activeElement;
    return e;
  };
  const up = (e) => e.parentElement || (e.getRootNode().host ?? null);
  const LOOKS = ["outlineStyle", "outlineWidth", "outlineColor", "boxShadow", "backgroundColor", "borderTopColor",
    "borderBottomColor", "borderTopWidth", "textDecorationLine"];
  const look = (e, pseudo) => {
    const style = getComputedStyle(e, pseudo);
    return LOOKS.map((name) => style[name]).join("|") + (style.outlineStyle === "none" ? "" : style.outlineOffset);
  };
  const around = (e) => {
    const found = [e, ...e.children];
    for (let at = e, k = 0; at && k < 4 && at !== document.body; k++, at = up(at)) {
      found.push(at);
      if (at.previousElementSibling) found.push(at.previousElementSibling);
      if (at.nextElementSibling) found.push(at.nextElementSibling);
    }
    return found;
  };
  const looks = (list) => list.map((e) => [null, "::before", "::after"].map((pseudo) => look(e, pseudo)).join()).join();
  const named = (e) => `${e.localName}.${e.getAttribute("class") || ""} ${e.getAttribute("aria-label") || ""} `
    + `${(e.textContent || "").trim().slice(0, 40)}`;
  const animations = () => {
    const roots = [document, ...[...document.querySelectorAll('*')].map((e) => e.shadowRoot).filter(Boolean)];
    return roots.flatMap((root) => root.getAnimations());
  };
  const moving = () => {
    return animations().filter((animation) => {
      const { duration, iterations } = animation.effect.getComputedTiming();
      return Number(duration) * iterations > 20; // ms
    }).map((animation) => `${animation.animationName || animation.transitionProperty} of `
      + animation.effect.target?.outerHTML.slice(0, 120));
  };
  // until what was asked for is drawn, by however few frames a busy machine draws in a second
  const drawn = async () => {
    for (let k = 0; k < 50; k++) {
      await new Promise((frame) => requestAnimationFrame(frame));
      const changing = animations().filter((animation) => animation instanceof CSSTransition);
      if (k > 1 && !changing.length) return;
      const rest = new Promise((rested) => setTimeout(rested, 100));
      await Promise.race([Promise.allSettled(changing.map((one) => one.finished)), rest]);
    }
  };
  window.tabs = { last: null, seen: new Map(), async step() {
    const { last, seen } = window.tabs;
    const e = active();
    await new Promise((frame) => requestAnimationFrame(frame));
    let same = last && last.e !== e && last.e.isConnected && looks(last.list) === last.looks;
    if (same) { // React may not have drawn it yet: once more, with time
      last.e.focus({ focusVisible: true });
      await drawn();
      const focused = looks(last.list);
      if (e && e !== document.body) e.focus({ focusVisible: true });
      else last.e.blur();
      await drawn();
      same = looks(last.list) === focused;
    }
    const result = { unmarked: null, end: !e || e === document.body, again: seen.has(e), moving: moving() };
    if (same) result.unmarked = named(last.e);
    window.tabs.last = null;
    if (result.end || result.again) return result;
    const box = e.getBoundingClientRect();
    const list = around(e);
    seen.set(e, named(e));
    window.tabs.last = { e, list, looks: looks(list) };
    result.name = named(e);
    result.hidden = box.width < 1 || box.height < 1;
    return result;
  } };
}"""


def walk(page: Any) -> tuple[list[str], list[str], list[str]]:
    """Tab through the page from its beginning: what was reached, what of it does not show that it has the focus, and
    what moved meanwhile.

    Raises AssertionError where the Tab key does not come to an end.
    """
    page.evaluate(  # the next Tab starts at the top
        """() => {
          document.body.tabIndex = -1;
          document.body.focus();
          document.body.removeAttribute("tabindex");
        }"""
    )
    page.mouse.move(0, 0)
    page.evaluate(_SETUP)
    reached: list[str] = []
    unmarked: list[str] = []
    moved: list[str] = []
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        found = page.evaluate("() => window.tabs.step()")
        moved += found["moving"]
        if found["unmarked"]:
            unmarked.append(found["unmarked"])
        if found["end"] or found["again"]:
            return reached, unmarked, moved
        reached.append(found["name"])
    raise AssertionError(f"the Tab key does not leave: {reached[-6:]}")
