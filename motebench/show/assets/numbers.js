// ---- numbers and names for people, worded as motebench.base.units does -------------------------------------------
const STEPS = {
  ns: [[1e9, "s"], [1e6, "ms"], [1e3, "µs"], [1, "ns"]],
  "B/s": [[1e9, "GB/s"], [1e6, "MB/s"], [1e3, "kB/s"], [1, "B/s"]],
  B: [[2 ** 30, "GiB"], [2 ** 20, "MiB"], [2 ** 10, "KiB"], [1, "B"]],
  J: [[1, "J"], [1e-3, "mJ"], [1e-6, "µJ"], [1e-9, "nJ"]],
  "J/B": [[1, "J/B"], [1e-3, "mJ/B"], [1e-6, "µJ/B"], [1e-9, "nJ/B"], [1e-12, "pJ/B"]],
  W: [[1, "W"], [1e-3, "mW"], [1e-6, "µW"], [1e-9, "nW"]],
  A: [[1, "A"], [1e-3, "mA"], [1e-6, "µA"], [1e-9, "nA"]],
  C: [[1, "C"], [1e-3, "mC"], [1e-6, "µC"], [1e-9, "nC"]],
  ticks: [[1e9, "Gticks"], [1e6, "Mticks"], [1e3, "kticks"], [1, "ticks"]],
  cycles: [[1e9, "Gcycles"], [1e6, "Mcycles"], [1e3, "kcycles"], [1, "cycles"]],
};
function digitsOf(value, digits) {
  if (value === 0) return "0";
  const rounded = Number(value.toPrecision(digits));
  const whole = Math.floor(Math.log10(Math.abs(rounded))) + 1;
  return whole > 0 ? rounded.toFixed(Math.max(0, digits - whole)) : String(rounded);
}
function quantity(value, unit, digits = 3) {
  if (value === null || value === undefined || !Number.isFinite(value)) return "n/a";
  if (!Object.hasOwn(STEPS, unit)) return unit === "1" ? digitsOf(value, digits) : `${digitsOf(value, digits)} ${unit}`;
  const steps = STEPS[unit];
  const [factor, name] = steps.find(([least]) => Math.abs(Number((value / least).toPrecision(digits))) >= 1) ?? steps.at(-1);
  return `${digitsOf(value / factor, digits)} ${name}`;
}
// Counts that repeat exactly are shown whole where they are short enough.
const plainly = (value, unit) => ((unit === "cycles" || unit === "B") && Number.isInteger(value) && Math.abs(value) < 1e7 ? value.toLocaleString("en-US") : null);
// Digits that the interval of a row carries, as `carried_digits` counts them; of what is no result two.
function digitsIn(row) {
  const { v, lo, hi } = row, half = (hi - lo) / 2, most = row.quotable ? 3 : 2;
  if (lo === null || hi === null || !v || !(half > 0) || !Number.isFinite(half)) return most;
  return Math.min(Math.max(Math.floor(Math.log10(Math.abs(v))) - Math.floor(Math.log10(half)) + 2, 1), most);
}
const textOf = (row) => (row.exact && plainly(row.v, row.unit) !== null ? `${plainly(row.v, row.unit)} ${row.unit}` : quantity(row.v, row.unit, digitsIn(row)));
function significant(value) {
  return value >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
}
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
  memory: (value) => names.metric(value),
};
const nameOf = (dimension, value) => (names[dimension] ?? String)(value);
