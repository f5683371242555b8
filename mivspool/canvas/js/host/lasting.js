// How a component ends. Streamlit calls it anew for new data, and keeps the end of its last call. Where data come while the
// script is still loaded, it makes both calls one after the other and then runs the end of the one that was overtaken.
const CALLS = new WeakMap(); // element to how often its component was called

// end, for what is kept from call to call: it comes when the last call ends
export function lasting(parentElement, end) {
  const call = (CALLS.get(parentElement) ?? 0) + 1;
  CALLS.set(parentElement, call);
  return () => {
    if (CALLS.get(parentElement) === call) end();
  };
}
