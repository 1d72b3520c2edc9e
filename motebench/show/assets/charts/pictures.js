// ---- the kinds of pictures, each drawn from rows --------------------------------------------------------------
// What is disturbed is no result: it is drawn hollow and dashed, without an interval.
const sure = (row) => row.sure !== false;
const filled = (row, part = {}) => (sure(row)
  ? { fill: row.fill ?? row.color, stroke: row.color, "stroke-width": 1.2, ...part }
  : { fill: "none", stroke: row.color, "stroke-width": 1.2, "stroke-dasharray": UNSURE, class: "unsure" });
const spanned = (row) => Number.isFinite(row.lo) && Number.isFinite(row.hi) && row.lo !== null && row.hi !== null && sure(row);

// One bar for each row, with the interval of the median, or the range over places of the code, across its end.
function drawBars(box, list, { axis, saying }) {
  const values = list.flatMap((row) => (spanned(row) ? [row.v, row.lo, row.hi] : [row.v]));
  rowChart(box, list, { axis: { zero: true, values, ...axis }, saying, draw: (svg, x, at) => {
    const bars = layer("rect"), whiskers = layer("rule");
    for (const row of list) {
      const y = at(row);
      bars.append(mark(row, { d: rectangle(x(0), y - 5.5, x(row.v) - x(0), 11), ...filled(row) }));
      if (spanned(row)) whiskers.append(mark(row, { class: "whisker", d: `M${x(row.lo)} ${y}H${x(row.hi)}M${x(row.lo)} ${y - 5}v10M${x(row.hi)} ${y - 5}v10` }));
    }
    svg.append(bars, whiskers);
  } });
}

// Bars whose parts add up to a whole; where a row has a `floor`, a mark on its bar shows it.
function drawParts(box, list, { axis, saying }) {
  const wholes = new Map();
  for (const row of list) wholes.set(row.label, (wholes.get(row.label) ?? 0) + row.v);
  rowChart(box, list, { axis: { zero: true, values: [...wholes.values(), ...list.map((row) => row.floor ?? 0)], ...axis }, saying, draw: (svg, x, at) => {
    const bars = layer("rect"), begun = new Map();
    for (const row of list) {
      const before = begun.get(row.label) ?? 0, y = at(row);
      begun.set(row.label, before + row.v);
      bars.append(mark(row, { d: rectangle(x(before), y - 6.5, x(before + row.v) - x(before), 13), ...filled({ ...row, color: sure(row) ? "var(--card)" : "var(--ink-2)" }, { "stroke-width": 1 }) }));
      if (Number.isFinite(row.floor ?? NaN)) bars.append(mark(row, { d: rectangle(x(row.floor) - 1.5, y - 7.5, 3, 15), fill: "var(--ink)" }));
    }
    svg.append(bars);
  } });
}

// Two marks for each name, with the intervals of both behind them.
function drawPairs(box, list, { axis, saying }) {
  rowChart(box, list, { axis: { log: true, values: list.flatMap((row) => (spanned(row) ? [row.v, row.lo, row.hi] : [row.v])), ...axis }, saying, draw: (svg, x, at) => {
    const rules = layer("rule"), symbols = layer("symbol");
    for (const label of unique(list.map((row) => row.label))) {
      const both = list.filter((row) => row.label === label), ends = both.map((row) => x(row.v));
      rules.append(vector("path", { d: `M${Math.min(...ends)} ${at(both[0])}H${Math.max(...ends)}`, stroke: both[0].color, "stroke-width": 2.5, opacity: 0.45 }));
    }
    for (const row of list) {
      if (spanned(row)) rules.append(vector("path", { d: `M${x(row.lo)} ${at(row)}H${x(row.hi)}`, stroke: row.color, "stroke-width": 9, opacity: 0.25 }));
      symbols.append(mark(row, { d: symbolAt(row.shape, x(row.v), at(row), 5.5), ...filled(row) }));
    }
    svg.append(rules, symbols);
  } });
}

