// ---- controls ---------------------------------------------------------------------------------------------
function preferred(dimension, options, wish) {
  if (wish && options.includes(wish[dimension])) return wish[dimension];
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

// Where there are more lines than the eye can hold apart, of each implementation only the variant that differs most is
// shown at first.
function quietVariants(chosen, schemes) {
  const variants = unique(chosen.map((row) => row.implementation)).filter((name) => implementationLook(name).variant);
  if (schemes * unique(chosen.map((row) => row.implementation)).length <= LINES) return [];
  const key = (row, implementation) => JSON.stringify([row.scheme, implementation, row.size]);
  const there = new Map(chosen.map((row) => [key(row, row.implementation), row.v]));
  const effect = (name) => Math.max(0, ...chosen.filter((row) => row.implementation === name).map((row) => {
    const plain = there.get(key(row, name.split("@")[0]));
    return plain ? Math.abs(Math.log(row.v / plain)) : 0;
  }));
  const most = new Map();
  for (const name of [...variants].sort((a, b) => effect(a) - effect(b))) most.set(name.split("@")[0], name);
  return variants.filter((name) => ![...most.values()].includes(name));
}

function fillLegend(box, chosen, hidden, redraw) {
  const schemes = unique(chosen.map((row) => row.scheme)).sort();
  const implementations = unique(chosen.map((row) => row.implementation)).sort();
  const top = (scheme) => Math.max(...chosen.filter((row) => row.scheme === scheme).map((row) => row.v));
  if (!hidden.set) {
    // More lines than the eye can hold apart: begin with the fastest.
    const shown = [...schemes].sort((a, b) => top(b) - top(a)).slice(0, LINES);
    hidden.set = new Set(schemes.length > LINES ? schemes.filter((scheme) => !shown.includes(scheme)).map((name) => `s:${name}`) : []);
    for (const name of quietVariants(chosen, schemes.length)) hidden.set.add(`i:${name}`);
  }
  const chip = (key, text, sign) => make("button", {
    type: "button", class: "chip", "aria-pressed": String(!hidden.set.has(key)), "data-key": key,
    onclick: () => {
      if (!hidden.set.delete(key)) hidden.set.add(key);
      redraw();
      [...box.querySelectorAll(".chip")].find((node) => node.dataset.key === key)?.focus();
    },
  }, sign, text);
  const allOf = (kind, list) => {
    const keys = list.map((name) => `${kind}:${name}`);
    const some = keys.some((key) => hidden.set.has(key));
    return make("button", { type: "button", class: "ghost", onclick: () => {
      for (const key of keys) some ? hidden.set.delete(key) : hidden.set.add(key);
      redraw();
    } }, some ? "Show all" : "Hide all");
  };
  const group = (name, list) => make("div", { role: "group", "aria-label": name }, ...list);
  const parts = [group("Schemes", [
    ...schemes.map((name) => chip(`s:${name}`, known(data.advised_against, name) ? `${name} ⚠` : name, symbol(schemeLook(name).color, schemeLook(name).shape, schemeLook(name).color))), allOf("s", schemes),
  ])];
  if (implementations.length > 1) {
    const chips = (list) => list.map((name) => {
      const { place, variant } = implementationLook(name);
      return chip(`i:${name}`, name, symbol("var(--ink-2)", "circle", fillOf("var(--ink-2)", place), DASHES[(variant || place) % 6], variant > 0));
    });
    const variants = implementations.filter((name) => implementationLook(name).variant);
    const plain = implementations.filter((name) => !variants.includes(name));
    if (plain.length) parts.push(group("Implementations", chips(plain)));
    if (variants.length) parts.push(group("Variants", [...chips(variants), allOf("i", variants)]));
  }
  box.replaceChildren(...parts);
  box.hidden = schemes.length + implementations.length < 3;
  return chosen.filter((row) => !hidden.set.has(`s:${row.scheme}`) && !hidden.set.has(`i:${row.implementation}`));
}
