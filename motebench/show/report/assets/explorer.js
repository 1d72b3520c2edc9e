// ---- the choice, computed again: as motebench.advise.choice does, see docs/explain/choice.md ------------------------------------
const explore = (() => {
  const model = data.explorer;
  if (!model) return null;
  const { scene, now } = model;
  const three = (value) => (typeof value === "number" ? [value, value, value] : value);
  const plus = (a, b) => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const sum = (list) => list.reduce(plus, [0, 0, 0]);
  const log = (value) => Math.log(Math.max(value, 1e-30));
  model.candidates = model.candidates.map((row) => Object.fromEntries(model.fields.map((name, i) => [name, row[i]])));
  const joined = (row, name, texts) => [...new Set([texts[row[name]], ...(row.mac === null ? [] : [texts[model.macs[row.mac][name]]])])].join(" + ");
  const keyed = Boolean(model.lengths);
  for (const curve of model.curves ?? []) {
    curve.seconds = curve.seconds.map(three);
    curve.memories = curve.memories.map((memory) => Object.fromEntries(Object.entries(memory).map(([name, value]) => [name, three(value)])));
  }

  // How far a size has come from one measured size to another: least, typical, largest share, by pieces.
  function shares(curve, size, start, end) {
    const straight = (size - start) / (end - start);
    if (curve.block) {
      const [bytes, padding] = curve.block, calls = (length) => Math.max(Math.floor((length + padding) / bytes), 0) + 1;
      const counted = calls(end) > calls(start) ? (calls(size) - calls(start)) / (calls(end) - calls(start)) : straight;
      return [Math.min(counted, straight), counted, Math.max(counted, straight)];
    }
    const found = curve.pieces.map((piece) => [size, start, end].map((length) => Math.ceil(length / piece)))
      .filter(([, first, last]) => last > first).map(([at, first, last]) => (at - first) / (last - first));
    return [Math.min(...found), straight, Math.max(...found)];
  }
  // Seconds and memory at a size: a result, or between or before those of two sizes.
  function cost(curve, size) {
    const at = curve.sizes.indexOf(size);
    if (at >= 0) return { seconds: curve.seconds[at], memory: curve.memories[curve.memory[at]] };
    const above = curve.sizes.findIndex((known) => known > size);
    if (above < 0) return null;
    const memory = curve.memories[curve.memory[above]];
    if (curve.sizes.length === 1) {
      const [, usual, most] = curve.seconds[0], typical = (size / curve.sizes[0]) * usual;
      return { seconds: [0, typical, Math.max(typical, most)], memory };
    }
    const first = Math.max(above - 1, 0), start = curve.seconds[first], end = curve.seconds[first + 1];
    const [least, usual, most] = shares(curve, size, curve.sizes[first], curve.sizes[first + 1]);
    const between = (place, share) => start[place] + share * (end[place] - start[place]);
    let low = Math.min(between(0, least), between(0, most)), high = Math.max(between(2, least), between(2, most));
    const typical = Math.max(between(1, usual), 0), [multiple, share] = scene.partial;
    if (size % multiple) [low, high] = [low * (1 - share), (high + curve.fall) * (1 + share)];
    return { seconds: [Math.min(Math.max(low, 0), typical), typical, Math.max(typical, high)], memory };
  }
  function life(mean, ends) {
    const [capacity, usable, loss] = ["capacity", "usable", "loss"].map((name, i) => scene.battery[name][ends[i]]);
    const charge = capacity * scene.hour, rate = -Math.log1p(-loss) / scene.year;
    const longest = (usable * charge) / (mean + rate * ((1 - usable) * charge));
    return rate === 0 || rate * longest < 1e-15 ? longest : Math.log1p(rate * longest) / rate;
  }
  // MACs that another MAC of their library beats in time, memory and tag are not combined.
  function worthwhile(setting) {
    const costs = model.macs.map((mac) => {
      if (setting.strength && (mac.bits === null || mac.bits < setting.strength)) return null;
      const found = cost(model.curves[mac.curve], setting.length);
      if (!found) return null;
      const sizes = ["flash", "static_ram", "stack", "state", "ram"].filter((name) => found.memory[name]).map((name) => found.memory[name][2]);
      return [mac.tier, found.seconds[1], mac.tag, ...sizes];
    });
    return costs.map((own, i) => own !== null && !costs.some((other, j) => other !== null && model.macs[j].library === model.macs[i].library
      && other.length === own.length && other.some((value, k) => value !== own[k]) && other.every((value, k) => value <= own[k])));
  }
  function flashOf(costs) {
    const known = costs.map((one) => one.memory.flash);
    if (known.some((one) => !one)) return null;
    const both = sum(known);
    return [Math.max(...known.map((one) => one[0])), both[1], both[2]];
  }
  function ramOf(costs) {
    if (costs.every((one) => one.memory.ram)) return sum(costs.map((one) => one.memory.ram));
    if (!costs.every((one) => one.memory.stack && one.memory.state)) return null;
    const deepest = [0, 1, 2].map((end) => Math.max(...costs.map((one) => one.memory.stack[end])));
    const kept = costs.flatMap((one) => ["state", "static_ram"].filter((name) => one.memory[name]).map((name) => one.memory[name]));
    return sum([deepest, ...kept]);
  }
  // One candidate with everything that is said of it; null where it has no result.
  function candidate(row, setting) {
    const padding = row.padding ? row.padding - (setting.length % row.padding) : 0;
    const curve = model.curves[row.curve];
    let first = cost(curve, setting.length);
    if (!first) return null;
    if (row.extra) {
      const more = cost(curve, setting.length + row.extra);
      if (more) first = { ...more, seconds: [first.seconds[0], Math.max(more.seconds[1], first.seconds[1]), more.seconds[2]] };
    }
    const costs = [first];
    if (row.mac !== null) {
      const second = cost(model.curves[model.macs[row.mac].curve], row.over + setting.length + padding);
      if (!second) return null;
      costs.push(second);
    }
    const latency = sum(costs.map((one) => one.seconds));
    const sent = setting.length + padding + row.nonce + row.tag;
    const found = { row, latency, sent, flash: flashOf(costs), ram: ramOf(costs), air: airOf(sent), beside: [], composed: row.mac !== null, magnitude: 0 };
    found.scheme = joined(row, "s", model.schemes);
    found.implementation = joined(row, "i", model.implementations);
    return finished(found, setting);
  }
  // A message of that many bytes on air: its limits, and the seconds of each part.
  function airOf(sent) {
    const air = scene.air;
    if (!air) return null;
    const sends = air.frames[sent] > 0;
    const busy = Object.fromEntries(sends ? air.parts.map((part) => [part.name, part.busy[sent]]) : []);
    return { sends, broken: air.broken[sent] ? [air.broken[sent]] : [], least: air.least[sent], fair: air.fair[sent], seconds: air.seconds[sent], busy };
  }
  // A scheme with public keys at a place of the slider; null where it is no candidate.
  function keyCandidate(row, setting) {
    const place = model.lengths.indexOf(setting.length), strength = model.strengths.indexOf(setting.strength);
    if (place < 0 || strength < 0 || model.patterns[row.there[strength]][place] !== "1") return null;
    const [latency, flash, ram, sent, received, magnitude, number] = row.costs[row.at[place]];
    const found = { row, latency: three(latency), sent, received, flash: flash === null ? null : three(flash), ram: ram === null ? null : three(ram) };
    Object.assign(found, { air: scene.air ? scene.air.entries[number] : null, beside: row.beside, composed: row.composed === 1, magnitude });
    found.scheme = model.schemes[row.s];
    found.implementation = model.implementations[row.i];
    return finished(found, setting);
  }
  // With energy, life and broken limits.
  function finished(found, setting) {
    const { air, latency } = found;
    Object.assign(found, { energy: null, life: null, broken: [], unsure: false, busy: latency[1], onAir: air ? air.seconds : 0 });
    const parts = air ? scene.air.parts.filter((part) => air.busy[part.name] !== undefined) : [];
    const talking = parts.reduce((all, part) => all + air.busy[part.name], 0);
    if (setting.every && latency[1] + talking > setting.every) {
      found.broken.push("interval");
      found.busy = 0;
    }
    if (scene.active) {
      const joules = [[scene.active, latency], ...parts.map((part) => [part, three(air.busy[part.name])])];
      found.energy = sum([...joules.map(([drawn, seconds]) => seconds.map((value, end) => value * drawn.volts * drawn.amps[end])), ...found.beside.map((part) => part.energy)]);
      if (scene.battery && setting.every && (!air || air.sends) && !found.broken.length) {
        const charge = sum([...joules.map(([drawn, seconds]) => seconds.map((value, end) => value * drawn.amps[end] * drawn.raising)), ...found.beside.map((part) => part.charge.map((value) => value * part.raising))]);
        const asleep = sum(scene.sleep.map((drawn) => drawn.amps.map((value) => value * drawn.raising)));
        const mean = asleep.map((value, end) => value + charge[end] / setting.every);
        found.life = [life(mean[2], [0, 0, 2]), life(mean[1], [1, 1, 1]), life(mean[0], [2, 2, 0])].map((value) => value / scene.year);
        found.busy += talking + found.beside.reduce((all, part) => all + part.seconds, 0);
      }
    }
    limits(found, setting);
    return found;
  }
  function limits(found, setting) {
    const { row, air } = found;
    if (setting.strength && (row.bits === null || row.bits < setting.strength)) found.broken.push("strength");
    if (air) {
      found.broken.push(...air.broken);
      if (setting.every && air.least > setting.every) found.broken.push("duty-cycle");
      if (setting.every && air.fair > setting.every) found.broken.push("fair-use");
    }
    for (const name of ["flash", "ram", "latency"]) {
      const most = setting[name];
      if (most === null || most === undefined) continue;
      if (found[name] === null ? !now.ofDevice.includes(name) : found[name][1] > most) found.broken.push(name);
      else if (found[name] !== null && found[name][2] > most) found.unsure = true;
    }
    if (row.limit && setting.every && found.life) {
      const padded = row.padding ? row.padding - (setting.length % row.padding) : 0;
      const blocks = row.passes * (Math.ceil((setting.length + padded) / row.block) + 1);
      const years = (row.limit / (blocks * row.block)) * setting.every / scene.year;
      if (found.life[2] > years) found.broken.push("data-limit");
    }
  }
  const figure = (one, name) => ({ life: one.life, energy: one.energy, latency: one.latency, throughput: one.latency, flash: one.flash, ram: one.ram, sent: [one.sent, one.sent, one.sent] })[name];

  // The order of equal candidates, and what it says of one that comes later.
  function place(one, setting) {
    const known = (size) => (size ? size[1] : Infinity);
    const strength = -Math.min(one.row.bits ?? 0, setting.strength || now.enough);
    return [one.row.maturity, now.sharing ? known(one.flash) : 0, one.composed ? 1 : 0, one.row.mac === null && one.row.over > 0 ? 1 : 0, one.row.claimed ? 0 : 1, one.magnitude, known(one.flash), known(one.ram), strength, known(one.latency), one.scheme, one.implementation];
  }
  const LATER = ["less mature", "more flash beside the code that is there", "two parts to put together", "a nonce that must not repeat", "no claim of constant time", "longer on air", "more flash", "more RAM", "less strength", "more time", "the name", "the name"];
  function later(one, lead, setting) {
    const [own, its] = [place(one, setting), place(lead, setting)];
    return LATER[own.findIndex((value, i) => value !== its[i])] ?? "the name";
  }
  function answer(setting) {
    const kept = keyed ? [] : worthwhile(setting);
    const drawn = keyed ? model.candidates.map((row) => keyCandidate(row, setting)) : model.candidates.filter((row) => row.mac === null || kept[row.mac]).map((row) => candidate(row, setting));
    const every = drawn.filter((one) => one !== null);
    const impossible = setting.every && scene.battery && every.some((one) => one.busy > setting.every);
    const whole = Object.values(setting.order).reduce((all, value) => all + value, 0);
    const order = Object.entries(setting.order).filter(([, weight]) => weight > 0).map(([name, weight]) => [name, weight / whole]);
    const admitted = impossible || !order.length ? [] : every.filter((one) => !one.broken.length && order.every(([name]) => figure(one, name)));
    for (const one of admitted) {
      one.score = order.reduce((all, [name, weight]) => all + weight * (name === "life" ? -log(one.life[1]) : log(figure(one, name)[1])), 0);
    }
    const near = Math.log1p(setting.equal) + 1e-12;
    const lesser = (a, b) => {
      const [x, y] = [place(a, setting), place(b, setting)];
      for (let i = 0; i < x.length; i++) if (x[i] !== y[i]) return x[i] < y[i] ? -1 : 1;
      return 0;
    };
    const ranked = [], group = (one) => 8 * one.row.tier + (one.unsure ? 4 : 0) + (one.composed && now.need === "aead" ? 2 : 0) + one.row.behind;
    for (const place of [...new Set(admitted.map(group))].sort((a, b) => a - b)) {
      let waiting = admitted.filter((one) => group(one) === place);
      while (waiting.length) {
        const most = Math.min(...waiting.map((one) => one.score)) + near, rank = ranked.length + 1;
        const equal = waiting.filter((one) => one.score <= most).sort(lesser);
        for (const one of equal) ranked.push(Object.assign(one, { rank, tied: equal.length > 1 }));
        waiting = waiting.filter((one) => one.score > most);
      }
    }
    const rejected = every.filter((one) => one.broken.length);
    if (!ranked.length || ranked[0].row.tier < 1 || !now.ways.length || (asked(setting) && now.settled)) return { ranked, rejected, impossible, ways: [] };
    // Other options may admit what is recommended, and only motebench can try them.
    for (const one of ranked) one.broken.push("recommended");
    return { ranked: [], rejected: [...ranked, ...rejected], impossible, ways: now.ways };
  }
  // Whether all sliders are where the question has them.
  function asked(setting) {
    return ["length", "every", "flash", "ram", "latency", "strength", "equal"].every((name) => setting[name] === now[name])
      && JSON.stringify(Object.entries(setting.order).sort()) === JSON.stringify(Object.entries(now.order).sort());
  }
  return { model, answer, figure, later };
})();
if (explore) globalThis.motebenchExplorer = explore;
