// What every page has: the theme a reader chose, before anything is drawn (the system's until then), with the button that
// changes it; and what keeps the site for a browser without a network.
(() => {
  const page = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)");
  try {
    const theme = localStorage.getItem("mivspool-theme");
    if (theme === "light" || theme === "dark") page.dataset.theme = theme;
  } catch {
    // a browser that keeps nothing for this page: the system's theme it is
  }
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const other = () => ((page.dataset.theme ?? (system.matches ? "dark" : "light")) === "dark" ? "light" : "dark");
    const changed = () => {
      button.textContent = button.dataset[other()];
      button.setAttribute("aria-label", button.dataset[`${other()}Label`]);
      document.dispatchEvent(new Event("themechange")); // what is drawn on a canvas is drawn again
    };
    button.onclick = () => {
      page.dataset.theme = other();
      try {
        localStorage.setItem("mivspool-theme", page.dataset.theme);
      } catch {
        // not kept: this page has it all the same
      }
      changed();
    };
    system.addEventListener("change", changed);
    changed();
    button.hidden = false;
    const embed = document.getElementById("embed");
    const code = embed.querySelector("textarea");
    embed.ontoggle = () => {
      code.value = code.dataset.code.replace("{address}", () => location.href.replaceAll("&", "&amp;"));
      code.select();
    };
    embed.hidden = false;
    // of a page from a disk there is nothing to keep; a host that cannot have it goes on without
    if (location.protocol.startsWith("http")) navigator.serviceWorker?.register("worker.js").catch(() => {});
  });
})();
