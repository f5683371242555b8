// How things look: the states' colours (from mivspool/colours.py) in the theme that Streamlit shows.

// colours: see mivspool/colours.py; style: the host's computed style; strong: the contrast that a projector needs
export function themeOf(colours, style, strong = false) {
  const value = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const page = value("--st-background-color", "#ffffff");
  const dark = luminance(page) < 0.4;
  const background = strong ? (dark ? "#000000" : "#ffffff") : page;
  const name = dark ? "dark" : "light";
  return {
    name,
    background,
    text: strong ? (dark ? "#ffffff" : "#000000") : value("--st-text-color", dark ? "#e9e9ec" : "#1d1e22"),
    quiet: strong ? (dark ? "#ffffff" : "#000000") : colours.grey[name],
    accent: value("--st-primary-color", colours.accent[name]),
    edge: strong ? (dark ? "#c4c7d0" : "#4a4c55") : dark ? "#6d707a" : "#a9abb3",
    font: value("--st-font", "sans-serif"),
    states: colours.states.map((s) => ({ fill: s.fill, border: s[`${name}_border`], ink: s.ink })),
  };
}

function luminance(colour) {
  const c = document.createElement("canvas").getContext("2d");
  c.fillStyle = "#fff";
  c.fillStyle = colour;
  c.fillRect(0, 0, 1, 1);
  const [r, g, b] = c.getImageData(0, 0, 1, 1).data;
  return (0.2126 * r + 0.7152 * g + 0.0722 * b) / 255;
}
