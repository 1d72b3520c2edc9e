// ---- the table of all cases: a row for each case, a column for each metric -----------------------------------
const DIMENSIONS = ["scheme", "implementation", "operation", "size", "target", "file"];
const FIRST = [...(EXACT ? ["cycles", "time"] : ["time", "throughput"]), "flash", "static_ram", "stack", "hash_share", "energy", "throughput", "cycles", "peak_rss_net", "flash_net", "static_ram_net", "peak_rss"];
const METRIC_COLUMNS = 5;
const STATISTICS = [["Median", "v"], ["Mean", "mean"], ["Std dev", "stddev"], ["Min", "min"], ["Max", "max"]];
const marksOf = (scheme) => known(data.marks, scheme) ?? [];
const objections = (scheme) => marksOf(scheme).filter(([level]) => level === "bad" || level === "worst");
const loudest = (scheme) => [...objections(scheme)].sort((a, b) => (b[0] === "worst") - (a[0] === "worst")).slice(0, 1);
const badges = (scheme) => loudest(scheme).flatMap(([level, text]) => [" ", make("span", { class: `verdict ${level}` }, text)]);
const intervalOf = (row, digits) => (row.lo === null || row.hi === null || row.isCurve ? "n/a" : `${quantity(row.lo, row.unit, digits)} to ${quantity(row.hi, row.unit, digits)}`);
const linked = (text, address) => (address ? make("a", { href: address }, text) : text);
// Every statistic of a row in words; what a curve or an exact result has not is left out.
function statisticsOf(row) {
  const out = [["Metric", nameOf("metric", row.metric)]];
  // What is not to be quoted has two digits.
  const digits = row.quotable ? 4 : 2;
  if (!row.isCurve) out.push(["Median", row.quotable ? quantity(row.v, row.unit, 4) : row.text]);
  if (!row.exact && !row.isCurve) {
    out.push(["Interval", intervalOf(row, digits)], ["n", String(row.n)], ["Outliers", String(row.outliers)], ["Mean", quantity(row.mean, row.unit, digits)]);
    out.push(["Std dev", quantity(row.stddev, row.unit, digits)]);
    out.push(["Variance", row.variance === null ? "n/a" : `${Number(row.variance.toPrecision(digits))} ${row.unit === "1" ? "" : `${row.unit}²`}`.trim()]);
  }
  if (!row.exact) out.push(["Min", quantity(row.min, row.unit, digits)], ["Max", quantity(row.max, row.unit, digits)]);
  if (row.exact) out.push(["n", `${row.n}, all equal`]);
  if (row.exact && !row.alone) out.push(["Over places", row.spread.slice(1, -1)]);
  out.push(["Evidence", row.evidence], ["Source", row.source]);
  return out.filter(([, text]) => text);
}

