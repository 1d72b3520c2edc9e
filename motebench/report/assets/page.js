"use strict";
// The table of measurements and the theme button; charts are in charts/.
(() => {
  // ---- table ------------------------------------------------------------------------------------------------
  function table() {
    const node = document.getElementById("all");
    if (!node) return;
    const body = node.tBodies[0];
    const heads = [...node.tHead.rows[0].cells].map((head) => head.textContent.trim());
    const lines = [...body.rows];
    const search = document.getElementById("filter"), count = document.getElementById("filter-count");
    const texts = lines.map((line) => [...line.cells].map((cell) => cell.textContent.trim()).join(" ").toLowerCase());
    search.closest(".controls").hidden = false;
    const filter = () => {
      const wanted = search.value.toLowerCase().split(/\s+/).filter(Boolean);
      let shown = 0;
      lines.forEach((line, i) => {
        line.hidden = !wanted.every((word) => texts[i].includes(word));
        if (!line.hidden) shown += 1;
      });
      count.textContent = shown === lines.length ? `${shown} rows` : `${shown} of ${lines.length} rows`;
    };
    search.addEventListener("input", filter);
    filter();
    const valueOf = (line, column) => {
      const cell = line.cells[column];
      return cell.dataset.v === undefined ? cell.textContent.trim() : cell.dataset.v === "" ? Infinity : Number(cell.dataset.v);
    };
    [...node.tHead.rows[0].cells].forEach((head, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "sort";
      button.textContent = head.textContent.trim();
      head.replaceChildren(button);
      button.addEventListener("click", () => {
        const up = head.getAttribute("aria-sort") !== "ascending";
        for (const other of node.tHead.rows[0].cells) other.removeAttribute("aria-sort");
        head.setAttribute("aria-sort", up ? "ascending" : "descending");
        const keyed = [...body.rows].map((line) => [valueOf(line, column), line]);
        keyed.sort(([a], [b]) => (typeof a === "number" ? a - b || 0 : a.localeCompare(b, "en", { numeric: true })) * (up ? 1 : -1));
        body.append(...keyed.map(([, line]) => line));
      });
    });
    document.getElementById("csv").addEventListener("click", () => {
      // A text that a spreadsheet would take for a formula is quoted with an apostrophe.
      const safe = (value) => `"${(/^[=+\-@\t\r]/.test(value) && Number.isNaN(Number(value)) ? `'${value}` : value).replaceAll('"', '""')}"`;
      const row = (line) => [...line.cells].map((cell, i) =>
        safe(heads[i] !== "Interval" && cell.dataset.v !== undefined ? cell.dataset.v : cell.textContent.trim())).join(",");
      const text = [heads.map(safe).join(","), ...[...body.rows].filter((line) => !line.hidden).map(row)].join("\r\n");
      const link = document.createElement("a");
      link.download = "motebench.csv";
      link.href = URL.createObjectURL(new Blob([text, "\r\n"], { type: "text/csv" }));
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10000);
    });
  }

  // ---- theme ------------------------------------------------------------------------------------------------
  function theme() {
    const button = document.getElementById("theme");
    const root = document.documentElement;
    const order = ["auto", "light", "dark"];
    const show = () => { button.textContent = `Theme: ${root.dataset.theme}`; };
    button.hidden = false;
    button.addEventListener("click", () => {
      root.dataset.theme = order[(order.indexOf(root.dataset.theme) + 1) % order.length];
      try { localStorage.setItem("motebench-theme", root.dataset.theme); } catch { /* not remembered */ }
      show();
    });
    show();
  }

  theme();
  table();
})();
