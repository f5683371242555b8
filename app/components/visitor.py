"""Who this browser is to a backend that tells visitors apart: a random name that the browser keeps for itself."""

from __future__ import annotations

from typing import Any

import streamlit as st

_KEY = "visitor"
_SCRIPT = """
export default function (component) {
  const name = "mivspool-visitor";
  let kept = null;
  try { kept = localStorage.getItem(name); } catch { /* a browser that keeps nothing: as long as the page is open */ }
  if (!kept || !/^[A-Za-z0-9_-]{16,128}$/.test(kept)) {
    const made = () => [...crypto.getRandomValues(new Uint8Array(24))].map((b) => b.toString(16).padStart(2, "0"));
    kept = component.data.known || made().join("");
    try { localStorage.setItem(name, kept); } catch { /* as above */ }
  }
  if (component.data.known !== kept) component.setStateValue("name", kept);
}
"""

_component: Any = st.components.v2.component("mivspool_visitor", html="", js=_SCRIPT)


def known() -> str | None:
    """The name, once the browser has told it."""
    name = st.session_state.get(_KEY)
    return None if name is None else str(name)


def ask() -> bool:
    """Ask the browser; whether the name is known. It is on the next run."""
    found = _component(key="visitor:component", data={"known": known()}, on_name_change=lambda: None)
    if found.name:
        st.session_state[_KEY] = found.name
    return known() is not None
