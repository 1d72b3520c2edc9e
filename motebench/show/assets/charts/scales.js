// ---- scales: numbers to pixels, ticks where people expect them, and their texts ---------------------------------
const niceStep = (rough) => {
  const power = 10 ** Math.floor(Math.log10(rough));
  return [1, 2, 5, 10].map((digit) => digit * power).find((step) => step >= rough * 0.999);
};
const binaryStep = (rough) => 2 ** Math.max(0, Math.ceil(Math.log2(rough)));
function linearTicks(low, high, wanted, stepOf = niceStep) {
  const step = stepOf((high - low) / wanted);
  const first = Math.ceil(low / step - 1e-9), last = Math.floor(high / step + 1e-9);
  const ticks = Array.from({ length: last - first + 1 }, (_, i) => (first + i) * step);
  return ticks.length > 1 || wanted > 40 || stepOf !== niceStep ? ticks : linearTicks(low, high, wanted * 2);
}
// 1, 2, 5 or whole decades; evenly spaced ones where the range is narrow.
function logTicks(low, high, wanted) {
  const decades = Math.log10(high / low), from = Math.floor(Math.log10(low));
  const digits = decades * 3 <= wanted * 1.6 ? [1, 2, 5] : decades * 2 <= wanted * 1.6 ? [1, 3] : [1];
  const every = Array.from({ length: Math.ceil(decades) + 2 }, (_, i) => digits.map((digit) => digit * 10 ** (from + i))).flat();
  const ticks = every.filter((tick) => tick >= low && tick <= high);
  const skip = Math.ceil(ticks.length / (wanted * 1.6));
  return ticks.length > 2 ? ticks.filter((_, i) => i % skip === 0) : linearTicks(low, high, wanted);
}
const binaryTicks = (low, high, wanted) => {
  const from = Math.ceil(Math.log2(low)), count = Math.floor(Math.log2(high)) - from + 1;
  const skip = Math.max(1, Math.ceil(count / wanted));
  const ticks = Array.from({ length: Math.max(0, count) }, (_, i) => 2 ** (from + i)).filter((_, i) => i % skip === 0);
  return ticks.length > 2 ? ticks : linearTicks(low, high, wanted, binaryStep);
};
// An axis: `values` that it must reach; `log`, or `symlog` with the constant up to which it is linear; `zero`: from 0 on;
// `ticks`, or how many are `wanted`; `bytes`: ticks are powers of two. Its scale between two pixels.
function scaleOf(axis, from, to) {
  const numbers = axis.values.filter((value) => Number.isFinite(value) && (!axis.log || value > 0));
  let low = Math.min(...numbers, ...(axis.zero ? [0] : [])), high = Math.max(...numbers, ...(axis.zero ? [0] : []));
  const wanted = axis.wanted ?? 6;
  let bend = (value) => value, ticks = axis.ticks;
  if (axis.log) {
    bend = Math.log;
    const pad = Math.max((high / low) ** 0.05, high === low ? 1.6 : 1.02);
    [low, high] = [low / pad, high * pad];
    ticks ??= axis.bytes ? binaryTicks(low, high, wanted) : logTicks(low, high, wanted);
  } else if (axis.symlog) {
    bend = (value) => Math.sign(value) * Math.log1p(Math.abs(value) / axis.symlog);
    [low, high] = [Math.min(0, low), Math.max(0, high)];
    ticks ??= [0, ...[-1, 1].flatMap((sign) => logTicks(axis.symlog, Math.max(axis.symlog * 2, sign < 0 ? -low : high), 5).map((tick) => sign * tick))];
    [low, high] = [low * 1.08, high * 1.08];
  } else {
    if (low === high) [low, high] = low === 0 ? [0, 1] : [Math.min(0, low), Math.max(0, high)];
    const step = (axis.bytes ? binaryStep : niceStep)((high - low) / wanted);
    if (axis.exactly) { const pad = (high - low) * 0.03; [low, high] = [low - pad, high + pad]; }
    else [low, high] = [Math.floor(low / step + 1e-9) * step, Math.ceil(high / step - 1e-9) * step];
    ticks ??= linearTicks(low, high, wanted, axis.bytes ? binaryStep : niceStep);
  }
  const [first, last] = [bend(low), bend(high)];
  return { low, high, at: (value) => from + ((bend(value) - first) / (last - first || 1)) * (to - from), ticks: ticks.filter((tick) => tick >= low && tick <= high) };
}

const trimmed = (value, digits = 3) => Number(value.toPrecision(digits)).toLocaleString("en-US", { maximumSignificantDigits: digits });
const inUnit = (unit) => (value) => {
  if (value === 0) return "0";
  const [factor, name] = STEPS[unit].find(([least]) => Math.abs(value / least) >= 0.9995) ?? STEPS[unit].at(-1);
  return `${trimmed(value / factor)} ${name}`;
};
const AXIS_TEXT = {
  throughput: inUnit("B/s"), time: inUnit("ns"), bytes: inUnit("B"), energy: inUnit("J"),
  plain: (value) => (Math.abs(value) >= 1e6 ? `${trimmed(value / 1e6)} M` : trimmed(value, 6)),
  rate: (value) => trimmed(value, 6),
  percent: (value) => `${value > 0 ? "+" : value < 0 ? "−" : ""}${trimmed(Math.abs(value), 2)} %`,
};
