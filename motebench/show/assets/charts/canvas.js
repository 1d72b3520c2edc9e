// ---- drawing: SVG nodes, axes, rows with names above their marks, and a plane with two axes -----------------------
const vector = (tag, attributes = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) if (value !== null && value !== undefined) node.setAttribute(name, value);
  node.append(...children);
  return node;
};
const pen = document.createElement("canvas").getContext("2d");
const textWidth = (text, weight = 400) => {
  pen.font = `${weight} 12.5px ${getComputedStyle(document.body).fontFamily}`;
  return pen.measureText(text).width;
};
// The beginning of a text that has this room.
function fitted(text, room, weight = 500) {
  if (textWidth(text, weight) <= room) return text;
  let end = text.length;
  while (end > 1 && textWidth(`${text.slice(0, end)}…`, weight) > room) end -= 1;
  return `${text.slice(0, end)}…`;
}
// A text in as few lines as have this room.
function wrapped(text, room) {
  const lines = [];
  for (const word of text.split(" ")) {
    const longer = lines.length ? `${lines.at(-1)} ${word}` : word;
    if (lines.length && textWidth(longer) <= room) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}
// What the pointer finds (hover.js) is the row of a mark.
const mark = (row, attributes) => Object.assign(vector("path", attributes), { datum: row });
const layer = (name) => vector("g", { class: `mark-${name} role-mark` });
const rectangle = (x, y, width, height) => `M${x} ${y}h${Math.max(width, 0.1)}v${height}h${-Math.max(width, 0.1)}z`;
const CORNERS = {
  square: [[-0.85, -0.85], [0.85, -0.85], [0.85, 0.85], [-0.85, 0.85]], diamond: [[0, -1.2], [1.2, 0], [0, 1.2], [-1.2, 0]],
  "triangle-up": [[0, -1.1], [1.1, 0.85], [-1.1, 0.85]], "triangle-down": [[0, 1.1], [1.1, -0.85], [-1.1, -0.85]],
  "triangle-right": [[1.1, 0], [-0.85, 1.1], [-0.85, -1.1]], "triangle-left": [[-1.1, 0], [0.85, 1.1], [0.85, -1.1]],
  cross: [[-0.4, -1.1], [0.4, -1.1], [0.4, -0.4], [1.1, -0.4], [1.1, 0.4], [0.4, 0.4], [0.4, 1.1], [-0.4, 1.1], [-0.4, 0.4], [-1.1, 0.4], [-1.1, -0.4], [-0.4, -0.4]],
};
const symbolAt = (form, x, y, r) => {
  const corners = CORNERS[form];
  if (!corners) return `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;
  return `M${corners.map(([across, down]) => `${x + across * r} ${y + down * r}`).join("L")}z`;
};
const DASHES = ["none", "6 3", "2 2", "8 3 2 3", "1 4", "12 3"];
const UNSURE = "4 3";

const sheet = (box, height, saying, width = roomOf(box)) => {
  return vector("svg", { viewBox: `0 0 ${width} ${height}`, width, height, role: "img", "aria-label": saying });
};
const roomOf = (box) => Math.max(260, Math.floor(box.clientWidth));

// Grid, ticks and texts below a picture; texts that would touch the one before are left out, all ticks stay.
const belowOf = (title, width) => 27 + 15 * wrapped(title, width - 8).length;
function axisBelow(scale, text, title, { left, right, top, bottom, grid = true, edge }) {
  const group = vector("g", { class: "role-axis axis-x" });
  group.append(vector("path", { class: "domain", d: `M${left} ${bottom}H${right}` }));
  let taken = -Infinity;
  for (const tick of scale.ticks) {
    const x = scale.at(tick), words = text(tick), wide = textWidth(words);
    if (grid) group.append(vector("path", { class: "grid", d: `M${x} ${top}V${bottom}` }));
    group.append(vector("path", { class: "domain", d: `M${x} ${bottom}v5` }));
    const begin = Math.min(Math.max(x - wide / 2, 0), edge - wide);
    if (begin < taken + 7) continue;
    taken = begin + wide;
    group.append(vector("text", { x: begin, y: bottom + 18 }, words));
  }
  wrapped(title, edge - 8).forEach((line, i) => {
    const wide = textWidth(line, 500), x = Math.max(0, Math.min((left + right) / 2 - wide / 2, edge - wide));
    group.append(vector("text", { class: "title", x, y: bottom + 36 + 15 * i }, line));
  });
  return group;
}

const ROW = 46, SECOND = 17;
// Rows below each other, each with its name on the left and its number on the right, above its marks. Where they have no
// room side by side, the number stands below the name.
function rowChart(box, list, { axis, extra = 0, saying, draw }) {
  const width = roomOf(box), heads = list.filter((row) => row.head), labels = unique(list.map((row) => row.label));
  const stacked = heads.some((row) => textWidth(row.label, 500) + textWidth(row.text) + 18 > width - 6);
  const lines = new Map(heads.map((row) => [row, stacked && row.text ? wrapped(row.text, width - 6) : []]));
  const step = ROW + extra + SECOND * Math.max(0, ...[...lines.values()].map((each) => each.length)), bottom = 4 + labels.length * step;
  const places = new Map(labels.map((label, i) => [label, 4 + i * step]));
  const svg = sheet(box, bottom + belowOf(axis.title, width), saying), right = width - 10;
  const x = scaleOf({ wanted: width < 500 ? 4 : 6, ...axis }, 2, right);
  svg.append(axisBelow(x, AXIS_TEXT[axis.kind], axis.title, { left: 2, right, top: 2, bottom, edge: width }));
  draw(svg, x.at, (row) => places.get(row.label) + step - 17 - extra / 2);
  const texts = layer("text");
  for (const row of heads) {
    const top = places.get(row.label) + 14, room = stacked ? width - 6 : width - textWidth(row.text) - 18;
    texts.append(vector("text", { class: "name", x: 2, y: top }, fitted(row.label, room)));
    if (stacked) texts.append(...lines.get(row).map((line, i) => vector("text", { x: 2, y: top + SECOND * (i + 1) }, line)));
    else if (row.text) texts.append(vector("text", { x: width - 4, y: top, "text-anchor": "end" }, row.text));
  }
  svg.append(texts);
  box.replaceChildren(svg);
}

// A picture with two axes; the title of the upward one stands above it, where it can be read.
function plane(box, height, across, upwards, saying) {
  const width = roomOf(box), top = 26, bottom = height - belowOf(across.title, width), right = width - 10;
  const y = scaleOf({ wanted: 7, ...upwards }, bottom - 4, top + 6), words = upwards.words ?? AXIS_TEXT[upwards.kind];
  const left = Math.ceil(Math.max(...y.ticks.map((tick) => textWidth(words(tick))))) + 12;
  const x = scaleOf({ wanted: width < 500 ? 4 : 6, ...across }, left + 8, right - 8);
  const svg = sheet(box, height, saying), axis = vector("g", { class: "role-axis axis-y" });
  axis.append(vector("text", { class: "title", x: 2, y: 13 }, fitted(upwards.title, width - 4)));
  for (const tick of y.ticks) {
    axis.append(vector("path", { class: "grid", d: `M${left} ${y.at(tick)}H${right}` }), vector("path", { class: "domain", d: `M${left - 5} ${y.at(tick)}h5` }));
    axis.append(vector("text", { x: left - 8, y: y.at(tick) + 4, "text-anchor": "end" }, words(tick)));
  }
  axis.append(vector("path", { class: "domain", d: `M${left} ${top}V${bottom}` }));
  svg.append(axisBelow(x, across.words ?? AXIS_TEXT[across.kind], across.title, { left, right, top, bottom, grid: across.grid ?? false, edge: width }), axis);
  box.replaceChildren(svg);
  return { svg, x: x.at, y: y.at, left, right, top, bottom };
}

// A mark on a piece of its line, for legends.
function symbol({ color, shape, variant }, dash, hollow = false) {
  return vector("svg", { viewBox: "-6 0 36 22", width: 36, height: 22, "aria-hidden": "true" },
    vector("path", { d: "M-5 11h34", stroke: color, "stroke-width": variant ? 1.1 : 2, "stroke-dasharray": dash }),
    vector("path", { d: symbolAt(shape, 12, 11, variant ? 3 : 5), fill: hollow ? "var(--card)" : color, stroke: color, "stroke-width": 1.6 }));
}

// The legend of the page: a colour and a shape for each implementation, the same in every chart.
const NAMED = 24;
function fillPageLegend(more = []) {
  const box = document.getElementById("colours");
  if (!box) return;
  const entries = Object.entries(look.implementations).map(([name, of]) => make("span", { "data-implementation": name }, symbol(of, "none"), name));
  const rest = entries.slice(NAMED);
  box.replaceChildren(...entries.slice(0, NAMED), ...more, ...(rest.length ? [make("details", {}, make("summary", {}, `${rest.length} more`), ...rest)] : []));
}
