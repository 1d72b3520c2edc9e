"use strict";
// Runs before anything is drawn, so that a chosen theme does not flash. Storage may be forbidden for files.
(() => {
  let theme = "auto";
  try { theme = localStorage.getItem("motebench-theme") || "auto"; } catch { /* stays automatic */ }
  document.documentElement.dataset.theme = ["light", "dark"].includes(theme) ? theme : "auto";
  document.documentElement.classList.add("js");
})();
