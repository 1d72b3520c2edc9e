// Numbers that some charts need worked out.
// Quartiles by linear interpolation between order statistics, fences after Tukey (1977) as in the tables.
function distribution(row) {
  const values = [...samples[row.index]].sort((a, b) => a - b);
  const at = (q) => {
    const place = q * (values.length - 1), low = Math.floor(place);
    return values[low] + (values[Math.min(low + 1, values.length - 1)] - values[low]) * (place - low);
  };
  const [q1, q3] = [at(0.25), at(0.75)];
  const fence = 1.5 * (q3 - q1);
  const off = (value) => (value / row.v - 1) * 100;
  const base = drawn(row);
  const first = { ...base, q1: off(q1), q3: off(q3), zero: 0, d: null };
  // The golden ratio spreads neighbours apart, and the same page always looks the same.
  return [first, ...values.map((value, i) => ({
    m: base.m, label: base.label, color: base.color, sure: base.sure, d: off(value), q1: null,
    jitter: ((i * 0.6180339887) % 1) * 0.6 - 0.3, out: value < q1 - fence || value > q3 + fence,
  }))];
}

const gain = (one) => one.values[0] / (one.steady?.[0] || one.values.at(-1));
// Batches of a warm-up, and rows more for where the steady state begins and for its median.
function curve(one) {
  const { color, shape } = implementationLook(one.implementation);
  const base = { m: one.index, label: labelOf(one), color, shape };
  const list = one.values.map((v, i) => ({ ...base, at: one.at[i], v, steady: false })).filter((row) => row.v > 0);
  // Its name stands on the side with more room.
  if (one.begins) list.push({ label: base.label, begins: one.begins - 0.5, early: one.begins < one.at.at(-1) * 0.65, steady: false });
  if (!one.steady) return list;
  const [v, lo, hi] = one.steady;
  return [...list, { label: base.label, v, lo: lo ?? v, hi: hi ?? v, steady: true }];
}

// A far outlier would press everything else into one spot: then distances are drawn linear near 0, logarithmic beyond.
function distanceAxis(list) {
  const plain = { kind: "percent", title: "Distance from the median" };
  const far = list.filter((row) => row.d !== null).map((row) => Math.abs(row.d)).sort((a, b) => a - b);
  const typical = Math.max(far[Math.floor(far.length * 0.75)], 0.01);
  if (!(far.at(-1) > 25 * typical)) return plain;
  const symlog = 10 ** Math.ceil(Math.log10(typical));
  return { ...plain, symlog, title: `Distance from the median (logarithmic beyond ±${symlog} %)` };
}
