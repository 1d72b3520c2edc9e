"use strict";
// Keys: / goes to the first field, letters go to views. A key in a field is text.
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return;
  const views = { r: "/", s: "/results", c: "/compare", d: "/diff", h: "/history", m: "/map", t: "/tradeoff", o: "/choose" };
  if (event.key === "/") {
    const field = document.querySelector("form input");
    if (field) { event.preventDefault(); field.focus(); }
  } else if (event.key in views) {
    location.assign(views[event.key]);
  }
});
// A narrow bar scrolls to the view of this page.
document.querySelector("nav [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
