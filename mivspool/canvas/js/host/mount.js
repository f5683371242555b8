// What mounts a canvas: Streamlit, a notebook, a page alone, the static site.
import { Canvas } from "./canvas.js";

export function mount(component, settings) {
  const { parentElement, data, setStateValue, setTriggerValue } = component;
  let canvas = parentElement.mivspool;
  if (!canvas || !canvas.box.isConnected) {
    canvas = parentElement.mivspool = new Canvas(parentElement, settings, () => {});
  }
  canvas.tell = (cursor) => setStateValue("cursor", cursor);
  const wants = (name, value) => {
    if (canvas.leaving.gone) return;
    canvas.rests(); // where the cursor rested would be told of what comes next
    canvas.edit.flush();
    setTriggerValue(name, value);
  };
  canvas.another = (how) => wants("another", how);
  canvas.edited = (edit) => setTriggerValue("edited", edit);
  canvas.wish = (wish) => wants("wish", wish);
  canvas.update(data);
  return () => {
    canvas.destroy();
    delete parentElement.mivspool;
  };
}
