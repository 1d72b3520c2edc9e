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

// ---- how a series looks: colour and shape say the implementation, dash and filling the scheme ---------------------
const GREY = { color: "var(--ink-2)", shape: "circle", variant: 0 };
const implementationLook = (name) => known(look.implementations, name) ?? GREY;
const schemeDash = (scheme) => known(look.schemes, scheme) ?? 0;
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
// A variant is drawn faintly.
const bar = (row) => {
  const { variant, color } = implementationLook(row.implementation);
  return { ...drawn(row), fill: variant ? `color-mix(in srgb, ${color} 15%, var(--card))` : color };
};
const drawn = (row) => {
  const { color, shape, variant } = implementationLook(row.implementation);
  const [lo, hi] = row.exact ? [row.least, row.most] : [row.lo, row.hi];
  const interval = row.alone || !row.quotable || row.spread === "no interval" ? "" : `  ${row.spread}`;
  return {
    m: row.index, label: labelOf(row), head: true, sure: row.quotable, v: row.v, lo, hi, text: row.text + interval,
    size: row.size, color, shape, dash: 0, variant: variant > 0,
  };
};
// The best first; what is disturbed is not ranked, and comes last.
const best = (list, metric) => {
  const sign = (known(words.better, metric) ?? "").startsWith("higher") ? -1 : 1;
  return [...list].sort((a, b) => b.quotable - a.quotable || sign * (a.v - b.v));
};
