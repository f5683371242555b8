// The theme a reader chose, before anything is drawn: the system's until then.
(() => {
  try {
    const theme = localStorage.getItem("mivspool-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // a browser that keeps nothing for this page: the system's theme it is
  }
})();
