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
function wordsOf(chart, picked) {
  return chart.dimensions.filter((dimension) => picked[dimension] !== "" && dimension !== "source" && !(dimension === "size" && !picked.size))
    .map((dimension) => (dimension === "evidence" ? `evidence: ${picked.evidence}` : nameOf(dimension, picked[dimension])));
}
function caption(node, chart, picked, shown, total, more) {
  const said = wordsOf(chart, picked);
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
  let all = false, turn = 0;
  const draw = () => {
    const { chosen, options, picked } = narrow(chart, state);
    fillControls(controls, chart, state, options, picked, draw);
    const visible = legend ? fillLegend(legend, chosen, lines, draw) : chosen;
    let list = chart.rows(visible, picked);
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
    const [doubtful, certain] = [list.filter((row) => !sure(row)), list.filter(sure)];
    if (doubtful.length) text.append(` · hollow and dashed: disturbed, not ranked${certain.length ? "" : "; nothing here is a result"}`);
    if (list.length) chart.draw(box, list, picked, wordsOf(chart, picked).join(", "));
    else box.replaceChildren(make("p", { class: "empty" }, "Nothing is selected."));
    figure.dataset.ready = String(++turn);
  };
  draw();
  whenResized(box, draw);
  follow(box, showTip);
}

fillPageLegend();
document.documentElement.dataset.page = "ready";
(async () => {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    await idle();
    start(figure);
  }
  document.documentElement.dataset.charts = "ready";
})();
