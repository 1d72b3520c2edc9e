// ---- the pictures of a choice, and its two tables -------------------------------------------------------------
function showTip(datum) {
  if (!datum.tips) return false;
  tip.replaceChildren(make("strong", {}, datum.label), make("dl", {}, ...datum.tips.map(([key, value]) => make("div", {}, make("dt", {}, key), make("dd", {}, value)))));
  return true;
}
// The scale of the shades: the cheapest and the dearest cell.
function shades(list) {
  const sorted = [...list].sort((a, b) => a.shade - b.shade);
  return [["fastest", sorted[0]], ["slowest", sorted.at(-1)]].map(([word, row]) => {
    const swatch = make("i");
    swatch.style.background = `color-mix(in srgb, var(--accent) ${Math.round(row.shade * 100)}%, transparent)`;
    return make("span", {}, swatch, `${word}: ${Object.fromEntries(row.tips).time}`);
  });
}
function keys(list, name) {
  if (name === "heat") return shades(list);
  const found = new Map();
  for (const row of list) {
    const key = row.part ?? row.label;
    if (key && !found.has(key)) found.set(key, row);
  }
  return [...found].map(([text, row]) => {
    if (!row.part) return make("span", {}, symbol(row, DASHES[row.dash % DASHES.length]), text);
    if (name === "pareto") return make("span", {}, symbol({ ...row, color: "var(--ink-2)", shape: row.part === "rejected" ? row.shape : "circle" }, "0 99", row.part !== "on the front"), text);
    const swatch = make("i");
    swatch.style.background = row.fill;
    return make("span", {}, swatch, text);
  });
}
const OF_ENERGY = { kind: "energy", log: true, title: "Energy of a message, sleep apart (lower is better)" };
const years = { words: (value) => trimmed(value, 3), zero: true, title: "Battery life in years (higher is better)" };
const named = (list) => unique(list.map((row) => row.label));
const PICTURES = {
  split: (box, list, title) => drawParts(box, list, { axis: { kind: "energy", title: "Energy from one message to the next (lower is better)" }, saying: `${title}: ${list.filter((row) => row.head).map((row) => `${row.label} ${row.text}`).slice(0, 3).join("; ")}.` }),
  "life-by-size": (box, list, title) => drawLines(box, list, { across: { kind: "rate", exactly: true, title: "Bytes of the message, before encryption" }, upwards: years, height: 360, small: true, saying: `${title}: battery life of ${named(list).join(", ")}.` }),
  "life-by-rate": (box, list, title) => drawLines(box, list, { across: { kind: "rate", log: true, title: "Messages a day" }, upwards: years, height: 360, small: true, saying: `${title}: battery life of ${named(list).join(", ")}.` }),
  pareto: (box, list, title) => drawPoints(box, list, { across: { kind: "bytes", bytes: true, log: true, title: "Flash added (lower is better)" }, upwards: OF_ENERGY, saying: `${title}: ${list.length} candidates; on the front ${list.filter((row) => row.front).map((row) => row.label).join(", ")}.` }),
  heat: (box, list, title) => drawHeat(box, list, { saying: `${title}: cost of a message for ${unique(list.map((row) => row.scheme)).length} schemes on ${unique(list.map((row) => row.device)).length} devices.` }),
};
function draw(figure) {
  const name = figure.dataset.chart, box = figure.querySelector(".chart"), list = data.rows[name];
  figure.querySelector("figcaption").replaceChildren(make("span", { class: "keys" }, ...keys(list, name)));
  const title = figure.closest("section").querySelector("h2").textContent;
  const redraw = () => PICTURES[name](box, list, title);
  redraw();
  whenResized(box, redraw);
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
  box.replaceChildren(make("div", { class: "controls" }, make("label", {}, "Find", search)), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table of ${what}` }, table), page.node);
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
      make("td", { class: "name" }, one.implementation), ...COLUMNS.map(([name, of, say]) => make("td", { class: "num", "data-label": name }, of(one) === null ? "–" : say(of(one)))));
    if (!open.has(one)) return [line];
    const facts = one.more.map(([key, value]) => make("span", {}, make("small", {}, key), ` ${value}`, make("br")));
    return [line, make("tr", { class: "more" }, make("td", { colspan: 9 }, make("div", { class: "why" }, `${one.why.join("; ")}.`), make("p", { class: "told" }, ...facts)))];
  });
listOf(document.getElementById("rejected-table"), rejected, "rejected", (one) => `${one.scheme} ${one.implementation} ${one.broken.flat().join(" ")}`,
  [["Scheme", (one) => one.scheme], ["Implementation", (one) => one.implementation], ["Limits", null]],
  (one) => [make("tr", {}, make("th", { scope: "row" }, one.scheme), make("td", { class: "name" }, one.implementation),
    make("td", { class: "prose" }, ...one.broken.flatMap(([limit, text], i) => [...(i ? [make("br")] : []), make("span", { class: "verdict bad" }, limit), ` ${text}`])))]);

if (Object.keys(look.implementations).length) fillPageLegend([make("span", {}, symbol({ color: "var(--ink-2)", shape: "circle" }, "none"), "any other")]);
else document.querySelector(".colours")?.remove();
document.documentElement.dataset.page = "ready";
(async () => {
  for (const figure of document.querySelectorAll("figure[data-chart]")) {
    await idle();
    draw(figure);
  }
  document.documentElement.dataset.charts = "ready";
})();
