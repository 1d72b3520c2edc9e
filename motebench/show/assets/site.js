"use strict";
// Keys: / goes to the first field, ? lists the keys, and letters follow the links that name them. A key in a field is text.
const keys = document.getElementById("keys");
document.getElementById("keys-button").addEventListener("click", () => keys.showModal());
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || keys.open || event.target.closest("input, select, textarea")) return;
  const link = [...document.querySelectorAll("nav a[aria-keyshortcuts]")].find((entry) => entry.getAttribute("aria-keyshortcuts") === event.key);
  if (event.key === "/") {
    const field = document.querySelector("main form input");
    field?.closest("details")?.setAttribute("open", "");
    if (field) { event.preventDefault(); field.focus(); }
  } else if (event.key === "?") {
    event.preventDefault();
    keys.showModal();
  } else if (link) {
    link.click();
  }
});
// A narrow bar scrolls to the view of this page.
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
