// ---- charts: Vega when it is first needed, marks near the pointer, names that do not lie over each other -------
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
  return found?.__data__?.datum ?? null;
}
function follow(box, show) {
  const look = (event) => {
    const datum = nearest(box, event);
    if (datum && show(datum)) placeTip(event); else hideTip();
  };
  for (const name of ["pointermove", "pointerdown"]) box.addEventListener(name, look);
  box.addEventListener("pointerleave", hideTip);
}

// The library is text until a chart is drawn: the page stands before it is read.
function vega() {
  if (!window.motebenchEmbed) {
    const script = document.createElement("script");
    script.textContent = document.getElementById("vega").textContent;
    document.body.append(script);
  }
  return window.motebenchEmbed;
}
const embed = (box, spec) => vega()(box, spec, { mode: "vega-lite", renderer: "svg", actions: false, ast: true, logLevel: 1, defaultStyle: false, tooltip: false });
const idle = () => new Promise((done) => { (window.requestIdleCallback ?? ((then) => setTimeout(then, 1)))(done, { timeout: 100 }); });

// Whole KiB, or eighths of them where all lie close together: about six, evenly spaced to the eye.
function kibibytes(values) {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const step = most - least < 6 * 1024 ? 128 : 1024;
  const low = Math.max(1, Math.floor(least / step)), high = Math.ceil(most / step);
  const factor = Math.max((high / low) ** (1 / 6), 1.01);
  const ticks = Array.from({ length: 8 }, (_, i) => Math.round(low * factor ** i)).filter((tick) => tick <= high);
  return [...new Set(ticks)].map((tick) => tick * step);
}

// Names that would lie over one that stands already, over a mark that is named or beyond the edge are left to the
// tooltip; the best come first.
function thin(chart) {
  const kept = [], edge = chart.getBoundingClientRect();
  for (const word of chart.querySelectorAll(".mark-text.role-mark text")) {
    const box = word.getBoundingClientRect();
    const free = kept.every((other) => box.right < other.left || other.right < box.left || box.bottom < other.top || other.bottom < box.top);
    if (free && word.textContent && box.right <= edge.right) kept.push(box); else word.textContent = "";
  }
}
