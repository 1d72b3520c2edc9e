"use strict";
// Searches of a published folder: what a server does, over the scripts in data/. Texts become text
// nodes, never markup.
(() => {
  const root = document.documentElement;
  const up = root.dataset.up;
  const page = root.dataset.page;
  const query = Object.fromEntries([...new URLSearchParams(location.search)].filter(([, value]) => value.trim()));
  const loaded = new Map();
  const CASE = 0, SCHEME = 1, IMPLEMENTATION = 2, OPERATION = 3, OPERATION_WORDS = 4, SIZE = 5, SIZE_WORDS = 6,
    INPUT = 7, TARGET = 8, METRIC = 9, MEDIAN = 10, TEXT = 11, SPREAD = 12, EVIDENCE = 13, BETTER = 14, QUOTABLE = 15;
  const TEXTS = new Set([SCHEME, IMPLEMENTATION, OPERATION, OPERATION_WORDS, SIZE_WORDS, INPUT, TARGET, METRIC, SPREAD, EVIDENCE, BETTER]);
  let index = null;

  window.motebenchData = (run, data) => {
    if (data === undefined) index = run;
    else loaded.set(run, data.lines.map((line) => line.map((value, place) => TEXTS.has(place) ? data.texts[value] : value)));
  };

  const load = (name) => new Promise((resolve, reject) => {
    const script = document.createElement("script");
    script.src = `${up}data/${name}.js`;
    script.onload = resolve;
    script.onerror = () => reject(new Error(`data/${name}.js cannot be read`));
    document.head.append(script);
  });

  const linesOf = async (run) => {
    if (run.kind !== "measurement") return [];
    if (!loaded.has(run.id)) await load(`run-${run.id}`);
    return loaded.get(run.id);
  };

  const element = (name, parent, text = "", attributes = {}) => {
    const made = document.createElement(name);
    if (text !== "") made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    parent?.append(made);
    return made;
  };

  // Conditions

  const words = (name) => (query[name] ?? "").split(",").map((word) => word.trim()).filter(Boolean);

  const condition = (name, value) => {
    const given = words(name);
    if (!given.length) return () => true;
    const tests = given.map((word) => {
      if (!/[*?]/.test(word)) return (text) => text === word;
      const pattern = word.replace(/[.+^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*").replaceAll("?", ".");
      const expression = new RegExp(`^${pattern}$`, "is");
      return (text) => expression.test(text);
    });
    return (entry) => [value(entry)].flat().some((text) => tests.some((test) => test(text)));
  };

  const caseFits = () => {
    const sizes = words("size").map((word) => word.replaceAll(" ", "").toLowerCase());
    const tests = [
      condition("scheme", (line) => line[SCHEME]),
      condition("implementation", (line) => line[IMPLEMENTATION]),
      condition("operation", (line) => line[OPERATION]),
      condition("target", (line) => line[TARGET]),
      condition("device", (line) => index.devices[line[TARGET]] ?? ""),
      (line) => !sizes.length || sizes.includes(String(line[SIZE]))
        || sizes.includes(line[SIZE_WORDS].replaceAll(/\s/g, "").toLowerCase()),
    ];
    return (line) => tests.every((test) => test(line));
  };

  const runFits = () => {
    const sought = (query.q ?? "").toLowerCase().split(/\s+/).filter(Boolean);
    const tests = [
      condition("version", (run) => run.version),
      condition("tag", (run) => run.tags),
      condition("run", (run) => String(run.id)),
      (run) => !query.since || run.started >= query.since,
      (run) => !query.until || run.started.slice(0, query.until.length) <= query.until,
      (run) => {
        const text = [run.name, run.study, run.command, ...run.tags, ...run.notes, ...run.schemes,
          ...run.implementations, ...run.targets].join("\n").toLowerCase();
        return sought.every((word) => text.includes(word));
      },
    ];
    return index.runs.filter((run) => tests.every((test) => test(run)));
  };

  const asked = (names) => names.some((name) => query[name]);
  const OF_CASES = ["scheme", "implementation", "operation", "target", "device", "size"];

  // Tables

  const address = (name, values) => `${up}${name}?${new URLSearchParams(values)}`;

  const pager = (parent, total, start, noun) => {
    const line = element("p", parent, "", { class: "pager" });
    const last = Math.min(start + index.rows, total);
    if (total) element("span", line, `${(start + 1).toLocaleString("en")} to ${last.toLocaleString("en")} of ${total.toLocaleString("en")} ${noun}${total === 1 ? "" : "s"}`);
    const number = start / index.rows + 1;
    if (number > 1) element("a", line, "Previous page", { href: address(page, { ...query, page: number - 1 }), rel: "prev" });
    if (last < total) element("a", line, "Next page", { href: address(page, { ...query, page: number + 1 }), rel: "next" });
  };

  const table = (parent, label, heads) => {
    const scroll = element("div", parent, "", { class: "scroll", tabindex: "0", role: "region", "aria-label": label });
    const made = element("table", scroll, "", { class: "paged" });
    const row = element("tr", element("thead", made));
    for (const [text, kind] of heads) element("th", row, text, { scope: "col", ...(kind ? { class: kind } : {}) });
    return element("tbody", made);
  };

  const caseLink = (parent, run, line, text) => {
    if (!line[CASE]) parent.append(text);
    else element("a", parent, text, { href: `${up}runs/${run.id}/${line[CASE]}-${line[METRIC]}.html` });
  };

  const start = () => {
    const number = Number(query.page ?? 1);
    return Number.isInteger(number) && number > 0 ? (number - 1) * index.rows : 0;
  };

  const showRuns = async (found) => {
    let runs = runFits();
    if (asked(OF_CASES)) {
      const fits = caseFits();
      const having = [];
      for (const run of runs) if ((await linesOf(run)).some(fits)) having.push(run);
      runs = having;
    }
    found.replaceChildren();
    if (runs.length) {
      const body = table(found, "Table of runs", [["Run"], ["Began"], ["Schemes"], ["Implementations"], ["Targets"], ["Cases", "num"], ["Tags and notes"]]);
      for (const run of runs.slice(start(), start() + index.rows)) {
        const row = element("tr", body);
        element("a", element("th", row, "", { scope: "row" }), `${run.id} ${run.name}`, { href: `${up}runs/${run.id}.html` });
        element("td", row, run.started.slice(0, 10), { class: "when" });
        for (const names of [run.schemes, run.implementations, run.targets]) {
          element("td", row, names.slice(0, 3).join(", ") + (names.length > 3 ? ` and ${names.length - 3} more` : ""));
        }
        element("td", row, String(run.states.finished ?? 0), { class: "num" });
        element("td", row, [...run.tags, ...run.notes].join(", ").slice(0, 140));
      }
    } else element("p", found, "No run fits these filters.", { class: "empty" });
    pager(found, runs.length, start(), "run");
  };

  // A limit in the unit of a metric; a number alone is in that unit. NaN without one, and for the unit of another quantity.
  const limit = (name, metric) => {
    const [, number, unit] = (query[name] ?? "").match(/^([\d.]+(?:e[+-]?\d+)?)\s*(\D*)$/i) ?? [];
    return Number(number) * (unit ? index.factors[metric]?.[unit] ?? Number.NaN : 1);
  };

  const showResults = async (found) => {
    const metric = query.metric ?? (query.run ? "" : "time");
    const fits = caseFits();
    const lines = [];
    for (const run of runFits()) {
      for (const line of await linesOf(run)) if ((!metric || line[METRIC] === metric) && fits(line)) lines.push([run, line]);
    }
    if (metric && asked(["below", "above", "sort"])) {
      const [below, above] = [limit("below", metric), limit("above", metric)];
      const wrong = [["below", below], ["above", above]].find(([name, value]) => query[name] && Number.isNaN(value));
      if (wrong) {
        found.replaceChildren();
        return unfit(found, `${query[wrong[0]]} is no limit of ${index.metrics[metric] ?? metric}.`);
      }
      const newest = [...(await newestLines([metric])).get(metric).values()];
      lines.length = 0;
      lines.push(...newest.filter(([, line]) => line[QUOTABLE] && !(line[MEDIAN] > below) && !(line[MEDIAN] < above)));
      lines.sort(([, a], [, b]) => query.sort === "most" ? b[MEDIAN] - a[MEDIAN] : a[MEDIAN] - b[MEDIAN]);
    }
    found.replaceChildren();
    element("h2", found, metric ? index.metrics[metric] ?? metric : "All metrics");
    if (lines.length) {
      const body = table(found, "Table of results", [["Scheme"], ["Implementation"], ["Operation"], ["Input"], ["Target"], ["Metric"], ["Median", "num"], ["Evidence"], ["Run"]]);
      for (const [run, line] of lines.slice(start(), start() + index.rows)) {
        const row = element("tr", body);
        caseLink(element("th", row, "", { scope: "row" }), run, line, line[SCHEME]);
        for (const text of [line[IMPLEMENTATION], line[OPERATION_WORDS], line[INPUT] || "–", line[TARGET], index.metrics[line[METRIC]]]) element("td", row, text);
        const cell = element("td", row, `${line[TEXT]} `, { class: "num" });
        if (line[SPREAD]) element("small", cell, line[SPREAD]);
        element("td", row, line[EVIDENCE]);
        element("a", element("td", row), `${run.id} ${run.name}`, { href: `${up}runs/${run.id}.html` });
      }
    } else element("p", found, "No result fits.", { class: "empty" });
    pager(found, lines.length, start(), "result");
  };

  const key = (line, one) => JSON.stringify([line[SCHEME], one ? "" : line[IMPLEMENTATION], line[OPERATION], line[INPUT], line[TARGET], line[METRIC], line[EVIDENCE]]);

  const side = async (text) => {
    const [name, implementation = ""] = text.split(/:(.*)/s);
    const run = index.runs.find((entry) => String(entry.id) === name || entry.name === name);
    if (!run) return null;
    const lines = (await linesOf(run)).filter((line) => !implementation || line[IMPLEMENTATION] === implementation);
    return { run, lines, implementation };
  };

  const showComparison = async (found) => {
    found.replaceChildren();
    const [a, b] = await Promise.all([side(query.a), side(query.b)]);
    if (!a || !b) {
      element("p", found, `No run here is called ${a ? query.b : query.a}.`, { class: "empty" });
      return;
    }
    const pair = index.pairs.find(([first, second]) => first === a.run.id && second === b.run.id);
    const fits = caseFits();
    const one = Boolean(a.implementation && b.implementation);
    const before = new Map(a.lines.map((line) => [key(line, one), line]));
    const metrics = words("metric");
    const both = b.lines.filter((line) => before.has(key(line, one)) && fits(line) && (!metrics.length || metrics.includes(line[METRIC])));
    element("h2", found, `${query.b} against ${query.a}`);
    const note = element("p", found, "Ratios of medians, without verdicts. ", { class: "note" });
    if (pair && !one) element("a", note, "Verdicts on these two runs", { href: `${up}compare/${a.run.id}-${b.run.id}.html` });
    else element("code", note, `motebench compare ${query.a} ${query.b} --store store.db`);
    if (both.length) {
      const body = table(found, "Table of ratios", [["Case"], ["Metric"], [`A: ${query.a}`, "num"], [`B: ${query.b}`, "num"], ["B / A", "num"], ["Evidence"]]);
      for (const line of both.slice(start(), start() + index.rows)) {
        const other = before.get(key(line, one));
        const row = element("tr", body);
        const head = element("th", row, "", { scope: "row" });
        caseLink(head, b.run, line, `${line[SCHEME]} ${one ? "" : line[IMPLEMENTATION]}`);
        element("small", head, ` ${line[OPERATION_WORDS]}, ${line[INPUT] || "–"}, ${line[TARGET]}`);
        element("td", row, index.metrics[line[METRIC]]);
        for (const entry of [other, line]) element("td", row, `${entry[TEXT]} ${entry[SPREAD]}`, { class: "num" });
        element("td", row, other[MEDIAN] ? (line[MEDIAN] / other[MEDIAN]).toPrecision(4) : "-", { class: "num" });
        element("td", row, line[EVIDENCE]);
      }
    } else element("p", found, "They have no case in common.", { class: "empty" });
    pager(found, both.length, start(), "pair");
  };

  // The newest results

  const isBare = (line) => line[INPUT] === (line[SIZE] ? line[SIZE_WORDS] : "");

  // The newest bare case of each scheme, implementation, target, operation and size, by metric.
  const newestLines = async (metrics) => {
    const fits = caseFits();
    const newest = new Map(metrics.map((metric) => [metric, new Map()]));
    for (const run of [...runFits()].sort((a, b) => b.id - a.id)) {
      for (const line of await linesOf(run)) {
        const cases = newest.get(line[METRIC]);
        const name = JSON.stringify([SCHEME, IMPLEMENTATION, TARGET, OPERATION, SIZE].map((place) => line[place]));
        if (cases && !cases.has(name) && isBare(line) && fits(line)) cases.set(name, [run, line]);
      }
    }
    return newest;
  };

  // The input that most of these cases have, on one target if places has it.
  const mostMeasured = (entries, places) => {
    const counts = new Map();
    for (const [, line] of entries) {
      const name = JSON.stringify(places.map((place) => line[place]));
      counts.set(name, [(counts.get(name)?.[0] ?? 0) + 1, places.map((place) => line[place])]);
    }
    const [most] = [...counts.values()].sort((a, b) => b[0] - a[0]
      || (a[1].slice(0, -1).join() < b[1].slice(0, -1).join() ? -1 : 1) || a[1].at(-1) - b[1].at(-1));
    return (line) => most !== undefined && places.every((place, number) => line[place] === most[1][number]);
  };

  const unfit = (parent, text) => element("p", parent, text, { class: "empty" });

  const showMap = async (found) => {
    const perByte = query.metric === "cycles_per_byte";
    const metric = perByte ? "cycles" : query.metric ?? "time";
    const entries = [...(await newestLines([metric])).get(metric).values()];
    const has = mostMeasured(entries, [OPERATION, SIZE]);
    const value = (line) => perByte ? line[MEDIAN] / line[SIZE] : line[MEDIAN];
    const best = new Map();
    for (const [run, line] of entries) {
      if (!has(line) || !line[QUOTABLE] || (perByte && !line[SIZE])) continue;
      const name = JSON.stringify([line[SCHEME], line[TARGET]]);
      const other = best.get(name)?.[1];
      const better = !other || (line[BETTER] === "higher" ? line[MEDIAN] > other[MEDIAN] : line[MEDIAN] < other[MEDIAN]);
      if (better) best.set(name, [run, line]);
    }
    found.replaceChildren();
    element("h2", found, perByte ? "cycles per byte" : index.metrics[metric] ?? metric);
    if (!best.size) return unfit(found, "No result of this metric fits.");
    const cells = [...best.values()];
    const first = cells[0][1];
    element("p", found, `${first[OPERATION_WORDS]}${first[SIZE] ? `, ${first[SIZE_WORDS]}` : ""}. Each cell has the best implementation by its newest results; the colour is stronger the larger the number, on a logarithmic scale. A number links to its result.`, { class: "fine" });
    const positive = cells.map(([, line]) => value(line)).filter((number) => number > 0);
    const [least, most] = [Math.min(...positive), Math.max(...positive)];
    const level = (number) => number <= 0 || least === most ? 0
      : Math.min(5, Math.floor(6 * Math.log(number / least) / Math.log(most / least)));
    const targets = [...new Set(cells.map(([, line]) => line[TARGET]))].sort();
    const schemes = [...new Set(cells.map(([, line]) => line[SCHEME]))].sort();
    const scroll = element("div", found, "", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Map of devices and schemes" });
    const made = element("table", scroll, "", { class: "map" });
    const heads = element("tr", element("thead", made));
    for (const name of ["Scheme", ...targets]) element("th", heads, index.devices[name] ?? name, { scope: "col" });
    const body = element("tbody", made);
    for (const scheme of schemes) {
      const row = element("tr", body);
      element("th", row, scheme, { scope: "row" });
      for (const target of targets) {
        const [run, line] = best.get(JSON.stringify([scheme, target])) ?? [];
        if (!line) { element("td", row, "–", { class: "none" }); continue; }
        const cell = element("td", row, "", { class: `h${level(value(line))}` });
        caseLink(cell, run, line, perByte ? value(line).toPrecision(3) : line[TEXT]);
        element("small", cell, line[IMPLEMENTATION]);
      }
    }
  };

  const showTradeoff = async (found) => {
    const newest = await newestLines([...index.speeds, ...index.memories]);
    const entriesOf = (metric) => [...newest.get(metric).values()];
    const speeds = index.speeds.flatMap(entriesOf);
    const flash = entriesOf("flash_net");
    const has = mostMeasured(flash.length ? flash : speeds, [TARGET, OPERATION, SIZE]);
    const chosen = (metric) => entriesOf(metric).filter(([, line]) => line[QUOTABLE] && has(line));
    const speed = index.speeds.find((metric) => chosen(metric).length) ?? index.speeds[0];
    const memories = index.memories.filter((metric) => chosen(metric).length);
    const name = (line) => JSON.stringify([line[SCHEME], line[IMPLEMENTATION]]);
    const memory = memories.map((metric) => new Map(chosen(metric).map(([, line]) => [name(line), line])));
    const points = chosen(speed).map(([run, line]) => ({ run, line, beside: memory.map((lines) => lines.get(name(line))) }));
    points.sort((a, b) => a.line[MEDIAN] - b.line[MEDIAN]);
    const numbers = (point) => [point.line, ...point.beside].map((line) => line?.[MEDIAN]);
    const whole = points.filter((point) => point.beside.every(Boolean));
    const dominates = (other, own) => other.every((number, place) => number <= own[place]) && other.some((number, place) => number < own[place]);
    found.replaceChildren();
    if (!points.length) return unfit(found, "No result fits.");
    const first = points[0].line;
    element("h2", found, `${first[TARGET]}: ${first[OPERATION_WORDS]}${first[SIZE] ? `, ${first[SIZE_WORDS]}` : ""}`);
    const body = table(found, "Table of speed and memory", [["Scheme"], ["Implementation"],
      ...[speed, ...memories].map((metric) => [index.metrics[metric], "num"]), ["Front"], ["Evidence"], ["Run"]]);
    for (const point of points) {
      const row = element("tr", body);
      caseLink(element("th", row, "", { scope: "row" }), point.run, point.line, point.line[SCHEME]);
      element("td", row, point.line[IMPLEMENTATION]);
      for (const line of [point.line, ...point.beside]) element("td", row, line ? line[TEXT] : "–", { class: "num" });
      const judged = element("td", row, whole.includes(point) ? "" : "not known");
      if (whole.includes(point) && !whole.some((other) => dominates(numbers(other), numbers(point)))) element("span", judged, "front", { class: "verdict good" });
      element("td", row, point.line[EVIDENCE]);
      element("a", element("td", row), `${point.run.id} ${point.run.name}`, { href: `${up}runs/${point.run.id}.html` });
    }
  };

  const showHistories = (found) => {
    const fits = caseFits();
    const lines = index.histories.map(([number, scheme, implementation, operation, operationWords, size, sizeWords, input, target]) =>
      [number, scheme, implementation, operation, operationWords, size, sizeWords, input, target]).filter(fits);
    if (lines.length === 1) {
      location.replace(`${up}history/${lines[0][CASE]}.html`);
      return;
    }
    found.replaceChildren();
    if (!lines.length) { unfit(found, "No case of several runs fits."); return; }
    const body = table(found, "Table of cases of several runs", [["Scheme"], ["Implementation"], ["Operation"], ["Input"], ["Target"]]);
    for (const line of lines.slice(start(), start() + index.rows)) {
      const row = element("tr", body);
      element("a", element("th", row, "", { scope: "row" }), line[SCHEME], { href: `${up}history/${line[CASE]}.html` });
      for (const text of [line[IMPLEMENTATION], line[OPERATION_WORDS], line[INPUT] || "–", line[TARGET]]) element("td", row, text);
    }
    pager(found, lines.length, start(), "case");
  };

  // The newest results of a period against those before it

  const day = (text, back = 0) => {
    const moment = new Date(`${text}T00:00:00Z`);
    if (Number.isNaN(moment.getTime())) return null;
    moment.setUTCDate(moment.getUTCDate() - back);
    return moment.toISOString().slice(0, 10);
  };

  const showChanges = async (found) => {
    found.replaceChildren();
    const newestDay = index.runs.map((run) => run.started.slice(0, 10)).sort().at(-1) ?? "";
    const last = day(query.to ?? newestDay);
    const first = last && day(query.from ?? last, query.from ? 0 : 29);
    if (!first || first > last) return unfit(found, "A period begins and ends on days such as 2026-01-31, and does not end before it begins.");
    const fits = caseFits();
    const metrics = words("metric");
    const compared = new Set(index.kinds.flatMap(([, names]) => names).filter((name) => !metrics.length || metrics.includes(name)));
    const [before, within] = [new Map(), new Map()];
    const runs = runFits().filter((run) => run.started.slice(0, 10) <= last);
    for (const run of runs.sort((a, b) => (a.started === b.started ? b.id - a.id : a.started < b.started ? 1 : -1))) {
      const side = run.started.slice(0, 10) < first ? before : within;
      for (const line of await linesOf(run)) {
        if (!compared.has(line[METRIC]) || !line[QUOTABLE] || !fits(line)) continue;
        const name = key(line, false);
        if (!side.has(name)) side.set(name, [run, line]);
      }
    }
    const pairs = [];
    for (const [name, [run, line]] of within) {
      if (!before.has(name)) continue;
      const other = (metric) => { const like = [...line]; like[METRIC] = metric; return key(like, false); };
      if ((index.instead[line[METRIC]] ?? []).some((metric) => within.has(other(metric)) && before.has(other(metric)))) continue;
      const [runBefore, lineBefore] = before.get(name);
      pairs.push({ run, line, runBefore, lineBefore, ratio: lineBefore[MEDIAN] ? line[MEDIAN] / lineBefore[MEDIAN] : Number.NaN });
    }
    const size = (pair) => pair.ratio > 0 ? Math.abs(Math.log(pair.ratio)) : Number.MAX_VALUE;
    pairs.sort((a, b) => size(b) - size(a));
    element("h2", found, `Changes from ${first} to ${last}`);
    const note = element("p", found, "Ratios of medians, without verdicts, which the pages of ", { class: "note" });
    element("code", note, "motebench serve --store store.db");
    note.append(" have.");
    if (pairs.length) {
      const body = table(found, "Table of changes", [["Case"], ["Metric"], ["A: before", "num"], ["B: in the period", "num"], ["B / A", "num"], ["Evidence"]]);
      for (const { run, line, runBefore, lineBefore, ratio } of pairs.slice(start(), start() + index.rows)) {
        const row = element("tr", body);
        const head = element("th", row, "", { scope: "row" });
        caseLink(head, run, line, `${line[SCHEME]} ${line[IMPLEMENTATION]}`);
        element("small", head, ` ${line[OPERATION_WORDS]}, ${line[INPUT] || "–"}, ${line[TARGET]}`);
        element("td", row, index.metrics[line[METRIC]]);
        for (const [of, entry] of [[runBefore, lineBefore], [run, line]]) {
          const cell = element("td", row, `${entry[TEXT]} `, { class: "num" });
          element("a", element("small", cell), `${of.started.slice(0, 10)}, run ${of.id}`, { href: `${up}runs/${of.id}.html` });
        }
        element("td", row, Number.isNaN(ratio) ? "-" : ratio.toPrecision(4), { class: "num" });
        element("td", row, line[EVIDENCE]);
      }
    } else unfit(found, "No case that fits has results both before and in this period.");
    pager(found, pairs.length, start(), "pair");
  };

  // Forms

  const fill = () => {
    for (const form of document.forms) {
      if (form.dataset.run) element("input", form, "", { type: "hidden", name: "run", value: form.dataset.run });
      else if (query.run) element("input", form, "", { type: "hidden", name: "run", value: query.run });
      for (const field of form.elements) {
        if (field.name in query && field.name !== "run") {
          field.value = query[field.name];
          field.closest("details")?.setAttribute("open", "");
        }
      }
      form.addEventListener("submit", () => {
        for (const field of form.elements) if (!field.value) field.disabled = true; // short addresses
      });
    }
  };

  const found = () => {
    const there = document.getElementById("found");
    if (there) return there;
    return element("div", document.querySelector("main .card"), "", { id: "found", "aria-live": "polite" });
  };

  const begin = async () => {
    await load("index");
    fill();
    const kind = page.replace(/(-\d+)?\.html$/, "");
    if (kind === "index" && Object.keys(query).length) await showRuns(found());
    else if (kind === "results") await showResults(found());
    else if (kind === "history") showHistories(found());
    else if (kind === "map" && Object.keys(query).length) await showMap(found());
    else if (kind === "tradeoff" && Object.keys(query).length) await showTradeoff(found());
    else if (kind === "changes" && Object.keys(query).length) await showChanges(found());
    else if ((kind === "compare" || kind === "diff") && query.a && query.b) await showComparison(found());
    root.dataset.ready = "yes";
  };

  begin().catch((error) => {
    element("p", found(), `This page cannot be searched: ${error.message}`, { class: "note warn", role: "alert" });
    root.dataset.ready = "no";
  });
})();
