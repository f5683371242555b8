// How things look: the states' colours (from mivspool/colours.py) in the theme that Streamlit shows.

// colours: see mivspool/colours.py; style: the host's computed style
export function lookOf(colours, style) {
  const value = (name, otherwise) => style.getPropertyValue(name).trim() || otherwise;
  const background = value("--st-background-color", "#ffffff");
  const dark = luminance(background) < 0.4;
  const theme = dark ? "dark" : "light";
  return {
    theme,
    background,
    text: value("--st-text-color", dark ? "#e9e9ec" : "#1d1e22"),
    quiet: colours.grey[theme],
    accent: value("--st-primary-color", colours.accent[theme]),
    edge: dark ? "#6d707a" : "#a9abb3",
    font: value("--st-font", "sans-serif"),
    states: colours.states.map((s) => ({ fill: s.fill, border: s[`${theme}_border`], ink: s.ink })),
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
