// ---- what each chart shows --------------------------------------------------------------------------------
const PUBLIC_KEY = ["keygen", "sign", "verify", "agree", "encapsulate", "decapsulate"];
const MANAGED = ["allocated", "heap", "heap_total"];
const points = rows.filter((row) => !row.isCurve);
const bulk = (row) => !row.operation.endsWith("-file") && !PUBLIC_KEY.includes(row.operation);
const PAIRS = { encrypt: "decrypt", "encrypt-message": "decrypt-message", "encrypt-file": "decrypt-file" };
const part = (row, v, fill, order, name) => ({ ...drawn(row), v, fill, order, part: name, head: order === 0 });

const MEMORIES = ["flash", "flash_net", "static_ram", "static_ram_net", "stack"];
const withRatio = (list, metric) => {
  const reference = list.find((row) => !implementationLook(row.implementation).variant) ?? list[0], first = reference?.v, up = (known(words.better, metric) ?? "").startsWith("higher");
  return list.map((row) => {
    const made = bar(row);
    const times = first > 0 && row.v > 0 && known(words.better, metric) ? (up ? first / row.v : row.v / first) : null;
    // A narrow screen has room for the number alone.
    if (narrowScreen.matches) return { ...made, text: row.exact ? plainly(row.v, row.unit) ?? row.text : row.text };
    return { ...made, text: `${made.text}${times === null || row === reference ? "" : ` (${times < 100 ? times.toFixed(2) : significant(times)} ×)`}` };
  });
};
// Each line of a chart has a colour and a shape of its own, as long as it is shown.
const lineOf = (row, slots) => {
  const made = drawn(row), label = lineLabel(row), slot = slots.indexOf(label);
  const { color, shape } = SLOTS[slot];
  return { ...made, label, color, shape, fill: color, dash: implementationLook(row.implementation).variant % 6 };
};
// Small and fast: what no other beats in both has its name beside it.
const front = (list) => {
  const middle = Math.sqrt(Math.max(1, Math.min(...list.map((row) => row.x))) * Math.max(1, ...list.map((row) => row.x)));
  const ahead = (row) => !list.some((other) => other.x <= row.x && other.v <= row.v && (other.x < row.x || other.v < row.v));
  return [...list].sort((a, b) => a.v - b.v).map((row) => {
    const made = { ...bar(row), x: row.x, told: row.told, front: ahead(row) };
    return { ...made, shape: made.front ? "diamond" : "circle", fill: made.front ? made.color : "var(--card)", late: row.x > middle, text: !made.front ? "" : narrowScreen.matches ? row.implementation : `${row.scheme} · ${row.implementation}` };
  });
};

const CHARTS = {
  throughput: {
    drawing: "throughput",
    source: points.filter((row) => row.metric === "throughput" && bulk(row) && row.size > 0),
    dimensions: ["operation", "target", "evidence"],
    rows: (chosen, picked, slots) => chosen.map((row) => lineOf(row, slots)),
  },
  ranking: {
    drawing: "ranking",
    // Bytes a second say little of an operation whose time hardly depends on its input.
    source: points.filter((row) => row.operation !== "copy-file" && row.metric !== "peak_rss_floor"
      && !(row.metric === "throughput" && PUBLIC_KEY.includes(row.operation))),
    dimensions: ["operation", "size", "file", "metric", "target", "evidence", "source"],
    rows: (chosen, { metric }) => withRatio(best(chosen, metric), metric),
    axis: ({ metric }) => [axisOf(metric), axisTitle(metric)],
  },
  tradeoff: {
    drawing: "tradeoff",
    limit: 300,
    source: cases.flatMap((one) => {
      const speed = one.metrics.cycles ?? one.metrics.time;
      if (!speed || !(speed.v > 0) || !speed.quotable) return [];
      return MEMORIES.filter((name) => one.metrics[name]).map((name) => ({ ...speed, memory: name, x: one.metrics[name].v, told: one.metrics[name].text }));
    }),
    dimensions: ["operation", "size", "file", "memory", "target", "evidence"],
    rows: (chosen) => front(chosen),
    adjust: (spec, list, picked) => {
      const x = list.map((row) => row.x), speed = rows[list[0].m];
      for (const layer of spec.layer) {
        const { encoding } = layer;
        encoding.x.axis.title = axisTitle(picked.memory);
        encoding.y.axis.title = axisTitle(speed.metric);
        encoding.y.axis.labelExpr = data.axes[axisOf(speed.metric)];
        if (Math.min(...x) > 0) encoding.x.axis.values = kibibytes(x);
        else encoding.x.scale = { type: "symlog", constant: 16, nice: false, padding: 24 };
      }
    },
    after: thin,
  },
  pairs: {
    drawing: "pairs",
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
      const text = narrowScreen.matches ? `▼ ${significant(row.other.v / row.v)} × ▲` : `▲ ${row.text}   ▼ ${row.other.text}`;
      const one = { ...drawn(row), text, shape: "triangle-up" };
      return [one, { ...drawn(row.other), label: one.label, head: false, shape: "triangle-down" }];
    }),
  },
  "public-key": {
    drawing: "ranking",
    source: points.filter((row) => row.metric === "time" && row.v > 0 && PUBLIC_KEY.includes(row.operation)),
    dimensions: ["operation", "size", "target", "evidence"],
    rows: (chosen) => best(chosen, "time").map((row) => ({
      ...bar(row), v: 1e9 / row.v, lo: row.exact ? null : row.hi && 1e9 / row.hi, hi: row.exact ? null : row.lo && 1e9 / row.lo,
      text: `${significant(1e9 / row.v)}/s${row.alone || row.spread === "no interval" ? "" : `  ${row.spread}`}`,
    })),
    axis: () => ["rate", "Operations a second (higher is better)"],
  },
  files: {
    drawing: "parts",
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
    axis: () => ["time", "Elapsed time (lower is better)"],
    key: true,
  },
  samples: {
    drawing: "samples",
    source: points.filter((row) => row.metric === "time" && Object.hasOwn(samples, row.index)),
    dimensions: ["operation", "size", "file", "target", "evidence"],
    rows: (chosen) => [...chosen].sort((a, b) => a.v - b.v).flatMap(distribution),
    adjust: stretchMiddle,
  },
  warmup: {
    drawing: "warmup",
    source: data.curves,
    dimensions: ["implementation", "scheme", "operation", "size", "file", "target", "evidence"],
    rows: (chosen) => chosen.flatMap(curve),
    say: (chosen) => chosen.map((one) => one.said + (one.thinned ? " Of so many batches, some are drawn." : "")),
    // Begin with the case that a compiler made most of, rather one that was seen to get steady.
    prefer: [...data.curves].sort((a, b) => (b.begins > 1) - (a.begins > 1) || gain(b) - gain(a))[0],
  },
  managed: {
    drawing: "ranking",
    source: points.filter((row) => MANAGED.includes(row.metric)),
    dimensions: ["metric", "operation", "size", "file", "target", "evidence"],
    rows: (chosen, { metric }) => best(chosen, metric).map(bar),
    axis: ({ metric }) => [axisOf(metric), axisTitle(metric)],
  },
  memory: {
    drawing: "parts",
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
    axis: () => ["bytes", "Peak resident memory (lower is better)"],
    key: true,
  },
};
