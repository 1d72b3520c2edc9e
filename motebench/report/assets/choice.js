"use strict";
// The pictures of a choice: each figure gets its drawing and its rows; a tooltip says what a mark is.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const tip = document.getElementById("tip");
  const make = (tag, text, ...children) => {
    const node = document.createElement(tag);
    if (text) node.textContent = text;
    node.append(...children);
    return node;
  };
  function show(event, item) {
    const datum = item?.datum;
    if (!datum?.tips || !event) { tip.hidden = true; return; }
    const lines = datum.tips.map(([key, value]) => make("div", "", make("dt", key), make("dd", value)));
    tip.replaceChildren(make("strong", datum.label), make("dl", "", ...lines));
    tip.hidden = false;
    const point = event.touches?.[0] ?? event;
    const x = Math.min(point.clientX + 14, document.documentElement.clientWidth - tip.offsetWidth - 8);
    const y = point.clientY + 16 + tip.offsetHeight > innerHeight ? point.clientY - tip.offsetHeight - 12 : point.clientY + 16;
    tip.style.left = `${Math.max(8, x)}px`;
    tip.style.top = `${Math.max(8, y)}px`;
  }
  addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
  addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

  function keys(rows, name) {
    const found = new Map();
    for (const row of rows) {
      const key = name === "heat" ? "" : row.part ?? row.label;
      if (key && !found.has(key)) found.set(key, row.part && row.fill && row.fill !== "none" && row.fill !== "var(--card)" ? row.fill : row.color);
    }
    return [...found].map(([text, color]) => {
      const swatch = make("i");
      swatch.style.background = color;
      return make("span", "", swatch, text);
    });
  }

  // Whole KiB, or eighths of them where all lie close together: about six, evenly spaced to the eye.
  function kibibytes(values) {
    const step = Math.max(...values) - Math.min(...values) < 6 * 1024 ? 128 : 1024;
    const low = Math.max(1, Math.floor(Math.min(...values) / step)), high = Math.ceil(Math.max(...values) / step);
    const factor = Math.max((high / low) ** (1 / 6), 1.01);
    const ticks = Array.from({ length: 8 }, (_, i) => Math.round(low * factor ** i)).filter((tick) => tick <= high);
    return [...new Set(ticks)].map((tick) => tick * step);
  }

  // Names that would lie over one that stands already are left to the tooltip; the best come first.
  function thin(chart) {
    const kept = [];
    for (const word of chart.querySelectorAll(".mark-text.role-mark text")) {
      const box = word.getBoundingClientRect();
      const free = kept.every((other) => box.right < other.left || other.right < box.left || box.bottom < other.top || other.bottom < box.top);
      if (free && word.textContent) kept.push(box); else word.textContent = "";
    }
  }

  async function draw(figure) {
    const name = figure.dataset.chart;
    // On a narrow screen both texts of a bar would lie over each other.
    const short = name === "split" && matchMedia("(max-width: 640px)").matches;
    const rows = data.rows[name].map((row) => (short ? { ...row, text: row.text.split(",")[0] } : row));
    const spec = structuredClone(data.drawings[name]);
    spec.datasets = { rows };
    const steps = new Set(rows.map((row) => (name === "heat" ? row.scheme : row.label))).size;
    if (spec.height.step) spec.height = spec.height.step * steps;
    if (name === "pareto") for (const layer of spec.layer) layer.encoding.x.axis.values = kibibytes(rows.map((row) => row.x));
    spec.config.mark = { tooltip: { content: "data" } };
    const caption = make("span", "", ...keys(rows, name));
    caption.className = "keys";
    figure.querySelector("figcaption").replaceChildren(caption);
    await window.motebenchEmbed(figure.querySelector(".chart"), spec, {
      mode: "vega-lite", renderer: "svg", actions: false, ast: true, logLevel: 1, defaultStyle: false,
      tooltip: (_, event, item, value) => (value === null || value === undefined || value === "" ? show(null) : show(event, item)),
    });
    if (name === "pareto") thin(figure);
  }
  (async () => {
    for (const figure of document.querySelectorAll("figure[data-chart]")) await draw(figure);
    document.documentElement.dataset.charts = "ready";
  })();
})();