// Every sample as its distance from the median; quartiles as a band, outliers as crosses.
function drawSamples(box, list, { axis, saying }) {
  rowChart(box, list, { axis: { values: list.flatMap((row) => (row.d === null ? [row.q1, row.q3, 0] : [row.d])), ...axis }, extra: 10, saying, draw: (svg, x, at) => {
    const bands = layer("rect"), symbols = layer("symbol");
    for (const row of list) {
      const y = at(row);
      if (row.d === null) {
        bands.append(vector("path", { d: rectangle(x(row.q1), y - 9, x(row.q3) - x(row.q1), 18), fill: row.color, opacity: 0.22 }), vector("path", { d: rectangle(x(0) - 1, y - 9, 2, 18), fill: "var(--ink)" }));
      } else if (row.out) {
        const [cx, cy] = [x(row.d), y + row.jitter * 30];
        symbols.append(mark(row, { d: `M${cx - 4} ${cy - 4}l8 8m0-8l-8 8`, stroke: "var(--alarm)", "stroke-width": 2, fill: "none" }));
      } else symbols.append(mark(row, { d: symbolAt("circle", x(row.d), y + row.jitter * 30, 2.6), fill: sure(row) ? row.color : "none", stroke: row.color, opacity: 0.55 }));
    }
    svg.append(bands, symbols);
  } });
}

// Lines over sizes, rates or numbers. A disturbed point has no line to it.
function drawLines(box, list, { across, upwards, height = 400, saying, small = false }) {
  const values = list.flatMap((row) => (row.band !== false && spanned(row) ? [row.v, row.lo, row.hi] : [row.v]));
  const { svg, x, y } = plane(box, height, { values: list.map((row) => row.x), ...across }, { values, ...upwards }, saying);
  const areas = layer("area"), lines = layer("line"), rules = layer("rule"), symbols = layer("symbol"), texts = layer("text");
  for (const label of unique(list.map((row) => row.label))) {
    const line = list.filter((row) => row.label === label).sort((a, b) => a.x - b.x), first = line[0];
    const safe = line.filter(sure);
    if (first.band) areas.append(vector("path", { d: `M${line.map((row) => `${x(row.x)} ${y(row.hi)}`).join("L")}L${[...line].reverse().map((row) => `${x(row.x)} ${y(row.lo)}`).join("L")}z`, fill: first.color, opacity: 0.14 }));
    if (safe.length) lines.append(vector("path", { d: `M${safe.map((row) => `${x(row.x)} ${y(row.v)}`).join("L")}`, stroke: first.color, "stroke-width": first.variant ? 1.1 : 2.2, "stroke-dasharray": DASHES[first.dash % DASHES.length], fill: "none" }));
    for (const row of line) {
      if (first.band === undefined && spanned(row)) rules.append(vector("path", { d: `M${x(row.x)} ${y(row.lo)}V${y(row.hi)}`, stroke: row.color, "stroke-width": 5, opacity: 0.3 }));
      symbols.append(mark(row, { d: symbolAt(row.shape, x(row.x), y(row.v), small ? 2.6 : row.variant ? 3 : 4.6), ...filled({ ...row, fill: row.dash && !row.variant && !small ? "var(--card)" : row.color }, { "stroke-width": 1.6 }) }));
    }
    // The chosen candidate has its name above the beginning of its line, which falls.
    if (first.named) texts.append(vector("text", { class: "name", x: x(first.x) + 2, y: y(first.v) - 10, "text-anchor": "start" }, first.named));
  }
  svg.append(areas, rules, lines, symbols, texts);
}

// A mark for each row on two axes; those in front have their names beside them.
function drawPoints(box, list, { across, upwards, saying }) {
  const { svg, x, y, left, right } = plane(box, 400, { values: list.map((row) => row.x), grid: true, ...across }, { values: list.map((row) => row.v), ...upwards }, saying);
  const symbols = layer("symbol"), texts = layer("text");
  const chosen = (row) => Boolean(row.text?.startsWith("chosen")), weight = (row) => Number(row.front) + 2 * Number(chosen(row));
  for (const row of [...list].sort((a, b) => weight(a) - weight(b))) {
    const [px, py] = [x(row.x), y(row.v)];
    symbols.append(mark(row, { d: symbolAt(row.shape, px, py, chosen(row) ? 8 : row.front ? 5.5 : 4.5), ...filled(row, { "stroke-width": 1.6 }), class: row.front ? "front" : null }));
    if (row.text) texts.append(vector("text", { class: chosen(row) ? "name chosen" : "name", x: px + (px > (left + right) / 2 ? -9 : 9), y: py - 8, "text-anchor": px > (left + right) / 2 ? "end" : "start" }, row.text));
  }
  svg.append(symbols, texts);
  thin(box);
}

