// The data of the page, words for people, and how each scheme and implementation looks.
const data = JSON.parse(document.getElementById("data").textContent);
const { look, words, samples } = data;
const columns = data.table.columns;
const rows = data.table.rows.map((line) => Object.fromEntries(columns.map((name, i) => [name, line[i]])));
const LIMIT = 16;
const LINES = 8;

const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
};
const unique = (list) => [...new Set(list)];
const known = (table, name) => (Object.hasOwn(table, name) ? table[name] : undefined);
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// ---- numbers and names for people -------------------------------------------------------------------------
const sizeText = (size) => {
  for (const [factor, unit] of [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1e9, "GB"], [1e6, "MB"], [1e3, "kB"]]) {
    if (size >= factor && size % factor === 0) return `${size / factor} ${unit}`;
  }
  return size ? `${size} B` : "no input";
};
const names = {
  operation: (value) => known(words.operations, value) ?? value,
  metric: (value) => known(words.metrics, value) ?? value,
  size: sizeText,
  file: (value) => value || "no file",
};
const nameOf = (dimension, value) => (names[dimension] ?? String)(value);
const axisOf = (metric) => {
  const unit = known(words.units, metric);
  return { "B/s": "throughput", ns: "time", B: "bytes" }[unit] ?? "plain";
};
const axisTitle = (metric) => {
  const better = known(words.better, metric);
  return upper(nameOf("metric", metric)) + (better ? ` (${better})` : "");
};

// ---- how a series looks -----------------------------------------------------------------------------------
const PLAIN = { place: 0, variant: 0 };
const GREY = { color: "var(--c6)", shape: "circle" };
const schemeLook = (scheme) => known(look.schemes, scheme) ?? GREY;
const implementationLook = (name) => known(look.implementations, name) ?? PLAIN;
const narrowScreen = matchMedia("(max-width: 640px)");
// An empty file tells what the process costs that works on the others.
const isFloor = (row) => row.file === "empty" && row.size === 0;
const floorsOf = (metric) => {
  const key = (row) => JSON.stringify([row.scheme, row.implementation, row.operation, row.target, row.evidence]);
  const found = new Map(rows.filter((row) => isFloor(row) && row.metric === metric).map((row) => [key(row), row]));
  return (row) => (isFloor(row) ? undefined : found.get(key(row)));
};
const labelOf = (row) => {
  if (row.operation === "copy-file") return "plain copy";
  const against = known(data.advised_against, row.scheme);
  return `${row.scheme} · ${row.implementation}${against ? (narrowScreen.matches ? " ⚠" : ` · ⚠ ${against}`) : ""}`;
};
const fillOf = (color, place) =>
  [color, "var(--card)", `color-mix(in srgb, ${color} 35%, var(--card))`, `color-mix(in srgb, ${color} 65%, var(--card))`][place % 4];
const tintOf = (color, place) => {
  const part = [100, 45, 72, 20][place % 4];
  return part === 100 ? color : `color-mix(in srgb, ${color} ${part}%, var(--card))`;
};
// A variant is drawn faintly in the manner of its implementation.
const bar = (row) => {
  const { place, variant } = implementationLook(row.implementation);
  const { color } = schemeLook(row.scheme);
  return { ...drawn(row), fill: variant ? `color-mix(in srgb, ${color} 10%, var(--card))` : tintOf(color, place) };
};
const drawn = (row) => {
  const { color, shape } = schemeLook(row.scheme);
  const { place, variant } = implementationLook(row.implementation);
  const label = labelOf(row);
  // Where both texts do not fit side by side, the interval is left to the tooltip, the whisker and the table.
  const interval = row.spread === "no interval" || (narrowScreen.matches && label.length + row.text.length > 30) ? "" : `  ${row.spread}`;
  return {
    m: row.index, label, head: true, v: row.v, lo: row.lo, hi: row.hi, text: row.text + interval,
    size: row.size, color, shape, fill: fillOf(color, place), dash: (variant || place) % 6, variant: variant > 0,
  };
};
const best = (list, metric) => {
  const sign = (known(words.better, metric) ?? "").startsWith("higher") ? -1 : 1;
  return [...list].sort((a, b) => sign * (a.v - b.v));
};
