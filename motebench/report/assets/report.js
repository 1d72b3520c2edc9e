"use strict";
(() => {
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
  const GREY = { color: "var(--c6)", shape: "circle" };
  const schemeLook = (scheme) => known(look.schemes, scheme) ?? GREY;
  const implementationPlace = (name) => known(look.implementations, name) ?? 0;
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
  const bar = (row) => ({ ...drawn(row), fill: tintOf(schemeLook(row.scheme).color, implementationPlace(row.implementation)) });
  const drawn = (row) => {
    const { color, shape } = schemeLook(row.scheme);
    const place = implementationPlace(row.implementation);
    const label = labelOf(row);
    // Where both texts do not fit side by side, the interval is left to the tooltip, the whisker and the table.
    const interval = row.spread === "no interval" || (narrowScreen.matches && label.length + row.text.length > 30) ? "" : `  ${row.spread}`;
    return {
      m: row.index, label, head: true, v: row.v, lo: row.lo, hi: row.hi, text: row.text + interval,
      size: row.size, color, shape, fill: fillOf(color, place), dash: place % 6,
    };
  };
  const best = (list, metric) => {
    const sign = (known(words.better, metric) ?? "").startsWith("higher") ? -1 : 1;
    return [...list].sort((a, b) => sign * (a.v - b.v));
  };

  // ---- what each chart shows --------------------------------------------------------------------------------
  const PUBLIC_KEY = ["keygen", "sign", "verify", "agree"];
  const bulk = (row) => !row.operation.endsWith("-file") && !PUBLIC_KEY.includes(row.operation);
  const PAIRS = { encrypt: "decrypt", "encrypt-message": "decrypt-message", "encrypt-file": "decrypt-file" };
  const part = (row, v, fill, order, name) => ({ ...drawn(row), v, fill, order, part: name, head: order === 0 });

  const CHARTS = {
    throughput: {
      drawing: "throughput",
      source: rows.filter((row) => row.metric === "throughput" && bulk(row) && row.size > 0),
      dimensions: ["operation", "target", "evidence"],
      rows: (chosen) => chosen.map(drawn),
    },
    ranking: {
      drawing: "ranking",
      // Bytes a second say little of an operation whose time hardly depends on its input.
      source: rows.filter((row) => row.operation !== "copy-file" && row.metric !== "peak_rss_floor"
        && !(row.metric === "throughput" && PUBLIC_KEY.includes(row.operation))),
      dimensions: ["operation", "size", "file", "metric", "target", "evidence", "source"],
      rows: (chosen, { metric }) => best(chosen, metric).map(bar),
      axis: ({ metric }) => [axisOf(metric), axisTitle(metric)],
    },
    pairs: {
      drawing: "pairs",
      source: (() => {
        const key = (row, operation) => JSON.stringify([row.scheme, row.implementation, operation, row.size, row.file, row.target, row.evidence]);
        const rates = rows.filter((row) => row.metric === "throughput");
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
      source: rows.filter((row) => row.metric === "time" && row.v > 0 && PUBLIC_KEY.includes(row.operation)),
      dimensions: ["operation", "size", "target", "evidence"],
      rows: (chosen) => best(chosen, "time").map((row) => ({
        ...bar(row), v: 1e9 / row.v, lo: row.hi && 1e9 / row.hi, hi: row.lo && 1e9 / row.lo,
        text: `${significant(1e9 / row.v)}/s${row.spread === "no interval" ? "" : `  ${row.spread}`}`,
      })),
      axis: () => ["rate", "Operations a second (higher is better)"],
    },
    files: {
      drawing: "parts",
      source: (() => {
        const key = (row) => JSON.stringify([row.scheme, row.implementation, row.operation, row.size, row.file, row.target, row.evidence]);
        const found = new Map();
        const floor = floorsOf("time");
        for (const row of rows) {
          if (!row.operation.endsWith("-file") || (isFloor(row) && rows.some((one) => one.operation === row.operation && !isFloor(one)))) continue;
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
      source: rows.filter((row) => row.metric === "time" && Object.hasOwn(samples, row.index)),
      dimensions: ["operation", "size", "file", "target", "evidence"],
      rows: (chosen) => [...chosen].sort((a, b) => a.v - b.v).flatMap(distribution),
      adjust: stretchMiddle,
    },
    memory: {
      drawing: "parts",
      source: (() => {
        const key = (row) => JSON.stringify([row.scheme, row.implementation, row.operation, row.size, row.file, row.target, row.evidence]);
        const floors = new Map(rows.filter((row) => row.metric === "peak_rss_floor").map((row) => [key(row), row]));
        const process = floorsOf("peak_rss");
        return rows.filter((row) => row.metric === "peak_rss").map((row) => ({ ...row, floor: floors.get(key(row)) ?? process(row) }));
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

  function significant(value) {
    return value >= 1000 ? Math.round(value).toLocaleString("en-US") : String(Number(value.toPrecision(3)));
  }

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
      m: base.m, label: base.label, color: base.color, d: off(value), q1: null,
      jitter: ((i * 0.6180339887) % 1) * 0.6 - 0.3, out: value < q1 - fence || value > q3 + fence,
    }))];
  }

  // A far outlier would press everything else into one spot: then distances are drawn linear near 0, logarithmic beyond.
  function stretchMiddle(spec, list) {
    const far = list.filter((row) => row.d !== null).map((row) => Math.abs(row.d)).sort((a, b) => a - b);
    const typical = Math.max(far[Math.floor(far.length * 0.75)], 0.01), most = far.at(-1);
    if (!(most > 25 * typical)) return;
    const constant = 10 ** Math.ceil(Math.log10(typical));
    const [low, high] = [Math.min(0, ...list.map((row) => row.d ?? 0)), Math.max(0, ...list.map((row) => row.d ?? 0))];
    const values = [0];
    for (let tick = constant; tick <= most; tick *= 10) values.push(tick, -tick);
    for (const layer of spec.layer) {
      if (!layer.encoding?.x?.scale) continue;
      layer.encoding.x.scale = { type: "symlog", constant, nice: false, padding: 12 };
      Object.assign(layer.encoding.x.axis, {
        title: `Distance from the median (logarithmic beyond ±${constant} %)`, values: values.filter((tick) => tick >= low && tick <= high),
      });
    }
  }

  // ---- controls ---------------------------------------------------------------------------------------------
  function preferred(dimension, options) {
    if (dimension === "size") return options.filter((size) => size && size <= 16384).at(-1) ?? options.find(Boolean) ?? options[0];
    if (dimension === "metric") return ["throughput", "time"].find((metric) => options.includes(metric)) ?? options[0];
    if (dimension === "evidence" && options.includes("measured")) return "measured";
    return options[0];
  }

  function narrow(chart, state) {
    let chosen = chart.source;
    const options = {};
    const picked = {};
    for (const dimension of chart.dimensions) {
      options[dimension] = unique(chosen.map((row) => row[dimension]));
      if (dimension === "size") options.size.sort((a, b) => a - b);
      const wanted = state[dimension];
      picked[dimension] = options[dimension].includes(wanted) ? wanted : preferred(dimension, options[dimension]);
      chosen = chosen.filter((row) => row[dimension] === picked[dimension]);
    }
    return { chosen, options, picked };
  }

  function fillControls(box, chart, state, options, picked, redraw) {
    const keep = document.activeElement?.dataset?.dimension;
    box.replaceChildren(...chart.dimensions.filter((dimension) => options[dimension].length > 1).map((dimension) => {
      const select = make("select", { "data-dimension": dimension, onchange: () => {
        state[dimension] = options[dimension][select.selectedIndex];
        redraw();
      } });
      select.append(...options[dimension].map((value) => make("option", { selected: value === picked[dimension] }, nameOf(dimension, value))));
      return make("label", {}, upper(dimension === "size" ? "input" : dimension), select);
    }));
    box.hidden = !box.childElementCount;
    if (keep) box.querySelector(`[data-dimension="${keep}"]`)?.focus();
  }

  const SYMBOLS = {
    circle: "M12 6a5 5 0 1 1-.01 0z", square: "M7.5 6.5h9v9h-9z", "triangle-up": "M12 5.5l5.5 10h-11z",
    "triangle-down": "M12 16.5l5.5-10h-11z", diamond: "M12 4.5l4.5 6.5-4.5 6.5-4.5-6.5z",
    cross: "M10 5.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5v-4h3.5z",
    "triangle-right": "M17.5 11l-10 5.5v-11z", "triangle-left": "M6.5 11l10 5.5v-11z",
  };
  function symbol(color, shape, fill, dash) {
    const NS = "http://www.w3.org/2000/svg";
    const svg = document.createElementNS(NS, "svg");
    for (const [name, value] of [["viewBox", "-6 0 36 22"], ["width", 36], ["height", 22], ["aria-hidden", "true"]]) svg.setAttribute(name, value);
    const line = document.createElementNS(NS, "path");
    for (const [name, value] of [["d", "M-5 11h34"], ["stroke", color], ["stroke-width", 2], ["stroke-dasharray", dash ?? "none"]]) line.setAttribute(name, value);
    const mark = document.createElementNS(NS, "path");
    for (const [name, value] of [["d", SYMBOLS[shape]], ["fill", fill], ["stroke", color], ["stroke-width", 1.8]]) mark.setAttribute(name, value);
    svg.append(line, mark);
    return svg;
  }
  const DASHES = ["none", "6 3", "2 2", "8 3 2 3", "1 4", "12 3"];

  function fillLegend(box, chosen, hidden, redraw) {
    const schemes = unique(chosen.map((row) => row.scheme)).sort();
    const implementations = unique(chosen.map((row) => row.implementation)).sort();
    const top = (scheme) => Math.max(...chosen.filter((row) => row.scheme === scheme).map((row) => row.v));
    if (!hidden.set) {
      // More lines than the eye can hold apart: begin with the fastest.
      const shown = [...schemes].sort((a, b) => top(b) - top(a)).slice(0, LINES);
      hidden.set = new Set(schemes.length > LINES ? schemes.filter((scheme) => !shown.includes(scheme)).map((name) => `s:${name}`) : []);
    }
    const chip = (key, text, sign) => make("button", {
      type: "button", class: "chip", "aria-pressed": String(!hidden.set.has(key)), "data-key": key,
      onclick: () => {
        if (!hidden.set.delete(key)) hidden.set.add(key);
        redraw();
        [...box.querySelectorAll(".chip")].find((node) => node.dataset.key === key)?.focus();
      },
    }, sign, text);
    const all = make("button", { type: "button", class: "ghost", onclick: () => {
      hidden.set = hidden.set.size ? new Set() : new Set(schemes.map((name) => `s:${name}`));
      redraw();
    } }, hidden.set.size ? "Show all" : "Hide all");
    const group = (name, list) => make("div", { role: "group", "aria-label": name }, ...list);
    const parts = [group("Schemes", [
      ...schemes.map((name) => chip(`s:${name}`, known(data.advised_against, name) ? `${name} ⚠` : name, symbol(schemeLook(name).color, schemeLook(name).shape, schemeLook(name).color))), all,
    ])];
    if (implementations.length > 1) {
      parts.push(group("Implementations", implementations.map((name) => {
        const place = implementationPlace(name);
        return chip(`i:${name}`, name, symbol("var(--ink-2)", "circle", fillOf("var(--ink-2)", place), DASHES[place % 6]));
      })));
    }
    box.replaceChildren(...parts);
    box.hidden = schemes.length + implementations.length < 3;
    return chosen.filter((row) => !hidden.set.has(`s:${row.scheme}`) && !hidden.set.has(`i:${row.implementation}`));
  }

  // ---- tooltip: the row of the table, so that every statistic is there and worded once ------------------------
  const tip = document.getElementById("tip");
  const heads = [...document.querySelectorAll("#all thead th")].map((node) => node.textContent.trim());
  const TIP = ["Operation", "Input", "Metric", "Median", "Interval", "n", "Outliers", "Mean", "Std dev", "Variance", "Min", "Max", "Evidence", "Source", "File"];
  function showTip(event, item) {
    const datum = item?.datum;
    const line = datum && document.getElementById(`m${datum.m}`);
    if (!line || !event) { tip.hidden = true; return; }
    const list = make("dl");
    const add = (key, value) => value && list.append(make("div", {}, make("dt", {}, key), make("dd", {}, value)));
    if (datum.part) add(upper(datum.part), partText(datum));
    if (typeof datum.d === "number") add("This sample", `${datum.d >= 0 ? "+" : ""}${Number(datum.d.toPrecision(3))} %${datum.out ? ", an outlier" : ""}`);
    for (const head of TIP) add(head, line.cells[heads.indexOf(head)].textContent.trim());
    tip.replaceChildren(make("strong", {}, datum.label), list);
    tip.hidden = false;
    const point = event.touches?.[0] ?? event;
    const room = document.documentElement.clientWidth;
    const x = Math.min(point.clientX + 14, room - tip.offsetWidth - 8);
    const y = point.clientY + 16 + tip.offsetHeight > innerHeight ? point.clientY - tip.offsetHeight - 12 : point.clientY + 16;
    tip.style.left = `${Math.max(8, x)}px`;
    tip.style.top = `${Math.max(8, y)}px`;
  }
  function partText(datum) {
    const metric = document.getElementById(`m${datum.m}`).cells[heads.indexOf("Metric")].textContent;
    if (metric === words.metrics.peak_rss) return `${(datum.v / 1048576).toFixed(2)} MiB`;
    return datum.v >= 1e9 ? `${(datum.v / 1e9).toPrecision(3)} s` : `${(datum.v / 1e6).toPrecision(3)} ms`;
  }
  addEventListener("scroll", () => { tip.hidden = true; }, { passive: true });
  addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });

  // ---- drawing ----------------------------------------------------------------------------------------------
  function specOf(chart, picked, list) {
    const spec = structuredClone(data.drawings[chart.drawing]);
    spec.datasets = { rows: list };
    if (chart.axis) {
      const [kind, title] = chart.axis(picked);
      for (const layer of spec.layer) {
        const axis = layer.encoding?.x?.axis;
        if (axis) Object.assign(axis, { labelExpr: data.axes[kind], title });
        if (axis && kind === "bytes") axis.values = binaryTicks(list);
      }
    }
    for (const layer of spec.layer) {
      for (const [name, channel] of Object.entries(layer.encoding ?? {})) {
        if (!channel.axis || channel.scale?.type !== "log") continue;
        channel.axis.values = channel.scale.base === 2 ? unique(list.map((row) => row[channel.field])) : decimalTicks(list, name === "y" ? 8 : 5);
      }
    }
    chart.adjust?.(spec, list);
    // A fixed height instead of a step: the same picture, and nothing to fit upwards.
    if (spec.height.step) spec.height = spec.height.step * unique(list.map((row) => row.label)).length;
    spec.config.mark = { tooltip: { content: "data" } };
    return spec;
  }

  // Ticks where people expect them: 1, 2, 5 or whole decades on logarithmic axes, powers of two for bytes.
  function decimalTicks(list, wanted) {
    const values = list.map((row) => row.v).filter((v) => v > 0);
    const [low, high] = [Math.min(...values) * 0.8, Math.max(...values) * 1.25];
    const from = Math.floor(Math.log10(low)), decades = Math.ceil(Math.log10(high)) - from;
    const steps = decades * 3 <= wanted * 1.6 ? [1, 2, 5] : decades * 2 <= wanted * 1.6 ? [1, 3] : [1];
    const ticks = Array.from({ length: decades + 1 }, (_, i) => steps.map((step) => step * 10 ** (from + i))).flat();
    return ticks.filter((tick) => tick >= low && tick <= high);
  }
  function binaryTicks(list) {
    const tops = new Map();
    for (const row of list) tops.set(row.label, (tops.get(row.label) ?? 0) + row.v);
    const top = Math.max(...tops.values(), 1);
    const step = 2 ** Math.floor(Math.log2(top / 3));
    return Array.from({ length: Math.floor(top / step) + 2 }, (_, i) => i * step);
  }

  function caption(node, chart, picked, shown, total, more) {
    const said = chart.dimensions.filter((dimension) => picked[dimension] !== "" && dimension !== "source" && !(dimension === "size" && !picked.size))
      .map((dimension) => (dimension === "evidence" ? `evidence: ${picked.evidence}` : nameOf(dimension, picked[dimension])));
    node.replaceChildren(upper(said.join(" · ")));
    if (shown < total) node.append(` · ${shown} of ${total} shown `, ...(more ? [more] : []));
  }

  function start(figure) {
    const id = figure.dataset.chart;
    const chart = CHARTS[id];
    const box = figure.querySelector(".chart"), controls = figure.querySelector(".controls");
    const legend = figure.querySelector(".legend"), text = figure.querySelector("figcaption");
    const state = {}, hidden = {};
    let view = null, all = false, turn = 0;
    const draw = async () => {
      const mine = ++turn;
      const { chosen, options, picked } = narrow(chart, state);
      fillControls(controls, chart, state, options, picked, draw);
      const visible = legend ? fillLegend(legend, chosen, hidden, draw) : chosen;
      let list = chart.rows(visible, picked);
      const labels = unique(list.map((row) => row.label));
      let shown = legend ? unique(visible.map(labelOf)).length : labels.length;
      const total = legend ? unique(chosen.map(labelOf)).length : labels.length;
      if (!legend && labels.length > LIMIT && !all) {
        const keep = new Set(labels.slice(0, LIMIT));
        list = list.filter((row) => keep.has(row.label));
        shown = LIMIT;
      }
      const more = make("button", { type: "button", class: "ghost", onclick: () => { all = true; draw(); } }, "Show all");
      caption(text, chart, picked, shown, total, legend ? null : more);
      if (chart.key) {
        const parts = new Map(list.map((row) => [row.part, row.fill]));
        text.prepend(make("span", { class: "keys" }, ...[...parts].map(([name, fill]) => {
          const swatch = make("i");
          swatch.style.background = fill;
          return make("span", {}, swatch, upper(name));
        })));
      }
      view?.finalize();
      view = null;
      if (!list.length) { box.replaceChildren(make("p", { class: "empty" }, "Nothing is selected.")); return; }
      const made = await window.motebenchEmbed(box, specOf(chart, picked, list), {
        mode: "vega-lite", renderer: "svg", actions: false, ast: true, logLevel: 1, defaultStyle: false, tooltip: (_, event, item, value) =>
          (value === null || value === undefined || value === "" ? showTip(null) : showTip(event, item)),
      });
      if (mine !== turn) { made.finalize(); return; }
      view = made;
      figure.dataset.ready = String(turn);
    };
    narrowScreen.addEventListener("change", draw);
    return draw();
  }

  (async () => {
    for (const figure of document.querySelectorAll("figure[data-chart]")) await start(figure);
    document.documentElement.dataset.charts = "ready";
  })();
})();