// The time of every batch in order; a band and a line for the steady state, over the batches that it is compared with.
function drawWarmup(box, list, { saying }) {
  const batches = list.filter((row) => Number.isFinite(row.at)), steady = list.filter((row) => row.steady), begins = list.filter((row) => Number.isFinite(row.begins));
  const { svg, x, y, left, right, top, bottom } = plane(box, 320, { values: batches.map((row) => row.at), exactly: true, kind: "rate", title: "Number of the batch" },
    { values: [...batches.map((row) => row.v), ...steady.flatMap((row) => [row.lo, row.hi])], log: true, kind: "time", title: "Time of one operation (lower is better)" }, saying);
  const lines = layer("line"), symbols = layer("symbol"), rules = layer("rule"), texts = layer("text");
  for (const label of unique(batches.map((row) => row.label))) {
    const line = batches.filter((row) => row.label === label);
    lines.append(vector("path", { d: `M${line.map((row) => `${x(row.at)} ${y(row.v)}`).join("L")}`, stroke: line[0].color, "stroke-width": 1, opacity: 0.5, fill: "none" }));
  }
  for (const row of batches) symbols.append(mark(row, { d: symbolAt(row.shape, x(row.at), y(row.v), 2.6), fill: row.color, opacity: 0.85 }));
  for (const row of steady) rules.append(vector("path", { d: rectangle(left, y(row.hi), right - left, Math.max(1, y(row.lo) - y(row.hi))), fill: "var(--good)", opacity: 0.3 }), vector("path", { d: `M${left} ${y(row.v)}H${right}`, stroke: "var(--good)", "stroke-width": 2 }));
  for (const row of begins) {
    rules.append(vector("path", { d: `M${x(row.begins)} ${top}V${bottom}`, stroke: "var(--ink-2)", "stroke-dasharray": "4 3" }));
    texts.append(vector("text", { x: x(row.begins) + (row.early ? 5 : -5), y: top + 9, "text-anchor": row.early ? "start" : "end" }, "steady from here"));
  }
  svg.append(lines, symbols, rules, texts);
}

// A cell for each device and scheme: devices below each other, as many schemes as there is room for.
function drawHeat(box, list, { saying }) {
  const devices = unique(list.map((row) => row.device)), room = roomOf(box), own = list.find((row) => row.own)?.device;
  const called = (name) => (name === own ? `${name}, yours` : name);
  const left = Math.min(Math.max(...devices.map((name) => textWidth(called(name), 700))) + 14, room * 0.45);
  const ordered = unique([...list].sort((a, b) => a.order - b.order).map((row) => row.scheme));
  const schemes = ordered.slice(0, Math.max(1, Math.floor((room - left - 4) / 78)));
  const cell = Math.min(170, (room - left - 4) / schemes.length), tall = 26, top = 58;
  const svg = sheet(box, top + devices.length * tall + 4, saying), axis = vector("g", { class: "role-axis" }), cells = layer("rect"), texts = layer("text");
  const taken = list.find((row) => row.chosen)?.scheme;
  schemes.forEach((name, i) => {
    const x = left + (i + 0.5) * cell, parts = halves(name, cell - 8);
    if (name === taken) axis.append(vector("text", { x, y: top - 10 - parts.length * 14, "text-anchor": "middle" }, "chosen:"));
    parts.forEach((text, line) => axis.append(vector("text", { x, y: top - 8 - (parts.length - 1 - line) * 14, "text-anchor": "middle" }, fitted(text, cell - 4, 400))));
  });
  devices.forEach((name, i) => axis.append(vector("text", { x: left - 10, y: top + i * tall + 17, "text-anchor": "end" }, fitted(called(name), left - 10, 400))));
  for (const row of list.filter((entry) => schemes.includes(entry.scheme))) {
    const x = left + schemes.indexOf(row.scheme) * cell, y = top + devices.indexOf(row.device) * tall;
    cells.append(mark(row, { d: rectangle(x + 1, y + 1, cell - 2, tall - 2), fill: "var(--accent)", "fill-opacity": row.shade }));
    texts.append(vector("text", { class: "name", x: x + cell / 2, y: y + 17, "text-anchor": "middle" }, row.text));
  }
  svg.append(axis, cells, texts);
  box.replaceChildren(svg);
}
// A name in two lines at the hyphen nearest to its middle, if it is too wide for one.
function halves(name, room) {
  if (textWidth(name, 700) <= room) return [name];
  const cuts = [...name.matchAll(/-/g)].map((found) => found.index + 1);
  if (!cuts.length) return [name];
  const cut = cuts.reduce((a, b) => (Math.abs(b - name.length / 2) < Math.abs(a - name.length / 2) ? b : a));
  return [name.slice(0, cut), name.slice(cut)];
}
