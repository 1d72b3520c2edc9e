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

const SYMBOLS = {
  circle: "M12 6a5 5 0 1 1-.01 0z", square: "M7.5 6.5h9v9h-9z", "triangle-up": "M12 5.5l5.5 10h-11z",
  "triangle-down": "M12 16.5l5.5-10h-11z", diamond: "M12 4.5l4.5 6.5-4.5 6.5-4.5-6.5z",
  cross: "M10 5.5h4v3.5h3.5v4h-3.5v3.5h-4v-3.5h-3.5v-4h3.5z",
  "triangle-right": "M17.5 11l-10 5.5v-11z", "triangle-left": "M6.5 11l10 5.5v-11z",
};
function symbol(color, shape, fill, dash, small = false) {
  const NS = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(NS, "svg");
  for (const [name, value] of [["viewBox", "-6 0 36 22"], ["width", 36], ["height", 22], ["aria-hidden", "true"]]) svg.setAttribute(name, value);
  const line = document.createElementNS(NS, "path");
  for (const [name, value] of [["d", "M-5 11h34"], ["stroke", color], ["stroke-width", small ? 1.1 : 2], ["stroke-dasharray", dash ?? "none"]]) line.setAttribute(name, value);
  const mark = document.createElementNS(NS, "path");
  for (const [name, value] of [["d", SYMBOLS[shape]], ["fill", fill], ["stroke", color], ["stroke-width", 1.8]]) mark.setAttribute(name, value);
  if (small) mark.setAttribute("transform", "translate(5.4 4.95) scale(.55)");
  svg.append(line, mark);
  return svg;
}
const DASHES = ["none", "6 3", "2 2", "8 3 2 3", "1 4", "12 3"];

// ---- which lines are shown: no more than have a colour of their own ------------------------------------------
const SLOTS = ["circle", "square", "triangle-up", "diamond", "triangle-down", "cross", "triangle-right", "triangle-left"].map((shape, i) => ({ shape, color: `var(--c${i})` }));
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
    const slot = state.slots.indexOf(label), { color, shape } = SLOTS[slot];
    const row = chosen.find((one) => lineLabel(one) === label);
    const { variant } = implementationLook(row.implementation);
    return make("button", { type: "button", class: "chip", title: "Take this line away", "data-key": label, onclick: () => { state.slots[slot] = null; redraw(); } }, symbol(color, shape, color, DASHES[variant % 6], variant > 0), label, make("span", { "aria-hidden": "true" }, " ×"));
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
