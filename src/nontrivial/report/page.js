"use strict";
// Reading needs none of this: it adds sorting, filtering and unfolded printing.

// Sorting: each heading becomes a button that turns its column up, then down; missing values stay last.
for (const table of document.querySelectorAll("table[data-sortable]")) {
  const headings = [...table.tHead.rows[0].cells];
  headings.forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => {
      const down = heading.getAttribute("aria-sort") === "ascending";
      headings.forEach((other) => other.removeAttribute("aria-sort"));
      heading.setAttribute("aria-sort", down ? "descending" : "ascending");
      sortRows(table.tBodies[0], column, "numeric" in heading.dataset, down ? -1 : 1);
    });
  });
}

function sortRows(body, column, numeric, direction) {
  const keyed = [...body.rows].map((row) => {
    const cell = row.cells[column];
    const text = cell.dataset.exact ?? cell.textContent;
    const key = numeric ? toNumber(text) : text;
    return { row, key, missing: text === "" || Number.isNaN(key) };
  });
  keyed.sort((a, b) => {
    if (a.missing || b.missing) return a.missing - b.missing;
    if (numeric) return direction * (a.key === b.key ? 0 : a.key - b.key);
    return direction * a.key.localeCompare(b.key, "en", { numeric: true });
  });
  body.append(...keyed.map((item) => item.row));
}

function toNumber(text) {
  return Number(text.replace(/^([+-]?)inf$/i, "$1Infinity"));
}

// Filtering the claims by text, document and verdict.
const filter = document.getElementById("claim-filter");
if (filter) {
  const search = document.getElementById("claim-search");
  const source = document.getElementById("claim-source");
  const count = document.getElementById("claim-count");
  const toggles = [...filter.querySelectorAll("button[aria-pressed]")];
  const claims = [...document.querySelectorAll(".claim")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll("#claim-list .group"), ...document.querySelectorAll("#claim-list .document")];

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const shown = new Set(toggles.filter((toggle) => toggle.getAttribute("aria-pressed") === "true").map((toggle) => toggle.dataset.verdict));
    let number = 0;
    for (const { element, text } of claims) {
      const visible =
        shown.has(element.dataset.verdict) &&
        (!source.value || source.value === element.dataset.source) &&
        words.every((word) => text.includes(word));
      element.hidden = !visible;
      number += visible;
    }
    for (const group of groups) group.hidden = !group.querySelector(".claim:not([hidden])");
    count.textContent = `${number} of ${claims.length} claims shown`;
  };

  for (const toggle of toggles) {
    toggle.addEventListener("click", () => {
      toggle.setAttribute("aria-pressed", String(toggle.getAttribute("aria-pressed") !== "true"));
      apply();
    });
  }
  search.addEventListener("input", apply);
  source.addEventListener("change", apply);
  filter.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("reset", () => {
    for (const toggle of toggles) toggle.setAttribute("aria-pressed", "true");
    setTimeout(apply); // the fields are emptied after this event
  });
  filter.hidden = false;
  apply();
}
