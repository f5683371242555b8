// What a browser keeps for a page, by name: for this visit (sessionStorage) or longer (localStorage). A page that may keep
// nothing (a file, a sandboxed frame, a full store) keeps it as long as it is open, which is up to who asks.
const REFUSALS = ["SecurityError", "QuotaExceededError"];

// act(store): what is done with it. Null where the browser refuses.
export function kept(store, act) {
  try {
    return act(window[store]);
  } catch (refused) {
    if (!REFUSALS.includes(refused.name)) throw refused;
    return null;
  }
}
