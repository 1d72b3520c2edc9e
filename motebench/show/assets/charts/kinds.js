// ---- what each chart shows --------------------------------------------------------------------------------
const PUBLIC_KEY = ["keygen", "sign", "verify", "agree", "encapsulate", "decapsulate"];
const MANAGED = ["allocated", "heap", "heap_total"];
const points = rows.filter((row) => !row.isCurve);
const bulk = (row) => !row.operation.endsWith("-file") && !PUBLIC_KEY.includes(row.operation);
const PAIRS = { encrypt: "decrypt", "encrypt-message": "decrypt-message", "encrypt-file": "decrypt-file" };
const barAxis = (metric) => ({ kind: axisOf(metric), title: axisTitle(metric), ...(axisOf(metric) === "bytes" ? { bytes: true, wanted: 4 } : {}) });
const inverse = ({ lo, hi }) => ({ lo: hi && 1e9 / hi, hi: lo && 1e9 / lo });
const part = (row, v, fill, order, name) => ({ ...drawn(row), v, fill, order, part: name, head: order === 0 });

// What the cipher adds; what a whole firmware takes, with the probe, only where nothing else is known.
const ADDED = ["flash_net", "static_ram_net", "stack"];
const MEMORIES = points.some((row) => ADDED.includes(row.metric)) ? ADDED : ["flash", "static_ram"];
const withFactor = (row) => {
  const made = bar(row);
  return { ...made, text: row.factor ? `${made.text} (${/\d/.test(row.factor) ? `${row.factor} ×` : row.factor})` : made.text };
};
// A line has the colour and shape of its implementation, and the dash of its scheme.
const lineOf = (row) => {
  const { variant } = implementationLook(row.implementation);
  return { ...drawn(row), label: lineLabel(row), x: row.size, dash: variant ? variant : schemeDash(row.scheme) };
};
// Small and fast: what no other beats in both has its name beside it.
const front = (list) => {
  const ahead = (row) => !list.some((other) => other.x <= row.x && other.v <= row.v && (other.x < row.x || other.v < row.v));
  return [...list].sort((a, b) => a.v - b.v).map((row) => {
    const made = { ...bar(row), x: row.x, told: row.told, front: ahead(row) };
    return { ...made, fill: made.front ? made.color : "var(--card)", text: !made.front ? "" : narrowScreen.matches ? row.implementation : `${row.scheme} · ${row.implementation}` };
  });
};
// Operations a second with the digits that the interval of the time carries.
const rateText = (row) => {
  const text = `${Number((1e9 / row.v).toPrecision(digitsIn(row))).toLocaleString("en-US", { maximumSignificantDigits: 3 })}/s`;
  return row.quotable ? text : `~${text} (disturbed)`;
};
// What a picture shows, in a sentence for those who do not see it: how much, the first and the last.
const ends = (heads) => (heads.length > 1 ? `first ${heads[0].label} with ${heads[0].text}, last ${heads.at(-1).label} with ${heads.at(-1).text}` : heads.map((row) => `${row.label} with ${row.text}`).join(""));
const sentence = (what, list, words) => {
  const heads = list.filter((row) => row.head);
  return `${what}, ${words}: ${heads.length} ${heads.length === 1 ? "entry" : "entries"}, ${ends(heads)}.`;
};
const sayLines = (list, words) => {
  const far = Math.max(...list.map((row) => row.x)), there = best(list.filter((row) => row.x === far).map((row) => ({ ...row, quotable: row.sure })), "throughput");
  const sizes = unique(list.map((row) => row.x));
  return `Throughput by input size, ${words}: ${unique(list.map((row) => row.label)).length} lines over ${sizes.length} ${sizes.length === 1 ? "size" : "sizes"}; at ${sizeText(far)} ${there.map((row) => `${row.label} with ${row.text}`).join(", ")}.`;
};

