// ---- sliders that ask again, the picture of two criteria, and the first candidates -------------------------------
(() => {
  const section = document.getElementById("explorer");
  if (!section) return;
  if (!explore) { section.remove(); return; }
  const { model } = explore, { now, scene } = model;
  const has = (name) => ({ life: scene.battery && now.every, energy: scene.active, latency: true, flash: true, ram: true, sent: Boolean(scene.air) && now.sends })[name];
  const WORDS = {
    life: ["Life", (value) => `${value.toPrecision(3)} years`], energy: ["Energy", (value) => quantity(value, "J")], latency: ["Time", (value) => quantity(value * 1e9, "ns")],
    flash: ["Flash", (value) => `${Math.round(value).toLocaleString("en-US")} B`], ram: ["RAM", (value) => `${Math.round(value).toLocaleString("en-US")} B`], sent: ["Bytes to send", (value) => `${value} B`],
  };
  const criteria = Object.keys(WORDS).filter(has);
  const setting = { length: now.length, every: now.every, flash: now.flash, ram: now.ram, latency: now.latency, strength: now.strength, equal: now.equal, order: { ...now.order } };
  const first = { ...setting, order: { ...setting.order } };
  const axes = { x: "flash", y: criteria.includes("life") ? "life" : criteria.includes("energy") ? "energy" : "latency" };
  const redraws = [];
  const lower = (text) => (text === "RAM" ? text : text.toLowerCase());

  // A slider from 0 to 1000 whose value is on a logarithmic scale; its end is "no limit" where there is one.
  function slider(name, text, least, most, get, set, say, open) {
    const input = make("input", { type: "range", min: 0, max: 1000, step: 1, id: `explore-${name}` });
    const shown = make("output", { for: `explore-${name}` });
    const show = () => { shown.textContent = say(get()); };
    input.addEventListener("input", () => {
      const share = Number(input.value) / 1000;
      set(open && share === 1 ? null : least * (most / least) ** share);
      show();
      redraw();
    });
    const reset = () => {
      const value = get();
      input.value = String(value === null ? 1000 : Math.round(1000 * Math.log(value / least) / Math.log(most / least)));
      show();
    };
    redraws.push(reset);
    return make("label", { class: "slide" }, make("span", {}, text, " ", shown), input);
  }
  // A slider over the lengths that were computed.
  function steps(name, text, lengths) {
    const input = make("input", { type: "range", min: 0, max: lengths.length - 1, step: 1, id: `explore-${name}` });
    const shown = make("output", { for: `explore-${name}` });
    const show = () => { shown.textContent = `${setting.length.toLocaleString("en-US")} B`; };
    input.addEventListener("input", () => { setting.length = lengths[Number(input.value)]; show(); redraw(); });
    redraws.push(() => { input.value = String(lengths.indexOf(setting.length)); show(); });
    return make("label", { class: "slide" }, make("span", {}, text, " ", shown), input);
  }
  const limit = (value, say) => (value === null ? "no limit" : `at most ${say(value)}`);
  const rate = (day) => (day >= 1440 ? `${(day / 1440).toPrecision(3)} a minute` : day >= 24 ? `${(day / 24).toPrecision(3)} an hour` : `${day.toPrecision(3)} a day`);
  const controls = make("div", { class: "controls sliders" });
  if (now.every) {
    const day = 86400 / now.every;
    controls.append(slider("rate", "Messages", Math.min(1, day), Math.max(8640, day), () => 86400 / setting.every, (value) => { setting.every = 86400 / value; }, rate));
  }
  if (!scene.fixed && model.lengths) controls.append(steps("length", now.need === "update" ? "Image" : "Length", model.lengths));
  else if (!scene.fixed && scene.longest > 1) controls.append(slider("length", "Length", 1, scene.longest, () => setting.length, (value) => { setting.length = Math.round(value); }, (value) => `${value} B`));
  const flash = now.deviceFlash || Math.max(now.flash ?? 0, 2 ** 20), ram = now.deviceRam || 2 ** 20;
  controls.append(
    slider("flash", "Flash", 256, flash, () => setting.flash, (value) => { setting.flash = Math.round(value); }, (value) => limit(value, WORDS.flash[1])),
    slider("ram", "RAM", 64, ram, () => setting.ram, (value) => { setting.ram = Math.round(value); }, (value) => limit(value, WORDS.ram[1])),
    slider("latency", "Time", 1e-6, Math.max(model.lengths ? 600 : 10, now.latency ?? 0), () => setting.latency, (value) => { setting.latency = value; }, (value) => limit(value, WORDS.latency[1]), true),
  );
  const pick = (text, options, value, change) => {
    const select = make("select", { onchange: () => { change(select.value); redraw(); } }, ...options.map(([key, words]) => make("option", { value: key, selected: String(key) === String(value) }, words)));
    return [make("label", {}, text, select), select];
  };
  const strengths = [...new Set(model.strengths ?? [0, 112, 128, 192, 256, now.strength])].filter((bits) => bits >= 0).sort((a, b) => a - b);
  const [strength, strengthBox] = pick("Strength", strengths.map((bits) => [bits, bits ? `${bits} bits at least` : "any"]), setting.strength, (value) => { setting.strength = Number(value); });
  redraws.push(() => { strengthBox.value = String(setting.strength); });
  controls.append(strength);
  const weights = make("div", { class: "controls sliders", role: "group", "aria-label": "Weights of the order" });
  for (const name of criteria.filter((one) => one !== "sent")) {
    const input = make("input", { type: "range", min: 0, max: 10, step: 1, id: `weight-${name}` });
    const shown = make("output", { for: `weight-${name}` });
    input.addEventListener("input", () => {
      const value = Number(input.value);
      if (value) setting.order[name] = value;
      else delete setting.order[name];
      shown.textContent = String(value);
      redraw();
    });
    redraws.push(() => { input.value = String(Math.round(setting.order[name] ?? 0)); shown.textContent = input.value; });
    weights.append(make("label", { class: "slide" }, make("span", {}, `Weight of ${lower(WORDS[name][0])} `, shown), input));
  }
  const [across, acrossBox] = pick("Across", criteria.map((name) => [name, WORDS[name][0]]), axes.x, (value) => { axes.x = value; });
  const [upwards, upwardsBox] = pick("Upwards", criteria.map((name) => [name, WORDS[name][0]]), axes.y, (value) => { axes.y = value; });
  const again = make("button", { type: "button", onclick: () => { Object.assign(setting, { ...first, order: { ...first.order } }); redraws.forEach((reset) => reset()); redraw(); } }, "As asked");
  const said = make("p", { class: "first", role: "status" });
  const picture = make("div", { class: "chart" });
  const table = make("table", { class: "paged" });
  section.querySelector(".explorer").replaceChildren(controls, weights, said, make("div", { class: "controls" }, across, upwards, again), picture, make("p", { class: "fine" }, "Energy is that of a message, sleep apart. Filled: on the front of these two criteria. Large: rank 1. Crosses: break a limit."), make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "First candidates" }, table));

  const better = (name) => (name === "life" ? -1 : 1);
  function front(points) {
    return new Set(points.filter((one) => !points.some((other) => (other.px !== one.px || other.py !== one.py) && other.px * better(axes.x) <= one.px * better(axes.x) && other.py * better(axes.y) <= one.py * better(axes.y))));
  }
  function draw(found) {
    const height = Math.min(420, Math.max(300, picture.clientWidth * 0.5));
    const point = (one, ok) => {
      const [across, up] = [axes.x, axes.y].map((name) => explore.figure(one, name));
      return across && up && across[1] > 0 && up[1] > 0 ? { one, ok, px: across[1], py: up[1] } : null;
    };
    const good = found.ranked.map((one) => point(one, true)).filter(Boolean);
    const bad = found.rejected.map((one) => point(one, false)).filter(Boolean);
    // The first one last, so that nothing covers it.
    const all = [...bad, ...good.slice(1), ...good.slice(0, 1)];
    if (!all.length) { picture.replaceChildren(make("p", { class: "empty" }, "Nothing to draw.")); return; }
    const [[acrossName, acrossText], [upName, upText]] = [WORDS[axes.x], WORDS[axes.y]], lead = found.ranked[0];
    const axis = (key, title, text) => ({ log: true, grid: true, values: all.map((each) => each[key]), title: `${title} (logarithmic)`, words: (value) => text(Number(value.toPrecision(4))) });
    const saying = `${acrossName} against ${lower(upName)} of ${good.length} candidates that keep all limits${bad.length ? ` and ${bad.length} that break one` : ""}.${lead ? ` First: ${lead.scheme} by ${lead.implementation}.` : ""}`;
    const { svg, x, y } = plane(picture, height, axis("px", acrossName, acrossText), axis("py", upName, upText), saying);
    const best = front(good);
    for (const each of all) {
      const { one, ok } = each, first = ok && one === lead, [px, py] = [x(each.px), y(each.py)];
      const title = vector("title", {}, `${one.scheme} by ${one.implementation}: ${acrossText(each.px)}, ${upText(each.py)}${ok ? `, rank ${one.rank}` : `, breaks ${one.broken.join(", ")}`}`);
      if (!ok) svg.append(vector("path", { class: "broken", d: `M${px - 3} ${py - 3}l6 6m-6 0l6-6` }, title));
      else svg.append(vector("circle", { class: `${best.has(each) ? "front" : "point"}${first ? " lead" : ""}`, cx: px, cy: py, r: first ? 8 : 4.5 }, title));
    }
  }
  const LIMITS = { flash: "flash", ram: "RAM", latency: "time", strength: "strength", payload: "payload of a frame", "dwell-time": "dwell time", "duty-cycle": "duty cycle", "fair-use": "fair use of the network", "data-limit": "data limit of the key", recommended: "nothing, and is less recommended", interval: "time between two" };
  function reason(one, lead) {
    if (one === lead) return "first";
    if (one.broken.length) return `breaks ${one.broken.map((name) => LIMITS[name]).join(", ")}`;
    if (one.unsure && !lead.unsure) return "may not keep a limit";
    if (now.need === "aead" && one.composed && !lead.composed) return "a cipher and a MAC to put together";
    if (Math.floor(one.row.tier) !== Math.floor(lead.row.tier)) return "less recommended";
    if (one.row.tier !== lead.row.tier) return "post-quantum: after classical ones";
    const apart = (Math.exp(one.score - lead.score) - 1) * 100;
    if (one.rank !== lead.rank) return `${apart.toPrecision(3)} % worse`;
    return `equal for you; ${explore.later(one, lead, setting)}`;
  }
  function list(found) {
    const lead = found.ranked[0];
    const shown = [...found.ranked.slice(0, 8), ...(lead ? found.rejected.filter((one) => one.row.tier <= lead.row.tier) : found.rejected).sort((a, b) => a.broken.length - b.broken.length || a.row.tier - b.row.tier).slice(0, 4)];
    const names = criteria;
    table.replaceChildren(
      make("thead", {}, make("tr", {}, ...["Rank", "Scheme", "Implementation"].map((text) => make("th", { scope: "col" }, text)), ...names.map((name) => make("th", { scope: "col", class: "num" }, WORDS[name][0])), make("th", { scope: "col" }, "Why not first"))),
      make("tbody", {}, ...shown.map((one) => make("tr", {}, make("th", { scope: "row" }, one.broken.length ? "–" : `${one.rank}${one.tied ? "=" : ""}`), make("td", {}, make("b", {}, one.scheme)), make("td", {}, one.implementation),
        ...names.map((name) => { const value = explore.figure(one, name); return make("td", { class: "num", "data-label": WORDS[name][0] }, value ? WORDS[name][1](value[1]) : "–"); }), make("td", { "data-label": "Why not first" }, lead ? reason(one, lead) : `breaks ${one.broken.map((name) => LIMITS[name]).join(", ")}`)))));
  }
  let pending = 0;
  function redraw() {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => {
      const found = explore.answer(setting);
      const lead = found.ranked[0];
      said.replaceChildren(...(lead ? ["First: ", make("b", {}, `${lead.scheme} by ${lead.implementation}`), ...criteria.map((name) => { const value = explore.figure(lead, name); return value ? ` · ${lower(WORDS[name][0])} ${WORDS[name][1](value[1])}` : ""; }), ` · ${found.ranked.length} keep all limits`]
        : [found.impossible ? "A message takes longer than the time between two." : found.ways.length ? `Nothing that is recommended keeps all limits. These options may admit it: ${found.ways.join(", ")}.` : Object.keys(setting.order).length ? "No candidate keeps all limits." : "Give at least one criterion a weight."]));
      draw(found);
      list(found);
      section.dataset.drawn = "yes";
    });
  }
  redraws.forEach((reset) => reset());
  void [acrossBox, upwardsBox];
  addEventListener("resize", redraw);
  redraw();
})();
