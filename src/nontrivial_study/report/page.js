"use strict";
// Reading needs none of this: it adds sorting, filtering and trying out, and opens what a link or a printer needs.

const byId = (id) => document.getElementById(id);

// Of many links that stand together one is reached by the tabulator, the others by the arrows.
for (const box of document.querySelectorAll("[data-rove]")) {
  const links = [...box.querySelectorAll("a")];
  links.forEach((link, place) => { link.tabIndex = place ? -1 : 0; });
  box.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const next = step && links[links.indexOf(document.activeElement) + step];
    if (!next) return;
    event.preventDefault();
    links.forEach((link) => { link.tabIndex = link === next ? 0 : -1; });
    next.focus();
  });
}

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
    const key = numeric ? Number(text.replace(/^([+-]?)inf$/i, "$1Infinity")) : text;
    return { row, key, missing: text === "" || Number.isNaN(key) };
  });
  keyed.sort((a, b) => {
    if (a.missing || b.missing) return a.missing - b.missing;
    if (numeric) return direction * (a.key === b.key ? 0 : a.key - b.key);
    return direction * a.key.localeCompare(b.key, "en", { numeric: true });
  });
  body.append(...keyed.map((item) => item.row));
}

// Filtering the claims. The address keeps the filter, so that each combination has a link.
const filter = byId("claim-filter");
const START = "#claims?";
if (filter) {
  const fields = ["text", "document", "verdict", "kind", "main"].map((name) => filter.elements[name]);
  const claims = [...document.querySelectorAll(".claim")].map((element) => ({
    element,
    text: element.textContent.toLowerCase(),
  }));
  const chosen = (field) => (field.type === "checkbox" && !field.checked ? "" : field.value);
  const choose = (field, value) => {
    if (field.type === "checkbox") field.checked = Boolean(value);
    else field.value = value;
  };
  const places = [...document.querySelectorAll("#claim-list :is(.document, .section)")];

  const apply = () => {
    const [text, source, verdict, kind, main] = fields.map(chosen);
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    let number = 0;
    for (const { element, text } of claims) {
      const { dataset } = element;
      const visible =
        (!verdict || verdict === dataset.verdict) &&
        (!source || source === dataset.source) &&
        (!kind || kind === dataset.kind) &&
        (!main || main === dataset.main) &&
        words.every((word) => text.includes(word));
      element.hidden = !visible;
      number += visible;
    }
    for (const place of places) {
      place.hidden = !place.querySelector(".claim:not([hidden])");
      place.open = number < claims.length && !place.hidden;
    }
    byId("claim-count").textContent = `${number} of ${claims.length} shown`;
  };
  const keep = () => {
    const wanted = new URLSearchParams(fields.filter(chosen).map((field) => [field.name, chosen(field)]));
    history.replaceState(null, "", wanted.size ? START + wanted : "#claims");
    apply();
  };
  filter.addEventListener("input", keep);
  filter.addEventListener("submit", (event) => event.preventDefault());
  filter.addEventListener("reset", () => setTimeout(keep)); // the fields are emptied after this event
  filter.hidden = false;
  filter.restore = () => {
    const wanted = new URLSearchParams(location.hash.slice(START.length));
    for (const field of fields) choose(field, wanted.get(field.name) ?? "");
    apply();
  };
  filter.clear = () => {
    for (const field of fields) choose(field, "");
    apply();
  };
  for (const link of document.querySelectorAll("a[data-filter]")) link.href = START + link.dataset.filter;
  apply();
}

