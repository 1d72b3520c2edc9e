// ---- tooltip: every statistic of the row behind a mark -------------------------------------------------------
function showTip(datum) {
  const row = rows[datum.m];
  if (!row) return false;
  const list = make("dl");
  const add = (key, value) => value && list.append(make("div", {}, make("dt", {}, key), make("dd", {}, value)));
  add("Operation", row.operation);
  if (row.size) add("Input", sizeText(row.size));
  if (datum.at) add("Batch", `${datum.at.toLocaleString("en-US")}: ${quantity(datum.v, "ns")}`);
  if (datum.part) add(upper(datum.part), quantity(datum.v, row.unit));
  if (datum.told) add("Memory", datum.told);
  if (typeof datum.d === "number") add("This sample", `${datum.d >= 0 ? "+" : ""}${Number(datum.d.toPrecision(3))} %${datum.out ? ", an outlier" : ""}`);
  for (const [key, value] of statisticsOf(row)) add(key, value);
  add("File", row.file);
  tip.replaceChildren(make("strong", {}, datum.label, ...badges(row.scheme)), list);
  return true;
}

// ---- drawing ----------------------------------------------------------------------------------------------
function specOf(chart, picked, list) {
  const spec = structuredClone(data.drawings[chart.drawing]);
  spec.datasets = { rows: list };
  if (chart.axis) {
    const [kind, title] = chart.axis(picked);
    for (const layer of spec.layer) {
      const axis = layer.encoding?.x?.axis;
      if (axis) Object.assign(axis, { labelExpr: data.axes[kind], title });
      if (axis && kind === "bytes") axis.values = binaryTicks(list);
    }
  }
  for (const layer of spec.layer) {
    for (const [name, channel] of Object.entries(layer.encoding ?? {})) {
      if (!channel.axis || channel.scale?.type !== "log") continue;
      channel.axis.values = channel.scale.base === 2 ? unique(list.map((row) => row[channel.field])) : decimalTicks(list, name === "y" ? 8 : 5);
    }
  }
  chart.adjust?.(spec, list, picked);
  // The name of a bar ends where its number begins.
  const longest = Math.max(...list.map((row) => (row.text ?? "").length));
  for (const { mark } of spec.layer) if (mark.align === "left" && mark.limit) mark.limit = { expr: `max(70, width - ${Math.ceil(longest * 6.8 + 8)})` };
  // A fixed height instead of a step: the same picture, and nothing to fit upwards.
  if (spec.height.step) spec.height = spec.height.step * unique(list.map((row) => row.label)).length;
  return spec;
}

// Ticks where people expect them: 1, 2, 5 or whole decades on logarithmic axes, powers of two for bytes.
function decimalTicks(list, wanted) {
  const values = list.map((row) => row.v).filter((v) => v > 0);
  const [low, high] = [Math.min(...values) * 0.8, Math.max(...values) * 1.25];
  const from = Math.floor(Math.log10(low)), decades = Math.ceil(Math.log10(high)) - from;
  const steps = decades * 3 <= wanted * 1.6 ? [1, 2, 5] : decades * 2 <= wanted * 1.6 ? [1, 3] : [1];
  const ticks = Array.from({ length: decades + 1 }, (_, i) => steps.map((step) => step * 10 ** (from + i))).flat();
  return ticks.filter((tick) => tick >= low && tick <= high);
}
function binaryTicks(list) {
  const tops = new Map();
  for (const row of list) tops.set(row.label, (tops.get(row.label) ?? 0) + row.v);
  const top = Math.max(...tops.values(), 1);
  const step = 2 ** Math.floor(Math.log2(top / 3));
  return Array.from({ length: Math.floor(top / step) + 2 }, (_, i) => i * step);
}

function caption(node, chart, picked, shown, total, more) {
  const said = chart.dimensions.filter((dimension) => picked[dimension] !== "" && dimension !== "source" && !(dimension === "size" && !picked.size))
    .map((dimension) => (dimension === "evidence" ? `evidence: ${picked.evidence}` : nameOf(dimension, picked[dimension])));
  // Names keep the letters they have.
  const named = ["implementation", "scheme"].includes(chart.dimensions[0]);
  node.replaceChildren(named ? said.join(" · ") : upper(said.join(" · ")));
  if (shown < total) node.append(` · ${shown} of ${total} shown `, ...(more ? [more] : []));
}

function start(figure) {
  const id = figure.dataset.chart;
  const chart = CHARTS[id];
  const box = figure.querySelector(".chart"), controls = figure.querySelector(".controls");
  const legend = figure.querySelector(".legend"), text = figure.querySelector("figcaption");
  const state = {}, lines = { slots: [] };
  let view = null, all = false, turn = 0;
  const draw = async () => {
    const mine = ++turn;
    const { chosen, options, picked } = narrow(chart, state);
    fillControls(controls, chart, state, options, picked, draw);
    const visible = legend ? fillLegend(legend, chosen, lines, draw) : chosen;
    let list = chart.rows(visible, picked, lines.slots);
    const labels = unique(list.map((row) => row.label));
    let shown = legend ? unique(visible.map(lineLabel)).length : labels.length;
    const total = legend ? unique(chosen.map(lineLabel)).length : labels.length;
    const limit = chart.limit ?? LIMIT;
    const cut = !legend && labels.length > limit && !all;
    if (cut) {
      // Variants have a section of their own; beside many others they wait for "Show all".
      const plain = unique(list.filter((row) => !row.variant).map((row) => row.label));
      const keep = new Set((plain.length > 1 ? plain : labels).slice(0, limit));
      list = list.filter((row) => keep.has(row.label));
      shown = keep.size;
    }
    const more = make("button", { type: "button", class: "ghost", onclick: () => { all = true; draw(); } }, "Show all");
    caption(text, chart, picked, shown, total, legend ? null : more);
    for (const sentence of chart.say?.(chosen) ?? []) text.append(` · ${sentence}`);
    if (chart.key) {
      const parts = new Map(list.map((row) => [row.part, row.fill]));
      text.prepend(make("span", { class: "keys" }, ...[...parts].map(([name, fill]) => {
        const swatch = make("i");
        swatch.style.background = fill;
        return make("span", {}, swatch, upper(name));
      })));
    }
    view?.finalize();
    view = null;
    if (!list.length) { box.replaceChildren(make("p", { class: "empty" }, "Nothing is selected.")); return; }
    const made = await embed(box, specOf(chart, picked, list));
    if (mine !== turn) { made.finalize(); return; }
    view = made;
    chart.after?.(box);
    figure.dataset.ready = String(turn);
  };
  narrowScreen.addEventListener("change", draw);
  follow(box, showTip);
  return draw();
}

document.documentElement.dataset.page = "ready";
(async () => {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    await idle();
    await start(figure);
  }
  document.documentElement.dataset.charts = "ready";
})();
