// ---- the rows of the document, and its cases ----------------------------------------------------------------
// The address of a case in a site: of a server, or of a folder; null in a page that is one file.
const linkOf = (number, metric) => {
  const { up } = document.documentElement.dataset;
  if (!number) return null;
  return up === undefined ? `/runs/${data.site.run}/cases/${number}?metric=${metric}` : `${up}runs/${data.site.run}/${number}-${metric}.html`;
};
const rows = (() => {
  const { count, curves, unquotable, exact } = data.table;
  // A column, or its runs: value, length, value, length, ...
  const unpacked = (list) => (Array.isArray(list) ? list : list.runs.flatMap((value, i) => (i % 2 ? [] : Array(list.runs[i + 1]).fill(value))));
  const numbers = Object.fromEntries(Object.entries(data.table.numbers).map(([name, list]) => [name, unpacked(list)]));
  const texts = Object.fromEntries(Object.entries(data.table.texts).map(([name, { of, at }]) => [name, { of, at: unpacked(at) }]));
  const stored = data.site?.cases ? unpacked(data.site.cases) : [];
  const [isCurve, unsure, isExact] = [curves, unquotable, exact].map((list) => new Set(list));
  const text = (name, i) => texts[name].of[texts[name].at[i]];
  return Array.from({ length: count }, (_, i) => {
    const v = numbers.median[i];
    const number = (name) => (numbers[name][i] === "" ? v : numbers[name][i]);
    const row = {
      index: i, v, lo: number("ci_low"), hi: number("ci_high"), size: numbers.size[i], n: numbers.n[i], outliers: numbers.outliers[i],
      mean: number("mean"), stddev: numbers.stddev[i], variance: numbers.variance[i], min: number("min"), max: number("max"),
      least: numbers.places_least[i], most: numbers.places_most[i],
      file: text("beside_words", i), isCurve: isCurve.has(i), quotable: !unsure.has(i), exact: isExact.has(i),
    };
    for (const name of ["scheme", "implementation", "target", "operation", "metric", "unit", "evidence", "source", "spread", "better", "factor"]) row[name] = text(name, i);
    row.ends = row.least !== null;
    row.link = linkOf(stored[i], row.metric);
    row.alone = row.exact && row.spread.startsWith("±");
    row.text = row.isCurve ? "curve" : row.quotable ? textOf(row) : `~${textOf(row)} (disturbed)`;
    return row;
  });
})();

// A case and its metrics by name. Where one metric has two kinds of evidence, the second stands in a case of its own.
const cases = (() => {
  const found = new Map();
  for (const row of rows) {
    const key = [row.scheme, row.implementation, row.target, row.operation, row.size, row.file].join("\n");
    for (let turn = 0; ; turn += 1) {
      const place = `${key}\n${turn}`;
      if (!found.has(place)) found.set(place, { scheme: row.scheme, implementation: row.implementation, target: row.target, operation: row.operation, size: row.size, file: row.file, metrics: {} });
      const { metrics } = found.get(place);
      if (!Object.hasOwn(metrics, row.metric)) { metrics[row.metric] = row; break; }
    }
  }
  // By operation and input as in the document, the fastest first.
  const all = [...found.values()], groups = new Map();
  const group = (one) => [one.operation, one.size, one.file, one.target].join("\n");
  for (const one of all) if (!groups.has(group(one))) groups.set(group(one), groups.size);
  const speed = ({ metrics }) => (metrics.time ?? metrics.cycles)?.v ?? Infinity;
  return all.sort((a, b) => groups.get(group(a)) - groups.get(group(b)) || (speed(a) < speed(b) ? -1 : Number(speed(a) > speed(b))));
})();
const EXACT = rows.some((row) => row.metric === "cycles" && row.exact);
