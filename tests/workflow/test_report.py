"""Snakemake's own report of the tiny study: every figure and table, by document, with its caption, and none broken."""

import re

import pytest
from chromium import launched

pytestmark = pytest.mark.browser

DOCUMENTS = {"PA paper", "PRG paper", "P4 article", "Tutorial", "All models", "Claims", "Data"}
# A picture that is broken has no width.
DRAWN = (
    "name => [...document.images].some("
    "one => one.getAttribute('src') == results[name].data_uri && one.naturalWidth > 100)"
)


def test_every_figure_and_table_is_in_it_with_caption_and_heading_and_opens(finished, tmp_path):
    path, results = tmp_path / "report.html", finished.folder / "results"
    made = finished.run("--report", str(path))
    assert made.returncode == 0, made.stdout
    assert path.stat().st_size < 20e6
    with launched() as chromium:
        page, errors, requests = chromium.new_page(viewport={"width": 1500, "height": 1000}), [], []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.on("request", lambda request: requests.append(request.url))
        page.goto(path.as_uri())
        held, categories = page.evaluate("results"), page.evaluate("categories")
        shown = {entry["labels"]["shows"]: name for name, entry in held.items()}
        page.get_by_text("PRG paper", exact=True).first.click()
        rows = page.locator("tbody tr")
        assert rows.count() > 0
        for place in range(rows.count()):
            name = shown[rows.nth(place).inner_text().strip()]
            if name.endswith(".svg"):
                rows.nth(place).locator("a").first.click()
                page.wait_for_function(DRAWN, arg=name)
            rows.nth(place).locator("a").nth(1).click()
            page.get_by_text("Description", exact=True).wait_for()
            page.get_by_text("PRG paper", exact=True).first.click()
    assert errors == []
    assert [address for address in requests if not re.match("file:|data:|blob:", address)] == []
    kinds = [("tables", "csv"), ("figures", "svg"), ("data", "json")]
    expected = {
        f"results/{folder}/{one.name}" for folder, kind in kinds for one in (results / folder).glob(f"*.{kind}")
    }
    assert held.keys() == expected | {"results/claims/verdicts.csv"}
    assert len(shown) == len(held)
    assert all(len(entry["caption"]) > 200 for entry in held.values())
    assert categories.keys() == DOCUMENTS
    assert {name for parts in categories.values() for names in parts.values() for name in names} == held.keys()
