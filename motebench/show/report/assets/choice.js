// ---- the pictures of a choice, and its two tables -------------------------------------------------------------
function showTip(datum) {
  if (!datum.tips) return false;
  tip.replaceChildren(make("strong", {}, datum.label), make("dl", {}, ...datum.tips.map(([key, value]) => make("div", {}, make("dt", {}, key), make("dd", {}, value)))));
  return true;
}
function keys(list, name) {
  const found = new Map();
  for (const row of list) {
    const key = name === "heat" ? "" : row.part ?? row.label;
    if (key && !found.has(key)) found.set(key, row.part && row.fill && row.fill !== "none" && row.fill !== "var(--card)" ? row.fill : row.color);
  }
  return [...found].map(([text, color]) => {
    const swatch = make("i");
    swatch.style.background = color;
    return make("span", {}, swatch, text);
  });
}
async function draw(figure) {
  const name = figure.dataset.chart;
  // On a narrow screen both texts of a bar would lie over each other.
  const short = name === "split" && narrowScreen.matches;
  const list = data.rows[name].map((row) => (short ? { ...row, text: row.text.split(",")[0] } : row));
  const spec = structuredClone(data.drawings[name]);
  spec.datasets = { rows: list };
  const steps = new Set(list.map((row) => (name === "heat" ? row.scheme : row.label))).size;
  if (spec.height.step) spec.height = spec.height.step * steps;
  if (name === "pareto") for (const layer of spec.layer) layer.encoding.x.axis.values = kibibytes(list.map((row) => row.x));
  figure.querySelector("figcaption").replaceChildren(make("span", { class: "keys" }, ...keys(list, name)));
  const box = figure.querySelector(".chart");
  await embed(box, spec);
  if (name === "pareto") thin(figure);
  follow(box, showTip);
}

const { texts } = data.table;
const candidates = data.table.candidates.map(([rank, tied, scheme, implementation, level, life, latency, flash, ram, sent, cipher, why, more]) => ({
  rank, tied, scheme: texts[scheme], implementation: texts[implementation], level: texts[level], life, latency, flash, ram, sent, cipher,
  why: why.map((i) => texts[i]), more: more.map((pair) => pair.map((i) => texts[i])),
}));
const rejected = data.table.rejected.map(([scheme, implementation, broken]) => ({
  scheme: texts[scheme], implementation: texts[implementation], broken: broken.map((pair) => pair.map((i) => texts[i])),
}));
const bytes = (value) => `${value.toLocaleString("en-US")} B`;
const COLUMNS = [
  ["Life", (one) => one.life, (value) => `${value.toPrecision(3)} y`], ["Latency", (one) => one.latency, (value) => quantity(value * 1e9, "ns")],
  ["Flash", (one) => one.flash, bytes], ["RAM", (one) => one.ram, bytes], ["Sent", (one) => one.sent, bytes], ["Cipher", (one) => one.cipher, (value) => quantity(value, "J")],
];

// A filter, pages, and a table that `fill` makes of what is on the page.
function listOf(box, list, what, wordsOf, heads, fill) {
  if (!box) return;
  const words = new Map(list.map((one) => [one, searched(wordsOf(one))]));
  let order = null, up = true;
  const search = make("input", { type: "search", placeholder: "any part of a name", autocomplete: "off", spellcheck: "false", oninput: () => { page.at = 0; redraw(); } });
  const table = make("table", { class: "paged" });
  const page = pager(() => redraw());
  box.replaceChildren(make("div", { class: "controls" }, make("label", {}, "Find", search)), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": upper(what) }, table), page.node);
  function redraw() {
    const wanted = wordsIn(search.value);
    const found = list.filter((one) => wanted(words.get(one)));
    if (order) {
      found.sort((a, b) => {
        const [x, y] = [order(a) ?? null, order(b) ?? null];
        if (x === null || y === null) return (x === null) - (y === null);
        return (typeof x === "number" ? x - y : x.localeCompare(y, "en", { numeric: true })) * (up ? 1 : -1);
      });
    }
    const head = ([text, of, number]) => make("th", { scope: "col", class: number ? "num" : null, "aria-sort": of && of === order ? (up ? "ascending" : "descending") : null },
      of ? make("button", { type: "button", class: "sort", onclick: () => { up = order === of ? !up : true; order = of; redraw(); } }, text) : text);
    table.replaceChildren(make("thead", {}, make("tr", {}, ...heads.map(head))), make("tbody", {}, ...page.of(found, list.length, what).flatMap((one) => fill(one, redraw))));
  }
  redraw();
}
const open = new Set();
listOf(document.getElementById("candidates-table"), candidates, "candidates", (one) => `${one.scheme} ${one.implementation} ${one.why.join(" ")}`,
  [["Rank", (one) => one.rank], ["Scheme", (one) => one.scheme], ["Implementation", (one) => one.implementation], ...COLUMNS.map(([name, of]) => [name, of, true])],
  (one, redraw) => {
    const toggle = make("button", { type: "button", class: "toggle", "aria-expanded": String(open.has(one)), "aria-label": `Why ${one.scheme} by ${one.implementation} stands here`, onclick: () => { if (!open.delete(one)) open.add(one); redraw(); } }, open.has(one) ? "−" : "+");
    const line = make("tr", {}, make("th", { scope: "row" }, toggle, `${one.rank}${one.tied ? "=" : ""}`),
      make("td", {}, make("b", {}, one.scheme), ...(one.level === "bad" || one.level === "worst" ? [" ", make("span", { class: `verdict ${one.level}` }, one.level === "bad" ? "advised against" : "broken or withdrawn")] : [])),
      make("td", {}, one.implementation), ...COLUMNS.map(([name, of, say]) => make("td", { class: "num", "data-label": name }, of(one) === null ? "–" : say(of(one)))));
    if (!open.has(one)) return [line];
    const facts = one.more.map(([key, value]) => make("span", {}, make("small", {}, key), ` ${value}`, make("br")));
    return [line, make("tr", { class: "more" }, make("td", { colspan: 9 }, make("div", { class: "why" }, `${one.why.join("; ")}.`), make("p", { class: "told" }, ...facts)))];
  });
listOf(document.getElementById("rejected-table"), rejected, "rejected", (one) => `${one.scheme} ${one.implementation} ${one.broken.flat().join(" ")}`,
  [["Scheme", (one) => one.scheme], ["Implementation", (one) => one.implementation], ["Limits", null]],
  (one) => [make("tr", {}, make("th", { scope: "row" }, one.scheme), make("td", {}, one.implementation),
    make("td", { class: "prose" }, ...one.broken.flatMap(([limit, text], i) => [...(i ? [make("br")] : []), make("span", { class: "verdict bad" }, limit), ` ${text}`])))]);

document.documentElement.dataset.page = "ready";
(async () => {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    await idle();
    await draw(figure);
  }
  document.documentElement.dataset.charts = "ready";
})();
