// What listeners of a store hear, as JSON: a listener that dispatches, one that ends, and an error.
import { changed, Store } from "../../mivspool/canvas/js/model/store.js";

const heard = [];
const store = new Store((state, { type, by = 0 }) => {
  if (type === "fail") throw new RangeError("no");
  return by ? { ...state, n: state.n + by } : state;
}, { n: 0 });
const end = store.subscribe((state, before) => {
  heard.push(["first", before.n, state.n]);
  if (state.n === 1) store.dispatch({ type: "add", by: 10 });
});
store.subscribe((state, before) => heard.push(["second", before.n, state.n]));
store.dispatch({ type: "add", by: 1 });
store.dispatch({ type: "add" });
end();
let error = null;
try {
  store.dispatch({ type: "fail" });
} catch (thrown) {
  error = thrown.name;
}
store.dispatch({ type: "add", by: 100 });
const first = changed(store.state, null, "n");
process.stdout.write(JSON.stringify({ heard, error, n: store.state.n, first, same: changed(store.state, store.state, "n") }));
