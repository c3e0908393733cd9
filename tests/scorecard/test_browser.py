"""The page of a scorecard in a real browser, on a telephone and on a screen, light and dark."""

import pytest
from chromium import launched
from scorecard.valid import class_probabilities

from nontrivial import score_predictions

pytestmark = pytest.mark.browser

BEYOND = """() => Object.fromEntries([...document.querySelectorAll(".scroll")].map(
    region => [region.getAttribute("aria-label"), region.scrollWidth - region.clientWidth]))"""
FIRST_PICTURES = """() => [...document.querySelectorAll("h2 + .figures img")].map(image => {
    const box = image.getBoundingClientRect(); return [box.x, box.y, box.width / image.naturalWidth] })"""
HIDDEN = """() => [...document.querySelectorAll(".scroll")].filter(
    each => each.scrollHeight > each.clientHeight + 1).length"""
COLORS = """() => new Set([...document.querySelectorAll(".answer")].map(
    each => getComputedStyle(each).borderLeftColor)).size"""
LETTER = "getComputedStyle(document.querySelector('[aria-label=Counts] th'), '::first-letter').textTransform"
UNFOLD = "() => document.querySelectorAll('details').forEach(each => each.open = true)"


@pytest.fixture(scope="module")
def browser():
    with launched() as chromium:
        yield chromium


@pytest.fixture
def show(browser, tmp_path):
    def open_page(scored, width, **options):
        path = tmp_path / "card.html"
        path.write_text(scored.to_html(), encoding="utf-8")
        tab = browser.new_page(viewport={"width": width, "height": 844}, **options)
        tab.goto(path.as_uri())
        return tab

    return open_page


@pytest.mark.parametrize("models", [["good"], ["good", "weak"]])
def test_figures_are_side_by_side_on_a_screen_and_stacked_on_a_telephone(cases, show, models):
    scored = score_predictions(cases, score=models, positive="ill")
    tab = show(scored, 1280)
    (x1, y1, _), (x2, y2, _), (x3, y3, _) = tab.evaluate(FIRST_PICTURES)
    assert y1 == y2 == y3
    assert x1 < x2 < x3
    assert tab.evaluate("document.documentElement.scrollHeight") <= 4 * 844
    places = show(scored, 390).evaluate(FIRST_PICTURES)
    assert len({x for x, *_ in places}) == 1
    assert len({y for _, y, _ in places}) == 3
    assert min(scale for *_, scale in places) > 0.9


@pytest.mark.parametrize("n_classes", [2, 4])
def test_at_390_pixels_tables_wrap_or_scroll_in_themselves(cases, show, tmp_path, n_classes):
    tables = {2: cases[["y", "good"]].rename(columns={"good": "p"}), 4: class_probabilities(4)[0]}
    path = tmp_path / f"{'long_name_' * 12}.csv"
    tables[n_classes].to_csv(path, index=False)
    tab = show(score_predictions(path, positive="ill" if n_classes == 2 else None), 390)
    tab.evaluate(UNFOLD)
    assert tab.evaluate("document.documentElement.scrollWidth") == 390
    beyond = tab.evaluate(BEYOND)
    assert tab.evaluate(HIDDEN) == 0  # a table that scrolls up and down within the page hides its rows
    assert tab.evaluate(LETTER) == "none"  # labels stay as they are
    whole = {"Verdicts", "Counts", "Measures"} if n_classes == 2 else {"Verdicts", "Measures"}
    assert {name for name in whole if beyond[name] > 0} == set()
    assert "Classes" not in beyond or beyond["Classes"] > 0  # twelve columns do not fit; they scroll


def test_figures_are_dark_where_the_page_is_and_links_of_the_contents_unfold(cases, show):
    scored = score_predictions(cases, score="good", positive="ill")
    shade = "getComputedStyle(document.querySelector('figure img')).filter"
    assert show(scored, 1280, color_scheme="light").evaluate(shade) == "none"
    tab = show(scored, 1280, color_scheme="dark")
    assert "invert" in tab.evaluate(shade)
    assert not tab.is_visible("#details-1")
    tab.click("nav a[href='#details-1']")
    assert tab.is_visible("#details-1")
    mixed = score_predictions(cases.assign(raw=cases["good"] * -9 + 4), score=["good", "raw"], positive="ill")
    assert show(mixed, 1280).evaluate(COLORS) > 1  # better, and worse
