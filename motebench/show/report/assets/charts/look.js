// How each scheme and implementation looks, and what a chart is told of a row.
const LIMIT = 10;
const LINES = 8;
const axisOf = (metric) => {
  const unit = known(words.units, metric);
  return { "B/s": "throughput", ns: "time", B: "bytes", J: "energy" }[unit] ?? "plain";
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
// An empty file tells what the process costs that works on the others.
const isFloor = (row) => row.file === "empty" && row.size === 0;
const floorsOf = (metric) => {
  const key = (row) => JSON.stringify([row.scheme, row.implementation, row.operation, row.target, row.evidence]);
  const found = new Map(rows.filter((row) => isFloor(row) && row.metric === metric).map((row) => [key(row), row]));
  return (row) => (isFloor(row) ? undefined : found.get(key(row)));
};
// The loudest thing that speaks against a scheme; on a narrow screen a sign stands for it.
const warningOf = (scheme) => {
  const [level, text] = loudest(scheme)[0] ?? [];
  return level !== "worst" ? "" : narrowScreen.matches ? " ⚠" : ` · ⚠ ${text}`;
};
const labelOf = (row) => {
  if (row.operation === "copy-file") return "plain copy";
  return `${row.scheme} · ${row.implementation}${warningOf(row.scheme)}`;
};
// Beside a line there is room for a sign only.
const lineLabel = (row) => `${row.scheme} · ${row.implementation}${warningOf(row.scheme) ? " ⚠" : ""}`;
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
  const interval = row.alone || row.spread === "no interval" || (narrowScreen.matches && label.length + row.text.length > 30) ? "" : `  ${row.spread}`;
  return {
    m: row.index, label, head: true, v: row.v, lo: row.exact ? null : row.lo, hi: row.exact ? null : row.hi, text: row.text + interval,
    size: row.size, color, shape, fill: fillOf(color, place), dash: (variant || place) % 6, variant: variant > 0,
  };
};
const best = (list, metric) => {
  const sign = (known(words.better, metric) ?? "").startsWith("higher") ? -1 : 1;
  return [...list].sort((a, b) => sign * (a.v - b.v));
};
