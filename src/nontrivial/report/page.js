"use strict";
// Reading needs none of this: it adds sorting and filtering, and opens what is closed where a link or a printer needs it.

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
    const text = cell.title || cell.textContent;
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

// Filtering the claims by text, document, kind and verdict.
const filter = document.getElementById("claim-filter");
if (filter) {
  const search = document.getElementById("claim-search");
  const source = document.getElementById("claim-source");
  const kind = document.getElementById("claim-kind");
  const count = document.getElementById("claim-count");
  const boxes = [...filter.querySelectorAll("input[type=checkbox]")];
  const claims = [...document.querySelectorAll(".claim")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }));
  const places = document.querySelectorAll("#claim-list :is(.group, .document, .under, .repair, .steps)");

  const apply = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const verdicts = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let number = 0;
    for (const { element, text } of claims) {
      const visible =
        verdicts.has(element.dataset.verdict) &&
        (!source.value || source.value === element.dataset.source) &&
        (!kind.value || kind.value === element.dataset.kind) &&
        words.every((word) => text.includes(word));
      element.hidden = !visible;
      number += visible;
    }
    for (const place of places) {
      place.hidden = !place.querySelector(".claim:not([hidden])");
      if (place.matches(".steps")) place.open = number < claims.length;
      if (place.matches(".group")) {
        const counted = `.claim[data-group="${place.dataset.group}"]`; // not what stands under them
        const all = place.querySelectorAll(counted).length;
        const visible = place.querySelectorAll(`${counted}:not([hidden])`).length;
        place.querySelector(".count").textContent = visible < all ? `${visible} of ${all}` : all;
      }
    }
    count.textContent = `${number} of ${claims.length} entries shown`;
  };

  filter.addEventListener("input", apply);
  filter.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("reset", () => setTimeout(apply)); // the fields are emptied after this event
  filter.hidden = false;
  apply();
}

// What is wider than its place says so.
const widths = new ResizeObserver((entries) =>
  requestAnimationFrame(() => {
    for (const { target } of entries) target.classList.toggle("cut", target.scrollWidth > target.clientWidth);
  })
);
for (const box of document.querySelectorAll(".scroll")) widths.observe(box);

// A link to something that the filter hides, or that is closed, shows it.
function reveal() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (filter && target.closest("[hidden]")) filter.reset();
  if (target.matches(".claim")) target.querySelector("details").open = true;
  for (let around = target.closest(".steps"); around; around = around.parentElement.closest(".steps")) around.open = true;
  setTimeout(() => target.scrollIntoView());
}
addEventListener("hashchange", reveal);
reveal();

// On paper all is open, in browsers too whose style sheets cannot say so.
let opened = [];
addEventListener("beforeprint", () => {
  opened = [...document.querySelectorAll("details:not([open])")];
  for (const details of opened) details.open = true;
});
addEventListener("afterprint", () => {
  for (const details of opened) details.open = false;
});
