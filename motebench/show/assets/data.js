// The data of the page, and making nodes of it. Texts of the data become text nodes, never markup.
// A page that is one file has them in it; a site has them as a script beside the page.
const data = window.motebenchPage ?? JSON.parse(document.getElementById("data").textContent);
const { look, words, samples } = data;
const make = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children);
  return node;
};
const unique = (list) => [...new Set(list)];
const known = (table, name) => (Object.hasOwn(table, name) ? table[name] : undefined);
const upper = (text) => text.charAt(0).toUpperCase() + text.slice(1);
const narrowScreen = matchMedia("(max-width: 640px)");
// More values than this are found by typing: a list of them would be longer than anybody reads.
const CHOICES = 200;
