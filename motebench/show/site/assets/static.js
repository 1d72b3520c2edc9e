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
    INPUT = 7, TARGET = 8, METRIC = 9, MEDIAN = 10, TEXT = 11, SPREAD = 12, EVIDENCE = 13, BETTER = 14;
  let index = null;

  window.motebenchData = (run, data) => {
    if (data === undefined) index = run;
    else loaded.set(run, data);
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

  const showResults = async (found) => {
    const metric = query.metric ?? (query.run ? "" : "time");
    const fits = caseFits();
    const lines = [];
    for (const run of runFits()) {
      for (const line of await linesOf(run)) if ((!metric || line[METRIC] === metric) && fits(line)) lines.push([run, line]);
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
    else if ((kind === "compare" || kind === "diff") && query.a && query.b) await showComparison(found());
    root.dataset.ready = "yes";
  };

  begin().catch((error) => {
    element("p", found(), `This page cannot be searched: ${error.message}`, { class: "note warn", role: "alert" });
    root.dataset.ready = "no";
  });
})();
