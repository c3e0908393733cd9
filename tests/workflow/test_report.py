"""Snakemake's own report of the tiny study: every figure and table, by document, with its caption, and none broken."""

import re
import shutil

import pytest
from chromium import launched
from tiny_study import ROOT

pytestmark = pytest.mark.browser

DOCUMENTS = {"PA paper", "PRG paper", "P4 article", "Tutorial", "All models", "Claims", "Data"}

# A picture that is broken has no width.
DRAWN = (
    "name => [...document.images].some("
    "one => one.getAttribute('src') == results[name].data_uri && one.naturalWidth > 100)"
)


@pytest.fixture(scope="module", params=["html", pytest.param("zip", marks=pytest.mark.rehearsal)])
def report(finished, request, tmp_path_factory):
    """The report's page: one file that holds all, or one beside the files that it shows."""
    folder = tmp_path_factory.mktemp("report")
    path = folder / f"report.{request.param}"
    made = finished.run("--report", str(path))
    assert made.returncode == 0, made.stdout
    if request.param == "zip":
        shutil.unpack_archive(path, folder)
        path = folder / "report" / "report.html"
    assert path.stat().st_size < 20e6
    return path


@pytest.fixture(scope="module")
def browser():
    with launched() as chromium:
        yield chromium


@pytest.fixture
def page(browser, report):
    opened = browser.new_page(viewport={"width": 1500, "height": 1000})
    opened.errors, opened.requests = [], []
    opened.on("pageerror", lambda error: opened.errors.append(str(error)))
    opened.on("console", lambda message: message.type == "error" and opened.errors.append(message.text))
    opened.on("request", lambda request: opened.requests.append(request.url))
    opened.goto(report.as_uri())
    yield opened
    assert opened.errors == []
    assert [address for address in opened.requests if not re.match("file:|data:|blob:", address)] == []
    opened.close()


def test_every_figure_and_table_is_in_it_with_caption_and_heading(page, finished):
    held, rules = page.evaluate("results"), page.evaluate("rules")
    results = finished.folder / "results"
    expected = {f"results/{path.relative_to(results)}" for path in (results / "tables").glob("*.csv")}
    expected |= {f"results/{path.relative_to(results)}" for path in (results / "figures").glob("*.svg")}
    expected |= {f"results/{path.relative_to(results)}" for path in (results / "data").glob("*.json")}
    assert held.keys() == expected | {"results/claims/verdicts.csv"}
    for name, entry in held.items():
        assert len(entry["caption"]) > 200, name
        assert 15 < len(entry["labels"]["shows"]) < 100, name
        assert entry["job_properties"]["rule"] in rules, name
    assert len({entry["labels"]["shows"] for entry in held.values()}) == len(held)
    categories = page.evaluate("categories")
    assert categories.keys() == DOCUMENTS
    assert {
        name for parts in categories.values() for names in parts.values() for name in names
    } == held.keys()


# One with figures and one of claims; what the others show is made by the same rules.
OFTEN = {"PRG paper", "Claims"}


@pytest.mark.parametrize(
    "document",
    [*sorted(OFTEN), *(pytest.param(one, marks=pytest.mark.rehearsal) for one in sorted(DOCUMENTS - OFTEN))],
)
def test_every_result_of_a_document_opens(page, document, report):
    page.get_by_text(document, exact=True).first.click()
    rows = page.locator("tbody tr")
    shown = {entry["labels"]["shows"]: name for name, entry in page.evaluate("results").items()}
    for place in range(rows.count()):
        label = rows.nth(place).inner_text().strip()
        view = rows.nth(place).locator("a").first
        if shown[label].endswith(".svg"):
            view.click()
            page.wait_for_function(DRAWN, arg=shown[label])
        else:
            held = view.get_attribute("href")
            assert re.match(r"data:(text/csv|application/json);", held) or (report.parent / held).is_file()
        rows.nth(place).locator("a").nth(1).click()
        page.get_by_text("Description", exact=True).wait_for()
        page.get_by_text(document, exact=True).first.click()


def test_it_says_what_the_study_is(page):
    page.get_by_text("Workflow", exact=True).first.click()
    text = (ROOT / "workflow" / "report" / "study.rst").read_text(encoding="utf-8")
    page.get_by_text(text.partition(".")[0]).first.wait_for()
