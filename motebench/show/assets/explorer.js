// ---- sliders over the stops of an input: the answer at each stop is in the data -------------------------------------------------
(() => {
  const section = document.getElementById("explorer"), found = data.explorer;
  if (!section || !found) return;
  const HEADS = { life: "Life", energy: "Energy", latency: "Time", flash: "Flash", ram: "RAM", sent: "Sent" };
  const shown = found.criteria.map((name, i) => [HEADS[name], i])
    .filter(([, i]) => found.answers.some((answer) => answer.candidates.some((one) => one.figures[i])));
  const said = make("p", { class: "first", role: "status" });
  const table = make("table", { class: "paged" });
  const controls = [];
  function show(number) {
    const answer = found.answers[number];
    said.textContent = answer.words;
    table.hidden = !answer.candidates.length;
    table.replaceChildren(
      make("thead", {}, make("tr", {}, ...["Rank", "Scheme", "Implementation"].map((text) => make("th", { scope: "col" }, text)),
        ...shown.map(([text]) => make("th", { scope: "col", class: "num" }, text)), make("th", { scope: "col" }, "Why not first"))),
      make("tbody", {}, ...answer.candidates.map((one) => make("tr", {}, make("th", { scope: "row" }, one.rank || "–"), make("td", {}, make("b", {}, one.scheme)), make("td", { class: "name" }, one.implementation),
        ...shown.map(([text, i]) => make("td", { class: "num", "data-label": text }, one.figures[i] || "–")), make("td", { class: "reason", "data-label": "Why not first" }, one.reason)))));
    section.dataset.drawn = "yes";
  }
  // A list where the order has no scale, a slider elsewhere.
  function control(input) {
    const id = `explore-${input.name}`, value = make("output", { for: id });
    const list = input.name === "order", last = input.stops.length - 1;
    const box = list ? make("select", { id }, ...input.stops.map((text, i) => make("option", { value: i }, text)))
      : make("input", { type: "range", id, min: 0, max: last, step: 1 });
    const put = (place) => {
      box.value = String(place);
      value.textContent = list ? "" : input.stops[place];
      if (!list) box.setAttribute("aria-valuetext", input.stops[place]);
    };
    const moved = () => {
      const place = Number(box.value);
      for (const other of controls) other.reset();
      put(place);
      show(input.answers[place]);
    };
    box.addEventListener(list ? "change" : "input", moved);
    controls.push({ reset: () => put(input.asked), node: make("label", { class: "slide" }, make("span", {}, input.title, " ", value), box) });
  }
  found.inputs.forEach(control);
  const asked = () => {
    for (const other of controls) other.reset();
    show(found.inputs[0].answers[found.inputs[0].asked]);
  };
  section.querySelector(".explorer").replaceChildren(
    make("div", { class: "controls sliders" }, ...controls.map((one) => one.node)), said,
    make("div", { class: "controls" }, make("button", { type: "button", onclick: asked }, "As asked")),
    make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "First candidates" }, table));
  asked();
})();