function casesTable() {
  const box = document.getElementById("cases");
  if (!box) return;
  const there = unique(rows.map((row) => row.metric));
  const metrics = [...unique(FIRST).filter((name) => there.includes(name)), ...there.filter((name) => !FIRST.includes(name))];
  const shown = new Set(metrics.slice(0, METRIC_COLUMNS));
  const dimensions = DIMENSIONS.filter((name) => unique(cases.map((one) => one[name])).length > 1 || ["scheme", "implementation", "operation"].includes(name));
  const texts = new Map(cases.map((one) => [one, searched([one.scheme, one.implementation, one.operation, nameOf("operation", one.operation), sizeText(one.size), one.target, one.file, ...marksOf(one.scheme).map(([, text]) => text)].join(" "))]));
  const picked = {}, open = new Set();
  let order = null, up = true;
  const search = make("input", { type: "search", id: "filter", placeholder: "any part of a name", autocomplete: "off", spellcheck: "false", oninput: () => { page.at = 0; draw(); } });
  const selects = dimensions.filter((name) => { const count = unique(cases.map((one) => one[name])).length; return count > 1 && count <= CHOICES; }).map((name) => {
    const values = unique(cases.map((one) => one[name]));
    values.sort((a, b) => (typeof a === "number" ? a - b : a.localeCompare(b, "en", { numeric: true })));
    const select = make("select", { "data-filter": name, onchange: () => { picked[name] = values[select.selectedIndex - 1]; page.at = 0; draw(); } },
      make("option", {}, "all"), ...values.map((value) => make("option", {}, nameOf(name, value))));
    return make("label", {}, upper(name === "size" ? "input" : name), select);
  });
  const chips = metrics.map((name) => make("button", { type: "button", class: "chip plain", "data-metric": name, "aria-pressed": String(shown.has(name)), onclick: (event) => {
    if (!shown.delete(name)) shown.add(name);
    event.currentTarget.setAttribute("aria-pressed", String(shown.has(name)));
    draw();
  } }, nameOf("metric", name)));
  const sorter = make("select", { onchange: () => { [order, up] = sorter.value ? [sorter.value, true] : [null, true]; draw(); } });
  const matching = () => {
    const wanted = wordsIn(search.value);
    return cases.filter((one) => dimensions.every((name) => picked[name] === undefined || one[name] === picked[name]) && wanted(texts.get(one)));
  };
  const valueOf = (one) => (DIMENSIONS.includes(order) ? one[order] : one.metrics[order]?.v ?? null);
  const sorted = (list) => (order === null ? list : [...list].sort((a, b) => {
    const [x, y] = [valueOf(a), valueOf(b)];
    // What has no number comes last, either way.
    if (x === null || y === null) return (x === null) - (y === null);
    return (typeof x === "number" ? x - y : x.localeCompare(y, "en", { numeric: true })) * (up ? 1 : -1);
  }));
  const page = pager(() => draw());
  const table = make("table", { id: "all", class: "paged" });
  const save = make("button", { type: "button", id: "csv", title: "Every statistic of the cases that match, one line for each metric", onclick: () => saveCsv(sorted(matching())) }, "Save as CSV");
  const controls = make("div", { class: "controls" }, make("label", {}, "Find", search), ...selects, make("label", { class: "sorter" }, "Sort by", sorter), save);
  const columns = make("details", {}, make("summary", {}, `Columns: ${shown.size} of ${metrics.length} metrics`), make("div", { class: "controls" }, ...chips));
  box.replaceChildren(controls, columns, make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Table of all cases" }, table), page.node);

  const head = (name, text, number) => make("th", { scope: "col", class: number ? "num" : null, "aria-sort": order === name ? (up ? "ascending" : "descending") : null },
    make("button", { type: "button", class: "sort", "data-column": name, onclick: () => {
      up = order === name ? !up : true;
      order = name;
      draw();
      table.querySelector(`.sort[data-column="${CSS.escape(name)}"]`)?.focus();
    } }, text));
  const cell = (one, name) => {
    const row = one.metrics[name];
    const label = upper(nameOf("metric", name));
    if (!row) return make("td", { class: "num", "data-label": label }, "–");
    const spread = row.alone || row.isCurve || row.spread === "no interval" ? [] : [" ", make("small", {}, row.spread.replace(" between runs", ""))];
    return make("td", { class: `num${row.quotable ? "" : " disturbed"}`, "data-label": label, "data-v": row.v }, make("b", {}, row.exact && row.unit === "cycles" ? plainly(row.v, row.unit) ?? row.text : row.text), ...spread);
  };
  const more = (one, span) => {
    const lines = Object.values(one.metrics);
    const heads = ["Metric", "Median", "Interval", "n", "Outliers", "Mean", "Std dev", "Variance", "Min", "Max", "Over places", "Evidence", "Source"].filter((name) => lines.some((row) => statisticsOf(row).some(([key]) => key === name)));
    return make("tr", { class: "more" }, make("td", { colspan: span }, make("div", { class: "scroll" }, make("table", {}, make("thead", {}, make("tr", {}, ...heads.map((name) => make("th", { scope: "col" }, name)))),
      make("tbody", {}, ...lines.map((row) => {
        const told = new Map(statisticsOf(row));
        return make("tr", {}, ...heads.map((name) => make("td", {}, name === "Metric" ? linked(told.get(name), row.link) : told.get(name) ?? "–")));
      }))))));
  };
  function draw() {
    const list = sorted(matching());
    const part = page.of(list, cases.length, "cases");
    const wanted = metrics.filter((name) => shown.has(name));
    const plain = dimensions.filter((name) => name !== "scheme");
    columns.firstChild.textContent = `Columns: ${wanted.length} of ${metrics.length} metrics`;
    sorter.replaceChildren(make("option", { value: "" }, "operation"), ...["scheme", "implementation", ...wanted].map((name) => make("option", { value: name, selected: order === name }, nameOf("metric", name))));
    const heads = make("tr", {}, head("scheme", "Scheme"), ...plain.map((name) => head(name, upper(name === "size" ? "input" : name), name === "size")), ...wanted.map((name) => head(name, upper(nameOf("metric", name)), true)));
    const body = part.flatMap((one) => {
      const key = cases.indexOf(one);
      const toggle = make("button", { type: "button", class: "toggle", "aria-expanded": String(open.has(key)), "aria-label": `Every statistic of ${one.scheme} by ${one.implementation}`, onclick: () => { if (!open.delete(key)) open.add(key); draw(); } }, open.has(key) ? "−" : "+");
      const line = make("tr", {}, make("th", { scope: "row" }, toggle, linked(one.scheme || "plain copy", Object.values(one.metrics)[0].link), ...badges(one.scheme)),
        ...plain.map((name) => make("td", { class: name === "size" ? "num" : null, "data-label": name === "size" ? "input" : name }, name === "size" || name === "file" ? (one[name] ? nameOf(name, one[name]) : "–") : name === "operation" ? one.operation : one[name])),
        ...wanted.map((name) => cell(one, name)));
      return open.has(key) ? [line, more(one, 1 + plain.length + wanted.length)] : [line];
    });
    table.replaceChildren(make("thead", {}, heads), make("tbody", {}, ...body));
  }
  narrowScreen.addEventListener("change", () => draw());
  draw();
}

const CSV = [
  ["Scheme", (row) => row.scheme], ["Implementation", (row) => row.implementation], ["Operation", (row) => row.operation], ["Input", (row) => row.size],
  ["Metric", (row) => row.metric], ["Median", (row) => row.v], ["Unit", (row) => row.unit], ["Interval low", (row) => row.lo], ["Interval high", (row) => row.hi],
  ["n", (row) => row.n], ["Outliers", (row) => row.outliers], ["Mean", (row) => row.mean], ["Std dev", (row) => row.stddev], ["Variance", (row) => row.variance],
  ["Min", (row) => row.min], ["Max", (row) => row.max], ["Better", (row) => row.better], ["Evidence", (row) => row.evidence], ["Source", (row) => row.source],
  ["Quotable", (row) => (row.quotable ? "yes" : "no: disturbed")], ["Security", (row) => marksOf(row.scheme).map(([, text]) => text).join("; ")], ["Target", (row) => row.target], ["File", (row) => row.file],
];
function saveCsv(list) {
  // A text that a spreadsheet would take for a formula is quoted with an apostrophe.
  const safe = (value) => {
    const text = String(value ?? "");
    return `"${(/^[=+\-@\t\r]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text).replaceAll('"', '""')}"`;
  };
  // Of a curve only its extremes mean something.
  const whole = (row) => (row.isCurve ? { ...row, v: null, lo: null, hi: null, mean: null, stddev: null, variance: null } : row);
  const lines = list.flatMap((one) => Object.values(one.metrics)).map((row) => CSV.map(([, of]) => safe(of(whole(row)))).join(","));
  const link = make("a", { download: "motebench.csv" });
  link.href = URL.createObjectURL(new Blob([[CSV.map(([name]) => safe(name)).join(","), ...lines].join("\r\n"), "\r\n"], { type: "text/csv" }));
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
casesTable();
