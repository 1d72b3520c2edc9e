// Long lists by pages: how many there are, and the way to the others.
const PAGE = 25, PAGE_NARROW = 10;
function pager(redraw) {
  const state = { at: 0, size: narrowScreen.matches ? PAGE_NARROW : PAGE };
  const step = (by) => make("button", { type: "button", class: "ghost", "aria-label": by < 0 ? "Previous page" : "Next page", onclick: () => { state.at += by * state.size; redraw(); } }, by < 0 ? "‹ Previous" : "Next ›");
  const [back, on] = [step(-1), step(1)];
  const said = make("span", { role: "status" });
  const size = make("select", { "aria-label": "Rows of a page", onchange: () => { state.size = Number(size.value); state.at = 0; redraw(); } },
    ...unique([state.size, 50, 200]).map((count) => make("option", { value: count }, `${count} a page`)));
  state.node = make("div", { class: "pager" }, back, said, on, size);
  // The part of a list that is shown now.
  state.of = (list, whole, what) => {
    state.at = Math.max(0, Math.min(state.at, Math.floor(Math.max(0, list.length - 1) / state.size) * state.size));
    const part = list.slice(state.at, state.at + state.size);
    const which = part.length === list.length ? `${list.length}` : `${state.at + 1} to ${state.at + part.length} of ${list.length}`;
    said.textContent = `${which} ${what}${list.length < whole ? `, of ${whole} in all` : ""}`;
    back.disabled = state.at === 0;
    on.disabled = state.at + state.size >= list.length;
    for (const node of [back, on, size]) node.hidden = whole <= state.size && part.length === whole;
    return part;
  };
  return state;
}

// What was typed, as words that all have to be part of a text. A size is one word and means itself: "1 KiB" is not in
// "11 KiB".
const SIZE = /(\d+)\s*((?:[kmgt]i?)?b)\b/g;
const searched = (text) => text.toLowerCase().replace(SIZE, "$1$2");
function wordsIn(typed) {
  const words = searched(typed).split(/\s+/).filter(Boolean);
  return (text) => words.every((word) => (/^\d+(?:[kmgt]i?)?b$/.test(word) ? text.split(/\s+/).includes(word) : text.includes(word)));
}
