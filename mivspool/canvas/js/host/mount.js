// What mounts a canvas: Streamlit, a notebook, a page alone, the static site.
import { Canvas } from "./canvas.js";
import { lasting } from "./lasting.js";

// component: {parentElement, data, setStateValue(name, value), setTriggerValue(name, value)}, as Streamlit gives it
export function mount(component, settings) {
  const { parentElement, data, setStateValue, setTriggerValue } = component;
  const python = {
    cursor: (cursor) => setStateValue("cursor", cursor),
    edited: (change) => setTriggerValue("edited", change),
    request: (value) => ("another" in value ? setTriggerValue("another", value.another) : setTriggerValue("request", value)),
  };
  let canvas = parentElement.mivspool;
  if (!canvas || !canvas.box.isConnected) canvas = parentElement.mivspool = new Canvas(parentElement, settings, python);
  canvas.python = python;
  canvas.update(data);
  return lasting(parentElement, () => {
    canvas.destroy();
    delete parentElement.mivspool;
  });
}
