// ---- controls ---------------------------------------------------------------------------------------------
function preferred(dimension, options, wish) {
  if (wish && options.includes(wish[dimension])) return wish[dimension];
  if (dimension === "operation") return ["encrypt-message", "encrypt", "digest", "mac", "sign"].find((name) => options.includes(name)) ?? options[0];
  if (dimension === "size") return options.filter((size) => size && size <= 16384).at(-1) ?? options.find(Boolean) ?? options[0];
  if (dimension === "metric") return ["cycles", "throughput", "time"].find((metric) => options.includes(metric) && (metric !== "cycles" || EXACT)) ?? options[0];
  if (dimension === "memory") return MEMORIES.find((name) => options.includes(name)) ?? options[0];
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
    picked[dimension] = options[dimension].includes(wanted) ? wanted : preferred(dimension, options[dimension], chart.prefer);
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

// ---- which lines are shown: no more than can be told apart ------------------------------------------
// The best implementation of each scheme first, then the best of what is left; variants last.
function bestLines(chosen) {
  const top = new Map();
  for (const row of chosen) {
    const label = lineLabel(row), one = top.get(label);
    if (!one || row.v > one.v) top.set(label, { ...row, label });
  }
  const variant = (row) => implementationLook(row.implementation).variant > 0;
  const ranked = [...top.values()].sort((a, b) => variant(a) - variant(b) || b.v - a.v);
  const seen = new Set();
  const firsts = ranked.filter((row) => !variant(row) && !seen.has(row.scheme) && seen.add(row.scheme));
  return unique([...firsts, ...ranked].map((row) => row.label));
}
function fillLegend(box, chosen, state, redraw) {
  const every = bestLines(chosen);
  const set = every.join("\n");
  if (state.set !== set) Object.assign(state, { set, slots: every.slice(0, LINES) });
  const shown = state.slots.filter(Boolean);
  const chip = (label) => {
    const slot = state.slots.indexOf(label), row = chosen.find((one) => lineLabel(one) === label), { dash } = lineOf(row);
    return make("button", { type: "button", class: "chip", title: "Take this line away", "data-key": label, onclick: () => { state.slots[slot] = null; redraw(); } }, symbol(implementationLook(row.implementation), DASHES[dash % DASHES.length], dash > 0 && !implementationLook(row.implementation).variant), label, make("span", { "aria-hidden": "true" }, " ×"));
  };
  const rest = every.filter((label) => !shown.includes(label)).slice(0, CHOICES).sort();
  const full = shown.length >= LINES;
  const add = make("select", { disabled: full, "aria-label": "Add a line", onchange: () => {
    const free = state.slots.indexOf(null);
    state.slots[free < 0 ? state.slots.length : free] = rest[add.selectedIndex - 1];
    redraw();
    box.querySelector("select")?.focus();
  } }, make("option", {}, full ? `${rest.length} more: take a line away first` : `Add a line: ${rest.length} more`), ...rest.map((label) => make("option", {}, label)));
  box.replaceChildren(make("div", { role: "group", "aria-label": "Lines" }, ...shown.map(chip), ...(rest.length ? [add] : [])));
  box.hidden = every.length < 2;
  return chosen.filter((row) => shown.includes(lineLabel(row)));
}