const CHARTS = {
  throughput: {
    source: points.filter((row) => row.metric === "throughput" && bulk(row) && row.size > 0),
    dimensions: ["operation", "target", "evidence"],
    rows: (chosen) => chosen.map(lineOf),
    draw: (box, list, picked, words) => drawLines(box, list, {
      across: { log: true, bytes: true, ticks: unique(list.map((row) => row.x)).sort((a, b) => a - b), kind: "bytes", title: "Input size" },
      upwards: { log: true, kind: "throughput", title: "Throughput (higher is better)" }, saying: sayLines(list, words),
    }),
  },
  ranking: {
    // Bytes a second say little of an operation whose time hardly depends on its input.
    source: points.filter((row) => row.operation !== "copy-file" && row.metric !== "peak_rss_floor"
      && !(["flash", "static_ram"].includes(row.metric) && !MEMORIES.includes(row.metric))
      && !(row.metric === "throughput" && PUBLIC_KEY.includes(row.operation))),
    dimensions: ["operation", "size", "file", "metric", "target", "evidence", "source"],
    rows: (chosen, { metric }) => best(chosen, metric).map(withFactor),
    draw: (box, list, { metric }, words) => drawBars(box, list, { axis: barAxis(metric), saying: sentence(`Ranking by ${nameOf("metric", metric)}`, list, words) }),
  },
  tradeoff: {
    limit: 300,
    source: cases.flatMap((one) => {
      const speed = one.metrics.cycles ?? one.metrics.time;
      if (!speed || !(speed.v > 0) || !speed.quotable) return [];
      return MEMORIES.filter((name) => one.metrics[name]).map((name) => ({ ...speed, memory: name, x: one.metrics[name].v, told: one.metrics[name].text }));
    }),
    dimensions: ["operation", "size", "file", "memory", "target", "evidence"],
    rows: (chosen) => front(chosen),
    draw: (box, list, picked, words) => {
      const speed = rows[list[0].m].metric, none = list.some((row) => !(row.x > 0)), named = list.filter((row) => row.front);
      drawPoints(box, list, {
        across: { ...(none ? { symlog: 16 } : { log: true, bytes: true }), kind: "bytes", title: `${axisTitle(picked.memory)}` },
        upwards: { log: true, kind: axisOf(speed), title: axisTitle(speed) },
        saying: `${upper(nameOf("memory", picked.memory))} against ${nameOf("metric", speed)}, ${words}: ${list.length} implementations. Smallest or fastest: ${named.map((row) => `${rows[row.m].scheme} by ${rows[row.m].implementation} with ${row.told} and ${quantity(row.v, rows[row.m].unit)}`).join("; ")}.`,
      });
    },
  },
  pairs: {
    source: (() => {
      const key = (row, operation) => JSON.stringify([row.scheme, row.implementation, operation, row.size, row.file, row.target, row.evidence]);
      const rates = points.filter((row) => row.metric === "throughput");
      const there = new Map(rates.map((row) => [key(row, row.operation), row]));
      return rates.flatMap((row) => {
        const other = Object.hasOwn(PAIRS, row.operation) && there.get(key(row, PAIRS[row.operation]));
        return other ? [{ ...row, other }] : [];
      });
    })(),
    dimensions: ["operation", "size", "file", "target", "evidence"],
    rows: (chosen) => [...chosen].sort((a, b) => Math.max(b.v, b.other.v) - Math.max(a.v, a.other.v)).flatMap((row) => {
      const one = { ...drawn(row), text: `▲ ${row.text}  ▼ ${row.other.text}`, shape: "triangle-up" };
      return [one, { ...drawn(row.other), label: one.label, head: false, shape: "triangle-down" }];
    }),
    draw: (box, list, picked, words) => drawPairs(box, list, { axis: { kind: "throughput", title: "Throughput (higher is better)", wanted: 5 }, saying: sentence("Encryption ▲ against decryption ▼", list, words) }),
  },
  "public-key": {
    source: points.filter((row) => row.metric === "time" && row.v > 0 && PUBLIC_KEY.includes(row.operation)),
    dimensions: ["operation", "size", "target", "evidence"],
    rows: (chosen) => best(chosen, "time").map((row) => ({
      ...bar(row), v: 1e9 / row.v, ...inverse(bar(row)),
      text: `${rateText(row)}${row.alone || !row.quotable || row.ends || row.spread === "no interval" ? "" : `  ${row.spread}`}`,
    })),
    draw: (box, list, picked, words) => drawBars(box, list, { axis: { kind: "rate", title: "Operations a second (higher is better)" }, saying: sentence("Operations a second", list, words) }),
  },
  files: {
    source: (() => {
      const key = (row) => JSON.stringify([row.scheme, row.implementation, row.operation, row.size, row.file, row.target, row.evidence]);
      const found = new Map();
      const floor = floorsOf("time");
      for (const row of points) {
        if (!row.operation.endsWith("-file") || (isFloor(row) && points.some((one) => one.operation === row.operation && !isFloor(one)))) continue;
        if (!found.has(key(row))) found.set(key(row), {});
        found.get(key(row))[row.metric] = row;
      }
      const whole = [...found.values()].filter((one) => one.time).map((one) => ({ ...one.time, all: one, floor: floor(one.time) }));
      // The copy stands beside every operation on the same file.
      const copies = whole.filter((row) => row.operation === "copy-file");
      const operations = unique(whole.map((row) => row.operation)).filter((name) => name !== "copy-file");
      if (!operations.length) return whole;
      return whole.filter((row) => row.operation !== "copy-file")
        .concat(operations.flatMap((operation) => copies.map((row) => ({ ...row, operation, copy: true }))));
    })(),
    dimensions: ["operation", "size", "file", "target", "evidence"],
    rows: (chosen) => [...chosen].sort((a, b) => a.v - b.v).flatMap((row) => {
      const { user_time: user, system_time: system, cpu_time: cpu } = row.all;
      const shown = row.copy ? { ...row, operation: "copy-file" } : row;
      const floor = row.floor ? { floor: row.floor.v, text: `${row.text} (floor ${row.floor.text})` } : { floor: null };
      const busy = user || system ? (user?.v ?? 0) + (system?.v ?? 0) : cpu?.v ?? 0;
      if (!(user || system || cpu)) return [{ ...part(shown, row.v, "var(--p2)", 0, "elapsed"), ...floor }];
      const list = user || system
        ? [["processor, user", user?.v ?? 0, "var(--p0)"], ["processor, kernel", system?.v ?? 0, "var(--p1)"]]
        : [["processor", busy, "var(--p0)"]];
      list.push(["waiting", Math.max(0, row.v - busy), "var(--p2)"]);
      return list.map(([name, v, fill], order) => ({ ...part(shown, v, fill, order, name), ...(order ? { floor: null } : floor) }));
    }),
    draw: (box, list, picked, words) => drawParts(box, list, { axis: { kind: "time", title: "Elapsed time (lower is better)" }, saying: sentence("Elapsed time of whole files", list, words) }),
    key: true,
  },
  samples: {
    source: points.filter((row) => row.metric === "time" && Object.hasOwn(samples, row.index)),
    dimensions: ["operation", "size", "file", "target", "evidence"],
    rows: (chosen) => [...chosen].sort((a, b) => a.v - b.v).flatMap(distribution),
    draw: (box, list, picked, words) => drawSamples(box, list, { axis: distanceAxis(list), saying: sentence("Samples as distances from the median", list, words) }),
  },
  warmup: {
    source: data.curves,
    dimensions: ["implementation", "scheme", "operation", "size", "file", "target", "evidence"],
    rows: (chosen) => chosen.flatMap(curve),
    say: (chosen) => chosen.map((one) => one.said + (one.thinned ? " Of so many batches, some are drawn." : "")),
    draw: (box, list, picked, words) => drawWarmup(box, list, { saying: `Time of each batch while warming up, ${words}: ${list.filter((row) => Number.isFinite(row.at)).length} batches${list.some((row) => row.begins) ? ", with the beginning of the steady state" : ", no steady state"}.` }),
    // Begin with the case that a compiler made most of, rather one that was seen to get steady.
    prefer: [...data.curves].sort((a, b) => (b.begins > 1) - (a.begins > 1) || gain(b) - gain(a))[0],
  },
  managed: {
    source: points.filter((row) => MANAGED.includes(row.metric)),
    dimensions: ["metric", "operation", "size", "file", "target", "evidence"],
    rows: (chosen, { metric }) => best(chosen, metric).map(bar),
    draw: (box, list, { metric }, words) => drawBars(box, list, { axis: barAxis(metric), saying: sentence(`Memory of managed runtimes, ${nameOf("metric", metric)}`, list, words) }),
  },
  memory: {
    source: (() => {
      const key = (row) => JSON.stringify([row.scheme, row.implementation, row.operation, row.size, row.file, row.target, row.evidence]);
      const floors = new Map(points.filter((row) => row.metric === "peak_rss_floor").map((row) => [key(row), row]));
      const process = floorsOf("peak_rss");
      return points.filter((row) => row.metric === "peak_rss").map((row) => ({ ...row, floor: floors.get(key(row)) ?? process(row) }));
    })(),
    dimensions: ["operation", "size", "file", "target", "evidence"],
    rows: (chosen) => [...chosen].sort((a, b) => a.v - b.v).flatMap((row) => row.floor
      ? [part(row, Math.min(row.floor.v, row.v), "var(--p2)", 0, "before the operation"),
         part(row, Math.max(0, row.v - row.floor.v), "var(--p0)", 1, "added by the operation")]
      : [part(row, row.v, "var(--p0)", 0, "peak")]),
    draw: (box, list, picked, words) => drawParts(box, list, { axis: { kind: "bytes", bytes: true, wanted: 4, title: "Peak resident memory (lower is better)" }, saying: sentence("Peak memory", list, words) }),
    key: true,
  },
};