// A link to something that the filter hides, or that is closed, shows it.
function reveal() {
  const isFilter = filter && location.hash.startsWith(START);
  if (isFilter) filter.restore();
  const target = byId(isFilter ? "claims" : decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  if (target.closest("[hidden]")) filter?.clear();
  for (let around = target; around; around = around.parentElement?.closest("details")) around.open = true;
  target.querySelector(":scope > details.fold")?.setAttribute("open", "");
  setTimeout(() => target.scrollIntoView());
}
addEventListener("hashchange", reveal);

// Trying out: measures of the table that a rule with these rates is expected to have, if so many labels of either class
// are wrong that the classes keep their sizes.
const LEAST = -0.5; // the left end of the bars
const LINES = [
  ["Accuracy", (t, p) => [(t.tp + t.tn), Math.max(p, 1 - p)]],
  ["Balanced accuracy", (t, p) => [(t.tp / p + t.tn / (1 - p)) / 2, 0.5]],
  ["F1", (t, p) => [(2 * t.tp) / (2 * t.tp + t.fp + t.fn), (2 * p) / (1 + p)]],
  ["P4", (t, p) => [
    (4 * t.tp * t.tn) / (4 * t.tp * t.tn + (t.tp + t.tn) * (t.fp + t.fn)),
    4 / (4 + 1 / (p * (1 - p))), // of a coin
  ]],
  ["Matthews correlation", (t, p) => {
    const called = t.tp + t.fp;
    return [(t.tp * t.tn - t.fp * t.fn) / Math.sqrt(p * (1 - p) * called * (1 - called)), 0];
  }],
  ["Cohen's kappa", (t, p) => {
    const chance = p * (t.tp + t.fp) + (1 - p) * (t.fn + t.tn);
    return [(t.tp + t.tn - chance) / (1 - chance), 0];
  }],
  ["Prediction Advantage", (t, p) => [1 - (t.fp + t.fn) / Math.min(p, 1 - p), 0]],
];

function tryOut() {
  const [prevalence, recall, specificity, noise] = ["prevalence", "recall", "specificity", "noise"].map(
    (name) => byId(`try-${name}`)
  );
  noise.max = Math.min(40, 2 * Math.min(prevalence.value, 100 - prevalence.value)); // no class can lose more than it has
  for (const field of [prevalence, recall, specificity, noise]) field.nextElementSibling.textContent = `${field.value} %`;
  const [p, r, s, e] = [prevalence, recall, specificity, noise].map((field) => field.value / 100);
  const kept = { positive: p - e / 2, negative: 1 - p - e / 2 };
  const t = {
    tp: kept.positive * r + (e / 2) * (1 - s),
    fn: kept.positive * (1 - r) + (e / 2) * s,
    fp: kept.negative * (1 - s) + (e / 2) * r,
    tn: kept.negative * s + (e / 2) * (1 - r),
  };
  document.querySelectorAll("#try .cells b").forEach((cell, place) => {
    cell.textContent = Math.round(1000 * [t.tp, t.fn, t.fp, t.tn][place]);
  });
  const at = (value) => 100 * (Math.max(LEAST, Math.min(1, value)) - LEAST) / (1 - LEAST);
  LINES.forEach(([, measure], place) => {
    const [value, worthless] = measure(t, p);
    const line = byId("try-bars").children[place];
    const [bar, , mark, arrow] = line.querySelectorAll("rect, line, path.arrow");
    const [left, right] = Number.isNaN(value) ? [at(0), at(0)] : [Math.min(at(0), at(value)), Math.max(at(0), at(value))];
    bar.setAttribute("x", `${left}%`);
    bar.setAttribute("width", `${right - left}%`);
    for (const end of ["x1", "x2"]) mark.setAttribute(end, `${at(worthless)}%`);
    arrow.setAttribute("visibility", value < LEAST ? "visible" : "hidden");
    line.querySelector("output").textContent = Number.isNaN(value) ? "0/0" : value.toFixed(2).replace("-", "−");
    line.classList.toggle("below", !(value > worthless + 1e-9));
  });
}

const trial = byId("try");
if (trial) {
  const zero = `${(100 * -LEAST) / (1 - LEAST)}%`;
  byId("try-bars").innerHTML = LINES.map(
    ([name], place) => `<li><span>${name}</span><svg aria-hidden="true">${
      place ? "" : '<pattern id="try-hatch" width="6" height="6" patternUnits="userSpaceOnUse"><path d="M-1 7L7-1"/></pattern>'
    }<rect class="bar" y="4" height="12"/><line class="zero" x1="${zero}" x2="${zero}" y1="0" y2="20"/><line class="worthless" y1="1" y2="19"/><path class="arrow" d="M0 10l7-5v10z"/></svg><output></output></li>`
  ).join("");
  trial.addEventListener("input", tryOut);
  trial.hidden = false;
  tryOut();
  const still = document.querySelector(".aside > .figure");
  if (still) byId("figures").querySelector(".gallery").prepend(still); // it stands in for what needs a script
}

// What is wider than its place says so.
const widths = new ResizeObserver((entries) =>
  requestAnimationFrame(() => {
    for (const { target } of entries) target.classList.toggle("cut", target.scrollWidth > target.clientWidth);
  })
);
for (const box of document.querySelectorAll(".scroll")) widths.observe(box);
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
