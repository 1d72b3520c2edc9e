// ---- charts: marks near the pointer, names that do not lie over each other -------
const tip = document.getElementById("tip");
function placeTip(event) {
  tip.hidden = false;
  const x = Math.min(event.clientX + 14, document.documentElement.clientWidth - tip.offsetWidth - 8);
  const y = event.clientY + 16 + tip.offsetHeight > innerHeight ? event.clientY - tip.offsetHeight - 12 : event.clientY + 16;
  tip.style.left = `${Math.max(8, x)}px`;
  tip.style.top = `${Math.max(8, y)}px`;
}
const hideTip = () => { tip.hidden = true; };
addEventListener("scroll", hideTip, { passive: true });
addEventListener("keydown", (event) => { if (event.key === "Escape") hideTip(); });

const REACH = 30;
// The mark whose edge is nearest to the pointer, within reach: nobody has to hit a point of eight pixels.
function nearest(box, event) {
  let found = null, least = REACH;
  for (const node of box.querySelectorAll(".mark-symbol.role-mark path, .mark-rect.role-mark path")) {
    const mark = node.getBoundingClientRect();
    const across = Math.max(mark.left - event.clientX, 0, event.clientX - mark.right);
    const down = Math.max(mark.top - event.clientY, 0, event.clientY - mark.bottom);
    const far = Math.hypot(across, down) || Math.hypot(mark.width, mark.height) / 1e4;
    if (far < least) [found, least] = [node, far];
  }
  return found?.datum ?? null;
}
function follow(box, show) {
  const look = (event) => {
    const datum = nearest(box, event);
    if (datum && show(datum)) placeTip(event); else hideTip();
  };
  for (const name of ["pointermove", "pointerdown"]) box.addEventListener(name, look);
  box.addEventListener("pointerleave", hideTip);
}

const idle = () => new Promise((done) => { (window.requestIdleCallback ?? ((then) => setTimeout(then, 1)))(done, { timeout: 100 }); });

// Names that would lie over one that stands already, over a mark in front or beyond the edge are left to the tooltip; the
// best come first.
function thin(chart) {
  const edge = chart.getBoundingClientRect();
  const kept = [...chart.querySelectorAll(".mark-symbol.role-mark .front")].map((node) => node.getBoundingClientRect());
  // The name of the chosen one stays, whatever lies below it.
  const words = [...chart.querySelectorAll(".mark-text.role-mark text")];
  kept.push(...words.filter((word) => word.classList.contains("chosen")).map((word) => word.getBoundingClientRect()));
  for (const word of words.filter((word) => !word.classList.contains("chosen"))) {
    const box = word.getBoundingClientRect();
    const free = kept.every((other) => box.right < other.left || other.right < box.left || box.bottom < other.top || other.bottom < box.top);
    if (free && word.textContent && box.left >= edge.left && box.right <= edge.right) kept.push(box); else word.textContent = "";
  }
}

// Drawn anew when the room of a chart changes.
function whenResized(box, redraw) {
  let width = box.clientWidth, pending = 0;
  new ResizeObserver(() => {
    if (box.clientWidth === width || !box.clientWidth) return;
    width = box.clientWidth;
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(redraw);
  }).observe(box);
}
