"use strict";
// The theme button: automatic, light, dark.
(() => {
  const button = document.getElementById("theme");
  const root = document.documentElement;
  const order = ["auto", "light", "dark"];
  const show = () => { button.textContent = `Theme: ${root.dataset.theme}`; };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = order[(order.indexOf(root.dataset.theme) + 1) % order.length];
    try { localStorage.setItem("motebench-theme", root.dataset.theme); } catch { /* not remembered */ }
    show();
  });
  show();
})();
