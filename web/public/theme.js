// Sets the theme before the first paint; src/lib/theme.ts owns it from then on.
(function () {
  var chosen = null;
  try {
    chosen = localStorage.getItem("llmbench.theme");
  } catch {
    // Storage may be forbidden; the system's preference decides then.
  }
  var dark = chosen === "dark" || (chosen !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
